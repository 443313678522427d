"""One picture under a grid, and a thing on it of which every cell is to be found.

Rule
    Select every cell that shows a part of a thing of the name that the panel prints, however
    many of them there are and however little is seen.
Answer
    The set of cells, in any order; a second click takes a selection back.
Validity
    How much of each cell the things cover is counted on rasters of their outlines, edges of
    stickers included. No share lies in the grey band between what nobody would call a part
    and what everybody would; some cells hold a part, and some do not. Other things are
    neither called nor look alike. Things do not touch, and stand on pictures that show
    nothing of their sort.
Source
    Full-image grids as in MCA-Bench (full_image_grid), Open CaptchaWorld (Patch_Select),
    CaptchaBench (image_select), Halligan, CAPTCHA-X and open generators; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _cover as cover
from captcha_types.grid_select import _kit as kit
from captcha_types.grid_select import _scenes as scenes
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
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
from factory.draw import icons, picture_images, pictures
from factory.draw.measure import grey_step

SHAPES = (((3, 4), (4, 4)), ((4, 5), (4, 4)), ((5, 5), (4, 5), (5, 6)))
"""Rows and columns of easy, middling and hard grids: the squarest cells are taken."""

MOST_THINGS = 3
COUNTS: Mapping[int, tuple[float, ...]] = {
    12: (0.4, 0.6), 16: (0.35, 0.4, 0.25), 20: (0.35, 0.35, 0.3), 25: (0.35, 0.35, 0.3),
    30: (0.35, 0.35, 0.3),
}  # fmt: skip
"""Shares of grids with one, two, three things, by cells."""

SIZES: Mapping[int, tuple[float, float]] = {1: (1.05, 2.3), 2: (0.95, 1.7), 3: (0.9, 1.4)}
OTHER_SIZES = (0.7, 1.2)
"""Of the things, by how many there are, and of the others; in sides of a cell."""

MOST_OTHERS = 3

BAND = cover.Band(0.015, 0.15)
"""The grey band: less than 1.5 % of a cell is a speck, 15 % a part."""

DRAWN_SHARE = 0.06
"""Share from which a cell counts where things are painted to be measured: inside the band."""

LEAST_STEP = 36.0
"""Levels of grey between the lightest and the darkest tenth of a thing, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the picture beyond this."""


class CoverState(State):
    """``things`` are those that are asked for, CSS px from the picture's corner."""

    anchor: int
    """The part of the picture, of nine, that holds the middle of the first of them."""
    picture: dict[str, Any]
    lattice: cover.Lattice
    band: cover.Band
    things: tuple[icons.IconSpec, ...]
    others: tuple[icons.IconSpec, ...]
    feedback: Literal["tick", "outline"]

    @property
    def right(self) -> tuple[int, ...]:
        """The cells that show a part."""
        shares = cover.covered_by_all(self.things, self.lattice)
        return tuple(int(k) for k in np.flatnonzero(shares >= self.band.high))


class CoverOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    grid: Literal["few", "some", "many"] | None = None
    things: int | None = Knob(default=None, ge=1, le=MOST_THINGS)
    others: int | None = Knob(default=None, ge=0, le=MOST_OTHERS)
    least_part: float | None = Knob(default=None, ge=0.08, le=0.25)
    """The upper end of the grey band."""


