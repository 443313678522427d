"""Boxes against pixels: a marker's box is where its colour is, at most 1 CSS px off."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from factory.web.paint import Pixels, decode_png
from factory.web.verdict import Desk, Target, Window

TOLERANCE_PX = 1.0
"""CSS px, the unit of boxes: Chromium moves fractional borders to whole CSS px, also at DPR 3."""
MARK = "border:0;padding:0;background:{};display:block;width:70px;height:30px"
MAGENTA = (255, 0, 255)
COLUMNS, CELL = 4, (320, 220)
PLACES: dict[str, str] = tomllib.loads((Path(__file__).parent / "markers.toml").read_text("utf-8"))


def cell_of(index: int) -> tuple[int, int]:
    return index % COLUMNS * CELL[0], index // COLUMNS * CELL[1]


def page_of_markers(scroll: int) -> str:
    cells = []
    for index, markup in enumerate(PLACES.values()):
        x, y = cell_of(index)
        marked = markup.replace("{m}", MARK.format("#f0f")).replace("{u}", MARK.format("fuchsia"))
        place = f"left:{x}px;top:{y + scroll}px;width:{CELL[0]}px;height:{CELL[1]}px"
        cells.append(f"<div style='position:absolute;overflow:hidden;{place}'>{marked}</div>")
    far = f"<p style='position:absolute;top:3000px'>.<script>scrollTo(0, {scroll})</script>"
    return f"<!doctype html><body style='margin:0'>{''.join(cells)}{far}"


def painted(pixels: Pixels, index: int, dpr: float) -> NDArray[np.float64]:
    """The bounds of the marker's colour in its cell, CSS px; pixels mixed by half count."""
    x, y = (round(v * dpr) for v in cell_of(index))
    cell = pixels[y : y + round(CELL[1] * dpr), x : x + round(CELL[0] * dpr)].astype(int)
    ys, xs = np.nonzero(np.abs(cell - np.array(MAGENTA)).max(axis=2) < 128)
    return np.array([x + xs.min(), y + ys.min(), x + xs.max() + 1, y + ys.max() + 1]) / dpr


def index_of(target: Target) -> int:
    x, y = target.click_xy_css
    return int(y // CELL[1]) * COLUMNS + int(x // CELL[0])


@pytest.mark.parametrize("scroll", [0, 333])
@pytest.mark.parametrize("dpr", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_box_is_where_the_marker_is_painted(
    desk: Desk, tmp_path: Path, dpr: float, scroll: int
) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of_markers(scroll), "utf-8")
    judged = desk.check(path.as_uri(), Window(1280, 1100, dpr), proof=False)
    pixels = decode_png(judged.png)[..., :3]
    told = {index_of(target): target for target in judged.verdict.accepted}
    assert sorted(told) == list(range(len(PLACES)))  # none of these needs to be rejected
    for index, name in enumerate(PLACES):
        off = np.abs(np.array(told[index].box_xyxy_css) - painted(pixels, index, dpr)).max()
        assert off <= TOLERANCE_PX, f"{name} at DPR {dpr}: {off:.2f} px off"
