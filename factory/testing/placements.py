"""Placements that depend on no bank of pages: any panel on nine canvases.

The golden digests rest on these places and on the panels' layout: change
either and the goldens change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from factory.core.puzzle import PanelRequest, Placement
from factory.core.rng import Stream
from factory.draw.compose import canvas_map
from factory.draw.panels import PanelLayout, Surface, lay_out_panel
from factory.draw.tokens import tokens_named

DEVICE_RATIOS = (1.0, 2.0, 3.0)


class Ground(NamedTuple):
    """A canvas in CSS px and what the panel on it looks like."""

    width: int
    height: int
    surface: Surface
    tokens: str
    lang: str


GROUNDS = (
    Ground(1280, 800, "card", "indigo-light", "en"),
    Ground(1920, 1080, "card", "fern-dark", "zh"),
    Ground(375, 812, "sheet", "ochre-light", "en"),
)
"""Two desktops and a phone."""

FREE_CSS = 20
"""What a card keeps free of its canvas on each side, CSS px."""

CARD_PLACE = (0.41, 0.37)
"""Where a card stands in the room that it leaves: not in the middle, not at an edge."""


def placements(request: PanelRequest) -> Iterator[Placement]:
    """Nine placements of a panel: three canvases and panel sizes by three device ratios.

    Where the request leaves it open, every other panel has a submit button.
    """
    for number, ground in enumerate(GROUNDS):
        for turn, ratio in enumerate(DEVICE_RATIOS):
            layout = written_layout(request, number, submit=(number + turn) % 2 == 0)
            yield placed_at(layout, ground, ratio)


def written_layout(request: PanelRequest, number: int, *, submit: bool) -> PanelLayout:
    """The panel on one of ``GROUNDS``, with or without the button where both will do."""
    ground = GROUNDS[number]
    if request.submit == "either":
        request = replace(request, submit="always" if submit else "never")
    phone = ground.surface == "sheet"
    free = 0 if phone else 2 * FREE_CSS
    return lay_out_panel(
        request,
        tokens=tokens_named(ground.tokens),
        lang=ground.lang,
        stream=Stream(f"written panel {number}"),
        surface=ground.surface,
        touch=phone,
        room=(ground.width - free, ground.height - 2 * FREE_CSS),
        width=ground.width if phone else None,
    )


def placed_at(layout: PanelLayout, ground: Ground, ratio: float) -> Placement:
    """The panel on its canvas: a sheet at the bottom, a card at ``CARD_PLACE``."""
    x_share, y_share = (0.0, 1.0) if ground.surface == "sheet" else CARD_PLACE
    corner = (
        round(x_share * (ground.width - layout.width)),
        round(y_share * (ground.height - layout.height)),
    )
    return Placement(
        boxes=layout.boxes,
        canvas_from_panel=canvas_map(corner, ratio),
        width_px=round(ground.width * ratio),
        height_px=round(ground.height * ratio),
        dpr=ratio,
        touch=layout.touch,
        tokens=layout.tokens,
        lang=layout.lang,
        corner_css=layout.corner_css,
        ground=layout.ground,
    )
