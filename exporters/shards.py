"""Write tar shards whose bytes depend on their samples only, and that never appear torn.

A shard is a plain USTAR file: every header has mtime 0, owner 0, mode 0644 and
no names of people. Its bytes equal those of Python's ``tarfile`` for the same
headers, including the filler up to a whole record of 10,240 bytes at the end,
which is what lets the reader tell any cut from a complete shard.

The headers are made by hand because no tar library is both byte-reproducible and
crash-safe, and because it is the faster way: two microseconds a member.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from exporters.durable import ensure_folder, naming_disk_full, partial_path, publish
from factory.core.errors import InvalidOptions, KeyCollision, SchemaMismatch, ShardCorrupt

BLOCK = 512
RECORD = 20 * BLOCK
ZERO_BLOCK = bytes(BLOCK)
KEY_PATTERN = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
# The longest key with the longest part has 95 bytes: no name needs more than the header's 100.
PART_PATTERN = re.compile(r"(?:(?:i[0-9]{2}|sheet)\.)?[a-z][a-z0-9]{0,9}")
"""An extension, one picture of several, or their sheet: ``jpg``, ``i03.jpg``, ``sheet.jpg``."""

LEAST_SAMPLES, MOST_SAMPLES = 100, 10_000
MOST_SHARD_BYTES = 512 << 20
SHARDS_WANTED = 16
"""Enough shards for the usual two to eight readers to share them evenly."""

_MOST_NUMBER = 999_999
_MOST_NAME = 100
_MOST_DATA = 8**11 - 1
_FLUSH_BYTES = 4 << 20
"""One write a few megabytes keeps system calls off the bill; larger gains nothing."""

_OWNER = b"0000644\0" + b"0000000\0" * 2
_MTIME = b"%011o\0" % 0
_SUFFIX = b"0" + bytes(100) + b"ustar\00000" + bytes(32 + 32 + 8 + 8 + 155 + 12)
# The checksum counts its own field as eight spaces.
_FIXED_SUM = sum(_OWNER) + sum(_MTIME) + sum(_SUFFIX) + 8 * ord(" ")


def padding(nbytes: int) -> int:
    """Zero bytes between the end of ``nbytes`` of data and the next block."""
    return -nbytes % BLOCK


def end_padding(nbytes: int) -> int:
    """Zero bytes that close a tar with ``nbytes`` of members: two blocks, then a whole record."""
    return 2 * BLOCK + -(nbytes + 2 * BLOCK) % RECORD


def header(name: bytes, nbytes: int) -> bytes:
    """The one 512-byte USTAR header that a member of this name and length may have.

    ``name`` is at most 100 bytes and ``nbytes`` under 8 GiB; the caller has checked.
    """
    padded_name = name.ljust(_MOST_NAME, b"\0")
    length = b"%011o\0" % nbytes
    checksum = b"%06o\0 " % (_FIXED_SUM + sum(name) + sum(length))
    return b"".join((padded_name, _OWNER, length, _MTIME, checksum, _SUFFIX))


def member(name: str, data: bytes) -> list[bytes]:
    """The bytes of one member as pieces to be joined: header, data, filler."""
    return [header(name.encode("ascii"), len(data)), data, bytes(padding(len(data)))]


PAGES = "pages"
"""The shard group of pages, which have a part ``html``."""


def group_name(pictures: int) -> str:
    """The shard group of samples with so many pictures: ``i04``, or nothing for one."""
    return f"i{pictures:02d}" if pictures > 1 else ""


def shard_name(split: str, group: str, type: str, number: int) -> str:
    """A shard's path below the run folder.

    ``group`` is "" for the main group, the image count (``i04``) for samples with several
    images, and ``PAGES`` for pages; groups live apart because their parts differ:
    ``train/rotate-train-000000.tar``, ``frames/i04/train/rotate-train-000000.tar``,
    ``pages/train/mail-train-000000.tar``.
    """
    if not 0 <= number <= _MOST_NUMBER:
        raise InvalidOptions(
            f"shard number {number} is outside 0..{_MOST_NUMBER}; raise --shard-samples"
        )
    above = {"": "", PAGES: f"{PAGES}/"}.get(group, f"frames/{group}/")
    folder = above + split
    return f"{folder}/{type}-{split}-{number:06d}.tar"


def samples_per_shard(n: int, estimate_bytes_per_sample: float) -> int:
    """Samples a shard for a run of ``n``: a function of the request, never of the workers.

    Sixteen shards, of at least 100 and at most 10,000 samples; 512 MiB by estimate
    is the stronger bound and may go below 100.
    """
    if n < 1 or estimate_bytes_per_sample <= 0:
        raise InvalidOptions(
            f"cannot size shards for n={n} at {estimate_bytes_per_sample} bytes a sample; "
            "both must be positive"
        )
    most = max(1, min(MOST_SAMPLES, int(MOST_SHARD_BYTES / estimate_bytes_per_sample)))
    return min(max(-(-n // SHARDS_WANTED), LEAST_SAMPLES), most)


@dataclass(frozen=True)
class ShardInfo:
    """What the manifest says of a shard: path below the run, digest (hex), length, samples."""

    name: str
    sha256: str
    bytes: int
    samples: int


class ShardWriter:
    """One shard in the making; a context manager that publishes on a clean exit.

    ::

        with ShardWriter(run / name, name=name) as shard:
            offset, nbytes = shard.add(key, {"jpg": picture, "json": record, "txt": prompt})
        shard.info

    Until then the bytes are in ``<path>.partial``; an exception removes that file and
    publishes nothing. ``name`` is what ``info.name`` says, the file's name by default.
    An existing shard is replaced: a resumed run remakes the same bytes.
    """

    def __init__(self, path: Path, *, name: str = "") -> None:
        ensure_folder(path.parent)
        self.path = path
        self._name = name or path.name
        self._hash = sha256()
        self._pieces: list[bytes] = []
        self._pending = 0
        self._offset = 0
        self._parts: tuple[str, ...] = ()
        self._keys: set[str] = set()
        self._info: ShardInfo | None = None
        with naming_disk_full(path):
            self._file = partial_path(path).open("wb", buffering=0)

    @property
    def info(self) -> ShardInfo:
        """The published shard; ``ShardCorrupt`` before it is published."""
        if self._info is None:
            raise ShardCorrupt(f"{self.path} is not published yet; close the writer first")
        return self._info

    def add(self, key: str, parts: Mapping[str, bytes]) -> tuple[int, int]:
        """Append a sample; return where it starts and how long it is, in bytes.

        Parts are written in alphabetical order. ``InvalidOptions`` for a key or part
        that a reader would misread, ``KeyCollision`` for a key that is in the shard
        already, ``SchemaMismatch`` for parts other than the first sample's.
        """
        extensions = tuple(sorted(parts))
        largest = max(map(len, parts.values()), default=0)
        if not extensions or largest > _MOST_DATA:
            raise InvalidOptions(
                f"{key} has {len(extensions)} parts of up to {largest} bytes; a tar wants one "
                f"part or more of at most {_MOST_DATA} bytes each"
            )
        self._admit(key, extensions)
        start = self._offset
        pieces = self._pieces
        for extension in extensions:
            data = parts[extension]
            name = f"{key}.{extension}".encode("ascii")
            fill = padding(len(data))
            pieces += (header(name, len(data)), data, ZERO_BLOCK[:fill])
            self._offset += BLOCK + len(data) + fill
        self._keys.add(key)
        nbytes = self._offset - start
        self._pending += nbytes
        if self._pending >= _FLUSH_BYTES:
            self._flush()
        return start, nbytes

    def close(self) -> ShardInfo:
        """Publish the shard and describe it. A second call only describes it again.

        ``ShardCorrupt`` when it holds no sample: readers choke on an empty shard.
        """
        if self._info is not None:
            return self._info
        if not self._keys:
            raise ShardCorrupt(f"{self.path} would hold no sample; an empty shard is not published")
        self._pieces.append(bytes(end_padding(self._offset)))
        self._offset += end_padding(self._offset)
        self._flush()
        with naming_disk_full(self.path):
            os.fsync(self._file.fileno())
            self._file.close()
        publish(self.path)
        self._info = ShardInfo(self._name, self._hash.hexdigest(), self._offset, len(self._keys))
        return self._info

    def abandon(self) -> None:
        """Drop the shard: nothing is published and the partial file goes."""
        self._file.close()
        partial_path(self.path).unlink(missing_ok=True)

    def _admit(self, key: str, extensions: tuple[str, ...]) -> None:
        if KEY_PATTERN.fullmatch(key) is None:
            raise InvalidOptions(
                f"{key!r} cannot be a key: lower-case ASCII letters, digits, - and _, at most 80; "
                "a dot or a slash would merge or split samples in the readers"
            )
        if key in self._keys:
            raise KeyCollision(f"{key} is in {self.path} already; keys are unique in a data set")
        if extensions == self._parts:
            return
        if self._parts:
            raise SchemaMismatch(
                f"{key} has the parts {', '.join(extensions)} but {self.path.name} holds "
                f"{', '.join(self._parts)}; other part sets belong in another shard group"
            )
        for extension in extensions:
            if PART_PATTERN.fullmatch(extension) is None:
                raise InvalidOptions(
                    f"{extension!r} cannot be a part; json, jpg and i03.jpg are examples"
                )
        self._parts = extensions

    def _flush(self) -> None:
        whole = b"".join(self._pieces)
        self._hash.update(whole)
        rest = memoryview(whole)
        with naming_disk_full(self.path):
            while rest:
                rest = rest[self._file.write(rest) :]
        self._pieces.clear()
        self._pending = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.abandon()
            return
        try:
            self.close()
        except BaseException:
            self.abandon()
            raise
