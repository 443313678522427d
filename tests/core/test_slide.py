"""Claims about the slide mechanic and the frame it stands in."""

import math

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
from factory.core.mechanics.events import Move, Press, Release, lower
from factory.core.mechanics.slide import (
    PartMotion,
    Slide,
    angle_range,
    displacement_range,
    parity,
)
from factory.core.rng import Stream

SIZE = (1280, 800)


def rotate(**changes) -> Slide:
    """A picture turned by -120 degrees under a 264 px slider of one turn."""
    base = Slide(
        handle=Box(832, 470, 880, 510), track=Box(832, 470, 1144, 510), travel_px=264.0,
        judge="angle", start_value=-120.0, target=0.0, gain_per_px=360 / 264, tol=10.0,
        parts=(PartMotion("disc", turn_deg_per_px=360 / 264, turn_deg_at_rest=-120.0),),
    )  # fmt: skip
    return msgspec.structs.replace(base, **changes)


def drag(length: float, slide: Slide, *, begin: float = 0.0, across: float = 0.0) -> Drag:
    """A drag from the handle's centre, moved by ``begin`` along the track."""
    x, y = slide.handle.center
    along, step = slide.sign * begin, slide.sign * length
    if slide.axis == "x":
        return Drag(Point(x + along, y), Point(x + along + step, y + across))
    return Drag(Point(x, y + along), Point(x + across, y + along + step))


@st.composite
def slides(draw) -> Slide:
    """Sliders of every axis, sign and judge, with and without a button."""
    judge_name = draw(st.sampled_from(["angle", "offset", "end", "value", "step"]))
    axis = draw(st.sampled_from(["x", "y"]))
    sign = draw(st.sampled_from([1, -1]))
    travel = draw(st.floats(150, 600))
    long, wide = draw(st.floats(28, 60)), draw(st.floats(28, 60))
    handle = Box.sized(700, 700, *((long, wide) if axis == "x" else (wide, long)))
    share = draw(st.floats(0.3, 0.9))
    fields = dict(handle=handle, track=handle.grown(4), travel_px=travel, axis=axis, sign=sign)
    if judge_name == "angle":
        gain = draw(st.sampled_from([1, -1])) * draw(st.floats(1.0, 3.0))
        start = draw(st.floats(-180, 180))
        fields |= dict(start_value=start, gain_per_px=gain, tol=draw(st.floats(4, 15)))
        fields |= dict(target=start + gain * share * travel)
    elif judge_name == "offset":
        fields |= dict(target=share * travel, tol=draw(st.floats(5, 12)))
    elif judge_name == "value":
        fields |= dict(start_value=10.0, gain_per_px=-0.25, target=10 - 0.25 * share * travel)
        fields |= dict(tol=2.0)
    elif judge_name == "step":
        steps = draw(st.integers(3, 9))
        fields |= dict(steps=steps, target=draw(st.integers(1, steps - 1)), tol=0.0)
    if draw(st.booleans()):
        fields["submit"] = Box(200, 900, 300, 940)
    try:
        return Slide(judge=judge_name, **fields)
    except InvalidOptions:
        assume(False)
        raise


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


@given(slides(), streams)
def test_gold_passes_and_every_perturbation_is_what_arithmetic_says(slide, stream):
    gold = slide.gold(stream)
    assert judge(slide, gold).passed
    for name, actions, passes in perturbations(slide, gold, *SIZE):
        assert judge(slide, actions).passed is passes, name


@given(slides(), streams)
def test_the_wrong_window_is_noticed_by_the_perturbations(slide, stream):
    """The predictions bite: a judge with another tolerance contradicts them."""
    if slide.judge in ("end", "step"):
        return
    lenient = msgspec.structs.replace(slide, tol=slide.tol * 1.01 + 1)
    wrong = [
        p.name
        for p in perturbations(slide, slide.gold(stream), *SIZE)
        if judge(lenient, p.actions).passed is not p.passes
    ]
    assert wrong


