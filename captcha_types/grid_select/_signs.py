"""Characters of many scripts on tiles, and the key above them that shows which are looked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import glyphs, layout
from factory.draw.colours import contrast, parse_hex
from factory.draw.glyphs import GlyphSpec
from factory.draw.glyphs.lexicon import owner_of
from factory.draw.panels.paint import bordered
from factory.draw.styles import Style
from factory.draw.tokens import AA_TEXT, Tokens

ALPHABETS: Mapping[str, str] = {
    "latin": "ABDEFGHJKLMNPQRSTUXYZ",
    "cyrillic": "БДЖЗИФЦЧШЩЫЭЮЯ",
    "greek": "ΓΔΘΞΠΣΨΩλξπψδζγ",
    "devanagari": "कखगचछजझटडतदनफबरलशसह",
    "han": "不在有为以个们也子时出下可年后对去过用方小同么心见从外民长并手向太文打代反气花竹"
    "兰荷叶米盐油鱼鸟马牛羊龙虫山河江市亭灯伞书刊冬空云电虹火光灰石沙宝巾带针毛车舟飞坐立唱听"
    "写吃忙苦东北左环尺斤千万亿单父女友师兵舌牙骨汗世州乡屿洋岸丘术词句史收存挂平安寿旺",
}
"""Characters of few strokes; letters belong to all splits, Chinese characters to one."""

SCRIPTS = tuple(ALPHABETS)

_ALIKE = """
AΔ BDR BRБЯЗ PRБЯ EFL EБ EΞΣЗ EШЩΞ FLΓ JLΓ GЭ GΘ DQΘ HNИ HΠ MΣ PЧ Qδ SЗ SZζξ Sδ UΠΩЦ ZΣζξ ZNИ ДΠ
ЭΘ ΘΩ ЦЩШ ΨШЩ YλγΨ XKЖ Ππ ξЗ Ф巾 ψ巾 कफख गतन गब चजब छस लस शस डह तदब नब 不下 出山 同向 文女 虫史
空宝 江汗 千子 灰左火 市巾 毛手
"""
"""Groups that overlap by 0.70 (with Chinese characters by 0.65) at some turn or mirrored, measured
once with ``likeness``, and what hands write alike."""

LEAST_SIZE = 21.0
"""CSS px: the size from which Chinese characters of few strokes are made out."""

LARGEST = 34.0
REACH, PAINTED, APART = 0.60, 0.03, 0.16
"""Radius of a character, what rims add to it, and the least gap, by the size."""

LEAST_WIDTH, LEAST_SIDE = 0.42, 8.5
"""Width of ink by the size, and in CSS px: a region of a record starts at 8 px."""

LEAST_GAP = 2.0
"""CSS px between the circles around two characters."""

TWO_RIGHT = 0.2
"""Share of right tiles that hold two of the characters looked for."""

EDGE_CSS = 3.0
FILLING = 0.41
"""Share of a tile that characters with their gaps take at most."""

BLACK, LIGHTEN = 20.0, -4.0
"""Thicker strokes, in hundredths of the size, close what they enclose: they are eroded."""

CARD_CSS, KEY_SIZE, KEY_PITCH_CSS = 36.0, 28.0, 44.0


@cache
def alphabet(script: str, split: str) -> str:
    """The characters of a script that a split may show."""
    chars = ALPHABETS[script]
    own = chars if script != "han" else [char for char in chars if owner_of(char) == split]
    return "".join(char for char in own if faces(char, split))


@cache
def script_of(char: str) -> str:
    """The script of a character; empty for one of none."""
    return next((name for name, chars in ALPHABETS.items() if char in chars), "")


@cache
def taken_for(char: str) -> frozenset[str]:
    """All characters that may be taken for one, turned or mirrored, itself among them."""
    every = "".join(ALPHABETS.values())
    moved = frozenset[str]().union(*(glyphs.becomes(char, move) for move in glyphs.MOVES))
    grouped = "".join(group for group in _ALIKE.split() if char in group)
    return frozenset(
        other
        for other in every
        if other in moved or other in grouped or glyphs.confusable(char, other)
    )


def alike(a: str, b: str) -> bool:
    """Whether one character may be taken for the other, turned or mirrored; true of equals."""
    return a == b or b in taken_for(a) or a in taken_for(b)


@cache
def faces(char: str, split: str) -> tuple[str, ...]:
    """Faces of a split that draw a character, not as a sliver: plain ones where it has any."""
    script = script_of(char)
    found = glyphs.faces(split, script, plain=True) or glyphs.faces(split, script)
    return tuple(
        face.name
        for face in found
        if glyphs.has_glyph(face.name, char)
        and min(glyphs.extent(face.name, char, 1.0)) >= LEAST_WIDTH
    )


def choose_wanted(stream: Stream, scripts: Sequence[str], split: str, count: int) -> list[str]:
    """Characters to look for, none taken for another, from the scripts in turn."""
    found: list[str] = []
    while len(found) < count:
        chars = alphabet(scripts[len(found) % len(scripts)], split)
        char = stream.choice(chars)
        if not any(alike(char, other) for other in found):
            found.append(char)
    return stream.shuffled(found)


def free_of(wanted: Sequence[str], script: str, split: str) -> list[str]:
    """Characters of a script that are not taken for any that is wanted."""
    barred = frozenset[str]().union(*(taken_for(char) for char in wanted))
    found = [char for char in alphabet(script, split) if char not in barred]
    return [char for char in found if not taken_for(char).intersection(wanted)]


def taken(char: str, wanted: Sequence[str]) -> bool:
    """Whether a character may be taken for any of those that are wanted."""
    return any(alike(char, other) for other in wanted)


def for_tile(
    stream: Stream, wanted: Sequence[str], others: Mapping[str, Sequence[str]], count: int
) -> list[str]:
    """Characters of a tile: one or two that are wanted, where any are, and others."""
    own = stream.sample(wanted, min(len(wanted), 1 + stream.chance(TWO_RIGHT))) if wanted else []
    while len(own) < count:
        char = stream.choice(others[stream.choice(tuple(others))])
        own += [char] if char not in own else []
    return stream.shuffled(own)


def room(tile: Box, wanted: int) -> int:
    """How many characters a tile has room for, at most ``wanted``."""
    each = math.pi * (LEAST_SIZE * (REACH + PAINTED + APART / 2)) ** 2
    return min(wanted, int(FILLING * tile.width * tile.height / each))


def size_for(tile: Box, count: int) -> float:
    """The size of ``count`` characters that fill a tile."""
    each = math.sqrt(FILLING * tile.width * tile.height / (math.pi * count))
    return round(min(LARGEST, each / (REACH + PAINTED + APART / 2)), 3)


def on_tile(
    stream: Stream,
    chars: Sequence[str],
    tile: Box,
    styles: Sequence[Style],
    split: str,
    turn_deg: float,
    mirror_rate: float,
) -> tuple[GlyphSpec, ...]:
    """Characters anywhere on a tile, turned by up to ``turn_deg`` either way, some mirrored."""
    size = size_for(tile, len(chars))
    radii = [(REACH + PAINTED) * size] * len(chars)
    spots = layout.scatter(stream, tile.grown(-EDGE_CSS), radii, APART * size)
    return tuple(
        replace(
            sign(char, stream.choice(faces(char, split)), size, spot, stream.choice(styles)),
            turn_deg=round(stream.uniform(-turn_deg, turn_deg), 3),
            mirrored=stream.chance(mirror_rate),
        )
        for char, spot in zip(chars, spots, strict=True)
    )


def sign(char: str, face: str, size: float, at: Point, style: Style) -> GlyphSpec:
    """A character that reaches no farther than others of its size."""
    own = round(size * min(1.0, REACH / glyphs.reach(face, char, 1.0)), 3)
    weight = LIGHTEN if glyphs.stroke(face) > BLACK else 0.0
    return GlyphSpec(char, face, own, at.x, at.y, style, weight=weight)


@dataclass(frozen=True)
class Key:
    """The characters to look for, upright on cards, CSS px from the strip's corner. JSON-able."""

    signs: tuple[GlyphSpec, ...]
    card: str
    edge: str
    corner: float
    size: tuple[float, float]


