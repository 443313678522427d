"""``verify`` names everything that is wrong with a run, and needs no right to write there."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from pathlib import Path

import orjson
import pytest
from runs import (
    PER_SHARD,
    as_ordinary_user,
    factory,
    key_of,
    make_run,
    manifest_of,
    sums,
)

from exporters.run_check import manifest_shards
from exporters.shard_check import Expected, inspect_shard
from exporters.shard_reader import iter_samples
from exporters.shards import ShardWriter
from exporters.sums import write_sums
from factory.core import record as records
from factory.core.errors import ShardCorrupt
from factory.core.record import json_schema
from factory.engine.stats import quantile, rows, run_stats
from factory.engine.verify import record_fault, verify

SHARD = "train/rotate-train-000001.tar"


@pytest.fixture
def run(small_run, tmp_path):
    """A copy to harm."""
    return shutil.copytree(small_run, tmp_path / "run")


def codes(run):
    """(code, shard) of each problem."""
    report = verify(run)
    assert not report.ok
    return {(problem["code"], problem["shard"]) for problem in report.problems}


@pytest.mark.parametrize("blocks", [0, 1, 2, 40, -1, -2, -21])
def test_a_shard_cut_at_a_block_is_named(run, blocks):
    path = run / SHARD
    size = path.stat().st_size
    os.truncate(path, 512 * blocks if blocks >= 0 else size + 512 * blocks)
    found = codes(run)
    assert ("size-mismatch", SHARD) in found and ("hash-mismatch", SHARD) in found
    assert any(code.startswith(("cut-", "zero-")) for code, shard in found if shard == SHARD)


@pytest.mark.long
def test_a_shard_cut_at_any_block_is_named(run):
    path = run / SHARD
    known = next(info for info in manifest_shards(manifest_of(run)) if info.name == SHARD)
    for end in range(path.stat().st_size - 512, -1, -512):
        os.truncate(path, end)
        found = {problem.code for problem in inspect_shard(path, Expected(info=known))}
        assert any(code.startswith(("cut-", "zero-")) for code in found), end


def test_one_flipped_bit_in_a_picture_is_named(run):
    data = bytearray((run / SHARD).read_bytes())
    data[len(data) // 2] ^= 4
    (run / SHARD).write_bytes(data)
    assert ("hash-mismatch", SHARD) in codes(run)


def test_a_missing_shard_is_named(run):
    (run / SHARD).unlink()
    assert ("shard-missing", SHARD) in codes(run)


def test_a_shard_of_another_run_is_named(run):
    shutil.copy(run / SHARD, run / "train/rotate-train-000009.tar")
    assert ("shard-unknown", "train/rotate-train-000009.tar") in codes(run)


def test_an_unpublished_file_is_named(run):
    (run / f"{SHARD}.partial").write_bytes(b"half")
    assert ("partial-file", f"{SHARD}.partial") in codes(run)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("manifest.json", "manifest-missing"),
        ("manifest.parquet", "manifest-missing"),
        ("SHA256SUMS", "sums-missing"),
        ("stats.json", "sums-absent-file"),
        ("assets/bank.json", "sums-absent-file"),
    ],
)
def test_a_deleted_file_is_named(run, name, code):
    (run / name).unlink()
    assert (code, name) in codes(run)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "{}", '{"shards": [{"name": "../x"}]}'])
def test_a_broken_manifest_is_named(run, text):
    (run / "manifest.json").write_text(text)
    assert codes(run) == {("manifest-missing", "manifest.json")}


@pytest.mark.parametrize("name", ["README.md", "config.toml", "provenance.json"])
def test_an_edited_file_is_named(run, name):
    with (run / name).open("a") as file:
        file.write("\n")
    assert ("sums-mismatch", name) in codes(run)


def test_a_table_of_another_run_is_named(run, tmp_path):
    other = make_run(tmp_path / "other", n=PER_SHARD)
    shutil.copy(other / "manifest.parquet", run)
    assert ("count-mismatch", SHARD) in codes(run)


# Shards that somebody rewrote with care: hashes, counts and sums agree, records do not.


def forge(run, change):
    """Rewrite a shard through ``change(samples)`` and make every digest agree again."""
    samples = [(key, dict(parts)) for key, parts, _ in iter_samples(run / SHARD)]
    change(samples)
    with ShardWriter(run / SHARD, name=SHARD) as writer:
        for key, parts in samples:
            writer.add(key, parts)
    manifest = manifest_of(run)
    for shard in manifest["shards"]:
        if shard["name"] == SHARD:
            shard |= {"sha256": writer.info.sha256, "bytes": writer.info.bytes}
    data = orjson.dumps(manifest)
    (run / "manifest.json").write_bytes(data)
    write_sums(run, {"manifest.json": hashlib.sha256(data).hexdigest()})


def edited(parts, **fields):
    parts["json"] = orjson.dumps({**orjson.loads(parts["json"]), **fields})


def field(parts, name):
    return orjson.loads(parts["json"])[name]


def swap_responses(samples):
    one, two = samples[0][1], samples[1][1]
    first, second = field(one, "response"), field(two, "response")
    edited(one, response=second)
    edited(two, response=first)


def move_the_answer(samples):
    payload = orjson.loads(field(samples[0][1], "payload"))
    payload["tasks"][0]["steps"][0]["actions"][0]["end"][0] += 60.0
    edited(samples[0][1], payload=orjson.dumps(payload).decode())


def move_the_judge(samples):
    payload = orjson.loads(field(samples[0][1], "payload"))
    payload["tasks"][0]["mechanic"]["start_value"] += 40.0
    edited(samples[0][1], payload=orjson.dumps(payload).decode())


def drop_the_judge(samples):
    payload = orjson.loads(field(samples[0][1], "payload"))
    del payload["tasks"][0]["mechanic"]
    edited(samples[0][1], payload=orjson.dumps(payload).decode())


def tear_the_payload(samples):
    edited(samples[0][1], payload=field(samples[0][1], "payload")[:-9])


def another_prompt(samples):
    samples[0][1]["txt"] = b"Do nothing."


def another_key(samples):
    payload = orjson.loads(field(samples[0][1], "payload"))
    payload["key"] = samples[1][0]
    edited(samples[0][1], payload=orjson.dumps(payload).decode())


FORGERIES = (
    swap_responses, move_the_answer, move_the_judge, drop_the_judge, tear_the_payload,
    another_prompt, another_key,
)  # fmt: skip


@pytest.mark.parametrize("change", FORGERIES, ids=lambda change: change.__name__)
def test_a_record_that_contradicts_itself_is_named(run, change):
    forge(run, change)
    found = verify(run).problems
    assert {problem["code"] for problem in found} == {"record-false"}
    assert found[0]["key"] == key_of(run, PER_SHARD)


def test_an_honest_rewrite_passes(run):
    forge(run, lambda samples: None)
    assert verify(run).ok


def test_records_of_any_shape_are_named_and_never_raise(small_run):
    key, parts, _ = next(iter_samples(small_run / SHARD))
    payload = orjson.loads(field(parts, "payload"))
    for name in payload:
        for odd in (None, 3, "x", [], {}, [[]]):
            if payload[name] == odd:
                continue
            changed = dict(parts)
            edited(changed, payload=orjson.dumps({**payload, name: odd}).decode())
            assert isinstance(record_fault(key, changed), str)
    for name in ("tasks", "key"):
        changed = dict(parts)
        edited(changed, payload=orjson.dumps({**payload, name: None}).decode())
        assert record_fault(key, changed)


def test_verify_asks_for_a_folder():
    with pytest.raises(ShardCorrupt, match="not a folder"):
        verify(Path("/nowhere"))


def test_a_read_only_run_can_be_verified_counted_and_shown(run):
    for path in [run, *run.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sums(run)
    commands = (
        ("verify", run), ("stats", run), ("show", key_of(run, 3), "--run", run),
        ("verify", run, "--workers", "2"),
    )  # fmt: skip
    for words in commands:
        done = factory(*words, before=as_ordinary_user)
        assert done.returncode == 0, done.stderr
    refused = factory(
        "gen", "captcha", "--type", "rotate", "--out", run / "x", before=as_ordinary_user
    )
    assert refused.returncode == 5 and refused.stderr.count("\n") == 1, refused.stderr
    for path in [run, *run.rglob("*")]:
        path.chmod(0o755)
    assert sums(run) == before


# What the finish writes.


def test_statistics_count_what_the_table_holds(small_run):
    facts = run_stats(small_run)
    table = list(
        rows(small_run, ["lang", "theme", "context", "picture", "image_bytes", "attempts"])
    )
    assert facts["samples"] == len(table)
    assert facts["image_bytes"] == sum(row["image_bytes"] for row in table)
    assert facts["attempts_max"] == max(row["attempts"] for row in table)
    for name in ("lang", "theme", "context", "picture"):
        assert facts[name] == {
            value: sum(row[name] == value for row in table) for value in facts[name]
        }


def test_attempts_are_counted_by_class(small_run):
    facts = run_stats(small_run)["attempts_by_type"]
    needed: dict[str, list[int]] = {}
    for row in rows(small_run, ["type", "attempts"]):
        needed.setdefault(row["type"], []).append(row["attempts"])
    assert facts.keys() == needed.keys()
    for name, attempts in needed.items():
        assert facts[name]["max"] == max(attempts)
        assert sum(a <= facts[name]["p99"] for a in attempts) >= 0.99 * len(attempts)
        refused = 1 - len(attempts) / sum(attempts)
        assert facts[name]["reject_rate"] == pytest.approx(refused, abs=5e-5)


def test_a_quantile_is_the_least_number_that_enough_do_not_exceed():
    counts = Counter({1: 90, 2: 9, 7: 1})
    assert [quantile(counts, share) for share in (0.5, 0.9, 0.91, 0.99, 1.0)] == [1, 1, 2, 2, 7]
    assert quantile(Counter(), 0.5) == 0


def test_the_card_and_the_licences_are_there(small_run):
    card = (small_run / "README.md").read_text()
    assert card.startswith("---\nlicense: apache-2.0\n")
    assert "train/*.tar" in card and "factory show KEY --run ." in card
    assert (small_run / "LICENSES" / "SOURCES.txt").is_file()
    assert len(list((small_run / "LICENSES").iterdir())) >= 4
    assert orjson.loads((small_run / "schema.json").read_bytes()) == orjson.loads(
        orjson.dumps(json_schema())
    )


def test_every_file_but_the_journal_is_listed_and_names_no_time_or_host(small_run):
    listed = set(sums(small_run))
    there = {str(p.relative_to(small_run)) for p in small_run.rglob("*") if p.is_file()}
    assert there - listed == {"SHA256SUMS", "journal.jsonl"}
    host = os.uname().nodename.encode()
    for name in ("manifest.json", "config.toml", "request.json", "stats.json", "provenance.json"):
        data = (small_run / name).read_bytes()
        assert host not in data and b"/tmp" not in data


def test_the_table_places_every_sample(small_run):
    from exporters.shard_reader import read_sample

    for row in rows(small_run, ["key", "shard", "offset", "lang", "width", "height"]):
        parts = read_sample(small_run / row["shard"], row["offset"], row["key"])
        flat = records.decode(parts["json"])
        assert (flat.key, flat.width, flat.height) == (row["key"], row["width"], row["height"])
