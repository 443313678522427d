"""Characters drawn bent, turned and crowded, to be typed into a field.

Rule
    Type the characters of the picture. The panel says whether upper and lower case differ.
Answer
    A click on the field and the text; where the panel has a button, a click on it.
Validity
    No two characters of an alphabet are taken for each other, and no run of two closes up
    into a third. All ink lies in the picture; neighbours share little of their width; the
    lines across are thinner than strokes; every character keeps a step in brightness to
    what is around it, measured on the decoded picture.
Source
    Text images as in MCA-Bench, VenusBench-CAPTCHA, HLL, Halligan, ReCAP and the open
    generators. Compared exactly after stripping; without case only where the panel says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr._base import TextPuzzle, TextState
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import (
    CONTENT_LANES,
    Choice,
    Content,
    Label,
    Options,
    Scene,
    State,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng, permuted_index
from factory.core.walk import place, share
from factory.draw import glyphs, grounds
from factory.draw.clutter import choose_clutter
from factory.draw.warps import choose_warp

Alphabet = Literal["upper_digits", "lower_digits", "cased"]
ALPHABETS: tuple[Alphabet, ...] = ("upper_digits", "lower_digits", "cased")

LETTERS: Mapping[Alphabet, str] = {
    name: glyphs.safe_alphabet(name).replace("n", "") for name in ALPHABETS
}
"""No n: after r or n it closes up into an m."""

PREFIX = 4
"""So many characters are walked, so that no text comes twice on one kind of ground."""

BASE = min(map(len, LETTERS.values()))
SPACE = BASE**PREFIX
"""Beginnings of texts in the smallest alphabet."""

LENGTHS = (4, 7)
MOST_OVERLAP = 0.16
"""Neighbours are set to share at most this much of the narrower one's width."""

MOST_CROWDED = 0.24
"""The same of boxes of the ink, turned and bent: from a quarter on, an r before an m is lost."""


class CharsState(TextState):
    """``overlap`` is the share of widths that neighbours were set to have in common."""

    text: str
    alphabet: Alphabet
    overlap: float


class CharsOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    length: int | None = Knob(default=None, ge=LENGTHS[0], le=8)
    overlap: float | None = Knob(default=None, ge=0.0, le=MOST_OVERLAP)
    warp: float | None = Knob(default=None, ge=0.0, le=1.0)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_distorted_chars", version=1, family="text_ocr")
