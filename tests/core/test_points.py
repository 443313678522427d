"""Claims about unordered points and the matching behind them."""

from itertools import permutations

import msgspec
import pytest
import tap_claims as claims
from hypothesis import given
from hypothesis import strategies as st
from tap_claims import PICTURE, SIZE, SUBMIT, maps, scattered, sizes, streams, submits

from factory.core.actions import Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import judge, replay
from factory.core.mechanics.matching import matching
from factory.core.mechanics.points import Points
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream


@st.composite
def mechanics(draw) -> Points:
    """Targets of which all, some or one of several subsets count, and distractors."""
    zones = draw(scattered(2, 8))
    count = draw(st.integers(1, min(5, len(zones))))
    fields = {}
    asked = draw(st.sampled_from(["all", "need", "accepted"]))
    if asked == "need":
        fields["need"] = draw(st.integers(1, count))
    elif asked == "accepted":
        subset = st.lists(st.integers(0, count - 1), min_size=1, unique=True).map(tuple)
        fields["accepted"] = tuple(draw(st.lists(subset, min_size=1, max_size=3)))
    if draw(st.booleans()):
        fields["exclude"] = zones[count:]
    return Points(
        targets=zones[:count], area=PICTURE, others=zones[count:], submit=draw(submits),
        marks=draw(st.sampled_from(["tick", "badge", "none"])),
        grow_css_px=draw(st.sampled_from([2.0, 0.0, -2.0])), **fields,
    )  # fmt: skip


def four(**changes) -> Points:
    """Four discs in a row."""
    targets = tuple(Zone.disc((350 + 90 * k, 400), 20) for k in range(4))
    return msgspec.structs.replace(Points(targets=targets, area=PICTURE, submit=SUBMIT), **changes)


def clicks(*xs: float) -> list[Click]:
    return [Click(Point(x, 400)) for x in xs]


def on(*targets: int) -> list[Click]:
    return clicks(*(350 + 90 * k for k in targets))


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
    claims.junk_fails(four())


@given(streams)
def test_lenient_judges_are_noticed(stream):
    claims.saboteur_is_caught(four(), four(grow_css_px=2.2), stream)
    claims.saboteur_is_caught(four(), four(grow_css_px=1.8), stream)
    claims.saboteur_is_caught(four(), four(targets=(Zone.of_box(PICTURE),) * 4), stream)
    claims.saboteur_is_caught(four(need=2), four(accepted=((0, 1),)), stream)
    claims.saboteur_is_caught(four(accepted=((0, 1), (2, 3))), four(need=2), stream)
    claims.saboteur_is_caught(four(), four(submit=None), stream)


@given(st.lists(st.integers(0, 4), max_size=5))
def test_all_targets_once_each_in_any_order_pass(order):
    passed = judge(four(), [*on(*order), SEND]).passed
    assert passed is (sorted(order) == [0, 1, 2, 3])


@given(st.lists(st.integers(0, 3), max_size=4))
def test_any_two_of_four_and_only_accepted_pairs(order):
    taps = [*on(*order), SEND]
    distinct = len(set(order)) == len(order) == 2
    assert judge(four(need=2), taps).passed is distinct
    accepted = four(accepted=((0, 1), (3, 1), (2,)))
    wanted = distinct and set(order) in ({0, 1}, {1, 3})
    assert judge(accepted, taps).passed is (wanted or order == [2])


@given(
    st.lists(st.tuples(st.floats(320, 480), st.floats(15, 40)), min_size=1, max_size=4),
    st.lists(st.floats(320, 480), min_size=1, max_size=4),
)
def test_overlapping_zones_are_matched_as_brute_force_would(discs, xs):
    mechanic = Points(targets=tuple(Zone.disc((x, 400), r) for x, r in discs), area=PICTURE)
    spread = [x + 2 * k for k, x in enumerate(sorted(xs))]
    holds = [[zone.contains(Point(x, 400), 2) for zone in mechanic.targets] for x in spread]
    wanted = len(discs) == len(xs) and any(
        all(row[k] for row, k in zip(holds, order, strict=True))
        for order in permutations(range(len(discs)))
    )
    assert judge(mechanic, clicks(*spread)).passed is wanted


