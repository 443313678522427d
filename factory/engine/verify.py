"""``factory verify``: everything about a run that can be checked without making it again.

Files, bytes and columns first (a torn or hostile shard is named), then every
record: its schema, the gold answer against its own mechanic, the response text
as a trainer will read it. The table's rows are counted against the shards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import orjson

from exporters.problems import Code, Problem
from exporters.run_check import inspect_run_files, manifest_shards
from exporters.shard_check import Expected, inspect_shard, shard_schema
from exporters.shard_reader import iter_samples
from exporters.shards import ShardInfo
from factory.core import answers
from factory.core import record as records
from factory.core.errors import FactoryError, SchemaMismatch, ShardCorrupt
from factory.core.mechanics import from_payload, judge
from factory.core.record import prompts_text
from factory.core.reward import verdict
from factory.engine.stats import rows

MOST_PROBLEMS = 1000
"""Problems listed; the count goes on."""


@dataclass(frozen=True)
class Report:
    """What ``verify --json`` prints."""

    ok: bool
    shards: int
    samples: int
    holes: int
    problems: list[dict[str, str]]


def verify(
    run: Path, *, workers: int = 1, report: Callable[[int, int], None] = lambda done, total: None
) -> Report:
    """Check a run folder, which may be read-only. ``report`` hears (shards done, shards)."""
    manifest = _manifest(run)
    if isinstance(manifest, Problem):
        return _report([manifest], 0, 0, 0)
    try:
        infos = manifest_shards(manifest)
    except SchemaMismatch as error:
        problem = Problem(Code.MANIFEST_MISSING, "manifest.json", "", str(error))
        return _report([problem], 0, 0, 0)
    problems = [*inspect_run_files(run, manifest), *_manifest_problems(run, manifest, infos)]
    present = [info for info in infos if (run / info.name).is_file()]
    groups = {group_of(info.name) for info in present}
    schemas = {g: _schema_of(run, [i for i in present if group_of(i.name) == g]) for g in groups}
    tasks = [(run, info, schemas[group_of(info.name)]) for info in present]
    for done, found in enumerate(_mapped(tasks, workers), start=1):
        problems += found
        report(done, len(tasks))
    holes = manifest.get("holes", [])
    return _report(problems, len(infos), sum(i.samples for i in infos), len(holes))


def _report(problems: list[Problem], shards: int, samples: int, holes: int) -> Report:
    listed = [
        {**asdict(problem), "code": str(problem.code)} for problem in problems[:MOST_PROBLEMS]
    ]
    return Report(not problems, shards, samples, holes, listed)


def _manifest(run: Path) -> Mapping[str, Any] | Problem:
    path = run / "manifest.json"
    if not run.is_dir():
        raise ShardCorrupt(f"{run} is not a folder; give the --out of a run")
    if not path.is_file():
        return Problem(
            Code.MANIFEST_MISSING, "manifest.json", "", "the run is not complete: --resume it"
        )
    try:
        manifest = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        return Problem(Code.MANIFEST_MISSING, "manifest.json", "", f"is not JSON: {error}")
    if not isinstance(manifest, dict):
        return Problem(Code.MANIFEST_MISSING, "manifest.json", "", "is not a JSON object")
    return manifest


def group_of(shard: str) -> str:
    """The shard group of a shard's name: ``i04``, ``pages``, or nothing for the main one."""
    above = shard.split("/")[:-2]
    return above[-1] if above else ""


def _schema_of(run: Path, infos: list[ShardInfo]) -> Any:
    for info in infos:
        try:
            return shard_schema(run / info.name)
        except (ShardCorrupt, SchemaMismatch):
            continue
    return None


def _mapped(tasks: list[tuple[Path, ShardInfo, Any]], workers: int) -> Iterator[list[Problem]]:
    if workers <= 1 or len(tasks) < 2:
        yield from map(_inspect, tasks)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("forkserver")) as pool:
        yield from pool.map(_inspect, tasks)


def _inspect(task: tuple[Path, ShardInfo, Any]) -> list[Problem]:
    run, info, schema = task
    parts, columns = schema if schema is not None else ((), ())
    expected = Expected(info=info, parts=parts, columns=columns)
    problems = inspect_shard(run / info.name, expected, name=info.name)
    return problems or list(_record_problems(run, info))


def _record_problems(run: Path, info: ShardInfo) -> Iterator[Problem]:
    for key, parts, _ in iter_samples(run / info.name):
        fault = record_fault(key, parts)
        if fault:
            yield Problem(Code.RECORD_FALSE, info.name, key, fault)


def record_fault(key: str, parts: Mapping[str, bytes]) -> str:
    """Why a sample's record cannot be trusted, or an empty string."""
    try:
        flat = records.decode(parts["json"])
        record = records.record_of(flat)
        if not key == flat.key == record.key:
            return f"the record says its key is {flat.key}"
        for number, task in enumerate(record.tasks):
            fault = _task_fault(flat, task, first=number == 0)
            if fault:
                return fault if len(record.tasks) == 1 else f"task {task.id}: {fault}"
        if parts["txt"].decode() != prompts_text(record):
            return "the txt part is not the prompt"
    except (FactoryError, LookupError, ValueError, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _task_fault(flat: records.FlatRecord, task: records.Task, *, first: bool) -> str:
    """Why a task's answer cannot be trusted, or an empty string."""
    actions = [action for step in task.steps for action in step.actions]
    size = (float(flat.width), float(flat.height))
    if answers.is_answer(task.mechanic):
        said = answers.spoken(actions, size)
        if not answers.verdict(task.mechanic, said, size).passed:
            return f"the stored answer {said} is not what is right"
    elif not judge(from_payload(task.mechanic), actions).passed:
        return "the stored actions do not solve the stored mechanic"
    if first and flat.prompt != task.instruction:
        return "the prompt is not the instruction"
    if first and not verdict(flat.payload, flat.response).passed:
        return "the response text does not solve the stored mechanic"
    return ""


def _manifest_problems(
    run: Path, manifest: Mapping[str, Any], infos: list[ShardInfo]
) -> list[Problem]:
    """The table against the manifest: rows, shards and duplicates agree."""
    path = run / "manifest.parquet"
    if not path.is_file():
        return [Problem(Code.MANIFEST_MISSING, "manifest.parquet", "", "is not there")]
    counts: dict[str, int] = {}
    twins = 0
    try:
        for row in rows(run, ["shard", "duplicate_of"]):
            counts[row["shard"]] = counts.get(row["shard"], 0) + 1
            twins += bool(row["duplicate_of"])
    except (SchemaMismatch, ShardCorrupt, OSError) as error:
        return [Problem(Code.MANIFEST_MISSING, "manifest.parquet", "", str(error))]
    wrong = [
        Problem(
            Code.COUNT_MISMATCH, info.name, "",
            f"manifest.parquet has {counts.get(info.name, 0)} rows of it, the manifest says "
            f"{info.samples}",
        )
        for info in infos
        if counts.get(info.name, 0) != info.samples
    ]  # fmt: skip
    if twins != manifest.get("duplicates"):
        wrong.append(
            Problem(
                Code.COUNT_MISMATCH, "manifest.parquet", "",
                f"{twins} duplicates, the manifest says {manifest.get('duplicates')}",
            )
        )  # fmt: skip
    return wrong
