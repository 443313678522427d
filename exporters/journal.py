"""The journal of a run: one JSON line for each thing that is done and on disk.

A line counts once its newline is there. A crash can leave a torn last line; it was
never acknowledged, so reading ignores it and the next append removes it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, cast

import orjson

from exporters.durable import fsync_folder, naming_disk_full
from exporters.sums import JOURNAL_FILE
from factory.core.errors import ShardCorrupt


def append(run: Path, line: Mapping[str, object]) -> None:
    """Add a line and return when it is on the disk. The caller holds the run's lock."""
    path = run / JOURNAL_FILE
    data = orjson.dumps(dict(line), option=orjson.OPT_APPEND_NEWLINE)
    fresh = not path.exists()
    with naming_disk_full(path), path.open("ab+") as file:
        _drop_torn_line(file)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if fresh:
        fsync_folder(run)


def read(run: Path) -> list[dict[str, object]]:
    """All lines, oldest first; none when there is no journal.

    ``ShardCorrupt`` when a line before the last is not a JSON object: no crash leaves
    that, so the file was edited or damaged.
    """
    path = run / JOURNAL_FILE
    if not path.exists():
        return []
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return [_parse(path, number, raw) for number, raw in enumerate(whole.splitlines(), start=1)]


def _parse(path: Path, number: int, raw: bytes) -> dict[str, object]:
    try:
        line = orjson.loads(raw)
    except orjson.JSONDecodeError:
        line = None
    if not isinstance(line, dict):
        raise ShardCorrupt(
            f"{path}, line {number}, is not a JSON object ({raw[:40]!r}): the file was damaged or "
            "edited; remove the line and run with --resume, which remakes that shard"
        )
    return cast("dict[str, object]", line)


def _drop_torn_line(file: BinaryIO) -> None:
    """Cut an append-mode file after its last newline."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return
    file.seek(size - 1)
    if file.read(1) != b"\n":
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
