"""Claims about answers that are no actions: places, refusals, words."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core import answers
from factory.core.actions import Answer, Click, Wait
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.reward import verdict

SIZE = (1280.0, 800.0)
BOX, OTHER = Box(100, 200, 228, 280), Box(600, 200, 640, 240)
JUNK = ["", None, math.nan, 7, b"x", [], "prose", "[1,", "[,]", "\x00", "\ud800", "[5000,1]"]


def payload(mechanic):
    return {"mechanic": mechanic, "size": list(SIZE), "actions": []}


def at(x, y):
    return answers.spoken([Click(Point(x, y))], SIZE)


def test_a_place_is_right_in_any_of_its_boxes_and_nowhere_else():
    two = payload(answers.place([BOX, OTHER]))
    assert verdict(two, at(*BOX.center)).passed and verdict(two, at(*OTHER.center)).passed
    assert verdict(two, at(400, 400)).reason == "outside"
    assert verdict(two, "[-1,-1]").reason == "refused_feasible"
    assert verdict(msgspec.json.encode(two), f"<think>there</think>{at(*BOX.center)}").passed


def test_a_refusal_is_right_exactly_where_there_is_nothing():
    none = payload(answers.place([]))
    assert verdict(none, "[-1,-1]").passed
    assert verdict(none, at(*BOX.center)).reason == "answered_infeasible"
    assert verdict(none, "[-1,5]").reason == "no_answer"


def test_words_are_compared_without_case_width_and_edges():
    told = payload(answers.words(["3 unread", "three unread"]))
    for text in ("3 unread", " 3  UNREAD. ", "“Three unread”", "３ unread"):
        assert verdict(told, text).passed, text
    assert verdict(told, "4 unread").reason == "other_words"
    assert not verdict(told, "").passed


@pytest.mark.parametrize("text", JUNK)
@pytest.mark.parametrize("mechanic", [answers.place([BOX]), answers.words(["yes"])])
def test_junk_is_never_right_and_never_raises(text, mechanic):
    assert not verdict(payload(mechanic), text).passed


@pytest.mark.parametrize(
    "mechanic",
    [
        {"mechanic": "place"}, {"mechanic": "place", "boxes": [[1, 2]]},
        {"mechanic": "place", "boxes": "all"}, {"mechanic": "words"},
        {"mechanic": "place", "boxes": [[1, 2, math.nan, 4]]}, {"mechanic": "words", "texts": [3]},
    ],
)  # fmt: skip
def test_a_broken_payload_fails_by_name(mechanic):
    assert verdict(payload(mechanic), "[5,5]").reason == "bad_payload"


def test_words_need_texts_that_say_something():
    with pytest.raises(InvalidOptions):
        answers.words([])
    with pytest.raises(InvalidOptions):
        answers.words(["yes", " . "])


def test_what_the_gold_says_follows_from_its_actions():
    assert answers.spoken([], SIZE) == "[-1,-1]"
    assert answers.spoken([Answer("three")], SIZE) == "three"
    assert answers.spoken([Click(Point(640, 400))], SIZE) == "[500,500]"
    with pytest.raises(InvalidOptions):
        answers.spoken([Wait()], SIZE)


@given(st.floats(0, 1279), st.floats(0, 799))
def test_a_point_that_survives_the_grid_is_right_when_it_is_spoken(x, y):
    box = Box(x - 9, y - 9, x + 9, y + 9)
    if answers.survives(Point(x, y), [box], SIZE):
        assert verdict(payload(answers.place([box])), at(x, y)).passed


def test_other_mechanics_are_no_answers():
    assert not answers.is_answer({"mechanic": "slide"})
    assert not answers.is_answer(None) and not answers.is_answer([])
