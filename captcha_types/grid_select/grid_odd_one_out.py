"""A board of tiles that are alike in one respect, except for a few.

Rule
    Select every tile that differs from the rest in the one respect in which the others
    agree: colour, number, size, turn, direction, thing or the plate behind it. Where tiles
    also vary at random in another respect, the panel says which one counts.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    An audit of all respects shows one alone in which more than half of the tiles agree
    and some do not, and those are fewer than half. The difference is plain: colours that
    are told apart at a glance, turns and mirrored things that do not look like themselves.
Source
    Unusual-detection tasks of Open CaptchaWorld and VenusBench; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _odd_looks as odd_looks
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Stream
from factory.draw import icons
from factory.draw.colour_names import named_palette
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tones import LARGE_GLYPHS

LEAST_STEP = 34.0
"""Levels of grey between a thing and its tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the things beyond this."""

WORDS: Mapping[str, tuple[str, str]] = {
    "colour": ("colour", "颜色"), "number": ("number", "数量"), "size": ("size", "大小"),
    "turn": ("direction", "方向"), "mirror": ("direction", "朝向"),
    "thing": ("subject", "内容"), "plate": ("background shape", "底板形状"),
}  # fmt: skip

ODD = {
    "en": {"all": "all pictures that differ", "one": "the only picture that differs"},
    "zh": {"all": "所有", "one": "唯一的"},
}


class OddState(boards.BoardState):
    """``tiles`` holds the things on each tile in reading order, CSS px from the board's corner."""

    rule: str
    varied: bool
    tiles: tuple[tuple[icons.IconSpec, ...], ...]


class OddOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    variation: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("grid_odd_one_out", version=1, family="grid_select")
class GridOddOneOut(boards.BoardPuzzle[OddState, OddOptions]):
    """See the module."""

    State: ClassVar[type[State]] = OddState
    Options: ClassVar[type[Options]] = OddOptions
    modes: ClassVar[Mapping[boards.Mode, float]] = {"all": 0.6, "one": 0.4}
    moods = ("light", "dark")
    noise = 0.8

    def counts(self, mode: boards.Mode, tiles: int) -> tuple[int, ...]:
        """Fewer than half of the tiles, four at most."""
        return (1,) if mode == "one" else tuple(range(2, min(4, (tiles - 1) // 2) + 1))

    def sample(self, scene: Scene) -> OddState:
        board = self.deal(scene)
        stream = scene.rng.fresh("things")
        rule = stream.weighted(tuple(odd_looks.RULES), tuple(odd_looks.RULES.values()))
        chance = self.options.variation
        chance = 0.15 + 0.55 * scene.difficulty if chance is None else chance
        usual, odd, style = self._looks(scene, stream, rule, board)
        own = odd_looks.VARIES[rule] == "colour" and usual.asset.startswith("emoji3d/")
        varied = stream.chance(chance) and not (own and usual.kind not in ("disc", "badge"))
        looks = [odd if tile in board.order else usual for tile in range(board.count)]
        if varied:
            looks = odd_looks.varied(stream, looks, odd_looks.VARIES[rule], scene.split, board)
        size, crowd = odd_looks.sized(looks, board.side), max(look.count for look in looks)
        tiles = (
            odd_looks.placed(stream, look, tile, style, size, crowd)
            for look, tile in zip(looks, board.tiles, strict=True)
        )
        return OddState(board=board, rule=rule, varied=varied, tiles=tuple(tiles))

    def _looks(
        self, scene: Scene, stream: Stream, rule: str, board: boards.Board
    ) -> tuple[odd_looks.Look, odd_looks.Look, icons.IconStyle]:
        """The usual look, the odd one, and the style of both."""
        sources = [
            s for s in ("icon", "icon", "emoji3d") if odd_looks.pool_of(scene.split, s, rule)
        ]
        source = "icon" if rule == "colour" else stream.choice(sources)
        kinds = ("disc", "badge") if rule in ("plate", "number") else odd_looks.PLAIN[source]
        style = icons.choose_icon_style(stream, board.ground.tone, source, kinds=kinds)
        pool = odd_looks.pool_of(scene.split, source, rule)
        first = stream.choice(pool)
        (second,) = icons.choose_distinct(
            stream, icons.icons(scene.split, source), 1, besides=[first], turned=True
        )
        names = named_palette(stream, 2, board.ground.tone, floor=LARGE_GLYPHS)
        here, there = names.values()
        usual = odd_looks.Look(first.asset, here, style.kind)
        if rule == "number":
            most = 4 if board.side < 70 else 5
            usual = replace(usual, count=stream.integer(2, most + 1))
        if rule == "turn":
            usual = replace(usual, turn_deg=stream.choice((0.0, 0.0, 90.0, -90.0, 180.0)))
        return usual, self._odd(stream, rule, usual, second.asset, there, scene.difficulty), style

    def _odd(
        self, stream: Stream, rule: str, usual: odd_looks.Look, asset: str, colour: str, hard: float
    ) -> odd_looks.Look:
        """The usual look with one respect changed."""
        if rule == "colour":
            return replace(usual, colour=colour)
        if rule == "number":
            step = stream.choice((-1, 1)) if usual.count > 1 else 1
            return replace(usual, count=usual.count + step)
        if rule == "size":
            return replace(
                usual, scale=odd_looks.SIZES[0] + (odd_looks.SIZES[1] - odd_looks.SIZES[0]) * hard
            )
        if rule == "turn":
            least = 90.0 - 35.0 * hard
            turn = stream.uniform(least, 360.0 - least)
            return replace(usual, turn_deg=round(usual.turn_deg + turn, 6))
        if rule == "mirror":
            return replace(usual, mirrored=not usual.mirrored)
        if rule == "thing":
            return replace(usual, asset=asset)
        return replace(usual, kind="badge" if usual.kind == "disc" else "disc")

    def check(self, state: OddState) -> None:
        board = state.board
        if len(state.tiles) != board.count:
            raise Rejected("tiles missing", value=len(state.tiles), limit=board.count)
        found = odd_looks.audit(state.tiles)
        if list(found) != [state.rule]:
            raise Rejected("other respects single tiles out", value=len(found), limit=1)
        self.check_board(state)
        for things, tile in zip(state.tiles, board.tiles, strict=True):
            if not all(tile.grown(-1).holds(icons.icon_ink(spec).box) for spec in things):
                raise Rejected("a thing leaves its tile")
        usual, odd = _samples(state)
        odd_looks.check_difference(state.rule, usual, odd)

    def right_tiles(self, state: OddState) -> set[int]:
        """The tiles that some respect singles out."""
        return next(iter(odd_looks.audit(state.tiles).values()), set())

    def paint(self, canvas: Any, state: OddState) -> None:
        for things in state.tiles:
            icons.draw_icons(canvas, things)

    def goal_slots(self, state: OddState, lang: str) -> dict[str, str]:
        word = WORDS[state.rule][lang == "zh"]
        named = f" in {word}" if lang == "en" else word
        return {"odd": ODD[lang][state.board.mode], "by": named if state.varied else ""}

    def reason_slots(
        self, state: OddState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", WORDS[state.rule][lang == "zh"]),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: OddState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (odd_looks.around(things).grown(2) for things in state.tiles)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: OddState) -> Json:
        shown = [
            [t[0].asset, t[0].style.ink, t[0].style.second, t[0].style.kind, len(t),
             round(t[0].turn_deg / 20), t[0].mirrored] for t in state.tiles
        ]  # fmt: skip
        return {"rule": state.rule, "board": shown}

    def bad_states(self, state: OddState) -> Iterator[tuple[str, OddState]]:
        yield "tiles missing", state.model_copy(update={"tiles": state.tiles[1:]})
        yield from self.bad_boards(state)
        alike = (state.tiles[state.board.order[0]],) * state.board.count
        yield "other respects single tiles out", state.model_copy(update={"tiles": alike})
        wide = replace(state.board, size=(3 * state.board.size[0], 3 * state.board.size[1]))
        yield "a thing leaves its tile", state.model_copy(update={"board": wide})


def _samples(state: OddState) -> tuple[icons.IconSpec, icons.IconSpec]:
    """A usual thing and an odd one."""
    right = state.board.order
    usual = next(t for tile, t in enumerate(state.tiles) if tile not in right)
    return usual[0], state.tiles[right[0]][0]
