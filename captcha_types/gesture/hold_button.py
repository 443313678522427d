"""Some buttons with icons; the named one is held down for the time that the panel asks for.

Rule
    Press the button that the panel names, keep it down for at least the printed time, let go.
Answer
    One long press on that button. Which button it is and how long it has to be held are
    drawn evenly.
Validity
    Icons on one panel differ by name and by looks, so one button has the name; the time is
    printed. Buttons lie apart and are 30 CSS px high or more. The time is 1, 2 or 3
    seconds, and 2.5 seconds more are let pass, so that the long press of 3 seconds that a
    text without a time stands for is right; a tap is not, nor is holding on for ever.
Source
    The hold-button task of Open CaptchaWorld, with buttons beside the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from factory.core.actions import ActionBase, Click, LongPress
from factory.core.errors import Rejected
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.hold import Hold
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
from factory.core.walk import place, share
from factory.draw import icons
from factory.draw.icons import IconInfo
from factory.draw.panels.layout import CONTROL_FONT_PX
from factory.draw.panels.paint import bordered, icon, ink, rounded
from factory.draw.text import Face, draw_line, text_width
from factory.draw.tokens import chinese_font, tokens_named

SECONDS = (1, 2, 3)
"""Times that are asked for; see the module for why none is longer."""

SLACK_MS = 2500.0
"""How much longer one may hold on: nobody counts seconds well."""

BOARDS = 1_000_000
"""Boards that are told apart: icons, their order, style and place come from the number."""

STYLES = ("filled", "outlined", "soft")
LEAST_DECOYS, MOST_DECOYS = 2, 7
COLUMNS, GAP_CSS = 2, 8.0
TALL_CSS, LOW_CSS = 54.0, 30.0
"""Heights of the buttons of easy panels, and the least."""

ICON_SHARE, INSET_CSS = 0.52, 10.0
"""Size of an icon by the height of its button; and how far from the button's side it begins."""

WORD_GAP_CSS = 6.0
"""Between an icon and its name."""

SEEN_LEVELS = 60.0
"""Least step in grey between the right button's ground and what is on it."""

GROUNDS = {"filled": "accent", "outlined": "raised", "soft": "accent_soft"}
INKS = {"filled": "on_accent", "outlined": "text", "soft": "text"}


class HoldState(State):
    """``buttons``: boxes in CSS px of the slot; ``assets``: the icon on each; ``asked``: the
    index of the right one."""

    buttons: tuple[tuple[float, float, float, float], ...]
    assets: tuple[str, ...]
    asked: int
    seconds: int
    style: str
    words: bool
    board: int


class HoldOptions(Options):
    """``decoys``: buttons beside the right one; ``words``: names beside the icons,
    where all of them fit. Easy panels have few buttons with names."""

    decoys: int | None = Field(default=None, ge=LEAST_DECOYS, le=MOST_DECOYS)
    words: bool | None = None


