"""Rows of figures that repeat a motif, partly under a card or a pane of glass.

Rule
    Count the figures of one kind that the cover lies over, and type their number. Through
    glass they are seen; under a card the pattern goes on.
Answer
    A click on the field and the number; where the panel has a button, a click on it. The
    number is drawn first, the cover (or what is under the glass) is chosen to have it.
Validity
    No figure is cut by the cover. Under a card the law holds everywhere, and a rim of the
    pattern stays free on all sides, from which it is read. Glass is weak enough for all
    figures to be seen through it, measured on the decoded picture; the law may be broken there.
    The kind that is asked for is also seen outside the cover.
Source
    Occluded patterns to be counted as in NextGen-CAPTCHAs (Occluded_Pattern_Counting); one
    number is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import Field as Knob

from captcha_types.illusion_occlusion import _wallpaper as papers
from captcha_types.illusion_occlusion._wallpaper import Cover, Paper
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
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
from factory.core.wording import class_words
from factory.draw import figures, grounds
from factory.draw.figure_outlines import NAMES
from factory.draw.tones import LARGE_GLYPHS, choose_ink

KINDS = ("circle", "triangle", "square", "diamond", "star", "heart", "drop", "arrow")
"""Kinds with short names in the plural."""

SHAPES = ((5, 6), (5, 7), (6, 7), (6, 8))
MOST = (4, 5, 6, 7)
"""Rows and columns from easy to hard, and how many figures as asked for are covered at most."""

GLASS = (0.4, 0.58)
"""Opacity of glass from easy to hard."""

CARDS = 0.5
"""Share of covers that are cards."""

LEAST_SIZE_CSS = 16.0
LEAST_STEP, LEAST_STEP_GLASS = 34.0, 16.0
"""Levels between figures and what is beside them, bare and through glass, after decoding."""


class OccludedState(State):
    """``asked`` is the index of a kind; ``number`` how many of it are covered, of
    1 to ``most``."""

    pattern: Paper
    cover: Cover
    kinds: tuple[str, ...]
    inks: tuple[str, ...]
    asked: int
    number: int
    most: int
    ground: grounds.Ground
    size: tuple[float, float]

    @property
    def card(self) -> bool:
        """Whether the cover hides what is under it."""
        return self.cover.opacity >= 1.0


class OccludedOptions(Options):
    """Each knob follows ``difficulty`` when it is not set. ``shape``: a place in the shapes."""

    shape: int | None = Knob(default=None, ge=0, le=len(SHAPES) - 1)
    opacity: float | None = Knob(default=None, ge=0.3, le=GLASS[1])
    one_ink: bool | None = None
    cards: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("occluded_pattern_count", version=1, family="illusion_occlusion")
class OccludedPatternCount(PuzzleType[OccludedState, OccludedOptions]):
    """See the module."""

    State: ClassVar[type[State]] = OccludedState
    Options: ClassVar[type[Options]] = OccludedOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_side = 140

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.68, 0.76),
            width=(256, 300),
            controls=(Control("field"),),
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> OccludedState:
        rng, slot, knob, hard = (
            scene.rng, scene.placement.boxes["slot"], self.options, scene.difficulty,
        )  # fmt: skip
        at = min(len(SHAPES) - 1, int(hard * len(SHAPES))) if knob.shape is None else knob.shape
        number = rng.fixed("number").integer(1, MOST[at] + 1)
        rows, columns = SHAPES[at]
        stream = rng.fresh("paper")
        count = 3 if hard < 0.5 else stream.choice((3, 4))
        motif, shift = papers.choose_motif(stream, count, stream.chance(0.5))
        paper = Paper(rows, columns, (), motif, shift)
        paper = replace(paper, cells=paper.by_law())
        asked = stream.integer(0, count)
        card = stream.chance(CARDS if knob.cards is None else knob.cards)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        veil = papers.PALE if ground.mood == "light" else papers.DEEP
        opacity = GLASS[0] + hard * (GLASS[1] - GLASS[0]) if knob.opacity is None else knob.opacity
        tint = rng.fresh("card")
        colour = choose_ink(tint, ground.tone, floor=2.0) if card else veil
        where = rng.fresh("cover")
        cover = papers.choose_cover(where, paper, asked, number if card else None, MOST[at])
        cover = replace(cover, opacity=1.0 if card else round(opacity, 6), colour=colour)
        if not card:
            under = papers.covered(paper, cover)
            cells = papers.broken(stream, paper.cells, under, asked, number, count)
            paper = replace(paper, cells=cells)
        one = stream.chance(hard) if knob.one_ink is None else knob.one_ink
        inks = [choose_ink(stream, ground.tone, floor=LARGE_GLYPHS) for _ in range(count)]
        return OccludedState(
            pattern=paper,
            cover=cover,
            kinds=tuple(stream.sample(KINDS, count)),
            inks=tuple(inks[:1] * count if one else inks),
            asked=asked,
            number=number,
            most=MOST[at],
            ground=ground,
            size=(slot.width, slot.height),
        )

    def check(self, state: OccludedState) -> None:
        paper, cover = state.pattern, state.cover
        papers.refuse_cover(paper, cover, state.asked, state.number, state.most)
        side = papers.FILLING * min(papers.pitch(paper, state.size))
        if side < LEAST_SIZE_CSS:
            raise Rejected("figures too small", value=side, limit=LEAST_SIZE_CSS)
        if not state.card and cover.opacity > GLASS[1] + 1e-6:
            raise Rejected("the glass is too thick", value=cover.opacity, limit=GLASS[1])
        if not all(state.ground.tone.reads(ink, LARGE_GLYPHS) for ink in state.inks):
            raise Rejected("a figure does not stand out")

    def draw(self, state: OccludedState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        box = papers.cover_box(state.pattern, state.cover, state.size)

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
            figures.paint_figures(canvas, self._figures(state), shadow=False)
            papers.paint_cover(canvas, box, state.cover)

        return Artwork(
            parts=(Part("paper", slot, paint),),
            regions={"picture": slot, "cover": box.moved(slot.x0, slot.y0)},
        )

    def _figures(self, state: OccludedState) -> list[figures.Figure]:
        return papers.figures_of(state.pattern, state.kinds, state.inks, state.size)

    def mechanic(self, state: OccludedState, placement: Placement) -> AnyMechanic:
        field = Field(placement.boxes["field"], (str(state.number),), kind="number")
        return TextEntry(fields=(field,), submit=placement.submit)

    def goal_slots(self, state: OccludedState, lang: str) -> dict[str, str]:
        lead = class_words(__file__, lang)["card" if state.card else "glass"]
        return {"lead": lead, "what": _what(state, lang)}

    def reason_slots(
        self, state: OccludedState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        return {
            "rows": Slot("count", state.pattern.rows),
            "columns": Slot("count", state.pattern.columns),
            "motif": Slot("count", len(state.pattern.motif)),
            "what": Slot("name", _what(state, lang)),
            "count": Slot("count", state.number),
            "field": Slot("point", list(click.point)),
        }

    def reason_parts(self, state: OccludedState) -> Sequence[str]:
        return ("seen", "card" if state.card else "glass", "act")

    def margins(self, state: OccludedState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        under = set(papers.covered(state.pattern, state.cover))
        shown = self._figures(state)
        bare = [f for k, f in enumerate(shown) if k not in under]
        found = {"step of figures": (_step(seen, bare), LEAST_STEP)}
        if not state.card:
            dimmed = [shown[k] for k in sorted(under)]
            found["step through glass"] = (_step(seen, dimmed), LEAST_STEP_GLASS)
        return found

    def identity(self, state: OccludedState) -> Json:
        cover = state.cover
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "cells": list(state.pattern.cells),
            "kinds": list(state.kinds),
            "cover": [cover.top, cover.left, cover.bottom, cover.right],
        }

    def wrong_responses(
        self, state: OccludedState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        numbers = {
            "one more": state.number + 1,
            "one less": state.number - 1,
            "all of the kind": state.pattern.cells.count(state.asked),
            "all that is covered": len(papers.covered(state.pattern, state.cover)),
        }
        field = Click(mechanic.fields[0].box.center)
        confirm = [] if mechanic.submit is None else [Click(mechanic.submit.center)]
        return [
            WrongResponse(name, (field, Type(str(number)), *confirm))
            for name, number in numbers.items()
            if number != state.number
        ]

    def bad_states(self, state: OccludedState) -> Iterator[tuple[str, OccludedState]]:
        def changed(**more: Any) -> OccludedState:
            return state.model_copy(update=more)

        cover = state.cover
        yield "number and cover disagree", changed(number=state.number + 1)
        bad = papers.bad_covers(state.pattern, cover, state.asked, state.number, len(state.kinds))
        for reason, paper, over in bad:
            yield reason, changed(pattern=paper, cover=over)
        yield "figures too small", changed(size=(state.size[0] / 2, state.size[1] / 2))
        if not state.card:
            yield "the glass is too thick", changed(cover=replace(cover, opacity=0.9))
        faint = (state.ground.colours[0], *state.inks[1:])
        yield "a figure does not stand out", changed(inks=faint)

    def solutions(self, state: OccludedState, mechanic: AnyMechanic) -> list[str]:
        """How many figures of the kind have their middle inside the cover's box."""
        box = papers.cover_box(state.pattern, state.cover, state.size)
        kind = state.kinds[state.asked]
        inside = [f for f in self._figures(state) if box.holds(Box(f.x, f.y, f.x, f.y))]
        return [str(sum(f.kind == kind for f in inside))]

    def labels(self, state: OccludedState, scene: Scene) -> Mapping[str, Label]:
        return {f"covered of {state.most}": Choice(state.number - 1, state.most)}


def _what(state: OccludedState, lang: str) -> str:
    """The kind that is asked for, in the plural."""
    english, chinese = NAMES[state.kinds[state.asked]]
    return chinese if lang == "zh" else f"{english}s"


def _step(seen: Seen, shown: Sequence[figures.Figure]) -> float:
    """The least step of figures, median over each figure's outline."""
    return float(np.min([figures.ink_step(seen, figure) for figure in shown]))
