"""The walk of CONTRIBUTING.md, followed word for word in a package of one's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runs import factory

ROOT = Path(__file__).parents[2]
CLASS = "my_captchas/dots/odd_dot.py"


def edits() -> dict[str, list[tuple[str, str]]]:
    """``{file: [(old, new)]}`` from the diffs of the walk."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = {}
    for name, diff in re.findall(r"<!-- edit ([^>]+?) -->\n```diff\n(.*?)```", text, re.S):
        lines = diff.splitlines()
        old = [line[1:] for line in lines if line.startswith("-")]
        new = [line[1:] for line in lines if line.startswith("+")]
        found[name] = list(zip(old, new, strict=True))
    return found


def installed(folder: Path) -> dict[str, str]:
    """The environment in which the package is installed: on the path, with its entry point."""
    info = folder / "my_captchas-0.1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-captchas\nVersion: 0.1.0\n")
    points = re.search(r"entry-points\.\"(.+?)\"\]\n(\w+) = \"(\w+)\"", pyproject(folder))
    assert points is not None
    (info / "entry_points.txt").write_text(f"[{points[1]}]\n{points[2]} = {points[3]}\n")
    return {"PYTHONPATH": f"{folder}:{ROOT}"}


def pyproject(folder: Path) -> str:
    return (folder / "pyproject.toml").read_text()


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("walk") / "my-captchas"
    done = factory("new", "dots/odd_dot", "--into", folder)
    assert done.returncode == 0, done.stderr
    return folder


def check(folder: Path, *words: str):
    tests = ("--tests", folder / "checks")
    return factory("check", "odd_dot", "--update-golden", *tests, *words, env=installed(folder))


def test_what_new_writes_passes_and_so_does_what_the_walk_makes_of_it(walk):
    before = check(walk)
    assert before.returncode == 0, before.stdout + before.stderr
    assert "FAIL" not in before.stdout
    files = {
        "odd_dot.py": walk / CLASS,
        "odd_dot.toml: all": (walk / CLASS).with_suffix(".toml"),
        "checks/solvers/odd_dot.py": walk / "checks/solvers/odd_dot.py",
    }
    assert edits().keys() == files.keys()
    for name, changes in edits().items():
        text = files[name].read_text()
        for old, new in changes:
            assert old in text, (name, old)
            text = text.replace(old, new)
        files[name].write_text(text)
    after = check(walk)
    assert after.returncode == 0, after.stdout + after.stderr


def test_half_an_edit_is_caught(walk, tmp_path):
    """The suite bites: the judge still looks for the other dot."""
    judge = walk / "checks/solvers/odd_dot.py"
    text = judge.read_text()
    swapped = text.replace("max(spots", "xxx(spots").replace("min(spots", "max(spots")
    judge.write_text(swapped.replace("xxx(spots", "min(spots"))
    done = check(walk, "--only", "C5")
    judge.write_text(text)
    assert done.returncode == 1
    assert "FAIL" in done.stdout


@pytest.mark.parametrize(
    ("path", "says"),
    [("odd_dot", "FAMILY/NAME"), ("dots/Odd", "lower case"), ("dots/rotate", "already")],
)
def test_bad_names_are_refused(path, says, tmp_path):
    done = factory("new", path, "--into", tmp_path)
    assert done.returncode != 0
    assert says in done.stderr


def test_nothing_is_overwritten(walk):
    done = factory("new", "dots/odd_dot", "--into", walk)
    assert done.returncode != 0
    assert "overwritten" in done.stderr
