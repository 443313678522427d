"""Claims about taps: what counts as one, and what the grid keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import READINGS, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics.events import Release
from factory.core.mechanics.taps import (
    LONG_PRESS_MS,
    TAP_SLOP_CSS_PX,
    apart,
    apart_on_grid,
    box_survives,
    grid_spread,
    is_tap,
    near_center,
    refuse_bad_boxes,
    zone_survives,
)
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

sizes = st.sampled_from([(1280, 800), (1920, 1080), (375, 812), (1080, 2280)])
inside = st.tuples(st.floats(20, 330), st.floats(20, 330)).map(lambda p: Point(*p))


@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_a_tap_is_short_and_stays_in_place(scale):
    press, slop = Point(10, 10), TAP_SLOP_CSS_PX * scale
    assert is_tap(press, 5.0, Release(10 + 0.99 * slop, 10, 90.0), scale)
    assert not is_tap(press, 5.0, Release(10, 10 + 1.01 * slop, 90.0), scale)
    assert not is_tap(press, 5.0, Release(10, 10, 5.0 + LONG_PRESS_MS), scale)


@given(st.integers(0, 10**6), st.floats(5, 80), st.floats(5, 80))
def test_golds_keep_to_the_middle(seed, width, height):
    box = Box.sized(30, 40, width, height)
    assert box.grown(-0.34 * min(width, height)).contains(near_center(box, Stream(f"a/{seed}")))
    arm, end = [(6, 0), (6, 1), (1, 1)], [(1, 5), (6, 5), (6, 6)]
    hook = Zone(tuple(Point(x * width, y * height) for x, y in [(0, 0), *arm, *end, (0, 6)]))
    point = near_center(hook, Stream(f"b/{seed}"))
    assert hook.depth(point) > 0.5 * hook.depth(hook.center)


def _moved_readings(point, size):
    """The readings, as the codec of actions gives them, of the cell and its neighbours."""
    cell = act.to_grid(Click(point), *size).point
    for column in (-1, 0, 1):
        for row in (-1, 0, 1):
            near = Click(Point(cell.x + column, cell.y + row))
            for reading in READINGS:
                yield act.from_grid(near, *size, reading).point


@given(inside, sizes, st.floats(1, 12), st.floats(-6, 6), st.floats(-6, 6))
def test_a_box_survives_exactly_when_every_reading_is_in_it(point, size, half, dx, dy):
    box = Box.sized(point.x + dx - half, point.y + dy - half, 2 * half, 2 * half)
    wanted = all(box.contains(read) for read in _moved_readings(point, size))
    assert box_survives(box, point, *size) is wanted


@given(inside, sizes, st.floats(1, 12), st.floats(-6, 6), st.floats(-2, 2))
def test_a_zone_survives_exactly_when_every_reading_is_in_it(point, size, radius, dx, grow):
    zone = Zone.disc((point.x + dx, point.y), radius, n=7)
    wanted = all(zone.contains(read, grow) for read in _moved_readings(point, size))
    assert zone_survives(zone, grow, point, *size) is wanted
    assert sorted(grid_spread(point, *size)) == sorted(_moved_readings(point, size))


def test_taps_at_one_place_are_one():
    assert apart([Point(0, 0), Point(1, 0), Point(1, 1)])
    assert not apart([Point(0, 0), Point(9, 9), Point(0.5, 0.8)])


@given(st.lists(inside, min_size=2, max_size=3), sizes)
def test_apart_on_the_grid_means_apart_in_every_reading(points, size):
    if apart_on_grid(points, *size):
        cells = [act.to_grid(Click(p), *size).point for p in points]
        for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
            moved = [Point(cells[0].x + off[0], cells[0].y + off[1]), *cells[1:]]
            for reading in READINGS:
                assert apart([act.from_grid(Click(c), *size, reading).point for c in moved])


@pytest.mark.parametrize(
    "boxes",
    [
        [Box(0, 0, 0, 5)],
        [Box(0, 0, float("nan"), 5)],
        [Box(0, 0, float("inf"), 5)],
        [Box(0, 0, 50, 9), Box(60, 0, 70, 9), Box(49, 8, 80, 12)],
    ],
)
def test_boxes_that_no_tap_tells_apart_are_refused(boxes):
    with pytest.raises(InvalidOptions):
        refuse_bad_boxes(boxes)


def test_boxes_that_touch_are_two():
    refuse_bad_boxes([Box(0, 0, 50, 9), Box(50, 0, 70, 9), Box(0, 9, 50, 12)])
