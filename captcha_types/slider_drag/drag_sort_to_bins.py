"""Things on a field and bins beside it, into which they are to be sorted one by one.

Rule
    Drag every thing into the bin that it belongs to: bins have names of kinds, or each shows
    the silhouette of one thing. Bins with names may stay empty or take several things.
Answer
    One drag for each thing in any order, then the button where the panel has one; an episode
    with one action for each picture. Each thing's kind is drawn evenly over the bins; where
    bins show silhouettes, which thing is whose is drawn evenly over all orders.
Validity
    Bins have names where a split has things enough of two kinds. Each thing belongs into one
    only: kinds that share things never stand side by side, and things of which people disagree
    are left out; silhouettes overlap by less than four fifths.
    Things do not touch, bins hold a disc of 24 CSS px and keep apart. Things stand out from
    their tiles, measured as decoded.
Source
    The house's own, after sorting tasks in games; a thing is in a bin with its middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from captcha_types.slider_drag import _bins as bins
from captcha_types.slider_drag._bins import Bin
from factory.core.actions import ActionBase, Click, Drag
from factory.core.errors import Rejected
from factory.core.geometry import Point
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
from factory.core.rng import Rng, Stream
from factory.core.wording import class_words
from factory.draw import grounds, icons, layout
from factory.draw.measure import grey_step, pixel_fidelity

COUNTS = (4, 6)
"""Things of easy and of hard puzzles."""

KINDS = 3
"""Bins with names, where a split has so many kinds."""

SHAPES = (5, 6)
"""Bins with silhouettes, easy and hard, a thing for each: fewer could be guessed."""

TOPS = {5: (0, 2, 3, 5), 6: (2, 3, 4)}
"""How many of so many bins with silhouettes may lie above the field: six are too many for a row."""

APART_CSS = 5.0
"""Between two things at least."""

EDGE_CSS = 4.0
"""Between a thing and the edge of the field."""

LEAST_STEP = 28.0
"""Levels of some channel between a thing and its tile, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the field beyond this."""


class SortState(State):
    """Things in CSS px of a content of ``width`` x ``height``; ``top`` of the bins
    lie above them; ``homes`` holds the bin of each."""

    mode: bins.Mode
    ground: grounds.Ground
    top: int
    width: float
    height: float
    bins: tuple[Bin, ...]
    things: tuple[icons.IconSpec, ...]
    homes: tuple[int, ...]

    @property
    def layout(self) -> bins.Layout:
        """The field and the bins."""
        named = self.mode == "kinds"
        return bins.layout_of(self.width, self.height, len(self.bins), self.top, named=named)


class SortOptions(Options):
    """``things`` and named ``bins``: how many; ``similar``: how often the silhouettes are of like
    shapes. Things and likeness follow difficulty."""

    things: int | None = Field(default=None, ge=2, le=COUNTS[1])
    bins: int | None = Field(default=None, ge=2, le=3)
    similar: float | None = Field(default=None, ge=0.0, le=1.0)


@register("drag_sort_to_bins", version=1, family="slider_drag")
class DragSortToBins(PuzzleType[SortState, SortOptions]):
    """See the module."""

    State: ClassVar[type[State]] = SortState
    Options: ClassVar[type[Options]] = SortOptions
    mechanics = ("drop",)
    answer_kind = "drag_xy_seq"
    single_shot = False
    images = COUNTS[1] + 1
    seen_side = 150

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.86, 0.95), width=(264, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> SortState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        mode = rng.fixed("mode").choice(bins.modes(scene.split))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        make = self._kinds if mode == "kinds" else self._shapes
        chosen, infos, homes = make(scene)
        some = (0, len(chosen)) if mode == "kinds" else TOPS[len(chosen)]
        state = SortState(
            mode=mode,
            ground=ground,
            top=rng.fresh("side").choice(some),
            width=slot.width,
            height=slot.height,
            bins=tuple(chosen),
            things=(),
            homes=tuple(homes),
        )
        size = round(bins.TILE_CSS[0] + (bins.TILE_CSS[1] - bins.TILE_CSS[0]) * hard, 6)
        things = _placed(rng.fresh("places"), rng.fresh("dress"), state, infos, size)
        return state.model_copy(update={"things": tuple(things)})

    def _kinds(self, scene: Scene) -> tuple[list[Bin], list[icons.IconInfo], list[int]]:
        """Bins with names, things, and the bin of each."""
        options, hard, split = self.options, scene.difficulty, scene.split
        chosen = bins.choose_kinds(scene.rng.fresh("kinds"), split, options.bins or KINDS)
        low, high = COUNTS
        count = options.things or low + min(high - low, int(hard * (high - low + 1)))
        count = min(count, bins.most_things(split, chosen))
        lot = scene.rng.fixed("homes")
        homes = [lot.integer(0, len(chosen)) for _ in range(count)]
        stream = scene.rng.fresh("things")
        infos = bins.choose_things(stream, split, [chosen[home] for home in homes])
        return [Bin(kind=kind) for kind in chosen], infos, homes

    def _shapes(self, scene: Scene) -> tuple[list[Bin], list[icons.IconInfo], list[int]]:
        """Bins with silhouettes, their things in another order, and the bin of each."""
        similar = scene.difficulty if self.options.similar is None else self.options.similar
        stream = scene.rng.fresh("things")
        wanted = SHAPES[round(scene.difficulty)]
        found = bins.choose_shapes(stream, scene.split, wanted, similar)
        homes = scene.rng.fixed("order").shuffled(range(len(found)))
        return [Bin(asset=i.asset) for i in found], [found[home] for home in homes], list(homes)

    def check(self, state: SortState) -> None:
        parts = state.layout
        if min(min(card.width, card.height) for card in parts.bins) < bins.LEAST_DISC_CSS:
            raise Rejected("bin too small", value=parts.bins[0].width, limit=bins.LEAST_DISC_CSS)
        if len(state.homes) != len(state.things):
            raise Rejected("a thing without a bin", value=len(state.homes), limit=len(state.things))
        named = [one.kind for one in state.bins if one.kind]
        if any(bins.near(a, b) for n, a in enumerate(named) for b in named[:n]):
            raise Rejected("two kinds share things", value=len(named), limit=0)
        shown = [one.asset for one in state.bins if one.asset]
        pairs = [(a, b) for n, a in enumerate(shown) for b in shown[:n]]
        most = max((bins.silhouettes_overlap(a, b) for a, b in pairs), default=0.0)
        if most >= bins.ALIKE:
            raise Rejected("two silhouettes are alike", value=most, limit=bins.ALIKE)
        boxes = [icons.icon_ink(thing).painted for thing in state.things]
        for number, (thing, box) in enumerate(zip(state.things, boxes, strict=True)):
            own = [k for k, one in enumerate(state.bins) if one.takes(thing.asset)]
            if own != [state.homes[number]]:
                raise Rejected("another bin takes a thing", value=len(own), limit=1)
            if not parts.field.grown(-1.0).holds(box):
                raise Rejected("a thing leaves the field", value=box.x0, limit=parts.field.x1)
            if any(box.grown(APART_CSS - 1e-3).overlaps(other) for other in boxes[:number]):
                raise Rejected("things touch", value=APART_CSS, limit=APART_CSS)

    def draw(self, state: SortState, placement: Placement) -> Artwork:
        slot, parts = placement.boxes["slot"], state.layout
        painter, words = bins.Painter(placement), class_words(__file__, placement.lang)
        field = parts.field.moved(slot.x0, slot.y0)
        cards = [card.moved(slot.x0, slot.y0) for card in parts.bins]

        def ground(canvas: Any) -> None:
            bins.paint_field(canvas, state.ground, field, placement)
            for card, one in zip(cards, state.bins, strict=True):
                painter.card(canvas, card)
                if one.kind:
                    painter.name(canvas, card, words[one.kind])
                else:
                    painter.ghost(canvas, one.asset, card)

        def thing(spec: icons.IconSpec) -> Any:
            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                bins.paint_thing(canvas, spec)

            return paint

        homes = [icons.icon_ink(spec).box.moved(slot.x0, slot.y0) for spec in state.things]
        return Artwork(
            parts=(
                Part("ground", slot, ground),
                *(
                    Part(f"piece.{n}", home, thing(spec))
                    for n, (spec, home) in enumerate(zip(state.things, homes, strict=True))
                ),
            ),
            regions={"picture": field}
            | {f"piece.{n}": home for n, home in enumerate(homes)}
            | {f"bin.{n}": Zone.of_box(card) for n, card in enumerate(cards)},
        )

    def mechanic(self, state: SortState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return Drop(
            pieces=tuple(
                Piece(
                    name=f"piece.{n}",
                    home=icons.icon_ink(spec).box.moved(slot.x0, slot.y0),
                    targets=(f"bin.{home}",),
                )
                for n, (spec, home) in enumerate(zip(state.things, state.homes, strict=True))
            ),
            targets=tuple(
                Target(f"bin.{n}", zone=Zone.of_box(card.moved(slot.x0, slot.y0)), capacity=0)
                for n, card in enumerate(state.layout.bins)
            ),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: SortState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        return {
            "count": words[f"count{len(state.things)}"],
            "into": words[f"into_{state.mode}"],
            "all": words[f"all_{state.mode}"],
            "how": words[f"how_{state.mode}"],
        }

    def reason_slots(
        self, state: SortState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        words = class_words(__file__, lang)
        first, second = gold[:2]
        assert isinstance(first, Drag) and isinstance(second, Drag)

        def bin_of(number: int) -> str:
            one = state.bins[state.homes[number]]
            if one.kind:
                return words["bin_kinds"].format(name=words[one.kind])
            return words["bin_shapes"]

        return {
            "count": Slot("name", words[f"count{len(state.things)}"]),
            "first": Slot("name", icons.icon_info(state.things[0].asset).called(lang)),
            "second": Slot("name", icons.icon_info(state.things[1].asset).called(lang)),
            "bin": Slot("name", bin_of(0)),
            "bin2": Slot("name", bin_of(1)),
            "start": Slot("point", list(first.start)),
            "end": Slot("point", list(first.end)),
            "start2": Slot("point", list(second.start)),
            "end2": Slot("point", list(second.end)),
        }

    def margins(self, state: SortState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [
            max(
                grey_step(seen.decoded[..., channel], seen.box(icons.icon_ink(spec).box.grown(-6)))
                for channel in range(3)
            )
            for spec in state.things
        ]
        return {
            "step of thing and tile": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: SortState) -> Json:
        return {
            "ground": state.ground.seed,
            "bins": [one.kind or one.asset for one in state.bins],
            "things": [thing.asset for thing in state.things],
        }

    def wrong_responses(
        self, state: SortState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Drop)
        after = () if mechanic.submit is None else (Click(mechanic.submit.center),)
        middles = [target.spot for target in mechanic.targets]
        spots = [middles[home] for home in state.homes]
        other = (state.homes[0] + 1) % len(middles)
        x, y = mechanic.homes[0]
        ways: dict[str, list[Point]] = {
            "one in another bin": [middles[other], *spots[1:]],
            "one left out": [Point(x + 3.0 * mechanic.px_per_css, y), *spots[1:]],
            "one bin on": [middles[(home + 1) % len(middles)] for home in state.homes],
        }
        drags = [
            (name, tuple(Drag(a, b) for a, b in zip(mechanic.homes, ends, strict=True)))
            for name, ends in ways.items()
        ]
        wrong = [WrongResponse(name, (*made, *after)) for name, made in drags]
        right = tuple(Drag(a, b) for a, b in zip(mechanic.homes, spots, strict=True))
        return [*wrong, *([WrongResponse("not sent", right)] if after else [])]

    def bad_states(self, state: SortState) -> Iterator[tuple[str, SortState]]:
        def changed(**change: Any) -> SortState:
            return state.model_copy(update=change)

        first, *rest = state.things
        yield "bin too small", changed(width=50.0)
        yield "a thing without a bin", changed(homes=state.homes[1:])
        if state.mode == "kinds":
            twin = (*state.bins[:-1], state.bins[0])
            yield "two kinds share things", changed(bins=twin)
        else:
            twin = (*state.bins[:-1], state.bins[0])
            yield "two silhouettes are alike", changed(bins=twin)
        other = (state.homes[0] + 1) % len(state.bins)
        yield "another bin takes a thing", changed(homes=(other, *state.homes[1:]))
        away = _moved(first, state.width, first.y)
        yield "a thing leaves the field", changed(things=(away, *rest))
        near = _moved(rest[0], first.x + 3.0, first.y)
        yield "things touch", changed(things=(first, near, *rest[1:]))

    def solutions(self, state: SortState, mechanic: AnyMechanic) -> list[tuple[str, ...]]:
        """The bin of each thing, by what the tables of things say."""
        found: list[str] = []
        for thing in state.things:
            kind = icons.icon_info(thing.asset).category
            wanted = {("kind", kind), ("asset", thing.asset)}
            own = [
                k
                for k, one in enumerate(state.bins)
                if wanted & {("kind", one.kind), ("asset", one.asset)}
            ]
            found += [f"bin.{k}" for k in own]
        return [tuple(found)] if len(found) == len(state.things) else []

    def labels(self, state: SortState, scene: Scene) -> Mapping[str, Label]:
        count, known = len(state.bins), bins.modes(scene.split)
        mode: dict[str, Label] = {}
        if len(known) > 1:
            mode["mode"] = Choice(known.index(state.mode), len(known))
        first, second = state.homes[:2]
        if state.mode == "kinds":
            each = {
                f"bin of thing {k} of {count}": Choice(home, count)
                for k, home in enumerate(state.homes)
            }
            return {**mode, **each}
        return {
            **mode,
            f"first of {count}": Choice(first, count),
            f"second of {count}": Choice(second - (second > first), count - 1),
        }


def _placed(
    stream: Stream,
    dress: Stream,
    state: SortState,
    infos: Sequence[icons.IconInfo],
    size: float,
) -> list[icons.IconSpec]:
    """Things on tiles of one form, each in a part of the field of its own."""
    field, count = state.layout.field.grown(-EDGE_CSS), len(infos)
    rows = 1 if count < 4 else 2
    cells = layout.tiles(field, rows, -(-count // rows), APART_CSS)
    size = round(min(size, cells[0].width, cells[0].height), 6)
    tile = bins.choose_tile(dress, state.ground.tone)
    spots = layout.jittered(stream, cells, count, size)
    return [
        icons.IconSpec(info.asset, size, *spot, tile.style(dress, info))
        for info, spot in zip(infos, spots, strict=True)
    ]


def _moved(thing: icons.IconSpec, x: float, y: float) -> icons.IconSpec:
    return icons.IconSpec(thing.asset, thing.size, x, y, thing.style)
