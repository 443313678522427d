"""The subjects of the contract suite, one a class and session."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest

from factory.testing import Subject, subject_of


@pytest.fixture(scope="session")
def subject_named() -> Callable[[str], Subject]:
    """The subject of a class: its draws and samples are made once a session."""
    return lru_cache(maxsize=None)(subject_of)
