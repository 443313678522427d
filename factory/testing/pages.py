"""C13: what a class says of itself."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from factory.core import registry
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.phrases import unsaid
from factory.testing.subject import Subject

SECTIONS = ("Rule", "Answer", "Validity", "Source")


def documented(subject: Subject, budget: Budget) -> Outcome:
    """C13: the documentation has its sections, its page is current, the wording is complete."""
    cls = type(subject.puzzle)
    text = "\n".join([cls.__doc__ or "", sys.modules[cls.__module__].__doc__ or ""])
    faults = [f"no section '{name}'" for name in SECTIONS if not _section(text, name)]
    faults += _page_faults(subject)
    faults += unsaid(subject, subject.draws(budget.judged))
    goals = sum(map(len, subject.puzzle.wording.goals.values()))
    return outcome(faults, f"{', '.join(SECTIONS)}; {goals} goal phrases")


def _section(text: str, name: str) -> str:
    """The indented text under a heading, or nothing."""
    lines = text.splitlines()
    if name not in lines:
        return ""
    below = lines[lines.index(name) + 1 :]
    return below[0].strip() if below and below[0].startswith("    ") else ""


def _page_faults(subject: Subject) -> Iterator[str]:
    """A page of an installed class that is missing or says something else than the class."""
    cls = type(subject.puzzle)
    ours = cls.__module__.startswith("captcha_types.")  # plugins keep pages of their own
    if subject.docs is None or not ours or cls.id not in registry.names():
        return
    if registry.get(cls.id) is not cls:
        return
    path, script = subject.docs / f"{cls.id}.md", subject.docs.parents[1] / "scripts/make_docs.py"
    if not path.is_file():
        yield f"docs/classes/{path.name} is missing; run `make docs`"
    elif script.is_file() and path.read_text(encoding="utf-8") != _writer(script).class_page(
        cls.id
    ):
        yield f"docs/classes/{path.name} is stale; run `make docs`"


@cache
def _writer(script: Path) -> ModuleType:
    """The script that writes the pages."""
    spec = importlib.util.spec_from_file_location("write_class_pages", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
