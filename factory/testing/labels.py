"""C8, C13: labels over thousands of states, and what the class says of itself."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

from factory.core.mechanics import judge
from factory.testing.answers import answers
from factory.testing.statistics import binomial_ceiling, independence_tail, uniform_tail
from factory.testing.subject import ALPHA, Budget, Draw, Outcome, Subject, outcome

BINS = 20
"""Bins of the label's range; 100 labels a bin in the quick budget."""

COARSE_BINS = 6
"""Bins of the label against another factor."""

CONSTANTS = 48
"""Constant answers that are tried along the line."""

MOST_OPTIONS = 16
"""A whole-number or text field of the state with at most so many values is a choice."""

SECTIONS = ("Rule", "Answer", "Validity", "Source")


def spread(subject: Subject, budget: Budget) -> Outcome:
    """C8: labels fill their declared range evenly, whatever else holds, and none is favoured."""
    draws = subject.draws(budget.states)
    shares = [subject.place(draw) for draw in draws]
    best, chance, ceiling = _best_constant(subject, draws)
    faults: list[str] = []
    if best > ceiling:
        faults.append(f"one constant answer passes {best} of {len(draws)}, chance allows {ceiling}")
    outside = list(_outside(draws, shares))
    tails = [] if outside else _tails(draws, shares)
    lowest = min((p for _, p in tails), default=0.0)
    faults += outside
    faults += [f"labels are not even {name}: p = {p:.1e}" for name, p in tails if p < ALPHA]
    faults += _unreached(draws)
    faults += _moved_by_rejection(subject, draws[: budget.judged])
    return outcome(
        faults,
        f"{len(draws)} labels, lowest p {lowest:.3f}, best constant {best / len(draws):.1%}",
        lowest_p=round(lowest, 5),
        best_constant=round(best / len(draws), 4),
        chance=round(chance, 4),
    )


def _outside(draws: list[Draw], shares: list[float]) -> Iterator[str]:
    for draw, share in zip(draws, shares, strict=True):
        if not -1e-6 <= share <= 1 + 1e-6:
            yield f"{draw.key}: the label lies at {share:.3f} of its declared range"


def _tails(draws: list[Draw], shares: list[float]) -> list[tuple[str, float]]:
    """p-values of evenness alone and of independence of what else the sample has."""
    bins = [min(COARSE_BINS - 1, int(share * COARSE_BINS)) for share in shares]
    factors: dict[str, list[Hashable]] = {
        "across viewports": [d.plan.plate.facts["viewport"] for d in draws],
        "across contexts": [d.plan.plate.context for d in draws],
        "across languages": [d.plan.plate.lang for d in draws],
        "across contents": [d.plan.content_kind for d in draws],
        "across difficulties": [int(d.plan.difficulty * 5) for d in draws],
        "across panel positions": [_quarter(d) for d in draws],
        "across indices": [d.key.index % 4 for d in draws],
    }
    factors |= {f"across {name}": values for name, values in _choices(draws).items()}
    return [
        ("in their range", uniform_tail(shares, BINS)),
        *(
            (name, independence_tail(list(zip(bins, v, strict=True))))
            for name, v in factors.items()
        ),
    ]


def _quarter(draw: Draw) -> tuple[int, int]:
    """Which ninth of the canvas the panel's corner lies in."""
    x, y = draw.placement.canvas_from_panel((0.0, 0.0))
    return int(3 * x / draw.placement.width_px), int(3 * y / draw.placement.height_px)


def _choices(draws: list[Draw]) -> dict[str, list[Hashable]]:
    """Fields of the states that are choices, with their values in draw order."""
    columns: dict[str, list[Any]] = {}
    for draw in draws:
        for name, value in draw.state:
            if isinstance(value, int | str):
                columns.setdefault(name, []).append(value)
    return {name: values for name, values in columns.items() if len(set(values)) <= MOST_OPTIONS}


def _unreached(draws: list[Draw]) -> Iterator[str]:
    """Choices that always fall the same way, or one of whose options hardly comes."""
    columns: dict[str, list[Hashable]] = {
        "content": [draw.plan.content_kind for draw in draws], **_choices(draws)
    }  # fmt: skip
    for name, values in columns.items():
        counts = Counter(values)
        rarest = min(counts.values())
        if len(counts) == 1:
            yield f"'{name}' is always {values[0]!r}"
        elif name != "content" and rarest < len(draws) / len(counts) / 4:
            yield f"'{name}' has an option that came {rarest} times in {len(draws)}"


def _moved_by_rejection(subject: Subject, draws: list[Draw]) -> Iterator[str]:
    for draw in draws:
        labels = {
            subject.puzzle.label(subject.puzzle.sample(subject.scene(draw.key, attempt)))
            for attempt in range(4)
        }
        if len(labels) > 1:
            yield f"{draw.key}: three rejections move the label: {sorted(labels)}"


def _best_constant(subject: Subject, draws: list[Draw]) -> tuple[int, float, int]:
    """``(passes of the best constant answer, chance, most by chance)``.

    Constants are shares of the line and lengths in the judged unit; the level
    is divided among them, for the best of many is looked at.
    """
    lines = [answers(draw.mechanic) for draw in draws]
    ranges = [subject.puzzle.label_range(draw.scene) for draw in draws]
    pairs = zip(lines, ranges, strict=True)
    chance = sum(line.window / (high - low) for line, (low, high) in pairs) / len(draws)
    longest = max(line.length for line in lines)
    best = 0
    for step in range(1, CONSTANTS):
        share = step / CONSTANTS
        for places in ([share] * len(draws), [share * longest / line.length for line in lines]):
            passes = sum(
                judge(draw.mechanic, line.at(place, draw.gold)).passed
                for draw, line, place in zip(draws, lines, places, strict=True)
            )
            best = max(best, passes)
    return best, chance, binomial_ceiling(len(draws), chance, ALPHA / (2 * CONSTANTS))


def documented(subject: Subject, budget: Budget) -> Outcome:
    """C13: the class's documentation has its four sections, each with a text."""
    cls = type(subject.puzzle)
    text = "\n".join([cls.__doc__ or "", sys.modules[cls.__module__].__doc__ or ""])
    faults = [f"no section '{name}'" for name in SECTIONS if not _section(text, name)]
    return outcome(faults, ", ".join(SECTIONS))


def _section(text: str, name: str) -> str:
    """The indented text under a heading, or nothing."""
    lines = text.splitlines()
    if name not in lines:
        return ""
    below = lines[lines.index(name) + 1 :]
    return below[0].strip() if below and below[0].startswith("    ") else ""
