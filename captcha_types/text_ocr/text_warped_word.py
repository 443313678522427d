"""Two words bent by waves, thinned, and to be typed into a field.

Rule
    Type both words with a space between them; upper and lower case are the same.
Answer
    A click on the field and the words; where the panel has a button, a click on it.
Validity
    Both are common English words, and no word of the list looks like another in any face.
    The waves fold and crowd nothing (their Jacobian stays above 0.35), strokes keep a
    thickness after thinning, and every letter keeps a step in brightness to what is around
    it, measured on the decoded picture.
Source
    Distorted words as in MCA-Bench, Halligan and the open generators. Compared without
    case after stripping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr import _words as lexicon
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
from factory.core.rng import Rng, Stream, permuted_index
from factory.draw import glyphs, grounds
from factory.draw.clutter import choose_clutter
from factory.draw.styles import choose_style
from factory.draw.warps import LEAST_JACOBIAN, least_jacobian

KINDS = len(grounds.SHARES)

LONG_FROM = 0.5
"""Difficulty from which words are long."""

LINE_LETTERS = 10
"""So many letters and fewer stand on one line, more on two."""

THINNEST = 6.5
"""Hundredths of the size that strokes keep after thinning."""

HAIRLINES = ("abril-fatface", "dm-serif-display", "young-serif")
"""Faces whose thin strokes would vanish: they are not thinned."""

MOST_EROSION, EROSION_STEP = 2.25, 0.75
"""Hundredths of the size; a few steps, for thinned outlines are remembered."""

LATTICE_CSS = 9.0
"""Distance of the points at which the field's Jacobian is measured: a fifth of its shortest
wave."""

MOST_CROWDED = 0.3
"""Share of the narrower letter's width by which boxes of neighbours may overlap."""

STYLES = ("fill", "fill", "rim", "shadow", "gradient", "two_tone")


class WordsState(TextState):
    """The words in small letters, and the case they are shown in."""

    words: tuple[str, ...]
    tier: lexicon.Tier
    case: lexicon.Case


class WordsOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    tier: lexicon.Tier | None = None
    warp: float | None = Knob(default=None, ge=0.0, le=1.0)
    erosion: float | None = Knob(default=None, ge=0.0, le=MOST_EROSION)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_warped_word", version=1, family="text_ocr")
