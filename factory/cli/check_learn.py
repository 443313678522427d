"""``factory check --learn``: what a small model learns of a class, against the best constant.

Training may not see the engine, so the examples are made here and handed over.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from factory.core.errors import (
    AttemptsExhausted,
    DependencyMissing,
    InvalidOptions,
    VerificationFailed,
)

if TYPE_CHECKING:
    from factory.engine.studio import Studio
    from training.learn import Learned
    from training.lib.examples import Example

LEAST_SAMPLES = 200
"""Fewer train examples teach nothing about a class."""

MAKING_SHARE = 0.5
"""Share of the minutes after which no more train examples are made: slow classes get fewer."""

TEST_SAMPLES = 400
"""Examples of each test: intervals of 95 % are then 10 points wide at most."""

VIEWPORT = "1280x800"
"""The model sees the panel only, so one canvas does, and the quickest."""

PICTURED = frozenset({"emoji3d", "icon", "photo", "user"})
"""Kinds of content that show one object or were photographed; the others are drawn scenes."""

REPORTS = Path(__file__).parents[2] / "docs" / "learnability"
"""Where ``--write`` puts the figures for the documentation."""

TESTS = {
    "seen": "fresh samples of the train split: templates, fonts and contents that were trained on",
    "same": "the test split, content of the kinds that were trained on",
    "other": "the test split, content of kinds that were not trained on",
}
"""What the tests are."""


def held_out(kinds: Sequence[str]) -> list[str]:
    """The kinds of content to keep for the test: pictured objects, or the last kind.

    None when there is one kind only.
    """
    pictured = [kind for kind in kinds if kind in PICTURED]
    if pictured and len(pictured) < len(kinds):
        return pictured
    return list(kinds[1:][-1:])


def check_learn(
    name: str, *, samples: int, minutes: float, echo: Callable[[str], None]
) -> dict[str, Any]:
    """The figures of a class as they are written to ``docs/learnability``.

    ``DependencyMissing`` without torch.
    """
    if find_spec("torch") is None:
        raise DependencyMissing(
            "`factory check --learn` trains a model and torch is not installed; run `make "
            "train-extra` or `pip install 'gui-data-factory[train]'`"
        )
    from training.learn import learn

    begun = time.process_time()
    studio, other = _studio(name)
    drawn = [kind for kind in studio.contents("train") if kind not in other]
    tests, first = _tests(studio, drawn, other)
    until = begun + MAKING_SHARE * minutes * 60
    train, _ = _examples(studio, "train", samples, drawn, first, until_cpu_s=until)
    made_s = time.process_time() - begun
    if len(train) < LEAST_SAMPLES:
        raise InvalidOptions(
            f"{len(train)} train examples of {name} were made in {made_s:.0f} s of processor time, "
            f"and {LEAST_SAMPLES} are the least; raise --learn-minutes {minutes:g}"
        )
    echo(f"{name}: {len(train)} train examples made in {made_s:.0f} s of processor time")
    learned = learn(train, tests, cpu_s=minutes * 60 - made_s)
    return {
        **_report(studio, learned),
        "sources": {"train": drawn, "other": other},
        "made_s": round(made_s),
    }


def _studio(name: str) -> tuple[Studio, list[str]]:
    """The studio of a class, and the kinds of content that are held out."""
    from factory.config import RunConfig
    from factory.engine.generate import complete
    from factory.engine.studio import Studio

    config = RunConfig.build(type=name, n=1, allow_repeats=True, viewports={VIEWPORT: 1.0})
    studio = Studio.open(complete(config))
    return studio, held_out(list(studio.contents("train")))


def _tests(
    studio: Studio, drawn: list[str], other: list[str]
) -> tuple[dict[str, list[Example]], int]:
    """The examples of every test, and the first index of the train split that is free."""
    seen, first = _examples(studio, "train", TEST_SAMPLES, drawn, 0)
    same, _ = _examples(studio, "test", TEST_SAMPLES, drawn, 0)
    tests = {"seen": seen, "same": same}
    if set(other) & set(studio.contents("test")):
        tests["other"], _ = _examples(studio, "test", TEST_SAMPLES, other, 0)
    return tests, first


def _examples(
    studio: Studio,
    split: str,
    n: int,
    kinds: Sequence[str],
    index: int,
    *,
    until_cpu_s: float = float("inf"),
) -> tuple[list[Example], int]:
    """``n`` examples whose content is of the kinds, from an index on, and the index after them."""
    from factory.engine.make import make_record
    from training.lib.examples import example_of

    found: list[Example] = []
    while len(found) < n and time.process_time() < until_cpu_s:
        key, index = studio.key(split, index), index + 1
        if studio.plan(key).content_kind not in kinds:
            continue
        try:
            made = make_record(key, studio)
        except (AttemptsExhausted, VerificationFailed):
            continue  # holes are told by the other checks
        images = [made.parts[seen.part] for seen in made.record.observations]
        found.append(example_of(images, made.record))
    return found, index


def _report(studio: Studio, learned: Learned) -> dict[str, Any]:
    rates = {name: figures.model.value for name, figures in learned.tests.items()}
    gap = round(rates["same"] - rates["other"], 4) if "other" in rates else None
    return {
        "class": studio.puzzle.id,
        "generator": studio.generator,
        **learned.as_dict(),
        "gap": gap,
        "small_model_reach": studio.puzzle.small_model_reach,
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("torch", "numpy")},
        },
    }


def passes(report: Mapping[str, Any]) -> bool:
    """Whether the class teaches something, or declares that a small model cannot be taught."""
    return report["learns"] or not report["small_model_reach"]


def word_for(report: Mapping[str, Any]) -> str:
    """The verdict in a few words."""
    if report["learns"]:
        return "learns"
    if not report["small_model_reach"]:
        return "out of a small model's reach, as declared"
    return "DOES NOT LEARN"


def table(report: Mapping[str, Any]) -> list[str]:
    """The figures as lines for a terminal."""
    lines = [
        f"{report['class']}: {word_for(report)} ({report['train']} examples, "
        f"{report['rounds']} rounds, {report['parameters'] / 1e6:.2f} M weights, "
        f"{report['made_s'] + report['cpu_s']} s of processor time)",
        f"  {'test':<6} {'n':>4}  {'model':<22} {'best constant':<22}",
    ]
    for name, figures in report["tests"].items():
        model, constant = (_percent(figures[who]) for who in ("model", "constant"))
        lines.append(f"  {name:<6} {figures['n']:>4}  {model:<22} {constant:<22} {TESTS[name]}")
    if report["gap"] is not None:
        lines.append(f"  gap between sources: {100 * report['gap']:.1f} points")
    return lines


def _percent(rate: Mapping[str, float]) -> str:
    low, high = 100 * rate["low"], 100 * rate["high"]
    return f"{100 * rate['rate']:.1f} % ({low:.1f} to {high:.1f})"


def write_report(report: Mapping[str, Any], folder: Path = REPORTS) -> Path:
    """The figures as ``<class>.json``; ``InvalidOptions`` outside a source checkout."""
    if not folder.parent.is_dir():
        raise InvalidOptions(f"{folder.parent} is not there; --write needs the source checkout")
    folder.mkdir(exist_ok=True)
    path = folder / f"{report['class']}.json"
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    path.write_bytes(orjson.dumps(dict(report), option=options))
    return path
