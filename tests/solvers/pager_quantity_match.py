"""The independent judge of ``pager_quantity_match``: counts every page by its pixels.

What differs from the ground that all pages share is cut into spots. Stones, counters and
things are as many as there are spots; dots are counted on the spots that are dice. The white
tips of darts are searched, and the board's circle tells which ring each is in. The first page
is read off the decoded picture, which shows no other; the card is read by counting strokes
and dots, and numerals by their font.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from captcha_types.pager_stepper.pager_quantity_match import page_raster
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("page_reading", Path(__file__).parent)

MISREADS = 0.01
"""One of 330, black dice on a dark ground: plain to see, but for the judge their sides fade."""

SCALE = 4.0
DIFFERENT = 24
LEAST_AREA = 0.0012
"""Of the page, that a spot takes."""

GAP_IN_CSS = 5
"""Gaps inside a thing are narrower, gaps between two things wider."""

RINGS = 4
RIM_CSS = 3.0
"""Of the board around its rings."""

TIP = 0.68
"""How well a dart's tip has to fit: 230 pages in pictures of 1 to 3 px a CSS px came out right."""

CARD = 48


def solve(view: View) -> list[ActionBase]:
    """Turn to the page that has as much as the card says, and confirm."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    state, start = view.state, view.state.pager.start
    wanted = read_card(_cut(view.picture, regions["strip"]), state.reference)
    blank, pages = reading.read_pages(view, page_raster, SCALE)
    board = page_raster(state, None, SCALE)
    found = [quantity(page, blank, board, state.dress) for page in pages]
    target = found.index(wanted) if wanted in found else start
    arrow = regions["next" if target > start else "prev"].center
    taps = [Click(arrow._replace(x=arrow.x + k)) for k in range(abs(target - start))]
    return [*taps, Click(regions["submit"].center)]


def _cut(picture: Any, box: Box) -> Any:
    x0, y0, x1, y1 = box.outer_pixels()
    return picture[y0:y1, x0:x1]


def quantity(page: Any, blank: Any, board: Any, dress: Any) -> int:
    """What a page adds up to; ``blank`` is what pages share, ``board`` the same at its sharpest."""
    apart = cv2.absdiff(cv2.GaussianBlur(page, (0, 0), 2.0), cv2.GaussianBlur(blank, (0, 0), 2.0))
    inked = (apart.max(axis=2) > DIFFERENT).astype(np.uint8)
    side = round(SCALE * (GAP_IN_CSS if dress.form == "things" else 2))
    inked = cv2.morphologyEx(inked, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    if dress.form == "darts":
        return _points(page, board, inked)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(inked)
    spots = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > LEAST_AREA * inked.size]
    if dress.form == "dice":
        return sum(_dots(page, labels == spot) for spot in spots)
    return len(spots)


def _dots(page: Any, inside: Any) -> int:
    """Spots of another colour well inside a die."""
    hull = cv2.convexHull(np.argwhere(inside)[:, ::-1].astype(np.int32))
    whole = cv2.fillConvexPoly(np.zeros(inside.shape, np.uint8), hull, 1)
    core = (cv2.distanceTransform(whole, cv2.DIST_L2, 5) > 4 * SCALE).astype(np.uint8)
    body = np.median(page[core > 0], axis=0)
    far = cv2.GaussianBlur(np.abs(page.astype(np.float32) - body).max(axis=2) * core, (0, 0), 2.0)
    _, _, stats, _ = cv2.connectedComponentsWithStats((far > 0.5 * far.max()).astype(np.uint8))
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] / SCALE
    # A dot is some 9 px wide; edges and shadows are longer.
    return int(((sides > 5).all(axis=1) & (sides < 13).all(axis=1)).sum())


def _points(page: Any, board: Any, inked: Any) -> int:
    """The values of the rings that the tips of darts are in."""
    x, y, radius = _circle(cv2.cvtColor(board, cv2.COLOR_BGR2GRAY))
    fit = cv2.matchTemplate(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY), _tip(), cv2.TM_CCOEFF_NORMED)
    half, total = _tip().shape[0] // 2, 0
    fit = np.where(inked[half : half + fit.shape[0], half : half + fit.shape[1]] > 0, fit, 0.0)
    while fit.max() > TIP:
        row, column = np.unravel_index(fit.argmax(), fit.shape)
        away = math.dist((column + half, row + half), (x, y))
        total += RINGS - int(RINGS * away / radius)
        cv2.circle(fit, (int(column), int(row)), round(7 * SCALE), 0.0, -1)
    return total


@lru_cache(maxsize=1)
def _tip() -> Any:
    """The end of a dart: a white dot in a dark ring."""
    side = 2 * round(2.6 * SCALE) + 1
    tip = np.full((side, side), 128, np.uint8)
    cv2.circle(tip, (side // 2, side // 2), round(2.6 * SCALE), 14, -1, cv2.LINE_AA)
    cv2.circle(tip, (side // 2, side // 2), round(1.5 * SCALE), 255, -1, cv2.LINE_AA)
    return tip


def _circle(grey: Any) -> tuple[float, float, float]:
    """Middle and radius of the rings."""
    high = grey.shape[0] / 2
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT, 1, 4 * high, param1=80, param2=20,
        minRadius=round(0.85 * high), maxRadius=round(0.99 * high),
    )  # fmt: skip
    x, y, radius = found[0, 0]
    return x, y, radius - RIM_CSS * SCALE


def read_card(strip: Any, reference: Any) -> int:
    """The number that a card shows."""
    scale = strip.shape[0] / 52.0
    strip = strip[round(6 * scale) : round(46 * scale)]  # without the card's upper and lower edge
    big = cv2.resize(strip, None, fx=SCALE / scale, fy=SCALE / scale, interpolation=cv2.INTER_CUBIC)
    middle = big[:, big.shape[1] // 2 - round(26 * SCALE) : big.shape[1] // 2 + round(26 * SCALE)]
    card = np.median(middle.reshape(-1, 3), axis=0)
    far = np.abs(big.astype(np.float32) - card).max(axis=2)
    inked = (far > 0.45 * far.max()).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(inked)
    size = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] / SCALE
    if reference.kind == "dice":
        return sum(5 < max(size[k]) < 10 for k in range(1, count))
    # Strokes and figures are some 26 px high; sides of the card are higher, its corners lower.
    kept = [k for k in range(1, count) if 18 < size[k, 1] < 33]
    if reference.kind == "tally":
        return sum(5 if size[k, 0] > 10 else 1 for k in kept)
    rows, columns = np.nonzero(np.isin(labels, kept))
    figure = inked[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    return max(range(1, 19), key=lambda number: _overlap(figure, _numeral(reference.face, number)))


def _overlap(figure: Any, drawn: Any) -> float:
    """Shared ink over all ink, where shapes are as wide as each other."""
    ratio = figure.shape[1] / figure.shape[0] * drawn.shape[0] / drawn.shape[1]
    a, b = (cv2.resize(m, (CARD, CARD), interpolation=cv2.INTER_AREA) > 0 for m in (figure, drawn))
    return float((a & b).sum() / (a | b).sum()) * min(ratio, 1 / ratio)


@lru_cache(maxsize=512)
def _numeral(face: str, number: int) -> Any:
    """The mask of a number, cut to its ink."""
    surface = skia.Surface(320, 160)
    with surface as canvas:
        canvas.translate(60, 130)
        for char in str(number):
            shape = glyphs.outline(face, char)
            canvas.drawPath(shape.path, skia.Paint(Color=skia.ColorWHITE, AntiAlias=True))
            canvas.translate(shape.advance, 0)
    grey = (np.asarray(surface.makeImageSnapshot().toarray())[..., 0] > 128).astype(np.uint8)
    rows, columns = np.nonzero(grey)
    return grey[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
