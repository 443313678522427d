"""Claims about zones, held against shapely."""

import math

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import Point as ShapelyPoint
from shapely import Polygon

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import similarity
from factory.core.mechanics.zones import Zone

FLOAT_NOISE_PX = 1e-6
"""Two libraries' roundings at coordinates of some hundred px."""


@st.composite
def zones(draw) -> Zone:
    """Star-shaped polygons of 3 to 12 corners, convex or not, either way round."""
    n = draw(st.integers(3, 12))
    radii = draw(st.lists(st.floats(4, 60), min_size=n, max_size=n))
    turn, way = draw(st.floats(0, 6.28)), draw(st.sampled_from([1, -1]))
    x, y = draw(st.floats(-300, 300)), draw(st.floats(-300, 300))
    angles = [turn + way * 2 * math.pi * k / n for k in range(n)]
    return Zone(
        tuple(
            Point(x + r * math.cos(a), y + r * math.sin(a))
            for a, r in zip(angles, radii, strict=True)
        )
    )


offsets = st.tuples(st.floats(-90, 90), st.floats(-90, 90))


@given(zones(), offsets, st.floats(-8, 8))
def test_membership_and_distance_are_shapelys(zone, offset, grow):
    other = Polygon(zone.corners)
    point = (zone.box.center.x + offset[0], zone.box.center.y + offset[1])
    away = other.distance(ShapelyPoint(point))
    signed = -other.exterior.distance(ShapelyPoint(point)) if away == 0 else away
    assert zone.distance(point) == pytest.approx(away, abs=FLOAT_NOISE_PX)
    assert zone.depth(point) == pytest.approx(-signed, abs=FLOAT_NOISE_PX)
    assume(abs(signed - grow) > FLOAT_NOISE_PX)
    assert zone.contains(point, grow) is (signed < grow)


@given(zones())
def test_the_center_is_well_inside(zone):
    other = Polygon(zone.corners)
    assert zone.area == pytest.approx(other.area)
    assert zone.box.as_list() == [round(v, 6) for v in other.bounds]
    deepest = _inradius(other)
    assert zone.depth(zone.center) >= 0.5 * deepest - 0.06 * min(zone.box.width, zone.box.height)
    assert zone.depth(zone.center) > 0


def _inradius(polygon: Polygon) -> float:
    """The largest erosion that leaves something, by bisection."""
    low, high = 0.0, 100.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if polygon.buffer(-middle).is_empty else (middle, high)
    return low


def test_the_center_of_a_hook_is_in_its_arm():
    arm, end = [(60, 0), (60, 10), (10, 10)], [(10, 50), (60, 50), (60, 60)]
    hook = Zone(tuple(Point(*p) for p in [(0, 0), *arm, *end, (0, 60)]))
    assert not hook.contains(Point(30, 30))
    assert hook.depth(hook.center) > 4.5


@given(zones(), offsets, st.floats(0.3, 3), st.floats(-99, 99))
def test_mapping_scales_distances(zone, offset, scale, shift):
    move = similarity(PlaneMap.translate(shift, -shift) @ PlaneMap.scale(scale))
    moved = zone.moved_by(move)
    point = Point(zone.box.center.x + offset[0], zone.box.center.y + offset[1])
    assert moved.depth(move.point(point)) == pytest.approx(
        scale * zone.depth(point), abs=FLOAT_NOISE_PX
    )


def test_a_box_and_a_disc_are_what_they_say():
    box = Box(10, 20, 50, 40)
    zone = Zone.of_box(box)
    assert zone.box == box and zone.center == box.center
    for point in [(10, 20), (50, 40), (10, 40), (30, 20)]:
        assert zone.contains(point), "the border belongs to it"
    assert zone.contains((8, 30), 2) and not zone.contains((7.9, 30), 2)
    assert not zone.contains((8.5, 18.5), 2), "a grown corner is round"
    assert zone.contains((12, 22), -2) and not zone.contains((11.9, 22), -2)
    disc = Zone.disc((100, 100), 20)
    assert disc.depth((100, 100)) == pytest.approx(20, rel=0.005)
    assert disc.center == pytest.approx((100, 100), abs=1e-5)


@given(zones())
def test_json_and_back(zone):
    assert msgspec.json.decode(msgspec.json.encode(zone), type=Zone) == zone


@pytest.mark.parametrize(
    "corners",
    [(), ((0, 0), (1, 1)), ((0, 0), (5, 5), (10, 10)), ((0, 0), (math.nan, 5), (1, 9)),
     ((0, 0), (math.inf, 5), (1, 9)), ((3, 3), (3, 3), (3, 3))],
)  # fmt: skip
def test_what_is_no_area_is_refused(corners):
    with pytest.raises(InvalidOptions):
        Zone(tuple(Point(*c) for c in corners))
