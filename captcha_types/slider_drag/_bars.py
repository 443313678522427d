"""Bars with a knob and an end stop, drawn from the panel's tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from factory.core.geometry import Box
from factory.core.puzzle import Placement
from factory.core.rng import Stream
from factory.draw.panels.paint import bordered, icon, ink, rounded, shadow
from factory.draw.tokens import RGB, tokens_named

MARGIN = 6.0
"""Free CSS px before and behind a bar: an overshoot stays on the panel."""

INSET = 3.0
"""The knob keeps this far from the bar's border."""

ICONS = ("check", "flag", "lock-open", "star", "house", "circle-check", "target", "heart")
"""What stands at the far end, by Lucide name."""

STYLES = ("pill", "soft", "square")
DRESSES = ("plain", "chevrons", "dots", "rail")
"""How the empty part of the bar is dressed."""

LINE_INSET, LINE_PITCH, LINE_HEIGHT, MOST_LINE = 10.0, 15.0, 7.0, 170.0
"""Of lines beside a bar, CSS px: all of one colour and length as text has, unlike a slider."""

_ARROWS = {
    "right": ("chevrons-right", "arrow-right", "chevron-right"),
    "left": ("chevrons-left", "arrow-left", "chevron-left"),
    "down": ("chevrons-down", "arrow-down", "chevron-down"),
    "up": ("chevrons-up", "arrow-up", "chevron-up"),
}


ARROWS = 3
"""Arrows that a knob may carry, for each way."""


def handle_box(track: Box, way: str, style: str) -> Box:
    """The knob at rest: as thick as the bar inside its inset, a little longer unless square."""
    thick = min(track.width, track.height) - 2 * INSET
    long = thick + (0.0 if style == "square" else 10.0)
    wide, tall = (long, thick) if way in ("right", "left") else (thick, long)
    x = track.x1 - INSET - wide if way == "left" else track.x0 + INSET
    y = track.y1 - INSET - tall if way == "up" else track.y0 + INSET
    return Box.sized(x, y, wide, tall)


@dataclass(frozen=True)
class Bar:
    """A bar to be painted; boxes in panel CSS px."""

    placement: Placement
    track: Box
    handle: Box
    way: str
    style: str
    icon: str
    dress: str
    arrow: int

    @property
    def level(self) -> bool:
        """Whether it lies across."""
        return self.way in ("right", "left")

    def radius(self, box: Box) -> float:
        """Corner radius of bar and knob by style."""
        half = min(box.width, box.height) / 2
        return {"pill": half, "soft": min(10.0, half), "square": min(3.0, half)}[self.style]

    def end_box(self) -> Box:
        """The square at the far end where the stop is drawn."""
        side = min(self.track.width, self.track.height)
        x = self.track.x1 - side if self.way == "right" else self.track.x0
        y = self.track.y1 - side if self.way == "down" else self.track.y0
        return Box.sized(x, y, side, side)

    def colour(self, role: str) -> RGB:
        """A colour of the panel's token set."""
        return tokens_named(self.placement.tokens).rgb(role)

    def ground(self, canvas: Any, look: int, clutter: int) -> None:
        """Bar, dress, end stop, and things beside it."""
        stream = Stream(f"bar {self.way} {look}")
        self._clutter(canvas, stream.child("clutter"), clutter)
        if self.dress == "rail":
            self._rail(canvas)
        else:
            bordered(
                canvas,
                self.track,
                self.radius(self.track),
                self.colour("border"),
                self.colour("track"),
            )
        if self.dress in ("chevrons", "dots"):
            self._row(canvas)
        stop = self.end_box()
        if self.dress == "rail":
            bordered(canvas, stop, self.radius(stop), self.colour("border"), self.colour("surface"))
        icon(canvas, self.icon, stop, 0.6 * stop.width, self.colour("muted"))

    def handle_art(self, canvas: Any) -> None:
        """The knob with an arrow that points where it goes."""
        radius = self.radius(self.handle)
        shadow(
            canvas, self.handle, radius, "0 1px 3px rgba(10,14,30,.3), 0 2px 7px rgba(10,14,30,.16)"
        )
        canvas.drawRRect(rounded(self.handle, radius), ink(self.colour("accent")))
        icon(canvas, _ARROWS[self.way][self.arrow], self.handle, 20, self.colour("on_accent"))

    def _between(self, first: float, last: float) -> Box:
        """The stretch of the bar between two shares of its length from the knob's end, inset."""
        box = self.track.grown(-INSET)
        if self.way in ("left", "up"):
            first, last = 1 - last, 1 - first
        if self.level:
            return Box(box.x0 + first * box.width, box.y0, box.x0 + last * box.width, box.y1)
        return Box(box.x0, box.y0 + first * box.height, box.x1, box.y0 + last * box.height)

    def _row(self, canvas: Any) -> None:
        """Faint arrows or dots along the empty bar, clear of the knob and of the stop."""
        taken = (self.handle.grown(4), self.end_box().grown(2))
        for step in range(6):
            cell = self._between(0.24 + 0.09 * step, 0.24 + 0.09 * (step + 1))
            if any(cell.overlaps(box) for box in taken):
                continue
            if self.dress == "dots":
                canvas.drawCircle(*cell.center, 2.2, ink(self.colour("muted"), 0.55))
            else:
                icon(canvas, f"chevron-{self.way}", cell, 14, self.colour("muted"))

    def _rail(self, canvas: Any) -> None:
        """A thin rail instead of a bar."""
        middle = self.track.center
        thin = (
            Box(self.track.x0, middle.y - 4, self.track.x1, middle.y + 4)
            if self.level
            else Box(middle.x - 4, self.track.y0, middle.x + 4, self.track.y1)
        )
        bordered(canvas, thin, 4, self.colour("border"), self.colour("track"))

    def _clutter(self, canvas: Any, stream: Stream, count: int) -> None:
        """A paragraph's worth of faint bars as for text that still loads, on the free side."""
        free = self._free(self.placement.boxes["slot"]).grown(-LINE_INSET)
        wide = min(free.width, MOST_LINE)
        lines = count + 1 if count else 0
        for step in range(min(lines, int(free.height // LINE_PITCH))):
            long = wide * stream.uniform(0.45, 0.95)
            line = Box.sized(free.x0, free.y0 + LINE_PITCH * step, long, LINE_HEIGHT)
            canvas.drawRRect(rounded(line, LINE_HEIGHT / 2), ink(self.colour("border"), 0.7))

    def _free(self, slot: Box) -> Box:
        """The larger side of the slot beside the bar."""
        track = self.track.grown(6)
        if self.level:
            above = Box(slot.x0, slot.y0, slot.x1, track.y0)
            below = Box(slot.x0, track.y1, slot.x1, slot.y1)
            return above if above.height >= below.height else below
        left = Box(slot.x0, slot.y0, track.x0, slot.y1)
        right = Box(track.x1, slot.y0, slot.x1, slot.y1)
        return left if left.width >= right.width else right
