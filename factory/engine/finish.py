"""The end of a run: manifest, statistics, card, sums; ``manifest.json`` last.

Everything here is a function of the journal and of the rows that the shards
left in ``parts/``, read one shard at a time, so memory stays flat and an
interrupted finish is simply done again.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from exporters import journal
from exporters.durable import naming_disk_full, partial_path, publish, write_whole
from exporters.parquet import SCHEMA, duplicates, write_manifest
from exporters.sums import write_sums
from factory.config import RunConfig
from factory.core.errors import RunExists
from factory.core.record import json_schema
from factory.engine.batch import Batch, Workshops
from factory.engine.card import card_text, licence_texts
from factory.engine.diversity import near_duplicates
from factory.engine.llm_sources import write_sources
from factory.engine.plates import bank_files
from factory.engine.preview import preview_sheet
from factory.engine.run import Work
from factory.engine.shard_task import ShardPlan
from factory.engine.stats import Tally

REJECTED_SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("reason", pa.string()),
        ("value", pa.float64()),
        ("limit", pa.float64()),
    ]
)

INDENTED = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS


def finish(out: Path, work: Work) -> dict[str, Any]:
    """Write everything but the shards; returns the manifest.

    ``RunExists`` when shards are still to be made.
    """
    plans = work.plans
    lines: dict[str, Any] = {
        str(line["name"]): line for line in journal.read(out) if line.get("event") == "shard"
    }
    missing = [plan.name for plan in plans if plan.name not in lines]
    if missing:
        raise RunExists(
            f"{out} lacks {len(missing)} of {len(plans)} shards ({missing[0]} first); "
            "make the other portions, or continue with --resume"
        )
    ordered = [lines[plan.name] for plan in plans]
    if (out / "manifest.json").is_file():  # written last, so all else is there
        shutil.rmtree(out / "parts", ignore_errors=True)
        return orjson.loads((out / "manifest.json").read_bytes())
    twins = near_duplicates(_shapes(out, plans)) | duplicates(
        [(row["fingerprint"], row["key"]) for row in beside["rows"]]
        for beside in _beside(out, plans)
    )
    tally = Tally()
    write_manifest(out / "manifest.parquet", _columns(out, plans, twins, tally))
    _write_rejected(out, work)
    write_sources(out, _beside(out, plans))
    holes = [key for line in ordered for key in line["holes"]]
    facts = {**tally.summary(), "duplicates": len(twins), "holes": len(holes)}
    facts["drawn"] = sum(line["drawn"] for line in ordered)
    facts["reject_rate"] = round(1 - facts["samples"] / max(1, facts["drawn"]), 6)
    classes = _classes(work, plans, lines)
    write_whole(out / "stats.json", orjson.dumps(facts, option=INDENTED))
    write_whole(out / "schema.json", orjson.dumps(json_schema(), option=INDENTED))
    write_whole(out / "config.toml", batch_toml(work.batch).encode())
    write_whole(out / "provenance.json", orjson.dumps(_made_by(work), option=INDENTED))
    write_whole(out / "README.md", card_text(work.batch, classes, facts).encode())
    for name, text in licence_texts(work.batch).items():
        write_whole(out / "LICENSES" / name, text.encode())
    _copy_plates(out, work, tally.plates)
    write_whole(out / "preview.jpg", preview_sheet(out, ordered))
    manifest = {
        "schema_version": 1,
        "name": work.batch.name,
        "classes": classes,
        "config_digest": work.batch.digest,
        "samples": facts["samples"],
        "duplicates": len(twins),
        "holes": holes,
        "shards": [
            {name: line[name] for name in ("name", "sha256", "bytes", "samples")}
            for line in ordered
        ],
    }
    _publish(out, manifest, {line["name"]: line["sha256"] for line in ordered})
    shutil.rmtree(out / "parts")
    return manifest


def _classes(
    work: Work, plans: Sequence[ShardPlan], lines: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """What the manifest says of each class."""
    return {
        workshop.config.type: {
            "generator": workshop.generator,
            "config_digest": workshop.digest,
            "provenance_id": workshop.provenance_id,
            "samples": sum(
                lines[plan.name]["samples"] for plan in plans if plan.type == workshop.config.type
            ),
        }
        for workshop in Workshops(work.batch.configs, work.bank)
    }


def _made_by(work: Work) -> dict[str, Any]:
    """The provenance that all classes share, and the generator of each."""
    facts: dict[str, Any] = {}
    generators: dict[str, str] = {}
    for workshop in Workshops(work.batch.configs, work.bank):
        facts = {**workshop.provenance}
        generators[workshop.config.type] = facts.pop("generator")
    return {**facts, "generators": generators}


def _publish(out: Path, manifest: Mapping[str, Any], known: dict[str, str]) -> None:
    """SHA256SUMS first, naming the manifest too, then the manifest: its presence says complete."""
    data = orjson.dumps(manifest, option=INDENTED)
    known["manifest.json"] = hashlib.sha256(data).hexdigest()
    write_sums(out, known)
    write_whole(out / "manifest.json", data)


def _beside(out: Path, plans: Sequence[ShardPlan]) -> Iterator[dict[str, Any]]:
    for plan in plans:
        yield orjson.loads(plan.rows_path(out).read_bytes())


def _shapes(out: Path, plans: Sequence[ShardPlan]) -> Iterator[tuple[str, int, str]]:
    """Shape, perceptual hash and key of each page; puzzles have no shape."""
    for beside in _beside(out, plans):
        for row in beside["rows"]:
            if '"shape"' in row["flags"]:
                yield orjson.loads(row["flags"])["shape"], row["phash"], row["key"]


def _columns(
    out: Path,
    plans: Sequence[ShardPlan],
    twins: Mapping[str, str],
    tally: Tally,
) -> Iterator[dict[str, list[Any]]]:
    for beside in _beside(out, plans):
        rows = [{**row, "duplicate_of": twins.get(row["key"], "")} for row in beside["rows"]]
        for row in rows:
            tally.add(row)
        yield {name: [row[name] for row in rows] for name in SCHEMA.names}


def _write_rejected(out: Path, work: Work) -> None:
    quarantined = [
        orjson.dumps(line) for beside in _beside(out, work.plans) for line in beside["quarantined"]
    ]
    if quarantined:
        write_whole(out / "quarantine.jsonl", b"\n".join(quarantined) + b"\n")
    if not work.batch.first.keep_rejected:
        return
    path = out / "rejected.parquet"
    with (
        naming_disk_full(path),
        pq.ParquetWriter(partial_path(path), REJECTED_SCHEMA) as writer,
    ):
        for beside in _beside(out, work.plans):
            if beside["rejected"]:
                writer.write_table(pa.Table.from_pylist(beside["rejected"], REJECTED_SCHEMA))
    publish(path)


def _copy_plates(out: Path, work: Work, pages: set[str]) -> None:
    """The pages that the run shows, so that it can be re-derived elsewhere."""
    if not pages:
        return
    for source in bank_files(work.bank, pages):
        target = out / "assets" / source.relative_to(work.bank)
        if not target.exists():
            write_whole(target, source.read_bytes())


def batch_toml(batch: Batch) -> str:
    """The batch as TOML that ``--config`` or ``gen mix`` reads back."""
    if len(batch.configs) == 1:
        return config_toml(batch.first)
    whole = {
        "n": batch.n,
        "classes": {config.type: config.n for config in batch.configs},
    }
    lines = [*_toml_lines(whole)]
    for config in batch.configs:
        values = config.model_dump(mode="json", exclude={"type", "n", *config.LOCAL})
        lines += ["", f"[class.{config.type}]", *_toml_lines(values, f"class.{config.type}.")]
    return "\n".join(lines) + "\n"


def config_toml(config: RunConfig) -> str:
    """The config as TOML that ``--config`` reads back."""
    return "\n".join(_toml_lines(config.model_dump(mode="json", exclude={*config.LOCAL}))) + "\n"


def _toml_lines(values: Mapping[str, Any], within: str = "") -> Iterator[str]:
    tables: dict[str, Mapping[str, Any]] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            tables[name] = value
        elif value is not None:
            yield f"{name} = {orjson.dumps(value).decode()}"
    for name, table in tables.items():
        yield f"\n[{within}{name}]"
        for inner, value in table.items():
            if value is not None:
                yield f"{orjson.dumps(inner).decode()} = {orjson.dumps(value).decode()}"
