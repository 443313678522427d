"""A profile beside an axis, and solids of which one is swept by it.

Rule
    Select the solid that comes about when the profile turns once around the dashed axis.
Answer
    One tile.
Validity
    All solids have one height and one greatest width. Wrong ones (upside down, thick where
    the profile is thin, parts of another width) differ from the right one, and all from each
    other, in the widths at which they are seen by a root mean square of a tenth of the
    greatest radius or more; what wide parts hide does not count. The profile differs from
    itself upside down as much. Solids stand out from their tiles, measured on the
    decoded picture.
Source
    Solids of revolution as in Spatial-CAPTCHA-Bench (revolution_solids); one tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _kit as kit
from captcha_types.spatial_3d import _lathes as lathes
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.zones import Zone
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
from factory.draw import grounds, solid
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tiles import Board, paint_gaps
from factory.draw.tokens import tokens_named

SHARES = (0.36, 0.43)
"""Of the board's height that the tile of the profile takes."""

PAD_PX, CARD_PX = 7.0, 5.0
LEAST_APART = 0.1
"""Root mean square of the difference of half the widths at which two solids of a board are seen."""

LEAST_STEP = 40.0
"""Levels of grey between the lightest and the darkest of a tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the solids beyond this."""

PARTS = (3, 5)
SIX_FROM = 0.5
"""Difficulty from which there are six solids, four below."""


class SweepState(State):
    """``shown`` are the profiles of the solids in reading order."""

    order: tuple[int, ...]
    """The right tile."""
    profile: lathes.Profile
    sheet: lathes.Sheet
    shown: tuple[lathes.Profile, ...]
    cameras: tuple[solid.Camera, ...]
    light: solid.Light
    colour: str
    paper: str
    ink: str
    board: Board
    ground: grounds.Ground
    feedback: Literal["tick", "outline"]


class SweepOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    options: Literal[4, 6] | None = None
    parts: int | None = Knob(default=None, ge=PARTS[0], le=PARTS[1])
    lean_deg: float | None = Knob(default=None, ge=0.0, le=45.0)


