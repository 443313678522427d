"""Four capital letters that are typed.

Rule
    Type the letters.
Answer
    A text.
Validity
    No letter is mistaken for another.
Source
    Made for the tests of the contract suite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import skia

from factory.core.actions import Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    Artwork,
    Choice,
    Control,
    Label,
    PanelRequest,
    Part,
    Placement,
    Scene,
    State,
    WrongResponse,
)
from factory.core.record import Json
from factory.core.rng import Rng
from factory.draw.text import Face, draw_line
from factory.draw.tokens import tokens_named
from saboteurs.plain.base import Plain

LETTERS, LENGTH = "ACEFHKMNPRTVXY", 4


class CodeState(State):
    """``code``: what is drawn and typed; ``shifts``: how far each letter stands off its line."""

    code: str
    shifts: tuple[float, ...]
    ground: int


class Code(Plain[CodeState]):
    """See the module."""

    id = "code"
    State: ClassVar[type[State]] = CodeState
    mechanics = ("text_entry",)
    asks: ClassVar[Mapping[str, str]] = {
        "en": "type the four capital letters", "zh": "输入四个大写字母"
    }  # fmt: skip
    says: ClassVar[Mapping[str, str]] = {"en": "I type them.", "zh": "输入它们。"}

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            ratio=(0.3, 0.36), controls=(Control("field", words="field"),), submit="either"
        )

    def sample(self, scene: Scene) -> CodeState:
        letters = scene.rng.fixed("code")
        code = "".join(letters.choice(LETTERS) for _ in range(LENGTH))
        stream = scene.rng.fresh("look")
        return CodeState(
            code=code,
            shifts=tuple(round(stream.uniform(-8, 8), 6) for _ in range(LENGTH)),
            ground=stream.integer(215, 250),
        )

    def check(self, state: CodeState) -> None:
        if len(state.code) != LENGTH:
            raise Rejected("another length")
        if any(letter not in LETTERS for letter in state.code):
            raise Rejected("a letter that is mistaken for others")

    def draw(self, state: CodeState, placement: Placement) -> Artwork:
        slot, tokens = placement.boxes["slot"], tokens_named(placement.tokens)
        faces, wide = (Face(str(tokens.font.path()), 600),), slot.width / LENGTH
        boxes = [
            Box.sized(slot.x0 + k * wide, slot.y0 + shift, wide, slot.height)
            for k, shift in enumerate(state.shifts)
        ]

        def paint(canvas: Any) -> None:
            canvas.clear(skia.Color(state.ground, state.ground, state.ground))
            for letter, box in zip(state.code, boxes, strict=True):
                draw_line(canvas, letter, faces, 34.0, (25, 30, 60), box)

        return Artwork(parts=(Part("code", slot, paint),), regions={"picture": slot})

    def mechanic(self, state: CodeState, placement: Placement) -> AnyMechanic:
        field = Field(box=placement.boxes["field"], answers=(state.code,))
        return TextEntry(fields=(field,), submit=placement.submit)

    def wrong_responses(
        self, state: CodeState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        gold = mechanic.gold(rng.fresh("gold"))
        last = "A" if state.code[-1] != "A" else "C"
        other = [Type(state.code[:-1] + last) if isinstance(a, Type) else a for a in gold]
        return [WrongResponse("the last letter another one", tuple(other))]

    def identity(self, state: CodeState) -> Json:
        return {"code": state.code, "shifts": [round(4 * shift) for shift in state.shifts]}

    def bad_states(self, state: CodeState) -> Iterator[tuple[str, CodeState]]:
        yield "another length", state.model_copy(update={"code": state.code + "A"})
        doubtful = state.model_copy(update={"code": state.code[:-1] + "O"})
        yield "a letter that is mistaken for others", doubtful

    def solutions(self, state: CodeState, mechanic: AnyMechanic) -> Sequence[str]:
        return [state.code]

    def labels(self, state: CodeState, scene: Scene) -> Mapping[str, Label]:
        return {
            f"letter {k}": Choice(LETTERS.index(letter), len(LETTERS))
            for k, letter in enumerate(state.code)
        }
