"""``factory check-page`` and ``factory bench grounding`` as a person or a script uses them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import orjson
import pytest

PAGES = Path(__file__).parent.parent / "web" / "verdict" / "pages"


def factory(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "factory.cli.app", *arguments],
        cwd=cwd, capture_output=True, text=True, timeout=120,
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
    assert (tab["reason"], tab["report"]["hits"]) == ("stolen", "ttttttttt")
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


@pytest.mark.long
def test_bench_of_verdicts_names_its_figures(tmp_path: Path) -> None:
    done = factory("bench", "grounding", "--rounds", "1", "--json", cwd=tmp_path)
    found = orjson.loads(done.stdout)
    assert {"bare_pages_per_s", "ratio_no_proof", "ratio_proof"} <= set(found)
    assert found["hit_ms_per_candidate"] <= 0.5
    assert found["ratio_per_locator"] >= 15
