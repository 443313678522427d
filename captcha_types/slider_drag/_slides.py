"""What puzzles share whose panel has a slider: its lengths, and drags of its knob."""

from __future__ import annotations

from factory.core.actions import Drag
from factory.core.geometry import GRID, Point
from factory.core.mechanics.slide import Slide
from factory.core.puzzle import Placement


def unit_css(placement: Placement) -> float:
    """One unit of the grid across, CSS px."""
    return placement.width_px / GRID / placement.px_per_css


def travel_css(placement: Placement) -> float:
    """How far the knob can go, CSS px."""
    track, handle = placement.boxes["track"], placement.boxes["handle"]
    inset = handle.x0 - track.x0
    return track.x1 - inset - handle.x1


def drag_by(mechanic: Slide, length_css: float) -> Drag:
    """The knob dragged to the right by so much."""
    start = mechanic.handle.center
    return Drag(start, Point(start.x + length_css * mechanic.px_per_css, start.y))


def travel_css_of(mechanic: Slide) -> float:
    """How far the knob of a mechanic can go, CSS px."""
    return mechanic.travel_px / mechanic.px_per_css
