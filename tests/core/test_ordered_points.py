"""Claims about ordered points."""

import msgspec
import pytest
import tap_claims as claims
from hypothesis import given
from hypothesis import strategies as st
from tap_claims import PICTURE, SIZE, SUBMIT, maps, scattered, sizes, streams, submits

from factory.core.actions import Click, DoubleClick, Finished
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import judge, replay
from factory.core.mechanics.events import Press, Release
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.taps import LONG_PRESS_MS
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream


@st.composite
def mechanics(draw) -> OrderedPoints:
    """Up to five targets and a distractor or more, with and without a button and badges."""
    zones = draw(scattered(2, 8))
    count = draw(st.integers(1, min(5, len(zones))))
    return OrderedPoints(
        targets=zones[:count], area=PICTURE, others=zones[count:], submit=draw(submits),
        marks=draw(st.sampled_from(["badge", "none"])),
    )  # fmt: skip


def three(**changes) -> OrderedPoints:
    """Three discs in a row, and one that is not asked for."""
    *targets, other = (Zone.disc((350 + 90 * k, 400), 20) for k in range(4))
    base = OrderedPoints(targets=tuple(targets), area=PICTURE, others=(other,), submit=SUBMIT)
    return msgspec.structs.replace(base, **changes)


def clicks(*xs: float) -> list[Click]:
    return [Click(Point(x, 400)) for x in xs]


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
def test_lenient_zones_and_lost_order_are_noticed(stream):
    sound = three()
    claims.saboteur_is_caught(sound, three(grow_css_px=2.2), stream)
    claims.saboteur_is_caught(sound, three(grow_css_px=1.8), stream)
    claims.saboteur_is_caught(sound, three(targets=sound.targets[::-1]), stream)
    claims.saboteur_is_caught(sound, three(targets=sound.targets[:1] * 3), stream)
    claims.saboteur_is_caught(sound, three(submit=None), stream)


@given(st.lists(st.integers(0, 3), max_size=4))
def test_only_the_one_order_passes(order):
    taps = clicks(*(350 + 90 * k for k in order))
    assert judge(three(), [*taps, SEND]).passed is (order == [0, 1, 2])


def test_reasons():
    cases = {
        "solved": [*clicks(350, 440, 530), SEND],
        "no_actions": [],
        "not_submitted": clicks(350, 440, 530),
        "no_taps": [SEND],
        "wrong_count": [*clicks(350, 440), SEND],
        "wrong_order": [*clicks(440, 350, 530), SEND],
        "off_target": [*clicks(350, 440, 620), SEND],
        "extra_action": [*clicks(350, 440, 530), SEND, SEND],
    }
    assert {judge(three(), actions).reason: actions for actions in cases.values()} == cases
    assert judge(three(), [*clicks(350, 440), DoubleClick(Point(530, 400)), SEND]).reason == (
        "wrong_count"
    )
    assert judge(three(), [*cases["solved"], Finished("done")]).passed


def test_two_taps_at_one_place_are_not_two():
    same = three(targets=(Zone.disc((350, 400), 20), Zone.disc((355, 400), 20)), others=())
    assert judge(same, [*clicks(352, 352.9), SEND]).reason == "same_place"
    assert judge(same, [*clicks(352, 353), SEND]).passed


def test_a_tap_may_slip_a_little_but_not_be_held_or_leave_the_picture():
    mechanic = three(submit=None, targets=(Zone.disc((305, 400), 20),), others=())
    assert judge(mechanic, clicks(302)).passed
    down = mechanic.step(mechanic.start(), Press(302, 400))
    assert mechanic.verdict(down).reason == "not_released"
    assert mechanic.verdict(mechanic.step(down, Release(305, 400, 90))).passed
    assert mechanic.verdict(mechanic.step(down, Release(302, 400, LONG_PRESS_MS))).score == 0
    for x in (299.5, 307):
        assert mechanic.verdict(mechanic.step(down, Release(x, 400, 90))).reason == "extra_action"


def test_badges_count_the_taps_where_they_were():
    mechanic = three()
    world = replay(mechanic, clicks(350, 100))
    assert [(m.kind, m.text, m.points) for m in mechanic.pose(world).marks] == [
        ("badge", "1", (Point(350, 400),))
    ]
    world = replay(mechanic, clicks(355, 530, 440))
    assert [m.text for m in mechanic.pose(world).marks] == ["1", "2", "3"]
    assert mechanic.pose(world).marks[1].points == (Point(530, 400),)
    assert not three(marks="none").pose(world).marks


def test_benchmarks_score_the_gold_by_its_centre():
    mechanic = three()
    assert mechanic.parity(mechanic.gold(Stream("p")), *SIZE) == {"open_captchaworld": True}
    far = [*clicks(350, 440, 530 + 17), SEND]
    assert judge(mechanic, far).passed
    assert mechanic.parity(far, *SIZE) == {"open_captchaworld": False}


def test_goal_slots_name_handle_order_and_button():
    assert three().goal_slots() == {
        "handle": "picture", "order": "ordered", "count": "3", "submit": "button",
    }  # fmt: skip
    assert three(submit=None).goal_slots()["submit"] == "none"


@pytest.mark.parametrize(
    "changes",
    [dict(targets=()), dict(targets=(Zone.disc((50, 50), 9),)), dict(px_per_css=0.0),
     dict(area=Box(0, 0, 0, 5)), dict(submit=Box(650, 550, 750, 650))],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        three(**changes)
