"""A picture in tiles, some of which changed places.

Rule
    Swap tiles until the picture is whole again. The panel says how many swaps it takes, and
    whether a tile is dragged onto another or two are picked one after the other.
Answer
    The swaps, in any order and either way round, as two clicks or one drag each; where the
    panel has a button, a click on it.
Validity
    What lies on the tiles in the end is judged, whichever swaps led there. Each wrong tile
    joins its neighbours worse than the right one would, and no other arrangement that so many
    swaps lead to joins nearly as well as the picture: on its small raster, and on the decoded
    slot.
Source
    Jigsaws by swaps as in MCA-Bench (jigsaw_swap) and HLL (pic_puzzle), one swap as in the
    bingo mode of VenusBench-CAPTCHA; the final arrangement has to be the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field as Knob

from captcha_types.board_patch import _kit as kit
from captcha_types.board_patch import _shuffled as shuffled
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.pairs import Pairs
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

SHAPES: tuple[tuple[tuple[int, int], ...], ...] = (((2, 3), (2, 2)), ((3, 3), (2, 3)),
                                                   ((3, 4), (4, 4), (3, 3)))  # fmt: skip
"""Rows and columns of easy, middling and hard boards: the squarest tiles are taken."""

SWAPS = (1, 3)
IN_TURN = 0.4
"""Share of boards with more than one swap whose tiles went round in turn instead of two by two."""

LEAST_RISE = 12.0
"""Levels by which a wrong tile joins its neighbours worse than the right one, on the raster."""

LEAST_LEAD = 30.0
"""Levels, summed over all joints, by which the whole joins better than what might pass for it."""

LEAST_SEEN_RISE, LEAST_SEEN_LEAD = 8.0, 20.0
"""The same after decoding."""

FIDELITY_DB = 22.0
"""Encoding may not blur the picture beyond this."""

Way = Literal["drag", "pick"]
WAYS: tuple[Way, ...] = ("drag", "pick")


class SwapState(State):
    """``lies`` holds the tile on each place, by the place where it belongs."""

    order: tuple[int, ...]
    """The tiles that moved, in the order in which they were drawn by lot."""
    in_turn: bool
    lies: tuple[int, ...]
    way: Way
    picture: dict[str, Any]
    board: tile_joins.TileBoard


class SwapOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    swaps: int | None = Knob(default=None, ge=SWAPS[0], le=SWAPS[1])
    tiles: Literal["few", "some", "many"] | None = None
    gaps: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("swap_tiles_restore", version=1, family="board_patch")
class SwapTilesRestore(PuzzleType[SwapState, SwapOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SwapState
    Options: ClassVar[type[Options]] = SwapOptions
    mechanics = ("pairs",)
    answer_kind = "point_pairs"
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.7, 0.98), width=(244, 288), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def shape(self, scene: Scene) -> tuple[int, int]:
        """Rows and columns: of those for the difficulty the ones with the squarest tiles."""
        slot, hard = scene.placement.boxes["slot"], scene.difficulty
        names = ("few", "some", "many")
        level = names.index(self.options.tiles) if self.options.tiles else min(2, int(3 * hard))

        def squareness(shape: tuple[int, int]) -> float:
            sides = slot.width / shape[1], slot.height / shape[0]
            return min(sides) / max(sides)

        return max(SHAPES[level], key=squareness)

    def swaps(self, scene: Scene, tiles: int) -> int:
        """How many swaps restore the picture: half of the tiles at most."""
        low, high = SWAPS
        wanted = low + min(high - low, int(scene.difficulty * (high - low + 1)))
        return min(self.options.swaps or wanted, tiles // 2)

    def sample(self, scene: Scene) -> SwapState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        shape, dress = self.shape(scene), rng.fresh("dress")
        count = shape[0] * shape[1]
        swaps = self.swaps(scene, count)
        in_turn = swaps > 1 and rng.fixed("in turn").chance(IN_TURN)
        moved = swaps + 1 if in_turn else 2 * swaps
        order = tuple(rng.fixed("order").sample(range(count), moved))
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split,
            0.5 + 0.5 * hard,
        )  # fmt: skip
        gaps = hard if self.options.gaps is None else self.options.gaps
        look = tile_joins.choose_look(dress, slot.width, slot.height, shape, gaps)
        lies = shuffled.moved_by(order, count, in_turn=in_turn)
        key = low_pictures.key_of(picture.as_dict())

        def good(board: tile_joins.TileBoard) -> bool:
            return all(value >= limit for _, value, limit in _floors(key, board, lies))

        return SwapState(
            order=order,
            in_turn=in_turn,
            lies=lies,
            way=dress.choice(WAYS),
            picture=picture.as_dict(),
            board=tile_joins.choose_view(dress, look, good),
        )

    def check(self, state: SwapState) -> None:
        key, board = low_pictures.key_of(state.picture), state.board
        if state.lies != shuffled.moved_by(state.order, board.count, in_turn=state.in_turn):
            raise Rejected("tiles and swaps disagree", value=len(state.order), limit=board.count)
        for reason, value, limit in _floors(key, board, state.lies):
            if value < limit:
                raise Rejected(reason, value=value, limit=limit)

    def draw(self, state: SwapState, placement: Placement) -> Artwork:
        slot, board = placement.boxes["slot"], state.board
        spec = pictures.PictureSpec.from_dict(state.picture)
        whole = board.picture.moved(slot.x0, slot.y0)
        image = picture_images.picture_image(spec, whole, placement.px_per_css)
        places = [box.moved(slot.x0, slot.y0) for box in board.places]

        def painter(place: int) -> Any:
            home, at = places[state.lies[place]], places[place]
            return lambda canvas: tile_joins.paint_tile(canvas, image, whole, home, at, board.round)

        parts = [Part(f"tile.{k}", box, painter(k)) for k, box in enumerate(places)]
        cells = {f"cell.{k}": box for k, box in enumerate(places)}
        return Artwork(parts=tuple(parts), regions={"picture": slot, **cells})

    def mechanic(self, state: SwapState, placement: Placement) -> AnyMechanic:
        slot, board = placement.boxes["slot"], state.board
        return Pairs(
            items=tuple(Zone.of_box(box.moved(slot.x0, slot.y0)) for box in board.places),
            arrangement=state.lies,
            restored=tuple(range(board.count)),
            drag=state.way == "drag",
            parts=tuple(f"tile.{k}" for k in range(board.count)),
            submit=placement.submit,
        )

    def goal_slots(self, state: SwapState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        swaps = shuffled.swaps_needed(state.lies)
        return {"swaps": words[f"swaps{swaps}"], "how": words[state.way]}

    def reason_slots(
        self, state: SwapState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        assert isinstance(mechanic, Pairs)
        columns, (first, second) = state.board.columns, kit.first_ends(gold)
        words = class_words(__file__, lang)
        pairs = [
            words["pair"].format(*(kit.place_name(p, columns, lang) for p in pair))
            for pair in mechanic.swaps()
        ]
        return {
            "wrong": Slot("count", len(state.order)),
            "swaps": Slot("name", words[f"swaps{len(pairs)}"]),
            "pairs": Slot("name", (", " if lang == "en" else "，").join(pairs)),
            "first": Slot("point", list(first)),
            "second": Slot("point", list(second)),
        }

    def margins(self, state: SwapState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        board, corner = state.board, (seen.slot.x0, seen.slot.y0)
        lying = tile_joins.edges_seen(seen.decoded, seen.px_per_css, corner, board)
        joined = tile_joins.joins(lying[np.argsort(state.lies)])
        rise, lead = (f(joined, state.lies, board) for f in (tile_joins.rise, shuffled.lead))
        return {
            "rise at the worst tile": (rise, LEAST_SEEN_RISE),
            "lead of the whole": (lead, LEAST_SEEN_LEAD),
            "fidelity in dB": (
                picture_images.picture_fidelity(seen, Box(0, 0, board.width, board.height)),
                FIDELITY_DB,
            ),
        }  # fmt: skip

    def identity(self, state: SwapState) -> Json:
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "lies": list(state.lies),
            "rows": state.board.rows,
        }

    def wrong_responses(
        self, state: SwapState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Pairs)
        swaps, stream = mechanic.swaps(), rng.fresh("wrong")
        (a, b), rest = swaps[0], swaps[1:]
        others = [place for place in range(state.board.count) if place not in (a, b)]
        other = stream.choice(others)
        return kit.misses(
            mechanic,
            {
                "another partner": [(a, other), *rest],
                "one swap too many": [*swaps, (a, other)],
                "swapped back": [*swaps, swaps[-1]],
                "another two": [(other, stream.choice([p for p in others if p != other]))],
                **({"one swap left out": rest} if rest else {}),
            },
        )

    def bad_states(self, state: SwapState) -> Iterator[tuple[str, SwapState]]:
        def swapped(a: int, b: int) -> SwapState:
            lies = shuffled.moved_by((a, b), count, in_turn=False)
            return state.model_copy(update={"order": (a, b), "in_turn": False, "lies": lies})

        key, board = low_pictures.key_of(state.picture), state.board
        count, found = board.count, set[str]()
        yield "tiles and swaps disagree", state.model_copy(update={"lies": tuple(range(count))})
        for a, b in combinations(range(count), 2):
            other = swapped(a, b)
            broken = [r for r, value, limit in _floors(key, board, other.lies) if value < limit]
            if broken and broken[0] not in found:
                found.add(broken[0])
                yield broken[0], other

    def solutions(self, state: SwapState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """What lies on the places once every tile was brought home, one by one."""
        lies = list(state.lies)
        for home in range(len(lies)):
            at = lies.index(home)
            lies[at], lies[home] = lies[home], lies[at]
        return [tuple(lies)]

    def labels(self, state: SwapState, scene: Scene) -> Mapping[str, Label]:
        count, swaps = state.board.count, self.swaps(scene, state.board.count)
        first, second = state.order[:2]
        found: dict[str, Label] = {
            f"a tile of {count}": Choice(first, count),
            f"another of {count}": Choice(second - (second > first), count - 1),
        }
        if swaps > 1:
            found["in turn"] = Choice(int(state.in_turn), 2, (1 - IN_TURN, IN_TURN))
        return found


def _floors(
    key: bytes, board: tile_joins.TileBoard, lies: tuple[int, ...]
) -> tuple[tuple[str, float, float], ...]:
    """Why a board would be refused, the value that decides, and its least."""
    rise, lead = shuffled.soundness(key, board, lies)
    return (
        ("a wrong tile joins its neighbours", rise, LEAST_RISE),
        ("another arrangement joins as well", lead, LEAST_LEAD),
    )
