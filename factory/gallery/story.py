"""Reasoning as pieces that point at the picture, and records as readable JSON."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from factory.core.record import ReasonStep, Slot
from factory.core.wording import render_reasoning
from factory.gallery.shown import Shown

LINE_CHARS = 96
"""JSON values that fit are written on one line."""


class Piece(NamedTuple):
    """A stretch of reasoning. ``ref`` names the pointer it lights up, if it has one."""

    text: str
    ref: str
    kind: str


class Pointer(NamedTuple):
    """What a slot points at, in image px: a ``point``, or a ``length`` between two x at ``y0``."""

    ref: str
    kind: str
    x0: float
    y0: float
    x1: float


def pieces_of(shown: Shown) -> list[list[Piece]]:
    """The sentences of all steps as pieces."""
    return [list(_pieces(shown, number, step)) for number, step in enumerate(_sentences(shown))]


def pointers_of(shown: Shown, observation: int) -> Iterator[Pointer]:
    """What the slots point at on one observation."""
    wanted = [id(reason) for step in shown.steps_on(observation) for reason in step.reasoning]
    for number, reason in enumerate(_sentences(shown)):
        if id(reason) not in wanted:
            continue
        for name, slot in sorted(reason.slots.items()):
            pointer = _pointer(shown, _ref(number, name), slot)
            if pointer is not None:
                yield pointer


def _sentences(shown: Shown) -> list[ReasonStep]:
    return [reason for step in shown.task.steps for reason in step.reasoning]


def _ref(number: int, name: str) -> str:
    return f"r{number}-{name}"


def _pieces(shown: Shown, number: int, step: ReasonStep) -> Iterator[Piece]:
    """A sentence cut at its slots, each rendered as the training text renders it."""
    rest = step.template
    while rest:
        before, brace, after = rest.partition("{")
        if before:
            yield Piece(before, "", "")
        name, _, rest = after.partition("}")
        if not brace:
            return
        slot = step.slots.get(name)
        if slot is None:
            yield Piece("{" + name + "}", "", "")
            continue
        alone = ReasonStep(template="{" + name + "}", slots={name: slot})
        text = render_reasoning(
            [alone], lang=shown.record.lang, width=shown.flat.width, height=shown.flat.height
        )
        pointer = _pointer(shown, _ref(number, name), slot)
        yield Piece(text, "" if pointer is None else pointer.ref, slot.kind)


def _pointer(shown: Shown, ref: str, slot: Slot) -> Pointer | None:
    if slot.kind == "point":
        x, y = slot.value
        return Pointer(ref, "point", x, y, x)
    if slot.kind == "length":
        first, last = slot.value
        return Pointer(ref, "length", first, _height_of(shown), last)
    return None


def _height_of(shown: Shown) -> float:
    """Where a length is drawn: at the first gold point, or in the middle."""
    for action in shown.actions:
        point = getattr(action, "start", None) or getattr(action, "point", None)
        if point:
            return point[1]
    return shown.flat.height / 2


def pretty_json(value: Any) -> str:
    """A value as indented JSON with short values on one line; escaped HTML that marks names."""
    return "".join(_lines(value, 0))


def _lines(value: Any, depth: int) -> Iterator[str]:
    length = len(orjson.dumps(value)) + 2 * depth
    if not isinstance(value, dict | list) or not value or length <= LINE_CHARS:
        yield _on_one_line(value)
        return
    inner, outer = "  " * (depth + 1), "  " * depth
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    yield f"{opened}\n"
    items = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for place, (name, item) in enumerate(items, start=1):
        yield inner + (_name(name) if name is not None else "")
        yield from _lines(item, depth + 1)
        yield ",\n" if place < len(value) else "\n"
    yield f"{outer}{closed}"


def _on_one_line(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_name(k) + _on_one_line(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_on_one_line, value)) + "]"
    kind = "s" if isinstance(value, str) else "n"
    return f'<i class="{kind}">{_escaped(value)}</i>'


def _name(name: str) -> str:
    return f"<b>{_escaped(name)}</b>: "


def _escaped(value: Any) -> str:
    return html.escape(orjson.dumps(value).decode())
