"""What puzzles of space share: zones in the panel."""

from __future__ import annotations

from collections.abc import Sequence

from factory.core.geometry import Box, Point
from factory.core.mechanics.zones import Zone


def moved_zone(hull: Sequence[Point], slot: Box) -> Zone:
    """A hull in CSS px of the picture as a zone of the panel."""
    return Zone(tuple(Point(round(x + slot.x0, 6), round(y + slot.y0, 6)) for x, y in hull))
