"""Where a moving target is, when it counts, and when a person would tap it.

Times are ms of the virtual clock, lengths px of the frame.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from factory.core.errors import InvalidOptions
from factory.core.geometry import Point

REACT_MS = 700.0
"""Gold taps no sooner than this after the start: people need that long to find a target."""
PACE_MS = (800.0, 1400.0)
"""Gold lets this much time pass between two taps."""
FIRST_MS = 600.0
"""Gold's first tap comes within this time of when it could."""
MARGIN_MS, MARGIN_SHARE = 80.0, 0.2
"""Gold keeps this far from both ends of a window, or this share of it where that is less."""
MAX_CYCLES = 1000
"""No gold waits for more windows than this."""


class Keyframe(NamedTuple):
    """Where the target is at a time."""

    t_ms: float
    x: float
    y: float


class Course(NamedTuple):
    """A path over time, linear between keyframes, and the windows in which it counts."""

    keyframes: tuple[Keyframe, ...]
    loop_ms: float | None
    windows: tuple[tuple[float, float], ...]

    def local(self, t_ms: float) -> float:
        """The time since the loop began."""
        return t_ms if self.loop_ms is None else t_ms % self.loop_ms

    def at(self, t_ms: float) -> Point:
        """Where the target is; before the first and after the last keyframe it rests there."""
        frames, t = self.keyframes, self.local(t_ms)
        after = bisect_right(frames, t, key=lambda frame: frame.t_ms)
        if after in (0, len(frames)):
            return Point(*frames[min(after, len(frames) - 1)][1:])
        (t0, x0, y0), (t1, x1, y1) = frames[after - 1], frames[after]
        share = (t - t0) / (t1 - t0)
        return Point(x0 + share * (x1 - x0), y0 + share * (y1 - y0))

    def counts(self, t_ms: float) -> bool:
        """Whether a tap counts then: inside a window, its end left out."""
        t = self.local(t_ms)
        return not self.windows or any(t0 <= t < t1 for t0, t1 in self.windows)

    def spans(self) -> Iterator[tuple[float, float]]:
        """All windows from the start on, loop by loop."""
        if not self.windows:
            yield 0.0, math.inf
            return
        for cycle in range(1 if self.loop_ms is None else MAX_CYCLES):
            for t0, t1 in self.windows:
                yield cycle * (self.loop_ms or 0.0) + t0, cycle * (self.loop_ms or 0.0) + t1

    def hit_times(self, shares: Sequence[float]) -> list[float]:
        """When to tap: each time at a share of the room that there is; ``InvalidOptions`` if none.

        A larger share never means an earlier tap.
        """
        times: list[float] = []
        earliest, room = REACT_MS, FIRST_MS
        for share in shares:
            times.append(round(self._tap(earliest, room, share), 3))
            earliest, room = times[-1] + PACE_MS[0], PACE_MS[1] - PACE_MS[0]
        return times

    def _tap(self, earliest: float, room: float, share: float) -> float:
        for t0, t1 in self.spans():
            margin = min(MARGIN_MS, MARGIN_SHARE * (t1 - t0))
            low, high = max(earliest, t0 + margin), t1 - margin
            if low < high:
                return low + share * min(room, high - low)
        raise InvalidOptions(f"no window is left for a tap after {earliest:.0f} ms")
