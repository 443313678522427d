"""Frames: several pictures of a puzzle one after another, or all of them on one picture.

A sample of the form ``frames`` has one picture a frame and a bar that counts them; one of the
form ``sheet`` shows all frames side by side, numbered. Forms take turns by the index of a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import Any, Literal

import numpy as np
import skia
from pydantic import Field as Knob

from factory.core.geometry import Box
from factory.core.puzzle import Artwork, Options, Part, Placement, Scene, State
from factory.core.rng import Stream
from factory.draw import grounds
from factory.draw.panels.paint import ink
from factory.draw.picture_images import paint_image
from factory.draw.styles import rgb_colour
from factory.draw.text import Face, draw_line
from factory.draw.tokens import RGB, Tokens, tokens_named

Form = Literal["frames", "sheet"]

BAR_CSS = 12.0
"""Height of the line above the frames that counts them."""

NUMBER_CSS = 15.0
"""Height of the line above a frame that has its number."""

NUMBER_PX = 12.0

FILM = (24, 26, 32)
"""What frames on a sheet lie on."""

ON_FILM = ((244, 244, 248), (92, 95, 104))
"""Dashes on film: of frames seen, and of those to come."""

FILMS: tuple[tuple[str, str, str], ...] = (
    ("#181a20", "#f4f4f8", "#5c5f68"), ("#1f2f4d", "#eef3ff", "#5a6a8c"),
    ("#40302a", "#fff3ea", "#86736a"), ("#5d6470", "#ffffff", "#8f96a2"),
    ("#e8e6e0", "#23252b", "#b4b1a8"), ("#cfdcea", "#152235", "#96a8bd"),
)  # fmt: skip
"""Films of other colours: the film, its numbers and dashes, dashes of frames to come."""

FRAME_ROUND_CSS = 4.0


class FrameOptions(Options):
    """``frames`` is the count of them; ``form`` how they are shown, in turns where it is both."""

    form: Literal["both", "frames", "sheet"] = "both"
    frames: int = Knob(default=6, ge=6, le=9)


class FrameState(State):
    """``size`` is that of the slot in CSS px; all else is measured from its corner."""

    form: Form
    frames: int
    size: tuple[float, float]


def forms(options: FrameOptions) -> tuple[int, ...]:
    """How many pictures samples have, in turns."""
    several, one = (options.frames,), (1,)
    return {"both": (*several, *one), "frames": several, "sheet": one}[options.form]


def framing(options: FrameOptions, scene: Scene) -> dict[str, Any]:
    """The fields of ``FrameState`` for a scene."""
    slot = scene.placement.boxes["slot"]
    return {
        "form": "frames" if scene.pictures > 1 else "sheet",
        "frames": options.frames,
        "size": (slot.width, slot.height),
    }


def artwork(
    state: FrameState,
    placement: Placement,
    regions: dict[str, Any],
    paint: Callable[[Any, Sequence[int]], None],
) -> Artwork:
    """What ``paint`` draws from the slot's corner: each frame alone, or all of them together."""
    slot = placement.boxes["slot"]

    def part(shown: Sequence[int]) -> Part:
        def draw(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            paint(canvas, shown)
            canvas.restore()

        return Part("frames", slot, draw)

    own = {name: shape.moved(slot.x0, slot.y0) for name, shape in regions.items()}
    found = {"picture": slot, **own}
    if state.form == "sheet":
        return Artwork(parts=(part(range(state.frames)),), regions=found)
    return Artwork((), found, frames=tuple((part((k,)),) for k in range(state.frames)))


Colours = tuple[RGB, RGB]


def paint_bar(canvas: Any, bar: Box, shown: int, frames: int, colours: Colours) -> None:
    """One dash a frame in ``bar``, those up to the one shown in the first colour."""
    pitch = min(22.0, bar.width / frames)
    left, y = bar.center.x - pitch * frames / 2, bar.center.y - 1.5
    for k in range(frames):
        rect = skia.Rect.MakeXYWH(left + k * pitch + 1.5, y, pitch - 3, 3)
        canvas.drawRoundRect(rect, 1.5, 1.5, ink(colours[k > shown]))


def paint_number(canvas: Any, number: int, window: Box, look: Tokens, colour: RGB) -> None:
    """The number of a frame, from 1, in the line above its window."""
    face = Face(str(look.font.path()), 600)
    line = Box(window.x0, window.y0 - NUMBER_CSS, window.x1, window.y0)
    draw_line(canvas, str(number), (face,), NUMBER_PX, colour, line)


def look_of(placement: Placement) -> Tokens:
    """The token set of a panel."""
    return tokens_named(placement.tokens)


def ground_image(ground: grounds.Ground, width: float, height: float, scale: float) -> Any:
    """A ground as an image of so many px a CSS px: drawn once, shown in every frame."""
    surface = skia.Surface(max(1, round(width * scale)), max(1, round(height * scale)))
    with surface as canvas:
        canvas.scale(scale, scale)
        grounds.draw_ground(canvas, ground, Box(0, 0, width, height))
    return surface.makeImageSnapshot()


def paint_window(canvas: Any, image: Any, box: Box) -> None:
    """An image in a frame's window, with the corners of one."""
    canvas.save()
    clip_window(canvas, box)
    paint_image(canvas, image, box)
    canvas.restore()


def clip_window(canvas: Any, box: Box) -> None:
    """Keep what follows inside a frame's window."""
    rect = skia.Rect.MakeLTRB(*box.as_list())
    canvas.clipRRect(skia.RRect.MakeRectXY(rect, FRAME_ROUND_CSS, FRAME_ROUND_CSS), True)


def stroke(colour: str, width: float, alpha: int = 255) -> Any:
    """A paint for lines with round ends."""
    paint = skia.Paint(AntiAlias=True, Color=rgb_colour(colour, alpha))
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def bits(name: str, *shape: int) -> Any:
    """Fair coin flips as 0 and 1 (uint8) from an extendable hash: the same on every machine."""
    count = int(np.prod(shape))
    data = shake_256(name.encode()).digest(-(-count // 8))
    return np.unpackbits(np.frombuffer(data, np.uint8))[:count].reshape(shape)


def seldom(name: str, share: float, *shape: int) -> Any:
    """True with a chance of ``share`` in steps of 1/256."""
    count = int(np.prod(shape))
    data = np.frombuffer(shake_256(name.encode()).digest(count), np.uint8)
    return (data < round(256 * share)).reshape(shape)


Step = tuple[int, int]
"""Cells right and down that a field moves from one frame to the next."""


def drifting(name: str, frames: int, rows: int, columns: int, step: Step) -> Any:
    """A field of coin flips that drifts, ``(frames, rows, columns)``; each frame alone is noise."""
    dx, dy = step
    wide, tall = columns + abs(dx) * (frames - 1), rows + abs(dy) * (frames - 1)
    whole = bits(name, tall, wide)
    found = np.empty((frames, rows, columns), np.uint8)
    for k in range(frames):
        x = (frames - 1 - k) * dx if dx > 0 else k * -dx
        y = (frames - 1 - k) * dy if dy > 0 else k * -dy
        found[k] = whole[y : y + rows, x : x + columns]
    return found


def moving_shape(
    name: str, frames: int, inside: Any, steps: tuple[Step, Step], noise: float
) -> Any:
    """Noise in which what is ``inside`` (bool, rows by columns) drifts by the first step and all
    else by the second; a share ``noise`` of the cells of each frame is drawn anew."""
    rows, columns = inside.shape
    own, other = (
        drifting(f"{name}|{k}", frames, rows, columns, step) for k, step in enumerate(steps)
    )
    field = np.where(inside, own, other)
    anew = seldom(f"{name}|when", noise, frames, rows, columns)
    return np.where(anew, bits(f"{name}|anew", frames, rows, columns), field)


def followed(field: Any, step: Step) -> Any:
    """Where a cell has in the next frame the value of the cell that would have come there.

    Bool, a frame less than ``field``; cells whose origin lies outside count as not.
    """
    dx, dy = step
    after, before = field[1:], np.roll(field[:-1], (dy, dx), axis=(1, 2))
    found = after == before
    rows, columns = found.shape[1:]
    found[:, : max(0, dy), :] = found[:, rows + min(0, dy) :, :] = False
    found[:, :, : max(0, dx)] = found[:, :, columns + min(0, dx) :] = False
    return found


def paint_cells(canvas: Any, cells: Any, box: Box, colours: tuple[str, str]) -> None:
    """A field of 0 and 1 stretched over a box in two colours, without blur."""
    table = np.array([[*_bgr(colour), 255] for colour in colours], np.uint8)
    pixels = np.ascontiguousarray(table[cells])
    image = skia.Image.fromarray(pixels, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType)
    canvas.drawImageRect(image, skia.Rect.MakeLTRB(*box.as_list()))


def _bgr(colour: str) -> tuple[int, int, int]:
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


GRAINS: tuple[tuple[str, str], ...] = (
    ("#16181d", "#f2f0ea"), ("#1d2b53", "#dfe8ff"), ("#2b1a3f", "#f0dcff"), ("#0e3b36", "#d8f5ec"),
    ("#5a1620", "#ffe3de"), ("#4a2c0a", "#ffeccb"), ("#28303a", "#b9c6d6"), ("#0b2f4a", "#ffd9a0"),
)  # fmt: skip
"""Dark and light grains of noise, 7:1 or more apart."""


def choose_grain(stream: Stream) -> tuple[str, str]:
    """Two colours of noise, in either order."""
    dark, light = stream.choice(GRAINS)
    return (dark, light) if stream.chance(0.5) else (light, dark)
