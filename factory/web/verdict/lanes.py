"""Many bodies, two in work at once: while one waits for its picture, the other is measured.

A picture takes three times as long as the work on it (it waits for two frames
of the screen), and one Python process has one browser to itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factory.web.verdict.devtools import BrowserGone
from factory.web.verdict.judge import Judged, judge
from factory.web.verdict.page import Page, Steps
from factory.web.verdict.types import PageFault, PageReason, Window

if TYPE_CHECKING:
    from factory.web.verdict.pool import Desk

LANES = 2
ATTEMPTS = 2
"""A body that was in work when the browser ended is tried once more, alone."""


@dataclass(frozen=True)
class Look:
    """What is asked about a body, and the shell that it is swapped into."""

    shell: str
    window: Window
    proof: bool
    static: bool


@dataclass
class Body:
    """One body in its order; ``attempts`` counts how often it was begun."""

    index: int
    look: Look
    html: str
    attempts: int = 0


@dataclass
class Lane:
    """A body in work, and the number of the picture that it waits for."""

    body: Body
    place: int
    page: Page
    steps: Steps[Judged]
    ordered: int


class Lanes:
    """Bodies in work and what came of those that are done."""

    def __init__(self, desk: Desk, looks: Iterable[tuple[Look, str]]) -> None:
        self.desk = desk
        self.done: dict[int, Judged | PageFault] = {}
        self._fresh = (Body(index, *looked) for index, looked in enumerate(looks))
        self._again: deque[Body] = deque()
        self._lanes: deque[Lane] = deque()

    def step(self) -> bool:
        """Bring the oldest body in work on by one picture; False when there is none left."""
        while self._has_room() and (body := self._next()) is not None:
            self._advance(body, None)
        if not self._lanes:
            return False
        lane = self._lanes.popleft()
        self._advance(lane.body, lane)
        return True

    def _has_room(self) -> bool:
        """A browser is renewed, and a body tried again, when nothing else is in work."""
        alone = self.desk.due() or self._again or any(x.body.attempts > 1 for x in self._lanes)
        return len(self._lanes) < (1 if alone else LANES)

    def _next(self) -> Body | None:
        return self._again.popleft() if self._again else next(self._fresh, None)

    def _advance(self, body: Body, lane: Lane | None) -> None:
        try:
            if lane is None:
                lane = self._begin(body)
            else:
                lane.ordered = lane.steps.send(lane.page.picture(lane.ordered))
            self._lanes.append(lane)
        except StopIteration as end:
            self.done[body.index] = end.value
        except PageFault as fault:
            self.done[body.index] = fault
            self._start_over()
        except BrowserGone as gone:
            if body.attempts < ATTEMPTS:
                self._again.append(body)
            else:
                self.done[body.index] = PageFault(PageReason.CRASHED, str(gone))
            self._start_over()
        except BaseException:
            self.desk.restart()
            raise

    def _begin(self, body: Body) -> Lane:
        body.attempts += 1
        place = min({*range(LANES)} - {lane.place for lane in self._lanes})
        look = body.look
        page = self.desk.stage(look.shell, look.window, place)
        page.show(body.html)
        steps = judge(page, look.shell, proof=look.proof, static=look.static, scripted=False)
        return Lane(body, place, page, steps, next(steps))

    def _start_over(self) -> None:
        """A fresh browser; what else was in work is begun again."""
        self.desk.restart()
        self._again.extend(lane.body for lane in self._lanes)
        self._lanes.clear()
