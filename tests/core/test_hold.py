"""Claims about the hold mechanic."""

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import Click, Drag, Finished, Hover, LongPress, Type, Wait
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    from_payload,
    gate,
    grid_safe,
    judge,
    mechanic_names,
    perturbations,
    replay,
    to_payload,
)
from factory.core.mechanics.events import Press, Release, Tick, clock_after, lower
from factory.core.mechanics.hold import Hold
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SIZE = (1280, 800)
BUTTON = Box(500, 400, 660, 448)
SUBMIT = Box(500, 500, 660, 540)
AT = BUTTON.center
SEND = Click(SUBMIT.center)


def hold(**changes) -> Hold:
    return msgspec.structs.replace(Hold(Zone.of_box(BUTTON), 2500.0, 1500.0), **changes)


@st.composite
def holds(draw) -> Hold:
    """Rectangles and discs, with any time, tries, and a button or without."""
    zone = draw(st.sampled_from([Zone.of_box(BUTTON), Zone.disc((580, 424), 40)]))
    return Hold(
        zone, draw(st.floats(500, 9000)), draw(st.floats(200, 5000)),
        tries=draw(st.integers(1, 4)), submit=draw(st.sampled_from([None, SUBMIT])),
    )  # fmt: skip


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


def held(ms, point=AT) -> LongPress:
    return LongPress(point, duration_ms=ms)


@given(holds(), streams)
def test_gold_passes_and_every_perturbation_is_what_arithmetic_says(mechanic, stream):
    gold = mechanic.gold(stream)
    assert judge(mechanic, gold).passed
    for name, actions, passes in perturbations(mechanic, gold, *SIZE):
        assert judge(mechanic, actions).passed is passes, name
    assert gate(mechanic, gold, *SIZE).ok


@given(holds(), streams, st.sampled_from([dict(need_ms=-30.0), dict(slack_ms=30.0)]))
def test_another_window_is_noticed_by_the_perturbations(mechanic, stream, change):
    """The predictions bite: a judge with another window contradicts them."""
    assume(mechanic.need_ms >= 530)
    wider = {name: getattr(mechanic, name) + off for name, off in change.items()}
    lenient = msgspec.structs.replace(mechanic, **wider)
    told = perturbations(mechanic, mechanic.gold(stream), *SIZE)
    assert any(judge(lenient, p.actions).passed is not p.passes for p in told)


