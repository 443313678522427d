"""One small run for all readers."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import make_run


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 samples in four shards."""
    return make_run(tmp_path_factory.mktemp("small") / "run")
