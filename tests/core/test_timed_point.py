"""Claims about the timed point mechanic."""

import math

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import Click, DoubleClick, Finished, Hover, LongPress, Type, Wait
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
from factory.core.mechanics.events import Press, Tick, lower
from factory.core.mechanics.timed_point import Keyframe, TimedPoint
from factory.core.rng import Stream

SIZE = (1280, 800)
SUBMIT = Box(40, 740, 160, 780)
ACROSS = (Keyframe(0, 200, 300), Keyframe(2000, 800, 300))


def moving(**changes) -> TimedPoint:
    """A dot of 20 px that crosses 600 px in two seconds, again and again."""
    return msgspec.structs.replace(TimedPoint(ACROSS, 20.0, loop_ms=2500.0), **changes)


def still(**changes) -> TimedPoint:
    return msgspec.structs.replace(TimedPoint((Keyframe(0, 400, 300),), 20.0), **changes)


def tap(t, x, y=300.0) -> Click:
    return Click(Point(x, y), t_ms=t)


@st.composite
def timed_points(draw) -> TimedPoint:
    """Loops and single runs, with windows, deadlines, several hits, and a button or without."""
    count, times = draw(st.integers(1, 3)), [0.0]
    for _ in range(draw(st.integers(0, 4))):
        times.append(times[-1] + draw(st.floats(100, 3000)))
    places = st.tuples(st.floats(100, 1000), st.floats(100, 600))
    frames = tuple(Keyframe(t, *draw(places)) for t in times)
    loop = draw(st.sampled_from([None, times[-1] + 700.0]))
    windows = ()
    if draw(st.booleans()):
        end = loop or 60_000.0
        cut = sorted(draw(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=2, unique=True)))
        windows = ((cut[0] * end, cut[0] * end + max(0.04 * end, (cut[1] - cut[0]) * end)),)
    fields = dict(
        radius_px=draw(st.floats(10, 40)), loop_ms=loop, windows=windows, count=count,
        until_ms=draw(st.sampled_from([None, 300_000.0])),
        submit=draw(st.sampled_from([None, SUBMIT])),
    )  # fmt: skip
    try:
        return TimedPoint(frames, **fields)
    except InvalidOptions:  # no time for all the hits
        assume(False)
        raise


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


@given(timed_points(), streams)
def test_gold_passes_and_every_perturbation_is_what_arithmetic_says(timed, stream):
    gold = timed.gold(stream)
    assert judge(timed, gold).passed
    for name, actions, passes in perturbations(timed, gold, *SIZE):
        assert judge(timed, actions).passed is passes, name
    assert gate(timed, gold, *SIZE).ok


@given(timed_points(), streams)
def test_perturbations_have_the_verdicts_that_a_person_expects(timed, stream):
    told = {p.name: p.passes for p in perturbations(timed, timed.gold(stream), *SIZE)}
    for name, passes in told.items():
        if name.startswith("inside"):
            assert passes
        elif name.startswith(("outside", "dropped", "over", "after_deadline", "not_yet")):
            assert not passes, name
    assert not any(told[name] for name in ("nothing", "repeated", "added", "waited_only", "held"))


@given(timed_points(), streams)
def test_another_radius_is_noticed_by_the_perturbations(timed, stream):
    """The predictions bite: a judge with a wider target contradicts them."""
    lenient = msgspec.structs.replace(timed, radius_px=timed.radius_px + 0.5)
    told = perturbations(timed, timed.gold(stream), *SIZE)
    assert any(judge(lenient, p.actions).passed is not p.passes for p in told)


