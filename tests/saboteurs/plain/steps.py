"""Six pictures with one dot more on each; the arrows lead to the one with the dots of the goal.

Rule
    Step to the page with the dots of the goal.
Answer
    A page.
Validity
    The first page is wrong.
Source
    Made for the tests of the contract suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import skia

from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.stepper import Stepper
from factory.core.puzzle import (
    Artwork,
    Choice,
    Control,
    Label,
    PanelRequest,
    Part,
    Placement,
    Scene,
    State,
)
from factory.core.record import Json
from saboteurs.plain.base import Plain, cell_centers, fill

PAGES, RADIUS = 6, 10.0
INK = (30, 40, 80)


class StepsState(State):
    """``start``, ``wanted``: pages; ``dots``: where up to six dots lie, CSS px of the slot."""

    start: int
    wanted: int
    dots: tuple[tuple[float, float], ...]
    ground: int


class Steps(Plain[StepsState]):
    """See the module."""

    id = "steps"
    State: ClassVar[type[State]] = StepsState
    mechanics = ("stepper",)
    asks: ClassVar[Mapping[str, str]] = {
        "en": "step to {count} dots; each page adds one, 1 follows 6",
        "zh": "用箭头翻到{count}个点，每翻一页多一个，6后是1",
    }
    says: ClassVar[Mapping[str, str]] = {"en": "I use the arrows.", "zh": "使用箭头。"}

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(controls=(Control("stepper"),), submit="always")

    def sample(self, scene: Scene) -> StepsState:
        slot, rng = scene.placement.boxes["slot"], scene.rng
        start = rng.fixed("start").integer(0, PAGES)
        wanted = (start + rng.fixed("steps").integer(1, PAGES)) % PAGES
        stream = rng.fresh("dots")
        spots = stream.shuffled(cell_centers(slot.width, slot.height, 3, 2))
        dots = tuple(
            (round(x + stream.uniform(-9, 9), 6), round(y + stream.uniform(-9, 9), 6))
            for x, y in spots
        )
        return StepsState(start=start, wanted=wanted, dots=dots, ground=stream.integer(215, 250))

    def check(self, state: StepsState) -> None:
        if state.start == state.wanted:
            raise Rejected("right at the start")

    def shown(self, page: int) -> int:
        """How many dots a page has."""
        return page + 1

    def draw(self, state: StepsState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def page(number: int) -> Callable[[Any], None]:
            def paint(canvas: Any) -> None:
                canvas.clear(skia.Color(state.ground, state.ground, state.ground))
                for x, y in state.dots[: self.shown(number)]:
                    canvas.drawCircle(slot.x0 + x, slot.y0 + y, RADIUS, fill(INK))

            return paint

        return Artwork(
            parts=(),
            regions={"picture": slot},
            pages=tuple((Part("page", slot, page(number)),) for number in range(PAGES)),
        )

    def mechanic(self, state: StepsState, placement: Placement) -> AnyMechanic:
        boxes = placement.boxes
        return Stepper.of(
            next=boxes["next"], prev=boxes["prev"], count=PAGES, targets=(state.wanted,),
            start=state.start, submit=placement.submit,
        )  # fmt: skip

    def goal_slots(self, state: StepsState, lang: str) -> dict[str, str]:
        return {"count": str(state.wanted + 1)}

    def identity(self, state: StepsState) -> Json:
        lie = [[round(x / 2), round(y / 2)] for x, y in state.dots]
        return {"dots": lie, "from": state.start, "to": state.wanted}

    def bad_states(self, state: StepsState) -> Iterator[tuple[str, StepsState]]:
        yield "right at the start", state.model_copy(update={"start": state.wanted})

    def solutions(self, state: StepsState, mechanic: AnyMechanic) -> Sequence[int]:
        return [page for page in range(PAGES) if page + 1 == state.wanted + 1]

    def labels(self, state: StepsState, scene: Scene) -> Mapping[str, Label]:
        return {
            "start": Choice(state.start, PAGES),
            "steps": Choice((state.wanted - state.start) % PAGES - 1, PAGES - 1),
        }
