"""The independent judge of ``pager_connect_icons``: follows each colour to its two ends.

A line is what differs from the scene without lines and has one colour; the dots at its ends
are what of it stays when thin parts are eaten away, and each belongs to the nearest thing.
The first page is read off the decoded picture, and so are the cards: of all things of the
scene, drawn anew in plain ink, the one whose shape explains a card best is on it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia

from captcha_types.pager_stepper.pager_connect_icons import page_raster
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import icons
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("page_reading", Path(__file__).parent)

SCALE = 4.0
DIFFERENT = 40
SAME_COLOUR = 70.0
DOT_CSS = 2.3
"""Half of what is thicker than a line and thinner than a dot at its end."""

CARD = 92


def solve(view: View) -> list[ActionBase]:
    """Turn to the page whose line joins the two of the cards, and confirm."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    state, start, px = view.state, view.state.pager.start, view.record.observations[0].dpr
    picture = regions["picture"]
    blank, pages = reading.read_pages(view, page_raster, SCALE)
    things = [regions[f"thing.{k}"].moved(-picture.x0, -picture.y0).center
              for k in range(len(state.things))]  # fmt: skip
    middles = [(x * SCALE / px, y * SCALE / px) for x, y in things]
    wanted = {_thing_on(_cut(view.picture, regions[f"card.{k}"]), state.things) for k in (0, 1)}
    colours = sorted({link.colour for page in state.pages for link in page})
    found = [any(ends(page, blank, colours, number, middles) == wanted
                 for number in range(len(colours))) for page in pages]  # fmt: skip
    target = found.index(True) if True in found else start
    arrow = regions["next" if target > start else "prev"].center
    taps = [Click(arrow._replace(x=arrow.x + k)) for k in range(abs(target - start))]
    return [*taps, Click(regions["submit"].center)]


def _cut(picture: Any, box: Box) -> Any:
    x0, y0, x1, y1 = box.outer_pixels()
    return picture[y0:y1, x0:x1]


def ends(
    page: Any, blank: Any, colours: list[str], number: int, middles: list[tuple[float, float]]
) -> set[int]:
    """The things at the dots of one colour."""
    apart = cv2.absdiff(page, blank).max(axis=2) > DIFFERENT
    off = np.array([np.linalg.norm(page.astype(np.float32) - np.array(parse_hex(c)[::-1]), axis=2)
                    for c in colours])  # fmt: skip
    own = (off.argmin(axis=0) == number) & (off[number] < SAME_COLOUR)
    inked = (apart & own).astype(np.uint8)
    side = 2 * round(DOT_CSS * SCALE) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    _, _, _, dots = cv2.connectedComponentsWithStats(cv2.erode(inked, disc))
    return {
        min(range(len(middles)), key=lambda k, at=at: math.dist(middles[k], at)) for at in dots[1:]
    }


def _thing_on(card: Any, things: Any) -> int:
    """Which of the things is on a card."""
    big = cv2.resize(card, (CARD, CARD), interpolation=cv2.INTER_AREA).astype(np.float32)
    big = big[8:-8, 8:-8]
    return max(range(len(things)), key=lambda k: _alike(big, things[k].asset))


def _alike(card: Any, asset: str) -> float:
    """How well a thing, drawn where cards have theirs, explains a card's colours."""
    size = min(30.0, 19.0 / icons.icon_reach(asset, 1.0)) * CARD / 46.0
    line = asset.startswith("icon/")
    style = icons.IconStyle("line", "#ffffff", "", 2.1) if line else icons.IconStyle("plain")
    surface = skia.Surface(CARD, CARD)
    with surface as canvas:
        canvas.clear(skia.ColorBLACK if line else skia.ColorGRAY)
        icons.draw_icon(canvas, icons.IconSpec(asset, size, CARD / 2, CARD / 2, style))
    drawn = np.asarray(surface.makeImageSnapshot().toarray(colorType=skia.kBGRA_8888_ColorType))
    drawn = drawn[8:-8, 8:-8, :3].astype(np.float32)
    if line:
        far = np.linalg.norm(card - np.median(card.reshape(-1, 3), axis=0), axis=2)
        return float(np.corrcoef(far.ravel(), drawn[..., 0].ravel())[0, 1])
    return -float(np.abs(card - drawn)[np.abs(drawn - 128).max(axis=2) > 24].mean())
