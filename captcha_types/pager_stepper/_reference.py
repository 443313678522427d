"""What the strip of a pager shows of a number: the numeral, strokes of a tally, or dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import skia

from captcha_types.pager_stepper import _kit as kit
from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.core.rng import Stream
from factory.draw import glyphs
from factory.draw.panels.paint import ink
from factory.draw.solid.dice import PIPS, symbol_path
from factory.draw.tokens import tokens_named

Kind = Literal["numeral", "tally", "dice"]
KINDS: tuple[Kind, ...] = ("numeral", "tally", "dice")

CARD_CSS = 46.0
NUMERAL_CSS = 26.0
"""Height of a numeral; two figures are as wide."""

DIE_CSS, DIE_PITCH_CSS = 36.0, 43.0
STROKE_PITCH_CSS, GROUP_GAP_CSS, STROKE_HIGH_CSS = 6.5, 11.0, 26.0
PAD_CSS = 14.0


@dataclass(frozen=True)
class Reference:
    """A number and how it is shown. JSON-able; ``dice`` are the values of the dice that show it."""

    number: int
    kind: Kind
    face: str
    dice: tuple[int, ...]


def choose_reference(stream: Stream, number: int, split: str) -> Reference:
    """Any of the ways to show a number."""
    kind = stream.choice(KINDS)
    face = stream.choice(glyphs.faces(split, "latin", plain=True)).name
    least = -(-number // 6)
    count = stream.integer(least, min(3, number, least + 1) + 1)
    values = [1] * count
    for _ in range(number - count):
        values[stream.choice([k for k in range(count) if values[k] < 6])] += 1
    return Reference(number, kind, face, tuple(values) if kind == "dice" else ())


def shown_number(reference: Reference) -> int:
    """The number that a reader of the strip finds."""
    return sum(reference.dice) if reference.kind == "dice" else reference.number


def paint_reference(canvas: Any, reference: Reference, placement: Placement) -> None:
    """The reference on its card in the middle of the strip."""
    strip = placement.boxes["strip"]
    paint = ink(tokens_named(placement.tokens).rgb("text"))
    x, y = strip.center
    wide = max(CARD_CSS + 18.0, _width(reference) + 2 * PAD_CSS)
    kit.paint_card(canvas, Box.sized(x - wide / 2, y - CARD_CSS / 2, wide, CARD_CSS), placement)
    canvas.save()
    canvas.translate(x, y)
    _PAINTERS[reference.kind](canvas, reference, paint)
    canvas.restore()


def _width(reference: Reference) -> float:
    if reference.kind == "numeral":
        return NUMERAL_CSS
    if reference.kind == "dice":
        return DIE_PITCH_CSS * (len(reference.dice) - 1) + DIE_CSS
    return _stroke_x(reference.number - 1)


def _stroke_x(index: int) -> float:
    """Where a stroke of a tally stands; the fifth of each group lies across the four."""
    group, place = divmod(index, 5)
    return group * (3 * STROKE_PITCH_CSS + GROUP_GAP_CSS) + min(place, 3) * STROKE_PITCH_CSS


def _numeral(canvas: Any, reference: Reference, paint: Any) -> None:
    text = str(reference.number)
    if len(text) == 1:
        canvas.drawPath(symbol_path(reference.face, text, NUMERAL_CSS), paint)
        return
    shapes = [glyphs.outline(reference.face, char) for char in text]
    scale = NUMERAL_CSS / max(shape.ink.height for shape in shapes)
    total = sum(shape.advance for shape in shapes)
    canvas.scale(scale, scale)
    canvas.translate(-total / 2, shapes[0].ink.height / 2)
    for shape in shapes:
        canvas.drawPath(shape.path, paint)
        canvas.translate(shape.advance, 0)


def _tally(canvas: Any, reference: Reference, paint: Any) -> None:
    stroke = skia.Paint(paint)
    stroke.setStyle(skia.Paint.kStroke_Style)
    stroke.setStrokeWidth(2.4)
    stroke.setStrokeCap(skia.Paint.kRound_Cap)
    canvas.translate(-_width(reference) / 2, 0)
    half = STROKE_HIGH_CSS / 2
    for index in range(reference.number):
        x = _stroke_x(index)
        if index % 5 == 4:
            left = x - 3 * STROKE_PITCH_CSS - 3.5
            canvas.drawLine(left, 0.55 * half, x + 3.5, -0.55 * half, stroke)
        else:
            canvas.drawLine(x, -half, x, half, stroke)


def _dice(canvas: Any, reference: Reference, paint: Any) -> None:
    edge = skia.Paint(paint)
    edge.setStyle(skia.Paint.kStroke_Style)
    edge.setStrokeWidth(1.8)
    canvas.translate(-DIE_PITCH_CSS * (len(reference.dice) - 1) / 2, 0)
    half = DIE_CSS / 2
    for value in reference.dice:
        canvas.drawRoundRect(skia.Rect(-half, -half, half, half), 7, 7, edge)
        for x, y in PIPS[value]:
            canvas.drawCircle(0.26 * DIE_CSS * x, 0.26 * DIE_CSS * y, 0.095 * DIE_CSS, paint)
        canvas.translate(DIE_PITCH_CSS, 0)


_PAINTERS = {"numeral": _numeral, "tally": _tally, "dice": _dice}