@given(slides(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(slide, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = slide.mapped(page_from_panel)
    gold = slide.gold(stream)
    for _, actions, _ in perturbations(slide, gold, *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(slide, actions)


@pytest.mark.parametrize(
    "page_from_panel",
    [PlaneMap.rotate(5), PlaneMap.scale(1, 2), PlaneMap.scale(-1), PlaneMap.scale(1, -1)],
)
def test_only_uniform_scales_map_a_mechanic(page_from_panel):
    with pytest.raises(InvalidOptions):
        rotate().mapped(page_from_panel)


@given(slides(), streams, st.integers(-3, 3))
def test_target_is_the_same_a_period_later(slide, stream, turns):
    if slide.judge != "angle":
        return
    other = msgspec.structs.replace(slide, target=slide.target + 360 * turns)
    for _, actions, _ in perturbations(slide, slide.gold(stream), *SIZE):
        assert judge(other, actions) == judge(slide, actions)


@given(slides(), streams)
def test_mirrored_track_judges_the_mirrored_drag_alike(slide, stream):
    def mirror(p: Point) -> Point:
        return Point(2000 - p.x, p.y) if slide.axis == "x" else Point(p.x, 2000 - p.y)

    def flip(box: Box) -> Box:
        a, b = mirror(Point(box.x0, box.y0)), mirror(Point(box.x1, box.y1))
        return Box(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))

    flipped = msgspec.structs.replace(
        slide, handle=flip(slide.handle), track=flip(slide.track), sign=-slide.sign,
        submit=None if slide.submit is None else flip(slide.submit),
    )  # fmt: skip
    for _, actions, _ in perturbations(slide, slide.gold(stream), *SIZE):
        assert judge(flipped, [act.with_points(a, mirror) for a in actions]) == judge(
            slide, actions
        )


@given(st.floats(-400, 400))
def test_boundary_is_inclusive_and_wrapped(error):
    slide = rotate(travel_px=800.0, gain_per_px=1.0, start_value=-300.0)
    length = 300 + error
    assume(length >= 1)
    wrapped = abs((error + 180) % 360 - 180)
    assume(abs(wrapped - 10) > 1e-6)
    assert judge(slide, [drag(length, slide)]).passed is (wrapped < 10)


@pytest.mark.parametrize("side", [1, -1])
def test_exactly_on_the_tolerance_passes(side):
    slide = rotate(gain_per_px=1.0, travel_px=300.0)
    assert judge(slide, [drag(120 + side * 10, slide)]).passed
    assert judge(slide, [drag(120 + side * 10.001, slide)]).reason == "off_target"


@given(st.floats(-1e5, 1e5))
def test_handle_is_clamped_and_follows_the_displacement(length):
    slide = rotate()
    assume(abs(length) >= 1)
    world = replay(slide, [drag(length, slide)])
    assert world.displacement_px == pytest.approx(min(max(length, 0), 264), abs=1e-9)
    assert slide.pose(world).parts["handle"].dx == world.displacement_px


def test_reasons():
    slide = rotate(submit=Box(832, 520, 900, 550))
    solve, send = drag(88, slide), Click(Point(860, 530))
    cases = {
        "solved": [solve, send],
        "no_actions": [],
        "not_moved": [send],
        "off_target": [drag(40, slide), send],
        "not_submitted": [solve],
        "left_band": [drag(88, slide, across=60), send],
        "extra_action": [solve, send, send],
    }
    assert {judge(slide, actions).reason: actions for actions in cases.values()} == cases
    for extra in (Type("x"), Click(Point(5, 5)), LongPress(solve.start), act.PressBack(),
                  act.Hotkey(("ctrl", "a")), act.RightClick(solve.end)):  # fmt: skip
        assert judge(slide, [solve, extra, send]).reason == "extra_action"
        assert judge(slide, [extra, solve, send]).reason == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done"), act.GetScreenshot()):
        assert judge(slide, [harmless, solve, harmless, send, harmless]).passed


def test_drag_that_left_the_band_springs_back_and_can_be_made_good():
    slide = rotate()
    away = drag(88, slide, across=60)
    assert replay(slide, [away]).displacement_px == 0
    assert judge(slide, [away, drag(88, slide)]).passed


def test_second_drag_starts_from_the_moved_handle():
    slide = rotate()
    assert judge(slide, [drag(60, slide), drag(28, slide, begin=60)]).passed
    assert judge(slide, [drag(60, slide), drag(28, slide)]).reason == "extra_action"


def test_pointer_held_down_is_no_answer_and_its_pose_can_be_drawn():
    slide = rotate()
    x, y = slide.handle.center
    world = slide.step(slide.step(slide.start(), Press(x, y)), Move(x + 88, y + 200))
    assert slide.verdict(world).reason == "not_released"
    assert slide.pose(world).parts["disc"].turn_deg == pytest.approx(0)
    assert slide.verdict(slide.step(world, Release(x + 88, y))).passed


@given(slides(), streams)
def test_step_never_changes_its_world(slide, stream):
    world = slide.start()
    for event in lower(slide.gold(stream)):
        before = msgspec.json.encode(world)
        after = slide.step(world, event)
        assert msgspec.json.encode(world) == before
        world = after


JUNK = [
    None, float("nan"), "Drag", 5, {}, [None], ["Drag"], [Click], [{}], [Drag(None, None)],
    [Click(Point(math.nan, 1))], [Click(Point(math.inf, 1))], [Click(Point(1, 10**400))],
    [Click((1,))], [Click([1, 2])], [Click((True, 2))], [Click(("a", "b"))], [Type(None)],
    [Wait(duration_ms=math.nan)], [Wait(duration_ms=-5)], [Wait(t_ms="soon")],
    [act.Hotkey(None)], [act.Hotkey((1,))], [act.SelectOption(None)], [Wait()] * 2000,
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=lambda j: type(j).__name__)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(rotate(), junk)
    assert verdict.score == 0 and verdict.reason and not verdict.passed


coordinates = st.floats(allow_nan=True, allow_infinity=True) | st.integers()


@given(st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), max_size=4))
def test_any_numbers_are_judged(quads):
    verdict = judge(rotate(), [Drag(Point(a, b), Point(c, d)) for a, b, c, d in quads])
    assert 0 <= verdict.score <= 1


@given(slides(), streams)
def test_payload_survives_json(slide, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(slide))))
    assert again == slide
    assert judge(again, slide.gold(stream)).passed


