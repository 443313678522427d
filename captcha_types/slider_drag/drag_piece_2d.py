"""A piece cut out of a picture, dragged freely onto its gap.

Rule
    Drag the loose piece onto the gap that has its outline. Other gaps have other outlines.
    Where several pieces lie loose, one of them has a gap and is the one to drag.
Answer
    One drag of that piece, then the button where the panel has one. The gap's place is drawn
    uniformly over the part of the picture that ``gap_range`` declares, and which of the
    loose pieces has it, evenly.
Validity
    No two gaps and no two pieces have one outline, and one outline only is that of a gap and
    of a piece. Gaps and pieces keep apart from each other. Gap and piece can be told from
    what is around them by a step in brightness along their outlines, measured as decoded.
Source
    Free jigsaw puzzles as in HLL and Halligan and the open generators; a piece is home
    within 8 CSS px or 12 % of its side of the gap's centre, inside their 15 px per axis.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from captcha_types.slider_drag import _kit as kit
from captcha_types.slider_drag import _tray as tray
from captcha_types.slider_drag._tray import Gap, Loose, square
from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.drop import Drop, Piece, Target
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
    Uniform,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng, Stream
from factory.draw import picture_images, pictures

LEAST_STEP = 9.0
"""Levels of grey that the outline of a gap steps by; fainter rims are missed by people too."""

LEAST_RIM = 18.0
"""Levels of grey between a piece and its rim, or its ground: a loose piece must stand out."""

FIDELITY_DB = 24.0
"""Encoding may not blur the picture beyond this."""

BIN_CSS = 16.0
"""Two gaps nearer than this are the same puzzle: twice the tolerance."""

SHALLOW = 0.4
"""The veil of a gap loses up to this share at the hard end."""


class PieceState(State):
    """Lengths in CSS px of a content of ``width`` x ``height``. ``gaps[0]`` is the piece's own;
    ``pieces[which]`` is the piece to drag."""

    picture: dict[str, Any]
    layout: tray.Layout
    width: float
    height: float
    size_css: float
    depth: float
    gaps: tuple[Gap, ...]
    pieces: tuple[Loose, ...]
    which: int

    @property
    def areas(self) -> tray.Areas:
        """Picture, place for gaps, place for pieces."""
        return tray.areas(self.layout, self.width, self.height, self.size_css)


class PieceOptions(Options):
    """``size_css``: side of a piece; ``decoys``: other gaps; ``spares``: loose pieces without a
    gap; ``depth``: strength of a gap's veil. All follow difficulty."""

    size_css: float | None = Field(default=None, ge=40, le=64)
    decoys: int | None = Field(default=None, ge=0, le=3)
    spares: int | None = Field(default=None, ge=0, le=2)
    depth: float | None = Field(default=None, ge=0.5, le=1.0)


