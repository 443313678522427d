"""Piles of flat shapes: outlines, which hides how much of which, and piles whose order shows.

Hiding is counted on bit masks of ``WIDE`` x ``WIDE`` units about the middle of a tile, kept as
integers: laying one shape over another is one operation, the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import skia

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw.colours import mix, parse_hex
from factory.draw.panels.paint import ink

UNITS = 46
"""A tile's shorter side, in units."""

WIDE = 80
"""Of a mask: shapes near a tile's edge do not reach its border."""

TURN_DEG = 15.0
"""Shapes are turned by whole steps."""

EDGE = 1.0
"""Between shapes and the edge of their tile, units."""

STROKE = 0.9
"""Width of outlines, units."""

LEAST_EVIDENCE = 20
"""Square units in which a shape is seen to lie on the one below it: seven CSS px squared on the
smallest tiles."""

LEAST_SEEN = 0.3
"""Share of a shape that is seen."""

LEAST_RIM = 0.42
"""Share of a shape's outline that is seen: two corners, or the roundness."""

SPARE = 1.12
"""Piles are made past the floors by this factor."""

SIZES = (20, 27)
"""Sizes of shapes, units."""

PLACES, PILES = 14, 30
"""Places tried for a shape, and piles begun anew."""


def _regular(corners: int, inner: float = 1.0, low: float = 0.0) -> list[tuple[float, float]]:
    """A regular polygon, or a star whose inner corners lie nearer, a corner up."""
    many = corners if inner == 1.0 else 2 * corners
    found: list[tuple[float, float]] = []
    for k in range(many):
        reach = 0.5 * (inner if many > corners and k % 2 else 1.0)
        angle = 2 * math.pi * k / many
        found.append((reach * math.sin(angle), low - reach * math.cos(angle)))
    return found


def _heart() -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for k in range(40):
        t = 2 * math.pi * k / 40
        x = math.sin(t) ** 3
        y = (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16
        found.append((0.5 * x, -0.5 * y - 0.06))
    return found


def _cross() -> list[tuple[float, float]]:
    a, b = 0.17, 0.5
    return [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a),
            (-b, a), (-b, -a), (-a, -a)]  # fmt: skip


OUTLINES: Mapping[str, Sequence[tuple[float, float]]] = {
    "circle": _regular(40),
    "square": [(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)],
    "triangle": [(x * 1.08, y * 1.08) for x, y in _regular(3, low=0.08)],
    "star": [(x * 1.1, y * 1.1) for x, y in _regular(5, 0.46)],
    "heart": _heart(),
    "cross": _cross(),
}
"""Outlines about the origin, one across."""

SHAPES = tuple(OUTLINES)
REACH = {name: max(math.hypot(*spot) for spot in spots) for name, spots in OUTLINES.items()}
"""Radii that hold the shapes however turned, by their size."""

MOST_TURNS: Mapping[str, int] = {
    "circle": 1, "square": 6, "triangle": 8, "star": 5, "heart": 3, "cross": 3,
}  # fmt: skip
"""Turns of a shape that look different, and that leave it what it is called."""


PALETTES: Mapping[str, Sequence[str]] = {
    "light": ("#d8232a", "#1a4fb8", "#1f8a3a", "#b03fc0", "#f08a0a", "#5e3a1e", "#ff8cc6",
              "#94908a", "#17b4c4"),
    "dark": ("#ffd900", "#f4f4f2", "#ff94c8", "#3f8bff", "#ff8a00", "#3cb84a", "#e8323a",
             "#a24fe6", "#84827c"),
}  # fmt: skip
"""Colours by the mood of their ground; any two are told apart."""


def choose_colours(stream: Stream, mood: str) -> list[str]:
    """A colour for each of ``SHAPES``."""
    return stream.sample(PALETTES[mood], len(SHAPES))


