"""Claims about rewards: what is paid, what is not, and that nothing raises."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.action_text import format_actions, format_response
from factory.core.actions import Click, Drag, Scroll, Swipe, Type, Wait
from factory.core.geometry import Box, Point
from factory.core.mechanics import to_payload
from factory.core.mechanics.slide import Slide
from factory.core.reward import (
    ACTION_WEIGHTS,
    action_reward,
    argument_score,
    captcha_reward,
    gaussian_point_reward,
    grounding_reward,
    token_f1,
    verdict,
)

SIZE = (1280, 800)
BOX = Box(100, 200, 228, 280)
SLIDE = Slide(
    handle=Box(832, 470, 880, 510), track=Box(832, 470, 1144, 510), travel_px=264.0,
    judge="angle", start_value=-120.0, target=0.0, gain_per_px=360 / 264, tol=10.0,
)  # fmt: skip
GOLD = [Drag(Point(856, 490), Point(944, 490))]
PAYLOAD = {"mechanic": to_payload(SLIDE), "size": list(SIZE), "actions": act.to_builtins(GOLD)}
JUNK = [
    "", "   ", None, math.nan, math.inf, 10**400, 7, b"x", [], {}, object(), "null", "NaN", "prose",
    "<think></think><action></action>", "\x00", "\ud800", "((((((" * 1000, "[,]",
    "Click(point=(1, ", "<action>" * 50,
]  # fmt: skip


def response(actions):
    return format_response("seen", [act.to_grid(a, *SIZE) for a in actions])


def answer(x, y):
    return f"[{act.to_grid(Click(Point(x, y)), *SIZE).point[0]},{int(1000 * y / 800)}]"


def test_gold_is_paid_in_full_whatever_form_the_payload_has():
    for payload in (PAYLOAD, msgspec.json.encode(PAYLOAD), msgspec.json.encode(PAYLOAD).decode()):
        assert verdict(payload, response(GOLD)).passed
        assert captcha_reward(payload, response(GOLD)) == (1.0, 1.0, 1.0, 1.0, "solved")


def test_captcha_parts_add_up():
    wrong = [Drag(Point(856, 490), Point(900, 490))]
    assert captcha_reward(PAYLOAD, response(wrong)).total == pytest.approx(0.4)
    assert captcha_reward(PAYLOAD, response([Click(Point(640, 400))])).total == pytest.approx(0.1)
    loose = f"I drag it: {format_actions([act.to_grid(a, *SIZE) for a in GOLD])}"
    assert captcha_reward(PAYLOAD, loose).total == pytest.approx(0.9)
    twice = response([*GOLD, *GOLD])
    assert captcha_reward(PAYLOAD, twice).total == pytest.approx(0.1)
    assert captcha_reward(PAYLOAD, twice, per_slot=True).types == pytest.approx(0.5)


@pytest.mark.parametrize("text", JUNK, ids=lambda t: type(t).__name__)
def test_junk_earns_no_outcome(text):
    for reward in (
        captcha_reward(PAYLOAD, text),
        captcha_reward(PAYLOAD, text, per_slot=True),
        grounding_reward(text, BOX, SIZE),
        grounding_reward(text, None, SIZE),
        action_reward(text, Click(Point(1, 2))),
    ):
        assert reward.outcome == 0 and reward.total == 0
    assert not verdict(PAYLOAD, text).passed


@pytest.mark.parametrize(
    "payload",
    [None, "", "{", "[]", b"\xff", 5, [], {}, {"mechanic": 3, "size": [1, 2]},
     {**PAYLOAD, "size": [0, 5]}, {**PAYLOAD, "size": ["a", 5]}, {**PAYLOAD, "size": [math.nan, 5]},
     {**PAYLOAD, "size": [True, 5]}, {**PAYLOAD, "size": None},
     {**PAYLOAD, "mechanic": {"mechanic": "slide"}}, "[" * 100_000],
    ids=lambda p: type(p).__name__,
)  # fmt: skip
def test_broken_payload_fails_and_does_not_raise(payload):
    assert verdict(payload, response(GOLD)).reason == "bad_payload"
    assert captcha_reward(payload, response(GOLD)).outcome == 0


@pytest.mark.parametrize("actions", [None, 3, "Drag", [None], [{}], [["Drag"]]])
def test_broken_gold_pays_no_types(actions):
    reward = captcha_reward({**PAYLOAD, "actions": actions}, response(GOLD))
    assert (reward.types, reward.outcome) == (0.0, 1.0)


@given(st.text() | st.none() | st.floats() | st.text("Click()Drag[]point=,0123456789-.'"))
def test_rewards_are_finite_and_in_the_unit_interval(text):
    for reward in (
        captcha_reward(PAYLOAD, text),
        grounding_reward(text, BOX, SIZE, dense=True),
        action_reward(text, Scroll(Point(1, 2), "up")),
    ):
        assert all(0.0 <= part <= 1.0 for part in reward[:4])


def test_grounding_pays_a_point_in_the_box_and_the_exact_refusal():
    assert grounding_reward(answer(164, 240), BOX, SIZE).total == 1.0
    assert grounding_reward(answer(300, 240), BOX, SIZE).total == pytest.approx(0.1)
    assert grounding_reward("it is at (128, 300)", BOX, SIZE).total == pytest.approx(0.9)
    assert grounding_reward("[-1,-1]", None, SIZE).total == 1.0
    assert grounding_reward("[-1,-1]", BOX, SIZE).total == pytest.approx(0.1)
    assert grounding_reward("[128,300]", None, SIZE).total == pytest.approx(0.1)
    assert grounding_reward("[-1,-1.0]", None, SIZE).total == 0.0
    assert grounding_reward("[-1,5]", None, SIZE).total == 0.0


def test_grounding_box_is_inclusive():
    edge = Box(0.5, 0.5, 10.5, 10.5)  # the cells 0 and 10 of a 1000 px canvas lie on its sides
    assert grounding_reward("[10,10]", edge, (1000, 1000)).outcome == 1
    assert grounding_reward("[0,0]", edge, (1000, 1000)).outcome == 1
    assert grounding_reward("[11,10]", edge, (1000, 1000)).outcome == 0


def test_dense_point_reward_is_the_papers():
    assert gaussian_point_reward(164, 240, BOX) == 1
    assert gaussian_point_reward(228, 240, BOX) == pytest.approx(math.exp(-0.5))
    assert gaussian_point_reward(228, 280, BOX) == pytest.approx(math.exp(-1))
    assert gaussian_point_reward(1, 1, Box(1, 1, 1, 1)) == 0


def one(action):
    return format_response("", [action])


@pytest.mark.parametrize(
    ("action", "gold", "total"),
    [
        (Click(Point(500, 500)), Click(Point(510, 510)), 1.0),
        (Click(Point(500, 500)), Click(Point(500, 520)), 0.1 + 0.9 * 0.75),
        (Click(Point(500, 500)), Click(Point(500, 550)), 0.1 + 0.9 * 0.5),
        (Click(Point(500, 500)), act.LongPress(Point(500, 500)), 0.1),
        (Type("red apple"), Type("red Apple"), 1.0),
        (Type("red"), Type("red apple"), 0.1 + 0.9 * (1 + 2 / 3) / 2),
        (Wait(), Wait(), 1.0),
        (act.SelectOption(3), act.SelectOption(2), 0.1 + 0.9 * 0.5),
        (Drag(Point(1, 1), Point(500, 1)), Drag(Point(1, 1), Point(900, 1)), 0.1 + 0.9 * 0.75),
    ],
)
def test_action_reward_has_the_papers_tiers(action, gold, total):
    assert action_reward(one(action), gold).total == pytest.approx(total)


def test_scroll_is_paid_by_direction_and_place():
    gold = Scroll(Point(500, 500), "down")
    tries = [Scroll(Point(500, 510), "down"), Scroll(Point(5, 5), "down"), Scroll(gold.point, "up")]
    scores = [argument_score(a, gold, ACTION_WEIGHTS) for a in tries]
    assert scores == pytest.approx([1, 1 / 3, 0])
    swipe = Swipe(Point(500, 800), Point(500, 200))
    other = [swipe, Swipe(Point(500, 800), Point(500, 400)), Swipe(Point(1, 800), Point(1, 9)),
             Swipe(Point(500, 200), Point(500, 800))]  # fmt: skip
    scores = [argument_score(a, swipe, ACTION_WEIGHTS) for a in other]
    assert scores == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_several_actions_are_not_one():
    two = format_response("", [Click(Point(1, 2))] * 2)
    assert action_reward(two, Click(Point(1, 2))).reason == "several_actions"


def test_token_f1_counts_tokens_and_chinese_characters():
    assert token_f1("", "") == 1 and token_f1("a", "") == 0
    assert token_f1("a a b", "a b b") == pytest.approx(2 / 3)
    assert token_f1("点击按钮", "点击") == pytest.approx(2 / 3)