def choose_key(stream: Stream, wanted: Sequence[str], split: str, box: Box, tokens: Tokens) -> Key:
    """Cards in the middle of a strip, in the panel's own colours."""
    pitch = min(KEY_PITCH_CSS, (box.width - CARD_CSS) / max(1, len(wanted) - 1))
    start = (box.width - pitch * (len(wanted) - 1)) / 2
    style = Style("fill", tokens.text)
    signs = [
        sign(
            char,
            stream.choice(faces(char, split)),
            KEY_SIZE,
            Point(start + pitch * k, box.height / 2),
            style,
        )
        for k, char in enumerate(wanted)
    ]
    corner = float(min(tokens.control_radius_px, 10))
    return Key(tuple(signs), tokens.raised, tokens.border, corner, (box.width, box.height))


def draw_key(canvas: Any, key: Key) -> None:
    """Paint a key on a canvas in CSS px with its corner at the origin."""
    for spec in key.signs:
        card = Box.sized(spec.x - CARD_CSS / 2, spec.y - CARD_CSS / 2, CARD_CSS, CARD_CSS)
        bordered(canvas, card, key.corner, parse_hex(key.edge), parse_hex(key.card))
    glyphs.draw_glyphs(canvas, key.signs)


def refuse_tile(specs: Sequence[GlyphSpec], tile: Box) -> None:
    """``Rejected`` where characters are cut, small or touch."""
    for spec in specs:
        if not tile.grown(-1).holds(glyphs.ink(spec).painted):
            raise Rejected("a character leaves its tile")
        if spec.size < 0.8 * LEAST_SIZE:
            raise Rejected("a character too small", value=spec.size, limit=LEAST_SIZE)
        box = glyphs.ink(spec).box
        if min(box.width, box.height) < LEAST_SIDE:
            raise Rejected("a character too thin", value=box.width, limit=LEAST_SIDE)
    for a, b in combinations(specs, 2):
        reach = sum(glyphs.reach(s.face, s.char, s.size) for s in (a, b))
        gap = math.dist((a.x, a.y), (b.x, b.y)) - reach
        if gap < LEAST_GAP:
            raise Rejected("characters touch", value=gap, limit=LEAST_GAP)


def refuse_key(key: Key) -> None:
    """``Rejected`` where a character of the key is cut or does not stand out on its card."""
    for spec in key.signs:
        if not Box(0, 0, *key.size).grown(-1).holds(glyphs.ink(spec).painted):
            raise Rejected("the key is cut off")
        if contrast(spec.style.ink, key.card) < AA_TEXT:
            raise Rejected("the key does not stand out", value=0.0, limit=AA_TEXT)
