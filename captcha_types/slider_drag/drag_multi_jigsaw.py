"""A picture in tiles, some of which lie loose in a tray, to be dragged back one by one.

Rule
    Drag every loose piece to its gap, until the picture is whole. Pieces are as large as gaps
    and not turned, so that only the picture tells where they belong.
Answer
    One drag for each piece in any order, then the button where the panel has one; an episode
    with one action for each picture. Which piece lies in which place of the tray is drawn
    evenly over all orders.
Validity
    Pieces are not plain and differ from one another. Of all ways to lay the pieces into the
    gaps, the right one joins what is around best, by a margin that is measured on a small
    raster of the picture and again on the decoded slot. Each gap has one piece.
Source
    The static jigsaw of NextGen-CAPTCHAs (those in motion are left out), which takes any drop
    inside the gap's cell; here a piece is home within 8 CSS px or 12 % of its shorter side of
    the gap's middle, across and down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from captcha_types.slider_drag import _pieces as pieces
from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.drop import Drop, Piece, Target
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
from factory.core.wording import class_words
from factory.draw import low_pictures, picture_images, pictures, tile_joins

COUNTS = (2, 6)
"""Loose pieces of easy and of hard puzzles."""

SHAPES = (((2, 3), (3, 3)), ((3, 3), (3, 4)), ((3, 4), (4, 4)))
"""Rows and columns of easy, middling and hard pictures; the squarest tiles are taken."""

TOLERANCE_CSS, TOLERANCE_SHARE = 8.0, 0.12
"""A piece may be off by the larger of these on each axis, the share being one of its shorter side:
the house's table."""

LEAST_SPREAD, LEAST_APART = 8.0, 12.0
"""Levels by which a piece's colours differ from their mean, and two pieces from one another."""

LEAST_LEAD = 40.0
"""Levels, summed over all joints, by which the right way to fill the gaps leads; on the raster."""

LEAST_SEEN_LEAD = 24.0
"""The same after decoding."""

SPARE = 4.0
"""Pieces are chosen so many levels past the lead's floor."""

TRIES = 5
"""Sets of pieces that are tried for a part of the picture."""

FIDELITY_DB = 22.0
"""Encoding may not blur the picture beyond this."""


class Loose(State):
    """A piece: the place where it belongs, in reading order, and the corner where it lies."""

    place: int
    x: float
    y: float


class JigsawState(State):
    """``board`` lies in ``picture``; boxes are ``(x0, y0, x1, y1)`` CSS px of the content."""

    art: dict[str, Any]
    board: tile_joins.TileBoard
    picture: tuple[float, float, float, float]
    tray: tuple[float, float, float, float]
    pieces: tuple[Loose, ...]

    @property
    def places(self) -> list[Box]:
        """The tiles' places, from the content's corner."""
        x, y = self.picture[:2]
        return [box.moved(x, y) for box in self.board.places]

    @property
    def missing(self) -> list[int]:
        """Where pieces belong, in reading order."""
        return sorted(piece.place for piece in self.pieces)

    def home(self, piece: Loose) -> Box:
        """Where a piece lies at first."""
        tile = self.board.places[0]
        return Box.sized(piece.x, piece.y, tile.width, tile.height)


class JigsawOptions(Options):
    """``pieces``: how many lie loose; ``tiles``: how finely the picture is cut. Both follow
    difficulty."""

    pieces: int | None = Field(default=None, ge=COUNTS[0], le=COUNTS[1])
    tiles: int | None = Field(default=None, ge=1, le=len(SHAPES))


