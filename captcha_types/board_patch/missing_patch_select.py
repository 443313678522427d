"""A picture with a hole, and patches of which one was cut out there.

Rule
    Click the patch that completes the picture. Other patches come from elsewhere in the
    picture, or from the hole and its neighbourhood, turned, mirrored or in other colours.
Answer
    One click on the tile of the patch; where the panel has a button, a click on it.
Validity
    The hole lies where the picture changes along its outline. The right patch continues the
    picture; every other one breaks off by sixteen levels more, on average along the outline:
    re-measured on a small raster by ``check``, and once more on the decoded slot. No two
    patches look alike along their outlines.
Source
    Missing pieces as in HLL (missing_piece) and VenusBench-CAPTCHA (visual_reasoning); the
    click has to lie in the tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.board_patch import _continuity as continuity
from captcha_types.board_patch import _hole as kit
from captcha_types.board_patch import _patches as patches
from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.points import Points
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
from factory.core.tapping import send
from factory.draw import low_pictures, picture_images, pictures
from factory.draw.panels.paint import bordered, rounded
from factory.draw.tokens import tokens_named

OPTIONS = (3, 6)
SIZES = (42.0, 60.0)
"""Side of the hole, CSS px, at the hard and at the easy end."""

LEAST_SEEN_RISE = 11.0
"""Levels by which the best wrong patch breaks off more than the right one, after decoding."""

FIDELITY_DB = 22.0
"""Encoding may not blur the picture beyond this."""

BIN_CSS = 8.0
"""Holes nearer than this to each other are the same hole."""


class PatchState(State):
    """Lengths in CSS px from the slot's corner; patches lie on the tiles in reading order."""

    answer: int
    picture: dict[str, Any]
    hole: patches.Hole
    patches: tuple[patches.Patch, ...]
    board: kit.HoleBoard


class PatchOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    options: int | None = Knob(default=None, ge=OPTIONS[0], le=OPTIONS[1])
    size_css: float | None = Knob(default=None, ge=SIZES[0], le=SIZES[1])
    tricks: float | None = Knob(default=None, ge=0.0, le=1.0)
    """How many of the other patches are the right one in disguise, or lie next to it."""


