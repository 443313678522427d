"""Letters scattered over a picture or set in a grid, some of which do not stand as they should.

Rule
    Tap every letter that is upside down, or turned, or mirrored, as the panel says; all
    others stand upright, leaning a little.
Answer
    One tap on each such letter, in any order; where the panel has a button, a click on it.
Validity
    Only capitals that show the flaw are used: none looks like itself or like another letter
    when it is turned or mirrored so (by table, and by the overlap of its outline in its own
    face). Upright letters lean by less than a ceiling; a turned one is turned by far more,
    one that is upside down by half a turn and as little more or less. Ink is half a letter
    apart or more and keeps a contrast of 3 to the ground or to its own rim.
Source
    Inverted and rotated letters of MCA-Bench. A tap counts in the hull of a letter's ink,
    grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

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
from factory.draw.glyphs import GlyphSpec

Flaw = Literal["inverted", "turned", "mirrored"]
FLAWS: tuple[Flaw, ...] = ("inverted", "turned", "mirrored")

WORDS: Mapping[Flaw, tuple[str, str]] = {
    "inverted": ("upside down", "上下颠倒"),
    "turned": ("not upright", "没有端正摆放"),
    "mirrored": ("mirrored left to right", "左右反写"),
}

LETTERS: Mapping[Flaw, str] = {
    "inverted": "AFGPQRTUY",
    "turned": "AFGKPQRTY",
    "mirrored": "CDFGKNPR",
}
"""By flaw: capitals that show it. Left out are those that look like themselves (H, O, X, S),
like another (M and W, N and Z, J and L, E and 3), or as if flipped, which is no turn (B, C, D,
E, K upside down)."""

FACED_DEG: Mapping[Flaw, tuple[float, ...]] = {
    "inverted": (180.0,), "turned": (90.0, 180.0, 270.0), "mirrored": (0.0,),
}  # fmt: skip
"""Turns at which a letter with the flaw is compared with itself."""

MOST_ALIKE = 0.74
"""Overlap with itself, when it has the flaw, at most: strokes of heavy faces fill the box, so that
even an F and an upside-down F share half their ink."""

SIZES = (44.0, 36.0)
"""Size of the letters in CSS px, at the easy and at the hard end; less where room is short."""

LEANS_DEG = (5.0, 14.0)
"""How far upright letters lean at most, at the easy and at the hard end."""

LEAST_TURNS_DEG = (90.0, 60.0)
"""How far turned ones are turned at least; four times and more of any lean."""

SHARE = 3
"""One in this many letters, at most, is to be tapped."""

ONE_FACE_BELOW = 0.35
"""Difficulty below which all letters of a picture are of one face."""

ONE_STYLE = 0.5
"""Share of pictures whose letters are all inked alike."""


class LettersState(sets.SetState):
    """``flaw`` is what the targets have; ``least_deg`` and ``lean_deg`` bound all turns."""

    flaw: Flaw
    least_deg: float
    lean_deg: float


class LettersOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    letters: int | None = Knob(default=None, ge=6, le=12)
    lean_deg: float | None = Knob(default=None, ge=0.0, le=LEANS_DEG[1])
    least_turn_deg: float | None = Knob(default=None, ge=LEAST_TURNS_DEG[1], le=120.0)
    one_face: bool | None = None
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_misoriented_letters", version=1, family="glyph_click")
class ClickMisorientedLetters(sets.SetPuzzle[LettersState, LettersOptions]):
    """See the module."""

    State: ClassVar[type[State]] = LettersState
    Options: ClassVar[type[Options]] = LettersOptions

    def alike(self, a: str, b: str) -> bool:
        """What letters are does not matter here; a letter may stand there twice."""
        return False

    def most(self, shown: int) -> int:
        return shown // SHARE

    def sample(self, scene: Scene) -> LettersState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        area, ground = kit.whole(scene.placement.boxes["slot"]), self.ground(scene)
        shape = self.shape(scene, knob.letters)
        shown = shape[1] * max(1, shape[0])
        count = 1 + rng.fixed("count").integer(0, self.most(shown))
        order = rng.fixed("order").shuffled(range(shown))
        flaw = rng.fixed("flaw").choice(FLAWS)
        lean = kit.between(LEANS_DEG, hard) if knob.lean_deg is None else knob.lean_deg
        least = kit.between(LEAST_TURNS_DEG, hard)
        least = least if knob.least_turn_deg is None else knob.least_turn_deg
        lean, least = round(lean, 3), round(least, 3)  # as turns are, that none exceeds them
        stream = rng.fresh("letters")
        size, found = sets.laid_out(stream, shape, area, kit.between(SIZES, hard), kit.LEAST_GAP)
        one = hard < ONE_FACE_BELOW if knob.one_face is None else knob.one_face
        letters = _letters(stream, flaw, scene.split, shown, one)
        specs = [
            kit.glyph_at(stream, char, face, found[rank], size, ground.tone, 0.0)
            for (char, face), rank in zip(letters, order, strict=True)
        ]
        if stream.chance(ONE_STYLE):
            thinnest = min(specs, key=lambda spec: glyphs.stroke(spec.face))
            specs = [replace(spec, style=thinnest.style) for spec in specs]
        posed = [
            _posed(stream, spec, flaw if k < count else None, lean, least)
            for k, spec in enumerate(specs)
        ]
        return LettersState(
            flaw=flaw,
            least_deg=least,
            lean_deg=lean,
            columns=shape[0],
            script="latin",
            ground=ground,
            targets=tuple(posed[:count]),
            others=tuple(posed[count:]),
            clutter=self.clutter(scene, ground, knob.clutter),
            size=(area.width, area.height),
        )

    def is_right(self, state: LettersState, spec: GlyphSpec) -> bool:
        return flawed(state.flaw, spec, state.lean_deg, state.least_deg)

    def check(self, state: LettersState) -> None:
        for spec in state.scene:
            like = alike(state.flaw, spec.face, spec.char)
            if spec.char not in LETTERS[state.flaw] or like > MOST_ALIKE:
                raise Rejected("a letter that does not show the flaw", value=like, limit=MOST_ALIKE)
        for spec in state.others:
            lean = leaning(spec.turn_deg)
            if spec.mirrored or lean > state.lean_deg + 1e-6:
                raise Rejected("a letter that leans too far", value=lean, limit=state.lean_deg)
        if state.least_deg < 4 * state.lean_deg:
            raise Rejected("turns and leans too near", value=state.least_deg, limit=state.lean_deg)
        self.check_lot(state)
        self.check_scene(state)

    def goal_slots(self, state: LettersState, lang: str) -> dict[str, str]:
        return {"flaw": WORDS[state.flaw][lang == "zh"]}

    def reason_slots(
        self, state: LettersState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "flaw": Slot("name", WORDS[state.flaw][lang == "zh"]),
            "count": Slot("count", len(state.targets)),
            "rest": Slot("count", len(state.others)),
        }

    def identity(self, state: LettersState) -> Json:
        return {"flaw": state.flaw, **self.arranged(state)}

    def bad_states(self, state: LettersState) -> Iterator[tuple[str, LettersState]]:
        def changed(**more: Any) -> LettersState:
            return state.model_copy(update=more)

        first, *rest = state.targets
        other, *more = state.others
        yield (
            "a letter that does not show the flaw",
            changed(targets=(replace(first, char="O"), *rest)),
        )
        yield "a letter that leans too far", changed(others=(replace(other, turn_deg=40.0), *more))
        yield "turns and leans too near", changed(least_deg=3 * state.lean_deg)
        upright = replace(first, turn_deg=0.0, mirrored=False)
        yield "targets and rule disagree", changed(targets=(upright, *rest))
        yield "too many to tap", changed(others=())
        yield from self.bad_scenes(state)


def leaning(turn_deg: float) -> float:
    """Degrees from upright, 0 to 180."""
    return abs((turn_deg + 180.0) % 360.0 - 180.0)


def flawed(flaw: Flaw, spec: GlyphSpec, lean_deg: float, least_deg: float) -> bool:
    """Whether a letter has the flaw."""
    off = leaning(spec.turn_deg)
    if flaw == "mirrored":
        return spec.mirrored and off <= lean_deg + 1e-6
    if flaw == "inverted":
        return not spec.mirrored and off >= 180.0 - lean_deg - 1e-6
    return not spec.mirrored and off >= least_deg - 1e-6


@lru_cache(maxsize=4096)
def alike(flaw: Flaw, face: str, char: str) -> float:
    """How much of a letter with the flaw lies over the letter without it, in one face."""
    return glyphs.likeness(face, char, char, FACED_DEG[flaw], mirrored=flaw == "mirrored")


@lru_cache(maxsize=1024)
def _faces(flaw: Flaw, split: str, char: str) -> tuple[str, ...]:
    """Faces of a split in which a letter shows the flaw."""
    found = kit.able_faces(split, "latin", char)
    return tuple(face for face in found if alike(flaw, face, char) <= MOST_ALIKE)


def _letters(
    stream: Stream, flaw: Flaw, split: str, count: int, one_face: bool
) -> list[tuple[str, str]]:
    """Letters with their faces, drawn alike for all places."""
    able = [char for char in LETTERS[flaw] if _faces(flaw, split, char)]
    if one_face:
        face = stream.choice(_faces(flaw, split, stream.choice(able)))
        able = [char for char in able if face in _faces(flaw, split, char)]
        return [(stream.choice(able), face) for _ in range(count)]
    chars = [stream.choice(able) for _ in range(count)]
    return [(char, stream.choice(_faces(flaw, split, char))) for char in chars]


def _posed(
    stream: Stream, spec: GlyphSpec, flaw: Flaw | None, lean: float, least: float
) -> GlyphSpec:
    """A letter leaning a little, or with the flaw."""
    turn = stream.uniform(-lean, lean)
    if flaw == "inverted":
        turn += 180.0
    elif flaw == "turned":
        turn = stream.uniform(least, 360.0 - least)
    return replace(spec, turn_deg=round(turn, 3), mirrored=flaw == "mirrored")
