"""Text entry: one or several fields are tapped and typed into.

A tap focuses a field, with the caret behind its text; typing appends, ``ctrl+a``
selects all so that typing replaces, ``backspace`` deletes, ``tab`` goes to the next
field, and Enter (the key, or a line break in what is typed) submits, as on real pages,
whether or not a submit button is drawn. Where one is drawn, Enter or a tap on it is
needed; without one, the verdict is on the texts as they stand. The order of the fields
is free, and tapping a field again is harmless.

Strict about what does not belong to the solution: typing or Enter without focus fails
for good with ``no_focus``; a tap beside the fields, another key, or anything after
submitting with ``extra_action``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Self

import msgspec

from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    SOLVED,
    Mark,
    Mechanic,
    Perturbation,
    Pose,
    Verdict,
    failed,
    register_mechanic,
    similarity,
)
from factory.core.mechanics.events import Event, Key, Other, Press, Release
from factory.core.mechanics.taps import is_tap, near_center, refuse_bad_boxes
from factory.core.mechanics.text_checks import (
    text_grid_safe,
    text_parity,
    text_perturbations,
    text_quick_perturbations,
)
from factory.core.mechanics.text_fields import Field
from factory.core.rng import Stream

__all__ = ["Field", "TextEntry", "TextWorld"]

SUBMIT, NOTHING = -1, -2
"""The submit button, and no control at all, beside the fields' places in ``fields``."""
_STROKES = re.compile(r"[\n\t]|[^\n\t]+")
"""What is typed, cut into Enter, Tab and the text between them."""


class TextWorld(msgspec.Struct, frozen=True):
    """The texts, the field with the focus, whether its text is selected, and the pointer."""

    texts: tuple[str, ...]
    focus: int = NOTHING
    selected: bool = False
    pressed: int = NOTHING
    press: Point = Point(0.0, 0.0)
    press_ms: float = 0.0
    submitted: bool = False
    fault: str = ""


