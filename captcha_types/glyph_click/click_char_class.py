"""Characters scattered over a picture or set in a grid, of which those of a class are tapped.

Rule
    Tap every character of the class that the panel names: vowels or consonants, even, odd or
    prime numbers, capital or small letters, digits or letters, Greek or Cyrillic letters, or
    Chinese characters with a certain radical.
Answer
    One tap on each such character, in any order; where the panel has a button, a click on it.
Validity
    A table decides, not the drawing: Y and W are in no class, nor 0 and 1, nor letters whose
    two cases differ in size alone; no character beside a class is read as one of it in any
    face, and no Chinese one has the radical in another place. Turns stay far below those that
    make one character another. One character at least is of the class, half of them at most.
    Ink is half a character apart or more and keeps a contrast of 3 to the ground or its rim.
Source
    The vowels of MCA-Bench. A tap counts in the hull of a character's ink, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.glyph_click import _classes as classes
from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _sets as sets
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import glyphs

SIZES: Mapping[kit.Script, tuple[float, float]] = {"latin": (46.0, 36.0), "han": (42.0, 34.0)}
"""Size of the characters in CSS px, at the easy and at the hard end; less where room is short."""

TURNS_DEG = (8.0, kit.ITSELF_DEG)
GAPS = (0.7, kit.LEAST_GAP)

SHARE = 2
"""One in this many characters, at most, is of the class."""


class ClassState(sets.SetState):
    """``sort`` names the class of the targets."""

    sort: str


class ClassOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``gap`` by the characters' height."""

    characters: int | None = Knob(default=None, ge=6, le=12)
    turn_deg: float | None = Knob(default=None, ge=0.0, le=kit.ITSELF_DEG)
    gap: float | None = Knob(default=None, ge=kit.LEAST_GAP, le=1.0)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_char_class", version=1, family="glyph_click")
class ClickCharClass(sets.SetPuzzle[ClassState, ClassOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ClassState
    Options: ClassVar[type[Options]] = ClassOptions

    def alike(self, a: str, b: str) -> bool:
        """The tables hold nothing that is read as of another class; a character may come twice."""
        return False

    def most(self, shown: int) -> int:
        return shown // SHARE

    def sample(self, scene: Scene) -> ClassState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        area, ground = kit.whole(scene.placement.boxes["slot"]), self.ground(scene)
        sort = _sort(rng.fixed("sort"), scene.placement.lang)
        script = classes.class_named(sort).script
        shape = self.shape(scene, knob.characters)
        shown = shape[1] * max(1, shape[0])
        count = 1 + rng.fixed("count").integer(0, self.most(shown))
        order = rng.fixed("order").shuffled(range(shown))
        stream = rng.fresh("characters")
        gap = kit.between(GAPS, hard) if knob.gap is None else knob.gap
        size = kit.between(SIZES[script], hard)
        size, found = sets.laid_out(stream, shape, area, size, gap, script)
        turn = kit.between(TURNS_DEG, hard) if knob.turn_deg is None else knob.turn_deg
        chars = _chars(stream, sort, scene.split, count, shown)
        specs = [
            kit.glyph_at(
                stream,
                char,
                stream.choice(classes.faces(sort, scene.split, char)),
                found[rank],
                size,
                ground.tone,
                turn,
            )
            for char, rank in zip(chars, order, strict=True)
        ]
        return ClassState(
            sort=sort,
            columns=shape[0],
            script=script,
            ground=ground,
            targets=tuple(specs[:count]),
            others=tuple(specs[count:]),
            clutter=self.clutter(scene, ground, knob.clutter),
            size=(area.width, area.height),
        )

    def is_right(self, state: ClassState, spec: glyphs.GlyphSpec) -> bool:
        return spec.char in classes.class_named(state.sort).right

    def check(self, state: ClassState) -> None:
        own = classes.class_named(state.sort)
        for spec in state.scene:
            if spec.char not in own.right + own.wrong:
                raise Rejected("a character of disputed class")
            if abs(spec.turn_deg) > kit.ITSELF_DEG + 1e-6 or spec.mirrored:
                limit = kit.ITSELF_DEG
                raise Rejected("a character turned too far", value=spec.turn_deg, limit=limit)
        self.check_lot(state)
        self.check_scene(state)

    def goal_slots(self, state: ClassState, lang: str) -> dict[str, str]:
        one, several, chinese = classes.class_named(state.sort).names
        return {"what": chinese} if lang == "zh" else {"what": one, "plural": several}

    def reason_slots(
        self, state: ClassState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        _, several, chinese = classes.class_named(state.sort).names
        return {
            "plural": Slot("name", chinese if lang == "zh" else several),
            "shown": self.shown_slot(state, lang),
            "count": Slot("count", len(state.targets)),
        }

    def identity(self, state: ClassState) -> Json:
        return {"sort": state.sort, **self.arranged(state)}

    def bad_states(self, state: ClassState) -> Iterator[tuple[str, ClassState]]:
        def changed(**more: Any) -> ClassState:
            return state.model_copy(update=more)

        first, *rest = state.targets
        other, *more = state.others
        yield "a character of disputed class", changed(targets=(replace(first, char="W"), *rest))
        far = replace(other, turn_deg=90.0)
        yield "a character turned too far", changed(others=(far, *more))
        same = replace(other, char=first.char)
        yield "targets and rule disagree", changed(others=(same, *more))
        yield "too many to tap", changed(others=())
        yield from self.bad_scenes(state)


def _sort(stream: Stream, lang: str) -> str:
    """A class that a page of a language may ask for."""
    if lang == "zh" and stream.chance(classes.RADICAL_SHARE):
        return stream.choice(tuple(classes.radicals()))
    shares = [own.share for own in classes.PLAIN.values()]
    return stream.weighted(tuple(classes.PLAIN), shares)


def _chars(stream: Stream, sort: str, split: str, count: int, shown: int) -> list[str]:
    """``count`` characters of a class, then others; different ones while there are enough."""
    found: list[str] = []
    for right, wanted in ((True, count), (False, shown - count)):
        few, own = classes.able(sort, split, right), list[str]()
        while len(own) < wanted:
            own += stream.sample(few, min(len(few), wanted - len(own)))
        found += own
    return found
