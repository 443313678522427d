"""What a step's rewards say: groups that teach nothing, refusals, parts, each by domain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from factory.core.reward import Reward
from training.samples import Example

SAME = 1e-6
"""Rewards closer than this are the same: they are sums of at most three terms in [0, 1], and
become float32 on their way to the advantage."""


class GroupCounts(NamedTuple):
    """Groups of a batch, and those in which all answers were paid the same.

    The latter have no advantage and so no gradient: all right, all wrong, or otherwise equal.
    """

    groups: int
    zero_variance: int
    all_right: int
    all_wrong: int


def group_counts(rewards: Sequence[float], outcomes: Sequence[float], group: int) -> GroupCounts:
    """Count the groups of ``group`` answers each, one behind the other."""
    if group < 1 or len(rewards) % group or len(rewards) != len(outcomes):
        raise ValueError(f"{len(rewards)} rewards are no groups of {group}")
    zero = right = wrong = 0
    for start in range(0, len(rewards), group):
        own = rewards[start : start + group]
        if max(own) - min(own) > SAME:
            continue
        zero += 1
        right += all(outcome >= 1.0 for outcome in outcomes[start : start + group])
        wrong += all(outcome <= 0.0 for outcome in outcomes[start : start + group])
    return GroupCounts(len(rewards) // group, zero, right, wrong)


def measures(
    examples: Sequence[Example], scored: Sequence[Reward], refusals: Sequence[bool]
) -> dict[str, float]:
    """Means over a batch: parts of the reward, the outcome by domain, refusals.

    ``refusal_rate`` is over all questions about a place, ``over_refusal`` over those whose target
    is there; neither is given where there is no such question.
    """
    found: dict[str, float] = {}
    for part in ("format", "types", "outcome"):
        found[f"reward/{part}"] = _mean([getattr(one, part) for one in scored])
    for domain in sorted({example.domain for example in examples}):
        own = [s.outcome for e, s in zip(examples, scored, strict=True) if e.domain == domain]
        found[f"outcome/{domain}"] = _mean(own)
    places = [(e, r) for e, r in zip(examples, refusals, strict=True) if e.kind == "grounding"]
    if places:
        found["refusal_rate"] = _mean([float(said) for _, said in places])
    there = [float(said) for example, said in places if not example.refuses]
    if there:
        found["over_refusal"] = _mean(there)
    return found


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
