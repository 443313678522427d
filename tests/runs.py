"""Runs for tests: the command line as a process, small runs in this process, and their digests."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
import psutil
import pytest

from factory.config import RunConfig
from factory.core import registry
from factory.core.errors import Rejected, VerificationFailed
from factory.core.rng import SampleKey
from factory.engine.batch import Batch
from factory.engine.generate import complete, generate
from factory.engine.run import RunOptions

N, PER_SHARD = 24, 6
"""Samples of the small run, and of each of its shards."""

SMALL = ("--type", "rotate", "--n", str(N), "--shard-samples", str(PER_SHARD))
COMMAND = (sys.executable, "-m", "factory.cli.app")


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    return {**os.environ, **(changes or {})}


def factory(
    *words: object, env: Mapping[str, str] | None = None, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        env=environment(env), preexec_fn=before, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    done.stderr = ours(done.stderr)
    return done


def ours(said: str) -> str:
    """What was said on stderr, less what fontconfig thinks of this machine's configuration."""
    lines = said.splitlines(keepends=True)
    return "".join(line for line in lines if line.strip() and "Fontconfig" not in line)


def started(*words: object) -> subprocess.Popen[bytes]:
    """Start a command and return at once; a context manager that waits for its end."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def gen(out: Path, *words: object, **how: Any) -> subprocess.CompletedProcess[str]:
    """``factory gen captcha`` of the small run into ``out``, with more words."""
    return factory("gen", "captcha", *SMALL, "--out", out, *words, **how)


def small_config(**values: Any) -> RunConfig:
    """The config of the small run, completed."""
    return complete(
        RunConfig.build(**{"type": "rotate", "n": N, "shard_samples": PER_SHARD, **values})
    )


def make_run(out: Path, options: RunOptions | None = None, **values: Any) -> Path:
    """A run in this process."""
    config = small_config(**values)
    generate(Batch((config,), config.type), out, options or RunOptions(workers=1))
    return out


def sums(run: Path) -> dict[str, str]:
    """SHA256SUMS as {path: digest}: everything about a run but its journal."""
    lines = (run / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def journalled(run: Path) -> int:
    """Shards that the journal of a run names."""
    path = run / "journal.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def manifest_of(run: Path) -> dict[str, Any]:
    return orjson.loads((run / "manifest.json").read_bytes())


def key_of(run: Path, index: int, split: str = "train") -> str:
    """The key of an index of a run of rotate with seed 0."""
    digest = manifest_of(run)["config_digest"]
    return str(SampleKey("rotate", split, 0, digest, index))


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def family_of(pid: int) -> list[psutil.Process]:
    """A process's children and theirs."""
    return psutil.Process(pid).children(recursive=True)


def gone(processes: list[psutil.Process]) -> bool:
    """Whether all have ended; a zombie has."""
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)


def as_ordinary_user() -> None:
    """In a child before exec: root gives up writing where modes forbid it."""
    prctl, drop_from_bounding_set = ctypes.CDLL(None).prctl, 24
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH of capabilities(7)
        prctl(drop_from_bounding_set, capability, 0, 0, 0)


def register_variant(patch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    """Make a subclass of rotate known under ``name`` until ``patch`` is undone."""
    rotate = registry.get("rotate")
    cls = type(name.title(), (rotate,), {"__module__": rotate.__module__, **members})
    cls.id, cls.version, cls.family = name, 1, rotate.family
    patch.setitem(registry._registered, name, cls)


def refusing(chosen: Callable[[Any], bool], error: type[Exception]) -> Callable[..., None]:
    """A ``check`` that refuses the states that are ``chosen``, whatever is drawn around them."""
    rotate = registry.get("rotate")

    def check(self: Any, state: Any) -> None:
        if chosen(state) and error is Rejected:
            raise Rejected("a test refuses it")
        if chosen(state):
            raise VerificationFailed("a test finds a contradiction")
        rotate.check(self, state)

    return check