@register("grid_patch_cover", version=1, family="grid_select")
class GridPatchCover(PuzzleType[CoverState, CoverOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CoverState
    Options: ClassVar[type[Options]] = CoverOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(0.78, 1.0), width=(244, 284), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return scenes.contents(split)

    def shape(self, scene: Scene) -> tuple[int, int]:
        """Rows and columns."""
        slot, names = scene.placement.boxes["slot"], ("few", "some", "many")
        level = min(2, int(3 * scene.difficulty))
        if self.options.grid:
            level = names.index(self.options.grid)

        def squareness(shape: tuple[int, int]) -> float:
            sides = slot.width / shape[1], slot.height / shape[0]
            return min(sides) / max(sides)

        return max(SHAPES[level], key=squareness)

    def sample(self, scene: Scene) -> CoverState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        lattice = cover.Lattice(slot.width, slot.height, *self.shape(scene))
        cells = lattice.rows * lattice.columns
        anchor = rng.fixed("anchor").integer(0, cover.PARTS**2)
        shares = COUNTS[cells]
        count = knob.things or 1 + rng.fixed("count").weighted(range(len(shares)), shares)
        band = BAND if knob.least_part is None else cover.Band(BAND.low, knob.least_part)
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split,
            0.2 + 0.7 * hard,
        )  # fmt: skip
        spread = rng.fresh("things")
        wanted = spread.integer(0, 2) + round(2 * hard) if knob.others is None else knob.others
        kinds = scenes.choose_kinds(spread, scene.split, scene.content_kind, 2)
        probes = [scenes.dressed(spread, info) for info in kinds]
        things: list[icons.IconSpec] = []
        for number in range(count):
            things.append(
                cover.place(
                    spread, probes[0], lattice, things, SIZES[count],
                    part=None if number else anchor, band=band,
                )
            )  # fmt: skip
        others = scenes.strewn(spread, probes[1:], lattice, things, OTHER_SIZES, wanted)
        return CoverState(
            anchor=anchor,
            picture=picture.as_dict(),
            lattice=lattice,
            band=band,
            things=tuple(things),
            others=tuple(others),
            feedback=spread.choice(("tick", "outline")),
        )

    def check(self, state: CoverState) -> None:
        lattice, first = state.lattice, state.things[0]
        if {thing.asset for thing in state.things} & {other.asset for other in state.others}:
            raise Rejected("a thing among the others", value=len(state.others), limit=0)
        mine = icons.icon_info(first.asset)
        for other in sorted({other.asset for other in state.others}):
            if not icons.distinct(icons.icon_info(other), mine, turned=True):
                raise Rejected("another thing looks alike", value=1, limit=0)
        everything = (*state.things, *state.others)
        for place, thing in enumerate(everything):
            if not lattice.whole.holds(icons.icon_ink(thing).painted):
                raise Rejected("a thing leaves the picture", value=thing.x, limit=lattice.width)
            for other in everything[:place]:
                if cover.apart(thing, other) < cover.LEAST_GAP_CSS - 0.01:
                    raise Rejected("things touch", value=cover.apart(thing, other),
                                   limit=cover.LEAST_GAP_CSS)  # fmt: skip
        if lattice.part_at(first.x, first.y) != state.anchor:
            raise Rejected("the first thing lies elsewhere", value=first.x, limit=state.anchor)
        shares = cover.covered_by_all(state.things, lattice)
        if not bool(state.band.clear(shares)):
            raise Rejected("a cell in the grey band", value=float(shares.max()),
                           limit=state.band.high)  # fmt: skip
        if not 0 < len(state.right) < len(lattice.cells):
            raise Rejected("all cells or none", value=len(state.right), limit=len(lattice.cells))

    def draw(self, state: CoverState, placement: Placement) -> Artwork:
        slot, lattice = placement.boxes["slot"], state.lattice
        spec = pictures.PictureSpec.from_dict(state.picture)
        image = picture_images.picture_image(spec, slot, placement.px_per_css)

        def paint(canvas: Any) -> None:
            picture_images.paint_image(canvas, image, slot)
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            icons.draw_icons(canvas, (*state.others, *state.things))
            cover.paint_lines(canvas, lattice)
            canvas.restore()

        cells = {f"cell.{k}": b.moved(slot.x0, slot.y0) for k, b in enumerate(lattice.cells)}
        shown = sorted((*state.things, *state.others), key=lambda one: (one.x, one.y))
        things = {
            f"thing.{k}": icons.icon_ink(one).box.moved(slot.x0, slot.y0)
            for k, one in enumerate(shown)
        }
        return Artwork(
            parts=(Part("board", slot, paint),), regions={"picture": slot, **cells, **things}
        )

    def mechanic(self, state: CoverState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in state.lattice.cells),
            answer=state.right,
            submit=placement.submit,
            feedback=state.feedback,
        )

    def goal_slots(self, state: CoverState, lang: str) -> dict[str, str]:
        return {"thing": icons.icon_info(state.things[0].asset).called(lang)}

    def reason_slots(
        self, state: CoverState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "thing": Slot("name", self.goal_slots(state, lang)["thing"]),
            "count": Slot("count", len(state.right)),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: CoverState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = [icons.icon_ink(thing).box.grown(2.0) for thing in state.things]
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of things": (min(steps), LEAST_STEP),
            "fidelity in dB": (
                picture_images.picture_fidelity(seen, state.lattice.whole), FIDELITY_DB,
            ),
        }  # fmt: skip

    def identity(self, state: CoverState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "thing": state.things[0].asset,
            "right": list(state.right),
            "grid": [state.lattice.rows, state.lattice.columns],
        }

    def wrong_responses(
        self, state: CoverState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        right, stream = list(state.right), rng.fresh("wrong")
        wrong = [cell for cell in range(len(mechanic.cells)) if cell not in right]
        middles = {state.lattice.cell_at(thing.x, thing.y) for thing in state.things}
        sets = {
            "one cell too many": [*right, stream.choice(wrong)],
            "all but one": right[1:] or [wrong[0]],
            "the other cells": wrong,
            "the middles alone": sorted(middles),
        }
        return [
            WrongResponse(name, tuple(kit.taps(mechanic.cells, sorted(cells), mechanic.submit)))
            for name, cells in sets.items()
            if set(cells) != set(right)
        ]

    def bad_states(self, state: CoverState) -> Iterator[tuple[str, CoverState]]:
        def first(thing: icons.IconSpec, **more: Any) -> CoverState:
            return state.model_copy(update={"things": (thing, *state.things[1:]), **more})

        own, lattice = state.things[0], state.lattice
        yield "a thing among the others", state.model_copy(update={"others": (own,)})
        yield "a thing leaves the picture", first(replace(own, x=2.0))
        yield "things touch", state.model_copy(update={"things": (own, own)})
        far = (state.anchor + 1) % cover.PARTS**2
        yield "the first thing lies elsewhere", state.model_copy(update={"anchor": far})
        tight = cover.Band(0.0, max(0.99, state.band.high))
        yield "a cell in the grey band", state.model_copy(update={"band": tight})
        fine = cover.Lattice(lattice.width, lattice.height, 1, 1)
        loose = {"lattice": fine, "band": cover.Band(0.001, 0.002), "others": ()}
        yield "all cells or none", first(own, **loose)

    def solutions(self, state: CoverState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The cells with paint of the things, all painted alone."""
        shares = cover.drawn_shares(state.things, state.lattice)
        return [tuple(k for k, share in enumerate(shares) if share >= DRAWN_SHARE)]

    def labels(self, state: CoverState, scene: Scene) -> Mapping[str, Label]:
        rows, columns = state.lattice.rows, state.lattice.columns
        shares, name = COUNTS[rows * columns], f"{rows} x {columns}"
        found: dict[str, Label] = {"part with the first": Choice(state.anchor, cover.PARTS**2)}
        if self.options.things is None:
            found[f"things of {name}"] = Choice(len(state.things) - 1, len(shares), shares)
        return found
