"""A thing on a card, and pages with things in other poses, styles and places.

Rule
    Turn the pages with the arrows to the one that shows the same thing as the card, however
    it is turned, sized, coloured or dressed there. Then confirm.
Answer
    Taps on an arrow and one on the button. Pages begin at one end, so that there is one way
    to go; the answer is evenly any page but the one that is seen first. Other taps that end
    on the same page are as good.
Validity
    The things of all pages differ by table and by looks, in every turn, and one of them is
    the card's. Things are compared in one drawing each, so that a thing is the same shape
    wherever it is. It stands out from its page, measured on the decoded picture.
Source
    Pagers as in Open CaptchaWorld (Image_Matching) and ReCAP; the last page counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.pager_stepper import _kit as kit
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
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
from factory.draw import grounds, icons
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.colours import luminance
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.tokens import tokens_named
from factory.draw.tones import Tone

CATEGORIES = (
    "animal", "food", "drink", "vehicle", "tool", "music", "sport", "plant", "kitchen", "device",
    "furniture", "clothing",
)  # fmt: skip
CARD_KINDS = ("line", "duotone", "plain")
CARD_CSS, CARD_THING_CSS = 52.0, 36.0
THING_CSS = (56.0, 104.0)
"""Sizes of things on pages."""

EDGE_CSS = 6.0
LEAST_STEP = 34.0
"""Levels of some channel between a thing and its page, after decoding."""

FIDELITY_DB = 20.0


class ImageState(State):
    """Things by page, CSS px from the picture's corner; ``card`` about the origin."""

    card: icons.IconSpec
    pager: kit.Pager
    things: tuple[icons.IconSpec, ...]
    ground: grounds.Ground
    clutter: Clutter
    size: tuple[float, float]


class ImageOptions(Options):
    """Each follows ``difficulty``: ``kin``: share of pages with a thing of the card's kind."""

    pages: int | None = Knob(default=None, ge=kit.PAGES[0], le=kit.PAGES[1])
    kin: float | None = Knob(default=None, ge=0.0, le=1.0)
    turn_deg: float | None = Knob(default=None, ge=0.0, le=180.0)
    noise: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("pager_image_match", version=1, family="pager_stepper")
