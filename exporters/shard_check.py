"""Everything that can be wrong with one shard, found in one pass over its bytes.

The pass keeps names and column signatures, never pictures, so its memory is
bounded by the samples of a shard (at most 10,000), whatever the run holds.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from exporters.image_bytes import image_faults, image_format
from exporters.json_columns import Signature, drift, field_faults, parse_object, signature, usual
from exporters.problems import Code, Findings, Problem
from exporters.shard_reader import REGULAR, Member, TarFault, iter_samples, split_name, walk
from exporters.shards import KEY_PATTERN, PART_PATTERN, ShardInfo, header
from factory.core.errors import ShardCorrupt

INFERENCE_SAMPLES = 5
"""Samples from which Hugging Face's reader infers its columns (datasets 5.2.0)."""

_READ_BYTES = 1 << 20
_HEADER_FIELDS = {
    "name": slice(0, 100),
    "mode": slice(100, 108),
    "uid": slice(108, 116),
    "gid": slice(116, 124),
    "size": slice(124, 136),
    "mtime": slice(136, 148),
    "checksum": slice(148, 156),
    "type": slice(156, 157),
    "link": slice(157, 257),
    "magic": slice(257, 265),
    "uname": slice(265, 297),
    "gname": slice(297, 329),
    "device": slice(329, 345),
    "prefix": slice(345, 500),
    "rest": slice(500, 512),
}


@dataclass(frozen=True)
class Expected:
    """What a shard should be, as far as is known: its manifest entry, its parts, its columns.

    Without parts or columns the shard's own majority is the measure.
    """

    info: ShardInfo | None = None
    parts: tuple[str, ...] = ()
    columns: Signature = ()


def shard_schema(path: Path) -> tuple[tuple[str, ...], Signature]:
    """Parts and columns of a shard's first sample, to hold all shards of a group against.

    ``ShardCorrupt`` when there is no readable sample.
    """
    for key, parts, _ in iter_samples(path):
        fields = parse_object(parts.get("json", b"{}"))
        if fields is None:
            raise ShardCorrupt(f"{path}: the json part of {key} is not a JSON object")
        return tuple(sorted(parts)), signature(fields)
    raise ShardCorrupt(f"{path} has no samples")


def inspect_shard(path: Path, expected: Expected | None = None, *, name: str = "") -> list[Problem]:
    """Everything wrong with a shard; an empty list when nothing is.

    ``name`` is how problems call the shard: by default its manifest name, else the
    file's name. ``FileNotFoundError`` when there is no such file.
    """
    expected = expected or Expected()
    known = expected.info
    found = Findings(name or (known.name if known else path.name))
    scan = _Scan(found)
    with path.open("rb", buffering=_READ_BYTES) as file:
        size = os.fstat(file.fileno()).st_size
        source = _Hashed(file)
        try:
            for member in walk(source, size):
                scan.see(member)
        except TarFault as fault:
            found.add(fault.code, f"{fault.detail} at byte {fault.offset}", key=scan.key)
        else:
            if not scan.groups:
                found.add(Code.EMPTY_SHARD, f"{size} bytes and no sample")
        digest = source.finish()
    scan.compare(expected)
    if known is not None:
        _compare_info(found, known, ShardInfo(known.name, digest, size, scan.groups))
    return found.listing()


def _compare_info(found: Findings, known: ShardInfo, actual: ShardInfo) -> None:
    if actual.bytes != known.bytes:
        found.add(Code.SIZE_MISMATCH, f"{actual.bytes} bytes, the manifest says {known.bytes}")
    if actual.sha256 != known.sha256:
        found.add(Code.HASH_MISMATCH, f"{actual.sha256}, the manifest says {known.sha256}")
    if actual.samples != known.samples:
        found.add(
            Code.COUNT_MISMATCH, f"{actual.samples} samples, the manifest says {known.samples}"
        )