class TextDistortedChars(TextPuzzle[CharsState, CharsOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CharsState
    Options: ClassVar[type[Options]] = CharsOptions
    shape, width = (0.32, 0.42), (236, 300)

    def contents(self, split: str) -> Sequence[Content]:
        room = CONTENT_LANES * share(split, SPACE)
        return [Content(c.kind, c.share, room) for c in grounds.contents()]

    def _length(self, difficulty: float) -> int:
        low, high = LENGTHS
        return self.options.length or low + min(high - low, int(difficulty * (high - low + 1)))

    def _text(self, scene: Scene) -> tuple[str, Alphabet]:
        """The text of the key: its beginning walked, the rest drawn; fixed at every attempt."""
        stream = scene.rng.fixed("text")
        alphabet = stream.choice(ALPHABETS)
        letters = LETTERS[alphabet]
        name = f"texts {alphabet} {scene.content_kind}"
        number = place(scene.content_place, scene.split, SPACE, name)
        # Spread over all that the alphabet can begin with: no letter is never first, none repeats.
        room = len(letters) ** PREFIX
        number = permuted_index(number * room // SPACE, room, f"letters {name}")
        digits = [number // len(letters) ** k % len(letters) for k in range(PREFIX)]
        rest = [stream.integer(0, len(letters)) for _ in range(self._length(scene.difficulty))]
        return "".join(letters[d] for d in [*digits, *rest[PREFIX:]]), alphabet

    def sample(self, scene: Scene) -> CharsState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        text, alphabet = self._text(scene)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        overlap = MOST_OVERLAP * scene.difficulty if knob.overlap is None else knob.overlap
        strength = 0.15 + 0.6 * scene.difficulty if knob.warp is None else knob.warp
        noise = 0.1 + 0.7 * scene.difficulty if knob.noise is None else knob.noise
        area = Box(8, 6, slot.width - 8, slot.height - 6)
        specs = kit.line_of_glyphs(
            rng.fresh("glyphs"),
            text,
            area,
            split=scene.split,
            tone=ground.tone,
            overlap=overlap,
            unrest=scene.difficulty,
            cased=alphabet == "cased",
        )
        return CharsState(
            text=text,
            alphabet=alphabet,
            ground=ground,
            glyphs=specs,
            warp=choose_warp(rng.fresh("warp"), strength, specs[0].size),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.4),
            size=(slot.width, slot.height),
            overlap=round(overlap, 6),
        )

    def check(self, state: CharsState) -> None:
        letters = LETTERS[state.alphabet]
        if state.shown != state.text:
            raise Rejected("text and glyphs disagree")
        if any(char not in letters for char in state.text):
            raise Rejected("character outside its alphabet")
        if glyphs.closes_up(state.text):
            raise Rejected("two characters close up into another")
        if state.overlap > MOST_OVERLAP + 1e-9:
            raise Rejected("too much overlap", value=state.overlap, limit=MOST_OVERLAP)
        if list(state.glyphs) != sorted(state.glyphs, key=lambda spec: spec.x):
            raise Rejected("order is not left to right")
        inks = state.inks()
        kit.refuse_crowded([found.box for found in inks], MOST_CROWDED)
        kit.refuse_outside([found.painted for found in inks], state.size)

    def answer(self, state: CharsState) -> str:
        return state.text

    def cased(self, state: CharsState) -> bool:
        return state.alphabet == "cased"

    def reason_slots(
        self, state: CharsState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "count": Slot("count", len(state.text)),
            "spelled": Slot(
                "name", ", ".join(state.text) if lang == "en" else "、".join(state.text)
            ),
            "text": Slot("name", state.text),
            "field": self.field_slot(gold),
        }

    def identity(self, state: CharsState) -> Json:
        return {"text": state.text, "case": state.alphabet == "cased", "ground": state.ground.kind}

    def wrong_texts(self, state: CharsState, rng: Rng) -> Mapping[str, str]:
        text, stream = state.text, rng.fresh("wrong")
        at = stream.integer(0, len(text))
        letters = LETTERS[state.alphabet].replace(text[at], "")
        return {
            "one wrong": text[:at] + stream.choice(letters) + text[at + 1 :],
            "one short": text[:-1],
            "backwards": text[::-1],
            "other case": text.swapcase(),
        }

    def bad_states(self, state: CharsState) -> Iterator[tuple[str, CharsState]]:
        def changed(**more: Any) -> CharsState:
            return state.model_copy(update=more)

        first, *rest = state.glyphs
        yield "text and glyphs disagree", changed(text=state.text[::-1] + "A")
        odd = kit.with_char(first, "O")
        yield (
            "character outside its alphabet",
            changed(text="O" + state.text[1:], glyphs=(odd, *rest)),
        )
        yield "too much overlap", changed(overlap=0.5)
        yield (
            "order is not left to right",
            changed(text=state.text[::-1], glyphs=state.glyphs[::-1]),
        )
        near = kit.moved(rest[0], first.x + 0.2 * (rest[0].x - first.x), first.y)
        yield "characters crowd each other", changed(glyphs=(first, near, *rest[1:]))
        yield "ink leaves the picture", changed(size=(state.size[0], first.y))

    def solutions(self, state: CharsState, mechanic: AnyMechanic) -> list[str]:
        """The characters in the order of their places, read off the glyphs."""
        order = sorted(enumerate(state.inks()), key=lambda found: found[1].box.center.x)
        return ["".join(state.glyphs[place].char for place, _ in order)]

    def labels(self, state: CharsState, scene: Scene) -> Mapping[str, Label]:
        letters = LETTERS[state.alphabet]
        found: dict[str, Label] = {"alphabet": Choice(ALPHABETS.index(state.alphabet), 3)}
        for index, char in enumerate(state.text[:PREFIX]):
            found[f"{state.alphabet} {index}"] = Choice(letters.index(char), len(letters))
        return found
