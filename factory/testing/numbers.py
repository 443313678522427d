"""C10: the reasoning states nothing but true numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from factory.core.actions import Type, point_names
from factory.core.geometry import GRID, Point
from factory.core.geometry import to_grid as cell_of
from factory.core.wording import Space, render_reasoning
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.subject import Draw, Subject

NUMBER = re.compile(r"\d+")

ART = {"picture", "asset", "seed", "scene", "look", "style", "background", "paper"}
"""Fields of a state that describe art: their numbers are no facts of the answer."""


def stated(subject: Subject, budget: Budget) -> Outcome:
    """C10: every number in the reasoning is one of the state, the gold or the panel."""
    faults: list[str] = []
    numbers = 0
    spaces: tuple[Space, ...] = ("grid999", "px")
    for draw in subject.draws(budget.states):
        width, height = draw.placement.width_px, draw.placement.height_px
        facts, shapes = _facts(draw), _shapes(subject, draw)
        for lang in sorted(subject.puzzle.wording.reasoning):
            steps = subject.puzzle.explain(
                draw.state, draw.mechanic, draw.gold, draw.scene.rng, lang
            )
            for space in spaces:
                text = render_reasoning(steps, lang=lang, width=width, height=height, space=space)
                found = [int(number) for number in NUMBER.findall(text)]
                numbers += len(found)
                stale = set(found) - facts - _coordinates(draw, space, shapes)
                if stale:
                    faults.append(f"{draw.key}: {sorted(stale)} in {text!r} is true of nothing")
    return outcome(faults, f"{numbers} numbers, each with its value", numbers=numbers)


def _facts(draw: Draw) -> set[int]:
    """Whole numbers that are true of the answer: of the state, its lists, and the gold."""
    state = draw.state.model_dump(mode="json")
    true = {round(abs(value)) for value in _numbers(state)} | set(_counts(state))
    true |= {round(value) for value in draw.space.facts(draw.space.solved)}
    typed = [action.content for action in draw.gold if isinstance(action, Type)]
    true |= {int(number) for text in typed for number in NUMBER.findall(text)}
    return true | {len(draw.gold), *range(1, len(draw.gold) + 1)}


def _shapes(subject: Subject, draw: Draw) -> list[Point]:
    """Centres of the artwork's regions, canvas px."""
    place = draw.placement
    regions = subject.puzzle.draw(draw.state, place).regions.values()
    return [place.canvas_from_panel(region.center) for region in regions]


def _coordinates(draw: Draw, space: Space, shapes: Sequence[Point]) -> set[int]:
    """Coordinates of the gold and of regions, and lengths of drags, in a space."""
    width, height = draw.placement.width_px, draw.placement.height_px
    true: set[int] = set()
    ends = [[getattr(a, name) for name in point_names(type(a))] for a in draw.gold]
    for points in (*ends, *([point] for point in shapes)):
        cells = [
            (cell_of(x, width), cell_of(y, height)) if space == "grid999" else (round(x), round(y))
            for x, y in points
        ]
        true |= {value for cell in cells for value in cell}
        if len(cells) == 2:
            true |= {abs(a - b) for a, b in zip(*cells, strict=True)}
    for length in draw.space.lengths():
        there = length * GRID / width if space == "grid999" else length
        # Two rounded ends lie up to one unit nearer or farther than the length between them.
        true |= {math.floor(there), math.ceil(there), math.floor(there) - 1, math.ceil(there) + 1}
    return true


def _numbers(state: dict[str, Any]) -> Iterator[float]:
    """Numbers of a state that are facts of the answer, and those in its texts.

    At the top all of them; further in, whole ones that do not describe art (see ``ART``): with
    hundreds of coordinates any number would be true of something.
    """
    for name, value in state.items():
        if isinstance(value, float) and math.isfinite(value):
            yield value
        elif name not in ART:
            yield from _whole(value)


def _whole(value: Any) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, str):
        yield from (int(number) for number in NUMBER.findall(value))
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in ART:
                yield from _whole(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _whole(inner)


def _counts(value: Any) -> Iterator[int]:
    """How many entries the lists of a state have, and how many of them are alike in a field."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _counts(inner)
    elif isinstance(value, list):
        yield len(value)
        fields: dict[Any, int] = {}
        for inner in value:
            yield from _counts(inner)
            pairs = inner.items() if isinstance(inner, dict) else [("", inner)]
            for pair in pairs:
                if isinstance(pair[1], str | int | bool):
                    fields[pair] = fields.get(pair, 0) + 1
        yield from fields.values()
