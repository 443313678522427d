"""Claims about statuses, spans and weights: each row of the table, on responses as models write."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from factory.core import actions as act
from factory.core import answers
from factory.core.action_text import format_response
from factory.core.actions import ActionBase, Click, Drag, Type
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic, to_payload
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.points import Points
from factory.core.mechanics.slide import Slide
from factory.core.mechanics.zones import Zone
from training.mopd.hint import REFUSES, gold_types, hint, hinted
from training.mopd.routing import by_domain, known, routed
from training.mopd.spans import Role, Token, token_offsets, tokens
from training.mopd.status import Slot, Status, classify, worst
from training.mopd.weights import Lambdas, token_weight, token_weights
from training.rewards import Task

SIZE = (1000, 1000)
SPOTS = (Point(200.5, 300.5), Point(500.5, 300.5), Point(800.5, 300.5))
ELSEWHERE = Point(600.5, 800.5)
AREA = Box(0, 0, 1000, 1000)


def task(mechanic: AnyMechanic, gold: Sequence[ActionBase]) -> Task:
    payload = {
        "mechanic": to_payload(mechanic), "size": list(SIZE), "actions": act.to_builtins(gold),
    }  # fmt: skip
    return Task("captcha", payload)


def said(*actions: ActionBase, think: str = "I look.") -> str:
    return format_response(think, [act.to_grid(one, *SIZE) for one in actions])


ZONES = tuple(Zone.disc(spot, 20.0) for spot in SPOTS)
CLICKS = [Click(spot) for spot in SPOTS]
ORDERED = task(OrderedPoints(targets=ZONES, area=AREA), CLICKS)
FREE = task(Points(targets=ZONES, area=AREA), CLICKS)
DRAG = Drag(Point(120.5, 905.5), Point(420.5, 905.5))
SLIDER = task(
    Slide(
        handle=Box(100, 880, 140, 930), track=Box(100, 880, 900, 930), travel_px=760.0,
        judge="offset", target=300.0, tol=8.0,
    ),
    [DRAG],
)  # fmt: skip
PLACE = Task("grounding", {"mechanic": answers.place([Box(400, 400, 500, 500)]), "size": SIZE})
ABSENT = Task("grounding", {"mechanic": answers.place([]), "size": SIZE})
ASKED_WORDS = Task("answer", {"mechanic": answers.words(["Blue"]), "size": SIZE})


def statuses(asked: Task, text: str) -> list[str]:
    return [slot.status.value for slot in classify(asked, text)]


class TestStatus:
    def test_what_the_verifier_passes_is_correct_as_a_whole(self) -> None:
        assert statuses(SLIDER, said(DRAG)) == ["correct"]
        assert statuses(ORDERED, said(*CLICKS)) == ["correct"] * 3
        assert statuses(FREE, said(*reversed(CLICKS))) == ["correct"] * 3

    def test_a_right_type_with_wrong_arguments(self) -> None:
        assert statuses(SLIDER, said(Drag(DRAG.start, Point(700.5, 905.5)))) == ["arguments"]

    def test_a_wrong_type(self) -> None:
        assert statuses(SLIDER, said(Click(DRAG.start))) == ["type"]

    @pytest.mark.parametrize(
        "text", ["", "I cannot do it", "<think>x</think><action></action>", "<action>Clic", "\x00"]
    )
    def test_what_cannot_be_read(self, text: str) -> None:
        assert statuses(SLIDER, text) == ["unparsable"]

    def test_each_slot_of_a_sequence_has_its_own(self) -> None:
        wrong = [CLICKS[0], Click(ELSEWHERE), Type("b")]
        assert statuses(ORDERED, said(*wrong)) == ["correct", "arguments", "type"]

    def test_where_order_counts_a_swap_is_wrong(self) -> None:
        swapped = [CLICKS[1], CLICKS[0], CLICKS[2]]
        assert statuses(ORDERED, said(*swapped)) == ["arguments", "arguments", "correct"]

    def test_where_order_is_free_each_gold_action_stands_once(self) -> None:
        text = said(CLICKS[2], CLICKS[2], Click(ELSEWHERE))
        assert statuses(FREE, text) == ["correct", "arguments", "arguments"]

    def test_one_action_too_many_has_no_type_and_one_too_few_leaves_the_rest_right(self) -> None:
        assert statuses(ORDERED, said(*CLICKS, CLICKS[0]))[-1] == "type"
        assert statuses(ORDERED, said(*CLICKS[:2])) == ["correct", "correct"]

    def test_a_place_and_a_refusal_are_types_of_each_other(self) -> None:
        assert statuses(PLACE, "[450,450]") == ["correct"]
        assert statuses(PLACE, "[600,450]") == ["arguments"]
        assert statuses(PLACE, "[-1,-1]") == ["type"]
        assert statuses(ABSENT, "[-1,-1]") == ["correct"]
        assert statuses(ABSENT, "[450,450]") == ["type"]
        assert statuses(PLACE, "nowhere") == ["unparsable"]

    def test_words_are_right_or_not(self) -> None:
        assert statuses(ASKED_WORDS, " blue.") == ["correct"]
        assert statuses(ASKED_WORDS, "red") == ["arguments"]
        assert statuses(ASKED_WORDS, "  ") == ["unparsable"]

    def test_a_broken_payload_calls_nothing_right(self) -> None:
        broken = Task("captcha", {"mechanic": 3, "size": [1], "actions": None})
        assert statuses(broken, said(DRAG)) == ["type"]

    def test_one_action_against_its_gold(self) -> None:
        step = Task("action", {"size": list(SIZE), "actions": act.to_builtins([CLICKS[0]])})
        assert statuses(step, said(CLICKS[0])) == ["correct"]
        assert statuses(step, said(Click(ELSEWHERE))) == ["arguments"]
        assert statuses(step, said(Type("a"))) == ["type"]

    def test_the_gravest_slot_names_the_response(self) -> None:
        assert worst(classify(ORDERED, said(CLICKS[0], Click(ELSEWHERE)))) is Status.ARGUMENTS
        assert worst(classify(ORDERED, said(Type("x"), CLICKS[1]))) is Status.TYPE


def parts(text: str, slot: Slot) -> tuple[str, list[str]]:
    return text[slice(*slot.type_span)], [text[slice(*span)] for span in slot.argument_spans]


class TestSpans:
    def test_a_type_is_its_name_and_arguments_are_the_rest_of_the_call(self) -> None:
        text = said(*CLICKS[:2])
        first, second = classify(ORDERED, text)
        assert parts(text, first) == ("Click", ["(point=(200, 300))"])
        assert parts(text, second) == ("Click", ["(point=(500, 300))"])

    def test_a_place_parts_from_a_refusal_at_its_first_sign(self) -> None:
        assert parts("[450,450]", classify(PLACE, "[450,450]")[0]) == ("[4", ["50,450]"])
        assert parts("[-1,-1]", classify(PLACE, "[-1,-1]")[0]) == ("[-", ["1,-1]"])

    def test_what_cannot_be_read_starts_at_its_action_tag_or_at_once(self) -> None:
        text = "<think>so</think><action>Cli"
        assert parts(text, classify(SLIDER, text)[0])[0] == "<action>Cli"
        assert parts("so", classify(SLIDER, "so")[0])[0] == "so"


class Pieces:
    """A tokenizer whose tokens are given; 0 is special."""

    all_special_ids = (0,)

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    def decode(self, token_ids, **_) -> str:
        return b"".join(self.pieces[k - 1] for k in token_ids).decode("utf-8", "replace")


class TestTokens:
    def offsets(self, *pieces: bytes):
        return token_offsets(Pieces(*pieces), [*range(1, len(pieces) + 1), 0])

    def test_offsets_add_up_to_the_text_and_special_tokens_have_none(self) -> None:
        text, offsets = self.offsets(b"<think>", b"so", b"</think>")
        assert text == "<think>so</think>"
        assert offsets == [(0, 7), (7, 9), (9, 17), None]

    def test_a_character_of_several_tokens_is_the_first_ones(self) -> None:
        word = "à点".encode()
        text, offsets = self.offsets(word[:1], word[1:3], word[3:4], word[4:], b"!")
        assert text == "à点!"
        assert [o[1] for o in offsets[:-1] if o] == [1, 2, 2, 2, 3]
        spans = [Slot(Status.TYPE, (0, 1)), Slot(Status.ARGUMENTS, (1, 2), ())]
        found = [t.status for t in tokens(offsets, spans)]
        assert found == [Status.TYPE, Status.ARGUMENTS, Status.ARGUMENTS, Status.ARGUMENTS,
                         None, None]  # fmt: skip

    def test_a_token_that_straddles_a_border_is_what_its_first_character_is(self) -> None:
        slots = [Slot(Status.ARGUMENTS, (8, 13), ((13, 27),))]
        _, offsets = self.offsets(b"<action>", b"Cl", b"ick(po", b"int=(1, 1", b"))</", b"action>")
        assert [t.role for t in tokens(offsets, slots)] == [
            Role.OTHER, Role.TYPE, Role.TYPE, Role.ARGUMENT, Role.ARGUMENT, Role.OTHER, Role.OTHER,
        ]  # fmt: skip
        _, offsets = self.offsets(b"<action>C", b"lick")
        assert [t.role for t in tokens(offsets, slots)][:2] == [Role.OTHER, Role.TYPE]

    def test_after_the_start_of_what_cannot_be_read_the_end_is_wrong_too(self) -> None:
        text, offsets = self.offsets(b"<think>a</think>", b"<action>", b"Cli")
        found = tokens(offsets, classify(SLIDER, text))
        assert [t.role for t in found] == [Role.OTHER, Role.TYPE, Role.TYPE, Role.TYPE]

    def test_cutting_tokens_elsewhere_leaves_the_characters_with_their_roles(self) -> None:
        text = said(*CLICKS[:2]).encode()
        slots = classify(ORDERED, text.decode())
        _, single = self.offsets(*(text[k : k + 1] for k in range(len(text))))
        by_char = [t.role for t in tokens(single, slots)][:-1]
        for cut in (2, 3, 7):
            pieces = [text[k : k + cut] for k in range(0, len(text), cut)]
            _, offsets = self.offsets(*pieces)
            roles = [t.role for t in tokens(offsets, slots)][:-1]
            assert roles == by_char[::cut]


TABLE = {
    Status.CORRECT: (0.25, 0.25),
    Status.ARGUMENTS: (3.0, 3.0),
    Status.TYPE: (5.0, 0.0),
    Status.UNPARSABLE: (5.0, 0.0),
}
"""Weights of type and argument tokens by status, for the lambdas below."""
LAMBDAS = Lambdas(correct=0.25, span=3.0, type=5.0, think=0.5)


class TestWeights:
    @pytest.mark.parametrize("status", list(Status))
    def test_every_row_of_the_table(self, status: Status) -> None:
        of_type, of_argument = TABLE[status]
        assert token_weight(Token(Role.TYPE, status), LAMBDAS) == of_type
        assert token_weight(Token(Role.ARGUMENT, status), LAMBDAS) == of_argument
        assert token_weight(Token(Role.OTHER), LAMBDAS) == 0.5

    def test_the_defaults_are_the_designs(self) -> None:
        assert Lambdas() == (0.0, 2.0, 2.0, 1.0)

    def test_without_structure_every_token_counts_one(self) -> None:
        found = [Token(Role.TYPE, Status.CORRECT), Token(Role.ARGUMENT, Status.TYPE)]
        assert token_weights(found, structure=False) == [1.0, 1.0]

    def test_a_sequence_is_weighed_slot_by_slot(self) -> None:
        text = said(CLICKS[0], Click(ELSEWHERE), Type("b"), think="hm")
        pieces = [text[k : k + 1].encode() for k in range(len(text))]
        _, offsets = token_offsets(Pieces(*pieces), range(1, len(pieces) + 1))
        weights = token_weights(tokens(offsets, classify(ORDERED, text)), LAMBDAS)

        def at(word: str, which: int = 0) -> float:
            start = -1
            for _ in range(which + 1):
                start = text.index(word, start + 1)
            found = set(weights[start : start + len(word)])
            assert len(found) == 1, word
            return found.pop()

        assert at("<think>hm</think><action>") == at("</action>") == 0.5
        between = text.index(", Type")
        assert weights[between : between + 2] == [0.5, 0.5]
        assert at("Click") == at("(point=(200, 300))") == 0.25
        assert at("Click", 1) == at("(point=(600, 800))") == 3.0
        assert (at("Type"), at("(content='b')")) == (5.0, 0.0)


class TestHint:
    def test_types_are_those_of_the_gold(self) -> None:
        assert gold_types(SLIDER) == ("Drag",)
        assert gold_types(ORDERED) == ("Click",) * 3
        assert gold_types(ABSENT) == (REFUSES,) != gold_types(PLACE)

    def test_the_hint_tells_types_and_never_arguments(self) -> None:
        for asked in (SLIDER, ORDERED, PLACE, ABSENT, ASKED_WORDS):
            for lang in ("en", "zh"):
                words = hint(gold_types(asked), lang)
                assert words and not any(char.isdigit() for char in words)
                assert "blue" not in words.casefold()

    def test_the_teachers_prompt_is_the_students_and_more(self) -> None:
        assert hinted("Solve it.", SLIDER).startswith("Solve it.\n\nHint: ")
        assert "Drag" in hinted("Solve it.", SLIDER)
        nothing = Task("captcha", {"actions": None})
        assert hinted("Solve it.", nothing) == "Solve it."

    def test_long_sequences_are_told_in_short(self) -> None:
        assert len(hint(["Click"] * 500)) < 200


class TestRouting:
    DOMAINS = ("b", "a", "b", "c", "a", "b")

    def test_each_domain_is_scored_once_and_rows_come_back_in_their_order(self) -> None:
        calls: list[str] = []

        def scored(domain: str, rows: list[int]) -> list[str]:
            calls.append(domain)
            return [f"{domain}{row}" for row in rows]

        assert routed(self.DOMAINS, scored) == ["b0", "a1", "b2", "c3", "a4", "b5"]
        assert calls == ["b", "a", "c"]
        assert by_domain(self.DOMAINS) == {"b": [0, 2, 5], "a": [1, 4], "c": [3]}

    def test_a_permutation_of_rows_permutes_the_results(self) -> None:
        names = [f"row{k}" for k in range(6)]
        order = [3, 0, 5, 1, 4, 2]
        domains = [self.DOMAINS[k] for k in order]
        plain = routed(self.DOMAINS, lambda domain, rows: [domain + names[k] for k in rows])
        moved = routed(domains, lambda domain, rows: [domain + names[order[k]] for k in rows])
        assert moved == [plain[k] for k in order]

    def test_results_that_are_missing_are_an_error(self) -> None:
        with pytest.raises(ValueError, match="0 results for 3 rows"):
            routed(self.DOMAINS, lambda domain, rows: [])

    def test_a_domain_without_a_teacher_is_named(self) -> None:
        with pytest.raises(InvalidOptions, match="no teacher for the domain c"):
            known(self.DOMAINS, {"a": 1, "b": 2})
        known(["a"], {"a": 1, "b": 2})
