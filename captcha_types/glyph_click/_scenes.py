"""What classes of characters in a picture have in common: scene, artwork, measurement, mistakes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from captcha_types.glyph_click import _kit as kit
from factory.core import tapping
from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import (
    Artwork,
    Content,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
)
from factory.core.record import ReasonStep, Slot
from factory.core.rng import Rng
from factory.draw import glyphs, grounds
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter

CLUTTER, CLUTTER_CSS = (0.0, 0.6), 1.2

LEAST_STEP = 40.0
"""Levels of grey between a character and its ground, after decoding: inks at a contrast of 3
are 60 and more apart, of which thin strokes lose a third."""

BIN_CSS = 16.0
"""Characters nearer to each other's places than this are the same arrangement: half of one."""


class SceneState(State):
    """What stands on the ground is for subclasses: all in CSS px from the picture's corner."""

    ground: grounds.Ground
    clutter: Clutter
    size: tuple[float, float]

    @property
    def area(self) -> Box:
        """The picture, CSS px from its corner."""
        return Box(0, 0, *self.size)


S = TypeVar("S", bound=SceneState)
Opts = TypeVar("Opts", bound=Options)


class ScenePuzzle(PuzzleType[S, Opts], Generic[S, Opts]):
    """A class whose picture shows things of glyphs to tap on a ground, and nothing else."""

    seen_in_grey = True
    seen_side = 120

    ratio: ClassVar[tuple[float, float]] = (0.62, 0.78)

    @abstractmethod
    def aimed(self, state: S) -> Sequence[Any]:
        """What is to be tapped, in the order in which the gold taps it."""

    @abstractmethod
    def beside(self, state: S) -> Sequence[Any]:
        """What is not."""

    @abstractmethod
    def hull(self, thing: Any) -> tapping.Hull:
        """The outline in which a tap on a thing counts, CSS px of the picture."""

    @abstractmethod
    def inked(self, state: S) -> Sequence[glyphs.GlyphSpec]:
        """All glyphs of the picture."""

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=cls.ratio, width=(244, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def ground(self, scene: Scene) -> grounds.Ground:
        """The ground of the key's content."""
        stream = scene.rng.fresh("ground")
        return grounds.compose(scene.content_kind, scene.content_number, stream, scene.split)

    def clutter(self, scene: Scene, ground: grounds.Ground, amount: float | None) -> Clutter:
        """Clutter under the characters; by difficulty where no amount is set."""
        amount = kit.between(CLUTTER, scene.difficulty) if amount is None else amount
        stream = scene.rng.fresh("clutter")
        return choose_clutter(stream, ground.tone, amount, width=CLUTTER_CSS)

    def draw(self, state: S, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, state.area)
            draw_clutter(canvas, state.clutter, state.area)
            glyphs.draw_glyphs(canvas, self.inked(state))

        return Artwork(
            parts=(Part("scene", slot, paint),),
            regions={
                "picture": slot,
                **tapping.zones("target", self.aimed(state), slot, self.hull),
                **tapping.zones("distractor", self.beside(state), slot, self.hull),
            },
        )

    def zones(self, things: Sequence[Any], slot: Box) -> tuple[Zone, ...]:
        """Outlines of things in panel px."""
        return tuple(tapping.zone_of(thing, slot, self.hull) for thing in things)

    @abstractmethod
    def reason_names(self, state: S, lang: str) -> Sequence[str]:
        """What the things that the gold clicks are called, in its order."""

    def explain(
        self, state: S, mechanic: AnyMechanic, gold: Sequence[ActionBase], rng: Rng, lang: str
    ) -> tuple[ReasonStep, ...]:
        slots = self.reason_slots(state, mechanic, gold, lang)
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        names = self.reason_names(state, lang)
        return tapping.explained(blocks, stream, slots, names, gold, lang)

    def margins(self, state: S, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [kit.grey_step(seen, kit.ink(spec).painted) for spec in self.inked(state)]
        return {"step of ink and ground": (min(steps), LEAST_STEP)}


class GlyphState(SceneState):
    """Characters to be tapped, and all others."""

    script: kit.Script
    targets: tuple[glyphs.GlyphSpec, ...]
    others: tuple[glyphs.GlyphSpec, ...]

    @property
    def scene(self) -> tuple[glyphs.GlyphSpec, ...]:
        """All characters of the picture, targets first."""
        return (*self.targets, *self.others)


G = TypeVar("G", bound=GlyphState)


class GlyphPuzzle(ScenePuzzle[G, Opts], Generic[G, Opts]):
    """A class in which each thing is one character."""

    def aimed(self, state: G) -> Sequence[glyphs.GlyphSpec]:
        return state.targets

    def beside(self, state: G) -> Sequence[glyphs.GlyphSpec]:
        return state.others

    def hull(self, thing: glyphs.GlyphSpec) -> tapping.Hull:
        return kit.hull(thing)

    def inked(self, state: G) -> Sequence[glyphs.GlyphSpec]:
        return state.scene

    def alike(self, a: str, b: str) -> bool:
        """Whether one character may be taken for the other: these do not stand together."""
        return kit.taken_for(a, b)

    def check_scene(self, state: G) -> None:
        """``Rejected`` where characters crowd, are cut, small, alike or do not stand out."""
        kit.refuse_scene(state.scene, state.area, state.script, state.ground.tone, self.alike)

    def shown_slot(self, state: G, lang: str) -> Slot:
        """All characters of the picture as a list, from left to right."""
        chars = [spec.char for spec in sorted(state.scene, key=lambda spec: (spec.x, spec.y))]
        return Slot("name", tapping.listed(chars, lang))

    def arranged(self, state: G) -> dict[str, Any]:
        """What of the scene makes a puzzle this puzzle: ground, characters, coarse places."""
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "targets": [spec.char for spec in state.targets],
            "others": sorted(spec.char for spec in state.others),
            "places": [[int(s.x // BIN_CSS), int(s.y // BIN_CSS)] for s in state.targets],
        }

    def bad_scenes(self, state: G) -> Iterator[tuple[str, G]]:
        """States that ``check_scene`` refuses, by a change of the first target."""
        first, *rest = state.targets
        for reason, spec in kit.bad_glyphs(first, state.scene[1], state.ground.tone):
            yield reason, state.model_copy(update={"targets": (spec, *rest)})
