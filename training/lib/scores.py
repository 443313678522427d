"""What answers are worth: pass rates by the mechanic's own verdict, and the best constant."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from factory.core.actions import ActionBase
from factory.core.geometry import Point
from factory.core.mechanics import judge
from training.lib.answers import Amount, Answer, Spots
from training.lib.examples import Example
from training.lib.readers import Reader, constant_readers

Z_95 = 1.959964
"""Quantile of the normal distribution for two-sided intervals of 95 %."""

MOST_COMMON = 48
"""Frequent answers that are tried as constants."""

SPREAD = 64
"""Other answers of the train split that are tried as constants: for continuous answers they
lie nearer to each other than the tolerances of all our mechanics."""

TRIED_ON = 400
"""Train examples that a constant is tried on: its rate is then known to some 2 %."""

Constant = Callable[[Example], list[ActionBase]]
"""The same answer for every example, as actions."""


@dataclass(frozen=True)
class Rate:
    """``passed`` of ``n``, with the 95 % interval of Wilson."""

    passed: int
    n: int

    @property
    def value(self) -> float:
        """The share that passed."""
        return self.passed / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound."""
        return wilson(self.passed, self.n)


def wilson(passed: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """The interval of a binomial share (Wilson 1927); (0, 1) when nothing was tried."""
    if n == 0:
        return 0.0, 1.0
    share = passed / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def pass_rate(examples: Sequence[Example], actions: Callable[[Example], list[ActionBase]]) -> Rate:
    """How many examples the actions solve."""
    return Rate(sum(judge(e.mechanic, actions(e)).passed for e in examples), len(examples))


def best_constant(train: Sequence[Example]) -> Constant:
    """The one answer that solves most of the first train examples, in any form it may have."""
    tried = train[:TRIED_ON]
    constants = [
        partial(_answered, reader, answer)
        for reader in constant_readers(train[0])
        for answer in _candidates([reader.target(example) for example in train])
    ]
    return max(constants, key=lambda constant: pass_rate(tried, constant).passed)


def _answered(reader: Reader, answer: Answer, example: Example) -> list[ActionBase]:
    return reader.actions(example, answer)


def _candidates(answers: Sequence[Answer]) -> list[Answer]:
    """Frequent answers, answers spread over the split, and means where there are such."""
    common = [answer for answer, _ in Counter(answers).most_common(MOST_COMMON)]
    spread = answers[:: max(1, len(answers) // SPREAD)]
    return list(dict.fromkeys([*_means(answers), *common, *spread]))


def _means(answers: Sequence[Answer]) -> list[Answer]:
    """The median amount, or the mean places of the most frequent number of spots."""
    amounts = sorted(answer.value for answer in answers if isinstance(answer, Amount))
    if amounts:
        return [Amount(amounts[len(amounts) // 2])]
    spots = [answer.points for answer in answers if isinstance(answer, Spots)]
    if not spots:
        return []
    count, _ = Counter(map(len, spots)).most_common(1)[0]
    alike = [points for points in spots if len(points) == count]
    return [
        Spots(
            tuple(
                Point(_mean([p[k].x for p in alike]), _mean([p[k].y for p in alike]))
                for k in range(count)
            )
        )
    ]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