@register("solid_of_revolution", version=1, family="spatial_3d")
class SolidOfRevolution(PuzzleType[SweepState, SweepOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SweepState
    Options: ClassVar[type[Options]] = SweepOptions
    mechanics = ("cells",)
    answer_kind = "cells"
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(1.0, 1.1), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def parts(self, difficulty: float) -> int:
        """How many parts the profile has."""
        low, high = PARTS
        return self.options.parts or low + min(high - low, int(difficulty * (high - low + 1)))

    def sample(self, scene: Scene) -> SweepState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        tiles = self.options.options or (6 if hard >= SIX_FROM else 4)
        right = rng.fixed("order").integer(0, tiles)
        turn, dress, parts = rng.fresh("profile"), rng.fresh("dress"), self.parts(hard)
        profile = lathes.choose_profile(turn, parts)
        others = lathes.choose_others(
            turn, profile, parts, tiles - 1, LEAST_APART + 0.01, 0.5 - 0.22 * hard
        )
        board = Board(slot.width, slot.height, dress.uniform(*SHARES), tiles // 2, 2,
                      dress.chance(0.4))  # fmt: skip
        most = 40.0 * hard if self.options.lean_deg is None else self.options.lean_deg
        paper, inks = dress.choice([pair for pair in kit.PAPERS if pair[1][-1] == "#1b1d22"])
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        return SweepState(
            order=(right,),
            profile=profile,
            sheet=lathes.sheet_in(dress, card(board).grown(-CARD_PX), dress.uniform(-most, most)),
            shown=(*others[:right], profile, *others[right:]),
            cameras=tuple(
                lathes.camera_of(dress, Box(*kit.somewhere(dress, box.grown(-PAD_PX), 0.94)))
                for box in board.tiles
            ),
            light=solid.Light(dress.choice((-150.0, -30.0)) + dress.uniform(-15, 15), 48.0, 0.4),
            colour=kit.choose_blocks(dress, ground.tone)[0],
            paper=paper,
            ink=dress.choice(inks[:5]),
            board=board,
            ground=ground,
            feedback=dress.choice(("tick", "outline")),
        )

    def check(self, state: SweepState) -> None:
        same = {i for i, one in enumerate(state.shown) if one == state.profile}
        if same != set(state.order) or len(same) != 1:
            raise Rejected("tiles and profile disagree", value=len(same), limit=1)
        upside = lathes.apart(state.profile, lathes.flipped(state.profile))
        if upside < LEAST_APART:
            raise Rejected("the same upside down", value=upside, limit=LEAST_APART)
        for index, one in enumerate(state.shown):
            for other in state.shown[:index]:
                far = lathes.apart(one, other)
                if far < LEAST_APART:
                    raise Rejected("two solids too alike", value=far, limit=LEAST_APART)
        for box, camera in zip(state.board.tiles, state.cameras, strict=True):
            ends = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (0.0, 2.0)]
            if not all(box.contains(camera.pixel(end)) for end in ends):
                raise Rejected("a solid leaves its tile")

    def draw(self, state: SweepState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, board.whole)
            lathes.paint_profile(canvas, state.sheet, state.profile, card(board), state.paper,
                                 state.ink)  # fmt: skip
            for camera, one in zip(state.cameras, state.shown, strict=True):
                lathes.paint_lathe(canvas, camera, state.light, one, state.colour)
            look = tokens_named(placement.tokens)
            paint_gaps(canvas, board.whole, [board.question, *board.tiles],
                       look.rgb(placement.ground))  # fmt: skip
            canvas.restore()

        regions: dict[str, Box | Zone] = {
            "picture": slot,
            "profile": card(board).moved(slot.x0, slot.y0),
        }
        for index, box in enumerate(board.tiles):
            regions[f"cell.{index}"] = box.moved(slot.x0, slot.y0)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: SweepState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Cells(
            cells=tuple(box.moved(slot.x0, slot.y0) for box in state.board.tiles),
            answer=state.order,
            mode="radio",
            submit=placement.submit,
            feedback=state.feedback,
        )

    def reason_slots(
        self, state: SweepState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        foot, head = state.profile.points[0][0], state.profile.points[-1][0]
        words = WIDTHS[lang]
        return {
            "foot": Slot("name", words[_width(foot)]),
            "head": Slot("name", words[_width(head)]),
            "first": Slot("point", list(first.point)),
        }

    def margins(self, state: SweepState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [grey_step(seen.decoded, seen.box(box.grown(-4))) for box in state.board.tiles]
        return {
            "step of solids": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: SweepState) -> Json:
        return {
            "profile": [list(point) for point in state.profile.points],
            "shown": [[list(point) for point in one.points] for one in state.shown],
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: SweepState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Cells)
        return kit.wrong_tiles(rng, mechanic, state.order, one=True)

    def bad_states(self, state: SweepState) -> Iterator[tuple[str, SweepState]]:
        def changed(**more: Any) -> SweepState:
            return state.model_copy(update=more)

        wrong = (state.order[0] + 1) % len(state.shown)
        yield "tiles and profile disagree", changed(order=(wrong,))
        can = lathes.Profile(((1.0, 0.0), (1.0, lathes.HEIGHT)))
        even = [can if i in state.order else one for i, one in enumerate(state.shown)]
        yield "the same upside down", changed(profile=can, shown=tuple(even))
        near = lathes.Profile(tuple((round(0.97 * r, 6), h) for r, h in state.profile.points))
        twin = [near if i == wrong else one for i, one in enumerate(state.shown)]
        yield "two solids too alike", changed(shown=tuple(twin))
        close = tuple(replace(camera, focus=2 * camera.focus) for camera in state.cameras)
        yield "a solid leaves its tile", changed(cameras=close)

    def solutions(self, state: SweepState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tiles whose solid has the profile's radius at every height."""
        right = state.profile.radii
        fits = [
            index for index, one in enumerate(state.shown)
            if max(abs(a - b) for a, b in zip(one.radii, right, strict=True)) < 1e-6
        ]  # fmt: skip
        return [tuple(fits)]

    def labels(self, state: SweepState, scene: Scene) -> Mapping[str, Label]:
        tiles = len(state.shown)
        return {f"a tile of {tiles}": Choice(state.order[0], tiles)}


WIDTHS = {
    "en": {"thin": "narrow", "wide": "wide", "half": "of middling width"},
    "zh": {"thin": "细", "wide": "宽", "half": "中等宽度"},
}


def _width(radius: float) -> str:
    return "thin" if radius < 0.4 else "wide" if radius > 0.85 else "half"


def card(board: Board) -> Box:
    """The card that the profile is drawn on."""
    box = board.question.grown(-6.0)
    half = min(box.width, 1.5 * box.height) / 2
    return Box(box.center.x - half, box.y0, box.center.x + half, box.y1)
