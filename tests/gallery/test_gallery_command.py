"""``factory gallery export`` as a command."""

from __future__ import annotations

import resource
from pathlib import Path

import orjson
import pytest
from runs import factory, key_of, make_run

MOST_SECONDS = 20.0
"""What an export of 300 samples may take with their film strips.

In processor time, which is the time on an idle machine: an export is one process.
"""


def test_command_says_what_to_open(small_run: Path, tmp_path: Path) -> None:
    done = factory("gallery", "export", small_run, tmp_path / "out", "--n", 3, "--seed", 4)
    assert done.returncode == 0, done.stderr
    opened = done.stdout.splitlines()[-1].split()[-1]
    assert Path(opened) == tmp_path / "out" / "index.html"
    assert Path(opened).is_file()


def test_command_filters_and_tells_machines(small_run: Path, tmp_path: Path) -> None:
    words = ("--filter", "theme=dark", "--json", "--no-film")
    done = factory("gallery", "export", small_run, tmp_path / "out", *words)
    facts = orjson.loads(done.stdout)
    index = (tmp_path / "out/data/index.js").read_text()
    assert 0 < facts["samples"] < facts["of"]
    assert index.count('"theme":"dark"') == facts["samples"]


def test_command_shows_the_samples_of_a_list_of_keys(small_run: Path, tmp_path: Path) -> None:
    wanted = [key_of(small_run, 3), key_of(small_run, 5)]
    (tmp_path / "failures.txt").write_text("".join(f"{key}\n" for key in wanted))
    words = ("--filter", f"keys={tmp_path / 'failures.txt'}", "--json", "--no-film")
    done = factory("gallery", "export", small_run, tmp_path / "out", *words)
    assert orjson.loads(done.stdout)["samples"] == 2
    index = (tmp_path / "out/data/index.js").read_text()
    assert all(key in index for key in wanted)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["nowhere", "out"], 2, "is not a folder"),
        ([".", "out"], 2, "is not a run"),
        (["RUN", "USED"], 5, "no gallery"),
        (["RUN", "out", "--n", "0"], 2, "give 1 or more"),
        (["RUN", "out", "--filter", "size=9"], 2, "NAME=VALUE"),
        (["RUN", "out", "--filter", "keys=none.txt"], 2, "cannot be read"),
    ],
)
def test_wrong_requests_are_named(
    small_run: Path, tmp_path: Path, words: list[str], code: int, told: str
) -> None:
    used = tmp_path / "used"
    used.mkdir()
    (used / "file").touch()
    known = {"RUN": small_run, "USED": used, ".": used, "out": tmp_path / "out"}
    done = factory("gallery", "export", *(known.get(word, word) for word in words))
    assert done.returncode == code
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.long
def test_300_samples_are_quick(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", n=300, shard_samples=100)
    before = _spent()
    done = factory("gallery", "export", run, tmp_path / "out", "--n", 300)
    assert done.returncode == 0
    assert _spent() - before < MOST_SECONDS


def _spent() -> float:
    """Processor seconds of this process's children so far."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
