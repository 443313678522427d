"""Steps drawn by lot: what is asked from fixed streams, how it looks from fresh ones."""

from __future__ import annotations

from captcha_types.composite import _steps as steps
from captcha_types.composite._steps import AnyStep, Kind, OrderStep, PickStep, SlideStep
from factory.core.geometry import Box
from factory.core.mechanics.slide_checks import displacement_range
from factory.core.puzzle import Placement, Scene
from factory.core.rng import Stream
from factory.draw import figures, layout
from factory.draw.colour_names import named_palette
from factory.draw.figure_outlines import REACH
from factory.draw.figures import Figure

PAIRS: tuple[tuple[Kind, Kind], ...] = (
    ("slide", "pick"), ("slide", "order"), ("pick", "slide"), ("pick", "order"),
    ("order", "slide"), ("order", "pick"),
)  # fmt: skip
MOST_PICKED, SHOWN, SHOWN_COLOURS = 2, (4, 6), 3
ORDERED = (3, 4)
RATIOS = (1.34, 1.2)
"""Of two sizes that follow each other, easy to hard."""

LEAST_ORDERED_CSS, MOST_SIZE_CSS = 22.0, 38.0
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
KINDS = ("circle", "triangle", "square", "star", "heart", "cross", "drop", "diamond")
TOLERANCE_CSS, TOLERANCE_UNITS, LEAST_UNITS = 6.0, 2.2, 40.0
"""What a slide lets pass, CSS px or units of the grid; and how many units it is long at least."""

LENGTH = 0.84
"""Of a track, by the width that it has."""


def unit_css(placement: Placement) -> float:
    """A unit of the [0, 999] grid across the canvas, CSS px of the panel."""
    return placement.width_px / 1000.0 / placement.px_per_css


def choose_step(scene: Scene, number: int, kind: Kind, area: Box, hard: float) -> AnyStep:
    """Step ``number`` of a kind in its area."""
    label, look = scene.rng.fixed(f"step {number}"), scene.rng.fresh(f"step {number}")
    if kind == "slide":
        return _slide(label, look, area, scene.placement)
    if kind == "pick":
        return _pick(label, look, area, hard)
    return _order(label, look, area, hard)


def _slide(label: Stream, look: Stream, area: Box, placement: Placement) -> SlideStep:
    unit = unit_css(placement)
    tol = round(max(TOLERANCE_CSS, TOLERANCE_UNITS * unit), 6)
    length = round(LENGTH * area.width, 6)
    low, high = displacement_range(
        steps.travel(length), unit, tol, floor_px=max(LEAST_UNITS * unit, steps.KNOB_CSS + 4.0)
    )
    return SlideStep(
        aim=round(label.uniform(low, high), 6),
        low=round(low, 6),
        high=round(high, 6),
        tol=tol,
        back=label.chance(0.5),
        length=length,
        across=round(look.uniform(0.0, 1.0), 6),
        down=round(look.uniform(0.0, 1.0), 6),
    )


def _pick(label: Stream, look: Stream, area: Box, hard: float) -> PickStep:
    shown = SHOWN[0] + round((SHOWN[1] - SHOWN[0]) * hard)
    count = 1 + label.integer(0, MOST_PICKED)
    order = label.shuffled(range(shown))
    asked, *others = named_palette(look, SHOWN_COLOURS, names=COLOURS).items()
    colours = [asked[1]] * count + [look.choice(others)[1] for _ in range(shown - count)]
    gap = steps.GAP_CSS / steps.LEAST_SIZE_CSS
    size = figures.largest_size(area, shown, MOST_SIZE_CSS, gap)
    places = figures.places(look.child("places"), area, size, shown, gap)
    things = [
        _figure(look, look.choice(KINDS), places[rank].x, places[rank].y, size, colour)
        for rank, colour in zip(order, colours, strict=True)
    ]
    return PickStep(tuple(things), asked[0], count, MOST_PICKED)


def _order(label: Stream, look: Stream, area: Box, hard: float) -> OrderStep:
    count = ORDERED[0] + (hard >= 0.5)
    ratio = RATIOS[0] + (RATIOS[1] - RATIOS[0]) * hard
    falling, order = label.chance(0.5), label.shuffled(range(count))
    sizes = [round(LEAST_ORDERED_CSS * ratio**k, 6) for k in range(count)]
    inside = area.grown(-figures.EDGE_CSS)
    radii = [REACH * sizes[-1]] * count
    places = sorted(layout.scatter(look.child("places"), inside, radii, steps.GAP_CSS))
    kind = look.choice(KINDS)
    colour = look.choice([*named_palette(look, 1, names=COLOURS).values()])
    things = [
        _figure(look, kind, places[rank].x, places[rank].y, size, colour)
        for rank, size in zip(order, sizes, strict=True)
    ]
    return OrderStep(tuple(things), falling)


def _figure(look: Stream, kind: str, x: float, y: float, size: float, colour: str) -> Figure:
    return Figure(kind, x, y, size, figures.turned(look, kind), colour)
