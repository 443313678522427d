"""Strips above a picture that show, left to right, which characters are meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import skia

from captcha_types.glyph_click._kit import (
    Script,
    able_faces,
    choose_faces,
    faint,
    gap_between,
    ink,
    reads,
)
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import glyphs, grounds
from factory.draw.colours import contrast
from factory.draw.glyphs import GlyphSpec
from factory.draw.styles import Style, choose_style, rgb_colour
from factory.draw.tokens import AA_TEXT, Tokens

Look = Literal["plain", "cards", "picture"]
LOOKS: tuple[Look, ...] = ("plain", "cards", "picture")

HEIGHT_CSS = 46
CARD_CSS = 38.0
SIZE_CSS = 30.0
"""Size of the characters: capitals are 21 px high."""

PITCH_CSS = {"plain": 46.0, "cards": 46.0, "picture": 52.0}
"""Between the middles of neighbours; with signs between them a little more."""

JOINT_CSS = 12.0
"""What a sign between two characters adds to the pitch."""

APART_CSS = 4.0
"""Between the circles around neighbours at least."""

LEAN_DEG = 9.0
"""Turn of characters in strips that are pictures."""

GROUNDS = ("gradient", "paper", "pattern", "facets", "strata")
"""Grounds of strips that are pictures: calm ones, and no scene, which takes long to draw."""

SEEDS = 1 << 20


@dataclass(frozen=True)
class Strip:
    """Glyphs in CSS px from the strip's corner, left to right. JSON-able.

    ``joint`` is what stands between them; ``card`` and ``edge`` are the colours of the
    cards behind them, if any, ``paper`` the panel's; ``ground`` fills a strip that is a picture.
    """

    look: Look
    glyphs: tuple[GlyphSpec, ...]
    size: tuple[float, float]
    joint: Literal["", "chevron", "arrow"]
    joint_ink: str
    card: str
    edge: str
    corner: float
    paper: str
    ground: grounds.Ground | None = None


def choose_strip(
    stream: Stream, chars: Sequence[str], box: Box, tokens: Tokens, *, script: Script, split: str
) -> Strip:
    """A strip in one of three looks, in the panel's own colours unless it is a picture."""
    look = stream.choice(LOOKS)
    ground = None
    if look == "picture":
        kind = stream.choice(GROUNDS)
        ground = grounds.compose(
            kind, stream.integer(0, SEEDS), stream.child("ground"), split, moods=("light", "dark")
        )
    joint = stream.choice(("", "chevron", "arrow")) if look != "picture" else ""
    face = choose_faces(stream, script, split, [chars[0]])[0]
    able = all(face in able_faces(split, script, char) for char in chars)
    faces = [face] * len(chars) if able else choose_faces(stream, script, split, chars)
    xs = _places(stream, len(chars), box.width, PITCH_CSS[look] + (JOINT_CSS if joint else 0.0))
    specs = [
        _glyph(stream, char, own, x, box.height / 2, tokens, ground)
        for char, own, x in zip(chars, faces, xs, strict=True)
    ]
    return Strip(
        look=look,
        glyphs=tuple(specs),
        size=(box.width, box.height),
        joint=joint,
        joint_ink=tokens.muted,
        card=tokens.raised if look == "cards" else "",
        edge=tokens.border if look == "cards" else "",
        corner=float(min(tokens.control_radius_px, 12)),
        paper=tokens.surface,
        ground=ground,
    )


def _places(stream: Stream, count: int, width: float, pitch: float) -> list[float]:
    """Middles from left to right, centred: goals are at the left or centred, and it suits both."""
    widest = (width - CARD_CSS - 2) / max(1, count - 1)
    pitch = min(pitch * stream.uniform(1.0, 1.25), widest)
    start = (width - pitch * (count - 1)) / 2
    return [round(start + pitch * k, 6) for k in range(count)]