@given(holds(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(mechanic, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = mechanic.mapped(page_from_panel)
    for _, actions, _ in perturbations(mechanic, mechanic.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(mechanic, actions)
    assert judge(mapped, mapped.gold(stream)).passed


@given(st.floats(0, 20_000))
def test_only_a_hold_within_the_window_passes(ms):
    verdict = judge(hold(), [held(ms)])
    assert verdict.passed is (2500 <= ms <= 4000)
    assert verdict.passed or verdict.reason == ("too_short" if ms < 2500 else "too_long")


def test_a_hold_without_a_duration_lasts_three_seconds():
    assert judge(hold(), [LongPress(AT)]).passed and hold().takes_default
    longer = hold(need_ms=3001.0)
    assert judge(longer, [LongPress(AT)]).reason == "too_short" and not longer.takes_default


def test_reasons():
    mechanic = hold(submit=SUBMIT)
    cases = {
        "solved": [held(3000), SEND],
        "no_actions": [],
        "not_held": [SEND],
        "too_short": [Click(AT), SEND],
        "too_long": [held(4001), SEND],
        "slipped": [Drag(AT, Point(BUTTON.x1 + 1, AT.y), duration_ms=3000), SEND],
        "not_submitted": [held(3000)],
        "extra_action": [held(3000), SEND, SEND],
    }
    assert {judge(mechanic, actions).reason: actions for actions in cases.values()} == cases
    for extra in (Type("x"), Click(Point(5, 5)), held(3000, Point(5, 5)), act.PressBack(),
                  act.RightClick(AT), held(3000)):  # fmt: skip
        assert judge(mechanic, [held(3000), extra, SEND]).reason == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done")):
        assert judge(mechanic, [harmless, held(3000), harmless, SEND, harmless]).passed


def test_a_slip_may_be_made_good_but_a_search_may_not():
    mechanic = hold()
    assert judge(mechanic, [held(1000), held(3000)]).passed
    assert judge(mechanic, [held(1000), held(2000), held(3000)]).reason == "too_short"
    assert judge(mechanic, [held(9000), held(3000)]).reason == "too_long"
    assert judge(hold(tries=1), [held(1000), held(3000)]).reason == "too_short"


@given(st.floats(0, 1e6))
def test_bounds_hold_at_any_time_of_the_clock(begin):
    for ms, passes in ((2500, True), (4000, True), (2499, False), (4001, False)):
        assert judge(hold(), [Wait(duration_ms=begin), held(ms)]).passed is passes


def test_holds_do_not_add_up():
    assert judge(hold(tries=9), [held(1300), held(1300)]).reason == "too_short"


def test_bar_fills_while_the_button_is_held():
    mechanic = hold()
    world = mechanic.step(mechanic.start(), Press(*AT))
    assert mechanic.pose(world).marks == ()
    for ms, share in ((1000, 0.4), (1000, 0.8), (1000, 1.0)):
        world = mechanic.step(world, Tick(ms))
        assert mechanic.pose(world).marks[0].value == pytest.approx(share)
    assert mechanic.verdict(world).reason == "not_released"
    done = mechanic.step(world, Release(*AT, t_ms=3000))
    assert mechanic.verdict(done).passed and mechanic.pose(done).marks[0].value == 1.0
    assert mechanic.pose(replay(mechanic, [held(1000)])).marks == ()


timed = st.sampled_from(
    [Wait(), Click(AT), held(700), Hover(AT), act.DoubleClick(AT), Drag(AT, AT),
     Wait(t_ms=5000.0), act.PressBack()]
)  # fmt: skip


@given(st.lists(timed, max_size=6))
def test_ticks_and_times_tell_the_same_clock(actions):
    clock = 0.0
    for event in lower(actions):
        after = clock_after(clock, event)
        assert after >= clock
        if isinstance(event, Press | Release):
            assert after == event.t_ms
        clock = after


@given(holds(), streams)
def test_step_never_changes_its_world(mechanic, stream):
    world = mechanic.start()
    for event in lower(mechanic.gold(stream)):
        before = msgspec.json.encode(world)
        after = mechanic.step(world, event)
        assert msgspec.json.encode(world) == before
        world = after


@given(holds(), streams)
def test_payload_survives_json(mechanic, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(mechanic))))
    assert again == mechanic
    assert judge(again, mechanic.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(mechanic), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "hold" in mechanic_names()


@pytest.mark.parametrize(
    "broken",
    [dict(need_ms=0.0), dict(need_ms=499.0), dict(slack_ms=0.0), dict(slack_ms=1e9),
     dict(need_ms=float("nan")), dict(tries=0), dict(px_per_css=0.0), dict(submit=BUTTON)],
    ids=repr,
)  # fmt: skip
def test_hold_that_a_tap_would_solve_or_nobody_is_refused(broken):
    with pytest.raises(InvalidOptions):
        hold(**broken)


JUNK = [None, 5, [None], [LongPress(None)], [held(float("nan"))], [held(-1.0)], [held(1e9)]]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(hold(), junk)
    assert verdict.score == 0 and verdict.reason


spots = st.builds(Point, st.floats(450, 700), st.floats(380, 560))
tries = st.builds(lambda p, ms: held(ms, p), spots, st.floats(0, 9000)) | st.builds(Click, spots)


@given(holds(), st.lists(tries, max_size=6))
def test_anything_is_judged_and_drawn(mechanic, actions):
    assert judge(mechanic, actions).score in (0, 1)
    mechanic.pose(replay(mechanic, actions))


@given(holds(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(mechanic, stream, size):
    gold = mechanic.gold(stream)
    assert grid_safe(mechanic, gold, *size)
    grid = [act.to_grid(action, *size) for action in gold]
    for place, action in enumerate(grid):
        for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
            spot = Point(action.point[0] + off[0], action.point[1] + off[1])
            tried = [*grid[:place], msgspec.structs.replace(action, point=spot), *grid[place + 1 :]]
            for reading in act.READINGS:
                assert judge(mechanic, [act.from_grid(a, *size, reading) for a in tried]).passed


def test_a_button_too_thin_for_the_grid_is_named():
    thin = hold(zone=Zone.of_box(Box(500, 400, 660, 402)))
    assert gate(thin, thin.gold(Stream("gate")), *SIZE) == (False, "grid")


def test_goal_says_how_long():
    assert hold().goal_slots() == {"handle": "button", "seconds": "2.5", "submit": "none"}