class TextWarpedWord(TextPuzzle[WordsState, WordsOptions]):
    """See the module."""

    State: ClassVar[type[State]] = WordsState
    Options: ClassVar[type[Options]] = WordsOptions
    shape, width = (0.34, 0.46), (256, 300)
    seen_side = 100

    def contents(self, split: str) -> Sequence[Content]:
        room = CONTENT_LANES * min(lexicon.space(split, tier) // KINDS for tier in lexicon.TIERS)
        return [Content(c.kind, c.share, room) for c in grounds.contents()]

    def _words(self, scene: Scene) -> tuple[lexicon.Tier, tuple[str, str], lexicon.Case]:
        """The words of the key and their case, walked: no pair comes twice in a run."""
        tier = self.options.tier or ("long" if scene.difficulty >= LONG_FROM else "short")
        kind = tuple(grounds.SHARES).index(scene.content_kind.removeprefix("ground_"))
        space = lexicon.space(scene.split, tier)
        number = permuted_index(
            scene.content_place * KINDS + kind, space, f"words {scene.split} {tier}"
        )
        pair, case = divmod(number, len(lexicon.CASES))
        return tier, lexicon.pair(pair, lexicon.words(scene.split, tier)), lexicon.CASES[case]

    def sample(self, scene: Scene) -> WordsState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        tier, words, case = self._words(scene)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        noise = 0.7 * scene.difficulty if knob.noise is None else knob.noise
        thin = MOST_EROSION * scene.difficulty if knob.erosion is None else knob.erosion
        strength = 0.25 + 0.75 * scene.difficulty if knob.warp is None else knob.warp
        size = (slot.width, slot.height)
        shown = [lexicon.shown(word, case) for word in words]
        specs = _set(rng.fresh("glyphs"), shown, size, scene.split, ground, thin)
        return WordsState(
            words=words,
            tier=tier,
            case=case,
            ground=ground,
            glyphs=specs,
            warp=kit.long_waves(rng.fresh("warp"), strength, specs[0].size),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.4),
            size=size,
        )

    def check(self, state: WordsState) -> None:
        if state.shown != self.answer(state).replace(" ", ""):
            raise Rejected("words and glyphs disagree")
        if not all(lexicon.alone(word) for word in state.words):
            raise Rejected("no word, or one that is read as another")
        if any(len(word) not in lexicon.TIERS[state.tier] for word in state.words):
            raise Rejected("words of another length")
        thinnest = min(glyphs.stroke(s.face) + 2 * s.weight for s in state.glyphs)
        if thinnest < THINNEST - 1e-6:
            raise Rejected("strokes too thin", value=thinnest, limit=THINNEST)
        assert state.warp is not None
        least = least_jacobian(state.warp, Box(0, 0, *state.size), LATTICE_CSS)
        if least < LEAST_JACOBIAN:
            raise Rejected("warp crowds the strokes", value=least, limit=LEAST_JACOBIAN)
        inks = state.inks()
        boxes = [found.box for found in inks]
        cut = len(state.words[0])
        kit.refuse_crowded(boxes[:cut], MOST_CROWDED)
        kit.refuse_crowded(boxes[cut:], MOST_CROWDED)
        kit.refuse_outside([found.painted for found in inks], state.size)

    def answer(self, state: WordsState) -> str:
        return " ".join(lexicon.shown(word, state.case) for word in state.words)

    def reason_slots(
        self, state: WordsState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first, second = (lexicon.shown(word, state.case) for word in state.words)
        return {
            "first": Slot("name", first),
            "second": Slot("name", second),
            "letters": Slot("count", len(state.glyphs)),
            "field": self.field_slot(gold),
        }

    def identity(self, state: WordsState) -> Json:
        return {"words": list(state.words), "case": state.case}

    def wrong_texts(self, state: WordsState, rng: Rng) -> Mapping[str, str]:
        first, second = state.words
        other = rng.fresh("wrong").choice(lexicon.words("val", state.tier))
        return {
            "one word": first,
            "the words the other way round": f"{second} {first}",
            "without the space": first + second,
            "another word": f"{first} {other}",
            "a letter missing": f"{first} {second[:-1]}",
        }

    def bad_states(self, state: WordsState) -> Iterator[tuple[str, WordsState]]:
        def changed(**more: Any) -> WordsState:
            return state.model_copy(update=more)

        yield "words and glyphs disagree", changed(words=state.words[::-1])
        spelt = tuple(kit.with_char(spec, "z") for spec in state.glyphs[:8])
        none = changed(words=("zzzz", "zzzz"), case="lower", glyphs=spelt)
        yield "no word, or one that is read as another", none
        other: lexicon.Tier = "long" if state.tier == "short" else "short"
        yield "words of another length", changed(tier=other)
        thin = tuple(replace(s, weight=-20.0) for s in state.glyphs)
        yield "strokes too thin", changed(glyphs=thin)
        assert state.warp is not None
        folded = replace(state.warp, wave_x=30.0, length_x=40.0, wave_y=30.0, length_y=40.0)
        yield "warp crowds the strokes", changed(warp=folded)
        first, second, *rest = state.glyphs
        near = kit.moved(second, first.x, second.y)
        yield "characters crowd each other", changed(glyphs=(first, near, *rest))
        yield "ink leaves the picture", changed(size=(state.size[0], first.y))

    def solutions(self, state: WordsState, mechanic: AnyMechanic) -> list[str]:
        """The letters row by row, a space where the next word begins."""
        cut = len(state.words[0])
        return [f"{state.shown[:cut]} {state.shown[cut:]}"]

    def labels(self, state: WordsState, scene: Scene) -> Mapping[str, Label]:
        few = lexicon.words(scene.split, state.tier)
        first, second = (few.index(word) for word in state.words)
        return {
            f"first {state.tier} word": Choice(first, len(few)),
            f"second {state.tier} word": Choice(second, len(few)),
            "case": Choice(lexicon.CASES.index(state.case), len(lexicon.CASES)),
        }


def _set(
    stream: Stream,
    shown: Sequence[str],
    size: tuple[float, float],
    split: str,
    ground: grounds.Ground,
    thin: float,
) -> tuple[glyphs.GlyphSpec, ...]:
    """The words on one line or two, in one face and one style, strokes thinned."""
    face = stream.choice(glyphs.faces(split, "latin", plain=True)).name
    tracking = stream.uniform(0.0, 0.07)
    letters = [[kit.Mark(c, face, 0.4 * (not k and w > 0)) for k, c in enumerate(word)]
               for w, word in enumerate(shown)]  # fmt: skip
    one_line = len(shown[0]) + len(shown[1]) <= LINE_LETTERS
    lines = [[*letters[0], *letters[1]]] if one_line else letters
    area = Box(0, 0, *size).grown(-9)
    height = area.height / len(lines)
    widest = max(kit.line_width(line, tracking) for line in lines)
    em = min(0.95 * area.width / widest, (0.6 if one_line else 0.74) * height)
    style = choose_style(stream, ground.tone, em, kinds=STYLES)
    most = 0.0 if face in HAIRLINES else (glyphs.stroke(face) - THINNEST) / 2
    weight = -EROSION_STEP * int(max(0.0, min(thin, most)) / EROSION_STEP)
    found: list[glyphs.GlyphSpec] = []
    for row, line in enumerate(lines):
        band = Box(area.x0, area.y0 + row * height, area.x1, area.y0 + (row + 1) * height)
        found += kit.set_line(line, band, em, tracking, [style] * len(line), weight)
    return tuple(found)