class PagerImageMatch(PuzzleType[ImageState, ImageOptions]):
    """See the module."""

    State: ClassVar[type[State]] = ImageState
    Options: ClassVar[type[Options]] = ImageOptions
    mechanics = ("stepper",)
    answer_kind = "stepper"
    single_shot = False
    images = kit.IMAGES
    seen_side = 110

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.56, 0.66),
            width=(240, 300),
            controls=(Control("stepper"),),
            strip=56,
            submit="always",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> ImageState:
        rng, slot, hard, knob = (
            scene.rng, scene.placement.boxes["slot"], scene.difficulty, self.options,
        )  # fmt: skip
        pager = kit.choose_pager(rng, kit.page_count(knob.pages, hard))
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
        )
        size = (slot.width, slot.height)
        kin = 0.2 + 0.7 * hard if knob.kin is None else knob.kin
        wanted, others = _chosen(rng.fresh("things"), scene.split, pager.count - 1, kin)
        infos = [*others[: pager.target], wanted, *others[pager.target :]]
        dress, turn = rng.fresh("dress"), 8.0 + 100.0 * hard
        turn = turn if knob.turn_deg is None else knob.turn_deg
        noise = 0.6 * hard if knob.noise is None else knob.noise
        level = luminance(tokens_named(scene.placement.tokens).raised)
        style = icons.choose_icon_style(dress, Tone(level, level), wanted.source, kinds=CARD_KINDS)
        return ImageState(
            card=_sized(wanted, CARD_THING_CSS, style),
            pager=pager,
            things=tuple(_placed(dress, info, ground, size, turn) for info in infos),
            ground=ground,
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, noise, width=1.4),
            size=size,
        )

    def check(self, state: ImageState) -> None:
        if len(state.things) != state.pager.count:
            raise Rejected("pages missing", value=len(state.things), limit=state.pager.count)
        room = Box(0, 0, *state.size).grown(-1)
        for page, thing in enumerate(state.things):
            if not room.holds(icons.icon_ink(thing).painted):
                raise Rejected("a thing leaves its page")
            for other in state.things[:page]:
                if thing.asset != other.asset and icons.alike(thing.asset, other.asset):
                    raise Rejected("two things are alike")
        matching = [k for k, thing in enumerate(state.things) if thing.asset == state.card.asset]
        kit.refuse_pager(state.pager, matching)

    def draw(self, state: ImageState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def page(index: int) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                paint_page(canvas, state, index)

            return (Part("page", slot, paint), *kit.bar_parts(state.pager, index, placement))

        def card(canvas: Any) -> None:
            kit.paint_card(canvas, _card(strip), placement)
            icons.draw_icon(canvas, replace(state.card, x=strip.center.x, y=strip.center.y))

        return Artwork(
            parts=(Part("card", strip, card, area="strip"),),
            regions={"picture": slot, "card": _card(strip)},
            pages=tuple(page(index) for index in range(state.pager.count)),
        )

    def mechanic(self, state: ImageState, placement: Placement) -> AnyMechanic:
        return kit.stepper(state.pager, placement)

    def reason_slots(
        self, state: ImageState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = state.things[state.pager.start]
        return {
            **kit.pager_slots(state.pager, gold),
            "wanted": Slot("name", icons.icon_info(state.card.asset).called(lang)),
            "first": Slot("name", icons.icon_info(first.asset).called(lang)),
        }

    def margins(self, state: ImageState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = seen.box(icons.icon_ink(state.things[state.pager.start]).box.grown(3))
        step = max(grey_step(seen.decoded[..., channel], box) for channel in range(3))
        return {
            "step of thing and page": (step, LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: ImageState) -> Json:
        return {
            "ground": state.ground.seed,
            "things": [thing.asset for thing in state.things],
            "answer": [state.pager.start, state.pager.target],
        }

    def wrong_responses(
        self, state: ImageState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        kind = icons.icon_info(state.card.asset).category
        others = [k for k in range(state.pager.count) if k != state.pager.target]
        kin = [k for k in others if icons.icon_info(state.things[k].asset).category == kind]
        return kit.wrong_pages(state.pager, mechanic, (kin or others)[0])

    def bad_states(self, state: ImageState) -> Iterator[tuple[str, ImageState]]:
        def changed(**more: Any) -> ImageState:
            return state.model_copy(update=more)

        yield "pages missing", changed(things=state.things[1:])
        things = [*state.things]
        things[state.pager.start] = things[state.pager.target]
        yield "not exactly one page matches", changed(things=tuple(things))
        for reason, pager in kit.bad_pagers(state.pager):
            yield reason, changed(pager=pager)
        own = state.card.asset
        kin = [i.asset for i in icons.icons("train") if icons.alike(i.asset, own)]
        for asset in [asset for asset in kin if asset != own][:1]:
            things[state.pager.start] = replace(things[state.pager.target], asset=asset, size=40.0)
            yield "two things are alike", changed(things=tuple(things))
        things[state.pager.start] = replace(state.things[state.pager.start], x=state.size[0])
        yield "a thing leaves its page", changed(things=tuple(things))

    def solutions(self, state: ImageState, mechanic: AnyMechanic) -> list[int]:
        """Pages whose thing is of the card's name and drawing."""
        card = icons.icon_info(state.card.asset)
        return [k for k, thing in enumerate(state.things) if icons.icon_info(thing.asset) == card]

    def labels(self, state: ImageState, scene: Scene) -> Mapping[str, Label]:
        return kit.pager_labels(state.pager)


@cache
def _pool(split: str, source: str) -> tuple[icons.IconInfo, ...]:
    """Things of a split; of both sources where one has too few for eight pages."""
    found = tuple(i for i in icons.icons(split, source) if i.category in CATEGORIES)
    return found if len(found) >= 2 * kit.PAGES[1] else _pool(split, "") if source else found


def _chosen(
    stream: Stream, split: str, count: int, kin: float
) -> tuple[icons.IconInfo, list[icons.IconInfo]]:
    """A thing and ``count`` others, some of its own kind; no two alike however they are turned."""
    pool = _pool(split, stream.choice(("icon", "emoji3d")))
    wanted = stream.choice(pool)
    found: list[icons.IconInfo] = []
    own = [info for info in pool if info.category == wanted.category]
    for _ in range(count):
        near = own if len(own) > 2 * count and stream.chance(kin) else pool
        found += icons.choose_distinct(stream, near, 1, besides=(wanted, *found), turned=True)
    return wanted, found


def _sized(info: icons.IconInfo, size: float, style: icons.IconStyle) -> icons.IconSpec:
    reach = icons.icon_reach(info.asset, 1.0, style.kind)
    return icons.IconSpec(info.asset, min(size, 0.58 * size / reach), 0.0, 0.0, style)


def _placed(
    stream: Stream, info: icons.IconInfo, ground: grounds.Ground, size: tuple[float, float],
    turn_deg: float,
) -> icons.IconSpec:  # fmt: skip
    """A thing anywhere on its page, in a style of its own; as often mirrored as not."""
    style = icons.choose_icon_style(stream, ground.tone, info.source)
    spec = _sized(info, stream.uniform(*THING_CSS), style)
    reach = 1.08 * icons.icon_reach(info.asset, spec.size, style.kind) + EDGE_CSS
    return replace(
        spec,
        x=stream.uniform(reach, size[0] - reach),
        y=stream.uniform(reach, size[1] - reach),
        turn_deg=stream.uniform(-turn_deg, turn_deg),
        mirrored=stream.chance(0.5),
    )


def _card(strip: Box) -> Box:
    x, y = strip.center
    return Box.sized(x - CARD_CSS / 2, y - CARD_CSS / 2, CARD_CSS, CARD_CSS)


def paint_page(canvas: Any, state: ImageState, page: int | None) -> None:
    """A page, or the ground alone, on a canvas whose origin is the picture's corner."""
    whole = Box(0, 0, *state.size)
    grounds.draw_ground(canvas, state.ground, whole)
    draw_clutter(canvas, state.clutter, whole)
    if page is not None:
        icons.draw_icon(canvas, state.things[page])


def page_raster(state: ImageState, page: int | None, scale: float) -> Bitmap:
    """The pixels of a page, or of the ground alone; BGR, for whoever solves it by them."""
    return kit.raster(lambda canvas: paint_page(canvas, state, page), state.size, scale)
