"""Two things on a card, and pages whose lines join different things of one scene.

Rule
    Turn the pages with the arrows to the one on which a line joins the two things of the
    card. Then confirm.
Answer
    Taps on an arrow and one on the button. Pages begin at one end, so that there is one way
    to go; the answer is evenly any page but the one that is seen first. Other taps that end
    on the same page are as good.
Validity
    All things of a scene differ by table and by looks. Exactly one page has a line between
    the two of the card, by the ends of all lines. Lines keep clear of every thing that they do
    not join, lines of one page have colours of their own, and a line stands out from its
    ground, measured on the decoded picture.
Source
    Pagers as in Open CaptchaWorld (Connect_icon), CaptchaBench (connect_icon) and ReCAP; the
    last page counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.pager_stepper import _kit as kit
from captcha_types.pager_stepper import _links as links
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import (
    Artwork,
    Bitmap,
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
from factory.core.rng import Rng, Stream
from factory.draw import grounds, icons, layout
from factory.draw.colour_names import named_palette
from factory.draw.colours import luminance
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tokens import tokens_named
from factory.draw.tones import Tone

COLUMNS, ROWS = 4, 3
THINGS = (6, 9)
THING_CSS = 25.0
EDGE_CSS = 6.0
CATEGORIES = (
    "animal", "food", "drink", "vehicle", "tool", "music", "sport", "plant", "kitchen", "device",
)  # fmt: skip
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
CARD_KINDS = ("line", "plain")
NEAR = 0.75
"""Share of the other pages whose first line has one of the pair at an end."""

TRIES = 24
"""Pairs that are tried for one line."""

CARD_CSS = (46.0, 58.0)
"""Side of a thing's card, and how far the middles of the two are apart."""

LEAST_STEP = 26.0
"""Levels of some channel between a line and what is around it, after decoding."""

FIDELITY_DB = 20.0


class ConnectState(State):
    """Lengths in CSS px from the picture's corner; ``pair`` are places in ``things``."""

    pair: tuple[int, int]
    things: tuple[icons.IconSpec, ...]
    pager: kit.Pager
    pages: tuple[tuple[links.Link, ...], ...]
    dash: links.Dash
    halo: str
    card: tuple[icons.IconStyle, ...]
    """How the two things are drawn on the card."""
    ground: grounds.Ground
    size: tuple[float, float]


class ConnectOptions(Options):
    """Each follows ``difficulty`` when it is not set."""

    pages: int | None = Knob(default=None, ge=kit.PAGES[0], le=kit.PAGES[1])
    things: int | None = Knob(default=None, ge=THINGS[0], le=THINGS[1])
    lines: int | None = Knob(default=None, ge=1, le=2)
    bends: int | None = Knob(default=None, ge=0, le=2)


