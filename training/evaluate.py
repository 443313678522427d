"""Evaluation: what a model or endpoint gets right, beside the best constant answer.

Rewards and verdicts are those of training (``training.rewards``), so what is trained on is what
is measured. Everything is counted by domain, by class and over all; grounding also by refusals.
Intervals are of 95 %.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import orjson

from factory.core.reward import Reward
from training import rewards
from training.benchmarks import read_benchmark, venusbench_verdict
from training.config import EvalConfig
from training.lib.scores import Z_95, Rate
from training.run_folder import RunFolder
from training.samples import Example
from training.sources import digests, open_sources
from training.stream import every_example

CONSTANTS = 24
"""Gold answers of a class that are tried as constants, evenly spread over its items."""
TRIED_ON = 200
"""Items that a constant is tried on before the best is scored on all."""


@dataclass(frozen=True)
class Scored:
    """One answer and what it was worth. ``refusable``: the right answer is a refusal."""

    key: str
    domain: str
    type: str
    kind: str
    text: str
    passed: bool
    format: float
    types: float
    reward: float
    reason: str
    refused: bool
    refusable: bool


class Asked(Protocol):
    """The part of an example that scoring needs."""

    key: str
    domain: str
    type: str
    kind: str
    payload: Mapping[str, Any]


def judged(example: Any, text: str) -> Reward:
    """The reward of a text: a benchmark's item by its rules, anything else by ours."""
    if example.payload.get("benchmark"):
        right, reason = venusbench_verdict(example.payload, text)
        form = float(reason != "no_single_action_block")
        return Reward(float(right), form, 0.0, float(right), reason)
    return rewards.score(example, text)


def scored(example: Any, text: str) -> Scored:
    """An answer with its score."""
    worth = judged(example, text)
    place = example.kind == "grounding"
    return Scored(
        key=example.key,
        domain=example.domain,
        type=example.type,
        kind=example.kind,
        text=text,
        passed=worth.outcome >= 1.0,
        format=worth.format,
        types=worth.types,
        reward=worth.total,
        reason=worth.reason,
        refused=rewards.refused(example, text),
        refusable=place and not example.payload["mechanic"]["boxes"],
    )


def evaluate(config: EvalConfig) -> dict[str, Any]:
    """Ask, score, write the folder; returns the summary, which is ``scores.json`` too."""
    from training.respond import responder

    data = digests(open_sources(config.data)) if config.data else []
    folder = RunFolder.open(config, config.out, data)
    respond = responder(config)
    answers: list[Scored] = []
    held: list[Held] = []
    with (config.out / "answers.jsonl").open("wb") as file:
        for batch in _batches(examples_for(config), config.batch):
            for example, text in zip(batch, respond(batch), strict=True):
                one = scored(example, text)
                file.write(orjson.dumps(asdict(one), option=orjson.OPT_APPEND_NEWLINE))
                answers.append(one)
                held.append(Held.of(example))
    summary = {**summarise(answers), "constant": summarise(constant_answers(held))["domains"]}
    (config.out / "failures.txt").write_text(failures(answers))
    (config.out / "scores.json").write_bytes(orjson.dumps(summary, option=orjson.OPT_INDENT_2))
    folder.finish({"items": len(answers), "micro": summary["micro"]})
    return summary


def examples_for(config: EvalConfig) -> Iterable[Example]:
    """What is asked."""
    if config.benchmark is not None:
        return read_benchmark(config.benchmark)
    assert config.data is not None
    return every_example(config.data, config.per_class)


def _batches(examples: Iterable[Example], size: int) -> Iterator[list[Example]]:
    rest = iter(examples)
    while batch := list(islice(rest, size)):
        yield batch


@dataclass(frozen=True)
class Held:
    """An example without its pictures: what the constant answer is tried on."""

    key: str
    domain: str
    type: str
    kind: str
    payload: Mapping[str, Any]
    response: str

    @classmethod
    def of(cls, example: Example) -> Held:
        """Drop the pictures."""
        return cls(
            example.key, example.domain, example.type, example.kind, example.payload,
            example.response,
        )  # fmt: skip


def constant_answers(held: Sequence[Held]) -> list[Scored]:
    """Every item answered by the best constant of its class: the score without looking.

    The constant is chosen on the items themselves, which flatters it.
    """
    groups: defaultdict[tuple[str, str, str], list[Held]] = defaultdict(list)
    for one in held:
        groups[one.domain, one.type, one.kind].append(one)
    answers: list[Scored] = []
    for group in groups.values():
        constant = best_constant(group)
        answers += [scored(one, constant) for one in group]
    return answers


