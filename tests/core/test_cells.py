"""Claims about cells."""

import msgspec
import pytest
import tap_claims as claims
from hypothesis import given
from hypothesis import strategies as st
from tap_claims import SIZE, SUBMIT, maps, sizes, streams, submits

from factory.core.actions import Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import judge, replay
from factory.core.mechanics.cells import Cells
from factory.core.rng import Stream

SKIP = Box(300, 620, 400, 652)


def board(rows: int, columns: int, gap: float = 4.0) -> tuple[Box, ...]:
    """Tiles of 90 x 60 px."""
    return tuple(
        Box.sized(300 + column * (90 + gap), 300 + row * (60 + gap), 90, 60)
        for row in range(rows)
        for column in range(columns)
    )


@st.composite
def mechanics(draw) -> Cells:
    """Boards of all modes, with no right tile only where they can be skipped."""
    tiles = board(draw(st.integers(1, 4)), draw(st.integers(2, 4)), draw(st.sampled_from([0, 4])))
    mode = draw(st.sampled_from(["toggle", "radio"]))
    skip = draw(st.sampled_from([None, SKIP]))
    most = 1 if mode == "radio" else len(tiles)
    count = draw(st.integers(1 if skip is None else 0, most))
    return Cells(
        cells=tiles, answer=tuple(draw(st.permutations(range(len(tiles))))[:count]), mode=mode,
        skip=skip, submit=draw(submits), feedback=draw(st.sampled_from(["tick", "outline"])),
    )  # fmt: skip


def nine(**changes) -> Cells:
    """Nine tiles of which 1, 4 and 8 are right."""
    base = Cells(cells=board(3, 3), answer=(1, 4, 8), submit=SUBMIT)
    return msgspec.structs.replace(base, **changes)


def taps(*indices: int) -> list[Click]:
    return [Click(board(3, 3)[index].center) for index in indices]


SEND, PASS = Click(SUBMIT.center), Click(SKIP.center)


@given(mechanics(), streams)
def test_predictions_hold(mechanic, stream):
    claims.predictions_hold(mechanic, stream)
    claims.step_keeps_worlds(mechanic, stream)
    claims.payload_survives(mechanic, stream)


@given(mechanics(), streams, maps)
def test_mapping_commutes_with_judging(mechanic, stream, page_from_panel):
    claims.mapping_commutes(mechanic, stream, page_from_panel)


@given(mechanics(), streams, sizes)
def test_grid_is_survived_when_said(mechanic, stream, size):
    claims.grid_is_survived_when_said(mechanic, stream, size)


@given(mechanics(), claims.any_actions)
def test_anything_is_judged(mechanic, actions):
    claims.anything_is_judged(mechanic, actions)


def test_junk_fails():
    claims.junk_fails(nine())


@given(streams)
def test_another_answer_or_mode_is_noticed(stream):
    claims.saboteur_is_caught(nine(), nine(answer=(1, 4)), stream)
    claims.saboteur_is_caught(nine(), nine(answer=(1, 4, 7)), stream)
    claims.saboteur_is_caught(nine(), nine(submit=None), stream)
    claims.saboteur_is_caught(nine(answer=(4,)), nine(answer=(4,), mode="radio"), stream)
    shifted = tuple(box.moved(1, 0) for box in board(3, 3))
    claims.saboteur_is_caught(nine(), nine(cells=shifted), stream)


@given(st.lists(st.integers(0, 8), max_size=12))
def test_a_board_is_judged_by_how_often_each_tile_was_tapped(order):
    odd = {index for index in range(9) if order.count(index) % 2}
    assert judge(nine(), [*taps(*order), SEND]).passed is (odd == {1, 4, 8})
    last = judge(nine(answer=(4,), mode="radio"), [*taps(*order), SEND])
    assert last.passed is (bool(order) and order[-1] == 4)


@given(st.lists(st.integers(0, 8), max_size=6), st.integers(0, 8), st.integers(0, 6))
def test_toggling_twice_is_nothing(order, index, place):
    mechanic = nine()
    before, after = order[:place], order[place:]
    twice = replay(mechanic, taps(*before, index, index, *after))
    assert mechanic.pose(twice) == mechanic.pose(replay(mechanic, taps(*order)))


@given(st.permutations([1, 4, 8]))
def test_the_order_does_not_matter(order):
    assert judge(nine(), [*taps(*order), SEND]).passed


def test_reasons():
    skippable = nine(skip=SKIP)
    cases = {
        "solved": [*taps(8, 1, 4), SEND],
        "not_submitted": taps(8, 1, 4),
        "no_taps": [SEND],
        "missing_cells": [*taps(8, 1), SEND],
        "extra_cells": [*taps(8, 1, 4, 0), SEND],
        "wrong_cells": [*taps(8, 1, 0), SEND],
        "skipped": [PASS],
        "extra_action": [PASS, *taps(1)],
    }
    assert {judge(skippable, actions).reason: actions for actions in cases.values()} == cases
    empty = nine(answer=(), skip=SKIP)
    assert judge(empty, [PASS]).passed and judge(empty, [*taps(3), PASS]).passed
    assert judge(empty, [*taps(3, 3), SEND]).reason == "not_skipped"
    assert not judge(empty, [SEND]).passed and not judge(empty, []).passed


def test_a_tap_between_tiles_does_nothing_and_outside_the_board_fails():
    between, beyond = Click(Point(392, 330)), Click(Point(299, 330))
    assert judge(nine(), [between, *taps(1, 4), between, *taps(8), SEND]).passed
    assert judge(nine(), [*taps(1, 4, 8), beyond, SEND]).reason == "extra_action"


def test_selected_tiles_are_marked_and_no_others():
    mechanic = nine(feedback="outline")
    marks = mechanic.pose(replay(mechanic, taps(8, 2, 1, 2))).marks
    assert [mark.kind for mark in marks] == ["outline", "outline"]
    assert [mark.points[0] for mark in marks] == [Point(394, 300), Point(488, 428)]
    (mark,) = nine().pose(replay(nine(), taps(0))).marks
    assert mark.kind == "tick" and board(3, 3)[0].contains(mark.points[0])
    assert not nine(skip=SKIP).pose(replay(nine(skip=SKIP), [*taps(3), PASS])).marks


def test_jaccard_is_overlap_over_union():
    mechanic = nine()
    for order, share in [((1, 4, 8), 1), ((1, 4), 2 / 3), ((1, 4, 8, 0), 3 / 4), ((0,), 0)]:
        assert mechanic.jaccard(replay(mechanic, taps(*order))) == pytest.approx(share)
    assert mechanic.parity(mechanic.gold(Stream("p")), *SIZE) == {"halligan": True}
    assert mechanic.parity([*taps(1, 4), SEND], *SIZE) == {"halligan": False}


def test_goal_slots():
    assert nine(skip=SKIP).goal_slots() == {
        "handle": "tiles", "order": "any", "count": "3", "select": "several",
        "skip": "button", "submit": "button",
    }  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [dict(answer=()), dict(answer=(9,)), dict(answer=(-1,)), dict(answer=(1, 1)), dict(cells=()),
     dict(mode="radio"), dict(cells=board(3, 3, gap=-1)), dict(skip=SUBMIT)],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        nine(**changes)