@register("drag_multi_jigsaw", version=1, family="slider_drag")
class DragMultiJigsaw(PuzzleType[JigsawState, JigsawOptions]):
    """See the module."""

    State: ClassVar[type[State]] = JigsawState
    Options: ClassVar[type[Options]] = JigsawOptions
    mechanics = ("drop",)
    answer_kind = "drag_xy_seq"
    single_shot = False
    images = COUNTS[1] + 1
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.84, 0.95), width=(256, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def _plan(self, scene: Scene) -> tuple[int, tuple[int, int], pieces.Plan]:
        """(count of pieces, rows and columns, plan), fixed for a key."""
        slot, hard, options = scene.placement.boxes["slot"], scene.difficulty, self.options
        low, high = COUNTS
        count = options.pieces or low + min(high - low, int(hard * (high - low + 1)))
        level = options.tiles - 1 if options.tiles else min(2, int(3 * hard))
        sides = scene.rng.fixed("side").shuffled(pieces.SIDES)
        while True:
            for side in sides:
                found = pieces.best_plan(side, slot.width, slot.height, SHAPES[level], count)
                if found:
                    return count, *found
            count -= 1

    def sample(self, scene: Scene) -> JigsawState:
        rng, hard = scene.rng, scene.difficulty
        count, shape, plan = self._plan(scene)
        dress, stream = rng.fresh("dress"), rng.fresh("pieces")
        art = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split,
            0.4 + 0.6 * hard,
        )  # fmt: skip
        key = low_pictures.key_of(art.as_dict())
        size = plan.picture.width, plan.picture.height
        look = tile_joins.choose_look(dress, *size, shape, 0.4 * hard)
        found: list[list[int]] = []

        def good(board: tile_joins.TileBoard) -> bool:
            joined = tile_joins.joins(tile_joins.tile_edges(key, board))
            tiles = pieces.contents(key, board)
            for _ in range(TRIES):
                missing = pieces.choose_missing(stream, tiles, count, LEAST_SPREAD, LEAST_APART)
                if missing and pieces.lead(joined, board, missing) >= LEAST_LEAD + SPARE:
                    found.append(missing)
                    return True
            return False

        board = tile_joins.choose_view(dress, look, good)
        if not found:
            raise Rejected("too few pieces can be told apart", value=0, limit=count)
        order = rng.fixed("order").shuffled(range(count))
        inset = board.gap / 2
        return JigsawState(
            art=art.as_dict(),
            board=board,
            picture=_edges(plan.picture),
            tray=_edges(plan.tray),
            pieces=tuple(
                Loose(
                    place=found[0][rank],
                    x=round(home.x0 + inset, 6),
                    y=round(home.y0 + inset, 6),
                )
                for rank, home in zip(order, plan.homes, strict=True)
            ),
        )

    def check(self, state: JigsawState) -> None:
        missing, tray, board = state.missing, Box(*state.tray), state.board
        if len(set(missing)) < len(missing):
            raise Rejected("two pieces for one gap", value=len(missing), limit=len(set(missing)))
        homes = [state.home(piece) for piece in state.pieces]
        if not all(tray.grown(1e-3).holds(home) for home in homes):
            raise Rejected("piece outside its tray", value=homes[0].x0, limit=tray.x1)
        if any(a.overlaps(b) for n, a in enumerate(homes) for b in homes[:n]):
            raise Rejected("pieces overlap", value=len(homes), limit=0)
        key = low_pictures.key_of(state.art)
        tiles = pieces.contents(key, board)
        plainest = min(pieces.spread(tiles[place]) for place in missing)
        if plainest < LEAST_SPREAD:
            raise Rejected("a piece is plain", value=plainest, limit=LEAST_SPREAD)
        nearest = min(
            pieces.apart(tiles[a], tiles[b]) for n, a in enumerate(missing) for b in missing[:n]
        )
        if nearest < LEAST_APART:
            raise Rejected("two pieces are alike", value=nearest, limit=LEAST_APART)
        lead = _lead(state, missing)
        if lead < LEAST_LEAD:
            raise Rejected("other gaps join as well", value=lead, limit=LEAST_LEAD)

    def draw(self, state: JigsawState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        x, y = slot.x0 + state.picture[0], slot.y0 + state.picture[1]
        whole = board.picture.moved(x, y)
        spec = pictures.PictureSpec.from_dict(state.art)
        image = picture_images.picture_image(spec, whole, placement.px_per_css)
        places = [box.moved(slot.x0, slot.y0) for box in state.places]
        holes = {piece.place: places[piece.place] for piece in state.pieces}

        def ground(canvas: Any) -> None:
            pieces.paint_tray(canvas, Box(*state.tray).moved(slot.x0, slot.y0), placement)
            for number, box in enumerate(places):
                if number not in holes:
                    tile_joins.paint_tile(canvas, image, whole, box, box, board.round)
            pieces.paint_holes(canvas, list(holes.values()), board.round, placement)

        def piece(loose: Loose, home: Box) -> Any:
            own = places[loose.place]
            return lambda canvas: pieces.paint_loose(canvas, image, whole, own, home, board.round)

        homes = [state.home(loose).moved(slot.x0, slot.y0) for loose in state.pieces]
        return Artwork(
            parts=(
                Part("ground", slot, ground),
                *(
                    Part(f"piece.{n}", home, piece(loose, home))
                    for n, (loose, home) in enumerate(zip(state.pieces, homes, strict=True))
                ),
            ),
            regions={"picture": Box(*state.picture).moved(slot.x0, slot.y0)}
            | {f"piece.{n}": home for n, home in enumerate(homes)}
            | {f"target.{n}": holes[place] for n, place in enumerate(state.missing)}
            | {f"aim.{n}": zone for n, zone in enumerate(_aims(state, slot))}
            | {f"cell.{n}": box for n, box in enumerate(places) if n not in holes},
        )

    def mechanic(self, state: JigsawState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Drop(
            pieces=tuple(
                Piece(
                    name=f"piece.{n}",
                    home=state.home(loose).moved(slot.x0, slot.y0),
                    targets=(f"gap.{state.missing.index(loose.place)}",),
                )
                for n, loose in enumerate(state.pieces)
            ),
            targets=tuple(
                Target(f"gap.{n}", zone=zone) for n, zone in enumerate(_aims(state, slot))
            ),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: JigsawState, lang: str) -> dict[str, str]:
        words, count = class_words(__file__, lang), len(state.pieces)
        return {"count": words[f"count{count}"], "all": words[f"all{count}"]}

    def reason_slots(
        self, state: JigsawState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first, second = gold[:2]
        assert isinstance(first, Drag) and isinstance(second, Drag)
        return {
            "count": Slot("name", class_words(__file__, lang)[f"count{len(state.pieces)}"]),
            "start": Slot("point", list(first.start)),
            "end": Slot("point", list(first.end)),
            "start2": Slot("point", list(second.start)),
            "end2": Slot("point", list(second.end)),
        }

    def margins(self, state: JigsawState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        lying = state.places
        for loose in state.pieces:
            lying[loose.place] = state.home(loose)
        corner = (seen.slot.x0, seen.slot.y0)
        edges = tile_joins.edges_of(seen.decoded, seen.px_per_css, corner, lying)
        lead = pieces.lead(tile_joins.joins(edges), state.board, state.missing)
        return {
            "lead of the right way": (lead, LEAST_SEEN_LEAD),
            "fidelity in dB": (
                picture_images.picture_fidelity(seen, Box(*state.picture)),
                FIDELITY_DB,
            ),
        }

    def identity(self, state: JigsawState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.art).identity(),
            "places": [piece.place for piece in state.pieces],
            "rows": state.board.rows,
        }

    def wrong_responses(
        self, state: JigsawState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Drop) and mechanic.area is not None
        after = () if mechanic.submit is None else (Click(mechanic.submit.center),)
        spots = [mechanic.target_of[piece.targets[0]].spot for piece in mechanic.pieces]
        reach = max(TOLERANCE_CSS, TOLERANCE_SHARE * _short(state))
        off = (reach + rng.fresh("near").uniform(2.0, 6.0)) * mechanic.px_per_css
        inward = off if spots[0].x < mechanic.area.center.x else -off
        beside = [spots[0]._replace(x=spots[0].x + inward), *spots[1:]]
        ways: dict[str, list[Point]] = {
            "two pieces exchanged": [spots[1], spots[0], *spots[2:]],
            "just beside": beside,
            "one left in the tray": spots[:-1],
            "all in one gap": [spots[0]] * len(spots),
        }
        if len(spots) > 2:
            ways["gone round"] = [*spots[1:], spots[0]]
        drags = [
            (name, tuple(Drag(a, b) for a, b in zip(mechanic.homes, ends, strict=False)))
            for name, ends in ways.items()
        ]
        wrong = [WrongResponse(name, (*made, *after)) for name, made in drags]
        right = tuple(Drag(a, b) for a, b in zip(mechanic.homes, spots, strict=True))
        return [*wrong, *([WrongResponse("not sent", right)] if after else [])]

    def bad_states(self, state: JigsawState) -> Iterator[tuple[str, JigsawState]]:
        first, second, *rest = state.pieces

        def changed(**change: Any) -> JigsawState:
            own = first.model_copy(update=change)
            return state.model_copy(update={"pieces": (own, second, *rest)})

        yield "two pieces for one gap", changed(place=second.place)
        yield "piece outside its tray", changed(x=first.x + 400.0)
        yield "pieces overlap", changed(x=second.x + 2.0, y=second.y)
        tiles = pieces.contents(low_pictures.key_of(state.art), state.board)
        free = [k for k in range(state.board.count) if k not in state.missing]
        plain = [k for k in free if pieces.spread(tiles[k]) < LEAST_SPREAD]
        yield from (("a piece is plain", changed(place=place)) for place in plain[:1])
        near = [
            k
            for k in free
            if k not in plain and pieces.apart(tiles[k], tiles[second.place]) < LEAST_APART
        ]
        yield from (("two pieces are alike", changed(place=place)) for place in near[:1])
        others = [
            (a, b)
            for a, b in combinations(
                [k for k in free if pieces.spread(tiles[k]) >= LEAST_SPREAD], 2
            )
            if pieces.apart(tiles[a], tiles[b]) >= LEAST_APART and _lead(state, (a, b)) < LEAST_LEAD
        ]
        for a, b in others[:1]:
            two = (first.model_copy(update={"place": a}), second.model_copy(update={"place": b}))
            yield "other gaps join as well", state.model_copy(update={"pieces": two})

    def solutions(self, state: JigsawState, mechanic: AnyMechanic) -> list[tuple[str, ...]]:
        """The gap of each piece in the way to fill them that joins best: by trying all ways."""
        key, board, missing = low_pictures.key_of(state.art), state.board, state.missing
        joined = tile_joins.joins(tile_joins.tile_edges(key, board))
        own = [piece.place for piece in state.pieces]
        ways = list(permutations(range(len(missing))))
        lies = np.tile(np.arange(board.count), (len(ways), 1))
        for row, way in enumerate(ways):
            for piece, gap in zip(own, way, strict=True):
                lies[row, missing[gap]] = piece
        best = ways[int(joined.costs(lies, board).sum(axis=1).argmin())]
        return [tuple(f"gap.{gap}" for gap in best)]

    def labels(self, state: JigsawState, scene: Scene) -> Mapping[str, Label]:
        count, missing = len(state.pieces), state.missing
        first, second = (missing.index(piece.place) for piece in state.pieces[:2])
        found: dict[str, Label] = {f"first of {count}": Choice(first, count)}
        if count > 2:
            found[f"second of {count}"] = Choice(second - (second > first), count - 1)
        return found


def _lead(state: JigsawState, missing: Sequence[int]) -> float:
    """The lead of the right way to fill gaps at these places."""
    edges = tile_joins.tile_edges(low_pictures.key_of(state.art), state.board)
    return pieces.lead(tile_joins.joins(edges), state.board, missing)


def _short(state: JigsawState) -> float:
    """The shorter side of a piece."""
    tile = state.board.places[0]
    return min(tile.width, tile.height)


def _aims(state: JigsawState, slot: Box) -> list[Zone]:
    """Where the middle of a piece has to be, for each gap; panel CSS px."""
    reach = max(TOLERANCE_CSS, TOLERANCE_SHARE * _short(state))
    middles = [state.places[place].moved(slot.x0, slot.y0).center for place in state.missing]
    return [Zone.of_box(Box.sized(x - reach, y - reach, 2 * reach, 2 * reach)) for x, y in middles]


def _edges(box: Box) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (round(edge, 6) for edge in box.as_list())
    return x0, y0, x1, y1