@register_mechanic
class TextEntry(Mechanic[TextWorld], frozen=True, tag="text_entry", forbid_unknown_fields=True):
    """Fields and their answers; boxes in px of the frame, final canvas once mapped."""

    fields: tuple[Field, ...]
    case_sensitive: bool = True
    submit: Box | None = None
    px_per_css: float = 1.0

    def __post_init__(self) -> None:
        """Refuse fields that a tap could not tell apart, or no field at all."""
        if not self.fields:
            raise InvalidOptions("a text entry needs a field")
        if not (math.isfinite(self.px_per_css) and self.px_per_css > 0):
            raise InvalidOptions(f"px_per_css is {self.px_per_css}, not a positive number")
        boxes = [field.box for field in self.fields]
        refuse_bad_boxes(boxes if self.submit is None else [*boxes, self.submit])

    def control_at(self, point: Point) -> int:
        """The field, ``SUBMIT`` or ``NOTHING`` at the point."""
        for place, field in enumerate(self.fields):
            if field.box.contains(point):
                return place
        return SUBMIT if self.submit is not None and self.submit.contains(point) else NOTHING

    def start(self) -> TextWorld:
        return TextWorld(("",) * len(self.fields))

    def step(self, world: TextWorld, event: Event) -> TextWorld:
        if isinstance(event, Press):
            return self._press(world, event)
        if isinstance(event, Release):
            return world if world.pressed == NOTHING else self._release(world, event)
        if isinstance(event, Key):
            return self._key(world, event)
        return _faulty(world) if isinstance(event, Other) else world

    def _press(self, world: TextWorld, event: Press) -> TextWorld:
        point = Point(event.x, event.y)
        free = not (world.fault or world.submitted) and world.pressed == NOTHING
        control = self.control_at(point) if free and event.button == "left" else NOTHING
        if control == NOTHING:
            return _faulty(world)
        return TextWorld(world.texts, world.focus, world.selected, control, point, event.t_ms)

    def _release(self, world: TextWorld, event: Release) -> TextWorld:
        point, control = Point(event.x, event.y), world.pressed
        if not is_tap(world.press, world.press_ms, event, self.px_per_css):
            return _faulty(world)
        if point != world.press and self.control_at(point) != control:
            return _faulty(world)
        if control == SUBMIT:
            return TextWorld(world.texts, submitted=True)
        return TextWorld(world.texts, control)

    def _key(self, world: TextWorld, event: Key) -> TextWorld:
        if world.fault or world.submitted or world.pressed != NOTHING:
            return _faulty(world)
        if event.name:
            return self._chord(world, event.name)
        for stroke in _STROKES.findall(event.text):
            world = self._stroke(world, stroke)
        return world

    def _chord(self, world: TextWorld, name: str) -> TextWorld:
        """A named key: the ones that edit a text or leave the field, and no other."""
        if name in ("enter", "return"):
            return self._stroke(world, "\n")
        if name == "tab":
            return self._stroke(world, "\t")
        if world.focus == NOTHING:
            return _faulty(world, "no_focus")
        if name in ("ctrl+a", "cmd+a", "meta+a", "control+a", "command+a"):
            return TextWorld(world.texts, world.focus, True)
        if name in ("backspace", "delete"):
            if name == "delete" and not world.selected:  # the caret is behind the text
                return world
            left = "" if world.selected else world.texts[world.focus][:-1]
            return self._written(world, left)
        return _faulty(world)

    def _stroke(self, world: TextWorld, stroke: str) -> TextWorld:
        """Enter, Tab, or text into the focused field."""
        if world.fault or world.submitted:
            return _faulty(world)
        if world.focus == NOTHING:
            return _faulty(world, "no_focus")
        if stroke == "\n":
            return TextWorld(world.texts, submitted=True)
        if stroke == "\t":
            after = world.focus + 1
            return TextWorld(world.texts, after if after < len(self.fields) else NOTHING, True)
        return self._written(world, ("" if world.selected else world.texts[world.focus]) + stroke)

    def _written(self, world: TextWorld, text: str) -> TextWorld:
        at = world.focus
        return TextWorld((*world.texts[:at], text, *world.texts[at + 1 :]), at)

    def verdict(self, world: TextWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.pressed != NOTHING:
            return failed("not_released")
        if not all(text.strip() for text in world.texts):
            return failed("empty_field")
        for field, text in zip(self.fields, world.texts, strict=True):
            if not field.accepts(text, self.case_sensitive):
                return failed("wrong_text")
        if self.submit is not None and not world.submitted:
            return failed("not_submitted")
        return SOLVED

    def pose(self, world: TextWorld) -> Pose:
        """The typed texts, and the outline of the focused field."""
        marks = [
            Mark("typed", _corners(field.box), text)
            for field, text in zip(self.fields, world.texts, strict=True)
            if text
        ]
        if world.focus != NOTHING:
            marks.append(Mark("outline", _corners(self.fields[world.focus].box)))
        return Pose(marks=tuple(marks))

    def gold(self, stream: Stream) -> list[ActionBase]:
        """Each field tapped and typed into, in order, then submit."""
        actions: list[ActionBase] = []
        for field in self.fields:
            actions += [Click(near_center(field.box, stream)), Type(field.answers[0])]
        return (
            actions if self.submit is None else [*actions, Click(near_center(self.submit, stream))]
        )

    def goal_slots(self) -> dict[str, str]:
        return {
            "handle": "field",
            "fields": str(len(self.fields)),
            "aim": self.fields[0].kind,
            "case": "sensitive" if self.case_sensitive else "ignored",
            "submit": "none" if self.submit is None else "button",
        }

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        move = similarity(page_from_panel)
        return msgspec.structs.replace(
            self,
            fields=tuple(
                msgspec.structs.replace(field, box=move.box(field.box)) for field in self.fields
            ),
            submit=None if self.submit is None else move.box(self.submit),
            px_per_css=self.px_per_css * move.scale,
        )

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        return text_grid_safe(self, gold, width, height)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return text_perturbations(self, gold)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return text_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        """``case_folded``: what gold types is right for a scorer that ignores case."""
        return text_parity(self, gold, width, height)


def _corners(box: Box) -> tuple[Point, ...]:
    """The corners, clockwise from the top left."""
    return (
        Point(box.x0, box.y0), Point(box.x1, box.y0), Point(box.x1, box.y1), Point(box.x0, box.y1),
    )  # fmt: skip


def _faulty(world: TextWorld, fault: str = "extra_action") -> TextWorld:
    """The world after something that does not belong: it cannot pass any more."""
    return TextWorld(
        world.texts, world.focus, submitted=world.submitted, fault=world.fault or fault
    )