@pytest.mark.parametrize("payload", [None, 3, {}, {"mechanic": "nope"}, {"mechanic": "slide"},
                                     {"mechanic": "events"}, {"mechanic": 4}])  # fmt: skip
def test_broken_payload_is_refused(payload):
    with pytest.raises(InvalidOptions):
        from_payload(payload)


def test_tag_is_the_name_of_the_module():
    assert "slide" in mechanic_names() and "events" not in mechanic_names()


@pytest.mark.parametrize(
    "changes",
    [dict(start_value=-5.0), dict(start_value=355.0), dict(travel_px=80.0), dict(travel_px=0.0),
     dict(gain_per_px=0.0), dict(tol=-1.0), dict(target=math.nan), dict(px_per_css=0.0)],
)  # fmt: skip
def test_slide_that_is_solved_at_rest_or_never_is_refused(changes):
    with pytest.raises(InvalidOptions):
        rotate(**changes)


@given(slides(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(slide, stream, size):
    gold = slide.gold(stream)
    grid = [act.to_grid(action, *size) for action in gold]
    passed = []
    for reading in act.READINGS:
        for place, action in enumerate(grid):
            for name in act.point_names(type(action)):
                for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
                    cell = getattr(action, name)
                    moved = msgspec.structs.replace(
                        action, **{name: Point(cell[0] + off[0], cell[1] + off[1])}
                    )
                    tried = [*grid[:place], moved, *grid[place + 1 :]]
                    passed.append(judge(slide, [act.from_grid(a, *size, reading) for a in tried]))
    safe = grid_safe(slide, gold, *size)
    assert not safe or all(v.passed for v in passed)
    if safe is False and max(size) * 4e-3 < min(slide.handle.width, slide.handle.height) / 3:
        assert not all(v.passed for v in passed)


def test_gate_names_what_broke():
    slide = rotate()
    gold = slide.gold(Stream("gate"))
    assert gate(slide, gold, *SIZE) == (True, "")
    assert gate(slide, [drag(40, slide)], *SIZE) == (False, "gold")
    assert gate(rotate(tol=0.5), gold, *SIZE) == (False, "grid")
    with pytest.raises(InvalidOptions):
        gate(slide, gold, 0, 800)


@given(st.floats(200, 1000), st.floats(0.4, 4), st.floats(8, 20), st.floats(0, 60))
def test_lengths_survive_the_grid_and_keep_clear_of_both_stops(travel, unit, tolerance, floor):
    assume(travel > 200 + 2 * tolerance + 4 * unit)
    low, high = displacement_range(travel, unit, tolerance, floor)
    assert low >= max(floor, tolerance + unit) and travel - high >= tolerance + unit


def test_impossible_lengths_are_refused_with_numbers():
    with pytest.raises(InvalidOptions, match="grid units"):
        displacement_range(264, 3.84, 6)
    with pytest.raises(InvalidOptions, match="travel"):
        displacement_range(20, 1.28, 8)
    assert angle_range(264, 1.28, 360 / 264, 10) == pytest.approx((34.909, 325.090), abs=0.01)
    assert angle_range(264, 1.28, 360 / 264, 10, min_units=40)[0] == pytest.approx(69.818, abs=0.01)


def test_parity_scores_are_flags_of_their_own():
    slide = rotate()
    gold = [drag(88, slide)]
    assert all(parity(slide, gold, gold).values())
    near = parity(slide, gold, [drag(88 + 4.3, slide)])
    assert near == {"venusbench": True, "tianai": True, "halligan": True}
    assert not parity(slide, gold, [drag(88 + 4.5, slide)])["venusbench"]
    assert not parity(slide, gold, [drag(88, slide, across=5)])["venusbench"]
    assert not parity(slide, gold, [drag(88 + 8, slide)])["tianai"]
    assert not any(parity(slide, gold, []).values())


def test_parity_of_a_gold_is_that_of_what_the_grid_leaves_of_it():
    slide = rotate()
    assert all(slide.parity([drag(88, slide)], *SIZE).values())
    coarse = slide.parity([drag(88, slide)], 128000, 800)  # cells of 128 px leave little of it
    assert not coarse["venusbench"] and not coarse["tianai"]
