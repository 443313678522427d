"""Many bodies, two in work at once: while one waits for its picture, the other is measured.

A picture takes three times as long as the work on it (it waits for two frames
of the screen), and one Python process has one browser to itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from factory.web.verdict.devtools import BrowserGone, Silence
from factory.web.verdict.judge import Judged, judge
from factory.web.verdict.page import Page, Steps
from factory.web.verdict.types import PageFault, PageReason, Window

if TYPE_CHECKING:
    from factory.web.verdict.pool import Desk

LANES = 2
PLACES = range(LANES)
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

    def __init__(self, desk: Desk, looks: Iterable[tuple[Look, str]], ahead: int) -> None:
        """``ahead`` bodies are taken at once, so that each lane finds some for its open page."""
        self.desk, self.ahead = desk, ahead
        self.done: dict[int, Judged | PageFault] = {}
        self._fresh = (Body(index, *looked) for index, looked in enumerate(looks))
        self._taken: list[Body] = []
        self._again: deque[Body] = deque()
        self._lanes: deque[Lane] = deque()

    def step(self) -> bool:
        """Bring the oldest body in work on by one picture; False when there is none left."""
        while self._has_room():
            place = min({*PLACES} - {lane.place for lane in self._lanes})
            body = self._next(place)
            if body is None:
                break
            self._advance(body, None, place)
        if not self._lanes:
            return False
        lane = self._lanes.popleft()
        self._advance(lane.body, lane, lane.place)
        return True

    def _has_room(self) -> bool:
        """A browser is renewed, and a body tried again, when nothing else is in work."""
        alone = self.desk.due() or self._again or any(x.body.attempts > 1 for x in self._lanes)
        return len(self._lanes) < (1 if alone else LANES)

    def _next(self, place: int) -> Body | None:
        """One to be tried again; one for a page that is open in this place, or in no place yet."""
        if self._again:
            return self._again.popleft()
        self._taken += islice(self._fresh, self.ahead - len(self._taken))
        if not self._taken:
            return None

        def cost(body: Body) -> tuple[int, int]:
            open_in = [self.desk.has_stage(body.look.shell, body.look.window, p) for p in PLACES]
            return (0 if open_in[place] else 2 if any(open_in) else 1), body.index

        best = min(self._taken, key=cost)
        self._taken.remove(best)
        return best

    def _advance(self, body: Body, lane: Lane | None, place: int) -> None:
        try:
            if lane is None:
                lane = self._begin(body, place)
            else:
                lane.ordered = lane.steps.send(lane.page.picture(lane.ordered))
            self._lanes.append(lane)
        except StopIteration as end:
            self.done[body.index] = end.value
        except PageFault as fault:
            self.done[body.index] = fault
            self._start_over()
        except (BrowserGone, Silence) as gone:
            if body.attempts < ATTEMPTS:
                self._again.append(body)
            else:
                self.done[body.index] = PageFault(PageReason.CRASHED, str(gone))
            self._start_over()
        except BaseException:
            self.desk.restart()
            raise

    def _begin(self, body: Body, place: int) -> Lane:
        body.attempts += 1
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
