"""Read shards strictly: what is not exactly as ``shards`` writes it is an error, not an end.

Tar readers take a cut file for a short one. Here a shard ends with its end blocks
or raises. Nothing is ever written beside the data, so read-only mounts work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from exporters.problems import Code
from exporters.shards import BLOCK, ZERO_BLOCK, end_padding, padding
from factory.core.errors import ShardCorrupt

REGULAR = b"0"
# Links, devices and folders: whatever length they state, no data follows.
_WITHOUT_DATA = (b"1", b"2", b"3", b"4", b"5", b"6")
_BUFFER_BYTES = 1 << 20
_HEADER_BUFFER_BYTES = 8 << 10


class TarFault(ShardCorrupt):
    """The structure of a tar breaks at ``offset`` bytes; ``code`` says how."""

    def __init__(self, code: Code, offset: int, detail: str, *, path: Path | None = None) -> None:
        where = f"{path}: " if path else ""
        super().__init__(f"{where}{detail} at byte {offset} ({code.meaning})")
        self.code = code
        self.offset = offset
        self.detail = detail


class ByteSource(Protocol):
    """The part of a binary file that the walk needs."""

    def read(self, nbytes: int, /) -> bytes:
        """Up to ``nbytes`` bytes; fewer at the end of the file only."""
        ...

    def seek(self, offset: int, whence: int, /) -> int:
        """Move as files do."""
        ...


@dataclass(frozen=True)
class Member:
    """One tar member: name as stored, type flag, header offset, raw header, data, filler."""

    name: str
    flag: bytes
    offset: int
    header: bytes
    data: bytes
    filler: bytes


def _octal(field: bytes, offset: int, what: str) -> int:
    try:
        return int(field.rstrip(b"\0 ") or b"0", 8)
    except ValueError:
        raise TarFault(Code.BAD_HEADER, offset, f"{what} is {field!r}") from None


def _data_length(block: bytes, offset: int) -> int:
    """Length of the data after this header; ``TarFault`` when its checksum is wrong."""
    stored = _octal(block[148:156], offset, "the checksum")
    actual = sum(block) - sum(block[148:156]) + 8 * ord(" ")
    if stored != actual:
        raise TarFault(Code.BAD_HEADER, offset, f"checksum {stored}, the bytes give {actual}")
    nbytes = _octal(block[124:136], offset, "the length")
    return 0 if block[156:157] in _WITHOUT_DATA else nbytes


def _full_name(block: bytes) -> str:
    """The stored name; bytes outside UTF-8 survive as surrogates."""
    name = block[:100].rstrip(b"\0")
    prefix = block[345:500].rstrip(b"\0") if block[257:263] == b"ustar\0" else b""
    return (prefix + b"/" + name if prefix else name).decode("utf-8", "surrogateescape")


def read_body(source: ByteSource, nbytes: int) -> bytes:
    """Read the data of a member."""
    return source.read(nbytes)


def skip_body(source: ByteSource, nbytes: int) -> bytes:
    """Leave the data of a member unread; the member's ``data`` is then empty."""
    source.seek(nbytes, os.SEEK_CUR)
    return b""


def walk(
    source: ByteSource,
    size: int,
    *,
    start: int = 0,
    take: Callable[[ByteSource, int], bytes] = read_body,
) -> Iterator[Member]:
    """Every member of a tar of ``size`` bytes from ``start`` on, where the source stands.

    Ends only at proper end blocks and the last byte of the file; otherwise raises
    ``TarFault`` once the members before the break have been yielded.
    """
    if size == 0:
        raise TarFault(Code.ZERO_BYTES, 0, "nothing")
    position = start
    while True:
        block = source.read(BLOCK)
        if not block:
            raise TarFault(Code.CUT_AT_MEMBER, position, "end of file")
        if len(block) < BLOCK:
            raise TarFault(Code.CUT_IN_HEADER, position, f"{len(block)} bytes of a header")
        if block == ZERO_BLOCK:
            _expect_end(source, position, size)
            return
        nbytes = _data_length(block, position)
        end = position + BLOCK + nbytes + padding(nbytes)
        if end > size:
            raise TarFault(
                Code.CUT_IN_DATA, position, f"{nbytes} bytes of data do not fit in {size}"
            )
        body = take(source, nbytes + padding(nbytes))
        flag = block[156:157]
        yield Member(_full_name(block), flag, position, block, body[:nbytes], body[nbytes:])
        position = end


