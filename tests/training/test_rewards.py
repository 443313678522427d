"""The reward suite: what training pays for, over every class and over grounding.

Draws are samples without pixels, with the payload that a shard would carry. Gold is paid in full,
junk earns no outcome, and the answer of another sample passes by chance only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from factory.core import actions as act
from factory.core import answers, registry
from factory.core.action_text import (
    format_actions,
    format_grounding,
    format_response,
    parse_strict,
)
from factory.core.actions import ActionBase, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point, to_grid
from factory.core.mechanics import to_payload
from factory.core.reward import Reward
from factory.core.rng import Stream
from factory.testing import Subject, subject_of
from factory.testing.outcome import ALPHA, EXCESS
from factory.testing.statistics import binomial_ceiling
from factory.testing.subject import Draw, by_mechanic
from training.mopd.hint import gold_types
from training.mopd.status import Status, classify
from training.rewards import DEFAULTS, KINDS, RewardOptions, Task, refused, score

DRAWS, JUDGED = 40, 4
"""Draws of a class, and those of them that junk and wrong answers are judged on one by one."""

EMPTY: tuple[object, ...] = (
    None, math.nan, math.inf, -math.inf, 0, 10**400, True, b"Click(point=(1, 2))", [], {}, object(),
    "", " ", "\n\t", "\x00", "\ud800", "null", "None", "nan", "NaN", "[]", "{}", "[,]", "[nan,nan]",
    "I do not know.", "The answer is the third picture on the left.", "请把滑块拖到缺口处。",
    "<think></think><action></action>", "<think>x</think><action>I would click.</action>",
    "<action>" * 50, "<think>" * 200, "((((" * 500, "9" * 5000, "Click()", "Drag()",
    "Click(point=(nan, nan))", "Click(point=(1, ", "Drag(start=(1e400, 2), end=(3, 4))",
    "__import__('os').abort()", '{"action": "Drag"}', "[-1,5]", "[5,-1]", "[-1.0,-1.0]",
)  # fmt: skip
"""Responses that answer nothing, of a kind of puzzle or of another."""

ONLY_FORM = "<think>I look at the picture.</think><action>Wait()</action>"
"""Right in form, and nothing else."""

CELLS = format_response(
    "", [Click(Point(50 + 100 * x, 50 + 100 * y)) for y in range(10) for x in range(10)]
)
CENTRE = "<think></think><action>Click(point=(500, 500))</action>"
LUCKY = (CELLS, CENTRE)
"""A click everywhere, and one in the middle: they may be right by luck, once."""

REWARDS = (DEFAULTS, RewardOptions(per_slot=True, dense=True))


def task_of(draw: Draw) -> Task:
    size = [draw.placement.width_px, draw.placement.height_px]
    payload = {
        "mechanic": to_payload(draw.mechanic), "size": size, "actions": act.to_builtins(draw.gold),
    }  # fmt: skip
    return Task("captcha", payload)


def response(draw: Draw) -> str:
    size = draw.placement.width_px, draw.placement.height_px
    return format_response("I see it.", [act.to_grid(action, *size) for action in draw.gold])


def written(actions: list[ActionBase]) -> str:
    """The response of these grid actions; empty when text cannot carry them, as with durations."""
    try:
        text = format_response("", actions)
    except InvalidOptions:
        return ""
    return text if parse_strict(format_actions(actions)) == actions else ""


def sound(reward: Reward) -> bool:
    return all(math.isfinite(part) and 0.0 <= part <= 1.0 for part in reward[:4])


Drawn = tuple[Subject, list[Draw]]


@pytest.fixture(scope="module", params=registry.names())
def drawn(request: pytest.FixtureRequest) -> Drawn:
    """The subject of a class and its draws; all tests of a class run one after the other."""
    subject = subject_of(request.param)
    return subject, subject.draws(DRAWS)


class TestEveryClass:
    def test_gold_is_paid_in_full(self, drawn: Drawn) -> None:
        for draw in drawn[1]:
            for options in REWARDS:
                found = score(task_of(draw), response(draw), options)
                assert found == (1.0, 1.0, 1.0, 1.0, "solved"), draw.key

    def test_all_slots_of_gold_are_correct_and_of_the_hinted_types(self, drawn: Drawn) -> None:
        for draw in drawn[1]:
            slots = classify(task_of(draw), response(draw))
            assert {slot.status for slot in slots} == {Status.CORRECT}, draw.key
            text = response(draw)
            names = [text[slice(*slot.type_span)] for slot in slots]
            assert tuple(names) == gold_types(task_of(draw))

    def test_empty_answers_earn_no_outcome(self, drawn: Drawn) -> None:
        for draw in drawn[1][:JUDGED]:
            for junk in (*EMPTY, ONLY_FORM):
                for options in REWARDS:
                    found = score(task_of(draw), junk, options)
                    assert sound(found) and found.outcome == 0.0, (draw.key, junk)
                    assert found.total <= options.captcha.format + options.captcha.types

    def test_clicking_everywhere_or_in_the_middle_is_right_by_luck_only(self, drawn: Drawn) -> None:
        passed = Counter(
            text for draw in drawn[1][:JUDGED] for text in LUCKY
            if score(task_of(draw), text).outcome >= 1.0
        )  # fmt: skip
        assert max(passed.values(), default=0) <= 1, passed

    def test_wrong_answers_that_the_class_names_are_not_paid(self, drawn: Drawn) -> None:
        subject, draws = drawn
        for draw in draws[:JUDGED]:
            size = draw.placement.width_px, draw.placement.height_px
            wrong = subject.puzzle.wrong_responses(draw.state, draw.mechanic, draw.scene.rng)
            for one in wrong:
                text = written([act.to_grid(a, *size) for a in one.actions])
                if text:
                    found = score(task_of(draw), text)
                    assert sound(found) and found.outcome < 1.0, (draw.key, one.name)

    def test_text_that_is_cut_anywhere_neither_raises_nor_leaves_the_interval(
        self, drawn: Drawn
    ) -> None:
        draw = drawn[1][0]
        asked, text = task_of(draw), response(draw)
        for cut in range(0, len(text), max(1, len(text) // 40)):
            for piece in (text[:cut], text[cut:], text[:cut] + "\ud83d" + text[cut:]):
                assert all(sound(score(asked, piece, options)) for options in REWARDS)
                assert classify(asked, piece)

    def test_answers_of_other_samples_pass_by_chance_only(self, drawn: Drawn) -> None:
        subject, draws = drawn
        passes, chance = 0, 0.0
        for own in by_mechanic(draws):
            room = subject.room(own)
            for draw, other in zip(own, [*own[1:], own[0]], strict=True):
                if draw is other:
                    continue
                chance += draw.space.chance(room)
                passes += score(task_of(draw), response(other)).outcome >= 1.0
        rate = min(1.0, EXCESS * chance / len(draws))
        assert passes <= binomial_ceiling(len(draws), rate, ALPHA), (passes, chance)


WIDTH, HEIGHT = 1280, 800
TARGETS = 600


def targets() -> Iterator[Task]:
    """Places of usual sizes anywhere on a page; one in seven is not there."""
    for number in range(TARGETS):
        stream = Stream(f"reward-suite|{number}")
        width, height = stream.uniform(14, 320), stream.uniform(12, 60)
        x, y = stream.uniform(0, WIDTH - width), stream.uniform(0, HEIGHT - height)
        boxes = [] if number % 7 == 0 else [Box.sized(x, y, width, height)]
        yield Task("grounding", {"mechanic": answers.place(boxes), "size": [WIDTH, HEIGHT]})


def said(asked: Task) -> str:
    boxes = asked.payload["mechanic"]["boxes"]
    if not boxes:
        return format_grounding(None)
    x0, y0, x1, y1 = boxes[0]
    return format_grounding((to_grid((x0 + x1) / 2, WIDTH), to_grid((y0 + y1) / 2, HEIGHT)))


ALL = list(targets())
ABSENT = [asked for asked in ALL if not asked.payload["mechanic"]["boxes"]]
PRESENT = [asked for asked in ALL if asked.payload["mechanic"]["boxes"]]


class TestGrounding:
    def test_gold_is_paid_in_full(self) -> None:
        for asked in ALL:
            assert score(asked, said(asked)).total == 1.0
            assert classify(asked, said(asked))[0].status is Status.CORRECT

    def test_empty_answers_earn_nothing(self) -> None:
        for asked in (*PRESENT[:JUDGED], *ABSENT[:JUDGED]):
            for junk in (*EMPTY, ONLY_FORM):
                assert score(asked, junk).total == 0.0, junk
                assert sound(score(asked, junk, REWARDS[1])), junk

    def test_refusing_is_paid_where_nothing_is_there_and_pointing_is_not(self) -> None:
        assert {score(asked, "[-1,-1]").outcome for asked in ABSENT} == {1.0}
        assert {score(asked, "[-1,-1]").outcome for asked in PRESENT} == {0.0}
        assert {score(asked, "[500,500]").outcome for asked in ABSENT} == {0.0}
        for text in ("[-1, -1]", "The target is missing: [-1,-1]"):
            assert refused(ABSENT[0], text)
        for text in ("[-1,5]", "[-1.0,-1.0]", "no", None, "[4,5]"):
            assert not refused(ABSENT[0], text)

    @pytest.mark.parametrize("shift", [1, 2, 3])
    def test_answers_of_other_samples_and_the_middle_pass_by_chance_only(self, shift: int) -> None:
        def area(asked: Task) -> float:
            (x0, y0, x1, y1) = asked.payload["mechanic"]["boxes"][0]
            return (x1 - x0) * (y1 - y0) / (WIDTH * HEIGHT)

        rate = math.fsum(map(area, PRESENT)) / len(PRESENT)
        ceiling = binomial_ceiling(len(PRESENT), EXCESS * rate, ALPHA)
        others = [*PRESENT[shift:], *PRESENT[:shift]]
        passes = sum(score(a, said(b)).outcome for a, b in zip(PRESENT, others, strict=True))
        assert 0 < ceiling < 30 and passes <= ceiling
        assert sum(score(asked, "[500,500]").outcome for asked in PRESENT) <= ceiling

    def test_a_page_of_points_is_one_answer_and_no_more(self) -> None:
        every = "".join(f"[{x},{y}]" for x in range(0, 1000, 50) for y in range(0, 1000, 50))
        ceiling = binomial_ceiling(len(PRESENT), 0.02 * EXCESS, ALPHA)
        assert sum(score(asked, every).outcome for asked in PRESENT) <= ceiling

    def test_the_dense_reward_falls_with_distance_and_the_best_box_counts(self) -> None:
        dense = replace(DEFAULTS, dense=True)
        payload = {"mechanic": answers.place([Box(400, 400, 600, 500), Box(0, 0, 100, 100)]),
                   "size": [1000, 1000]}  # fmt: skip
        asked = Task("grounding", payload)
        totals = [score(asked, f"[{x},450]", dense).total for x in (500, 560, 620, 900)]
        assert totals == sorted(totals, reverse=True) and len(set(totals)) == 4
        assert score(asked, "[50,50]").total == 1.0
        assert score(asked, "[500,450]").total == 1.0


class TestOtherKinds:
    WORDS = Task("answer", {"mechanic": answers.words(["Blue"]), "size": [10, 10]})
    CLICK = Task("action", {"size": [1000, 1000],
                            "actions": [{"action": "Click", "point": [200.5, 300.5]}]})  # fmt: skip

    @pytest.mark.parametrize(("text", "total"), [("blue", 1.0), (" Blue. ", 1.0), ("red", 0.0),
                                                  ("", 0.0), (None, 0.0), (3, 0.0)])  # fmt: skip
    def test_words_are_right_or_not(self, text: object, total: float) -> None:
        assert score(self.WORDS, text).total == total

    def test_an_action_is_paid_by_type_and_tier(self) -> None:
        def of(x: int, name: str = "Click") -> float:
            text = f"<think></think><action>{name}(point=({x}, 300))</action>"
            return score(self.CLICK, text).total

        assert of(200) == 1.0
        assert of(230) == pytest.approx(0.1 + 0.9 * 0.75)
        assert of(900) == pytest.approx(0.1 + 0.9 * 0.5)
        assert of(200, "LongPress") == pytest.approx(0.1)

    def test_a_task_survives_its_line(self) -> None:
        assert Task.of_json(self.CLICK.to_json()) == self.CLICK
        with pytest.raises(InvalidOptions, match="not a task"):
            Task.of_json("{")

    @pytest.mark.parametrize("kind", [*KINDS, "chess"])
    def test_a_broken_payload_pays_no_outcome_and_does_not_raise(self, kind: str) -> None:
        broken: list[dict[str, object]] = [
            {}, {"mechanic": None}, {"mechanic": {"mechanic": "place"}, "size": [1, 1]},
            {"mechanic": {"mechanic": "place", "boxes": [[1]]}, "size": [1, 1]},
            {"mechanic": {"mechanic": "place", "boxes": [["a"] * 4]}, "size": [1, 1]},
            {"mechanic": {"mechanic": "place", "boxes": []}, "size": [0, math.nan]},
            {"mechanic": {"mechanic": "words", "texts": 3}, "size": [1, 1], "actions": [3]},
        ]  # fmt: skip
        for payload in broken:
            for text in ("[1,1]", "[-1,-1]", CENTRE, "words"):
                found = score(Task(kind, payload), text)
                assert sound(found) and found.outcome == 0.0
