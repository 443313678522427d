"""Reasoning text in any coordinate space.

Reasoning is stored as templates with typed slots in canvas px, and each
exporter renders it in its own space, so text and action never disagree.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from factory.core.errors import InvalidOptions
from factory.core.geometry import to_grid
from factory.core.record import ReasonStep, Slot

Space = Literal["grid999", "px"]

UNITS = {
    ("en", "grid999"): " units",
    ("en", "px"): " px",
    ("zh", "grid999"): "个单位",
    ("zh", "px"): "像素",
}
"""What a length is called, by language and space."""


@cache
def class_words(file: str, lang: str) -> Mapping[str, str]:
    """The block ``words`` of the wording beside a class' file: what its slots are filled with."""
    text = Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    return tomllib.loads(text)[lang]["words"]


def render_reasoning(
    steps: Sequence[ReasonStep], *, lang: str, width: int, height: int, space: Space = "grid999"
) -> str:
    """The sentences of a reasoning, joined; ``width`` x ``height`` is the canvas in px."""
    joint = "" if lang == "zh" else " "
    return joint.join(
        step.template.format_map(
            {
                name: _slot_text(slot, lang, width, height, space)
                for name, slot in step.slots.items()
            }
        )
        for step in steps
    )


def _slot_text(slot: Slot, lang: str, width: int, height: int, space: Space) -> str:
    def along_x(x: float) -> int:
        return to_grid(x, width) if space == "grid999" else round(x)

    def along_y(y: float) -> int:
        return to_grid(y, height) if space == "grid999" else round(y)

    if slot.kind == "point":
        x, y = slot.value
        return f"({along_x(x)}, {along_y(y)})"
    if slot.kind == "length":
        first, last = slot.value
        return f"{abs(along_x(last) - along_x(first))}{UNITS[lang, space]}"
    if slot.kind in ("angle", "count", "colour", "name"):
        return str(slot.value)
    raise InvalidOptions(f"a reasoning slot of kind {slot.kind!r} has no text form")
