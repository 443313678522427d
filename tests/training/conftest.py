"""Runs and threads of the training tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.training.runs_for_training import EPISODE, FRAMES, make_training_run

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two cores oversubscribed are four times slower


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    if find_spec("torch") is None:
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def rotate_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_training_run(tmp_path_factory.mktemp("rotate") / "run")


@pytest.fixture(scope="session")
def frames_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shards of a kind: frames one by one, and the same on one sheet."""
    return make_training_run(tmp_path_factory.mktemp("frames") / "run", FRAMES, 4)


@pytest.fixture(scope="session")
def episode_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_training_run(tmp_path_factory.mktemp("episode") / "run", EPISODE, 3)
