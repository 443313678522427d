"""What the plain classes have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import skia

from factory.core.actions import ActionBase
from factory.core.geometry import Point
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Content, Options, PuzzleType, Seen, StateT, Wording, WrongResponse
from factory.core.record import Slot
from factory.core.rng import Rng

COLOURS = {
    "red": (205, 32, 38), "blue": (36, 76, 214), "green": (22, 132, 52),
    "orange": (236, 128, 10), "purple": (138, 40, 160), "black": (20, 20, 24),
}  # fmt: skip
NAMES = tuple(COLOURS)
ZH = {"red": "红", "blue": "蓝", "green": "绿", "orange": "橙", "purple": "紫", "black": "黑"}

LEADS = {
    "en": ("", "Now ", "Please ", "Next, ", "To go on, ", "Check: ", "One task: ", "Here, "),
    "zh": ("", "现在，", "请", "接着，", "继续前请", "验证：", "任务：", "此处"),
}


class PlainOptions(Options):
    """None."""


class Plain(PuzzleType[StateT, PlainOptions]):
    """A class of which only the puzzle itself is left to say."""

    Options: ClassVar[type[Options]] = PlainOptions
    family, version, source_file = "plain", 1, Path(__file__)
    answer_kind = "test"
    pictorial = False
    asks: ClassVar[Mapping[str, str]]
    """The goal in each language, without a lead."""
    says: ClassVar[Mapping[str, str]]
    """The reasoning's second sentence in each language."""

    @classmethod
    def wording_of_class(cls) -> Wording:
        goals = {
            lang: tuple(f"{lead}{ask}" for lead in LEADS[lang]) for lang, ask in cls.asks.items()
        }
        seen = {"en": ("I look.", "Looking at it.", "Let me see.", "First I look."),
                "zh": ("先看图。", "观察一下。", "我看到了。", "看清楚。")}  # fmt: skip
        then = {"en": ("So: ", "Then: ", "Thus: "), "zh": ("于是：", "因此：", "所以：")}
        reasoning = {
            lang: {"seen": seen[lang], "act": tuple(f"{lead}{say}" for lead in then[lang])}
            for lang, say in cls.says.items()
        }
        return Wording(goals, goals, reasoning, {lang: () for lang in goals})

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("plain", 1.0, 10**9)]

    def margins(self, state: StateT, seen: Seen) -> Mapping[str, tuple[float, float]]:
        return {}

    def reason_slots(
        self, state: StateT, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {}

    def wrong_responses(
        self, state: StateT, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        gold = mechanic.gold(rng.fresh("gold"))
        return [WrongResponse("the last one left out", tuple(gold[:-1]))]

    def bad_states(self, state: StateT) -> Iterator[tuple[str, StateT]]:
        raise NotImplementedError


def fill(colour: Sequence[int]) -> Any:
    """An anti-aliased fill."""
    return skia.Paint(AntiAlias=True, Color=skia.Color(*colour))


def cell_centers(width: float, height: float, columns: int, rows: int) -> list[Point]:
    """Centres of the cells of a grid, row by row."""
    return [
        Point((column + 0.5) * width / columns, (row + 0.5) * height / rows)
        for row in range(rows)
        for column in range(columns)
    ]
