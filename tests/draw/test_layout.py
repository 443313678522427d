"""Layouts keep their gaps, stay inside, end, and tell nothing about order."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from factory.core.errors import InvalidOptions, Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw.layout import jittered, row, scatter, scatter_boxes, spread, tiles

AREA = Box(10.0, 20.0, 310.0, 220.0)
ROUNDING_PX = 1e-5
"""Places are rounded to 1e-6 each."""

FULL = 0.45
"""The filling up to which scattering does not fail."""


def radii_for(fill: float, count: int, gap: float) -> list[float]:
    """Discs of three sizes that fill a share of the area."""
    shares = [(0.8, 1.0, 1.2)[i % 3] for i in range(count)]
    low, high = 0.0, 200.0
    for _ in range(60):
        middle = (low + high) / 2
        full = spread([share * middle for share in shares], gap, AREA) > fill
        low, high = (low, middle) if full else (middle, high)
    return [share * low for share in shares]


@pytest.mark.parametrize("count", [3, 6, 9, 14])
def test_scattered_discs_keep_gaps_and_stay_inside(count: int) -> None:
    radii = radii_for(FULL, count, 6.0)
    placed = 0
    for number in range(100):
        try:
            centres = scatter(Stream(f"scatter-{count}-{number}"), AREA, radii, 6.0)
        except Rejected:
            continue
        placed += 1
        for radius, centre in zip(radii, centres, strict=True):
            assert AREA.grown(ROUNDING_PX).holds(Box(*centre, *centre).grown(radius))
        for (ra, a), (rb, b) in combinations(zip(radii, centres, strict=True), 2):
            assert math.dist(a, b) >= ra + rb + 6.0 - ROUNDING_PX
    assert placed >= 95


def test_scattered_boxes_keep_gaps_and_stay_inside() -> None:
    sizes = [(60.0, 26.0), (34.0, 30.0), (48.0, 22.0), (70.0, 24.0), (30.0, 40.0), (52.0, 28.0)]
    for number in range(60):
        centres = scatter_boxes(Stream(f"boxes-{number}"), AREA, sizes, 8.0)
        boxes = [
            Box.sized(c.x - w / 2, c.y - h / 2, w, h)
            for c, (w, h) in zip(centres, sizes, strict=True)
        ]
        assert all(AREA.grown(ROUNDING_PX).holds(box) for box in boxes)
        assert not any(
            a.grown(4.0 - ROUNDING_PX).overlaps(b.grown(4.0 - ROUNDING_PX))
            for a, b in combinations(boxes, 2)
        )


def test_what_cannot_fit_is_rejected_soon() -> None:
    with pytest.raises(Rejected, match="no room for so many"):
        scatter(Stream("full"), AREA, [40.0] * 14, 6.0)
    with pytest.raises(Rejected, match="larger than its area"):
        scatter(Stream("large"), AREA, [101.0], 0.0)


def test_places_tell_nothing_about_order() -> None:
    """With equal sizes the mean place of each index is the middle; 4 standard errors allowed."""
    runs = 1500
    sums = [[0.0, 0.0] for _ in range(5)]
    for number in range(runs):
        for total, centre in zip(
            sums, scatter(Stream(f"order-{number}"), AREA, [24.0] * 5, 8.0), strict=True
        ):
            total[0] += centre.x
            total[1] += centre.y
    error_x = (300 - 48) / math.sqrt(12 * runs)
    error_y = (200 - 48) / math.sqrt(12 * runs)
    for total in sums:
        assert abs(total[0] / runs - AREA.center.x) < 4 * error_x
        assert abs(total[1] / runs - AREA.center.y) < 4 * error_y


def test_rows_run_left_to_right_inside() -> None:
    widths = [30.0, 18.0, 34.0, 26.0, 30.0]
    for number in range(50):
        stream = Stream(f"row-{number}")
        centres = row(stream, AREA, widths, overlap=0.15, jitter_x=0.1, jitter_y=9.0)
        assert [c.x for c in centres] == sorted(c.x for c in centres)
        for width, centre in zip(widths, centres, strict=True):
            assert AREA.x0 - ROUNDING_PX <= centre.x - width / 2
            assert centre.x + width / 2 <= AREA.x1 + ROUNDING_PX
            assert AREA.y0 <= centre.y <= AREA.y1
    with pytest.raises(Rejected, match="line wider than its area"):
        row(Stream("wide"), AREA, [80.0] * 5)


def test_neighbours_of_a_row_share_what_was_asked() -> None:
    centres = row(Stream("share"), AREA, [40.0, 40.0, 40.0], overlap=0.25)
    assert centres[1].x - centres[0].x == pytest.approx(30.0, abs=1e-5)


def test_tiles_fill_their_area() -> None:
    boxes = tiles(AREA, 2, 3, 6.0)
    assert len(boxes) == 6
    assert (boxes[0].x0, boxes[0].y0) == (AREA.x0, AREA.y0)
    assert (boxes[-1].x1, boxes[-1].y1) == pytest.approx((AREA.x1, AREA.y1))
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    with pytest.raises(InvalidOptions, match="do not fit"):
        tiles(AREA, 60, 3, 6.0)


def test_jittered_things_stay_in_cells_of_their_own() -> None:
    cells = tiles(AREA, 3, 4, 8.0)
    for number in range(40):
        centres = jittered(Stream(f"cells-{number}"), cells, 7, 30.0)
        homes = [
            next(i for i, cell in enumerate(cells) if cell.holds(Box(*c, *c).grown(15.0)))
            for c in centres
        ]
        assert len(set(homes)) == 7
    with pytest.raises(Rejected, match="more things than cells"):
        jittered(Stream("many"), cells, 13, 10.0)