@given(timed_points(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(timed, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = timed.mapped(page_from_panel)
    for name, actions, _ in perturbations(timed, timed.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(timed, actions), name
    assert judge(mapped, mapped.gold(stream)).passed


@given(st.floats(0, 20_000), st.floats(-60, 60))
def test_hit_is_near_to_where_the_target_is_then(t, off):
    timed = moving()
    x = 200 + 0.3 * min(t % 2500, 2000)
    if abs(abs(off) - 24) > 1e-6:
        assert judge(timed, [tap(t, x + off)]).passed is (abs(off) < 24)


@given(st.floats(5, 100), st.floats(0.5, 3), st.floats(0, 2 * math.pi))
def test_tolerance_is_four_css_px_or_fifteen_percent_of_the_radius(radius, scale, turn):
    timed = still(radius_px=radius).mapped(PlaneMap.scale(scale))
    reach = scale * (radius + max(4, 0.15 * radius))
    for off, passes in ((reach - 1e-4, True), (reach + 1e-4, False)):
        spot = Point(400 * scale + off * math.cos(turn), 300 * scale + off * math.sin(turn))
        assert judge(timed, [Click(spot)]).passed is passes


def test_reasons():
    timed = moving(submit=SUBMIT, windows=((1000.0, 1500.0),), until_ms=6000.0)
    send = Click(SUBMIT.center)
    cases = {
        "solved": [tap(1200, 560), send],
        "no_actions": [],
        "not_hit": [send],
        "missed": [tap(1200, 500), send],
        "off_time": [tap(800, 440), send],
        "too_late": [tap(6200, 560), send],
        "not_submitted": [tap(1200, 560)],
        "extra_action": [tap(1200, 560), send, send],
    }
    assert {judge(timed, actions).reason: actions for actions in cases.values()} == cases
    for extra in (Type("x"), tap(3700, 560), act.PressBack(), act.RightClick(Point(560, 300)),
                  DoubleClick(SUBMIT.center)):  # fmt: skip
        assert judge(timed, [tap(1200, 560), extra, send]).reason == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done")):
        assert judge(timed, [tap(1200, 560), harmless, send, harmless]).passed
    held = LongPress(Point(560, 300), t_ms=1200.0, duration_ms=600.0)
    assert judge(timed, [held, send]).reason == "extra_action"


def test_waiting_and_times_say_the_same():
    timed = moving()
    assert judge(timed, [Wait(duration_ms=1200.0), Click(Point(560, 300))]).passed
    assert judge(timed, [Wait(), Click(Point(500, 300))]).passed
    assert judge(timed, [Click(Point(560, 300))]).reason == "missed"


def test_a_double_click_hits_once_and_every_hit_is_needed():
    timed = still(count=2)
    assert judge(timed, [DoubleClick(Point(400, 300))]).reason == "extra_action"
    assert judge(timed, [tap(0, 400), tap(300, 400)]).passed
    assert judge(timed, [tap(0, 400), tap(299, 400)]).reason == "extra_action"
    assert judge(timed, [tap(0, 400)]).reason == "not_hit"


def test_a_still_target_asks_for_one_plain_click():
    gold = still().gold(Stream("x"))
    assert len(gold) == 1 and isinstance(gold[0], Click) and gold[0].t_ms is None
    assert [type(a) for a in moving().gold(Stream("x"))] == [Wait, Click]


def test_pose_follows_the_clock():
    timed = moving(windows=((1000.0, 1500.0),))
    world = timed.start()
    seen = []
    for _ in range(6):
        pose = timed.pose(world)
        seen.append((pose.parts["target"].dx, pose.page, pose.frame))
        world = timed.step(world, Tick(500.0))
    assert seen == [(0, 0, 0), (150, 0, 5), (300, 1, 10), (450, 0, 15), (600, 0, 20), (0, 0, 0)]
    hit = replay(timed, [tap(1200, 560)])
    assert [(mark.kind, mark.points) for mark in timed.pose(hit).marks] == [("tick", ((560, 300),))]


def test_pointer_held_down_is_no_answer():
    timed = still()
    assert timed.verdict(timed.step(timed.start(), Press(400, 300))).reason == "not_released"


@given(timed_points(), streams)
def test_step_never_changes_its_world(timed, stream):
    world = timed.start()
    for event in lower(timed.gold(stream)):
        before = msgspec.json.encode(world)
        after = timed.step(world, event)
        assert msgspec.json.encode(world) == before
        timed.pose(after)
        world = after


@given(timed_points(), streams)
def test_payload_survives_json(timed, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(timed))))
    assert again == timed
    assert judge(again, timed.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(timed), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "timed_point" in mechanic_names()


@pytest.mark.parametrize(
    "broken",
    [
        dict(keyframes=()),
        dict(keyframes=(Keyframe(0, math.nan, 0),)),
        dict(keyframes=(Keyframe(-1, 0, 0),)),
        dict(keyframes=ACROSS[::-1]),
        dict(keyframes=(ACROSS[0], ACROSS[0])),
        dict(radius_px=0.0),
        dict(loop_ms=1000.0),
        dict(loop_ms=math.inf),
        dict(count=0),
        dict(frame_ms=0.0),
        dict(px_per_css=0.0),
        dict(windows=((500.0, 400.0),)),
        dict(windows=((0.0, 3000.0),)),
        dict(loop_ms=None, windows=((0.0, 500.0),)),
        dict(until_ms=900.0),
        dict(submit=Box(300, 290, 400, 330)),
    ],
    ids=repr,
)
def test_course_that_leaves_no_time_is_refused(broken):
    with pytest.raises(InvalidOptions):
        moving(**broken)


JUNK = [None, 5, [None], [Click(None)], [Click(Point(1, 1), t_ms=math.nan)], [tap(-5.0, 1)]]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(moving(), junk)
    assert verdict.score == 0 and verdict.reason


taps = st.builds(tap, st.floats(0, 1e6), st.floats(100, 1100), st.floats(100, 800))


@given(timed_points(), st.lists(taps, max_size=6))
def test_anything_is_judged_and_drawn(timed, actions):
    assert judge(timed, actions).score in (0, 1)
    timed.pose(replay(timed, actions))


@given(timed_points(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(timed, stream, size):
    gold = timed.gold(stream)
    assert grid_safe(timed, gold, *size)
    grid = [act.to_grid(action, *size) for action in gold]
    for place, action in enumerate(grid):
        if not isinstance(action, Click):
            continue
        for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
            spot = Point(action.point[0] + off[0], action.point[1] + off[1])
            tried = [*grid[:place], msgspec.structs.replace(action, point=spot), *grid[place + 1 :]]
            for reading in act.READINGS:
                assert judge(timed, [act.from_grid(a, *size, reading) for a in tried]).passed


def test_a_target_too_small_for_the_grid_is_named():
    small = still(radius_px=0.2, px_per_css=0.2)
    assert gate(small, small.gold(Stream("gate")), *SIZE) == (False, "grid")


def test_goal_says_whether_it_moves():
    assert moving(count=2).goal_slots() == {
        "handle": "target", "aim": "moving", "count": "2", "time": "any", "submit": "none",
    }  # fmt: skip
