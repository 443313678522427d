"""Solids of revolution part by part: sharp outlines, soft light, at a small cost.

For a camera that looks down, what is higher on a line of sight is nearer. So the parts of a
solid that stands on its axis are painted from the foot up, each with its upper disc.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import skia

from factory.draw.colours import RGB
from factory.draw.solid.camera import Camera
from factory.draw.solid.light import Light, lit
from factory.draw.solid.outlines import add_hull

CORNERS = 36
"""Of a circle: its edge is then no polygon to the eye."""

STOPS = 7
"""Colours across a part, from its left edge over the front to its right edge."""

GLOSS, GLOSS_POWER = 0.3, 14
_CIRCLE = np.array(
    [(math.cos(a), math.sin(a)) for a in (2 * math.pi * k / CORNERS for k in range(CORNERS))]
)


def paint_turned(
    canvas: skia.Canvas,
    camera: Camera,
    light: Light,
    profile: Sequence[tuple[float, float]],
    colour: str,
) -> None:
    """The solid of a profile of (radius, height), foot first, about the axis x = y = 0.

    The camera has to look down on it from the viewer's side (azimuth -90 degrees).
    """
    rings = np.zeros((len(profile), CORNERS, 3))
    for index, (radius, height) in enumerate(profile):
        rings[index, :, :2] = radius * _CIRCLE
        rings[index, :, 2] = height
    seen = camera.array(rings)[..., :2].astype(np.float32)
    top = skia.Paint(Color=skia.Color(*lit(colour, light.level((0.0, 0.0, 1.0)))), AntiAlias=True)
    for index, (low, high) in enumerate(pairwise(profile)):
        if high[1] > low[1]:
            part = skia.Path()
            add_hull(part, seen[index : index + 2].reshape(-1, 2))
            canvas.drawPath(part, _across(light, low, high, seen[index : index + 2], colour))
        disc = skia.Path()
        add_hull(disc, seen[index + 1])
        canvas.drawPath(disc, top)


def _across(
    light: Light, low: tuple[float, float], high: tuple[float, float], seen: Any, colour: str
) -> skia.Paint:
    """The light on a part from left to right."""
    out, up = high[1] - low[1], low[0] - high[0]
    size = math.sqrt(out * out + up * up)
    shades: list[int] = []
    for k in range(STOPS):
        across = -1.0 + 2.0 * k / (STOPS - 1)
        front = -math.sqrt(max(0.0, 1.0 - across * across))
        normal = (across * out / size, front * out / size, up / size)
        shades.append(skia.Color(*_lit(light, normal, colour)))
    paint = skia.Paint(AntiAlias=True)
    left, right = float(seen[..., 0].min()), float(seen[..., 0].max())
    ends = [skia.Point(left, 0.0), skia.Point(max(right, left + 0.01), 0.0)]
    paint.setShader(skia.GradientShader.MakeLinear(ends, shades))
    return paint


def _lit(light: Light, normal: tuple[float, float, float], colour: str) -> RGB:
    """Matt light and a soft highlight, seen from the viewer's side."""
    key = max(0.0, sum(n * t for n, t in zip(normal, light.towards, strict=True)))
    mirror = max(0.0, 2 * key * -normal[1] + light.towards[1])
    return lit(colour, light.level(normal), GLOSS * mirror**GLOSS_POWER)
