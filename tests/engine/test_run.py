"""The same request gives the same files, however it is carried out."""

from __future__ import annotations

import os
import subprocess
import sys

import orjson
import pytest
from runs import (
    PER_SHARD,
    N,
    family_of,
    gen,
    gone,
    journalled,
    key_of,
    make_run,
    manifest_of,
    refusing,
    register_variant,
    small_config,
    started,
    sums,
    wait_for,
)

from factory.cli.app import main
from factory.core.errors import (
    AttemptsExhausted,
    HolesFound,
    InvalidOptions,
    Rejected,
    VerificationFailed,
)
from factory.engine.run import RETRIES, RunFailed, RunOptions, check_holes, plan_shards
from factory.engine.stats import rows
from factory.engine.studio import Studio
from factory.engine.verify import verify


def test_a_run_is_complete_and_verifies(small_run):
    report = verify(small_run)
    assert report.ok, report.problems
    assert (report.samples, report.shards, report.holes) == (N, N // PER_SHARD, 0)
    assert not (small_run / "parts").exists()
    assert not list(small_run.rglob("*.partial"))


@pytest.mark.parametrize(("workers", "method"), [(2, "fork"), (2, "forkserver"), (3, "spawn")])
def test_workers_and_start_methods_do_not_change_a_byte(small_run, tmp_path, workers, method):
    options = RunOptions(workers=workers, start_method=method)
    assert sums(make_run(tmp_path / "run", options)) == sums(small_run)


def test_hash_seed_time_zone_and_locale_do_not_change_a_byte(small_run, tmp_path):
    env = {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"}
    done = gen(tmp_path / "run", "--workers", 1, env=env)
    assert done.returncode == 0, done.stderr
    assert sums(tmp_path / "run") == sums(small_run)


def test_the_order_of_weights_does_not_change_a_byte(small_run, tmp_path):
    config = small_config()
    turned = {
        name: dict(reversed(getattr(config, name).items()))
        for name in ("viewports", "themes", "langs", "instruction_modes")
    }
    assert sums(make_run(tmp_path / "run", **turned)) == sums(small_run)


def test_another_seed_or_difficulty_shares_no_key_and_no_picture(small_run, tmp_path):
    theirs = list(rows(small_run, ["key", "fingerprint"]))
    for name, values in {"seed": {"seed": 1}, "hard": {"difficulty": (0.5, 1.0)}}.items():
        ours = list(rows(make_run(tmp_path / name, n=6, **values), ["key", "fingerprint"]))
        assert not {row["key"] for row in ours} & {row["key"] for row in theirs}
        assert not {row["fingerprint"] for row in ours} & {row["fingerprint"] for row in theirs}


def test_a_larger_run_begins_with_the_samples_of_a_smaller_one(small_run, tmp_path):
    shards = {name: digest for name, digest in sums(small_run).items() if name.endswith(".tar")}
    longer = sums(make_run(tmp_path / "run", n=N + PER_SHARD))
    assert shards.items() <= longer.items()


def test_portions_and_a_plain_resume_give_the_whole_run(small_run, tmp_path):
    out = tmp_path / "run"
    for part in range(3):
        make_run(out, RunOptions(workers=1, resume=part > 0, portion=(part, 3)))
        assert not (out / "manifest.json").exists()
    make_run(out, RunOptions(workers=1, resume=True))
    assert sums(out) == sums(small_run)


def test_split_all_makes_ninety_five_five(tmp_path):
    run = make_run(tmp_path / "run", n=40, split="all", shard_samples=None)
    found = {row["key"]: row["split"] for row in rows(run, ["key", "split"])}
    assert {s: list(found.values()).count(s) for s in ("train", "val", "test")} == {
        "train": 36, "val": 2, "test": 2,
    }  # fmt: skip
    assert all((run / split).is_dir() for split in ("train", "val", "test"))
    assert all(key.split("-")[1] == split for key, split in found.items())
    assert verify(run).ok


def test_shards_depend_on_the_request_alone():
    studio = Studio.open(small_config(n=100_000, shard_samples=None))
    plans = plan_shards(studio)
    assert [plan.first for plan in plans] == list(range(0, 100_000, plans[0].count))
    assert sum(plan.count for plan in plans) == 100_000


@pytest.mark.parametrize("method", ["fork", "forkserver"])
def test_a_killed_worker_costs_its_shard_and_nothing_else(tmp_path, method):
    words = ("--n", 40, "--shard-samples", 4)
    out = tmp_path / "run"
    with started(
        "gen", "captcha", "--type", "rotate", "--out", out, *words,
        "--workers", 2, "--start-method", method,
    ) as process:  # fmt: skip
        wait_for(lambda: journalled(out) >= 1)
        parents = {process.pid} if method == "fork" else {p.pid for p in family_of(process.pid)}
        workers = [
            p for p in family_of(process.pid)
            if p.ppid() in parents and "resource_tracker" not in " ".join(p.cmdline())
        ]  # fmt: skip
        workers[-1].kill()
        assert process.wait(120) == 0, process.stderr.read()
        clean = make_run(tmp_path / "clean", n=40, shard_samples=4)
        assert sums(out) == sums(clean)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_no_process_outlives_a_killed_run(tmp_path, method):
    out = tmp_path / "run"
    with started(
        "gen", "captcha", "--type", "rotate", "--n", 4000, "--shard-samples", 100,
        "--out", out, "--workers", 2, "--start-method", method,
    ) as process:  # fmt: skip
        wait_for(lambda: len(list(out.rglob("*.tar.partial"))) == 2)
        family = family_of(process.pid)
        assert len(family) >= 2
        process.kill()
        process.wait()
        wait_for(lambda: gone(family), 5)


def test_workers_that_always_die_end_the_run_with_advice(tmp_path, monkeypatch):
    parent, pools = os.getpid(), tmp_path / "pools"
    pools.mkdir()

    def draw(self, state, placement):
        assert os.getpid() != parent
        (pools / str(os.getpid())).touch()
        os._exit(1)

    register_variant(monkeypatch, "deadly", draw=draw)
    with pytest.raises(RunFailed, match="--workers"):
        make_run(tmp_path / "run", RunOptions(workers=2, start_method="fork"), type="deadly")
    assert len(list(pools.iterdir())) <= 2 * (RETRIES + 1)


def some(divisor):
    return lambda state: int(state.need_deg * 1e6) % divisor == 0


def test_indices_that_cannot_be_made_are_holes_and_counted(tmp_path, monkeypatch):
    register_variant(monkeypatch, "picky", check=refusing(some(5), Rejected))
    run = make_run(tmp_path / "run", type="picky", keep_rejected=True)
    manifest, report = manifest_of(run), verify(run)
    assert report.ok, report.problems
    assert 0 < report.holes == len(manifest["holes"]) < N
    assert report.samples == manifest["samples"] == N - report.holes
    assert (run / "rejected.parquet").is_file()
    with pytest.raises(HolesFound, match=rf"{report.holes} of {N} .*rejected.parquet"):
        check_holes(report.holes, N)


def test_one_hole_in_ten_thousand_is_allowed():
    check_holes(1, 10_000)
    with pytest.raises(HolesFound):
        check_holes(2, 10_000)


def test_holes_end_the_command_with_seven_after_its_result(tmp_path, monkeypatch, capsys):
    register_variant(monkeypatch, "picky", check=refusing(some(2), Rejected))
    words = ["factory", "gen", "captcha", "--type", "picky", "--n", "12", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(tmp_path / "run"), "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 7
    result = orjson.loads(said.out.splitlines()[-1])
    assert result["event"] == "result" and result["holes"] > 0
    assert said.err.count("factory: ") == 1


def test_a_class_that_contradicts_itself_is_quarantined_with_its_replay(tmp_path, monkeypatch):
    register_variant(monkeypatch, "torn", check=refusing(some(5), VerificationFailed))
    run = make_run(tmp_path / "run", type="torn")
    lines = [orjson.loads(line) for line in (run / "quarantine.jsonl").read_bytes().splitlines()]
    assert [line["key"] for line in lines] == manifest_of(run)["holes"]
    for line in lines:
        assert "contradiction" in line["error"]
        assert line["replay"] == f"factory show {line['key']} --run ."
    assert verify(run).ok


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("error", [Rejected, VerificationFailed])
def test_a_class_that_makes_nothing_ends_the_run_with_its_reason(
    tmp_path, monkeypatch, workers, error
):
    register_variant(monkeypatch, "never", check=refusing(lambda state: True, error))
    options = RunOptions(workers=workers, start_method="fork")
    raised = AttemptsExhausted if error is Rejected else VerificationFailed
    with pytest.raises(raised, match="a test") as caught:
        make_run(tmp_path / "run", options, type="never")
    assert caught.value.replay.startswith("factory show never-train-s0-c")


def test_an_unknown_start_method_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InvalidOptions, match="fork, spawn, forkserver"):
        make_run(tmp_path / "run", RunOptions(start_method="thread"))
    assert not (tmp_path / "run").exists()


PEAK = """
import resource, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from runs import make_run
make_run(
    Path(sys.argv[1]), n=int(sys.argv[2]), shard_samples=500,
    viewports={{"1280x800": 1}}, contexts=("modal",), langs={{"en": 1}},
)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.long
def test_memory_does_not_grow_with_the_run(tmp_path):
    """With few plates: they are kept up to a bound of their own, which is met early."""
    script = PEAK.format(tests=os.path.dirname(os.path.dirname(__file__)))

    def peak_kb(n):
        words = [sys.executable, "-c", script, str(tmp_path / str(n)), str(n)]
        return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    short, long = peak_kb(2000), peak_kb(6000)
    assert long <= 1.05 * short + 8_000


def test_keys_are_of_the_run(small_run):
    keys = [row["key"] for row in rows(small_run, ["key"])]
    assert keys == [key_of(small_run, index) for index in range(N)]
