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
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    CONTENT_LANES,
    Artwork,
    Choice,
    Content,
    Control,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.walk import place, share
from factory.draw import glyphs, grounds
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.warps import Warp, choose_warp

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

LEAST_STEP = 45.0
"""Levels of grey between the ink of a character and its ground, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the ink beyond this."""

CASES = {
    "en": {False: "Upper or lower case is the same", True: "Capital letters matter"},
    "zh": {False: "不区分大小写", True: "区分大小写"},
}


class CharsState(State):
    """Glyphs in CSS px from the picture's corner, left to right."""

    text: str
    alphabet: Alphabet
    ground: grounds.Ground
    glyphs: tuple[glyphs.GlyphSpec, ...]
    warp: Warp
    clutter: Clutter
    size: tuple[float, float]
    overlap: float


class CharsOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    length: int | None = Knob(default=None, ge=LENGTHS[0], le=8)
    overlap: float | None = Knob(default=None, ge=0.0, le=MOST_OVERLAP)
    warp: float | None = Knob(default=None, ge=0.0, le=1.0)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_distorted_chars", version=1, family="text_ocr")
class TextDistortedChars(PuzzleType[CharsState, CharsOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CharsState
    Options: ClassVar[type[Options]] = CharsOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_in_grey = True
    seen_side = 90
    small_model_reach = False  # every character has to be right at once; see docs/learnability

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.32, 0.42),
            width=(236, 300),
            controls=(Control("field", words="characters"),),
            submit="either",
        )

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
        # Each place of the walk has its own turn of the alphabet: no letter is never first.
        turn = stream.integer(0, len(letters))
        digits = [(number // BASE**k + turn) % len(letters) for k in range(PREFIX)]
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
        if "".join(spec.char for spec in state.glyphs) != state.text:
            raise Rejected("text and glyphs disagree")
        if any(char not in letters for char in state.text):
            raise Rejected("character outside its alphabet")
        if glyphs.closes_up(state.text):
            raise Rejected("two characters close up into another")
        if state.overlap > MOST_OVERLAP + 1e-9:
            raise Rejected("too much overlap", value=state.overlap, limit=MOST_OVERLAP)
        if list(state.glyphs) != sorted(state.glyphs, key=lambda spec: spec.x):
            raise Rejected("order is not left to right")
        inks = [glyphs.ink(spec, state.warp) for spec in state.glyphs]
        kit.refuse_crowded([found.box for found in inks], MOST_CROWDED)
        kit.refuse_outside([found.painted for found in inks], state.size)

    def draw(self, state: CharsState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            whole = Box(0, 0, *state.size)
            grounds.draw_ground(canvas, state.ground, whole)
            glyphs.draw_glyphs(canvas, state.glyphs, state.warp)
            draw_clutter(canvas, state.clutter, whole)

        regions: dict[str, Box] = {"picture": slot}
        for index, spec in enumerate(state.glyphs):
            regions[f"glyph.{index}"] = glyphs.ink(spec, state.warp).box.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("text", slot, paint),), regions=regions)

    def mechanic(self, state: CharsState, placement: Placement) -> AnyMechanic:
        return TextEntry(
            fields=(Field(placement.boxes["field"], (state.text,)),),
            case_sensitive=state.alphabet == "cased",
            submit=placement.submit,
        )

    def goal_slots(self, state: CharsState, lang: str) -> dict[str, str]:
        return {"case": CASES[lang][state.alphabet == "cased"]}

    def reason_slots(
        self, state: CharsState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        return {
            "count": Slot("count", len(state.text)),
            "spelled": Slot(
                "name", ", ".join(state.text) if lang == "en" else "、".join(state.text)
            ),
            "text": Slot("name", state.text),
            "field": Slot("point", list(click.point)),
        }

    def margins(self, state: CharsState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (glyphs.ink(spec, state.warp).box.grown(1) for spec in state.glyphs)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of ink and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: CharsState) -> Json:
        return {"text": state.text, "case": state.alphabet == "cased", "ground": state.ground.kind}

    def wrong_responses(
        self, state: CharsState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        click, stream = Click(mechanic.fields[0].box.center), rng.fresh("wrong")
        at = stream.integer(0, len(state.text))
        letters = LETTERS[state.alphabet].replace(state.text[at], "")
        changed = state.text[:at] + stream.choice(letters) + state.text[at + 1 :]
        texts = {"one wrong": changed, "one short": state.text[:-1], "backwards": state.text[::-1]}
        if state.alphabet == "cased":
            texts["other case"] = state.text.swapcase()
        return [
            WrongResponse(name, (click, Type(text), *kit.confirm(mechanic.submit)))
            for name, text in texts.items()
            if text != state.text and (state.alphabet == "cased" or text.lower() != state.text)
        ]

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
        placed = sorted(state.glyphs, key=lambda spec: glyphs.ink(spec, state.warp).box.center.x)
        return ["".join(spec.char for spec in placed)]

    def labels(self, state: CharsState, scene: Scene) -> Mapping[str, Label]:
        letters = LETTERS[state.alphabet]
        found: dict[str, Label] = {"alphabet": Choice(ALPHABETS.index(state.alphabet), 3)}
        for index, char in enumerate(state.text[:PREFIX]):
            found[f"{state.alphabet} {index}"] = Choice(letters.index(char), len(letters))
        return found
