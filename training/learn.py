"""Does a class teach anything? A small model against the best constant, judged by the mechanic.

``learn`` trains a net of half a million weights on examples of the train split and asks
for its pass rate on other splits and other sources. The figures compare between classes, since
a pass is what the puzzle itself accepts. What counts as learning is strict: the 95 %
interval of the model lies above that of the best constant answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training.lib.examples import Example
from training.lib.fit import ROUNDS, THREADS, Fitted, fit
from training.lib.readers import reader_of
from training.lib.scores import Rate, best_constant, pass_rate

SAME = "same"
"""Name of the test that decides: the test split, of the sources of the train split."""


@dataclass(frozen=True)
class Figures:
    """Pass rates on one test."""

    model: Rate
    constant: Rate

    @property
    def learned(self) -> bool:
        """Whether the intervals are apart, the model's above."""
        return self.model.interval[0] > self.constant.interval[1]

    def as_dict(self) -> dict[str, Any]:
        """For JSON: counts, shares and intervals."""
        return {"n": self.model.n, "model": _shown(self.model), "constant": _shown(self.constant)}


def _shown(rate: Rate) -> dict[str, Any]:
    low, high = rate.interval
    return {"passed": rate.passed, "rate": round(rate.value, 4),
            "low": round(low, 4), "high": round(high, 4)}  # fmt: skip


@dataclass(frozen=True)
class Learned:
    """What came out: figures by test, and what it took."""

    mechanic: str
    answer: str
    train: int
    rounds: int
    parameters: int
    cpu_s: float
    tests: Mapping[str, Figures]

    @property
    def learns(self) -> bool:
        """Whether the model beats the constant on the test split."""
        return self.tests[SAME].learned

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "learns": self.learns,
            "mechanic": self.mechanic,
            "answer": self.answer,
            "train": self.train,
            "rounds": self.rounds,
            "parameters": self.parameters,
            "cpu_s": round(self.cpu_s),
            "tests": {name: figures.as_dict() for name, figures in self.tests.items()},
        }


def learn(
    train: Sequence[Example],
    tests: Mapping[str, Sequence[Example]],
    *,
    seed: int = 0,
    cpu_s: float = 180.0,
    rounds: int = ROUNDS,
    threads: int = THREADS,
) -> Learned:
    """Train on ``train`` and look at every test; ``tests`` must hold ``SAME``.

    A class that has several mechanics is looked at with its most frequent one. ``cpu_s`` is
    processor time, over all threads.
    """
    begun = time.process_time()
    (asked, _), *_ = Counter(map(_asks, train)).most_common(1)
    train = [example for example in train if _asks(example) == asked]
    tests = {name: [e for e in test if _asks(e) == asked] for name, test in tests.items()}
    constant = best_constant(train)
    left_s = cpu_s - (time.process_time() - begun)
    fitted = fit(train, seed=seed, cpu_s=left_s, rounds=rounds, threads=threads)
    figures = {
        name: Figures(model=_model_rate(fitted, test), constant=pass_rate(test, constant))
        for name, test in tests.items()
    }
    return Learned(
        mechanic=train[0].tag,
        answer=reader_of(train[0]).kind,
        train=len(train),
        rounds=fitted.rounds,
        parameters=fitted.parameters,
        cpu_s=time.process_time() - begun,
        tests=figures,
    )


def _asks(example: Example) -> tuple[str, str]:
    """The mechanic, and the kind of answer that it wants."""
    return example.tag, reader_of(example).kind


def _model_rate(fitted: Fitted, test: Sequence[Example]) -> Rate:
    actions = iter(fitted.actions(test))
    return pass_rate(test, lambda example: next(actions))
