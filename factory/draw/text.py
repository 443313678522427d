"""Text by the raster kit: measured, wrapped and checked against its fonts.

A text is split into runs by glyph coverage: the panel's own face first, then
the face for Chinese. A character that neither has is an error, never a box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import skia

from factory.core.errors import DependencyMissing, RenderFailed
from factory.core.geometry import Box
from factory.core.puzzle import Bitmap
from factory.draw.fonts import static_font

LINE_HEIGHT = 1.35
"""Distance of baselines over the font size, as the panels' CSS has it."""

CAP_MIDDLE = 0.36
"""Baseline below the middle of a line, over the font size: half the height of capitals."""

NO_LINE_START = "，。！？、；：）》」』,.!?;:)"
"""Marks that may not begin a line of Chinese text."""


@dataclass(frozen=True)
class Face:
    """A font file and the weight to use where it is variable."""

    path: str
    weight: int = 400


@dataclass(frozen=True)
class Run:
    """Characters of one face on one line."""

    text: str
    face: Face
    width: float


@dataclass(frozen=True)
class Line:
    """One laid-out line; ``width`` in CSS px."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(maxsize=64)
def _typeface(face: Face) -> Any:
    path = static_font(face.path, face.weight)
    typeface = skia.Typeface.MakeFromFile(str(path))
    if typeface is None:
        raise DependencyMissing(f"the font {path} cannot be opened; run `factory setup`")
    return typeface


@lru_cache(maxsize=256)
def font(face: Face, size: float) -> Any:
    """A ``skia.Font`` of this face at ``size`` CSS px, sub-pixel placed and unhinted."""
    made = skia.Font(_typeface(face), size)
    made.setSubpixel(True)
    made.setEdging(skia.Font.Edging.kAntiAlias)
    made.setHinting(skia.FontHinting.kNone)
    return made


@lru_cache(maxsize=8192)
def covers(face: Face, character: str) -> bool:
    """Whether the face has a glyph of its own for the character."""
    return _typeface(face).unicharToGlyph(ord(character)) != 0


@lru_cache(maxsize=16384)
def _face_of(character: str, faces: tuple[Face, ...]) -> Face:
    face = next((f for f in faces if covers(f, character)), None)
    if face is None:
        raise RenderFailed(
            f"no font has a glyph for {character!r} "
            f"({unicodedata.name(character, 'unnamed')}); run `factory setup` for all fonts"
        )
    return face


@lru_cache(maxsize=16384)
def _advance(character: str, face: Face, size: float) -> float:
    return font(face, size).measureText(character)


def _runs(text: str, faces: tuple[Face, ...], size: float) -> tuple[Run, ...]:
    """Runs of one face. Widths are sums of advances: the raster kit draws without kerning."""
    runs: list[Run] = []
    for character in text:
        face = _face_of(character, faces)
        width = _advance(character, face, size)
        if runs and runs[-1].face == face:
            runs[-1] = Run(runs[-1].text + character, face, runs[-1].width + width)
        else:
            runs.append(Run(character, face, width))
    return tuple(runs)


def _words(text: str) -> list[str]:
    """Break opportunities: after a space, and around each Chinese character."""
    words: list[str] = []
    for character in text:
        wide = unicodedata.east_asian_width(character) in "WF"
        starts_word = not words or words[-1].endswith(" ") or wide
        after_wide = bool(words) and unicodedata.east_asian_width(words[-1][-1]) in "WF"
        if (starts_word or after_wide) and character not in NO_LINE_START:
            words.append(character)
        elif words:
            words[-1] += character
        else:
            words.append(character)
    return words


def lay_out(text: str, faces: tuple[Face, ...], size: float, max_width: float) -> list[Line]:
    """Wrap ``text`` to ``max_width`` CSS px; greedy, as browsers do."""
    lines = [""]
    used = 0.0
    for word in _words(text):
        width = _measure(word, faces, size)
        if lines[-1] and used + _measure(word.rstrip(), faces, size) > max_width:
            lines.append(word)
            used = width
        else:
            lines[-1] += word
            used += width
    laid = [_runs(line.strip(), faces, size) for line in lines]
    return [Line(runs=runs, width=sum(run.width for run in runs)) for runs in laid]


@lru_cache(maxsize=8192)
def _measure(text: str, faces: tuple[Face, ...], size: float) -> float:
    return sum(_advance(character, _face_of(character, faces), size) for character in text)


def text_width(text: str, faces: tuple[Face, ...], size: float) -> float:
    """Advance width of one line, CSS px; ``RenderFailed`` when no face has a character."""
    return _measure(text, faces, size)


def draw_line(
    canvas: Any,
    text: str,
    faces: tuple[Face, ...],
    size: float,
    colour: tuple[int, int, int],
    box: Box,
    align: Literal["left", "center", "right"] = "center",
) -> Box:
    """One line in the middle of ``box`` (CSS px, on a canvas in CSS px); returns its own box."""
    width = text_width(text, faces, size)
    x = {"left": box.x0, "center": box.center.x - width / 2, "right": box.x1 - width}[align]
    baseline = box.center.y + size * CAP_MIDDLE
    paint = skia.Paint(Color=skia.Color(*colour), AntiAlias=True)
    own = Box.sized(x, box.center.y - size / 2, width, size)
    for run in _runs(text, faces, size):
        canvas.drawString(run.text, x, baseline, font(run.face, size), paint)
        x += run.width
    return own


@dataclass(frozen=True)
class TextBlock:
    """Lines of one size and colour, first baseline at ``baseline`` CSS px below the top."""

    lines: tuple[Line, ...]
    size: float
    colour: tuple[int, int, int]

    @property
    def height(self) -> float:
        """Height of the block in CSS px."""
        return len(self.lines) * self.size * LINE_HEIGHT


@dataclass(frozen=True)
class GoalStyle:
    """How a panel writes its goal: faces for title and hint, colours in RGB, CSS px sizes."""

    title_faces: tuple[Face, ...]
    hint_faces: tuple[Face, ...]
    title_size: float
    hint_size: float
    title_colour: tuple[int, int, int]
    hint_colour: tuple[int, int, int]
    centred: bool = False


@lru_cache(maxsize=16384)
def goal_blocks(goal: str, style: GoalStyle, width: float) -> tuple[TextBlock, ...]:
    """A goal phrase as blocks: ``Title | hint`` or a title alone.

    ``RenderFailed`` when no font has a character of it.
    """
    title, _, hint = (part.strip() for part in goal.partition("|"))
    blocks = [
        TextBlock(
            lines=tuple(lay_out(title, style.title_faces, style.title_size, width)),
            size=style.title_size,
            colour=style.title_colour,
        )
    ]
    if hint:
        blocks.append(
            TextBlock(
                lines=tuple(lay_out(hint, style.hint_faces, style.hint_size, width)),
                size=style.hint_size,
                colour=style.hint_colour,
            )
        )
    return tuple(blocks)


def goal_size(goal: str, style: GoalStyle, width: float) -> tuple[float, float]:
    """(width, height) in CSS px of a goal laid out to ``width``."""
    blocks = goal_blocks(goal, style, width)
    widest = max(line.width for block in blocks for line in block.lines)
    return widest, sum(block.height for block in blocks)


def goal_fits(goal: str, style: GoalStyle, box: Box) -> bool:
    """Whether a goal can be written into its area."""
    width, height = goal_size(goal, style, box.width)
    return width <= box.width and height <= box.height


def spoken(goal: str) -> str:
    """The goal as one or two sentences, for prompts and records."""
    title, _, hint = (part.strip() for part in goal.partition("|"))
    if not hint:
        return title
    wide = unicodedata.east_asian_width(title[-1]) in "WF"
    ended = title[-1] in ".!?。！？"
    return title + ("" if ended else "。" if wide else ".") + ("" if wide else " ") + hint


def paint_goal(
    pixels: Bitmap, goal: str, style: GoalStyle, box: Box, scale: float
) -> tuple[Bitmap, Box]:
    """``pixels`` (opaque BGRA of the goal's rectangle) with the goal written on it.

    ``box`` is the goal area in CSS px relative to the rectangle's corner,
    ``scale`` canvas px per CSS px. Returns the painted copy and the ink box in
    CSS px. ``RenderFailed`` when the text does not fit its area.
    """
    widest, height = goal_size(goal, style, box.width)
    if not goal_fits(goal, style, box):
        raise RenderFailed(
            f"goal {goal!r} needs {widest:.0f} x {height:.0f} CSS px and has "
            f"{box.width:.0f} x {box.height:.0f}; shorten the phrase or widen the panel"
        )
    buffer = pixels.copy()
    height, width = buffer.shape[:2]
    surface = skia.Surface.MakeRasterDirect(
        skia.ImageInfo.Make(
            width, height, skia.ColorType.kBGRA_8888_ColorType, skia.AlphaType.kOpaque_AlphaType
        ),
        buffer,
    )
    with surface as canvas:
        canvas.scale(scale, scale)
        ink = draw_goal(canvas, goal, style, box)
    return buffer, ink


def draw_goal(canvas: Any, goal: str, style: GoalStyle, box: Box) -> Box:
    """The goal in the middle of ``box`` on a canvas in CSS px; returns the ink box."""
    blocks = goal_blocks(goal, style, box.width)
    height = sum(block.height for block in blocks)
    return _paint_blocks(canvas, blocks, box, style.centred, top=box.center.y - height / 2)


def _paint_blocks(
    canvas: Any, blocks: Sequence[TextBlock], box: Box, centred: bool, top: float
) -> Box:
    left, right, start = box.x1, box.x0, top
    for block in blocks:
        paint = skia.Paint(Color=skia.Color(*block.colour), AntiAlias=True)
        for line in block.lines:
            x = box.center.x - line.width / 2 if centred else box.x0
            baseline = top + block.size * (LINE_HEIGHT / 2 + CAP_MIDDLE)
            left, right = min(left, x), max(right, x + line.width)
            for run in line.runs:
                canvas.drawString(run.text, x, baseline, font(run.face, block.size), paint)
                x += run.width
            top += block.size * LINE_HEIGHT
    return Box(left, start, right, top)
