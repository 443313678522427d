"""SHA256SUMS covers every file but those that hold times and hosts."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from exporters.problems import Code
from exporters.sums import check_sums, read_sums, write_sums


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name in ("train/a.tar", "README.md", "assets/nested/x.png", "name with space.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


def codes(run: Path, known: dict[str, str] | None = None) -> list[Code]:
    return [problem.code for problem in check_sums(run, known)]


def test_every_file_is_listed_but_itself_journal_lock_partials_and_energons(run):
    for name in ("journal.jsonl", "lock", "x.tar.partial", ".nv-meta"):
        (run / name).mkdir() if name == ".nv-meta" else (run / name).write_bytes(b"x")
    (run / ".nv-meta/split.yaml").write_bytes(b"x")
    write_sums(run, {})
    sums, problems = read_sums(run)
    assert problems == []
    assert list(sums) == ["README.md", "assets/nested/x.png", "name with space.txt", "train/a.tar"]
    assert codes(run) == []


def test_known_digests_are_taken_and_not_computed_again(run):
    write_sums(run, {"train/a.tar": "0" * 64})
    assert read_sums(run)[0]["train/a.tar"] == "0" * 64
    assert codes(run) == [Code.SUMS_MISMATCH]
    assert codes(run, {"train/a.tar": "0" * 64}) == []


def test_a_manifest_written_last_can_be_listed_first(run):
    write_sums(run, {"manifest.json": hashlib.sha256(b"{}").hexdigest()})
    assert codes(run) == [Code.SUMS_ABSENT_FILE]
    (run / "manifest.json").write_bytes(b"{}")
    assert codes(run) == []


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_the_system_tool_accepts_the_file(run):
    write_sums(run, {})
    done = subprocess.run(
        ["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=run, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_changed_added_and_removed_files_are_named(run):
    write_sums(run, {})
    (run / "README.md").write_bytes(b"changed")
    (run / "added").write_bytes(b"x")
    (run / "assets/nested/x.png").unlink()
    assert {(p.code, p.shard) for p in check_sums(run)} == {
        (Code.SUMS_MISMATCH, "README.md"),
        (Code.SUMS_NOT_LISTED, "added"),
        (Code.SUMS_ABSENT_FILE, "assets/nested/x.png"),
    }


def test_no_sums_is_one_problem_and_not_one_for_each_file(run):
    assert codes(run) == [Code.SUMS_MISSING]


def test_lines_that_are_no_sums_or_climb_out_are_named(run):
    write_sums(run, {})
    with (run / "SHA256SUMS").open("a") as file:
        file.write(f"nonsense\n{'0' * 64}  ../../etc/passwd\n{'0' * 64}  /etc/passwd\n")
    assert codes(run) == [Code.SUMS_BROKEN] * 3


def test_a_file_name_that_is_no_text_is_listed_and_found(run):
    (run / os.fsdecode(b"caf\xe9 \xe2\x80\xa8")).write_bytes(b"x")
    write_sums(run, {})
    assert codes(run) == []


def test_the_same_files_give_the_same_bytes(run):
    write_sums(run, {})
    first = (run / "SHA256SUMS").read_bytes()
    write_sums(run, {})
    assert (run / "SHA256SUMS").read_bytes() == first
