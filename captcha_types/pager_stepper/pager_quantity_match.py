"""A number to match, and pages with stones, counters, things, dice or darts.

Rule
    Turn the pages with the arrows to the one whose quantity is the number on the card:
    stones, counters and things are counted, dots of dice and points of darts added up. Then
    confirm.
Answer
    Taps on an arrow and one on the button. Pages begin at one end, so that there is one way
    to go; the answer is evenly any page but the one that is seen first. Other taps that end
    on the same page are as good.
Validity
    Exactly one page has the number, by counting anew. Things stand apart in cells of their
    own, dice show all their dots, tips of darts keep off the edges of their rings, and what
    is counted stands out from its ground, measured on the decoded picture.
Source
    Pagers as in Open CaptchaWorld (Object_Match, Dart_Count), CaptchaBench, ReCAP and Halligan
    (rockstack, numbermatch, dice_match); the last page counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.pager_stepper import _kit as kit
from captcha_types.pager_stepper import _reference as above
from captcha_types.pager_stepper import _tallies as tallies
from captcha_types.pager_stepper._tally_art import paint_marks
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
from factory.draw import grounds
from factory.draw.measure import grey_step, pixel_fidelity

LEAST_STEP = 30.0
"""Levels of grey between what is counted and what is around it, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the pages beyond this."""

NAMES: Mapping[str, Mapping[tallies.Form, str]] = {
    "en": {"stones": "stones", "counters": "counters", "things": "objects", "dice": "dots",
           "darts": "points"},
    "zh": {"stones": "石子", "counters": "筹码", "things": "物品", "dice": "骰子点",
           "darts": "飞镖得分"},
}  # fmt: skip
"""What is counted, in the words of the goal."""


class QuantityState(State):
    """``pages`` hold their marks in CSS px from the picture's corner."""

    number: int
    reference: above.Reference
    pager: kit.Pager
    dress: tallies.Dress
    amounts: tuple[int, ...]
    """What each page adds up to."""
    pages: tuple[tuple[tallies.Mark, ...], ...]
    ground: grounds.Ground
    size: tuple[float, float]


class QuantityOptions(Options):
    """Each follows ``difficulty`` when it is not set: ``near``: how often a page is a near miss."""

    pages: int | None = Knob(default=None, ge=kit.PAGES[0], le=kit.PAGES[1])
    most: int | None = Knob(default=None, ge=9, le=12)
    near: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("pager_quantity_match", version=1, family="pager_stepper")
