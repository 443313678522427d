"""Samples made again in a process of their own: ``python -m factory.testing.remake``.

Reads ``{class, config, bank, keys}`` as JSON from stdin and prints, for the
keys in order and then in reverse, the SHA-256 of every part.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson

from factory.config import RunConfig
from factory.core.rng import SampleKey
from factory.engine.make import make_record
from factory.engine.studio import Studio
from factory.testing.subject import Subject

Digests = dict[str, dict[str, str]]
"""SHA-256 by key and part."""

OTHER_WORLD = {"PYTHONHASHSEED": "4321", "TZ": "Pacific/Chatham", "LC_ALL": "C"}
"""An environment in which nothing may come out differently."""


def digests(keys: Sequence[SampleKey], studio: Studio) -> Digests:
    """Make each sample and digest its parts."""
    return {
        str(key): {
            part: hashlib.sha256(data).hexdigest()
            for part, data in make_record(key, studio).parts.items()
        }
        for key in keys
    }


def remade(subject: Subject, keys: Sequence[SampleKey]) -> list[Digests]:
    """Digests of the keys in order and in reverse, made by a fresh process in another world."""
    request = {
        "class": subject.reference,
        "config": subject.studio.config.model_dump(mode="json"),
        "bank": str(subject.studio.bank_path),
        "keys": [str(key) for key in keys],
    }
    done = subprocess.run(
        [sys.executable, "-m", "factory.testing.remake"],
        input=orjson.dumps(request),
        capture_output=True,
        env={**os.environ, **OTHER_WORLD, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-600:])
    return orjson.loads(done.stdout)


def main() -> None:
    """See the module."""
    request = orjson.loads(sys.stdin.buffer.read())
    module, _, name = request["class"].partition(":")
    studio = Studio.open(RunConfig.build(**request["config"]), bank=Path(request["bank"]))
    studio.puzzle = getattr(importlib.import_module(module), name)(studio.puzzle.options)
    keys = [SampleKey.parse(text) for text in request["keys"]]
    answer = [digests(keys, studio), digests(keys[::-1], studio)]
    sys.stdout.buffer.write(orjson.dumps(answer))


if __name__ == "__main__":
    main()
