"""Claims about choices."""

import msgspec
import pytest
import tap_claims as claims
from hypothesis import given
from hypothesis import strategies as st
from tap_claims import SUBMIT, maps, sizes, streams, submits

from factory.core.actions import Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import judge, replay
from factory.core.mechanics.choice import Choice


def options(count: int, gap: float = 8.0) -> tuple[Box, ...]:
    """Options of 70 x 50 px in a row."""
    return tuple(Box.sized(300 + k * (70 + gap), 400, 70, 50) for k in range(count))


@st.composite
def mechanics(draw) -> Choice:
    """Two to five options, touching or not, of which some are accepted."""
    count = draw(st.integers(2, 5))
    right = draw(st.permutations(range(count)))[: draw(st.integers(1, count - 1))]
    boxes = options(count, draw(st.sampled_from([0.0, 8.0])))
    return Choice(options=boxes, answer=tuple(right), submit=draw(submits))


def three(**changes) -> Choice:
    """Three options of which the second is right."""
    base = Choice(options=options(3), answer=(1,), submit=SUBMIT)
    return msgspec.structs.replace(base, **changes)


def taps(*indices: int) -> list[Click]:
    return [Click(options(3)[index].center) for index in indices]


SEND = Click(SUBMIT.center)


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
    claims.junk_fails(three())


@given(streams)
def test_another_answer_or_shifted_options_are_noticed(stream):
    claims.saboteur_is_caught(three(), three(answer=(1, 2)), stream)
    claims.saboteur_is_caught(three(), three(answer=(0,)), stream)
    claims.saboteur_is_caught(three(), three(submit=None), stream)
    shifted = tuple(box.moved(0, 1) for box in options(3))
    claims.saboteur_is_caught(three(), three(options=shifted), stream)


@given(st.lists(st.integers(0, 2), max_size=5), st.sampled_from([(1,), (0, 2)]))
def test_the_last_option_counts(order, answer):
    passed = judge(three(answer=answer), [*taps(*order), SEND]).passed
    assert passed is (bool(order) and order[-1] in answer)


def test_reasons():
    between, beyond = Click(Point(374, 420)), Click(Point(299, 420))
    cases = {
        "solved": [between, *taps(0, 1), between, SEND],
        "not_submitted": taps(1),
        "no_taps": [SEND],
        "wrong_option": [*taps(1, 2), SEND],
        "extra_action": [*taps(1), beyond, SEND],
    }
    assert {judge(three(), actions).reason: actions for actions in cases.values()} == cases
    assert judge(three(submit=None), taps(1)).passed


def test_the_chosen_option_alone_is_outlined():
    assert not three().pose(three().start()).marks
    (mark,) = three().pose(replay(three(), taps(0, 2))).marks
    assert mark.kind == "outline" and mark.points[0] == Point(456, 400)
    assert mark.points[2] == Point(526, 450)


def test_goal_slots():
    assert three().goal_slots() == {
        "handle": "options", "order": "any", "count": "1", "submit": "button",
    }  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [dict(answer=()), dict(answer=(3,)), dict(answer=(0, 1, 2)), dict(answer=(1, 1)),
     dict(options=options(3, gap=-1)), dict(options=())],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        three(**changes)
