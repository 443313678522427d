"""`factory setup` brings what is missing, says what it did, and never hangs or half-installs."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from factory import setup
from factory.core.errors import DependencyMissing
from factory.setup import browser, npm, steps, system
from factory.setup.browser import Trial
from factory.setup.commands import NOT_FOUND, TIMED_OUT, Outcome, execute
from factory.web import driver

LOCK_NAMES = sorted(folder.name for folder in npm.LOCKS.iterdir())


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def said() -> list[str]:
    return []


# ------------------------------------------------------------------------ commands


def test_command_that_hangs_is_killed_with_its_children() -> None:
    # A child that lived on would hold the pipe open, and `execute` would wait for it.
    outcome = execute(["sh", "-c", "sleep 300 & sleep 300"], timeout_s=0.2)
    assert outcome.code == TIMED_OUT


def test_command_reads_no_terminal() -> None:
    assert execute(["cat"], timeout_s=5) == Outcome(0, "")


def test_missing_program_is_an_outcome_and_not_an_exception() -> None:
    outcome = execute(["no-such-program-here"], timeout_s=5)
    assert outcome.code == NOT_FOUND
    assert "no-such-program-here" in outcome.complaint


def test_complaint_is_the_line_that_names_the_error() -> None:
    assert Outcome(1, "Downloading\nError: no route\n    at f (x.js)\n").complaint == (
        "Error: no route"
    )
    assert Outcome(9, "").complaint == "exit code 9"


# ------------------------------------------------------------------ system libraries


def test_missing_libegl_without_root_names_the_line_to_type(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    broken = Outcome(1, "ImportError: libEGL.so.1: cannot open shared object file")
    monkeypatch.setattr(system, "import_skia", lambda: broken)
    monkeypatch.setattr(system, "can_use_apt", lambda: False)
    with pytest.raises(DependencyMissing, match=r"apt-get install .*libegl1 libgl1") as caught:
        system.ensure_skia(said.append)
    assert caught.value.exit_code == 3


def test_missing_libegl_is_installed_where_we_may(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    outcomes = iter([Outcome(1, "ImportError: libGL.so.1: cannot open"), Outcome(0, "")])
    asked: list[tuple[str, ...]] = []

    def install(*packages: str) -> Outcome:
        asked.append(packages)
        return Outcome(0, "")

    monkeypatch.setattr(system, "import_skia", lambda: next(outcomes))
    monkeypatch.setattr(system, "can_use_apt", lambda: True)
    monkeypatch.setattr(system, "apt_install", install)
    system.ensure_skia(said.append)
    assert asked == [("libegl1", "libgl1")]


def test_skia_broken_otherwise_does_not_blame_the_system(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    broken = Outcome(1, "ModuleNotFoundError: No module named 'skia'")
    monkeypatch.setattr(system, "import_skia", lambda: broken)
    with pytest.raises(DependencyMissing, match="reinstall skia-python"):
        system.ensure_skia(said.append)


# ------------------------------------------------------------------------- npm assets


@pytest.mark.parametrize("lock", LOCK_NAMES)
def test_lock_pins_digests_and_names_no_registry(lock: str) -> None:
    content = json.loads((npm.LOCKS / lock / "package-lock.json").read_text())
    packages = {name: entry for name, entry in content["packages"].items() if name}
    assert packages
    for entry in packages.values():
        assert "resolved" not in entry
        assert entry["integrity"].startswith("sha512-")


@pytest.mark.parametrize("lock", LOCK_NAMES)
def test_lock_agrees_with_its_package_file(lock: str) -> None:
    wanted = json.loads((npm.LOCKS / lock / "package.json").read_text())["dependencies"]
    packages = json.loads((npm.LOCKS / lock / "package-lock.json").read_text())["packages"]
    assert packages[""]["dependencies"] == wanted
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version


def test_npm_of_the_python_wheel_runs_without_a_node_on_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    commands = npm.npm_commands()
    assert len(commands) == 1
    outcome = execute([*commands[0], "--version"], timeout_s=60)
    assert outcome.ok, outcome.output


def _fake_npm(monkeypatch: pytest.MonkeyPatch, calls: list[Path], *, ok: bool = True) -> None:
    def run_npm(command: list[str], *, timeout_s: float, cwd: Path) -> Outcome:
        assert command[1] == "ci"
        calls.append(cwd)
        (cwd / "node_modules").mkdir()
        return Outcome(0, "") if ok else Outcome(1, "npm error network")

    monkeypatch.setattr(npm, "npm_commands", lambda: [["npm"]])
    monkeypatch.setattr(npm, "execute", run_npm)


PACKAGE_SETS = [
    ("assets", "npm", npm.ensure_assets),
    ("scenarios", "npm-scenarios", npm.ensure_kits),
]
Ensure = Callable[[Callable[[str], None]], None]


@pytest.mark.parametrize(("lock", "folder", "ensure"), PACKAGE_SETS)
def test_packages_are_installed_once_into_a_folder_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
    empty_home: Path,
    said: list[str],
    lock: str,
    folder: str,
    ensure: Ensure,
) -> None:
    calls: list[Path] = []
    _fake_npm(monkeypatch, calls)
    ensure(said.append)
    ensure(said.append)
    assert len(calls) == 1
    assert (empty_home / folder / "node_modules").is_dir()
    assert npm.is_installed(lock, empty_home / folder)
    assert [path.name for path in empty_home.iterdir()] == [folder]


@pytest.mark.parametrize(("lock", "folder", "ensure"), PACKAGE_SETS)
def test_packages_of_another_lock_are_replaced(
    monkeypatch: pytest.MonkeyPatch,
    empty_home: Path,
    said: list[str],
    lock: str,
    folder: str,
    ensure: Ensure,
) -> None:
    (empty_home / folder).mkdir(parents=True)
    (empty_home / folder / npm.STAMP).write_text("another digest")
    (empty_home / folder / "stale").touch()
    _fake_npm(monkeypatch, [])
    ensure(said.append)
    assert not (empty_home / folder / "stale").exists()
    assert npm.is_installed(lock, empty_home / folder)


@pytest.mark.parametrize(("lock", "folder", "ensure"), PACKAGE_SETS)
def test_failed_npm_leaves_nothing_behind_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
    empty_home: Path,
    said: list[str],
    lock: str,
    folder: str,
    ensure: Ensure,
) -> None:
    _fake_npm(monkeypatch, [], ok=False)
    with pytest.raises(DependencyMissing, match="npm error network"):
        ensure(said.append)
    assert not npm.is_installed(lock, empty_home / folder)
    assert list(empty_home.iterdir()) == []


# ---------------------------------------------------------------------------- browser


def test_playwrights_driver_starts_with_the_node_of_the_wheel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(driver.ENV_NODE, raising=False)
    driver.choose_node()
    assert os.environ[driver.ENV_NODE] == str(driver.wheel_node())
    outcome = execute([sys.executable, "-m", "playwright", "--version"], timeout_s=60)
    assert outcome.ok, outcome.output


def test_node_that_the_user_named_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(driver.ENV_NODE, "/opt/node/bin/node")
    driver.choose_node()
    assert os.environ[driver.ENV_NODE] == "/opt/node/bin/node"


def test_driver_that_does_not_start_is_a_problem_and_not_a_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(driver.ENV_NODE, "/bin/false")
    trial = browser.try_browser()
    assert not trial.version
    assert "driver does not start" in trial.problem


def _ladder(
    monkeypatch: pytest.MonkeyPatch, starts_after: str, *, problems: dict[str, str]
) -> list[str]:
    """Three pretended ways to bring a browser; it starts once ``starts_after`` was tried."""
    tried: list[str] = []

    def way(name: str) -> Callable[[], str]:
        def bring() -> str:
            tried.append(name)
            return problems.get(name, "")

        return bring

    def trial() -> Trial:
        if starts_after in ("already", *tried):
            return Trial(version="1.2.3")
        return Trial(problem="none found")

    monkeypatch.delenv(browser.ENV_BROWSER, raising=False)
    monkeypatch.setattr(browser, "WAYS", tuple((n, way(n)) for n in ("download", "apt", "npm")))
    monkeypatch.setattr(browser, "try_browser", trial)
    return tried


@pytest.mark.parametrize(
    ("starts_after", "expected"),
    [("already", []), ("download", ["download"]), ("npm", ["download", "apt", "npm"])],
)
def test_ways_are_tried_in_order_until_a_browser_starts(
    monkeypatch: pytest.MonkeyPatch, said: list[str], starts_after: str, expected: list[str]
) -> None:
    tried = _ladder(monkeypatch, starts_after, problems={})
    assert browser.ensure_browser(said.append)
    assert tried == expected


def test_each_failure_is_said(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    _ladder(monkeypatch, "never", problems={"apt": "needs root"})
    assert not browser.ensure_browser(said.append)
    assert any("needs root" in line for line in said)


def test_browser_that_the_user_named_is_not_overruled(
    monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    tried = _ladder(monkeypatch, "npm", problems={})
    monkeypatch.setenv(browser.ENV_BROWSER, "/no/such/file")
    assert not browser.ensure_browser(said.append)
    assert tried == []


def _pack_browser(folder: Path, *, name: str) -> None:
    brotli = pytest.importorskip("brotli")
    folder.mkdir()
    shell = b'#!/bin/sh\necho "$LD_LIBRARY_PATH $*"\n'
    (folder / "chromium.br").write_bytes(brotli.compress(shell))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(name))
    for part in ("al2023", "swiftshader", "fonts"):
        (folder / f"{part}.tar.br").write_bytes(brotli.compress(archive.getvalue()))


def test_unpacked_browser_finds_its_own_libraries_first(tmp_path: Path) -> None:
    _pack_browser(tmp_path / "packed", name="lib/libnss3.so")
    target = tmp_path / "folder with spaces"
    target.mkdir()
    browser._unpack(tmp_path / "packed", target)
    outcome = execute([str(target / "chromium"), "--flag", "a b"], timeout_s=10)
    libraries, flags = outcome.output.strip().split(" --", 1)
    assert libraries.split(":")[0] == str(target / "lib")
    assert flags == "flag a b"
    assert (target / "lib" / "libnss3.so").is_file()


def test_unpacking_writes_nothing_outside_its_folder(tmp_path: Path) -> None:
    _pack_browser(tmp_path / "packed", name="../escaped")
    target = tmp_path / "browser"
    target.mkdir()
    browser._unpack(tmp_path / "packed", target)
    assert not (tmp_path / "escaped").exists()


# -------------------------------------------------------------------------- the whole


@pytest.fixture
def steps_done(monkeypatch: pytest.MonkeyPatch, empty_home: Path) -> list[str]:
    done: list[str] = []

    def fill_bank(count: int, painted: bool, echo: object) -> None:
        done.append(f"{count} {'painted' if painted else 'plain'}")

    monkeypatch.setattr(steps, "ensure_skia", lambda echo: done.append("skia"))
    monkeypatch.setattr(steps, "ensure_assets", lambda echo: done.append("assets"))
    monkeypatch.setattr(steps, "ensure_kits", lambda echo: done.append("kits"))
    monkeypatch.setattr(steps, "ensure_browser", lambda echo: bool(done.append("browser")))
    monkeypatch.setattr(steps, "_fill_bank", fill_bank)
    return done


def test_setup_without_a_browser_draws_plain_pages_and_ends_with_exit_code_3(
    steps_done: list[str], said: list[str]
) -> None:
    with pytest.raises(DependencyMissing, match="PLAIN") as caught:
        setup.run(20, echo=said.append)
    assert caught.value.exit_code == 3
    assert steps_done == ["skia", "assets", "kits", "browser", "20 plain"]


def test_setup_without_a_browser_can_be_accepted(steps_done: list[str], said: list[str]) -> None:
    setup.run(20, allow_plain=True, echo=said.append)
    assert any("PLAIN" in line for line in said)


def test_setup_with_a_browser_paints_the_bank(
    monkeypatch: pytest.MonkeyPatch, steps_done: list[str], said: list[str]
) -> None:
    monkeypatch.setattr(steps, "ensure_browser", lambda echo: True)
    setup.run(20, echo=said.append)
    assert steps_done[-1] == "20 painted"


@pytest.mark.parametrize("total", [1, 3, 4, 7, 400])
def test_progress_is_told_at_quarters_only(total: int) -> None:
    told: list[int] = []
    progress = steps._quarters(told.append)
    for done in range(total + 1):
        progress(done, total)
    assert told == sorted(set(told))
    assert told[-1] == 100
    assert len(told) <= 4


def test_second_setup_waits_for_the_first(steps_done: list[str], empty_home: Path) -> None:
    holder = (
        "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX);"
        "print('held', flush=True); sys.stdin.read()"
    )
    empty_home.mkdir()
    lock = str(empty_home / ".setup-lock")
    with subprocess.Popen(
        [sys.executable, "-c", holder, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdout.readline()
        said: list[str] = []

        def echo(line: str) -> None:
            said.append(line)
            assert first.stdin is not None
            first.stdin.close()  # the first one ends only once the second says it waits

        setup.run(5, allow_plain=True, echo=echo)
    assert "waiting" in said[0]
    assert os.path.exists(lock)
