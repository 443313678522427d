"""The independent judge of ``click_icons_all_matching``: names every icon by its pixels.

What stands in each spot is found as the judge of boards finds it, by icons rendered anew from
their files; the colour of line icons is that of the px farthest from what surrounds them. The
goal says what is asked for: a kind, a thing by its name, or a colour.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone
from factory.draw import icons
from factory.draw.colour_names import NAMES, SHADES, ciede2000, lab
from factory.draw.colours import parse_hex
from factory.testing import View
from factory.testing.suite import load_judge

boards: Any = load_judge("grid_category_select", Path(__file__).parent)
"""The judge that names things of the catalogue."""

INK = 0.06
"""Share of a spot's px that surely are of lines."""


def solve(view: View) -> list[ActionBase]:
    """Click every icon that is what the goal asks for."""
    goal, split = view.record.tasks[0].goal, view.record.split
    zones = [Zone(tuple(map(Point, r.polygon[::2], r.polygon[1::2])))
             for r in view.record.regions if r.role in ("target", "distractor")]  # fmt: skip
    kind = next((kind for words, kind in boards.QUERIES.items() if words in goal), "")
    colour = next((name for name, (en, zh) in NAMES.items()
                   if f"anything {en}" in goal or f"{zh}的图标" in goal), "")  # fmt: skip
    if colour:
        right = [_colour(view.picture, zone.box) == colour for zone in zones]
    else:
        found = list(
            map(icons.icon_info, boards.named(view.picture, [z.box for z in zones], split))
        )
        right = [i.category == kind if kind else _says(goal, i) for i in found]
        if not kind and any(right):  # of several names that fit ("cat", "cat face") the longest
            longest = max(len(i.en) for i, fits in zip(found, right, strict=True) if fits)
            right = [fits and len(i.en) == longest for i, fits in zip(found, right, strict=True)]
    chosen = [Click(zone.center) for zone, fits in zip(zones, right, strict=True) if fits]
    submit = [Click(Box(*r.box).center) for r in view.record.regions if r.name == "submit"]
    return [*chosen, *submit]


def _says(goal: str, info: Any) -> bool:
    """Whether a goal names a thing."""
    return goal.endswith(f": {info.en}") or info.zh in goal


def _colour(picture: Any, box: Box) -> str:
    """The name of the colour of the px that differ most from the rim of a spot."""
    x0, y0, x1, y1 = box.grown(2).outer_pixels()
    window = lab(picture[max(0, y0) : y1, max(0, x0) : x1, ::-1])
    rim = np.concatenate([window[0], window[-1], window[:, 0], window[:, -1]])
    flat = window.reshape(-1, 3)
    far = np.linalg.norm(flat - np.median(rim, axis=0), axis=1)
    ink = np.median(flat[np.argsort(-far)[: max(4, int(INK * len(flat)))]], axis=0)
    near = {
        name: min(float(ciede2000(ink, lab(parse_hex(shade)))) for shade in shades)
        for name, shades in SHADES.items()
    }
    return min(near, key=lambda name: near[name])
