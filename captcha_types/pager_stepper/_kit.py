"""What pagers share: how many pages, where they begin and end, the counter, and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import skia

from factory.core.actions import ActionBase, Click
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.stepper import Stepper
from factory.core.puzzle import Choice, Label, Part, Placement, WrongResponse
from factory.core.record import Slot
from factory.core.rng import Rng, Stream
from factory.draw.panels.paint import bordered, ink
from factory.draw.picture_images import raster as raster
from factory.draw.text import Face, draw_line
from factory.draw.tokens import chinese_font, tokens_named

PAGES = (4, 8)
LEAST_STEPS = 1
IMAGES = PAGES[1]
"""Observations of an episode: one for each tap of the longest way, and one for the button."""

STRIP_CSS = 52
"""Height of the strip that shows what to match."""

CARD_ROUND_CSS = 10.0
COUNTER_PX = 14.0
DOT_CSS, DOT_PITCH_CSS = 7.0, 15.0

DEAD_ALPHA = 0.68
"""How far an arrow that leads nowhere is faded into the panel, as disabled buttons are."""

Counter = Literal["dots", "numbers", "bars"]
COUNTERS: tuple[Counter, ...] = ("dots", "numbers", "bars")
STARTS = ("first", "last")


@dataclass(frozen=True)
class Pager:
    """``count`` pages without an end to end jump. JSON-able.

    It opens on its first or its last page, so that there is one way to go; ``target`` is
    the page that matches.
    """

    count: int
    start: int
    target: int
    counter: Counter

    @property
    def steps(self) -> int:
        """Taps from the start to the answer."""
        return abs(self.target - self.start)


def page_count(wanted: int | None, difficulty: float) -> int:
    """How many pages: as wanted, else by difficulty."""
    low, high = PAGES
    return wanted or low + min(high - low, int(difficulty * (high - low + 1)))


def choose_pager(rng: Rng, count: int) -> Pager:
    """Where a pager begins and where its answer lies, both by lot and never drawn anew."""
    last = rng.fixed("start").chance(0.5)
    steps = rng.fixed("steps").integer(LEAST_STEPS, count)
    start = count - 1 if last else 0
    target = start - steps if last else steps
    return Pager(count, start, target, rng.fresh("counter").choice(COUNTERS))


def pager_labels(pager: Pager) -> Mapping[str, Label]:
    """The end that it begins at, and how far the answer is."""
    return {
        "start": Choice(int(pager.start > 0), 2),
        f"steps of {pager.count} pages": Choice(
            pager.steps - LEAST_STEPS, pager.count - LEAST_STEPS
        ),
    }


def refuse_pager(pager: Pager, matching: Sequence[int]) -> None:
    """``Rejected`` unless exactly one page matches, which is the answer and not the start."""
    if len(matching) != 1:
        raise Rejected("not exactly one page matches", value=len(matching), limit=1)
    if tuple(matching) != (pager.target,):
        raise Rejected("another page matches", value=matching[0], limit=pager.target)
    if pager.steps < LEAST_STEPS:
        raise Rejected("the answer is where it starts", value=pager.steps, limit=LEAST_STEPS)


def stepper(pager: Pager, placement: Placement) -> AnyMechanic:
    """The arrows and the button of a panel."""
    boxes = placement.boxes
    return Stepper.of(
        next=boxes["next"],
        prev=boxes["prev"],
        count=pager.count,
        targets=(pager.target,),
        start=pager.start,
        wrap=False,
        submit=placement.submit,
    )


def bar_parts(pager: Pager, page: int, placement: Placement) -> tuple[Part, ...]:
    """The counter of a page; on the first and the last page a veil over the arrow that is dead."""
    counter = _counter_part(pager, page, placement)
    dead = {0: "prev", pager.count - 1: "next"}.get(page)
    if dead is None:
        return (counter,)
    box, ground = placement.boxes[dead], tokens_named(placement.tokens).rgb(placement.ground)

    def veil(canvas: Any) -> None:
        canvas.drawRect(skia.Rect.MakeLTRB(*box.as_list()), ink(ground, DEAD_ALPHA))

    return counter, Part("dead", box, veil, area=dead)


def _counter_part(pager: Pager, page: int, placement: Placement) -> Part:
    """What stands between the arrows on a page: dots, bars or numbers."""
    box = placement.boxes["counter"]

    def paint(canvas: Any) -> None:
        look = tokens_named(placement.tokens)
        if pager.counter == "numbers":
            faces = (Face(str(look.font.path()), 600), Face(str(chinese_font(500)), 400))
            text = f"{page + 1} / {pager.count}"
            draw_line(canvas, text, faces, COUNTER_PX, look.rgb("text"), box)
            return
        wide = DOT_CSS if pager.counter == "dots" else DOT_PITCH_CSS - 4
        left = box.center.x - DOT_PITCH_CSS * (pager.count - 1) / 2
        for k in range(pager.count):
            high = DOT_CSS if pager.counter == "dots" else 4.0
            dot = Box.sized(0, 0, wide, high)
            dot = dot.moved(left + k * DOT_PITCH_CSS - wide / 2, box.center.y - high / 2)
            colour = look.rgb("accent" if k == page else "border")
            rect = skia.Rect.MakeLTRB(*dot.as_list())
            canvas.drawRoundRect(rect, high / 2, high / 2, ink(colour))

    return Part("counter", box, paint, area="counter")


def paint_card(canvas: Any, box: Box, placement: Placement) -> None:
    """A card of the panel's colours, for what the strip shows."""
    look = tokens_named(placement.tokens)
    bordered(canvas, box, CARD_ROUND_CSS, look.rgb("border"), look.rgb("raised"))


