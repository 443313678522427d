"""What the judges of pagers share: pages, as far as the sample's own pictures show them.

What the pictures leave out is drawn as the pictures would show it, no sharper.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box
from factory.testing import View

CORNER_CSS = 24.0
"""More than the radius of any picture's corner."""

AGREED = 24
"""Levels between pictures of one place: noise of the encoder, where nothing differs."""

Raster = Callable[[Any, int | None, float], Any]
"""Pixels of a page, or of what pages share, from a state, a page and a scale."""


def read_pages(view: View, raster: Raster, scale: float) -> tuple[Any, list[Any]]:
    """What all pages share, and the pages; BGR, ``scale`` px a CSS px.

    Picture i shows the page after i turns, from the first or the last page on; where two
    pictures show the same, no page was turned any more.
    """
    pager, dpr = view.state.pager, view.record.observations[0].dpr
    blank, *pages = (raster(view.state, page, dpr) for page in (None, *range(pager.count)))
    seen = [_slot(view, picture).copy() for picture in view.pictures]
    turned = [not np.array_equal(a, b) for a, b in pairwise(seen)]
    turns = [*turned, False].index(False)
    _squared(seen[: turns + 1], blank, round(CORNER_CSS * dpr))
    way = -1 if pager.start > 0 else 1
    for turn in range(turns + 1):
        pages[pager.start + way * turn] = seen[turn]
    height, width = (round(side * scale / dpr) for side in blank.shape[:2])
    blank, *pages = (
        cv2.resize(page, (width, height), interpolation=cv2.INTER_CUBIC) for page in (blank, *pages)
    )
    return blank, pages


def _squared(seen: list[Any], blank: Any, side: int) -> None:
    """Give the pictures the corners that the panel has cut off: there all of them agree."""
    for rows in (slice(side), slice(-side, None)):
        for columns in (slice(side), slice(-side, None)):
            corners = np.array([picture[rows, columns] for picture in seen])
            alike = (np.ptp(corners, axis=0) < AGREED).all(axis=2)
            for picture in seen:
                picture[rows, columns][alike] = blank[rows, columns][alike]


def _slot(view: View, picture: Any) -> Any:
    box = next(Box(*r.box) for r in view.record.regions if r.name == "picture")
    x0, y0, x1, y1 = box.outer_pixels()
    return picture[y0:y1, x0:x1]
