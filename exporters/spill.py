"""Find values that occur more than once among more pairs than memory should hold.

Pairs are spread by value over 256 files in a temporary folder (never in the data
folder); equal values land in one file, so each file is settled alone. Memory is a
256th of the pairs, about 4 MB for ten million samples, plus what is yielded.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from zlib import crc32

from exporters.durable import naming_disk_full

_BUCKETS = 256
_BUFFER_BYTES = 32 << 10


def repeated(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Each value that has several labels, with its labels in the order they came.

    ``pairs`` are (value, label) without tabs and newlines. The order of the values
    is fixed by the values but has no meaning.
    """
    with tempfile.TemporaryDirectory(prefix="factory-spill-") as folder:
        files = [Path(folder) / f"{bucket:03d}" for bucket in range(_BUCKETS)]
        _spread(pairs, files)
        for file in files:
            yield from _settle(file)


def _spread(pairs: Iterable[tuple[str, str]], files: list[Path]) -> None:
    with naming_disk_full(files[0].parent), ExitStack() as stack:
        # Bytes, not text: a key of a damaged shard may hold any byte, as surrogates.
        sinks = [stack.enter_context(file.open("wb", buffering=_BUFFER_BYTES)) for file in files]
        for value, label in pairs:
            raw = value.encode("utf-8", "surrogateescape")
            line = b"%b\t%b\n" % (raw, label.encode("utf-8", "surrogateescape"))
            sinks[crc32(raw) % _BUCKETS].write(line)


def _settle(file: Path) -> Iterator[tuple[str, list[str]]]:
    labels: dict[bytes, list[bytes]] = defaultdict(list)
    with file.open("rb") as lines:
        for line in lines:
            value, _, label = line[:-1].partition(b"\t")
            labels[value].append(label)
    for value, several in labels.items():
        if len(several) > 1:
            yield _text(value), [_text(label) for label in several]


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
