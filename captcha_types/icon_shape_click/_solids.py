"""Solids on a floor in rows and columns, and questions about them that one of them answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from factory.core.geometry import Box, Point
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.colour_names import called, colour_name

Cell = tuple[int, int]
Side = Literal["left", "right", "front", "behind"]
STEPS: Mapping[Side, tuple[int, int]] = {
    "left": (-1, 0), "right": (1, 0), "front": (0, -1), "behind": (0, 1),
}  # fmt: skip
"""Columns and rows from a thing to what is on that side of it."""

COLUMNS, ROWS, PITCH = 4, 3, 2.3
"""Places of the floor and units of the world between their middles."""

JITTER = 0.2
NEXT = (0.7, 1.35)
"""What is next to a thing is so far in the direction, by the pitch: 1 less and more the jitter."""

ASIDE = 0.25
"""And no farther than this to the side."""

HALVES = (0.47, 0.58)
"""Half widths of objects in units of the world; heights are about twice that."""

COLOURS: Mapping[str, str] = {
    "red": "#d8281f", "yellow": "#f4cb16", "green": "#1f9a3e", "blue": "#2a63dc",
    "purple": "#8636c8",
}  # fmt: skip
"""Colours that keep their names in light and in shade."""

SHAPES: Mapping[str, tuple[str, str]] = {
    "box": ("block", "方块"), "cylinder": ("cylinder", "圆柱"), "cone": ("cone", "圆锥"),
    "sphere": ("ball", "球"),
}  # fmt: skip

SIDE_WORDS: Mapping[Side, tuple[str, str]] = {
    "left": ("just left of", "左边紧挨着"), "right": ("just right of", "右边紧挨着"),
    "front": ("just in front of", "前面紧挨着"), "behind": ("just behind", "后面紧挨着"),
}  # fmt: skip

Type = Literal["beside", "colour", "shape", "beside_colour", "beside_shape"]
TYPES: Mapping[int, tuple[Type, ...]] = {
    1: ("beside", "colour", "shape"), 2: ("beside_colour", "beside_shape"),
}  # fmt: skip
"""Questions by how many steps they take."""

SIDES: Mapping[int, tuple[Side, ...]] = {
    1: ("left", "right", "front", "behind"), 2: ("left", "right", "behind"),
}  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """A solid with the place in the picture that stands for it, CSS px. JSON-able."""

    body: solid.Solid
    x: float
    y: float
    outline: tuple[tuple[float, float], ...]

    @property
    def colour(self) -> str:
        """Its colour's name."""
        return colour_name(self.body.colour) or ""


@dataclass(frozen=True)
class Question:
    """``side`` is empty where none counts, so are colour and shape of the one it starts from."""

    type: Type
    side: Side | Literal[""]
    colour: str
    shape: str

    @property
    def steps(self) -> int:
        """How many steps it takes."""
        return 2 if self.type in TYPES[2] else 1

    def words(self, lang: str) -> str:
        """What is asked for, in words."""
        zh = lang == "zh"
        shape = SHAPES[self.shape][zh] if self.shape else ""
        colour = called(self.colour, lang) if self.colour else ""
        start = f"{colour}{shape}" if zh else f"the {colour} {shape}"
        if self.type.endswith("colour"):
            start = f"与{shape}同色的物体" if zh else f"the one coloured like the {shape}"
        if self.type.endswith("shape"):
            start = f"与{colour}物体同形的物体" if zh else f"the one shaped like the {colour} one"
        if not self.side:
            return start
        beside = SIDE_WORDS[self.side][zh]
        return f"{start}{beside}的物体" if zh else f"the object {beside} {start}"


def hull(thing: Thing) -> tuple[tuple[float, float], ...]:
    """The outline of a thing in the picture."""
    return thing.outline


def starts(question: Question, things: Sequence[Thing]) -> list[Thing]:
    """The things that a question may start from."""
    return [
        thing
        for thing in things
        if question.colour in ("", thing.colour) and question.shape in ("", thing.body.shape)
    ]


def answers(question: Question, things: Sequence[Thing]) -> list[Thing]:
    """The things that answer a question, step by step."""
    found = starts(question, things)
    if question.type.endswith("colour"):
        found = [t for s in found for t in things if t is not s and t.colour == s.colour]
    if question.type.endswith("shape"):
        found = [t for s in found for t in things if t is not s and t.body.shape == s.body.shape]
    side = question.side
    if side:
        found = [t for s in found for t in things if is_beside(t, s, side)]
    return found


