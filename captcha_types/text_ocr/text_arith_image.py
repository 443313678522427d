"""A sum drawn as a picture, whose missing number is to be typed.

Rule
    Type the number that the question mark stands for.
Answer
    A click on the field and the number; where the panel has a button, a click on it.
Validity
    The number is whole and not negative, and no other makes the sum true. Mixed operators
    are bracketed. Signs are drawn in the face of the digits, turned by a few degrees at
    most, so that no times sign becomes a plus; every character keeps a step in brightness
    to what is around it, measured on the decoded picture.
Source
    Arithmetic in pictures as in MCA-Bench, HLL and ReCAP. Compared as a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.text_ocr import _kit as kit
from captcha_types.text_ocr import _sum_line as line
from captcha_types.text_ocr import _sums as sums
from captcha_types.text_ocr._base import TextPuzzle, TextState
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
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
from factory.draw import grounds
from factory.draw.clutter import choose_clutter
from factory.draw.warps import choose_warp

TIERS_FROM = (0.0, 0.35, 0.7)
"""Difficulties from which small numbers, two digits and two operators are asked."""


class SumState(TextState):
    """``parts`` are the words, numbers and signs of the picture, in order."""

    tier: int
    form: str
    value: int
    other: int
    third: int
    worded: int
    """The number that is written as a word; -1 for none."""
    parts: tuple[str, ...]
    lang: str


class SumOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    tier: int | None = Knob(default=None, ge=0, le=2)
    words: float | None = Knob(default=None, ge=0.0, le=1.0)
    warp: float | None = Knob(default=None, ge=0.0, le=1.0)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("text_arith_image", version=1, family="text_ocr")
class TextArithImage(TextPuzzle[SumState, SumOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SumState
    Options: ClassVar[type[Options]] = SumOptions
    shape, width = (0.26, 0.38), (256, 300)
    words = "field"
    number = True
    seen_side = 100
    looked_at = 16

    def contents(self, split: str) -> Sequence[Content]:
        room = CONTENT_LANES * min(share(split, sums.size(tier)) for tier in range(len(sums.TIERS)))
        return [Content(c.kind, c.share, room) for c in grounds.contents()]

    def _tier(self, difficulty: float) -> int:
        if self.options.tier is not None:
            return self.options.tier
        return sum(difficulty >= least for least in TIERS_FROM) - 1

    def sample(self, scene: Scene) -> SumState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        tier, lang = self._tier(scene.difficulty), scene.placement.lang
        name = f"sums {tier} {scene.content_kind}"
        found = sums.numbered(place(scene.content_place, scene.split, sums.size(tier), name), tier)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        often = 0.2 + 0.4 * scene.difficulty if knob.words is None else knob.words
        noise = 0.1 + 0.6 * scene.difficulty if knob.noise is None else knob.noise
        bend = 0.1 + 0.5 * scene.difficulty if knob.warp is None else knob.warp
        stream = rng.fresh("glyphs")
        parts = sums.written(found)
        able = [at for at, part in enumerate(parts) if sums.has_word(part)]
        worded = stream.choice(able) if able and stream.chance(often) else -1
        size = (slot.width, slot.height)
        shown = sums.shown(parts, worded, lang)
        specs = line.set_sum(stream, shown, size, scene.split, ground)
        return SumState(
            tier=tier,
            form=found.form,
            value=found.value,
            other=found.other,
            third=found.third,
            worded=worded,
            parts=shown,
            lang=lang,
            ground=ground,
            glyphs=specs,
            warp=choose_warp(rng.fresh("warp"), bend, specs[0].size),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.3),
            size=size,
        )

    def check(self, state: SumState) -> None:
        found = sums.Sum(state.tier, state.form, state.value, state.other, state.third)
        plain = sums.written(found)
        if sums.shown(plain, state.worded, state.lang) != state.parts:
            raise Rejected("numbers and picture disagree")
        if state.shown != "".join(state.parts).replace(" ", ""):
            raise Rejected("text and glyphs disagree")
        if state.value < 0:
            raise Rejected("the answer is negative", value=state.value, limit=0)
        right = sums.solved(plain)
        if right != [state.value]:
            raise Rejected("not this number alone", value=len(right), limit=1)
        thin = min(map(line.thinnest, {s.face for s in state.glyphs if s.char in sums.SIGNS}))
        if thin < line.THIN:
            raise Rejected("signs too thin", value=thin, limit=line.THIN)
        turned = max(abs(spec.turn_deg) for spec in state.glyphs)
        if turned > line.MOST_TURN_DEG:
            raise Rejected("a sign is turned too far", value=turned, limit=line.MOST_TURN_DEG)
        inks = state.inks()
        kit.refuse_crowded([found.box for found in inks], 0.2)
        kit.refuse_outside([found.painted for found in inks], state.size)

    def answer(self, state: SumState) -> str:
        return str(state.value)

    def goal_slots(self, state: SumState, lang: str) -> dict[str, str]:
        return {}

    def reason_slots(
        self, state: SumState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        full = [str(state.value) if part == "?" else part for part in state.parts]
        return {
            "asked": Slot("name", " ".join(state.parts)),
            "true": Slot("name", " ".join(full)),
            "value": Slot("count", state.value),
            "field": self.field_slot(gold),
        }

    def identity(self, state: SumState) -> Json:
        sum_ = [state.form, state.value, state.other, state.third]
        return {"sum": sum_, "ground": state.ground.kind}

    def wrong_texts(self, state: SumState, rng: Rng) -> Mapping[str, str]:
        stream = rng.fresh("wrong")
        return {
            "one more": str(state.value + 1),
            "a number of the picture": str(state.other),
            "ten more": str(state.value + 10),
            "near": str(state.value + stream.integer(2, 9)),
            "negative": str(-state.value - 1),
        }

    def bad_states(self, state: SumState) -> Iterator[tuple[str, SumState]]:
        def changed(**more: Any) -> SumState:
            return state.model_copy(update=more)

        first, *rest = state.glyphs
        yield "numbers and picture disagree", changed(other=state.other + 1)
        yield "text and glyphs disagree", changed(glyphs=(kit.with_char(first, "%"), *rest))
        faint = tuple(replace(spec, face="abril-fatface") for spec in state.glyphs)
        yield "signs too thin", changed(glyphs=faint)
        far = replace(first, turn_deg=30.0)
        yield "a sign is turned too far", changed(glyphs=(far, *rest))
        near = kit.moved(rest[0], first.x + 0.3 * (rest[0].x - first.x), first.y)
        yield "characters crowd each other", changed(glyphs=(first, near, *rest[1:]))
        yield "ink leaves the picture", changed(size=(state.size[0], first.y))

    def solutions(self, state: SumState, mechanic: AnyMechanic) -> list[str]:
        """Every number up to 999 that makes the sum of the picture true."""
        return [str(value) for value in sums.solved(sums.plain(state.parts))]

    def labels(self, state: SumState, scene: Scene) -> Mapping[str, Label]:
        values = sums.VALUES[state.tier]
        at = state.value - values.start
        return {f"value of tier {state.tier}": Choice(at, len(values))}
