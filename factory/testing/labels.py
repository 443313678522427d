"""C8: labels have the distribution that the class declares, whatever else holds."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from factory.core.errors import Rejected
from factory.core.puzzle import Choice, Label, Uniform
from factory.testing.outcome import ALPHA, EXCESS, Budget, Outcome, outcome
from factory.testing.statistics import (
    binomial_ceiling,
    fit_tail,
    independence_tail,
    uniform_tail,
)
from factory.testing.subject import Draw, Subject, by_mechanic

BINS = 20
"""Bins of a label's range; 100 labels a bin in the quick budget."""

COARSE_BINS = 6
"""Bins of a label against another factor."""

LEAST_IN_BIN = 20
"""Labels that a bin or option has to expect before its count says something."""

REJECTIONS = 3
"""Forced rejections that may not move a label."""

ROUNDING = 1e-6
"""States are rounded to six digits, so a label may pass its bound by that much."""

Column = list[tuple[Draw, Label]]
"""A label over the draws that have it."""


def spread(subject: Subject, budget: Budget) -> Outcome:
    """C8: labels follow their declared distribution, and no constant answer is favoured."""
    draws = subject.draws(budget.states)
    columns = _columns(subject, draws)
    faults = [] if columns else ["labels() declares nothing"]
    tails: list[Tail] = []
    for name, column in columns.items():
        outside = list(_outside(name, column))
        faults += outside
        if not outside:
            tails += _tails(name, column)
            faults += _unreached(name, column)
    faults += [f"labels are not even {name}: p = {p:.1e}" for name, p, level in tails if p < level]
    faults += _moved_by_rejection(subject, draws[: budget.judged])
    passes, tried, chance, unlucky = _best_constant(subject, draws)
    faults += unlucky
    lowest = min((p for _, p, _ in tails), default=0.0)
    return outcome(
        faults,
        f"{len(draws)} draws of {', '.join(columns)}: lowest p {lowest:.3f}, best constant "
        f"{passes / tried:.1%}, chance {chance:.1%}",
        lowest_p=round(lowest, 5),
        best_constant=round(passes / tried, 4),
        chance=round(chance, 4),
    )


def _columns(subject: Subject, draws: Sequence[Draw]) -> dict[str, Column]:
    columns: dict[str, Column] = defaultdict(list)
    for draw in draws:
        for name, label in subject.labels(draw).items():
            columns[name].append((draw, label))
    return dict(columns)


def _outside(name: str, column: Column) -> Iterator[str]:
    for draw, label in column:
        if isinstance(label, Uniform):
            slack = ROUNDING * max(1.0, abs(label.high))
            if not label.low - slack <= label.value <= label.high + slack:
                yield f"{draw.key}: '{name}' is {label.value:.4f}, outside its declared " + (
                    f"range [{label.low:.4f}, {label.high:.4f}]"
                )
        elif not 0 <= label.value < label.options or (
            label.weights and len(label.weights) != label.options
        ):
            yield f"{draw.key}: '{name}' is option {label.value} of {label.options}"


def share_of(label: Label) -> float:
    """Where a label lies among its values, in [0, 1)."""
    if isinstance(label, Choice):
        return label.value / label.options
    span = label.high - label.low
    return min(1.0 - 1e-9, max(0.0, (label.value - label.low) / span)) if span > 0 else 0.0


Tail = tuple[str, float, float]
"""What was tested, its p-value and the level: one for a distribution, shared among the factors."""


