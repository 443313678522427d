"""A row of characters of which only those with a mark are to be typed.

Rule
    Type only the characters of the colour that is named, or only the hollow, underlined or
    large ones, in reading order; upper and lower case are the same.
Answer
    A click on the field and the characters; where the panel has a button, a click on it.
Validity
    Three characters at least have the mark and two have not. Colours have names that nobody
    disputes, 26 or more apart in CIEDE2000; large characters are 1.67 times as high as
    small ones. Each stands in a cell of its own, all keep a step in brightness to what is
    around them, measured on the decoded picture.
Source
    Ours, after reading tasks with distractors. Compared without case after stripping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr import _marks as marks
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
from factory.core.rng import Rng
from factory.core.walk import place, share
from factory.draw import glyphs, grounds
from factory.draw.clutter import choose_clutter, draw_clutter

LETTERS = glyphs.safe_alphabet("upper_digits").replace("N", "")
PREFIX, KINDS = 4, len(grounds.SHARES)
SPACE = len(LETTERS) ** PREFIX
"""Beginnings of texts, shared out among the kinds of grounds: none comes twice."""

LENGTHS, LEAST = (6, 10), 3
"""So many characters have the mark, so that no answer is guessed; two have not."""


class FilterState(TextState):
    """``chosen`` are the places of the answer's characters, in the order of their lot."""

    text: str
    mark: marks.Mark
    wanted: str
    mood: marks.Mood
    chosen: tuple[int, ...]
    colours: tuple[str, ...]
    """The name of each character's colour."""
    hollow: tuple[int, ...]
    underlined: tuple[int, ...]
    small: tuple[int, ...]
    em: float

    def marked(self) -> list[int]:
        """The places that have the mark, in reading order."""
        if self.mark == "colour":
            return [at for at, name in enumerate(self.colours) if name == self.wanted]
        if self.mark == "large":
            return [at for at in range(len(self.text)) if at not in self.small]
        return sorted(self.hollow if self.mark == "hollow" else self.underlined)


class FilterOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    length: int | None = Knob(default=None, ge=5, le=LENGTHS[1])
    colours: int | None = Knob(default=None, ge=2, le=4)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_color_filter", version=1, family="text_ocr")
