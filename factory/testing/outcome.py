"""What a check may look at, and what it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

ALPHA = 1e-4
"""Level of every statistical check: keys are fixed, so a check that passes once always does."""


EXCESS = 1.5
"""By how much a constant or foreign answer may beat plain chance, before luck is counted: places
keep off edges and ranges follow placement, so that answers are a little denser than even."""


MOST_FAULTS = 40
"""Faults that an outcome keeps."""

REMADE = 4
"""Samples of a class that are made again in other processes."""

Digests = dict[str, dict[str, str]]
"""SHA-256 by key and part."""


@dataclass(frozen=True)
class Budget:
    """How much a check may look at: rendered samples, states, and states judged one by one.

    ``pictures`` are slots that are painted and encoded without a page.
    """

    renders: int
    states: int
    judged: int
    pictures: int


QUICK = Budget(renders=8, states=2000, judged=60, pictures=300)
"""Seconds a class, for every test run."""

LONG = Budget(renders=500, states=10_000, judged=500, pictures=2000)
"""Minutes a class."""


@dataclass(frozen=True)
class Outcome:
    """What a check found. ``skipped`` says that its means were absent: neither good nor bad.

    ``evidence`` is for people; ``faults`` are the first ``MOST_FAULTS`` one by one.
    """

    ok: bool
    evidence: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    skipped: bool = False
    faults: tuple[str, ...] = ()


def outcome(faults: Iterable[str], good: str, **figures: Any) -> Outcome:
    """Ok when there are no faults; else the first three and their number."""
    found = list(faults)
    if not found:
        return Outcome(True, good, figures)
    more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
    evidence = "; ".join(found[:3]) + more
    return Outcome(False, evidence, figures, faults=tuple(found[:MOST_FAULTS]))