@dataclass(frozen=True)
class Layer:
    """A shape of a pile: its middle ``(x, y)`` and ``size`` in units from the tile's middle,
    turned by steps of ``TURN_DEG``. JSON-able."""

    shape: str
    x: int
    y: int
    size: int
    turn: int
    colour: str

    @property
    def reach(self) -> float:
        """How far it may reach from the tile's middle, on either axis."""
        return max(abs(self.x), abs(self.y)) + REACH[self.shape] * self.size

    def outline(self, middle: Point, unit: float) -> list[Point]:
        """Its corners, CSS px, on a tile with a middle; ``unit`` in CSS px."""
        turn, size = math.radians(TURN_DEG * self.turn), unit * self.size
        c, s = size * math.cos(turn), size * math.sin(turn)
        x, y = middle.x + self.x * unit, middle.y + self.y * unit
        return [Point(x + c * a - s * b, y + s * a + c * b) for a, b in OUTLINES[self.shape]]

    def box(self, middle: Point, unit: float) -> Box:
        """A square that holds it, CSS px."""
        x, y = middle.x + self.x * unit, middle.y + self.y * unit
        return Box(x, y, x, y).grown(0.5 * self.size * unit)


@cache
def _mask(shape: str, size: int, turn: int) -> int:
    """The shape in the middle of a mask: bit ``row * WIDE + column``."""
    path = skia.Path()
    angle = math.radians(TURN_DEG * turn)
    c, s = math.cos(angle) * size, math.sin(angle) * size
    path.addPoly([skia.Point(c * a - s * b, s * a + c * b) for a, b in OUTLINES[shape]], True)
    buffer = np.zeros((WIDE, WIDE, 4), np.uint8)
    info = skia.ImageInfo.Make(WIDE, WIDE, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, buffer) as canvas:
        canvas.translate(WIDE / 2, WIDE / 2)
        canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.ColorWHITE))
    bits = np.packbits(buffer[..., 3].ravel() >= 128, bitorder="little")
    return int.from_bytes(bits.tobytes(), "little")


def mask_of(layer: Layer) -> int:
    """Where a layer lies."""
    shift = layer.y * WIDE + layer.x
    own = _mask(layer.shape, layer.size, layer.turn)
    return own << shift if shift >= 0 else own >> -shift


def rim_of(mask: int) -> int:
    """The border of a mask."""
    return mask & ~(mask << 1 & mask >> 1 & mask << WIDE & mask >> WIDE)


@dataclass(frozen=True)
class Sight:
    """How much of each layer is seen, from the lowest up: shares of areas and of outlines; and
    square units in which each but the lowest is seen to lie on the one below it."""

    seen: tuple[float, ...]
    rims: tuple[float, ...]
    evidence: tuple[int, ...]


def sight(masks: Sequence[int]) -> Sight:
    """What is seen of a pile, lowest first."""
    above, seen, rims, evidence = 0, list[float](), list[float](), list[int]()
    for place in range(len(masks) - 1, -1, -1):
        own = masks[place]
        rim = rim_of(own)
        seen.append((own & ~above).bit_count() / own.bit_count())
        rims.append((rim & ~above).bit_count() / rim.bit_count())
        if place:
            evidence.append((own & masks[place - 1] & ~above).bit_count())
        above |= own
    return Sight(tuple(seen[::-1]), tuple(rims[::-1]), tuple(evidence[::-1]))


def over(masks: Sequence[int], a: int, b: int) -> int:
    """Square units in which layer ``a`` is seen to lie on layer ``b`` below it."""
    above = 0
    for mask in masks[a + 1 :]:
        above |= mask
    return (masks[a] & masks[b] & ~above).bit_count()


def build(
    stream: Stream, shapes: Sequence[str], colours: Mapping[str, str], pair: tuple[str, str] | None
) -> tuple[Layer, ...]:
    """A pile of shapes, lowest first, whose order can be seen; of ``pair``, directly."""
    for _ in range(PILES):
        pile = _begun(stream, shapes, colours)
        if pile is not None and (pair is None or _direct(pile, pair)):
            return pile
    raise Rejected("no pile whose order shows", value=len(shapes), limit=PILES)


