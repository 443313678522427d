"""A board of tiles with characters of several scripts, and a row of characters to look for.

Rule
    Select every tile that holds any of the characters shown above the board. They may be turned
    there, or mirrored, and in another face.
Answer
    The set of tiles, in any order; a second click takes a selection back.
Validity
    Every character is drawn by a font that has it. No character of a tile is taken for one that
    is looked for unless it is that: not upright, turned or mirrored, by tables over all scripts
    and by overlaps measured once. Those looked for are not taken for each other. Characters
    do not touch, are large enough, and keep a contrast of 3 to their tile.
Source
    The multi-script boards of NextGen-CAPTCHAs; set equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.grid_select import _boards as boards
from captcha_types.grid_select import _signs as signs
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import (
    Artwork,
    Options,
    PanelRequest,
    Part,
    Placement,
    Scene,
    Seen,
    State,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw import glyphs
from factory.draw.glyphs import GlyphSpec
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.styles import Style, choose_style
from factory.draw.tokens import tokens_named
from factory.draw.tones import LARGE_GLYPHS, shade

STRIP_CSS = 44

SCRIPTS, WANTED, ON_TILE = (2, 5), (2, 4), (3, 5)
"""How many scripts there are, characters looked for, and characters on a tile: easy and hard."""

TURNS_DEG, MIRRORED = (10.0, 60.0), (0.0, 0.4)
STYLES, KINDS = 3, ("fill", "gradient")
LEAST_STEP = 36.0
"""Levels of grey between a character and its tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the characters beyond this."""


class SignState(boards.BoardState):
    """``tiles`` holds the characters of each tile, CSS px from the board's corner."""

    key: signs.Key
    tiles: tuple[tuple[GlyphSpec, ...], ...]

    @property
    def wanted(self) -> tuple[str, ...]:
        """The characters that are looked for."""
        return tuple(spec.char for spec in self.key.signs)


class SignOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    scripts: int | None = Knob(default=None, ge=1, le=SCRIPTS[1])
    wanted: int | None = Knob(default=None, ge=1, le=WANTED[1])
    on_tile: int | None = Knob(default=None, ge=ON_TILE[0], le=ON_TILE[1])
    turn_deg: float | None = Knob(default=None, ge=0.0, le=TURNS_DEG[1])
    mirrored: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("grid_multi_script", version=1, family="grid_select")