@register("hold_button", version=1, family="gesture")
class HoldButton(PuzzleType[HoldState, HoldOptions]):
    """See the module."""

    State: ClassVar[type[State]] = HoldState
    Options: ClassVar[type[Options]] = HoldOptions
    mechanics = ("hold",)
    answer_kind = "hold"
    seen_in_grey = True
    seen_side = 120
    pictorial = False

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.6, 0.72), width=(252, 300))

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("board", 1.0, share(split, BOARDS))]

    def count(self, difficulty: float) -> int:
        """How many buttons there are."""
        decoys = self.options.decoys
        return 1 + (LEAST_DECOYS + round(5 * difficulty) if decoys is None else decoys)

    def sample(self, scene: Scene) -> HoldState:
        board = place(scene.content_number, scene.split, BOARDS, "hold boards")
        count, stream = self.count(scene.difficulty), Stream(f"hold board {board}")
        pool = icons.icons(scene.split, "icon")
        chosen = icons.choose_distinct(stream.child("icons"), pool, count)
        words = scene.difficulty < 0.5 if self.options.words is None else self.options.words
        return HoldState(
            buttons=_laid_out(scene, count, stream.child("places")),
            assets=tuple(info.asset for info in chosen),
            asked=scene.rng.fixed("button").integer(0, count),
            seconds=scene.rng.fixed("seconds").choice(SECONDS),
            style=stream.child("style").choice(STYLES),
            words=words,
            board=board,
        )

    def check(self, state: HoldState) -> None:
        if state.seconds not in SECONDS:
            raise Rejected("time out of range", value=state.seconds, limit=SECONDS[-1])
        if not 0 <= state.asked < len(state.assets) == len(state.buttons):
            raise Rejected("no such button", value=state.asked, limit=len(state.assets))
        infos = [icons.icon_info(asset) for asset in state.assets]
        for a, b in combinations(infos, 2):
            if a.en == b.en or a.zh == b.zh or not icons.distinct(a, b):
                raise Rejected("two buttons of one name or look", value=0, limit=0)
        boxes = [Box(*edges) for edges in state.buttons]
        lowest = min(box.height for box in boxes)
        if lowest < LOW_CSS - 1e-6:
            raise Rejected("button too low", value=lowest, limit=LOW_CSS)
        if any(a.grown(2.0).overlaps(b) for a, b in combinations(boxes, 2)):
            raise Rejected("buttons touch", value=0, limit=2)

    def draw(self, state: HoldState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        boxes = _boxes(state, slot)

        faces = _faces(placement)
        infos = [icons.icon_info(asset) for asset in state.assets]
        names = [info.called(placement.lang) for info in infos]
        named = state.words and all(
            text_width(name, faces, CONTROL_FONT_PX) <= _word_room(box)
            for name, box in zip(names, boxes, strict=True)
        )

        def paint(canvas: Any) -> None:
            for box, info, name in zip(boxes, infos, names, strict=True):
                _paint_button(canvas, box, info, name if named else "", state, placement)

        return Artwork(
            parts=(Part("buttons", slot, paint),),
            regions={f"button.{k}": box for k, box in enumerate(boxes)},
        )

    def mechanic(self, state: HoldState, placement: Placement) -> AnyMechanic:
        box = _boxes(state, placement.boxes["slot"])[state.asked]
        return Hold(zone=Zone.of_box(box), need_ms=1000.0 * state.seconds, slack_ms=SLACK_MS)

    def goal_slots(self, state: HoldState, lang: str) -> dict[str, str]:
        name = icons.icon_info(state.assets[state.asked]).called(lang)
        return {"name": name, "time": _time(state.seconds, lang)}

    def reason_slots(
        self, state: HoldState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        press = gold[0]
        assert isinstance(press, LongPress)
        return {
            "name": Slot("name", icons.icon_info(state.assets[state.asked]).called(lang)),
            "count": Slot("count", len(state.assets)),
            "time": Slot("name", _time(state.seconds, lang)),
            "point": Slot("point", list(press.point)),
        }

    def margins(self, state: HoldState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = Box(*state.buttons[state.asked]).grown(-3.0)
        x0, y0, x1, y1 = seen.box(box).outer_pixels()
        levels = float(np.ptp(seen.decoded[y0:y1, x0:x1]))
        return {"ink on the button": (levels, SEEN_LEVELS)}

    def identity(self, state: HoldState) -> Json:
        return {
            "board": state.board,
            "icons": list(state.assets),
            "asked": state.asked,
            "seconds": state.seconds,
        }

    def wrong_responses(
        self, state: HoldState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Hold)
        right, need = mechanic.zone.center, mechanic.need_ms
        own, other = Box(*state.buttons[state.asked]), state.asked - 1
        beside = Box(*state.buttons[other])
        s = mechanic.px_per_css
        away = Point(
            right.x + s * (beside.center.x - own.center.x),
            right.y + s * (beside.center.y - own.center.y),
        )
        return [
            WrongResponse("another button", (LongPress(away, duration_ms=need + 500.0),)),
            WrongResponse("a tap", (Click(right),)),
            WrongResponse("let go too soon", (LongPress(right, duration_ms=0.6 * need),)),
            WrongResponse("never let go", (LongPress(right, duration_ms=30_000.0),)),
        ]

    def bad_states(self, state: HoldState) -> Iterator[tuple[str, HoldState]]:
        first, second, *rest = state.buttons
        yield "time out of range", state.model_copy(update={"seconds": 4})
        yield "no such button", state.model_copy(update={"asked": len(state.assets)})
        same = (state.assets[1], *state.assets[1:])
        yield "two buttons of one name or look", state.model_copy(update={"assets": same})
        low = (*first[:3], first[1] + LOW_CSS / 2)
        yield "button too low", state.model_copy(update={"buttons": (low, second, *rest)})
        yield "buttons touch", state.model_copy(update={"buttons": (first, first, *rest)})

    def solutions(self, state: HoldState, mechanic: AnyMechanic) -> list[float]:
        """A time, ms, between the printed one and the most that is let pass."""
        return [1000.0 * state.seconds + SLACK_MS / 2]

    def labels(self, state: HoldState, scene: Scene) -> Mapping[str, Label]:
        count = len(state.assets)
        return {
            f"button of {count}": Choice(state.asked, count),
            "seconds": Choice(SECONDS.index(state.seconds), len(SECONDS)),
        }


def _time(seconds: int, lang: str) -> str:
    """A number of seconds in words of a language."""
    if lang == "zh":
        return f"{seconds}秒"
    return f"{seconds} second" if seconds == 1 else f"{seconds} seconds"


def _laid_out(
    scene: Scene, count: int, stream: Stream
) -> tuple[tuple[float, float, float, float], ...]:
    """Boxes in rows of two spread over the slot, CSS px; of an odd count one has its row alone."""
    slot, rows = scene.placement.boxes["slot"], -(-count // COLUMNS)
    room = (slot.height - 2.0 - (rows - 1) * GAP_CSS) / rows
    tall = max(LOW_CSS, min(room, TALL_CSS - 18.0 * scene.difficulty))
    free = (slot.height - rows * tall) / (rows + 1)
    alone = stream.integer(0, rows) if count % COLUMNS else rows
    boxes: list[tuple[float, float, float, float]] = []
    for row in range(rows):
        columns = 1 if row == alone else COLUMNS
        wide = (slot.width - 4.0 - (columns - 1) * GAP_CSS) / columns
        y = free + row * (tall + free)
        for column in range(columns):
            x = 2.0 + column * (wide + GAP_CSS)
            boxes.append((round(x, 6), round(y, 6), round(x + wide, 6), round(y + tall, 6)))
    return tuple(boxes)


def _boxes(state: HoldState, slot: Box) -> list[Box]:
    return [Box(*edges).moved(slot.x0, slot.y0) for edges in state.buttons]


def _faces(placement: Placement) -> tuple[Face, ...]:
    """What words on buttons are written in."""
    font = tokens_named(placement.tokens).font
    return Face(str(font.path()), 600), Face(str(chinese_font(500)), 400)


def _word_room(box: Box) -> float:
    """How long the name on a button may be, CSS px."""
    return box.width - 2 * INSET_CSS - ICON_SHARE * box.height - WORD_GAP_CSS


def _paint_button(
    canvas: Any, box: Box, info: IconInfo, name: str, state: HoldState, placement: Placement
) -> None:
    """A button in colours of the panel: an icon, with a name to its right or alone."""
    look = tokens_named(placement.tokens)
    ground, colour = look.rgb(GROUNDS[state.style]), look.rgb(INKS[state.style])
    radius = min(float(look.control_radius_px), box.height / 2)
    if state.style == "filled":
        canvas.drawRRect(rounded(box, radius), ink(ground))
    else:
        bordered(canvas, box, radius, look.rgb("border"), ground)
    size = ICON_SHARE * box.height
    if not name:
        icon(canvas, info.name, box, size, colour)
        return
    start = Box.sized(box.x0 + INSET_CSS, box.y0, size, box.height)
    icon(canvas, info.name, start, size, colour)
    room = Box(start.x1 + WORD_GAP_CSS, box.y0, box.x1 - INSET_CSS, box.y1)
    draw_line(canvas, name, _faces(placement), CONTROL_FONT_PX, colour, room, "left")
