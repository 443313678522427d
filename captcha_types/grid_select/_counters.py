"""Small things to count: balls, stars, hearts, gems and dice, with a little light and depth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import skia

from factory.core.geometry import Box
from factory.draw.colours import contrast, mix
from factory.draw.styles import rgb_colour

NAMES: Mapping[str, tuple[str, str, str]] = {
    "ball": ("ball", "balls", "个球"),
    "star": ("star", "stars", "颗星"),
    "heart": ("heart", "hearts", "颗心"),
    "gem": ("gem", "gems", "颗宝石"),
    "drop": ("drop", "drops", "个水滴"),
    "die": ("die", "dice", "颗骰子"),
}
"""What things are called: one, several, and in Chinese with the measure word."""

TOKENS = ("ball", "star", "heart", "gem", "drop")

PIPS: Mapping[int, Sequence[tuple[float, float]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Places of pips, in steps from the middle of a face."""

PIP_STEP, PIP_RADIUS, DIE_ROUND = 0.27, 0.095, 0.2
"""By the side of a die."""

SHADOW = 0.07
"""How far a shadow falls, by the size."""


@dataclass(frozen=True)
class Counter:
    """One thing: the middle and size (its longest side) in CSS px, its colour and its name.

    ``pips`` is what a die shows, 0 for other things. JSON-able.
    """

    shape: str
    x: float
    y: float
    size: float
    colour: str
    name: str
    turn_deg: float = 0.0
    pips: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, float):
                object.__setattr__(self, name, round(value, 6))

    @property
    def worth(self) -> int:
        """What it counts for: its pips, or one."""
        return self.pips or 1

    @property
    def reach(self) -> float:
        """Radius that holds it however it is turned, CSS px."""
        return self.size * (0.62 if self.shape == "die" else 0.54)

    @property
    def box(self) -> Box:
        """The square around its reach."""
        return Box(self.x, self.y, self.x, self.y).grown(self.reach)


@cache
def outline(shape: str) -> skia.Path:
    """The outline of a shape in a square of side 1 about 0."""
    path = skia.Path()
    if shape == "ball":
        path.addCircle(0, 0, 0.48)
    elif shape == "die":
        path.addRoundRect(skia.Rect(-0.5, -0.5, 0.5, 0.5), DIE_ROUND, DIE_ROUND)
    elif shape == "star":
        points = [_polar(0.53 if k % 2 == 0 else 0.25, 36.0 * k) for k in range(10)]
        path.addPoly([skia.Point(x, y + 0.03) for x, y in points], True)
    elif shape == "heart":
        path.moveTo(0, 0.46)
        path.cubicTo(-0.72, 0.02, -0.5, -0.5, -0.22, -0.44)
        path.cubicTo(-0.08, -0.42, 0, -0.3, 0, -0.22)
        path.cubicTo(0, -0.3, 0.08, -0.42, 0.22, -0.44)
        path.cubicTo(0.5, -0.5, 0.72, 0.02, 0, 0.46)
        path.close()
    elif shape == "gem":
        corners = ((-0.28, -0.38), (0.28, -0.38), (0.5, -0.1), (0, 0.46), (-0.5, -0.1))
        path.addPoly([skia.Point(x, y) for x, y in corners], True)
    else:
        path.moveTo(0, -0.52)
        path.cubicTo(0.12, -0.24, 0.38, -0.06, 0.38, 0.14)
        path.cubicTo(0.38, 0.36, 0.2, 0.48, 0, 0.48)
        path.cubicTo(-0.2, 0.48, -0.38, 0.36, -0.38, 0.14)
        path.cubicTo(-0.38, -0.06, -0.12, -0.24, 0, -0.52)
        path.close()
    return path


def _polar(radius: float, turn_deg: float) -> tuple[float, float]:
    angle = math.radians(turn_deg)
    return radius * math.sin(angle), -radius * math.cos(angle)


@cache
def _fill(colour: str, alpha: int = 255) -> skia.Paint:
    return skia.Paint(Color=rgb_colour(colour, alpha), AntiAlias=True)


@cache
def _line(colour: str, width: float, alpha: int) -> skia.Paint:
    return skia.Paint(
        Color=rgb_colour(colour, alpha), AntiAlias=True, Style=skia.Paint.kStroke_Style,
        StrokeWidth=width, StrokeJoin=skia.Paint.kRound_Join, StrokeCap=skia.Paint.kRound_Cap,
    )  # fmt: skip


def draw_counters(canvas: Any, things: Sequence[Counter]) -> None:
    """Draw things on a canvas in CSS px."""
    for thing in things:
        path = outline(thing.shape)
        canvas.save()
        canvas.translate(thing.x, thing.y)
        canvas.scale(thing.size, thing.size)
        canvas.save()
        canvas.translate(0.02, SHADOW)
        canvas.rotate(thing.turn_deg)
        canvas.drawPath(path, _fill("#05070c", 64))
        canvas.restore()
        canvas.rotate(thing.turn_deg)
        canvas.drawPath(path, _fill(thing.colour))
        if thing.shape == "die":
            _face(canvas, thing)
        else:
            _light(canvas, thing)
        canvas.restore()


def _light(canvas: Any, thing: Counter) -> None:
    """A rim in a deeper shade and a highlight; facets on gems."""
    canvas.drawPath(outline(thing.shape), _line(mix("#000000", thing.colour, 0.35), 0.05, 255))
    if thing.shape == "gem":
        facet = _line("#ffffff", 0.045, 150)
        canvas.drawLine(-0.44, -0.1, 0.44, -0.1, facet)
        canvas.drawLine(-0.18, -0.1, 0.0, 0.36, facet)
        canvas.drawLine(0.18, -0.1, 0.0, 0.36, facet)
        return
    y = 0.08 if thing.shape == "drop" else -0.16
    canvas.drawOval(skia.Rect.MakeXYWH(-0.24, y - 0.08, 0.2, 0.15), _fill("#ffffff", 150))


def _face(canvas: Any, thing: Counter) -> None:
    """A lit bevel and the pips, sunk a little."""
    inner = skia.Rect(-0.43, -0.43, 0.43, 0.43)
    canvas.drawRoundRect(inner, DIE_ROUND * 0.8, DIE_ROUND * 0.8, _fill("#ffffff", 26))
    canvas.drawPath(outline("die"), _line(mix("#000000", thing.colour, 0.3), 0.035, 255))
    pip = pip_colour(thing.colour)
    for column, row in PIPS[thing.pips]:
        canvas.drawCircle(PIP_STEP * column, PIP_STEP * row, PIP_RADIUS, _fill(pip))


def pip_colour(body: str) -> str:
    """White or near-black, whichever reads better on a die."""
    return max(("#ffffff", "#14161c"), key=lambda pip: contrast(pip, body))
