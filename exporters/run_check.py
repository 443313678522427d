"""What is wrong with a run folder beyond its single shards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import cast

from exporters.durable import PARTIAL
from exporters.problems import Code, Findings, Problem
from exporters.shard_reader import shard_keys
from exporters.shards import ShardInfo
from exporters.spill import repeated
from exporters.sums import check_sums, run_files
from factory.core.errors import SchemaMismatch, ShardCorrupt

_NUMBERED = re.compile(r"(.+)-([0-9]{6})\.tar")


def manifest_shards(manifest: Mapping[str, object]) -> list[ShardInfo]:
    """The entries of ``manifest["shards"]``, each ``{name, sha256, bytes, samples}``.

    ``SchemaMismatch`` when it is anything else.
    """
    entries = manifest.get("shards")
    if not isinstance(entries, list):
        raise SchemaMismatch("manifest.json has no list `shards`")
    return [_shard_info(entry) for entry in cast("list[object]", entries)]


def _shard_info(entry: object) -> ShardInfo:
    fields = cast("dict[str, object]", entry) if isinstance(entry, dict) else {}
    match fields:
        case {
            "name": str(name),
            "sha256": str(digest),
            "bytes": int(nbytes),
            "samples": int(samples),
        } if ".." not in name.split("/") and not name.startswith("/"):
            return ShardInfo(name, digest, nbytes, samples)
        case _:
            raise SchemaMismatch(
                f"manifest.json names a shard as {entry!r}; name (a path below the run), sha256, "
                "bytes and samples belong there"
            )


def inspect_run_files(run: Path, manifest: Mapping[str, object]) -> list[Problem]:
    """Everything wrong with the folder as a whole; nothing is written into it.

    Shards are read for their keys only. Their digests are taken from the manifest when
    SHA256SUMS is compared: that the bytes agree with the manifest is ``inspect_shard``'s part.
    """
    infos = manifest_shards(manifest)
    named = {info.name for info in infos}
    files = list(run_files(run))
    tars = {name for name in files if name.endswith(".tar")}
    partials = [name for name in files if name.endswith(PARTIAL)]
    return [
        *(Problem(Code.PARTIAL_FILE, name, "", "was never published") for name in partials),
        *(Problem(Code.SHARD_MISSING, name, "", "is not there") for name in sorted(named - tars)),
        *(Problem(Code.SHARD_UNKNOWN, name, "", "not in it") for name in sorted(tars - named)),
        *_gaps(named | tars),
        *_repeated_keys(run, sorted(named & tars)),
        *check_sums(run, {info.name: info.sha256 for info in infos}),
    ]


def _gaps(names: Iterable[str]) -> Iterator[Problem]:
    """Missing numbers of each series, which would break a brace expansion over it."""
    series: dict[str, set[int]] = defaultdict(set)
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            series[match[1]].add(int(match[2]))
    for stem, numbers in sorted(series.items()):
        missing = sorted(set(range(max(numbers))) - numbers)
        if missing:
            listing = ", ".join(f"{number:06d}" for number in missing[:10])
            yield Problem(Code.SHARD_GAP, stem, "", f"{len(missing)} missing: {listing}")


def _repeated_keys(run: Path, names: Sequence[str]) -> list[Problem]:
    """Keys that several shards hold; a damaged shard counts as far as it can be read."""
    found: dict[str, Findings] = {}
    for key, shards in repeated(_keys(run, names)):
        several = sorted(set(shards))
        if len(several) < 2:
            continue  # twice in one shard is `repeated-key`, found there
        splits = {PurePosixPath(shard).parent.name for shard in several}
        code = Code.KEY_IN_TWO_SPLITS if len(splits) > 1 else Code.KEY_IN_TWO_SHARDS
        listed = found.setdefault(several[1], Findings(several[1]))
        listed.add(code, f"also in {several[0]}", key=key)
    return [problem for name in sorted(found) for problem in found[name].listing()]


def _keys(run: Path, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        with suppress(ShardCorrupt):
            for key in shard_keys(run / name):
                yield key, name
