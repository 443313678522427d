"""Strips above a picture that show, left to right, which icons are meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import skia

from captcha_types.icon_shape_click._kit import radius, reads
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import grounds, icons
from factory.draw.colours import luminance
from factory.draw.icons import IconInfo, IconSpec, IconStyle
from factory.draw.styles import rgb_colour
from factory.draw.text import Face, draw_line
from factory.draw.tokens import AA_TEXT, Tokens, parse_hex, tokens_named
from factory.draw.tones import Tone

Look = Literal["plain", "cards", "picture"]
LOOKS: tuple[Look, ...] = ("plain", "cards", "picture")

HEIGHT_CSS = 48
CARD_CSS = 40.0
SIZE_CSS = 30.0
PITCH_CSS = 48.0
"""Between the middles of neighbours."""

NUMBER_CSS = 13.0
"""What a number at the left of each icon adds to the pitch."""

MOST_NUMBERED = 4
"""Icons in a strip that leave room for numbers."""

APART_CSS = 3.0
"""Between the circles around neighbours at least."""

GROUNDS = ("gradient", "paper", "pattern", "facets", "strata")
"""Grounds of strips that are pictures: calm ones, and no scene, which takes long to draw."""

SEEDS = 1 << 20

DARK = 0.2
"""Luminance below which emoji, many of which are dark, get a white edge; above it a shadow."""

GREY_ROW = (0.299, 0.587, 0.114)
"""Shares of red, green and blue in a grey, as in television."""

DEEPENED = 0.72
"""What greys on light paper are multiplied by, where pale emoji would be lost."""


@dataclass(frozen=True)
class Strip:
    """Icons in CSS px from the strip's corner, left to right. JSON-able.

    ``grey`` takes the colours of emoji out; ``numbered`` puts 1, 2, 3 before the icons, in
    the panel's type; ``card`` and ``edge`` are the colours of cards behind the icons, if any,
    ``paper`` is the panel's; ``ground`` fills a strip that is a picture.
    """

    look: Look
    icons: tuple[IconSpec, ...]
    size: tuple[float, float]
    grey: bool
    numbered: bool
    tokens: str
    card: str
    edge: str
    paper: str
    corner: float
    ground: grounds.Ground | None = None

    @property
    def tone(self) -> Tone:
        """Bounds of the luminance behind the icons."""
        if self.ground is not None:
            return self.ground.tone
        level = luminance(self.card or self.paper)
        return Tone(level, level)


def choose_strip(
    stream: Stream,
    chosen: Sequence[IconInfo],
    box: Box,
    tokens: Tokens,
    *,
    split: str,
    restyle: float,
    turn_deg: float,
) -> Strip:
    """A strip in one of three looks, with icons as they are or (``restyle`` often) otherwise."""
    look = stream.choice(LOOKS)
    ground = None
    if look == "picture":
        kind, number = stream.choice(GROUNDS), stream.integer(0, SEEDS)
        moods = ("light", "dark")
        ground = grounds.compose(kind, number, stream.child("ground"), split, moods=moods)
    bare = Strip(
        look=look,
        icons=(),
        size=(box.width, box.height),
        grey=look != "picture"
        and stream.chance(restyle)
        and all(info.source != "icon" for info in chosen),
        numbered=look != "picture" and len(chosen) <= MOST_NUMBERED and stream.chance(0.4),
        tokens=tokens.name,
        card=tokens.raised if look == "cards" else "",
        edge=tokens.border if look == "cards" else "",
        paper=tokens.surface,
        corner=float(min(tokens.control_radius_px, 12)),
        ground=ground,
    )
    xs = _places(stream, len(chosen), box.width, PITCH_CSS + NUMBER_CSS * bare.numbered)
    specs = [
        _icon(stream, bare, info, x, box.height / 2, tokens.text, restyle, turn_deg)
        for info, x in zip(chosen, xs, strict=True)
    ]
    return replace(bare, icons=tuple(specs))


def _places(stream: Stream, count: int, width: float, pitch: float) -> list[float]:
    """Middles from left to right, centred: goals are at the left or centred, and it suits both."""
    widest = (width - CARD_CSS - 2 * NUMBER_CSS) / max(1, count - 1)
    pitch = min(pitch * stream.uniform(1.0, 1.25), widest)
    start = (width - pitch * (count - 1)) / 2
    return [round(start + pitch * k, 6) for k in range(count)]


def _icon(
    stream: Stream,
    strip: Strip,
    info: IconInfo,
    x: float,
    y: float,
    text: str,
    restyle: float,
    turn_deg: float,
) -> IconSpec:
    size = round(min(SIZE_CSS, 0.47 * CARD_CSS / icons.icon_reach(info.asset, 1.0)), 3)
    if info.source != "icon":
        dark = strip.tone.high < DARK
        style = IconStyle("sticker", second="#ffffff") if dark else IconStyle("shadow")
    elif strip.ground is None and not stream.chance(restyle):
        style = IconStyle("line", text, stroke=2.0)
    else:
        style = icons.choose_icon_style(
            stream, strip.tone, kinds=("line", "duotone"), floor=AA_TEXT
        )
    turn = round(stream.uniform(-turn_deg, turn_deg), 3)
    return IconSpec(info.asset, size, x, y, style, turn_deg=turn)


def refuse_strip(strip: Strip) -> None:
    """``Rejected`` where an icon is cut, touches its neighbour or does not stand out."""
    for before, after in pairwise(strip.icons):
        apart = after.x - before.x - radius(before) - radius(after)
        if apart < APART_CSS:
            raise Rejected("order of the strip unclear", value=apart, limit=APART_CSS)
    for spec in strip.icons:
        if not Box(0, 0, *strip.size).holds(icons.icon_ink(spec).painted):
            raise Rejected("strip cut off")
        if not reads(spec, strip.tone, AA_TEXT):
            raise Rejected("strip does not stand out")


def bad_strips(strip: Strip) -> Iterator[tuple[str, Strip]]:
    """Strips near a good one, each with the reason for which it is refused."""
    first, *rest = strip.icons
    moved, last = replace(rest[0], x=first.x + 4.0), replace(rest[-1], x=strip.size[0])
    yield "order of the strip unclear", replace(strip, icons=(first, moved, *rest[1:]))
    yield "strip cut off", replace(strip, icons=(first, *rest[:-1], last))
    if first.asset.startswith("icon/") and strip.ground is None:
        same = replace(first, style=IconStyle("line", strip.card or strip.paper))
        yield "strip does not stand out", replace(strip, icons=(same, *rest))


def draw_strip(canvas: skia.Canvas, strip: Strip) -> None:
    """Paint a strip on a canvas in CSS px with its corner at the origin."""
    whole = Box(0, 0, *strip.size)
    if strip.ground is not None:
        corners = skia.RRect.MakeRectXY(skia.Rect(*whole.as_list()), strip.corner, strip.corner)
        canvas.save()
        canvas.clipRRect(corners, skia.ClipOp.kIntersect, True)
        grounds.draw_ground(canvas, strip.ground, whole)
        canvas.restore()
    for number, spec in enumerate(strip.icons, start=1):
        if strip.card:
            _card(canvas, strip, spec)
        if strip.numbered:
            _number(canvas, strip, spec, number)
    if strip.grey:
        deep = 1.0 if strip.tone.high < DARK else DEEPENED
        row = [*(deep * share for share in GREY_ROW), 0.0, 0.0]
        matrix = [*row, *row, *row, 0.0, 0.0, 0.0, 1.0, 0.0]
        canvas.saveLayer(None, skia.Paint(ColorFilter=skia.ColorFilters.Matrix(matrix)))
    icons.draw_icons(canvas, strip.icons)
    if strip.grey:
        canvas.restore()


def _card(canvas: skia.Canvas, strip: Strip, spec: IconSpec) -> None:
    half = CARD_CSS / 2
    rect = skia.Rect(spec.x - half, spec.y - half, spec.x + half, spec.y + half)
    canvas.drawRoundRect(rect, strip.corner, strip.corner, _paint(strip.card))
    rect.inset(0.5, 0.5)
    canvas.drawRoundRect(rect, strip.corner, strip.corner, _paint(strip.edge, 1.0))


def _number(canvas: skia.Canvas, strip: Strip, spec: IconSpec, number: int) -> None:
    """The place in the order, small, at the left of an icon."""
    tokens = tokens_named(strip.tokens)
    left = spec.x - CARD_CSS / 2 - NUMBER_CSS
    area = Box(left, spec.y - 8, left + NUMBER_CSS - 2, spec.y + 8)
    face = Face(str(tokens.font.path()), 600)
    draw_line(canvas, str(number), (face,), 12.0, parse_hex(tokens.muted), area, "center")


def _paint(colour: str, stroke: float = 0.0) -> Any:
    paint: Any = skia.Paint(Color=rgb_colour(colour), AntiAlias=True)
    if stroke:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(stroke)
    return paint