def _expect_end(source: ByteSource, position: int, size: int) -> None:
    """Check what follows the first zero block, which starts at ``position``."""
    expected = position + end_padding(position)
    rest = source.read(expected - position - BLOCK)
    if any(rest) or size > expected:
        raise TarFault(Code.TRAILING_BYTES, position, f"{size} bytes where {expected} belong")
    if size < expected:
        raise TarFault(Code.CUT_IN_END, position, f"{size} bytes where {expected} belong")


def split_name(name: str) -> tuple[str, str]:
    """Key and part of a member's name: cut at the first dot, as all the readers do."""
    key, _, part = name.partition(".")
    return key, part


def _walk_file(
    path: Path,
    *,
    start: int = 0,
    take: Callable[[ByteSource, int], bytes] = read_body,
    buffering: int = _BUFFER_BYTES,
) -> Iterator[Member]:
    """``walk`` over a file, with its path in the errors."""
    with path.open("rb", buffering=buffering) as file:
        file.seek(start)
        try:
            yield from walk(file, os.fstat(file.fileno()).st_size, start=start, take=take)
        except TarFault as fault:
            raise TarFault(fault.code, fault.offset, fault.detail, path=path) from None


def _sample_part(path: Path, member: Member) -> tuple[str, str]:
    key, part = split_name(member.name)
    if member.flag != REGULAR or not key or not part:
        raise ShardCorrupt(
            f"{path}: member {member.name!r} at byte {member.offset} is no part of a sample"
        )
    return key, part


def iter_samples(path: Path, *, start: int = 0) -> Iterator[tuple[str, dict[str, bytes], int]]:
    """Key, parts and offset of every sample from ``start`` on, in file order, one in memory.

    ``ShardCorrupt`` where the shard is cut or damaged, after the samples before that place.
    Parts that are apart come as two samples, as in other readers: ``shard_check`` tells.
    """
    current, parts, offset = "", dict[str, bytes](), start
    for member in _walk_file(path, start=start):
        key, part = _sample_part(path, member)
        if key != current:
            if parts:
                yield current, parts, offset
            current, parts, offset = key, {}, member.offset
        if part in parts:
            raise ShardCorrupt(f"{path} holds {key}.{part} twice in a row")
        parts[part] = member.data
    if parts:
        yield current, parts, offset


def read_sample(path: Path, offset: int, key: str) -> dict[str, bytes]:
    """The parts of one sample, read at ``offset`` (from the manifest) without a scan.

    ``ShardCorrupt`` when another sample, or none, starts there.
    """
    if offset < 0:
        raise ShardCorrupt(f"{offset} cannot be the offset of {key} in {path}")
    parts: dict[str, bytes] = {}
    for member in _walk_file(path, start=offset, buffering=_HEADER_BUFFER_BYTES):
        found, part = _sample_part(path, member)
        if found != key:
            break
        parts[part] = member.data
    if not parts:
        raise ShardCorrupt(f"{path} does not hold {key} at byte {offset}; run `factory verify`")
    return parts


def shard_keys(path: Path) -> Iterator[str]:
    """The key of every sample, from the headers alone; pictures are not read."""
    previous = ""
    for member in _walk_file(path, take=skip_body, buffering=_HEADER_BUFFER_BYTES):
        key, _ = split_name(member.name)
        if key != previous:
            yield key
        previous = key
