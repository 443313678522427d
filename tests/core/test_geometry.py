"""Maps, boxes and the grid."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core.errors import InvalidOptions
from factory.core.geometry import (
    GRID,
    Box,
    PlaneMap,
    Point,
    from_grid,
    from_grid_readings,
    to_grid,
)

coordinate = st.floats(-5000, 5000)
points = st.tuples(coordinate, coordinate).map(lambda p: Point(*p))
factors = st.floats(0.05, 20)
maps = st.lists(
    st.one_of(
        st.builds(PlaneMap.scale, factors, factors),
        st.builds(PlaneMap.translate, coordinate, coordinate),
        st.builds(PlaneMap.rotate, st.floats(-720, 720), points),
    ),
    max_size=4,
)
sizes = st.integers(200, 6000)


def chain(parts: list[PlaneMap]) -> PlaneMap:
    whole = PlaneMap.identity()
    for part in parts:
        whole = part @ whole
    return whole


@given(maps, points)
def test_maps_return_within_a_millionth(parts: list[PlaneMap], point: Point) -> None:
    there = chain(parts)
    scale = max(1.0, *(abs(v) for v in there.m), *(abs(v) for v in there.inverse().m))
    assert math.dist(there.inverse()(there(point)), point) <= 1e-6 * max(1.0, scale / 100)


@given(maps, points)
def test_chain_maps_like_its_links_one_by_one(parts: list[PlaneMap], point: Point) -> None:
    expected = point
    for part in parts:
        expected = part(expected)
    size = max(1.0, abs(expected.x), abs(expected.y))
    assert math.dist(chain(parts)(point), expected) <= 1e-7 * size * 100


@given(st.builds(PlaneMap.scale, factors, factors), points, coordinate, coordinate)
def test_straight_map_takes_corners_to_corners(
    scale: PlaneMap, corner: Point, dx: float, dy: float
) -> None:
    b_from_a = PlaneMap.translate(dx, dy) @ scale
    box = Box.sized(corner.x, corner.y, 10.0, 20.0)
    mapped = b_from_a.box(box)
    assert math.dist((mapped.x0, mapped.y0), b_from_a((box.x0, box.y0))) <= 1e-6
    assert math.dist((mapped.x1, mapped.y1), b_from_a((box.x1, box.y1))) <= 1e-6


def test_rotation_is_clockwise_on_screen() -> None:
    turned = PlaneMap.rotate(90.0)((1.0, 0.0))
    assert math.dist(turned, (0.0, 1.0)) < 1e-12


@given(st.floats(-360, 360), points)
def test_rotation_keeps_its_centre(turn: float, centre: Point) -> None:
    assert math.dist(PlaneMap.rotate(turn, centre)(centre), centre) <= 1e-8 * 5000


def test_mirrors_and_turns_map_boxes_to_their_bounds() -> None:
    mirrored = PlaneMap.scale(-1.0, 1.0).box(Box(1, 2, 3, 4))
    assert mirrored == Box(-3, 2, -1, 4)
    quarter = PlaneMap.rotate(90.0).box(Box(0, 0, 2, 1))
    assert quarter.as_list() == [-1.0, 0.0, 0.0, 2.0]


def test_map_without_inverse_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="no inverse"):
        PlaneMap.scale(0.0, 1.0).inverse()


@given(sizes, st.floats(0, 1, exclude_max=True))
def test_grid_puts_every_pixel_within_half_a_unit(size: int, share: float) -> None:
    value = share * size
    cell = to_grid(value, size)
    assert 0 <= cell <= GRID - 1
    assert abs(from_grid(cell, size) - value) <= 0.5 * size / GRID + 1e-9


@given(sizes, st.integers(0, GRID - 1))
def test_cell_survives_its_own_reading(size: int, cell: int) -> None:
    assert to_grid(from_grid(cell, size), size) == cell


@given(sizes, st.floats(0, 1, exclude_max=True))
def test_all_readings_stay_on_the_canvas_and_within_a_unit(size: int, share: float) -> None:
    value = share * size
    readings = from_grid_readings(to_grid(value, size), size)
    assert all(0 <= reading <= size for reading in readings)
    assert all(abs(reading - value) <= size / GRID + 1e-9 for reading in readings)


@given(sizes, st.floats(-1e4, 1e4))
def test_grid_clamps_what_lies_outside(size: int, beyond: float) -> None:
    assert 0 <= to_grid(beyond, size) <= GRID - 1


@given(points, st.floats(1, 100), st.floats(1, 100))
def test_boxes_are_half_open(corner: Point, width: float, height: float) -> None:
    box = Box.sized(corner.x, corner.y, width, height)
    assert box.contains(Point(box.x0, box.y0))
    assert not box.contains(Point(box.x1, box.y0))
    assert not box.contains(Point(box.x0, box.y1))
    assert box.contains(box.center)


@given(points, st.floats(2, 100), st.floats(0.01, 50))
def test_grown_box_holds_what_it_grew_from(corner: Point, side: float, margin: float) -> None:
    box = Box.sized(corner.x, corner.y, side, side)
    assert box.grown(margin).holds(box) and not box.holds(box.grown(margin))
    assert box.overlaps(box.grown(margin))


def test_touching_boxes_share_no_area() -> None:
    left, right = Box(0, 0, 10, 10), Box(10, 0, 20, 10)
    assert not left.overlaps(right) and not right.overlaps(left)


@given(points, st.floats(0.5, 100))
def test_outer_pixels_hold_the_box(corner: Point, side: float) -> None:
    box = Box.sized(corner.x, corner.y, side, side)
    outer = Box(*box.outer_pixels())
    assert outer.holds(box)
    assert outer.width < box.width + 2 and outer.height < box.height + 2
