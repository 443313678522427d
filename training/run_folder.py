"""The folder of a stage: what it was told, on what data, how it went, and what came out.

::

    out/
      config.json       the config with all defaults
      data.json         the runs that were read, with the digests of their manifests
      versions.json     Python, torch, transformers, trl, peft, this project
      metrics.jsonl     one line a logged step, always
      curves.svg        the same as curves
      checkpoints/      checkpoint-N with weights, optimiser, random states and data cursor
      model/            the result, loadable with plain transformers
      done.json         written last

A checkpoint counts once its ``complete`` is there, so a kill while one is written costs the steps
since the one before. Resuming with another config or other data is refused.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

from exporters.durable import ensure_folder, naming_disk_full, partial_path, publish
from factory.core.errors import InvalidOptions, RunExists
from training.config import Part, resolved
from training.models import FINAL

COMPLETE = "complete"
"""The last file of a checkpoint: the data cursors, one a process."""

PACKAGES = ("torch", "transformers", "trl", "peft", "accelerate", "safetensors", "gui-data-factory")


class RunFolder:
    """The folder of one stage, opened to be begun or to be resumed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def open(
        cls,
        config: Part,
        path: Path,
        data: Sequence[Mapping[str, Any]] = (),
        *,
        resume: bool = False,
        main: bool = True,
    ) -> RunFolder:
        """Begin or resume; only the ``main`` process of several writes.

        ``RunExists`` when something is there and ``resume`` was not asked for; ``InvalidOptions``
        when what is there was told another thing.
        """
        folder = cls(path)
        begun = (path / "config.json").is_file()
        if not resume and path.is_dir() and any(path.iterdir()) and main:
            raise RunExists(f"{path} is not empty; add --resume to go on, or name another --out")
        stated = {"config.json": resolved(config), "data.json": _json(list(data))}
        if begun:
            folder._expect(stated)
        elif main:
            ensure_folder(path)
            for name, content in {**stated, "versions.json": _json(versions())}.items():
                folder._write(name, content)
        return folder

    def _expect(self, stated: Mapping[str, bytes]) -> None:
        for name, content in stated.items():
            found = (self.path / name).read_bytes() if (self.path / name).is_file() else b""
            if found != content:
                raise InvalidOptions(
                    f"{self.path / name} is of another request ({_difference(found, content)}); "
                    "resume with the same config and data, or name another --out"
                )

    def _write(self, name: str, content: bytes) -> None:
        path = self.path / name
        with naming_disk_full(path):
            partial = partial_path(path)
            with partial.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            publish(path)

    @property
    def checkpoints(self) -> Path:
        """Where the trainer saves."""
        return self.path / "checkpoints"

    @property
    def model(self) -> Path:
        """Where the result lies."""
        return self.path / FINAL

    @property
    def done(self) -> bool:
        """Whether the stage came to its end."""
        return (self.path / "done.json").is_file()

    def last_checkpoint(self) -> Path | None:
        """The latest whole checkpoint; torn ones are removed so that nothing else takes them."""
        found = sorted(
            (int(one.name.rpartition("-")[2]), one)
            for one in self.checkpoints.glob("checkpoint-*")
            if one.name.rpartition("-")[2].isdigit()
        )
        whole = [one for _, one in found if (one / COMPLETE).is_file()]
        for _, one in found:
            if one not in whole:
                shutil.rmtree(one, ignore_errors=True)
        return whole[-1] if whole else None

    def complete(self, checkpoint: Path, cursors: Sequence[Mapping[str, Any]]) -> None:
        """Declare a checkpoint whole."""
        self._write(str((checkpoint / COMPLETE).relative_to(self.path)), _json(list(cursors)))

    def cursors(self, checkpoint: Path) -> list[dict[str, Any]]:
        """The data cursors of a checkpoint, one a process."""
        return orjson.loads((checkpoint / COMPLETE).read_bytes())

    def log(self, line: Mapping[str, Any]) -> None:
        """Add a line of metrics."""
        path = self.path / "metrics.jsonl"
        with naming_disk_full(path), path.open("ab") as file:
            file.write(orjson.dumps(dict(line), option=_OPTIONS | orjson.OPT_APPEND_NEWLINE))

    def forget_after(self, step: int) -> None:
        """Drop metrics of steps after ``step``, which resuming will write again."""
        kept = [line for line in self.metrics() if line.get("step", 0) <= step]
        self._write("metrics.jsonl", b"".join(orjson.dumps(line) + b"\n" for line in kept))

    def metrics(self) -> list[dict[str, Any]]:
        """The lines so far; a torn last line is left out."""
        path = self.path / "metrics.jsonl"
        if not path.is_file():
            return []
        whole, _, _ = path.read_bytes().rpartition(b"\n")
        return [orjson.loads(line) for line in whole.splitlines()]

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the result's summary: the stage is done."""
        self._write("done.json", _json(dict(summary)))


_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def _json(value: Any) -> bytes:
    options = _OPTIONS | orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
    return orjson.dumps(value, option=options) + b"\n"


def _difference(found: bytes, wanted: bytes) -> str:
    """The first line in which two JSON files differ."""
    pairs = zip(found.decode().splitlines(), wanted.decode().splitlines(), strict=False)
    for mine, theirs in pairs:
        if mine != theirs:
            return f"{mine.strip()} there, {theirs.strip()} now"
    return "it is shorter or longer"


def versions() -> dict[str, str]:
    """What was installed."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed as a package"
    return found