class PagerQuantityMatch(PuzzleType[QuantityState, QuantityOptions]):
    """See the module."""

    State: ClassVar[type[State]] = QuantityState
    Options: ClassVar[type[Options]] = QuantityOptions
    mechanics = ("stepper",)
    answer_kind = "stepper"
    single_shot = False
    images = kit.IMAGES
    seen_in_grey = False
    seen_side = 110

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.56, 0.66),
            width=(252, 300),
            controls=(Control("stepper"),),
            strip=kit.STRIP_CSS,
            submit="always",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def numbers(self, form: tallies.Form, difficulty: float) -> tuple[int, int]:
        """The least number that is asked for, and the one after the greatest."""
        low, end = tallies.SPANS[form]
        if form in ("dice", "darts"):
            return low, end
        return low, (self.options.most or 9 + round(3 * difficulty)) + 1

    def sample(self, scene: Scene) -> QuantityState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        pager = kit.choose_pager(rng, kit.page_count(self.options.pages, hard))
        form = rng.fixed("form").choice(tallies.FORMS)
        low, end = self.numbers(form, hard)
        number = rng.fixed("number").integer(low, end)
        near = 0.2 + 0.7 * hard if self.options.near is None else self.options.near
        rest = [value for value in range(low, end) if value != number]
        others = kit.in_front(
            rng.fresh("others"), rest, pager.count - 1, near, lambda value: abs(value - number)
        )
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        size = (slot.width, slot.height)
        dress = tallies.choose_dress(rng.fresh("dress"), form, ground, size, scene.split)
        values = [*others[: pager.target], number, *others[pager.target :]]
        marks = rng.fresh("marks")
        return QuantityState(
            number=number,
            reference=above.choose_reference(rng.fresh("reference"), number, scene.split),
            pager=pager,
            dress=dress,
            amounts=tuple(values),
            pages=tuple(tallies.choose_marks(marks, dress, v, size, hard) for v in values),
            ground=ground,
            size=size,
        )

    def check(self, state: QuantityState) -> None:
        if above.shown_number(state.reference) != state.number:
            raise Rejected("the card shows another number")
        if len(state.pages) != state.pager.count:
            raise Rejected("pages missing", value=len(state.pages), limit=state.pager.count)
        room = Box(0, 0, *state.size).grown(-1)
        for marks in state.pages:
            boxes = [tallies.mark_box(state.dress, mark) for mark in marks]
            if not all(room.holds(box) for box in boxes):
                raise Rejected("something leaves its page")
            tallies.refuse_unclear(state.dress, marks)
        if quantities(state) != list(state.amounts):
            raise Rejected("amounts and pages disagree")
        matching = [page for page, value in enumerate(state.amounts) if value == state.number]
        kit.refuse_pager(state.pager, matching)

    def draw(self, state: QuantityState, placement: Placement) -> Artwork:
        slot, strip = placement.boxes["slot"], placement.boxes["strip"]

        def page(index: int) -> tuple[Part, ...]:
            def paint(canvas: Any) -> None:
                canvas.translate(slot.x0, slot.y0)
                paint_page(canvas, state, index)

            picture = Part("page", slot, paint)
            return (picture, *kit.bar_parts(state.pager, index, placement))

        def reference(canvas: Any) -> None:
            above.paint_reference(canvas, state.reference, placement)

        return Artwork(
            parts=(Part("reference", strip, reference, area="strip"),),
            regions={"picture": slot},
            pages=tuple(page(index) for index in range(state.pager.count)),
        )

    def mechanic(self, state: QuantityState, placement: Placement) -> AnyMechanic:
        return kit.stepper(state.pager, placement)

    def goal_slots(self, state: QuantityState, lang: str) -> dict[str, str]:
        return {"things": NAMES[lang][state.dress.form]}

    def reason_slots(
        self, state: QuantityState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            **kit.pager_slots(state.pager, gold),
            "things": Slot("name", NAMES[lang][state.dress.form]),
            "number": Slot("count", state.number),
            "first": Slot("count", state.amounts[state.pager.start]),
        }

    def margins(self, state: QuantityState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        marks = state.pages[state.pager.start]
        boxes = (tallies.mark_box(state.dress, mark).grown(2) for mark in marks)
        steps = [max(grey_step(seen.decoded[..., channel], seen.box(box)) for channel in range(3))
                 for box in boxes]  # fmt: skip
        return {
            "step of what is counted": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: QuantityState) -> Json:
        return {
            "ground": state.ground.seed,
            "form": [state.dress.form, state.dress.asset],
            "amounts": state.amounts,
            "ends": [state.pager.start, state.pager.target],
        }

    def wrong_responses(
        self, state: QuantityState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        far = [abs(value - state.number) for value in state.amounts]
        nearest = min((k for k in range(len(far)) if far[k]), key=lambda k: far[k])
        return kit.wrong_pages(state.pager, mechanic, nearest)

    def bad_states(self, state: QuantityState) -> Iterator[tuple[str, QuantityState]]:
        def changed(**more: Any) -> QuantityState:
            return state.model_copy(update=more)

        other = replace(state.reference, number=state.number + 1, kind="numeral")
        yield "the card shows another number", changed(reference=other)
        yield "pages missing", changed(pages=state.pages[1:])
        amounts, pages = [*state.amounts], [*state.pages]
        amounts[state.pager.start], pages[state.pager.start] = (
            state.number,
            pages[state.pager.target],
        )
        yield "amounts and pages disagree", changed(pages=tuple(pages))
        twins = changed(pages=tuple(pages), amounts=tuple(amounts))
        yield "not exactly one page matches", twins
        for reason, pager in kit.bad_pagers(state.pager):
            yield reason, changed(pager=pager)
        yield "something leaves its page", changed(size=(state.size[0] / 2, state.size[1]))
        for reason, marks in tallies.bad_marks(state.dress, state.pages[state.pager.target]):
            pages = [*state.pages]
            pages[state.pager.target] = marks
            yield reason, changed(pages=tuple(pages))

    def solutions(self, state: QuantityState, mechanic: AnyMechanic) -> list[int]:
        """Pages with as much as the strip shows, counted anew."""
        wanted = above.shown_number(state.reference)
        return [page for page, value in enumerate(quantities(state)) if value == wanted]

    def labels(self, state: QuantityState, scene: Scene) -> Mapping[str, Label]:
        form = state.dress.form
        low, end = self.numbers(form, scene.difficulty)
        return {
            **kit.pager_labels(state.pager),
            "form": Choice(tallies.FORMS.index(form), len(tallies.FORMS)),
            f"number of {form} below {end}": Choice(state.number - low, end - low),
        }


def quantities(state: QuantityState) -> list[int]:
    """What each page adds up to, by what stands on it."""
    return [sum(tallies.worth(state.dress, mark) for mark in marks) for marks in state.pages]


def paint_page(canvas: Any, state: QuantityState, page: int | None) -> None:
    """A page, or the ground alone, on a canvas whose origin is the picture's corner."""
    grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
    paint_marks(canvas, state.dress, () if page is None else state.pages[page])


def page_raster(state: QuantityState, page: int | None, scale: float) -> Bitmap:
    """The pixels of a page, or of what is the same on all; BGR, for whoever solves it by them."""
    return kit.raster(lambda canvas: paint_page(canvas, state, page), state.size, scale)
