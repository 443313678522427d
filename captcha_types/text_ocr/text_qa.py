"""A question in a picture, to be answered in a field.

Rule
    Read the question and type its answer: a number, a name, a day of the week or a word.
Answer
    A click on the field and the answer; where the panel has a button, a click on it.
Validity
    All that the answer needs is said in the question, nothing depends on today or on where
    one is. The facts have one answer, written in every usual way (weekdays in Chinese);
    words are compared without case, numbers by value. Every word keeps a step in
    brightness to what is around it, measured on the decoded picture.
Source
    Questions in text as in MCA-Bench and HLL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr import _prose as prose
from captcha_types.text_ocr import _questions as bank
from captcha_types.text_ocr._base import FIDELITY_DB, TextPuzzle, TextState
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    CONTENT_LANES,
    Artwork,
    Choice,
    Content,
    Label,
    Options,
    Part,
    Placement,
    Scene,
    Seen,
    State,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.walk import place, share
from factory.draw import grounds
from factory.draw.clutter import choose_clutter, draw_clutter
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tones import choose_ink

TEXT_CONTRAST = 4.5
"""The contrast that WCAG 2.2 asks of text (level AA)."""

LEAST_STEP = 55.0
"""Levels of grey between the ink of a word and its ground, after decoding: letters are small."""

LOOKED_AT = 5
"""So many words are measured, evenly spread."""

HARD_FROM = 0.6
"""From this difficulty on, questions of numbers come with a fact that does not matter."""

FORMS = {
    "en": {"story": "Type the number in digits", "parts": "Type the number in digits",
           "order": "Type the name, in any case", "odd": "Type the word, in any case",
           "calendar": "Type the day, in any case"},
    "zh": {"story": "请用数字作答", "parts": "请用数字作答", "order": "请输入名字",
           "odd": "请输入该词语", "calendar": "请输入星期几"},
}  # fmt: skip
"""What a panel says about the answer: what it is, and that case does not matter."""


class QuestionState(TextState):
    """The facts by name, and the question as it is written in the picture."""

    kind: str
    facts: dict[str, int]
    lang: str
    question: str
    lines: tuple[prose.ProseLine, ...]
    face: str
    font_size: float
    ink: str


class QuestionOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    stray: bool | None = None
    """Whether a fact is told that does not matter."""
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_qa", version=1, family="text_ocr")
class TextQa(TextPuzzle[QuestionState, QuestionOptions]):
    """See the module."""

    State: ClassVar[type[State]] = QuestionState
    Options: ClassVar[type[Options]] = QuestionOptions
    shape, width = (0.46, 0.64), (260, 300)
    words = "field"
    seen_side = 130
    accepts_many = True

    def contents(self, split: str) -> Sequence[Content]:
        return [
            Content(kind, part, CONTENT_LANES * share(split, bank.size(kind)))
            for kind, part in bank.SHARES.items()
        ]

    def sample(self, scene: Scene) -> QuestionState:
        rng, slot, kind = scene.rng, scene.placement.boxes["slot"], scene.content_kind
        lang = "zh" if scene.placement.lang == "zh" else "en"
        number = place(scene.content_place, scene.split, bank.size(kind), f"questions {kind}")
        hard = scene.difficulty >= HARD_FROM if self.options.stray is None else self.options.stray
        facts = bank.numbered(number, kind, rng.fixed("facts"), hard)
        ground = grounds.choose(rng.fresh("ground"), scene.split, moods=("light", "dark"))
        noise = 0.5 * scene.difficulty if self.options.noise is None else self.options.noise
        question, dress = bank.asked(kind, facts, lang), rng.fresh("dress")
        face = dress.choice(prose.faces(scene.split, lang))
        area = Box(0, 0, slot.width, slot.height).grown(-10)
        lines, size = prose.set_prose(dress, question, face, area)
        return QuestionState(
            kind=kind,
            facts=facts,
            lang=lang,
            question=question,
            lines=lines,
            face=face,
            font_size=size,
            ink=choose_ink(dress, ground.tone, floor=TEXT_CONTRAST),
            ground=ground,
            glyphs=(),
            warp=None,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=0.8),
            size=(slot.width, slot.height),
        )

    def check(self, state: QuestionState) -> None:
        if state.question != bank.asked(state.kind, state.facts, state.lang):
            raise Rejected("question and facts disagree")
        if _bare([line.text for line in state.lines]) != _bare([state.question]):
            raise Rejected("question and lines disagree")
        if not state.ground.tone.reads(state.ink, TEXT_CONTRAST):
            raise Rejected("the text does not read on its ground")
        kit.refuse_outside([box for _, box in self._words(state)], state.size)

    def _words(self, state: QuestionState) -> tuple[tuple[str, Box], ...]:
        return prose.word_boxes(state.lines, state.face, state.font_size, state.lang)

    def paint(self, canvas: Any, state: QuestionState) -> None:
        whole = Box(0, 0, *state.size)
        grounds.draw_ground(canvas, state.ground, whole)
        draw_clutter(canvas, state.clutter, whole)
        prose.draw_prose(canvas, state.lines, state.face, state.font_size, state.ink)

    def draw(self, state: QuestionState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            self.paint(canvas, state)

        boxes = [box for _, box in self._words(state)]
        return Artwork((Part("text", slot, paint),), kit.regions(slot, boxes, "word"))

    def _answers(self, state: QuestionState) -> list[str]:
        return bank.answers(state.kind, state.facts, state.lang)

    def answer(self, state: QuestionState) -> str:
        return self._answers(state)[0]

    def mechanic(self, state: QuestionState, placement: Placement) -> AnyMechanic:
        kind = "number" if state.kind in bank.NUMERIC else "text"
        field = Field(placement.boxes["field"], tuple(self._answers(state)), kind)
        return TextEntry((field,), case_sensitive=False, submit=placement.submit)

    def goal_slots(self, state: QuestionState, lang: str) -> dict[str, str]:
        return {"case": FORMS[lang][state.kind]}

    def reason_slots(
        self, state: QuestionState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "question": Slot("name", state.question),
            "answer": Slot("name", self.answer(state)),
            "field": self.field_slot(gold),
        }

    def margins(self, state: QuestionState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        words = self._words(state)
        boxes = [box.grown(1) for _, box in words[:: -(-len(words) // LOOKED_AT)]]
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of ink and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: QuestionState) -> Json:
        drawn = ("who", "hard", "form", "turn", "d")
        return {"kind": state.kind, **{k: v for k, v in state.facts.items() if k not in drawn}}

    def wrong_texts(self, state: QuestionState, rng: Rng) -> Mapping[str, str]:
        right = self.answer(state)
        if state.kind in bank.NUMERIC:
            value = int(right)
            return {"one more": str(value + 1), "ten less": str(value - 10), "no digits": "many"}
        others = [o for o in bank.named(state.kind, state.facts, state.lang) if o != right]
        named = {f"another that is named {at}": other for at, other in enumerate(others)}
        return {**named, "a letter less": right[:-1], "twice": right + right}

    def bad_states(self, state: QuestionState) -> Iterator[tuple[str, QuestionState]]:
        def changed(**more: Any) -> QuestionState:
            return state.model_copy(update=more)

        yield "question and facts disagree", changed(question=state.question + "?")
        yield "question and lines disagree", changed(lines=state.lines[1:])
        yield "the text does not read on its ground", changed(ink="#808080")
        yield "ink leaves the picture", changed(size=(state.size[0], state.lines[0].y))

    def solutions(self, state: QuestionState, mechanic: AnyMechanic) -> list[str]:
        """What follows from the question as it is written, in every spelling."""
        right = bank.solved(state.question, state.kind, state.lang)
        return bank.spellings(right, state.lang)

    def labels(self, state: QuestionState, scene: Scene) -> Mapping[str, Label]:
        axes = {"order": "first", "calendar": "day", "odd": "word"}
        name = axes.get(state.kind, "value")
        axis = bank.axis(state.kind, name)
        found = {f"{name} of {state.kind}": Choice(state.facts[name] - axis[0], len(axis))}
        if state.kind == "odd":
            found["place"] = Choice(state.facts["place"], 4)
            found["group"] = Choice(state.facts["group"], bank.GROUPS)
        return found


def _bare(texts: Sequence[str]) -> str:
    """The characters of texts without spaces."""
    return "".join("".join(texts).split())