@register("pager_connect_icons", version=1, family="pager_stepper")
class PagerConnectIcons(PuzzleType[ConnectState, ConnectOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ConnectState
    Options: ClassVar[type[Options]] = ConnectOptions
    mechanics = ("stepper",)
    answer_kind = "stepper"
    single_shot = False
    images = kit.IMAGES
    seen_side = 150

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.6, 0.68),
            width=(264, 300),
            controls=(Control("stepper"),),
            strip=kit.STRIP_CSS,
            submit="always",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> ConnectState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        pager = kit.choose_pager(rng, kit.page_count(knob.pages, hard))
        size = (slot.width, slot.height)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        count = knob.things or THINGS[0] + round(hard * (THINGS[1] - THINGS[0]))
        things = _scattered(rng.fresh("things"), ground, size, scene.split, count)
        dress = rng.fresh("dress")
        colours = named_palette(dress, knob.lines or 1 + round(hard), ground.tone, names=COLOURS)
        scenery = _Scenery(things, Box(0, 0, *size).grown(-9.0), tuple(colours.values()),
                           round(1.4 * hard) if knob.bends is None else knob.bends)  # fmt: skip
        pair, pages = _pages(rng.fresh("lines"), pager, scenery)
        level = luminance(tokens_named(scene.placement.tokens).raised)
        return ConnectState(
            pair=pair,
            things=things,
            pager=pager,
            pages=pages,
            dash=dress.choice(tuple(links.DASHES)),
            halo="#ffffff" if ground.mood == "light" else "#0b0d12",
            card=tuple(
                icons.choose_icon_style(
                    dress, Tone(level, level), things[k].asset.partition("/")[0], kinds=CARD_KINDS
                )
                for k in pair
            ),
            ground=ground,
            size=size,
        )

    def check(self, state: ConnectState) -> None:
        if len(state.pages) != state.pager.count:
            raise Rejected("pages missing", value=len(state.pages), limit=state.pager.count)
        assets = [thing.asset for thing in state.things]
        for index, asset in enumerate(assets):
            if any(icons.alike(asset, other) for other in assets[:index]):
                raise Rejected("two things are alike")
        places, reach = _places(state.things), _reach(state.things)
        for link in (link for page in state.pages for link in page):
            if links.joined(link, places) != {link.a, link.b}:
                raise Rejected("a line ends at another thing")
            clear = links.clearance(link, places)
            if clear < reach + links.CLEAR_CSS - 1e-4:
                raise Rejected("a line passes a thing too near", value=clear, limit=reach)
        kit.refuse_pager(state.pager, _matching(state))

    def draw(self, state: ConnectState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def page(index: int) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                paint_page(canvas, state, index)

            return (Part("page", slot, paint), *kit.bar_parts(state.pager, index, placement))

        def card(canvas: Any) -> None:
            for spec, box in zip(_shown(state, strip), _cards(strip), strict=True):
                kit.paint_card(canvas, box, placement)
                icons.draw_icon(canvas, spec)

        regions: dict[str, Box] = {"picture": slot}
        for index, thing in enumerate(state.things):
            regions[f"thing.{index}"] = icons.icon_ink(thing).box.moved(slot.x0, slot.y0)
        for index, box in enumerate(_cards(strip)):
            regions[f"card.{index}"] = box
        return Artwork(
            parts=(Part("card", strip, card, area="strip"),),
            regions=regions,
            pages=tuple(page(index) for index in range(state.pager.count)),
        )

    def mechanic(self, state: ConnectState, placement: Placement) -> AnyMechanic:
        return kit.stepper(state.pager, placement)

    def reason_slots(
        self, state: ConnectState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        def named(index: int) -> Slot:
            return Slot("name", icons.icon_info(state.things[index].asset).called(lang))

        link = state.pages[state.pager.start][0]
        slots = {"one": state.pair[0], "other": state.pair[1], "a": link.a, "b": link.b}
        return {
            **kit.pager_slots(state.pager, gold),
            **{name: named(index) for name, index in slots.items()},
        }

    def margins(self, state: ConnectState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps: list[float] = []
        for link in state.pages[state.pager.start]:
            (x, y), (to_x, to_y) = link.points[:2]
            box = Box.sized((x + to_x) / 2, (y + to_y) / 2, 0.0, 0.0).grown(9.0)
            own = seen.box(box)
            steps.append(max(grey_step(seen.decoded[..., c], own) for c in range(3)))
        return {
            "step of line and ground": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: ConnectState) -> Json:
        return {
            "ground": state.ground.seed,
            "things": [thing.asset for thing in state.things],
            "pair": sorted(state.pair),
            "lines": [[sorted((link.a, link.b)) for link in page] for page in state.pages],
        }

    def wrong_responses(
        self, state: ConnectState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        def shared(page: int) -> int:
            return max(len({link.a, link.b} & set(state.pair)) for link in state.pages[page])

        others = [page for page in range(state.pager.count) if page != state.pager.target]
        return kit.wrong_pages(state.pager, mechanic, max(others, key=shared))

    def bad_states(self, state: ConnectState) -> Iterator[tuple[str, ConnectState]]:
        def changed(**more: Any) -> ConnectState:
            return state.model_copy(update=more)

        yield "pages missing", changed(pages=state.pages[1:])
        pages = [*state.pages]
        pages[state.pager.start] = pages[state.pager.target]
        yield "not exactly one page matches", changed(pages=tuple(pages))
        for reason, pager in kit.bad_pagers(state.pager):
            yield reason, changed(pager=pager)
        link = state.pages[0][0]
        other = next(k for k in range(len(state.things)) if k not in (link.a, link.b))
        at = state.things[other]
        over = replace(link, points=(link.points[0], (at.x, at.y), link.points[-1]))
        yield "a line passes a thing too near", changed(pages=((over,), *state.pages[1:]))
        wrong = replace(link, a=other)
        yield "a line ends at another thing", changed(pages=((wrong,), *state.pages[1:]))
        twin = replace(state.things[1], asset=state.things[0].asset)
        things = (state.things[0], twin, *state.things[2:])
        yield "two things are alike", changed(things=things)

    def solutions(self, state: ConnectState, mechanic: AnyMechanic) -> list[int]:
        """Pages with a line whose ends are nearest to the two things."""
        return _matching(state)

    def labels(self, state: ConnectState, scene: Scene) -> Mapping[str, Label]:
        return kit.pager_labels(state.pager)


def _places(things: Sequence[icons.IconSpec]) -> list[Point]:
    return [Point(thing.x, thing.y) for thing in things]


def _reach(things: Sequence[icons.IconSpec]) -> float:
    """The radius that holds every thing."""
    return max(icons.icon_reach(t.asset, t.size, t.style.kind) for t in things)


def _matching(state: ConnectState) -> list[int]:
    places, wanted = _places(state.things), frozenset(state.pair)
    return [page for page, found in enumerate(state.pages)
            if any(links.joined(link, places) == wanted for link in found)]  # fmt: skip


def _scattered(
    stream: Stream, ground: grounds.Ground, size: tuple[float, float], split: str, count: int
) -> tuple[icons.IconSpec, ...]:
    """Different things of one style, each somewhere in a cell of its own."""
    source = stream.choice(("icon", "emoji3d"))
    pool = [info for info in icons.icons(split, source) if info.category in CATEGORIES]
    if len(pool) < 2 * count:
        pool = [info for info in icons.icons(split) if info.category in CATEGORIES]
    chosen = icons.choose_distinct(stream, pool, count)
    styles = {s: icons.choose_icon_style(stream, ground.tone, s) for s in ("icon", "emoji3d")}
    cells = layout.tiles(Box(0, 0, *size).grown(-EDGE_CSS), ROWS, COLUMNS, 10.0)
    places = layout.jittered(stream, cells, count, THING_CSS + 4.0)
    made: list[icons.IconSpec] = []
    for info, at in zip(chosen, places, strict=True):
        style = styles[info.source]
        reach = icons.icon_reach(info.asset, 1.0, style.kind)
        made.append(icons.IconSpec(info.asset, min(THING_CSS, 0.57 * THING_CSS / reach),
                                   at.x, at.y, style, stream.uniform(-12, 12)))  # fmt: skip
    return tuple(made)


@dataclass(frozen=True)
class _Scenery:
    """What lines are drawn among: things, the room, a colour a line, and how often they bend."""

    things: tuple[icons.IconSpec, ...]
    room: Box
    colours: tuple[str, ...]
    bends: int

    def line(self, stream: Stream, ends: Callable[[], tuple[int, int]], number: int) -> links.Link:
        """A line between the first drawn ends that it finds a way for."""
        places, reach = _places(self.things), _reach(self.things)
        for _ in range(TRIES):
            found = links.route(
                stream, self.room, places, reach, ends(), self.bends, self.colours[number]
            )
            if found is not None:
                return found
        raise Rejected("no way for a line", value=TRIES, limit=TRIES)


def _pages(
    stream: Stream, pager: kit.Pager, scenery: _Scenery
) -> tuple[tuple[int, int], tuple[tuple[links.Link, ...], ...]]:
    """The pair, and each page's lines: elsewhere than on its page often of one end of it."""
    every = range(len(scenery.things))

    def two() -> tuple[int, int]:
        first, second = stream.sample(every, 2)
        return first, second

    right = scenery.line(stream, two, 0)
    pair = stream.choice(((right.a, right.b), (right.b, right.a)))

    def lines(page: int) -> list[links.Link]:
        own = [right] if page == pager.target else []
        for number in range(len(own), len(scenery.colours)):
            free = [k for k in every if not any(k in (link.a, link.b) for link in own)]
            near = number == 0 and stream.chance(NEAR)
            own.append(
                scenery.line(stream, lambda f=free, n=near: _ends(stream, f, pair, n), number)
            )
        return own

    found: list[tuple[links.Link, ...]] = []
    for page in range(pager.count):
        found.append(tuple(stream.shuffled(_unlike(found, lambda at=page: lines(at)))))
    return pair, tuple(found)


def _unlike(
    found: Sequence[Sequence[links.Link]], lines: Callable[[], list[links.Link]]
) -> list[links.Link]:
    """Lines that join other things than those of each page so far: a tap must show something."""

    def joined(page: Sequence[links.Link]) -> set[frozenset[int]]:
        return {frozenset((link.a, link.b)) for link in page}

    for _ in range(TRIES):
        own = lines()
        if all(joined(own) != joined(page) for page in found):
            return own
    raise Rejected("two pages alike", value=TRIES, limit=TRIES)


def _ends(
    stream: Stream, free: Sequence[int], pair: tuple[int, int], near: bool
) -> tuple[int, int]:
    """Two free things that are not the pair; with ``near`` one of them is of it."""
    others = [k for k in free if k not in pair]
    first = stream.choice([k for k in free if k in pair]) if near else stream.choice(others)
    second = stream.choice([k for k in others if k != first])
    return stream.choice(((first, second), (second, first)))


def _cards(strip: Box) -> list[Box]:
    """Two cards in the middle of the strip."""
    side, apart = CARD_CSS
    x, y = strip.center
    return [Box.sized(x + k * apart / 2 - side / 2, y - side / 2, side, side) for k in (-1, 1)]


def _shown(state: ConnectState, strip: Box) -> list[icons.IconSpec]:
    """The two things as they stand on the cards."""
    found: list[icons.IconSpec] = []
    for index, style, box in zip(state.pair, state.card, _cards(strip), strict=True):
        asset = state.things[index].asset
        size = min(30.0, 19.0 / icons.icon_reach(asset, 1.0))
        found.append(icons.IconSpec(asset, size, box.center.x, box.center.y, style))
    return found


def paint_page(canvas: Any, state: ConnectState, page: int | None) -> None:
    """A page, or the things without lines, on a canvas with the picture's corner as origin."""
    grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
    if page is not None:
        links.paint_links(canvas, state.pages[page], state.dash, state.halo)
    icons.draw_icons(canvas, state.things)


def page_raster(state: ConnectState, page: int | None, scale: float) -> Bitmap:
    """The pixels of a page, or without lines; BGR, for whoever solves it by them."""
    return kit.raster(lambda canvas: paint_page(canvas, state, page), state.size, scale)