class TextColorFilter(TextPuzzle[FilterState, FilterOptions]):
    """See the module."""

    State: ClassVar[type[State]] = FilterState
    Options: ClassVar[type[Options]] = FilterOptions
    shape, width = (0.36, 0.5), (250, 300)

    def contents(self, split: str) -> Sequence[Content]:
        room = CONTENT_LANES * (share(split, SPACE) // KINDS)
        return [Content(c.kind, c.share, room) for c in grounds.contents()]

    def _length(self, difficulty: float) -> int:
        low, high = LENGTHS
        return self.options.length or low + min(high - low, int(difficulty * (high - low + 1)))

    def _text(self, scene: Scene) -> str:
        """The text of the key: its beginning walked, the rest drawn; fixed at every attempt."""
        kind = tuple(grounds.SHARES).index(scene.content_kind.removeprefix("ground_"))
        number = place(scene.content_place * KINDS + kind, scene.split, SPACE, "marked texts")
        first = [LETTERS[number // len(LETTERS) ** k % len(LETTERS)] for k in range(PREFIX)]
        stream, length = scene.rng.fixed("text"), self._length(scene.difficulty)
        return "".join([*first, *(stream.choice(LETTERS) for _ in range(length - PREFIX))])

    def sample(self, scene: Scene) -> FilterState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        text, lot = self._text(scene), rng.fixed("mark")
        mark = lot.weighted(marks.MARKS, marks.MARK_SHARES)
        mood = lot.choice(marks.MOODS)
        wanted = lot.choice(marks.WANTED[mood])
        chosen = tuple(lot.sample(range(len(text)), lot.integer(LEAST, len(text) - 1)))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=(mood,),
        )  # fmt: skip
        few = knob.colours or 2 + min(2, int(3 * scene.difficulty))
        dress = marks.dressed(rng.fresh("dress"), len(text), mark, wanted, mood, chosen, few)
        noise = 0.5 * scene.difficulty if knob.noise is None else knob.noise
        size = (slot.width, slot.height)
        area, style = Box(0, 0, *size).grown(-8), rng.fresh("glyphs")
        face = style.choice(marks.faces(scene.split, mark)).name
        specs, em = marks.laid_out(style, text, area, face, dress, scene.difficulty)
        names = {colour: name for name, colour in dress.palette.items()}
        return FilterState(
            text=text,
            mark=mark,
            wanted=wanted,
            mood=mood,
            chosen=chosen,
            colours=tuple(names[colour] for colour in dress.colours),
            hollow=dress.hollow,
            underlined=dress.underlined,
            small=dress.small,
            em=em,
            ground=ground,
            glyphs=specs,
            warp=None,
            clutter=choose_clutter(rng.fresh("clutter"), marks.tone(mood), noise, width=1.0),
            size=size,
        )

    def check(self, state: FilterState) -> None:
        count = len(state.text)
        if state.shown != state.text or any(char not in LETTERS for char in state.text):
            raise Rejected("text and glyphs disagree")
        if state.marked() != sorted(state.chosen):
            raise Rejected("marks and places disagree")
        if not LEAST <= len(state.chosen) <= count - 2:
            raise Rejected("too few or too many marked", value=len(state.chosen), limit=count - 2)
        inks = [spec.style.ink for spec in state.glyphs]
        marks.check_colours(inks, state.colours, state.mood)
        marks.check_looks(state.glyphs, state.hollow, state.small, state.em)
        bars = [marks.bar(state.glyphs[at], state.em) for at in state.underlined]
        kit.refuse_outside([*(found.painted for found in state.inks()), *bars], state.size)

    def paint(self, canvas: Any, state: FilterState) -> None:
        whole = Box(0, 0, *state.size)
        grounds.draw_ground(canvas, state.ground, whole)
        marks.paint_veil(canvas, state.mood, whole)
        draw_clutter(canvas, state.clutter, whole)
        glyphs.draw_glyphs(canvas, state.glyphs)
        marks.paint_bars(canvas, state.glyphs, state.underlined, state.em)

    def answer(self, state: FilterState) -> str:
        return "".join(state.text[at] for at in sorted(state.chosen))

    def goal_slots(self, state: FilterState, lang: str) -> dict[str, str]:
        return {
            **super().goal_slots(state, lang),
            "which": marks.called_by(state.mark, state.wanted, lang),
        }

    def reason_slots(
        self, state: FilterState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        comma = ", " if lang == "en" else "、"
        return {
            "spelled": Slot("name", comma.join(state.text)),
            "picked": Slot("name", comma.join(self.answer(state))),
            "which": Slot("name", marks.called_by(state.mark, state.wanted, lang)),
            "count": Slot("count", len(state.chosen)),
            "answer": Slot("name", self.answer(state)),
            "field": self.field_slot(gold),
        }

    def identity(self, state: FilterState) -> Json:
        which = state.wanted if state.mark == "colour" else state.mark
        return {"text": state.text, "which": which, "chosen": sorted(state.chosen)}

    def wrong_texts(self, state: FilterState, rng: Rng) -> Mapping[str, str]:
        right = self.answer(state)
        return {
            "all characters": state.text,
            "the others": "".join(c for at, c in enumerate(state.text) if at not in state.chosen),
            "one left out": right[1:],
            "backwards": right[::-1],
        }

    def bad_states(self, state: FilterState) -> Iterator[tuple[str, FilterState]]:
        def changed(**more: Any) -> FilterState:
            return state.model_copy(update=more)

        (first, *rest), every = state.glyphs, tuple(range(len(state.text)))
        yield "text and glyphs disagree", changed(text=state.text[::-1] + "A")
        yield "marks and places disagree", changed(chosen=state.chosen[1:])
        names = (state.wanted,) * len(every)
        lists: dict[str, Any] = {"hollow": every, "underlined": every, "small": ()}
        yield "too few or too many marked", changed(chosen=every, colours=names, **lists)
        grey = replace(first, style=replace(first.style, ink="#777777"))
        yield "a colour of another name", changed(glyphs=(grey, *rest))
        kind = "fill" if first.style.kind == "outline" else "outline"
        other = replace(first, style=replace(first.style, kind=kind))
        yield "hollow and filled disagree", changed(glyphs=(other, *rest))
        yield "sizes disagree", changed(em=1.4 * state.em)
        yield "ink leaves the picture", changed(size=(state.size[0], first.y))

    def solutions(self, state: FilterState, mechanic: AnyMechanic) -> list[str]:
        """The characters whose glyphs have the mark, row by row."""
        tall = max(spec.size for spec in state.glyphs)
        has = {
            "colour": [s.style.ink in marks.SHADES[state.wanted] for s in state.glyphs],
            "hollow": [s.style.kind == "outline" for s in state.glyphs],
            "underlined": [at in state.underlined for at in range(len(state.glyphs))],
            "large": [s.size > 0.8 * tall for s in state.glyphs],
        }
        return ["".join(compress(state.shown, has[state.mark]))]

    def labels(self, state: FilterState, scene: Scene) -> Mapping[str, Label]:
        count, few = len(state.text), marks.WANTED[state.mood]
        letters = {
            f"letter {at}": Choice(LETTERS.index(state.text[at]), len(LETTERS))
            for at in range(PREFIX)
        }
        return {
            "mark": Choice(marks.MARKS.index(state.mark), 4, marks.MARK_SHARES),
            "mood": Choice(marks.MOODS.index(state.mood), 2),
            f"colour on {state.mood}": Choice(few.index(state.wanted), len(few)),
            f"count of {count}": Choice(len(state.chosen) - LEAST, count - 1 - LEAST),
            f"place of {count}": Choice(state.chosen[0], count),
            **letters,
        }
