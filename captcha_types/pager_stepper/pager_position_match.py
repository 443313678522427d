"""A place on a board, and pages on which somebody stands elsewhere on it.

Rule
    Turn the pages with the arrows to the one on which the figure stands where the card says:
    by the letter and number of a seat or square, or by a small copy of the board with one
    place marked. Then confirm.
Answer
    Taps on an arrow and one on the button. Pages begin at one end, so that there is one way
    to go; the answer is evenly any page but the one that is seen first. Other taps that end
    on the same page are as good.
Validity
    No two pages have the figure at one place, and exactly one at the place of the card. The
    middles of two places are farther apart than the figure is wide, and the figure stands out
    from its place, measured on the decoded picture.
Source
    Pagers as in Open CaptchaWorld (Coordinates, Path_Finder), CaptchaBench (coordinates),
    ReCAP and Halligan (orbit_match); the last page counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.pager_stepper import _boards as boards
from captcha_types.pager_stepper import _kit as kit
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import (
    Artwork,
    Bitmap,
    Choice,
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
from factory.core.rng import Rng
from factory.draw import glyphs, grounds, icons
from factory.draw.colours import luminance
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.panels.paint import ink
from factory.draw.solid.dice import symbol_path
from factory.draw.tokens import tokens_named
from factory.draw.tones import Tone

Style = Literal["code", "mark"]
FORMS: tuple[tuple[boards.Kind, Style], ...] = (
    ("seats", "code"), ("squares", "code"), ("seats", "mark"), ("squares", "mark"),
    ("orbits", "mark"),
)  # fmt: skip
"""Boards with the ways in which the card names a place."""

CATEGORIES = ("animal", "food", "vehicle", "sport", "music", "plant", "tool")
LONGEST_NAME = 11
"""Characters of an English name that leave the goal room on its line."""

FIGURE = 0.74
"""Size of the figure, by the least distance between two places."""

CARD_CSS = (104.0, 52.0)
CODE_CSS = 22.0
LEAST_STEP = 34.0
FIDELITY_DB = 20.0


OFF: Mapping[str, Mapping[str, str]] = {
    "en": {"left": "too far left", "right": "too far right", "above": "too high",
           "below": "too low", "orbit": "on another orbit", "along": "elsewhere on that orbit",
           "wanted": "the marked place"},
    "zh": {"left": "偏左", "right": "偏右", "above": "偏上", "below": "偏下",
           "orbit": "在另一条轨道上", "along": "在同一轨道的别处", "wanted": "标出的位置"},
}  # fmt: skip


class PositionState(State):
    """``places`` of the figure by page; ``place`` is where the card says. Lengths in CSS px."""

    board: boards.Board
    style: Style
    place: int
    code: str
    """What the card says, where it says it in letters."""
    places: tuple[int, ...]
    pager: kit.Pager
    figure: icons.IconSpec
    """The figure about the origin."""
    ground: grounds.Ground
    size: tuple[float, float]


class PositionOptions(Options):
    """Each follows ``difficulty`` when it is not set: ``near``: how often a page is a near miss."""

    pages: int | None = Knob(default=None, ge=kit.PAGES[0], le=kit.PAGES[1])
    near: float | None = Knob(default=None, ge=0.0, le=1.0)
    board: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("pager_position_match", version=1, family="pager_stepper")
class PagerPositionMatch(PuzzleType[PositionState, PositionOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PositionState
    Options: ClassVar[type[Options]] = PositionOptions
    mechanics = ("stepper",)
    answer_kind = "stepper"
    single_shot = False
    images = kit.IMAGES
    seen_side = 130

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.58, 0.68),
            width=(252, 300),
            controls=(Control("stepper"),),
            strip=56,
            submit="always",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> PositionState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        pager = kit.choose_pager(rng, kit.page_count(self.options.pages, hard))
        kind, style = rng.fixed("form").choice(FORMS)
        look = rng.fresh("look")
        face = look.choice(glyphs.faces(scene.split, "latin", plain=True)).name
        large = hard if self.options.board is None else self.options.board
        board = boards.choose_board(look, kind, style == "code", face, large)
        place = rng.fixed("place").integer(0, board.places)
        near = 0.2 + 0.7 * hard if self.options.near is None else self.options.near
        others = _others(board, place, pager.count - 1, near, rng.fresh("others"))
        size = (slot.width, slot.height)
        return PositionState(
            board=board,
            style=style,
            place=place,
            code=boards.code(board, place) if style == "code" else "",
            places=(*others[: pager.target], place, *others[pager.target :]),
            pager=pager,
            figure=_figure(rng.fresh("figure"), board, size, scene.split),
            ground=grounds.compose(
                scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split
            ),
            size=size,
        )

    def check(self, state: PositionState) -> None:
        if state.style == "code" and boards.code(state.board, state.place) != state.code:
            raise Rejected("the card names another place")
        if len(state.places) != state.pager.count:
            raise Rejected("pages missing", value=len(state.places), limit=state.pager.count)
        if not all(0 <= place < state.board.places for place in state.places):
            raise Rejected("a place off the board", value=max(state.places), limit=0)
        matching = [page for page, place in enumerate(state.places) if place == state.place]
        kit.refuse_pager(state.pager, matching)
        apart = boards.pitch(state.board, boards.field(state.board, Box(0, 0, *state.size)))
        if state.figure.size > apart:
            raise Rejected("places too near each other", value=apart, limit=state.figure.size)

    def draw(self, state: PositionState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def page(index: int) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                paint_page(canvas, state, index)

            return (Part("page", slot, paint), *kit.bar_parts(state.pager, index, placement))

        def card(canvas: Any) -> None:
            _paint_card(canvas, state, placement)

        area = boards.field(state.board, Box(0, 0, *state.size))
        regions = {"picture": slot, "board": area.moved(slot.x0, slot.y0), "card": _card(strip)}
        return Artwork(
            parts=(Part("card", strip, card, area="strip"),),
            regions=regions,
            pages=tuple(page(index) for index in range(state.pager.count)),
        )

    def mechanic(self, state: PositionState, placement: Placement) -> AnyMechanic:
        return kit.stepper(state.pager, placement)

    def goal_slots(self, state: PositionState, lang: str) -> dict[str, str]:
        return {"thing": icons.icon_info(state.figure.asset).called(lang)}

    def reason_slots(
        self, state: PositionState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        first = state.places[state.pager.start]
        return {
            **kit.pager_slots(state.pager, gold),
            "thing": Slot("name", icons.icon_info(state.figure.asset).called(lang)),
            "wanted": Slot("name", state.code or OFF[lang]["wanted"]),
            "off": Slot("name", _off(state.board, first, state.place, lang)),
        }

    def margins(self, state: PositionState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = icons.icon_ink(_standing(state, state.pager.start)).box.grown(2)
        step = max(grey_step(seen.decoded[..., channel], seen.box(box)) for channel in range(3))
        return {
            "step of figure and place": (step, LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: PositionState) -> Json:
        return {
            "ground": state.ground.seed,
            "figure": state.figure.asset,
            "board": [state.board.kind, state.style, state.board.columns, state.board.rows],
            "places": state.places,
            "answer": [state.pager.start, state.pager.target],
        }

    def wrong_responses(
        self, state: PositionState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        far = [_far(state.board, place, state.place) for place in state.places]
        nearest = min((k for k in range(len(far)) if far[k]), key=lambda k: far[k])
        return kit.wrong_pages(state.pager, mechanic, nearest)

    def bad_states(self, state: PositionState) -> Iterator[tuple[str, PositionState]]:
        def changed(**more: Any) -> PositionState:
            return state.model_copy(update=more)

        if state.style == "code":
            yield "the card names another place", changed(code="Z9")
        yield "pages missing", changed(places=state.places[1:])
        places = [*state.places]
        places[state.pager.start] = state.place
        yield "not exactly one page matches", changed(places=tuple(places))
        places[state.pager.start] = state.board.places
        yield "a place off the board", changed(places=tuple(places))
        for reason, pager in kit.bad_pagers(state.pager):
            yield reason, changed(pager=pager)
        large = replace(state.figure, size=4.0 * state.figure.size)
        yield "places too near each other", changed(figure=large)

    def solutions(self, state: PositionState, mechanic: AnyMechanic) -> list[int]:
        """Pages whose figure stands at the middle of the place of the card."""
        area = boards.field(state.board, Box(0, 0, *state.size))
        wanted = boards.spot(state.board, area, state.place)
        spots = [boards.spot(state.board, area, place) for place in state.places]
        return [page for page, at in enumerate(spots)
                if abs(at.x - wanted.x) + abs(at.y - wanted.y) < 1e-6]  # fmt: skip

    def labels(self, state: PositionState, scene: Scene) -> Mapping[str, Label]:
        board = state.board
        return {
            **kit.pager_labels(state.pager),
            "form": Choice(FORMS.index((board.kind, state.style)), len(FORMS)),
            f"place of {board.places}": Choice(state.place, board.places),
        }


def _far(board: boards.Board, one: int, other: int) -> int:
    """Steps along rows and columns; round the orbits the shorter way."""
    (row, column), (to_row, to_column) = divmod(one, board.columns), divmod(other, board.columns)
    across = abs(column - to_column)
    if board.kind == "orbits":
        across = min(across, board.columns - across)
    return abs(row - to_row) + across


def _others(board: boards.Board, place: int, count: int, near: float, stream: Any) -> list[int]:
    """Other places in random order, near ones first as often as ``near`` says."""
    ranks = {p: _far(board, p, place) for p in range(board.places) if p != place}
    return kit.in_front(stream, list(ranks), count, near, ranks.__getitem__)


@cache
def _named(split: str) -> tuple[icons.IconInfo, ...]:
    """Icons of one thing each, whose name fits into a goal."""
    found = (info for info in icons.icons(split) if info.category in CATEGORIES)
    return tuple(i for i in found if len(i.en) <= LONGEST_NAME and not i.en.endswith("s"))


def _figure(stream: Any, board: boards.Board, size: tuple[float, float], split: str
            ) -> icons.IconSpec:  # fmt: skip
    """A thing that stands out from the places of a board."""
    info = stream.choice(_named(split))
    level = luminance(board.paper)
    style = icons.choose_icon_style(stream, Tone(level, level), info.source)
    apart = boards.pitch(board, boards.field(board, Box(0, 0, *size)))
    largest = min(apart, 34.0) * FIGURE
    reach = icons.icon_reach(info.asset, 1.0, style.kind)
    return icons.IconSpec(info.asset, min(largest, 0.56 * largest / reach), 0.0, 0.0, style)


def _standing(state: PositionState, page: int) -> icons.IconSpec:
    """The figure in its place on a page, CSS px of the page."""
    area = boards.field(state.board, Box(0, 0, *state.size))
    at = boards.spot(state.board, area, state.places[page])
    return replace(state.figure, x=at.x, y=at.y)


def _off(board: boards.Board, first: int, wanted: int, lang: str) -> str:
    """Where a place lies from the wanted one, in words."""
    (row, column), (to_row, to_column) = divmod(first, board.columns), divmod(wanted, board.columns)
    if board.kind == "orbits":
        return OFF[lang]["orbit" if row != to_row else "along"]
    across = "left" if column < to_column else "right" if column > to_column else ""
    down = "above" if row < to_row else "below" if row > to_row else ""
    found = [OFF[lang][name] for name in (across, down) if name]
    return (" and " if lang == "en" else "、").join(found)


def _card(strip: Box) -> Box:
    """The card in the middle of the strip."""
    x, y = strip.center
    return Box(x - CARD_CSS[0] / 2, y - CARD_CSS[1] / 2, x + CARD_CSS[0] / 2, y + CARD_CSS[1] / 2)


def _paint_card(canvas: Any, state: PositionState, placement: Placement) -> None:
    """The name of the place, or a small board with the place marked."""
    card, look = _card(placement.boxes["strip"]), tokens_named(placement.tokens)
    kit.paint_card(canvas, card, placement)
    if state.style == "mark":
        area = boards.field(state.board, card)
        line, mark = look.rgb("muted"), look.rgb("accent")
        boards.paint_small(canvas, state.board, area, state.place, line, mark)
        return
    for char, off in zip(state.code, (-0.5, 0.5), strict=True):
        canvas.save()
        canvas.translate(card.center.x + off * CODE_CSS, card.center.y)
        path = symbol_path(state.board.face, char, CODE_CSS)
        canvas.drawPath(path, ink(look.rgb("text")))
        canvas.restore()


def paint_page(canvas: Any, state: PositionState, page: int | None) -> None:
    """A page, or the empty board, on a canvas whose origin is the picture's corner."""
    whole = Box(0, 0, *state.size)
    grounds.draw_ground(canvas, state.ground, whole)
    boards.paint_board(canvas, state.board, whole)
    if page is not None:
        icons.draw_icon(canvas, _standing(state, page))


def page_raster(state: PositionState, page: int | None, scale: float) -> Bitmap:
    """The pixels of a page, or of the empty board; BGR, for whoever solves it by them."""
    return kit.raster(lambda canvas: paint_page(canvas, state, page), state.size, scale)