def best_constant(group: Sequence[Held]) -> str:
    """The gold answer of the group that is right for most of it."""
    golds = [one.response for one in group if one.response]
    frequent = [text for text, _ in Counter(golds).most_common(3)]
    spread = golds[:: max(1, len(golds) // CONSTANTS)]
    tried = group[:: max(1, len(group) // TRIED_ON)]
    tries = list(dict.fromkeys([*frequent, *spread])) or [""]
    return max(tries, key=lambda text: sum(scored(one, text).passed for one in tried))


def summarise(answers: Sequence[Scored]) -> dict[str, Any]:
    """Counts over all and by domain."""
    domains: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in answers:
        domains[one.domain].append(one)
    return {**_group(answers), "domains": {name: _group(domains[name]) for name in sorted(domains)}}


def _group(answers: Sequence[Scored]) -> dict[str, Any]:
    classes: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in answers:
        classes[one.type].append(one)
    rates = {name: _rate(group) for name, group in sorted(classes.items())}
    return {
        "items": len(answers),
        "micro": shown(_rate(answers)),
        "macro": _macro(list(rates.values())),
        "reward": _mean([one.reward for one in answers]),
        "format": _mean([one.format for one in answers]),
        "types": _mean([one.types for one in answers]),
        "reasons": dict(Counter(one.reason for one in answers).most_common()),
        "classes": {name: shown(rate) for name, rate in rates.items()},
        **_refusals(answers),
    }


def _refusals(answers: Sequence[Scored]) -> dict[str, Any]:
    """Refusals where they are right, and where they are not; for places only."""
    places = [one for one in answers if one.kind == "grounding"]
    if not places:
        return {}
    absent = [one.refused for one in places if one.refusable]
    present = [one.refused for one in places if not one.refusable]
    return {
        "refused": shown(Rate(sum(absent), len(absent))),
        "over_refused": shown(Rate(sum(present), len(present))),
        "present": shown(_rate([one for one in places if not one.refusable])),
    }


def _rate(answers: Sequence[Scored]) -> Rate:
    return Rate(sum(one.passed for one in answers), len(answers))


def shown(rate: Rate) -> dict[str, float | int]:
    """A rate with its interval, for JSON."""
    low, high = rate.interval
    return {
        "passed": rate.passed,
        "n": rate.n,
        "rate": round(rate.value, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _macro(rates: Sequence[Rate]) -> dict[str, float]:
    """The mean over classes, with a normal interval from the classes' own variances."""
    if not rates:
        return {"rate": 0.0, "low": 0.0, "high": 1.0, "classes": 0}
    mean = sum(rate.value for rate in rates) / len(rates)
    variance = sum(rate.value * (1 - rate.value) / rate.n for rate in rates) / len(rates) ** 2
    half = Z_95 * variance**0.5
    return {
        "rate": round(mean, 4),
        "low": round(max(0.0, mean - half), 4),
        "high": round(min(1.0, mean + half), 4),
        "classes": len(rates),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def failures(answers: Sequence[Scored]) -> str:
    """The keys of records that were answered wrong, one a line, for the gallery."""
    keys = dict.fromkeys(one.key.partition("#")[0] for one in answers if not one.passed)
    return "".join(f"{key}\n" for key in keys)


def table(summary: Mapping[str, Any]) -> str:
    """The summary as a small table."""
    lines = [f"{'domain':24} {'items':>6} {'right':>6}  {'95 %':13} {'macro':>6} {'constant':>8}"]
    for name, group in summary["domains"].items():
        micro, constant = group["micro"], summary["constant"][name]["micro"]
        lines.append(
            f"{name:24} {group['items']:6} {micro['rate']:6.3f}  "
            f"{micro['low']:.3f}..{micro['high']:.3f}  {group['macro']['rate']:6.3f} "
            f"{constant['rate']:8.3f}"
        )
        if "refused" in group:
            lines.append(
                f"{'':24} refused where nothing fits {group['refused']['rate']:.3f}, "
                f"where something does {group['over_refused']['rate']:.3f}"
            )
    return "\n".join(lines)


def read_failures(folder: Path) -> list[str]:
    """The keys that an evaluation left for the gallery."""
    return (folder / "failures.txt").read_text().split()
