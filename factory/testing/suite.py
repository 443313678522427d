"""The contract that every class keeps: fourteen checks in one table."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

import factory
from factory.config import RunConfig
from factory.engine.generate import complete
from factory.engine.studio import Studio
from factory.testing import (
    golden,
    labels,
    numbers,
    pages,
    places,
    records,
    rightness,
    sameness,
    sight,
    silence,
)
from factory.testing.outcome import Budget, Outcome
from factory.testing.subject import Judge, Subject

TESTS = Path(factory.__file__).resolve().parents[1] / "tests"
"""Where judges and goldens lie in a source checkout; an installed wheel has none."""


@dataclass(frozen=True)
class Check:
    """One check: what it means, and the function that looks."""

    meaning: str
    look: Callable[[Subject, Budget], Outcome]


CHECKS: Mapping[str, Check] = {
    "C1": Check("same bytes in any process, order and number of workers", sameness.same_bytes),
    "C2": Check("seeds, splits and indices share nothing", sameness.distinct),
    "C3": Check("gold passes, everything else fails and never raises", rightness.judged),
    "C4": Check("exactly the answers of solutions() are right", rightness.unique),
    "C5": Check("an independent judge of the pixels agrees", rightness.agreed),
    "C6": Check("pixels lie where the maps say, at every scale", places.fits),
    "C7": Check("everything is on the canvas, large enough and readable", sight.visible),
    "C8": Check("labels are even, and no rejection moves one", labels.spread),
    "C9": Check("keys, files and prompts are silent about the answer", silence.silent),
    "C10": Check("the reasoning states true numbers", numbers.stated),
    "C11": Check("bad states are refused for the right reason", rightness.refused),
    "C12": Check("JSON round trips, schema and attempts", records.round_trips),
    "C13": Check("documentation and wording are complete and current", pages.documented),
    "C14": Check("a version draws what it drew", golden.unchanged),
}
"""The contract suite, in order."""


def look(name: str, subject: Subject, budget: Budget) -> Outcome:
    """The outcome of one check; whatever the class raises is a failure with its text."""
    try:
        return CHECKS[name].look(subject, budget)
    except Exception as error:  # a broken class may raise anything: that is the finding
        found = f"{type(error).__name__}: {error}"[:600]
        return Outcome(False, found, faults=(found,))


def subject_of(type_name: str, *, tests: Path = TESTS) -> Subject:
    """The subject of an installed class under the default options."""
    studio = Studio.open(complete(RunConfig.build(type=type_name)))
    golden_folder, docs = tests / "golden", TESTS.parent / "docs" / "classes"
    return Subject(
        studio,
        judge=load_judge(type_name, tests / "solvers"),
        golden=golden_folder if golden_folder.is_dir() else None,
        docs=docs if docs.is_dir() else None,
    )


def load_judge(type_name: str, folder: Path) -> Judge | None:
    """The independent judge ``<folder>/<type>.py``; None where there is none."""
    path = folder / f"{type_name}.py"
    if not path.is_file():
        return None
    name = f"independent_judge_{type_name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return cast("Judge", module)
