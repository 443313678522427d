"""Whatever stops a run, ``--resume`` completes it to the files of an undisturbed one."""

from __future__ import annotations

import errno
import os
import shutil
import signal

import pytest
from runs import (
    family_of,
    gen,
    gone,
    journalled,
    make_run,
    manifest_of,
    ours,
    small_config,
    started,
    sums,
    wait_for,
)

from factory.core.errors import DiskFull, RunExists, RunLocked
from factory.engine.run import RunOptions
from factory.engine.verify import verify

RESUME = RunOptions(workers=1, resume=True)


def die_at_rename(number, out, **values):
    """Make a run in a forked child that is killed just before its ``number``-th rename.

    False when it ended before. Renames are the moments when a file comes into being.
    """
    child = os.fork()
    if child == 0:
        rename, left = os.replace, [number]

        def counted(*args, **more):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return rename(*args, **more)

        os.replace = counted
        make_run(out, **values)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


TINY = {"n": 4, "shard_samples": 2}


@pytest.fixture(scope="module")
def tiny_run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("tiny") / "run", **TINY)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 7, 10, 20])
def test_a_kill_before_any_rename_is_made_good(tiny_run, tmp_path, number):
    out = tmp_path / "run"
    assert die_at_rename(number, out, **TINY)
    assert not (out / "manifest.json").exists()
    make_run(out, RESUME, **TINY)
    assert sums(out) == sums(tiny_run)


@pytest.mark.long
def test_a_kill_before_each_rename_is_made_good(tiny_run, tmp_path):
    number = 1
    while die_at_rename(number, tmp_path / str(number), **TINY):
        make_run(tmp_path / str(number), RESUME, **TINY)
        assert sums(tmp_path / str(number)) == sums(tiny_run)
        number += 1
    assert number > 20


@pytest.mark.parametrize("shards", [0, 2])
def test_a_kill_of_the_whole_run_is_made_good(small_run, tmp_path, shards):
    out = tmp_path / "run"
    with started(
        "gen", "captcha", "--type", "rotate", "--n", 24, "--shard-samples", 6,
        "--out", out, "--workers", 2,
    ) as process:  # fmt: skip
        wait_for(lambda: (out / "request.json").exists() and journalled(out) >= shards)
        family = family_of(process.pid)
        process.kill()
        process.wait()
        wait_for(lambda: gone(family), 5)
        done = gen(out, "--resume", "--workers", 2)
        assert done.returncode == 0, done.stderr
        assert sums(out) == sums(small_run)


def test_an_interrupt_says_how_to_go_on_and_leaves_nothing_running(tmp_path):
    out = tmp_path / "run"
    with started(
        "gen", "captcha", "--type", "rotate", "--n", 2000, "--shard-samples", 100,
        "--out", out, "--workers", 2,
    ) as process:  # fmt: skip
        wait_for(lambda: len(list(out.rglob("*.tar.partial"))) == 2)
        family = family_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 130
        assert ours(said.decode()) == "factory: interrupted; --resume continues the run\n"
        assert not (out / "lock").exists()
        wait_for(lambda: gone(family), 5)


def test_resuming_a_complete_run_changes_nothing_and_succeeds(small_run):
    before = {path: path.stat().st_mtime_ns for path in small_run.rglob("*") if path.is_file()}
    make_run(small_run, RESUME)
    after = {path: path.stat().st_mtime_ns for path in small_run.rglob("*") if path.is_file()}
    assert before == after


@pytest.mark.parametrize("lost", ["manifest.json", "train/rotate-train-000002.tar"])
def test_what_somebody_deleted_is_made_again(small_run, tmp_path, lost):
    out = shutil.copytree(small_run, tmp_path / "run")
    (out / lost).unlink()
    assert not verify(out).ok
    make_run(out, RESUME)
    assert sums(out) == sums(small_run)
    assert verify(out).ok