def _tails(name: str, column: Column) -> list[Tail]:
    """p-values of a label's own distribution and of independence of what else the sample has."""
    found: list[Tail] = []
    even = [share_of(v) for _, v in column if isinstance(v, Uniform) and v.high > v.low]
    bins = min(BINS, len(even) // LEAST_IN_BIN)
    if bins >= 2:
        found.append((f"in the range of '{name}'", uniform_tail(even, bins), ALPHA))
    for weights, values in _options(column).items():
        counts = Counter(values)
        observed = [counts[option] for option in range(len(weights))]
        found.append((f"among the options of '{name}'", fit_tail(observed, weights), ALPHA))
    for group in _alike(column):
        levels = [_level(label) for _, label in group]
        for factor, of in FACTORS.items():
            pairs = list(zip(levels, [of(draw) for draw, _ in group], strict=True))
            tail = independence_tail(pairs)
            found.append((f"in '{name}' across {factor}", tail, ALPHA / len(FACTORS)))
    return found


def _level(label: Label) -> int:
    """A coarse value: an option, or a bin of the range."""
    if isinstance(label, Choice) and label.options <= 2 * COARSE_BINS:
        return label.value
    return int(share_of(label) * COARSE_BINS)


def _alike(column: Column) -> Iterator[Column]:
    """Draws whose label has one and the same declared form, where there are enough of them."""
    groups: dict[Hashable, Column] = defaultdict(list)
    for draw, label in column:
        form = (label.options, label.weights) if isinstance(label, Choice) else "even"
        groups[form].append((draw, label))
    for group in groups.values():
        if len(group) >= 2 * COARSE_BINS * LEAST_IN_BIN:
            yield group


def _quarter(draw: Draw) -> tuple[int, int]:
    """Which ninth of the canvas the panel's corner lies in."""
    x, y = draw.placement.canvas_from_panel((0.0, 0.0))
    return int(3 * x / draw.placement.width_px), int(3 * y / draw.placement.height_px)


FACTORS = {
    "viewports": lambda draw: draw.plan.plate.facts["viewport"],
    "contexts": lambda draw: draw.plan.plate.context,
    "languages": lambda draw: draw.plan.plate.lang,
    "themes": lambda draw: draw.plan.plate.theme,
    "contents": lambda draw: draw.plan.content_kind,
    "difficulties": lambda draw: int(draw.plan.difficulty * 5),
    "panel positions": _quarter,
    "submit buttons": lambda draw: draw.placement.submit is not None,
    "indices": lambda draw: draw.key.index % 4,
}
"""What a label has to be independent of."""


def _options(column: Column) -> Mapping[tuple[float, ...], list[int]]:
    """Values of a choice by its declared weights, where each option expects enough of them."""
    groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for _, label in column:
        if isinstance(label, Choice) and label.options > 1:
            weights = label.weights or (1.0,) * label.options
            total = math.fsum(weights)
            groups[tuple(weight / total for weight in weights)].append(label.value)
    return {
        weights: values
        for weights, values in groups.items()
        if min((w for w in weights if w > 0), default=0.0) * len(values) >= LEAST_IN_BIN
    }


def _unreached(name: str, column: Column) -> Iterator[str]:
    """Labels that always fall the same way, and options that never come."""
    values = {share_of(label) for _, label in column}
    varied = any(
        label.options > 1 if isinstance(label, Choice) else label.high > label.low
        for _, label in column
    )
    if len(values) == 1 and len(column) > LEAST_IN_BIN and varied:
        yield f"'{name}' is always {column[0][1].value}"
    for weights, seen in _options(column).items():
        never = [n for n, weight in enumerate(weights) if weight > 0 and n not in set(seen)]
        if never:
            yield f"options {never} of '{name}' never come in {len(seen)} draws"


def _moved_by_rejection(subject: Subject, draws: Sequence[Draw]) -> Iterator[str]:
    for draw in draws:
        seen: dict[str, set[Any]] = defaultdict(set)
        for attempt in range(REJECTIONS + 1):
            scene = subject.scene(draw.key, attempt)
            try:
                state = subject.puzzle.sample(scene)
            except Rejected:
                continue
            for name, label in subject.puzzle.labels(state, scene).items():
                if label.fixed:
                    seen[name].add(label.value)
        for name, values in seen.items():
            if len(values) > 1:
                yield f"{draw.key}: three rejections move the label '{name}': {sorted(values)}"


def _best_constant(subject: Subject, draws: Sequence[Draw]) -> tuple[int, int, float, list[str]]:
    """``(passes, tried, chance, faults)`` of the best constant answers.

    They are chosen on every other draw and judged on the rest; the level is divided
    among them, for the best of many is looked at.
    """
    faults: list[str] = []
    best_passes, best_tried, chances = 0, 1, []
    for own in by_mechanic(draws):
        learnt, judged = own[::2], own[1::2] or own
        constants = type(own[0].space).constants([draw.space for draw in learnt])
        room = subject.room(own)
        chance = math.fsum(draw.space.chance(room) for draw in judged) / len(judged)
        chances.append(chance * len(own))
        level = ALPHA / max(1, len(constants))
        blind = math.fsum(draw.space.blind() for draw in judged) / len(judged)
        ceiling = binomial_ceiling(len(judged), min(1.0, max(EXCESS * chance, blind)), level)
        passes = max((_passes(constant, judged) for constant in constants), default=0)
        if passes / len(judged) >= best_passes / best_tried:
            best_passes, best_tried = passes, len(judged)
        if passes > ceiling:
            faults.append(
                f"one constant answer passes {passes} of {len(judged)}, chance allows {ceiling}"
            )
    return best_passes, best_tried, math.fsum(chances) / len(draws), faults


def _passes(constant: Any, draws: Sequence[Draw]) -> int:
    answers = ((draw.space, constant(draw.space)) for draw in draws)
    return sum(answer is not None and space.passes(answer) for space, answer in answers)
