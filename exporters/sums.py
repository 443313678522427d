"""SHA256SUMS: the digest of every file of a run, in the format of ``sha256sum -c``.

Not listed: the file itself, the journal and the lock (they hold times and hosts, so
no other file needs to), partials, and ``.nv-meta``, which another program may add later.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from hashlib import file_digest
from pathlib import Path

from exporters.durable import PARTIAL, write_whole
from exporters.problems import Code, Problem

SUMS_FILE = "SHA256SUMS"
JOURNAL_FILE = "journal.jsonl"
LOCK_FILE = "lock"
_UNLISTED = {SUMS_FILE, JOURNAL_FILE, LOCK_FILE}
_UNLISTED_FOLDERS = {".nv-meta", "parts"}
"""Another tool's index, and the rows that wait for the manifest while a run is under way."""
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def run_files(run: Path) -> Iterator[str]:
    """Every file below ``run`` as a relative path with slashes, in a fixed order."""
    for folder, folders, files in os.walk(run):
        folders.sort()
        for file in sorted(files):
            yield (Path(folder) / file).relative_to(run).as_posix()


def _listed(name: str) -> bool:
    passing = name.split("/")[0] in _UNLISTED_FOLDERS
    return not (name in _UNLISTED or passing or name.endswith(PARTIAL))


def sha256_of(path: Path) -> str:
    """Hex digest of a file, read in pieces."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_sums(run: Path, known: Mapping[str, str]) -> None:
    """Write SHA256SUMS over the files that are there and those in ``known``.

    ``known`` maps relative paths to digests that need no second reading (the shards')
    and may name a file that is written afterwards (the manifest, which comes last).
    """
    names = sorted({*filter(_listed, run_files(run)), *known})
    lines = [f"{known.get(name) or sha256_of(run / name)}  {name}\n" for name in names]
    write_whole(run / SUMS_FILE, "".join(lines).encode("utf-8", "surrogateescape"))


def read_sums(run: Path) -> tuple[dict[str, str], list[Problem]]:
    """Digest by relative path, and the lines that say nothing of the kind."""
    path = run / SUMS_FILE
    if not path.is_file():
        return {}, [Problem(Code.SUMS_MISSING, SUMS_FILE, "", f"no {path}")]
    sums: dict[str, str] = {}
    problems: list[Problem] = []
    text = path.read_bytes().decode("utf-8", "surrogateescape").removesuffix("\n")
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if match is None or ".." in match[2].split("/") or match[2].startswith("/"):
            message = f"line {number}: {line[:80]!r}"
            problems.append(Problem(Code.SUMS_BROKEN, SUMS_FILE, "", message))
        else:
            sums[match[2]] = match[1]
    return sums, problems


def check_sums(run: Path, known: Mapping[str, str] | None = None) -> list[Problem]:
    """Compare SHA256SUMS with the folder, both ways.

    ``known`` holds digests that were measured or will be checked elsewhere (the
    manifest's for the shards): those files are compared by it and not read again.
    """
    sums, problems = read_sums(run)
    if problems and not sums:
        return problems
    known = known or {}
    there = set(filter(_listed, run_files(run)))
    for name, digest in sums.items():
        if name not in there:
            problems.append(Problem(Code.SUMS_ABSENT_FILE, name, "", "listed and not there"))
            continue
        actual = known.get(name) or sha256_of(run / name)
        if actual != digest:
            problems.append(Problem(Code.SUMS_MISMATCH, name, "", f"{actual}, listed {digest}"))
    for name in sorted(there - sums.keys()):
        problems.append(Problem(Code.SUMS_NOT_LISTED, name, "", "there and not listed"))
    return problems