def run_to(mechanic: AnyMechanic, page: int) -> tuple[ActionBase, ...]:
    """Taps from the start to a page, a px apart, and the button; canvas px."""
    assert isinstance(mechanic, Stepper)
    axis = mechanic.axes[0]
    arrow = axis.next if page > axis.start else axis.prev
    assert arrow is not None and mechanic.submit is not None
    at = arrow.center
    taps = [Click(at._replace(x=at.x + k - axis.count / 2)) for k in range(abs(page - axis.start))]
    return (*taps, Click(mechanic.submit.center))


def wrong_pages(pager: Pager, mechanic: AnyMechanic, nearest: int) -> list[WrongResponse]:
    """A page short, a page far, the page that is most like the answer, and no button."""
    step = 1 if pager.target > pager.start else -1
    pages = {
        "a page short": pager.target - step,
        "a page far": pager.target + step,
        "the nearest miss": nearest,
        "the other end": pager.count - 1 - pager.start,
    }
    found = [
        WrongResponse(name, run_to(mechanic, page))
        for name, page in pages.items()
        if 0 <= page < pager.count and page not in (pager.target, pager.start)
    ]
    return [*found, WrongResponse("not confirmed", run_to(mechanic, pager.target)[:-1])]


def bad_pagers(pager: Pager) -> Iterator[tuple[str, Pager]]:
    """Pagers near a good one whose answer is another page, with the reason of refusal."""
    other = next(k for k in range(pager.count) if k not in (pager.target, pager.start))
    yield "another page matches", replace(pager, target=other)
    yield "the answer is where it starts", replace(pager, start=pager.target)


def pager_slots(pager: Pager, gold: Sequence[ActionBase]) -> dict[str, Slot]:
    """What a reasoning may say before any page is turned."""
    first, last = gold[0], gold[-1]
    assert isinstance(first, Click) and isinstance(last, Click)
    return {
        "pages": Slot("count", pager.count),
        "here": Slot("count", pager.start + 1),
        "arrow": Slot("point", list(first.point)),
        "submit": Slot("point", list(last.point)),
    }


def in_front(
    stream: Stream, values: Sequence[int], count: int, near: float, rank: Callable[[int], int]
) -> list[int]:
    """``count`` of the values in random order; ``near`` is how often the lowest rank is taken."""
    left = sorted(stream.shuffled(values), key=rank)
    chosen: list[int] = []
    while len(chosen) < count:
        if not left:
            raise Rejected("too few other values", value=len(chosen), limit=count)
        chosen.append(left.pop(0 if stream.chance(near) else stream.integer(0, len(left))))
    return stream.shuffled(chosen)