class _Hashed:
    """A file that is digested as it is read, from its first byte to its last."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = sha256()

    def read(self, nbytes: int, /) -> bytes:
        """Read and digest."""
        data = self._file.read(nbytes)
        self._hash.update(data)
        return data

    def seek(self, offset: int, whence: int, /) -> int:
        """Refused: what is not read is not digested."""
        raise NotImplementedError

    def finish(self) -> str:
        """Digest what is left; the hex digest of the whole file."""
        while self.read(_READ_BYTES):
            pass
        return self._hash.hexdigest()


class _Scan:
    """Names, parts and columns seen so far in one shard."""

    def __init__(self, found: Findings) -> None:
        self.key = ""
        self.groups = 0
        self._found = found
        self._repeated: set[str] = set()
        self._parts: dict[str, list[str]] = {}
        self._columns: dict[str, Signature] = {}
        # One object for each distinct signature: 10,000 equal ones cost a pointer each.
        self._interned: dict[Signature, Signature] = {}

    def see(self, member: Member) -> None:
        """Check one member and remember what later ones must agree with."""
        if member.flag not in (REGULAR, b"\0"):
            self._found.add(
                Code.MEMBER_TYPE, f"{member.name!r} has type {member.flag!r}", key=self.key
            )
            return
        key, part = self._sound_name(member.name)
        if not part:
            return
        self._enter(key, part)
        self._check_header(member, key)
        if part == "json":
            self._check_json(key, member.data)
        elif kind := image_format(part):
            for code, message in image_faults(kind, member.data):
                self._found.add(code, f"{part}: {message}", key=key)

    def compare(self, expected: Expected) -> None:
        """Name the samples whose parts or columns are not those of the others."""
        sets = [frozenset(parts) for parts in self._parts.values()]
        if not sets:
            return
        wanted = frozenset(expected.parts) or Counter(sets).most_common(1)[0][0]
        for index, (key, parts) in enumerate(zip(self._parts, sets, strict=True)):
            for part in sorted(wanted - parts):
                early = index < INFERENCE_SAMPLES
                code = Code.PART_MISSING_EARLY if early else Code.PART_MISSING_LATER
                self._found.add(code, f"sample {index} has no {part}", key=key)
            for part in sorted(parts - wanted):
                self._found.add(Code.PART_EXTRA, f"sample {index} has {part}", key=key)
        if not self._columns:
            return
        columns = expected.columns or usual(list(self._columns.values()))
        for key, own in self._columns.items():
            for code, message in drift(own, columns) if own is not columns else ():
                self._found.add(code, message, key=key)

    def _sound_name(self, name: str) -> tuple[str, str]:
        """Key and part of a member, its faults named; no part when no reader would use it."""
        key, part = split_name(name)
        if name.startswith("/") or ".." in name.split("/"):
            self._found.add(Code.PATH_TRAVERSAL, f"member {name!r}", key=key)
            return key, ""
        if not key or not part:
            self._found.add(Code.NO_EXTENSION, f"member {name!r}", key=key)
            return key, ""
        if part != part.lower():
            self._found.add(Code.UPPER_CASE_PART, f"member {name!r}", key=key)
            part = part.lower()
        if PART_PATTERN.fullmatch(part) is None:
            code = Code.DOT_IN_KEY if "." in part else Code.BAD_PART
            self._found.add(code, f"member {name!r}: readers see the key {key!r}", key=key)
        if not name.isascii():
            self._found.add(Code.NON_ASCII_KEY, f"member {name!r}", key=key)
        elif "/" in key:
            self._found.add(Code.SLASH_IN_KEY, f"member {name!r}", key=key)
        elif KEY_PATTERN.fullmatch(key) is None:
            self._found.add(Code.BAD_KEY, f"member {name!r}", key=key)
        return key, part

    def _enter(self, key: str, part: str) -> None:
        """Note the part, and whether its place is wrong."""
        parts = self._parts.setdefault(key, [])
        if part in parts:
            if key not in self._repeated:
                self._found.add(Code.REPEATED_KEY, f"{key}.{part} comes again", key=key)
            self._repeated.add(key)
        elif parts and key != self.key:
            self._found.add(Code.NON_ADJACENT_PARTS, f"{key}.{part} is apart", key=key)
        elif parts and part < parts[-1]:
            self._found.add(Code.PARTS_UNSORTED, f"{part} follows {parts[-1]}", key=key)
        parts.append(part)
        self.groups += key != self.key
        self.key = key

    def _check_header(self, member: Member, key: str) -> None:
        """Compare the header with the only one that this name and length may have."""
        name = member.name.encode("utf-8", "surrogateescape")
        fixed = header(name[:100], len(member.data))
        if member.header != fixed:
            odd = [f for f, at in _HEADER_FIELDS.items() if member.header[at] != fixed[at]]
            odd = [field for field in odd if field != "checksum"]
            self._found.add(
                Code.HEADER_NOT_FIXED, f"{member.name}: {', '.join(odd) or 'checksum'}", key=key
            )
        if member.filler.strip(b"\0"):
            self._found.add(Code.PADDING_NOT_ZERO, f"after {member.name}", key=key)

    def _check_json(self, key: str, data: bytes) -> None:
        fields = parse_object(data)
        if fields is None:
            self._found.add(Code.JSON_BROKEN, f"begins with {data[:40]!r}", key=key)
            return
        for code, message in field_faults(fields):
            self._found.add(code, message, key=key)
        if fields.get("key", key) != key:
            self._found.add(Code.JSON_KEY_MISMATCH, f"the field says {fields['key']!r}", key=key)
        own = signature(fields)
        self._columns[key] = self._interned.setdefault(own, own)
