"""Claims about steppers."""

from itertools import combinations

import msgspec
import pytest
import tap_claims as claims
from hypothesis import assume, given
from hypothesis import strategies as st
from tap_claims import SIZE, SUBMIT, maps, sizes, streams, submits

from factory.core.actions import Click, DoubleClick
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap
from factory.core.mechanics import judge, replay
from factory.core.mechanics.stepper import Axis, Stepper
from factory.core.mechanics.taps import apart

PREV, NEXT = Box(300, 560, 340, 600), Box(500, 560, 540, 600)


@st.composite
def axes(draw, row: int = 0) -> Axis:
    """Dials of 2 to 12 positions, with one arrow or two, round or with ends."""
    count = draw(st.integers(2, 12))
    targets = draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=2, unique=True))
    try:
        return Axis(
            next=NEXT.moved(0, -60 * row), count=count, targets=tuple(targets),
            prev=draw(st.sampled_from([None, PREV.moved(0, -60 * row)])),
            start=draw(st.integers(0, count - 1)), wrap=draw(st.booleans()),
            part=f"dial{row}", turn_deg_per_step=360 / count, dx_per_step=3.0,
        )  # fmt: skip
    except InvalidOptions:
        assume(False)
        raise


@st.composite
def mechanics(draw) -> Stepper:
    dials = tuple(draw(axes(row)) for row in range(draw(st.integers(1, 2))))
    assume(not all(axis.start in axis.targets for axis in dials))
    return Stepper(axes=dials, submit=draw(submits))


def pager(**changes) -> Stepper:
    """Six pages, the first is open, the third is right."""
    fields = dict(next=NEXT, prev=PREV, count=6, targets=(2,), submit=SUBMIT)
    return Stepper.of(**{**fields, **changes})


def taps(way: str) -> list[Click]:
    """``>`` and ``<`` as clicks."""
    return [Click(NEXT.center if arrow == ">" else PREV.center) for arrow in way]


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
    claims.grid_is_survived_when_said(mechanic, stream, size, exact=False)


@given(mechanics(), claims.any_actions)
def test_anything_is_judged(mechanic, actions):
    claims.anything_is_judged(mechanic, actions)


def test_junk_fails():
    claims.junk_fails(pager())


@given(streams)
def test_other_targets_ends_and_arrows_are_noticed(stream):
    claims.saboteur_is_caught(pager(), pager(targets=(3,)), stream)
    claims.saboteur_is_caught(pager(), pager(targets=(1, 2)), stream)
    claims.saboteur_is_caught(pager(), pager(wrap=False), stream)
    claims.saboteur_is_caught(pager(), pager(prev=None), stream)
    claims.saboteur_is_caught(pager(), pager(submit=None), stream)


@given(st.text("<>", max_size=20), st.integers(0, 5))
def test_with_wrapping_the_difference_of_taps_modulo_the_count_decides(way, start):
    assume(start != 2)
    end = (start + way.count(">") - way.count("<")) % 6
    mechanic = pager(start=start)
    assert judge(mechanic, [*taps(way), SEND]).passed is (end == 2)
    assert mechanic.pose(replay(mechanic, taps(way))).page == end


@given(st.text("<>", max_size=20))
def test_without_wrapping_an_arrow_at_the_end_does_nothing(way):
    mechanic, at = pager(wrap=False), 0
    for arrow in way:
        at = min(5, at + 1) if arrow == ">" else max(0, at - 1)
    assert mechanic.pose(replay(mechanic, taps(way))).page == at
    assert judge(mechanic, [*taps(way), SEND]).passed is (at == 2)


@given(mechanics(), streams)
def test_the_gold_is_as_short_as_any_run_that_passes(mechanic, stream):
    gold = mechanic.gold(stream)
    for axis in mechanic.axes:
        seen, now, depth = {axis.start}, {axis.start}, 0
        while not now & set(axis.targets):
            ways = (1, -1) if axis.prev is not None else (1,)
            now = {axis.after(at, way) for at in now for way in ways} - seen
            seen |= now
            depth += 1
        arrows = [box for box in (axis.prev, axis.next) if box is not None]
        own = [tap for tap in gold if any(box.contains(tap.point) for box in arrows)]
        assert len(own) == depth


@given(st.integers(1, 18), streams, st.sampled_from([0.75, 1.0, 2.5]))
def test_taps_on_one_arrow_keep_apart_even_after_the_grid(steps, stream, scale):
    mechanic = pager(count=40, targets=(steps,), submit=None).mapped(PlaneMap.scale(scale))
    gold = mechanic.gold(stream)
    assert len(gold) == steps
    assert all(apart([a.point, b.point]) and a.point != b.point for a, b in combinations(gold, 2))
    assert mechanic.grid_safe(gold, *(round(side * scale) for side in SIZE))


def test_golds_that_fall_together_on_the_grid_are_not_safe():
    mechanic = pager(submit=None)
    assert judge(mechanic, taps(">>")).passed
    assert not mechanic.grid_safe(taps(">>"), *SIZE)


def test_reasons():
    cases = {
        "solved": [*taps(">><>"), SEND],
        "not_submitted": taps(">>"),
        "no_taps": [SEND],
        "off_target": [*taps(">"), SEND],
        "extra_action": [*taps(">>"), SEND, *taps(">")],
    }
    assert {judge(pager(), actions).reason: actions for actions in cases.values()} == cases
    assert judge(pager(), [DoubleClick(NEXT.center), SEND]).passed
    assert judge(pager(submit=None), taps("<<<<")).passed


def test_several_dials_turn_their_parts_and_count_all_combinations():
    low, high = NEXT.moved(0, 0), NEXT.moved(0, -60)
    mechanic = Stepper(
        axes=(
            Axis(next=low, count=4, targets=(1,), part="small", turn_deg_per_step=90.0),
            Axis(next=high, count=3, targets=(2,), part="wide", dx_per_step=10.0),
        )
    )
    world = replay(mechanic, [Click(high.center), Click(low.center), Click(high.center)])
    pose = mechanic.pose(world)
    assert pose.page == 1 + 4 * 2
    assert pose.parts["small"].turn_deg == 90 and pose.parts["wide"].dx == 20
    assert mechanic.verdict(world).passed
    wide = mechanic.mapped(PlaneMap.scale(2)).axes[1]
    assert wide.dx_per_step == 20 and wide.next.height == 2 * high.height


def test_goal_slots():
    assert pager().goal_slots() == {"handle": "arrows", "dials": "1", "submit": "button"}
    assert pager(prev=None).goal_slots()["handle"] == "arrow"


@pytest.mark.parametrize(
    "changes",
    [dict(start=2), dict(targets=()), dict(targets=(6,)), dict(count=1), dict(start=6),
     dict(start=4, wrap=False, prev=None), dict(prev=NEXT), dict(submit=NEXT)],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        pager(**changes)
    with pytest.raises(InvalidOptions):
        msgspec.structs.replace(pager(), axes=())