@register("drag_piece_2d", version=1, family="slider_drag")
class DragPiece2D(PuzzleType[PieceState, PieceOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PieceState
    Options: ClassVar[type[Options]] = PieceOptions
    mechanics = ("drop",)
    answer_kind = "drag_xy"
    seen_in_grey = True
    seen_side = 120

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.8, 0.92), width=(244, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return pictures.contents(split)

    def _plan(self, scene: Scene) -> tuple[tray.Layout, float, int]:
        """(layout, side of a piece, count of pieces), fixed for a key."""
        options, hard, slot = self.options, scene.difficulty, scene.placement.boxes["slot"]
        layout = scene.rng.fixed("layout").choice(tray.LAYOUTS)
        size = options.size_css or float(round(60 - 16 * hard))
        room = tray.room_for(tray.areas(layout, slot.width, slot.height, size).tray, size)
        spares = round(2.3 * hard - 0.4) if options.spares is None else options.spares
        return layout, size, min(1 + max(0, spares), room)

    def gap_range(self, scene: Scene) -> Box:
        """Where the corner of the gap may lie, CSS px of the content."""
        (layout, size, _), slot = self._plan(scene), scene.placement.boxes["slot"]
        field = tray.areas(layout, slot.width, slot.height, size).field
        return Box(field.x0, field.y0, field.x1 - size, field.y1 - size)

    def sample(self, scene: Scene) -> PieceState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        layout, size, count = self._plan(scene)
        picture = pictures.compose(
            scene.content_kind, scene.content_number, rng.fresh("picture"), scene.split, hard
        )
        field = tray.areas(layout, slot.width, slot.height, size).field
        home = tray.spot_in(rng.fixed("gap"), field, size)
        wanted = round(3 * hard) if self.options.decoys is None else self.options.decoys
        shapes = _outlines(rng.fresh("shapes"), hard)
        others = tray.scattered(rng.fresh("decoys"), field, size, [home], wanted)
        gaps = [Gap(shape=s, x=x, y=y) for s, (x, y) in zip(shapes, [home, *others], strict=False)]
        which = rng.fixed("which").integer(0, count)
        state = PieceState(
            picture=picture.as_dict(),
            layout=layout,
            width=slot.width,
            height=slot.height,
            size_css=size,
            depth=round(self.options.depth or 1 - SHALLOW * hard, 6),
            gaps=tuple(gaps),
            pieces=(),
            which=which,
        )
        free = [gaps[0].shape, *shapes[len(gaps) :]]
        return state.model_copy(update={"pieces": _loose(state, rng.fresh("pieces"), free, count)})

    def check(self, state: PieceState) -> None:
        field, bed, size = state.areas.field, state.areas.tray, state.size_css
        own, piece = state.gaps[0], state.pieces[state.which]
        for gap in state.gaps:
            if not field.grown(1e-4).holds(square(gap, size)):
                raise Rejected("gap off the picture", value=gap.x, limit=field.x1)
        for loose in state.pieces:
            if not bed.grown(1e-4).holds(square(loose, size)):
                raise Rejected("piece outside its tray", value=loose.x, limit=bed.x1)
        if (piece.cut_x, piece.cut_y) != (own.x, own.y) or piece.shape != own.shape:
            raise Rejected("piece and gap disagree", value=piece.cut_x, limit=own.x)
        for name, things in (("gaps", state.gaps), ("pieces", state.pieces)):
            if len({thing.shape for thing in things}) < len(things):
                raise Rejected(f"two {name} of one outline", value=len(things), limit=1)
            if not tray.all_apart(things, size):
                raise Rejected(f"{name} too close", value=0.0, limit=tray.APART_CSS)
        fits = {gap.shape for gap in state.gaps} & {loose.shape for loose in state.pieces}
        if len(fits) != 1:
            raise Rejected("another piece fits a gap", value=len(fits), limit=1)

    def draw(self, state: PieceState, placement: Placement) -> Artwork:
        slot, size, parts = placement.boxes["slot"], state.size_css, state.areas
        spec = pictures.PictureSpec.from_dict(state.picture)
        area = parts.picture.moved(slot.x0, slot.y0)
        image = picture_images.picture_image(spec, area, placement.px_per_css)
        light = picture_images.brightness(image) < kit.NIGHT

        def ground(canvas: Any) -> None:
            tray.paint_grounds(canvas, parts, state.layout, image, placement)
            for gap in state.gaps:
                path, corner = kit.outline(gap.shape, size), Point(slot.x0 + gap.x, slot.y0 + gap.y)
                kit.paint_hole(canvas, path, corner, light=light, depth=state.depth)

        def piece(loose: Loose, home: Box) -> Part:
            path, cut = kit.outline(loose.shape, size), Point(loose.cut_x, loose.cut_y)
            cut, at = Point(slot.x0 + cut.x, slot.y0 + cut.y), Point(home.x0, home.y0)
            return Part(
                "", home, lambda canvas: kit.paint_piece(canvas, image, area, path, cut, at)
            )

        homes = [square(loose, size).moved(slot.x0, slot.y0) for loose in state.pieces]
        holes = [square(gap, size).moved(slot.x0, slot.y0) for gap in state.gaps]
        pieces = [piece(loose, home) for loose, home in zip(state.pieces, homes, strict=True)]
        return Artwork(
            parts=(
                Part("ground", slot, ground),
                *(Part(f"piece.{n}", p.home, p.draw) for n, p in enumerate(pieces)),
            ),
            regions={"picture": area, "target": holes[0]}
            | {f"distractor.{n}": hole for n, hole in enumerate(holes[1:])}
            | {f"piece.{n}": home for n, home in enumerate(homes)},
        )

    def mechanic(self, state: PieceState, placement: Placement) -> AnyMechanic:
        slot, size = placement.boxes["slot"], state.size_css
        return Drop(
            pieces=tuple(
                Piece(
                    name=f"piece.{number}",
                    home=square(loose, size).moved(slot.x0, slot.y0),
                    targets=("gap",) if number == state.which else (),
                )
                for number, loose in enumerate(state.pieces)
            ),
            targets=(Target("gap", square(state.gaps[0], size).moved(slot.x0, slot.y0).center),),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: PieceState, lang: str) -> dict[str, str]:
        return {"piece": _words()[lang]["pieces"]["one" if len(state.pieces) == 1 else "of_many"]}

    def reason_slots(
        self, state: PieceState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        drag = gold[0]
        assert isinstance(drag, Drag)
        words, many = _words()[lang], len(state.pieces) > 1
        return {
            "piece": Slot("name", words["pieces"]["only_fit" if many else "loose"]),
            "outline": Slot("name", words["outlines"][state.gaps[0].shape]),
            "start": Slot("point", list(drag.start)),
            "end": Slot("point", list(drag.end)),
        }

    def margins(self, state: PieceState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        size, reach = state.size_css, 2.5 * seen.px_per_css
        gap, piece = state.gaps[0], state.pieces[state.which]
        step, _ = kit.rim_steps(seen.decoded, seen.box(square(gap, size)), gap.shape, reach)
        _, rim = kit.rim_steps(seen.decoded, seen.box(square(piece, size)), piece.shape, reach)
        return {
            "step at the gap's edge": (step, LEAST_STEP),
            "piece against its ground": (rim, LEAST_RIM),
            "fidelity in dB": (
                picture_images.picture_fidelity(seen, state.areas.picture),
                FIDELITY_DB,
            ),
        }

    def identity(self, state: PieceState) -> Json:
        gap = state.gaps[0]
        return {
            "picture": pictures.PictureSpec.from_dict(state.picture).identity(),
            "shape": gap.shape,
            "gap": [int(gap.x // BIN_CSS), int(gap.y // BIN_CSS)],
        }

    def wrong_responses(
        self, state: PieceState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Drop)
        stream, scale = rng.fresh("near"), mechanic.px_per_css
        home, goal = mechanic.homes[state.which], mechanic.targets[0].spot
        turn = stream.uniform(0.0, 2 * math.pi)
        off = mechanic.tol_px(state.which) + stream.uniform(2.0, 8.0) * scale
        ends = {"just beside": Point(goal.x + off * math.cos(turn), goal.y + off * math.sin(turn))}
        ends["half way"] = Point((home.x + goal.x) / 2, (home.y + goal.y) / 2)
        for number, gap in enumerate(state.gaps[1:], start=1):
            dx, dy = gap.x - state.gaps[0].x, gap.y - state.gaps[0].y
            ends[f"another gap {number}"] = Point(goal.x + dx * scale, goal.y + dy * scale)
        drags = {name: Drag(home, end) for name, end in ends.items()}
        for number, spare in enumerate(mechanic.homes):
            if number != state.which:
                drags[f"another piece {number}"] = Drag(spare, goal)
        after = () if mechanic.submit is None else (Click(mechanic.submit.center),)
        wrong = [WrongResponse(name, (drag, *after)) for name, drag in drags.items()]
        unsent = [WrongResponse("not sent", (Drag(home, goal),))] if after else []
        return [*wrong, *unsent]

    def bad_states(self, state: PieceState) -> Iterator[tuple[str, PieceState]]:
        own, piece = state.gaps[0], state.pieces[state.which]

        def with_gap(**change: Any) -> PieceState:
            moved = own.model_copy(update=change)
            return state.model_copy(update={"gaps": (moved, *state.gaps[1:])})

        def with_piece(which: int, **change: Any) -> PieceState:
            pieces = list(state.pieces)
            pieces[which] = pieces[which].model_copy(update=change)
            return state.model_copy(update={"pieces": tuple(pieces)})

        yield "gap off the picture", with_gap(x=own.x - state.width)
        yield "piece outside its tray", with_piece(state.which, x=piece.x + state.width)
        inward = 3.0 if own.x < state.areas.field.center.x - state.size_css / 2 else -3.0
        yield "piece and gap disagree", with_gap(x=own.x + inward)
        twin = own.model_copy(update={"x": own.x})
        yield "two gaps of one outline", state.model_copy(update={"gaps": (*state.gaps, twin)})
        near = own.model_copy(update={"shape": _unused(state)})
        yield "gaps too close", state.model_copy(update={"gaps": (*state.gaps, near)})
        same = state.model_copy(update={"pieces": (*state.pieces, piece)})
        yield "two pieces of one outline", same
        if len(state.pieces) > 1 and len(state.gaps) > 1:
            spare = 1 if state.which == 0 else 0
            yield "another piece fits a gap", with_piece(spare, shape=state.gaps[1].shape)

    def solutions(self, state: PieceState, mechanic: AnyMechanic) -> list[Point]:
        """Where the centre of a piece ends (CSS px of the content): one place for each pair of
        a loose piece and a gap of one outline, whichever the sampler meant."""
        return [
            square(gap, state.size_css).center
            for loose in state.pieces
            for gap in state.gaps
            if gap.shape == loose.shape
        ]

    def labels(self, state: PieceState, scene: Scene) -> Mapping[str, Label]:
        area, gap = self.gap_range(scene), state.gaps[0]
        return {
            "gap_x": Uniform(gap.x, area.x0, area.x1),
            "gap_y": Uniform(gap.y, area.y0, area.y1),
            "which": Choice(state.which, len(state.pieces)),
        }


@cache
def _words() -> dict[str, dict[str, dict[str, str]]]:
    """By language: what the pieces are called (``pieces``), and the outlines (``outlines``)."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _outlines(stream: Stream, hard: float) -> list[str]:
    """All outlines in random order; the harder, the likelier those like the first come first."""
    first, *rest = stream.shuffled(kit.SHAPES)
    if stream.chance(hard):
        rest.sort(key=lambda shape: (shape in kit.JIGSAWS) != (first in kit.JIGSAWS))
    return [first, *rest]


def _loose(state: PieceState, stream: Stream, shapes: list[str], count: int) -> tuple[Loose, ...]:
    """The pieces in their order along the tray: ``shapes[0]`` is the one with a gap."""
    own, field, size = state.gaps[0], state.areas.field, state.size_css
    spares, gaps = iter(shapes[1:]), [Point(gap.x, gap.y) for gap in state.gaps]
    pieces: list[Loose] = []
    for number, (x, y) in enumerate(tray.laid_out(stream, state.areas.tray, size, count)):
        mine = number == state.which
        cut = (own.x, own.y) if mine else tray.far_spot(stream, field, size, gaps)
        shape = own.shape if mine else next(spares)
        pieces.append(Loose(shape=shape, x=x, y=y, cut_x=cut[0], cut_y=cut[1]))
    return tuple(pieces)


def _unused(state: PieceState) -> str:
    used = {thing.shape for thing in (*state.gaps, *state.pieces)}
    return next(shape for shape in kit.SHAPES if shape not in used)
