"""C7: everything that matters can be seen: on the canvas, large enough, with contrast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from factory.core.geometry import Box
from factory.engine.made import Made
from factory.engine.make import CONTROLS
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.subject import Draw, Subject

LEAST_SIDE_PX = 8
LEAST_CONTRAST = 4.5
"""WCAG 2 AA for text."""

INK_SHARE = 0.01
"""Share of a line of text that surely is the core of its strokes. Strokes of one px are blends for
the most part: with 2 % small text of a stated contrast of 5.03 measured 4.46, with 1 % 4.75."""

LEAST_STANDING = 24
"""Levels of 255 by which some channel has to vary in and around a target: far below what anyone
would call faint, and above what JPEG leaves of nothing."""

AROUND_CSS = 4.0
"""How far around a target its ground is looked at."""

TARGETS = ("target", "piece", "distractor")
"""Roles of regions that hold ink of their own."""


def visible(subject: Subject, budget: Budget) -> Outcome:
    """C7: regions lie on the canvas and are large enough; goal and targets can be made out."""
    faults: list[str] = []
    for draw in subject.draws(budget.judged):
        faults += [f"{draw.key}: {fault}" for fault in _lost(subject, draw)]
    contrasts, standing = [], [255.0]
    for made in subject.made(budget.renders) if not faults else []:
        picture = pictures_of(made)[0]
        contrasts.append(goal_contrast(made, picture))
        if contrasts[-1] < LEAST_CONTRAST:
            faults.append(f"{made.key}: the goal text has a contrast of {contrasts[-1]:.2f}")
        for name, levels in _standings(made, picture):
            standing.append(levels)
            if levels < LEAST_STANDING:
                faults.append(f"{made.key}: '{name}' stands out by {levels:.0f} levels of 255")
    lowest = min(contrasts, default=0.0)
    return outcome(
        faults,
        f"lowest contrast of a goal {lowest:.2f}, of a target {min(standing):.0f} levels",
        contrast=round(lowest, 2),
        standing=round(min(standing), 1),
    )


def _lost(subject: Subject, draw: Draw) -> Iterator[str]:
    """Regions off the canvas or too small, among the artwork's, the panel's and the mechanic's."""
    place = draw.placement
    canvas = Box(0, 0, place.width_px, place.height_px)
    controls = {name: box for name, box in place.boxes.items() if name in (*CONTROLS, "panel")}
    shapes = {**controls, **subject.puzzle.draw(draw.state, place).regions}
    boxes = {
        name: place.canvas_from_panel.box(shape if isinstance(shape, Box) else shape.box)
        for name, shape in shapes.items()
    }
    for number, anchor in enumerate(draw.space.anchors()):
        boxes[f"what the answer has to hit {number}"] = (
            anchor if isinstance(anchor, Box) else anchor.box
        )
    for name, box in boxes.items():
        if not canvas.holds(box):
            yield f"'{name}' leaves the canvas: {box.as_list()}"
        elif min(box.width, box.height) < LEAST_SIDE_PX:
            yield f"'{name}' is {box.width:.1f} x {box.height:.1f} px"
    yield from _cut(draw, shapes)


def _cut(draw: Draw, shapes: Any) -> Iterator[str]:
    """Targets that reach out of every area of the panel: their ink would be cut."""
    areas = [box for name, box in draw.placement.boxes.items() if name != "panel"]
    for name, shape in shapes.items():
        if name.partition(".")[0] not in TARGETS:
            continue
        box = shape if isinstance(shape, Box) else shape.box
        if not any(area.grown(0.01).holds(box) for area in areas):
            yield f"'{name}' is cut by the edge of its area"


def pictures_of(made: Made) -> tuple[Any, ...]:
    """The pictures of a sample in their order, BGR."""
    parts = [np.frombuffer(made.parts[seen.part], np.uint8) for seen in made.record.observations]
    return tuple(np.asarray(cv2.imdecode(part, cv2.IMREAD_COLOR), np.uint8) for part in parts)


def _standings(made: Made, picture: Any) -> Iterator[tuple[str, float]]:
    """How much each target differs from what is around it, levels of the best channel."""
    around = AROUND_CSS * made.record.observations[0].dpr
    for region in made.record.regions:
        if region.role in TARGETS:
            x0, y0, x1, y1 = Box(*region.box).grown(around).outer_pixels()
            area = picture[max(0, y0) : y1, max(0, x0) : x1].reshape(-1, 3)
            low, high = np.percentile(area, (1, 99), axis=0)
            yield region.name, float((high - low).max())


def goal_contrast(made: Made, picture: Any) -> float:
    """The lowest WCAG contrast of the goal's lines, measured on the decoded picture."""
    region = next(r for r in made.record.regions if r.name == "goal")
    x0, y0, x1, y1 = Box(*region.box).outer_pixels()
    return text_contrast(picture[y0:y1, x0:x1])


def text_contrast(area: Any) -> float:
    """The lowest WCAG contrast of the lines of text in BGR px; 0 where there are none."""
    return min(_line_contrasts(_luminance(area)), default=0.0)


def _luminance(picture: Any) -> Any:
    """Relative luminance (WCAG 2) of a BGR picture."""
    share = picture.astype(np.float64) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])


def _line_contrasts(area: Any) -> Iterator[float]:
    ground = float(np.median(area))
    inked = (np.abs(area - ground) > 0.1).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        if last - first < 5:
            continue  # a dot or an accent between lines
        row = area[first:last]
        wide = np.flatnonzero((np.abs(row - ground) > 0.1).any(axis=0))
        line = row[:, wide[0] : wide[-1] + 1].ravel()  # a last line may be one word
        off = np.sort(np.abs(line - ground))[::-1]
        core = float(off[: max(1, round(INK_SHARE * len(off)))].mean())
        darker = ground - core if np.mean(line) < ground else ground
        yield (darker + core + 0.05) / (darker + 0.05)
