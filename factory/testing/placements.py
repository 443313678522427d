"""Placements written down, for checks that must not depend on any bank of pages.

The golden digests rest on these numbers: change one and every golden changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.draw.compose import canvas_map

DEVICE_RATIOS = (1.0, 2.0, 3.0)

_CANVASES = ((1280, 800, 231, 70), (1920, 1080, 661, 207), (375, 812, 20, 97))
"""Viewport and corner of the panel, CSS px: two desktops and a phone."""

_SLIDER = (
    {"panel": (0, 0, 316, 446), "goal": (20, 20, 296, 64), "slot": (34, 86, 282, 334),
     "track": (20, 358, 296, 400), "handle": (23, 361, 73, 397)},
    {"panel": (0, 0, 300, 400), "goal": (16, 16, 284, 60), "slot": (46, 78, 254, 286),
     "track": (16, 306, 284, 342), "handle": (16, 306, 52, 342)},
    {"panel": (0, 0, 335, 430), "goal": (16, 350, 319, 394), "slot": (44, 24, 291, 271),
     "track": (16, 292, 319, 340), "handle": (19, 295, 67, 337)},
)  # fmt: skip

_PANELS = {"slider": _SLIDER}


def placements(kind: str) -> Iterator[Placement]:
    """Nine placements of a panel kind: three canvases and panel sizes by three device ratios."""
    if kind not in _PANELS:
        raise InvalidOptions(f"no written placements of panels of kind '{kind}'; add them here")
    for panel, (width, height, x, y) in enumerate(_CANVASES):
        boxes = {name: Box(*map(float, box)) for name, box in _PANELS[kind][panel].items()}
        for dpr in DEVICE_RATIOS:
            yield Placement(
                boxes=boxes,
                canvas_from_panel=canvas_map((x, y), dpr),
                width_px=round(width * dpr),
                height_px=round(height * dpr),
                dpr=dpr,
                touch=width < 1000,
            )