class GridMultiScript(boards.BoardPuzzle[SignState, SignOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SignState
    Options: ClassVar[type[Options]] = SignOptions
    shapes = ((2, 2), (2, 3))
    hard_shapes = ((2, 3), (3, 3))
    moods = ("light", "dark")
    noise = 0.4

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="none", ratio=(0.66, 0.9), width=(244, 280), submit="either", strip=STRIP_CSS
        )

    def sample(self, scene: Scene) -> SignState:
        board, knob, hard = self.deal(scene), self.options, scene.difficulty
        stream, split = scene.rng.fresh("signs"), scene.split
        count = _stepped(SCRIPTS, hard) if knob.scripts is None else knob.scripts
        scripts = stream.sample(signs.SCRIPTS, count)
        wanted = signs.choose_wanted(
            stream, scripts, split, _stepped(WANTED, hard) if knob.wanted is None else knob.wanted
        )
        most = _stepped(ON_TILE, hard) if knob.on_tile is None else knob.on_tile
        shown = signs.room(board.tiles[0], most)
        others = {script: signs.free_of(wanted, script, split) for script in scripts}
        styles = [
            choose_style(stream, board.ground.tone, signs.LEAST_SIZE, kinds=KINDS)
            for _ in range(STYLES)
        ]
        low, high = TURNS_DEG
        turn = low + (high - low) * hard if knob.turn_deg is None else knob.turn_deg
        rate = MIRRORED[1] * hard if knob.mirrored is None else knob.mirrored
        tiles = tuple(
            signs.on_tile(
                stream,
                signs.for_tile(stream, wanted if index in board.order else (), others, shown),
                tile,
                styles,
                split,
                turn,
                rate,
            )
            for index, tile in enumerate(board.tiles)
        )
        tokens, strip = tokens_named(scene.placement.tokens), scene.placement.boxes["strip"]
        key = signs.choose_key(scene.rng.fresh("key"), wanted, split, strip, tokens)
        return SignState(board=board, key=key, tiles=tiles)

    def right_tiles(self, state: SignState) -> set[int]:
        """The tiles that hold any character that is looked for."""
        wanted = set(state.wanted)
        return {
            index
            for index, specs in enumerate(state.tiles)
            if wanted & {spec.char for spec in specs}
        }

    def check(self, state: SignState) -> None:
        if len(state.tiles) != state.board.count:
            raise Rejected("tiles missing", value=len(state.tiles), limit=state.board.count)
        if any(signs.alike(a, b) for a, b in combinations(state.wanted, 2)):
            raise Rejected("characters looked for are alike")
        for spec in (spec for specs in state.tiles for spec in specs):
            if spec.char not in state.wanted and signs.taken(spec.char, state.wanted):
                raise Rejected("a character is taken for one that is looked for")
        self.check_board(state)
        for specs, tile in zip(state.tiles, state.board.tiles, strict=True):
            signs.refuse_tile(specs, tile)
        for spec in (spec for specs in state.tiles for spec in specs):
            if not state.board.ground.tone.reads(spec.style.ink, LARGE_GLYPHS):
                raise Rejected("ink does not stand out")
        signs.refuse_key(state.key)

    def paint(self, canvas: Any, state: SignState) -> None:
        glyphs.draw_glyphs(canvas, [spec for specs in state.tiles for spec in specs])

    def draw(self, state: SignState, placement: Placement) -> Artwork:
        board, strip, slot = (
            super().draw(state, placement),
            *(placement.boxes[name] for name in ("strip", "slot")),
        )

        def paint(canvas: Any) -> None:
            canvas.translate(strip.x0, strip.y0)
            signs.draw_key(canvas, state.key)

        shown = [spec for specs in state.tiles for spec in specs]
        regions = {
            **{f"reference.{k}": _box(spec, strip) for k, spec in enumerate(state.key.signs)},
            **{f"character.{k}": _box(spec, slot) for k, spec in enumerate(shown)},
        }
        return Artwork(
            parts=(*board.parts, Part("key", strip, paint, area="strip")),
            regions={**board.regions, **regions},
        )

    def goal_slots(self, state: SignState, lang: str) -> dict[str, str]:
        return {"all": boards.ASKS[lang][state.board.mode]}

    def reason_slots(
        self, state: SignState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "wanted": Slot("name", (", " if lang == "en" else "、").join(state.wanted)),
            "count": Slot("count", len(state.board.order)),
            "places": boards.places_slot(state.board, lang),
            "first": boards.first_slot(gold),
        }

    def margins(self, state: SignState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        boxes = (glyphs.ink(spec).painted for specs in state.tiles for spec in specs)
        steps = [grey_step(seen.decoded, seen.box(box)) for box in boxes]
        return {
            "step of character and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: SignState) -> Json:
        ground = state.board.ground
        return {
            "wanted": sorted(state.wanted),
            "ground": [ground.kind, ground.seed],
            "board": [sorted(spec.char for spec in specs) for specs in state.tiles],
        }

    def bad_states(self, state: SignState) -> Iterator[tuple[str, SignState]]:
        def first(*specs: GlyphSpec) -> SignState:
            return state.model_copy(update={"tiles": (specs, *state.tiles[1:])})

        def keyed(*specs: GlyphSpec) -> SignState:
            return state.model_copy(update={"key": replace(state.key, signs=specs)})

        yield "tiles missing", state.model_copy(update={"tiles": state.tiles[1:]})
        shown = state.key.signs
        yield "characters looked for are alike", keyed(shown[0], *shown)
        yield from self.bad_boards(state)
        own, *rest = state.tiles[0]
        twin = next((c for c in "".join(signs.ALPHABETS.values()) if c not in state.wanted
                     and signs.taken(c, state.wanted)), "")  # fmt: skip
        if twin:
            looks = "a character is taken for one that is looked for"
            yield looks, first(replace(own, char=twin), *rest)
        yield "a character leaves its tile", first(replace(own, x=-5.0), *rest)
        yield "a character too small", first(replace(own, size=9.0), *rest)
        sliver = replace(own, stretch=0.05, turn_deg=0.0)
        yield "a character too thin", first(sliver, *rest)
        yield "characters touch", first(replace(own, x=rest[0].x, y=rest[0].y), *rest)
        tone = state.board.ground.tone
        pale = Style("fill", shade(0.0, 0.0, (tone.low + tone.high) / 2))
        yield "ink does not stand out", first(replace(own, style=pale), *rest)
        yield "the key is cut off", keyed(replace(shown[0], x=0.0), *shown[1:])


def _stepped(ends: tuple[int, int], difficulty: float) -> int:
    low, high = ends
    return low + min(high - low, int(difficulty * (high - low + 1)))


def _box(spec: GlyphSpec, area: Box) -> Box:
    """The ink of a character, panel px."""
    return glyphs.ink(spec).box.moved(area.x0, area.y0)