def test_a_torn_journal_line_is_made_good(small_run, tmp_path):
    out = tmp_path / "run"
    make_run(out, RunOptions(workers=1, portion=(0, 2)))
    with (out / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"event":"shard","name":"tr')
    make_run(out, RESUME)
    assert sums(out) == sums(small_run)


def test_a_used_folder_is_refused_and_left_alone(small_run, tmp_path):
    before = sums(small_run)
    with pytest.raises(RunExists, match="--resume"):
        make_run(small_run)
    assert sums(small_run) == before
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine")
    for options in (RunOptions(), RESUME):
        with pytest.raises(RunExists, match="another --out"):
            make_run(foreign, options)
    assert [path.name for path in foreign.iterdir()] == ["thesis.txt"]


def test_another_request_is_refused_with_what_differs(small_run):
    changes = {"n": 25, "seed": 3, "quality": 80, "difficulty": (0.1, 0.2), "shard_samples": 7}
    for name, value in changes.items():
        with pytest.raises(RunExists) as refused:
            make_run(small_run, RESUME, **{name: value})
        there = getattr(small_config(), name)
        there = list(there) if isinstance(there, tuple) else there
        now = list(value) if isinstance(value, tuple) else value
        assert f"({name}: here {now}, there {there});" in str(refused.value)


def test_other_versions_are_refused_with_what_differs(small_run, tmp_path):
    out = shutil.copytree(small_run, tmp_path / "run")
    text = (out / "request.json").read_text()
    (out / "request.json").write_text(text.replace('"rotate@1"', '"rotate@0"'))
    with pytest.raises(RunExists, match="generator: here rotate@1, there rotate@0"):
        make_run(out, RESUME)


def test_a_folder_in_use_is_refused_until_its_process_ends(tmp_path):
    out = tmp_path / "run"
    with started(
        "gen", "captcha", "--type", "rotate", "--n", 2000, "--out", out, "--workers", 1
    ) as process:
        wait_for(lambda: (out / "request.json").exists())
        config = {"n": 2000, "shard_samples": None}
        try:
            with pytest.raises(RunLocked, match=str(process.pid)):
                make_run(out, RESUME, **config)
        finally:
            process.kill()
            process.wait()
        make_run(out, RunOptions(workers=1, resume=True, portion=(0, 20)), **config)


def test_who_loses_the_lock_to_steal_stops_and_the_run_is_whole(small_run, tmp_path):
    out = tmp_path / "run"
    words = ("--type", "rotate", "--n", 24, "--shard-samples", 6, "--workers", 1)
    with started("gen", "captcha", *words, "--out", out) as process:
        wait_for(lambda: (out / "request.json").exists())
        process.send_signal(signal.SIGSTOP)
        make_run(out, RunOptions(workers=1, resume=True, steal=True))
        process.send_signal(signal.SIGCONT)
        said = process.stderr.read()
    assert process.returncode == 5 and b"--steal" in said
    assert sums(out) == sums(small_run)


# A disk without space, at three moments: in a shard, in the journal, at the end.


def full(*args, **more):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("where", ["exporters.shards.publish", "exporters.journal.os.fsync"])
def test_a_full_disk_ends_the_run_and_resume_completes_it(
    small_run, tmp_path, monkeypatch, where, workers
):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        if where.endswith("publish"):
            patch.setattr("exporters.durable.os.replace", full_for(".tar"))
        else:
            patch.setattr("exporters.journal.os.fsync", full_for_file("journal.jsonl"))
        with pytest.raises(DiskFull, match="--resume"):
            make_run(out, RunOptions(workers=workers, start_method="fork"))
    assert not (out / "manifest.json").exists()
    make_run(out, RESUME)
    assert sums(out) == sums(small_run)


def full_for(suffix):
    rename = os.replace

    def replace(source, target):
        if str(target).endswith(suffix):
            full()
        rename(source, target)

    return replace


def full_for_file(name):
    sync = os.fsync

    def fsync(handle):
        if os.readlink(f"/proc/self/fd/{handle}").endswith(name):
            full()
        sync(handle)

    return fsync


@pytest.mark.parametrize("name", ["manifest.parquet", "SHA256SUMS", "manifest.json", ".png"])
def test_a_disk_that_fills_at_the_end_is_made_good(small_run, tmp_path, monkeypatch, name):
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("exporters.durable.os.replace", full_for(name))
        with pytest.raises(DiskFull, match="--resume"):
            make_run(out)
    make_run(out, RESUME)
    assert sums(out) == sums(small_run)


def test_too_little_space_is_said_before_anything_is_written(tmp_path):
    with pytest.raises(DiskFull, match=r"need about \d+\.\d GB .* --out"):
        make_run(tmp_path / "run", n=90_000_000, shard_samples=None, allow_repeats=True)
    assert not (tmp_path / "run").exists()


def test_space_is_asked_for_what_is_left_to_make(small_run, monkeypatch):
    asked = []
    monkeypatch.setattr("factory.engine.run.preflight", lambda out, n, size: asked.append(n))
    make_run(small_run, RESUME)
    assert asked == [0]
    assert manifest_of(small_run)["samples"] == 24
