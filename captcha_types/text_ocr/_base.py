"""What the classes of the family have in common: glyphs on a ground, read and typed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from captcha_types.text_ocr import _kit as kit
from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    Artwork,
    Control,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Slot
from factory.core.rng import Rng
from factory.draw import glyphs, grounds
from factory.draw.clutter import Clutter, draw_clutter
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.warps import Warp

LEAST_STEP = 45.0
"""Levels of grey between the ink of a character and its ground, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the ink beyond this."""

CASE_RULES = {
    "en": {False: "Upper or lower case is the same", True: "Capital letters matter"},
    "zh": {False: "不区分大小写", True: "区分大小写"},
}
"""What a panel says about case, by whether it matters."""


class TextState(State):
    """Glyphs in CSS px from the picture's corner, in reading order."""

    ground: grounds.Ground
    glyphs: tuple[glyphs.GlyphSpec, ...]
    warp: Warp | None
    clutter: Clutter
    size: tuple[float, float]

    @property
    def shown(self) -> str:
        """The characters of the picture."""
        return "".join(spec.char for spec in self.glyphs)

    def inks(self) -> tuple[glyphs.Ink, ...]:
        """Where each glyph lies."""
        return glyphs.inks(self.glyphs, self.warp)


StateT = TypeVar("StateT", bound=TextState)
OptionsT = TypeVar("OptionsT", bound=Options)


class TextPuzzle(PuzzleType[StateT, OptionsT]):
    """A picture of glyphs and one field."""

    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_in_grey = True
    seen_side = 90
    small_model_reach = False  # every character has to be right at once; see docs/learnability
    looked_at: ClassVar[int] = 7
    """So many glyphs of a picture are measured at most, evenly spread: neighbours are alike."""
    shape: ClassVar[tuple[float, float]] = (0.32, 0.42)
    """Height over width of the picture."""
    width: ClassVar[tuple[int, int]] = (250, 300)
    """Its width, CSS px."""
    words: ClassVar[str] = "characters"
    """The set of words in the field."""
    number: ClassVar[bool] = False
    """Whether the answer is compared as a number."""

    @classmethod
    def panel(cls) -> PanelRequest:
        field = Control("field", words=cls.words)
        return PanelRequest(
            frame="rect", ratio=cls.shape, width=cls.width, controls=(field,), submit="either"
        )

    @abstractmethod
    def answer(self, state: StateT) -> str:
        """What gold types."""

    @abstractmethod
    def wrong_texts(self, state: StateT, rng: Rng) -> Mapping[str, str]:
        """Near misses by name."""

    def cased(self, state: StateT) -> bool:
        """Whether case matters."""
        return False

    def paint(self, canvas: Any, state: StateT) -> None:
        """The picture from its corner in CSS px."""
        whole = Box(0, 0, *state.size)
        grounds.draw_ground(canvas, state.ground, whole)
        glyphs.draw_glyphs(canvas, state.glyphs, state.warp)
        draw_clutter(canvas, state.clutter, whole)

    def draw(self, state: StateT, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            self.paint(canvas, state)

        boxes = kit.regions(slot, [found.box for found in state.inks()])
        return Artwork((Part("text", slot, paint),), boxes)

    def mechanic(self, state: StateT, placement: Placement) -> AnyMechanic:
        kind = "number" if self.number else "text"
        field = Field(placement.boxes["field"], (self.answer(state),), kind)
        return TextEntry((field,), case_sensitive=self.cased(state), submit=placement.submit)

    def goal_slots(self, state: StateT, lang: str) -> dict[str, str]:
        return {"case": CASE_RULES[lang][self.cased(state)]}

    def field_slot(self, gold: Sequence[ActionBase]) -> Slot:
        """Where gold clicks the field."""
        click = gold[0]
        assert isinstance(click, Click)
        return Slot("point", list(click.point))

    def margins(self, state: StateT, seen: Seen) -> Mapping[str, tuple[float, float]]:
        every = -(-len(state.glyphs) // self.looked_at)
        boxes = [found.box.grown(1) for found in state.inks()[::every]]
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of ink and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def wrong_responses(
        self, state: StateT, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        return [
            kit.typed(mechanic, name, text)
            for name, text in self.wrong_texts(state, rng).items()
            if text and not mechanic.fields[0].accepts(text, mechanic.case_sensitive)
        ]
