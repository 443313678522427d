"""The subjects of the contract suite, and the processes that make samples of all classes again."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import orjson
import pytest

from factory.core import registry
from factory.testing import Subject, subject_of
from factory.testing.outcome import REMADE, Digests
from factory.testing.remake import remade


@pytest.fixture(scope="session")
def subject_named() -> Callable[[str], Subject]:
    """The subject of a class: its draws and samples are made once a session."""
    return lru_cache(maxsize=1)(subject_of)


@pytest.fixture(scope="session")
def made_elsewhere(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Subject], Mapping[str, Digests]]:
    """What three other processes make of every class: once for all workers of the session."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    path = shared / "made-elsewhere.json"

    def look_up(subject: Subject) -> Mapping[str, Digests]:
        return _once(path)[subject.reference]

    return look_up


@lru_cache(maxsize=1)
def _once(path: Path) -> dict[str, dict[str, Digests]]:
    """The file's content; the first that comes makes it, and the others wait."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_file():
            found = remade([subject_of(name) for name in registry.names()], REMADE)
            path.write_bytes(orjson.dumps(found))
    return orjson.loads(path.read_bytes())