def _direct(pile: Sequence[Layer], pair: tuple[str, str]) -> bool:
    low, high = sorted(k for k, layer in enumerate(pile) if layer.shape in pair)
    return over([mask_of(one) for one in pile], high, low) >= SPARE * LEAST_EVIDENCE


def _begun(
    stream: Stream, shapes: Sequence[str], colours: Mapping[str, str]
) -> tuple[Layer, ...] | None:
    """Shapes laid one on another, each where the order still shows; None when one has no place."""
    pile, shown = list[Layer](), list[_Shown]()
    for shape in shapes:
        for _ in range(PLACES):
            layer = _somewhere(stream, shape, colours[shape], pile)
            own = mask_of(layer)
            if all(one.stands(own) for one in shown) and (
                not shown or (shown[-1].mask & own).bit_count() >= SPARE * LEAST_EVIDENCE
            ):
                below = shown[-1].mask if shown else 0
                shown = [one.under(own) for one in shown]
                shown.append(_Shown.top(own, below))
                pile.append(layer)
                break
        else:
            return None
    return tuple(pile)


class _Shown(NamedTuple):
    """A layer of a growing pile: its mask; what is still seen of it, of its outline and of where
    it lies on the one below it; and the least that has to stay seen of each."""

    mask: int
    seen: int
    rim: int
    evidence: int
    least: tuple[float, float, float]

    @classmethod
    def top(cls, mask: int, below: int) -> _Shown:
        """A layer that nothing covers yet."""
        rim, evidence = rim_of(mask), mask & below
        least = (
            SPARE * LEAST_SEEN * mask.bit_count(),
            SPARE * LEAST_RIM * rim.bit_count(),
            SPARE * LEAST_EVIDENCE if below else 0.0,
        )
        return cls(mask, mask, rim, evidence, least)

    def stands(self, cover: int) -> bool:
        """Whether enough is seen under one more layer."""
        return (
            (self.rim & ~cover).bit_count() >= self.least[1]
            and (self.evidence & ~cover).bit_count() >= self.least[2]
            and (self.seen & ~cover).bit_count() >= self.least[0]
        )

    def under(self, cover: int) -> _Shown:
        """The layer with another over it."""
        return self._replace(
            seen=self.seen & ~cover, rim=self.rim & ~cover, evidence=self.evidence & ~cover
        )


def _somewhere(stream: Stream, shape: str, colour: str, below: Sequence[Layer]) -> Layer:
    """A shape anywhere on the tile that holds it, or near the last one."""
    size = stream.integer(*SIZES)
    room = UNITS / 2 - REACH[shape] * size - EDGE - 0.51
    at = below[-1] if below else None
    x, y = stream.uniform(-room, room), stream.uniform(-room, room)
    if at is not None:
        far = 0.62 * at.size
        x = min(max(at.x + stream.uniform(-far, far), -room), room)
        y = min(max(at.y + stream.uniform(-far, far), -room), room)
    turn = stream.integer(0, MOST_TURNS[shape])
    if shape in ("heart", "cross"):
        turn -= 1
    return Layer(shape, round(x), round(y), size, turn % 24, colour)


@cache
def _path(shape: str) -> Any:
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y in OUTLINES[shape]], True)
    return path


@cache
def _edge(colour: str, width: float) -> Any:
    paint = skia.Paint(AntiAlias=True, Color=skia.Color(*parse_hex(mix(colour, "#000000", 0.62))))
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def paint_pile(canvas: Any, pile: Sequence[Layer], tile: Box, opacity: float) -> None:
    """A pile in the middle of a tile."""
    unit = min(tile.width, tile.height) / UNITS
    for layer in pile:
        canvas.save()
        canvas.translate(tile.center.x + unit * layer.x, tile.center.y + unit * layer.y)
        canvas.rotate(TURN_DEG * layer.turn)
        canvas.scale(unit * layer.size, unit * layer.size)
        path = _path(layer.shape)
        canvas.drawPath(path, ink(parse_hex(layer.colour), opacity))
        canvas.drawPath(path, _edge(layer.colour, STROKE / layer.size))
        canvas.restore()
