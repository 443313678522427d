"""``factory check-page`` and ``factory bench grounding`` as a person or a script uses them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import orjson
import psutil
import pytest

GONE_S = 10.0
WHOLE_BENCH = 12
"""Processes: two workers and what each needs, with room for a browser that has fewer."""
PAGES = Path(__file__).parent.parent / "web" / "verdict" / "pages"


def factory(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "factory.cli.app", *arguments],
        cwd=cwd, capture_output=True, text=True, timeout=120, env=os.environ | env,
    )  # fmt: skip


def test_table_and_picture(tmp_path: Path) -> None:
    done = factory("check-page", str(PAGES / "05-opaque-cover.html"), "--dpr", "1.5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "#free" in done.stdout and "no_ink 0/" in done.stdout
    picture = cv2.imread(str(tmp_path / "05-opaque-cover.check.png"))
    assert picture is not None and picture.shape == (1200, 1920, 3)


def test_json_holds_the_whole_evidence(tmp_path: Path) -> None:
    done = factory("check-page", str(PAGES / "22-nested-controls.html"), "--json", cwd=tmp_path)
    found = orjson.loads(done.stdout)
    row = next(t for t in found["accepted"] if t["selector"] == "#row")
    assert row["box_xyxy_css"] == [20.0, 20.0, 320.0, 60.0]
    assert row["click_xy_css"] == [170.0, 40.0]
    assert row["report"]["mask"] == "111111111"
    tab = next(r for r in found["rejected"] if r["selector"] == "#tab")
    assert (tab["reason"], tab["hits"], tab["report"]["hits"]) == ("stolen", 0, "ttttttttt")
    assert (row["reason"], row["hits"], tab["click_xy_css"]) == (None, 9, None)
    assert list(tmp_path.iterdir()) == []  # no picture unless one is named


def test_page_without_a_verdict_is_exit_1_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<img src=nowhere.png alt='' width=50 height=50>")
    done = factory("check-page", "p.html", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert orjson.loads(done.stdout)["page_fault"]["reason"] == "broken_image"


def test_wrong_requests_are_exit_2(tmp_path: Path) -> None:
    for arguments in (["nowhere.html"], ["https://example.org/"], ["p.html", "--viewport", "big"]):
        done = factory("check-page", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("factory: ")


@pytest.mark.parametrize("command", [["check-page", "p.html"], ["bench", "grounding"]])
def test_without_a_browser_one_line_names_what_brings_it(
    tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "p.html").write_text("<button>B</button>")
    none = {"PATH": "", "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "FACTORY_BROWSER": ""}
    done = factory(*command, cwd=tmp_path, FACTORY_HOME=str(tmp_path), **none)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1 and "run `factory setup`" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_bench_that_is_ended_leaves_no_process(number: signal.Signals) -> None:
    bench = subprocess.Popen(
        [sys.executable, "-m", "factory.cli.app", "bench", "grounding"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while len(started := psutil.Process(bench.pid).children(recursive=True)) < WHOLE_BENCH:
        time.sleep(0.1)
    bench.send_signal(number)
    assert bench.wait(GONE_S) != 0
    _, left = psutil.wait_procs(started, GONE_S)
    assert [one for one in left if one.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.long
def test_bench_of_verdicts_names_its_figures(tmp_path: Path) -> None:
    done = factory("bench", "grounding", "--rounds", "1", "--json", cwd=tmp_path)
    found = orjson.loads(done.stdout)
    assert {"bare_pages_per_s", "ratio_no_proof", "ratio_proof"} <= set(found)
    assert found["hit_ms_per_candidate"] <= 0.5
    assert found["ratio_per_locator"] >= 15