@given(st.lists(st.sets(st.integers(0, 4), max_size=4).map(sorted), max_size=3))
def test_a_matching_is_one_to_one_and_as_large_as_can_be(wanted):
    found = matching(wanted)
    taken = [right for right in found if right is not None]
    assert len(set(taken)) == len(taken)
    assert all(right is None or right in w for right, w in zip(found, wanted, strict=True))
    most = max(
        sum(right in w for right, w in zip(order, wanted, strict=True))
        for order in permutations([0, 1, 2, 3, 4, None, None, None], len(wanted))
    )
    assert len(taken) == most


def test_a_hole_in_a_target_is_no_target_and_golds_avoid_it():
    """Anywhere but on the rectangle in the middle: the complement is said by two zones."""
    ground, hole = Zone.of_box(PICTURE.grown(-4)), Zone.of_box(Box(430, 380, 580, 520))
    mechanic = Points(targets=(ground,), area=PICTURE, exclude=(hole,), marks="none")
    for seed in range(20):
        gold = mechanic.gold(Stream(f"hole/{seed}"))
        assert judge(mechanic, gold).passed and hole.distance(gold[0].point) > 20
        claims.predictions_hold(mechanic, Stream(f"hole/{seed}"))
        assert mechanic.grid_safe(gold, *SIZE)
    assert judge(mechanic, [Click(hole.center)]).reason == "excluded"
    assert judge(mechanic, [Click(Point(431, 400))]).reason == "excluded"
    assert not mechanic.grid_safe([Click(Point(429, 400))], *SIZE)
    assert judge(mechanic, [Click(Point(429, 400))]).passed


def test_reasons():
    cases = {
        "solved": [*on(2, 0, 1, 3), SEND],
        "not_submitted": on(2, 0, 1, 3),
        "no_taps": [SEND],
        "wrong_count": [*on(2, 0, 1), SEND],
        "off_target": [*on(2, 0, 1), *clicks(395), SEND],
        "same_target": [*on(2, 0, 1), *clicks(355), SEND],
        "same_place": [*on(2, 0, 1, 1), SEND],
        "extra_action": [*on(2, 0, 1, 3), SEND, *on(3)],
    }
    assert {judge(four(), actions).reason: actions for actions in cases.values()} == cases
    assert judge(four(accepted=((0, 1),)), [*on(2, 0), SEND]).reason == "wrong_set"


def test_marks_stand_where_the_taps_were():
    world = replay(four(), clicks(350, 500))
    assert [(m.kind, m.text, m.points) for m in four().pose(world).marks] == [
        ("tick", "", (Point(350, 400),)), ("tick", "", (Point(500, 400),)),
    ]  # fmt: skip
    assert [m.text for m in four(marks="badge").pose(world).marks] == ["1", "2"]
    assert not four(marks="none").pose(world).marks


def test_benchmarks_score_the_gold_by_its_centre():
    assert four().parity(four().gold(Stream("p")), *SIZE) == {"open_captchaworld": True}
    assert four().parity([*on(0, 1, 2), *clicks(637), SEND], *SIZE)["open_captchaworld"] is False


def test_goal_slots():
    assert four(need=2).goal_slots() == {
        "handle": "picture", "order": "any", "count": "2", "submit": "button",
    }  # fmt: skip
    assert four(accepted=((0,), (1, 2))).goal_slots()["count"] == "some"


@pytest.mark.parametrize(
    "changes",
    [dict(targets=()), dict(need=0), dict(need=5), dict(need=1, accepted=((0,),)),
     dict(accepted=((),)), dict(accepted=((0, 0),)), dict(accepted=((4,),)),
     dict(submit=Box(650, 550, 750, 650)), dict(targets=(Zone.disc((20, 20), 9),))],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        four(**changes)