def is_beside(thing: Thing, start: Thing, side: Side) -> bool:
    """Whether a thing stands next to another on a side of it."""
    column, row = STEPS[side]
    dx = (thing.body.at[0] - start.body.at[0]) / PITCH
    dy = (thing.body.at[1] - start.body.at[1]) / PITCH
    along, across = (dx * column, dy) if column else (dy * row, dx)
    return NEXT[0] <= along <= NEXT[1] and abs(across) <= ASIDE


def cells_for(side: Side | Literal[""]) -> list[Cell]:
    """The places, column and row, at which what is asked for may stand."""
    whole = [(c, r) for r in range(ROWS) for c in range(COLUMNS)]
    if not side:
        return whole
    return [cell for cell in whole if back_from(cell, side) in whole]


def back_from(cell: Cell, side: Side) -> Cell:
    """The place that a place is on this side of."""
    return cell[0] - STEPS[side][0], cell[1] - STEPS[side][1]


def spot(stream: Stream, cell: Cell) -> tuple[float, float, float]:
    """Where a thing stands, near the middle of its place."""
    x, y = (cell[0] - (COLUMNS - 1) / 2) * PITCH, (cell[1] - (ROWS - 1) / 2) * PITCH
    return x + stream.uniform(-JITTER, JITTER), y + stream.uniform(-JITTER, JITTER), 0.0


@lru_cache(maxsize=256)
def camera_for(tilt_deg: float, size: tuple[float, float]) -> solid.Camera:
    """The camera that sees the whole floor from the front."""
    camera = solid.Camera.around((0.0, 0.0, 0.4), -90.0, tilt_deg, 26.0)
    right, back = (COLUMNS - 1) / 2 * PITCH + 0.85, (ROWS - 1) / 2 * PITCH + 0.85
    corners = [(x, y, z) for x in (-right, right) for y in (-back, back) for z in (0.0, 1.2)]
    return camera.fitted(corners, Box(0, 0, *size).grown(-4.0))


def seen_as(camera: solid.Camera, body: solid.Solid) -> Thing:
    """A solid with its place and outline in the picture."""
    outline = solid.outline(camera, body.rim)
    foot: Point = camera.pixel((body.at[0], body.at[1], body.height / 2))
    return Thing(body, round(foot.x, 6), round(foot.y, 6), tuple((p.x, p.y) for p in outline))


def cast(
    stream: Stream, kind: Type, side: Side | Literal[""], cell: Cell, shown: int
) -> tuple[Question, dict[Cell, tuple[str, str]]]:
    """A question, and colour and shape of what stands at each place, so that one answers it."""
    shapes, colours = stream.shuffled([*SHAPES]), stream.shuffled([*COLOURS])
    shape, colour = shapes[0], colours[0]
    pivot = back_from(cell, side) if side else cell
    free = [at for at in cells_for("") if at not in (cell, pivot)]
    free = stream.shuffled(free)
    looks: dict[Cell, tuple[str, str]] = {}
    if kind == "beside":
        question = Question(kind, side, colour, shape)
        looks[pivot] = (colour, shape)
        able = [(c, s) for c in colours for s in shapes if (c, s) != (colour, shape)]
    elif kind.endswith("colour"):
        question = Question(kind, side, "", shape)
        looks |= {free.pop(): (colour, shape), pivot: (colour, stream.choice(shapes[1:]))}
        able = [(c, s) for c in colours[1:] for s in shapes[1:]]
    else:
        question = Question(kind, side, colour, "")
        looks |= {free.pop(): (colour, shape), pivot: (stream.choice(colours[1:]), shape)}
        able = [(c, s) for c in colours[1:] for s in shapes[1:]]
    for at in [*([cell] if side else []), *free][: shown - len(looks)]:
        looks[at] = stream.choice(able)
    return question, looks


def body_at(stream: Stream, at: Cell, colour: str, shape: str) -> solid.Solid:
    """A solid near the middle of its place."""
    half = stream.uniform(*HALVES)
    high = half * (1.7 if shape == "box" else 2.1)
    turn = stream.uniform(22.0, 68.0) if shape == "box" else 0.0
    wide = half * (0.85 if shape == "box" else 1.0)
    return solid.Solid(shape, (wide, wide, high), spot(stream, at), turn, COLOURS[colour])