def _glyph(
    stream: Stream,
    char: str,
    face: str,
    x: float,
    y: float,
    tokens: Tokens,
    ground: grounds.Ground | None,
) -> GlyphSpec:
    size = round(min(SIZE_CSS, 0.46 * CARD_CSS / glyphs.reach(face, char, 1.0)), 3)
    if ground is None:
        return GlyphSpec(char, face, size, x, y, Style("fill", tokens.text))
    style = choose_style(stream, ground.tone, size, kinds=("fill", "gradient", "shadow"))
    turn = round(stream.uniform(-LEAN_DEG, LEAN_DEG), 3)
    return GlyphSpec(char, face, size, x, y, style, turn_deg=turn)


def refuse_strip(strip: Strip) -> None:
    """``Rejected`` where a character is cut, touches its neighbour or does not stand out."""
    for before, after in pairwise(strip.glyphs):
        apart = gap_between(before, after)
        if after.x <= before.x or apart < APART_CSS:
            raise Rejected("order of the strip unclear", value=apart, limit=APART_CSS)
    for spec in strip.glyphs:
        if not Box(0, 0, *strip.size).holds(ink(spec).painted):
            raise Rejected("strip cut off")
        if not _stands_out(strip, spec):
            raise Rejected("strip does not stand out")


def _stands_out(strip: Strip, spec: GlyphSpec) -> bool:
    if strip.ground is not None:
        return reads(spec.style, strip.ground.tone)
    return contrast(spec.style.ink, strip.card or strip.paper) >= AA_TEXT


def bad_strips(strip: Strip) -> Iterator[tuple[str, Strip]]:
    """Strips near a good one, each with the reason for which it is refused."""
    first, *rest = strip.glyphs
    moved, last = replace(rest[0], x=first.x + 4.0), replace(rest[-1], x=strip.size[0])
    pale = faint(strip.ground.tone) if strip.ground else Style("fill", strip.card or strip.paper)
    for reason, specs in (
        ("order of the strip unclear", (first, moved, *rest[1:])),
        ("strip cut off", (first, *rest[:-1], last)),
        ("strip does not stand out", (replace(first, style=pale), *rest)),
    ):
        yield reason, replace(strip, glyphs=specs)


def draw_strip(canvas: skia.Canvas, strip: Strip) -> None:
    """Paint a strip on a canvas in CSS px with its corner at the origin."""
    whole = Box(0, 0, *strip.size)
    if strip.ground is not None:
        canvas.save()
        canvas.clipRRect(
            skia.RRect.MakeRectXY(skia.Rect(*whole.as_list()), strip.corner, strip.corner),
            skia.ClipOp.kIntersect,
            True,
        )
        grounds.draw_ground(canvas, strip.ground, whole)
        canvas.restore()
    for spec in strip.glyphs if strip.card else ():
        _card(canvas, strip, spec)
    for before, after in pairwise(strip.glyphs):
        _joint(canvas, strip, (before.x + after.x) / 2, before.y)
    glyphs.draw_glyphs(canvas, strip.glyphs)


def _card(canvas: skia.Canvas, strip: Strip, spec: GlyphSpec) -> None:
    half, corner = CARD_CSS / 2, min(strip.corner, CARD_CSS / 2)
    rect = skia.Rect(spec.x - half, spec.y - half, spec.x + half, spec.y + half)
    canvas.drawRoundRect(rect, corner, corner, _paint(strip.card))
    rect.inset(0.5, 0.5)
    canvas.drawRoundRect(rect, corner, corner, _paint(strip.edge, 1.0))


def _joint(canvas: skia.Canvas, strip: Strip, x: float, y: float) -> None:
    """A chevron, or an arrow, that points on."""
    if not strip.joint:
        return
    path = skia.Path()
    reach = 2.5 if strip.joint == "chevron" else 3.5
    path.moveTo(x + reach - 4, y - 4)
    path.lineTo(x + reach, y)
    path.lineTo(x + reach - 4, y + 4)
    if strip.joint == "arrow":
        path.moveTo(x + reach, y)
        path.lineTo(x - 4.5, y)
    canvas.drawPath(path, _paint(strip.joint_ink, 1.6))


def _paint(colour: str, stroke: float = 0.0) -> Any:
    paint: Any = skia.Paint(Color=rgb_colour(colour), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint
