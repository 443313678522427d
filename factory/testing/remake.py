"""Samples made again elsewhere: ``python -m factory.testing.remake``.

Reads ``{reverse, workers, classes: [{class, config, bank, keys}]}`` as JSON from
stdin and prints, by class, the SHA-256 of every part of every key. All classes
share a process, for starting one costs more than the samples.
"""

from __future__ import annotations

import hashlib
import importlib
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from factory.config import RunConfig
from factory.core.rng import SampleKey
from factory.engine.make import make_record
from factory.engine.studio import Studio
from factory.testing.outcome import Digests
from factory.testing.plans import studio_for
from factory.testing.subject import Subject


class World(NamedTuple):
    """How a process differs from this one."""

    name: str
    environment: dict[str, str]
    reverse: bool
    workers: int


WORLDS = (
    World(
        "in a fresh process with another hash seed, time zone and locale",
        {"PYTHONHASHSEED": "4321", "TZ": "Pacific/Chatham", "LC_ALL": "C"}, False, 0,
    ),
    World("in a fresh process in reverse order", {"PYTHONHASHSEED": "77"}, True, 0),
    World("with three workers", {"PYTHONHASHSEED": "random"}, False, 3),
)  # fmt: skip
"""Where nothing may come out differently."""

SECONDS_A_CLASS = 120
"""No class takes a process longer for a few samples."""


def digests(keys: Sequence[SampleKey], studio: Studio) -> Digests:
    """Make each sample and digest its parts."""
    return {
        str(key): {
            part: hashlib.sha256(data).hexdigest()
            for part, data in make_record(key, studio).parts.items()
        }
        for key in keys
    }


def remade(subjects: Sequence[Subject], count: int) -> dict[str, dict[str, Digests]]:
    """``{class: {world: digests}}`` of the first ``count`` keys, made in three other processes."""
    request = [
        {
            "class": subject.reference,
            "config": subject.studio.config.model_dump(mode="json"),
            "bank": str(subject.studio.bank_path),
            "keys": [str(subject.key(index)) for index in range(count)],
        }
        for subject in subjects
    ]
    with ThreadPoolExecutor(len(WORLDS)) as pool:
        answers = list(pool.map(lambda world: _asked(world, request), WORLDS))
    return {
        subject.reference: {
            world.name: answer[subject.reference]
            for world, answer in zip(WORLDS, answers, strict=True)
        }
        for subject in subjects
    }


def _asked(world: World, request: list[dict[str, Any]]) -> dict[str, Digests]:
    """What a process of that world makes."""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-m", "factory.testing.remake"],
        input=orjson.dumps(
            {"reverse": world.reverse, "workers": world.workers, "classes": request}
        ),
        capture_output=True,
        env={**os.environ, **world.environment, "PYTHONPATH": path},
        timeout=SECONDS_A_CLASS * (1 + len(request)),
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-600:])
    return orjson.loads(done.stdout)


def _made(asked: dict[str, Any], reverse: bool) -> tuple[str, Digests]:
    """The digests of one class; a fault of one sample is told, the others go on."""
    module, _, name = asked["class"].partition(":")
    cls = getattr(importlib.import_module(module), name)
    studio = studio_for(cls, RunConfig.build(**asked["config"]), Path(asked["bank"]))
    found: Digests = {}
    for text in asked["keys"][::-1] if reverse else asked["keys"]:
        try:
            found |= digests([SampleKey.parse(text)], studio)
        except Exception as error:  # one broken class must not hide what the others do
            found[text] = {"error": f"{type(error).__name__}: {error}"[:200]}
    return asked["class"], found


def _spread(classes: list[dict[str, Any]], workers: int) -> list[tuple[str, Digests]]:
    """Every key a task of its own, so that neighbours are made by different workers."""
    tasks = [{**asked, "keys": [key]} for asked in classes for key in asked["keys"]]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        return list(pool.map(_made, tasks, [False] * len(tasks)))


def main() -> None:
    """See the module."""
    request = orjson.loads(sys.stdin.buffer.read())
    classes, reverse = request["classes"], request["reverse"]
    if request["workers"]:
        made = _spread(classes, request["workers"])
    else:
        made = [_made(asked, reverse) for asked in (classes[::-1] if reverse else classes)]
    answer: dict[str, Digests] = {}
    for name, found in made:
        answer.setdefault(name, {}).update(found)
    sys.stdout.buffer.write(orjson.dumps(answer))


if __name__ == "__main__":
    main()
