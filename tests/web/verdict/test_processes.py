"""No browser outlives its desk: not after an exception, Ctrl-C, SIGTERM or a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from factory.core.errors import DependencyMissing
from factory.web.verdict import Desk, PageFault, Window, open_desk
from factory.web.verdict.devtools import PROFILE, Chromium

HOLD = """
import sys, time
from factory.web.verdict import Window, open_desk
with open_desk() as desk:
    desk.check("data:text/html,<button>B</button>", Window())
    print(desk.browser().process.pid, flush=True)
    {last}
"""
GONE_S = 10.0


def ours(group: int) -> list[int]:
    """Processes of a browser's group that are more than zombies of somebody else."""
    found: list[int] = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (psutil.Error, ProcessLookupError):
            continue
    return found


def ends(group: int) -> bool:
    end = time.monotonic() + GONE_S
    while ours(group):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def start(last: str = "time.sleep(60)") -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD.format(last=last)], stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    group = int(process.stdout.readline())
    assert ours(group)
    return process, group


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_leaves_no_browser(number: signal.Signals) -> None:
    process, group = start()
    process.send_signal(number)
    process.wait(GONE_S)
    assert ends(group)


def test_exception_leaves_no_browser() -> None:
    process, group = start("raise ValueError")
    process.wait(GONE_S)
    assert ends(group)


def test_desk_leaves_neither_browser_nor_profile(tmp_path: Path) -> None:
    with open_desk() as desk:
        desk.check("data:text/html,<button>B</button>", Window())
        group = desk.browser().process.pid
    assert not ours(group)
    assert not [p for p in psutil.Process().children() if p.status() == psutil.STATUS_ZOMBIE]


def test_profile_of_a_killed_process_is_swept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    stale = tmp_path / f"{PROFILE}99999999-x"
    stale.mkdir()
    Chromium().close()
    assert not stale.exists()


def test_memory_above_the_cap_renews_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factory.web.verdict.pool.RSS_EVERY", 2)
    desk = Desk(max_rss_bytes=1)
    try:
        for _ in range(4):
            desk.check("data:text/html,<button>B</button>", Window(), proof=False)
        assert desk.starts > 1
    finally:
        desk.close()


def test_missing_browser_names_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FACTORY_BROWSER", str(tmp_path / "nowhere"))
    with pytest.raises(DependencyMissing, match="FACTORY_BROWSER"):
        Chromium()
    monkeypatch.delenv("FACTORY_BROWSER")
    monkeypatch.setattr("factory.web.browser.SYSTEM_NAMES", ())
    monkeypatch.setattr("factory.web.browser._playwright_has_one", lambda: False)
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path))
    with pytest.raises(DependencyMissing, match="factory setup"):
        Chromium()


@pytest.mark.long
def test_memory_is_flat_over_5000_pages() -> None:
    body = "".join(f"<button>Button {i}</button> <a href='#{i}'>Link {i}</a> " for i in range(60))
    shell = "data:text/html,<!doctype html><body>"
    with open_desk() as desk:
        sizes = []
        for hundred in range(50):
            bodies = (f"<h1>{hundred}.{page}</h1>{body}" for page in range(100))
            found = desk.check_bodies(shell, bodies, Window(), proof=hundred % 10 == 0)
            assert not [one for one in found if isinstance(one, PageFault)]
            if hundred % 5 == 4:
                sizes.append(desk.browser().rss_bytes() + psutil.Process().memory_info().rss)
    print("MB every 500 pages:", *(size // 1_000_000 for size in sizes))
    assert max(sizes[5:]) <= 1.1 * max(sizes[:5])  # renewed stages breathe; a leak would grow on