@register("missing_patch_select", version=1, family="board_patch")
class MissingPatchSelect(PuzzleType[PatchState, PatchOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PatchState
    Options: ClassVar[type[Options]] = PatchOptions
    mechanics = ("points",)
    answer_kind = "point"
    seen_side = 190

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.98, 1.1), width=(252, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def sample(self, scene: Scene) -> PatchState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        low, high = OPTIONS
        count = self.options.options or low + min(high - low, int(hard * (high - low + 1)))
        answer = rng.fixed("order").integer(0, count)
        size = self.options.size_css or SIZES[1] - hard * (SIZES[1] - SIZES[0])
        tricks = hard if self.options.tricks is None else self.options.tricks
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split, hard
        ).as_dict()
        board = kit.lay_board(slot.width, slot.height, count, size)
        cut = rng.fresh("cut")
        hole = kit.choose_hole(cut, picture, board)
        others = kit.choose_others(cut, picture, board, hole, tricks)
        return PatchState(
            answer=answer,
            picture=picture,
            hole=hole,
            patches=(*others[:answer], hole.patch, *others[answer:]),
            board=board,
        )

    def check(self, state: PatchState) -> None:
        if [k for k, one in enumerate(state.patches) if one == state.hole.patch] != [state.answer]:
            raise Rejected("patches and hole disagree", value=state.answer, limit=1)
        room, size = Box(0.0, 0.0, *state.board.picture_size), state.hole.size
        for patch in (state.hole, *state.patches):
            if not room.holds(Box.sized(patch.x, patch.y, size, size)):
                raise Rejected("a patch leaves the picture", value=patch.x, limit=room.width)
        ring, inner = _rings(state)
        unrest, alike = continuity.unrest(ring), continuity.alikeness(inner)
        if unrest < kit.LEAST_UNREST:
            raise Rejected("a hole in the plain", value=unrest, limit=kit.LEAST_UNREST)
        rise = continuity.rise(ring, inner, state.answer)
        if rise < kit.LEAST_RISE:
            raise Rejected("another patch fits as well", value=rise, limit=kit.LEAST_RISE)
        if alike < kit.LEAST_UNLIKE:
            raise Rejected("two patches alike", value=alike, limit=kit.LEAST_UNLIKE)

    def draw(self, state: PatchState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        look, size = tokens_named(placement.tokens), board.size
        area = board.picture.moved(slot.x0, slot.y0)
        spec = pictures.PictureSpec.from_dict(state.picture)
        image = picture_images.picture_image(spec, area, placement.px_per_css)
        path, radius = (
            patches.outline(state.hole.shape, size),
            float(min(look.control_radius_px, 12)),
        )
        hole = Point(area.x0 + state.hole.x, area.y0 + state.hole.y)

        def paint(canvas: Any) -> None:
            canvas.save()
            canvas.clipRRect(rounded(area, radius), True)
            picture_images.paint_image(canvas, image, area)
            patches.paint_hole(canvas, path, hole, look.rgb(placement.ground), look.rgb("text"))
            canvas.restore()
            for patch, tile in zip(state.patches, board.tiles, strict=True):
                home = tile.moved(slot.x0, slot.y0)
                bordered(canvas, home, radius, look.rgb("border"), look.rgb("track"))
                at = Point(home.center.x - size / 2, home.center.y - size / 2)
                patches.paint_patch(canvas, image, area, path, size, patch, at)

        cells = {f"cell.{k}": b.moved(slot.x0, slot.y0) for k, b in enumerate(board.tiles)}
        regions = {"picture": area, "hole": Box.sized(hole.x, hole.y, size, size), **cells}
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: PatchState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        tiles = [Zone.of_box(tile.moved(slot.x0, slot.y0)) for tile in state.board.tiles]
        return Points(
            targets=(tiles[state.answer],),
            area=slot,
            others=(*tiles[: state.answer], *tiles[state.answer + 1 :]),
            submit=placement.submit,
        )

    def reason_slots(
        self, state: PatchState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click) and isinstance(mechanic, Points)
        scale = mechanic.px_per_css
        half, area, corner = state.board.size / 2, state.board.picture, mechanic.area
        hole = [corner.x0 + scale * (area.x0 + state.hole.x + half),
                corner.y0 + scale * (area.y0 + state.hole.y + half)]  # fmt: skip
        return {
            "count": Slot("count", len(state.patches)),
            "place": Slot("name", kit.ORDINALS[lang][state.answer]),
            "hole": Slot("point", hole),
            "point": Slot("point", list(click.point)),
        }

    def margins(self, state: PatchState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        area = state.board.picture
        rise = continuity.seen_rise(seen, state.hole, state.board.tiles, state.answer)
        return {
            "rise of the best wrong patch": (rise, LEAST_SEEN_RISE),
            "fidelity in dB": (picture_images.picture_fidelity(seen, area), FIDELITY_DB),
        }

    def identity(self, state: PatchState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "hole": [state.hole.shape, int(state.hole.x // BIN_CSS), int(state.hole.y // BIN_CSS)],
            "patches": [
                [int(p.x // BIN_CSS), int(p.y // BIN_CSS), p.quarters, p.mirrored,
                 int(p.hue_deg // 30), int(p.light // 20)]
                for p in state.patches
            ],
        }  # fmt: skip

    def wrong_responses(
        self, state: PatchState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Points)
        right, stream = mechanic.targets[0].center, rng.fresh("wrong")
        other = stream.choice(mechanic.others).center
        box = state.board.picture.moved(mechanic.area.x0, mechanic.area.y0)
        near = Point(right.x, (box.y0 + mechanic.area.y0) / 2 + 4.0)
        answers = {
            "another patch": [other],
            "another patch first": [other, right],
            "the picture": [near],
            "the patch twice": [right, Point(right.x + 4.0, right.y)],
        }
        return [
            WrongResponse(name, (*(Click(point) for point in points), *send(mechanic.submit)))
            for name, points in answers.items()
        ]

    def bad_states(self, state: PatchState) -> Iterator[tuple[str, PatchState]]:
        def changed(index: int, patch: patches.Patch) -> PatchState:
            own = (*state.patches[:index], patch, *state.patches[index + 1 :])
            return state.model_copy(update={"patches": own})

        wrong = (state.answer + 1) % len(state.patches)
        yield "patches and hole disagree", state.model_copy(update={"answer": wrong})
        yield "a patch leaves the picture", changed(wrong, patches.Patch(-4.0, 0.0))
        right = state.patches[state.answer]
        yield "another patch fits as well", changed(wrong, replace(right, light=1.0))
        last = (wrong + 1) % len(state.patches)
        yield "two patches alike", changed(wrong, _dimmer(state.patches[last]))
        plain = kit.plainest(state.picture, state.board, state.hole.shape)
        if plain is not None:
            moved = changed(state.answer, plain.patch)
            yield "a hole in the plain", moved.model_copy(update={"hole": plain})

    def solutions(self, state: PatchState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """The tile whose patch continues the picture best, by the small raster.

        Targets of the mechanic come before its other zones.
        """
        off = continuity.breaks(*_rings(state))
        best = off.index(min(off))
        return [(0 if best == state.answer else 1 + best - (best > state.answer),)]

    def labels(self, state: PatchState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.patches)
        return {f"tile of {count}": Choice(state.answer, count)}


def _rings(state: PatchState) -> tuple[Any, Any]:
    """Colours around the hole and inside the patches, on the small raster."""
    key, size = low_pictures.key_of(state.picture), state.board.picture_size
    return continuity.rings(key, size, state.hole, state.patches)


def _dimmer(patch: patches.Patch) -> patches.Patch:
    """The same patch by half a level darker: less than patches have to spare."""
    return replace(patch, light=patch.light - 0.5)
