"""The comparison of hard with easy samples tells them apart, and finds nothing between equals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factory.core import registry
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.testing import subject_of
from factory.testing.difficulty import (
    EASY,
    HARD,
    MEASURES,
    REPORTS,
    SIGHTS,
    WAYS,
    Effort,
    compared,
    effort,
    impaired,
    slack,
    standard_errors,
    write_report,
)

CLASS, SAMPLES = "composite_multi_field", 24


@pytest.fixture(scope="module")
def easy() -> Effort:
    return effort(CLASS, EASY, SAMPLES)


def test_hard_samples_are_harder_than_easy_ones(easy: Effort) -> None:
    found = compared(CLASS, easy, effort(CLASS, HARD, SAMPLES))
    assert found["ok"] and {"moves", "luck"} <= {*found["harder_by"]} and not found["easier_by"]
    assert found["hard"]["moves"] > found["easy"]["moves"]


def test_samples_of_one_difficulty_are_not_harder_than_themselves(easy: Effort) -> None:
    found = compared(CLASS, easy, easy)
    assert not found["ok"] and not found["harder_by"]


def test_a_class_whose_hard_samples_are_easier_to_see_does_not_pass() -> None:
    other = {name: [4.0] * 40 for name in ("things", "facts", "smallest", "slack")}
    dim = Effort(sight=[0.2, 0.4] * 20, moves=[2.0] * 40, luck=0.1, **other)
    clear = Effort(sight=[0.8, 1.0] * 20, moves=[3.0] * 40, luck=0.1, **other)
    found = compared("any", dim, clear)
    assert found["easier_by"] == ["sight"] and found["harder_by"] == ["moves"] and not found["ok"]


def test_longer_reasoning_smaller_things_and_less_slack_are_harder() -> None:
    same = {"sight": [1.0] * 40, "moves": [1.0] * 40, "things": [3.0] * 40, "luck": 0.5}
    easy = Effort(**same, facts=[4.0] * 40, smallest=[30.0] * 40, slack=[9.0] * 40)
    hard = Effort(**same, facts=[9.0] * 40, smallest=[20.0] * 40, slack=[5.0] * 40)
    assert compared("any", easy, hard)["harder_by"] == ["facts", "smallest", "slack"]
    assert compared("any", hard, easy)["easier_by"] == ["facts", "smallest", "slack"]


def test_slack_is_what_the_mechanic_allows() -> None:
    """A tap may be off to the edge of its zone, whatever the device ratio."""
    subject = subject_of("click_extreme_region")
    for draw in subject.draws(6):
        zone, point = draw.mechanic.targets[0], draw.gold[0].point
        found = slack(draw) * draw.placement.px_per_css
        box, grow = zone.box, draw.mechanic.grow_px
        edges = (point.x - box.x0, box.x1 - point.x, point.y - box.y0, box.y1 - point.y)
        assert 0.0 < found <= min(edges) + grow
        for way in WAYS:
            off = 0.99 * found
            assert zone.contains(Point(point.x + off * way[0], point.y + off * way[1]), grow)


def test_an_easy_judge_sees_most_steps_of_worse_sight(easy: Effort) -> None:
    assert all(0.0 <= score <= 1.0 for score in easy.sight)
    assert len({*easy.sight}) > 1, "every sample is lost at the same step: sight tells nothing"


@pytest.mark.parametrize("left", SIGHTS)
def test_impaired_pictures_keep_their_size_and_lose_detail(left: float) -> None:
    board = np.zeros((120, 160, 3), np.uint8)
    board[::2, ::2] = 255
    seen = impaired(board, 2.0, left)
    assert seen.shape == board.shape and seen.std() < 0.5 * board.std()
    assert impaired(board, left, left) is board


def test_means_that_do_not_differ_are_no_standard_error_apart() -> None:
    assert standard_errors([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert standard_errors([1.0, 1.0], [2.0, 2.0]) == float("inf")
    assert standard_errors([0.0, 2.0], [2.0, 4.0]) == pytest.approx(2.0)


def test_a_class_without_a_judge_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("factory.testing.difficulty.TESTS", tmp_path)
    with pytest.raises(InvalidOptions, match=CLASS):
        effort(CLASS, EASY, 1)


def test_reports_are_written_only_beside_the_documentation(tmp_path: Path, easy: Effort) -> None:
    found = compared(CLASS, easy, easy)
    path = write_report(found, tmp_path / "difficulty")
    assert json.loads(path.read_text()) == found
    with pytest.raises(InvalidOptions, match="source checkout"):
        write_report(found, tmp_path / "no" / "difficulty")


def test_the_command_prints_the_figures() -> None:
    command = [sys.executable, "-m", "factory.cli.app", "check", CLASS, "--difficulty"]
    done = subprocess.run(
        [*command, "--n", "16", "--json"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["ok"] and printed["classes"][CLASS]["samples"] == 16


NOT_SHOWN = {"text_qa"}
"""A fact that does not matter is told by none of the measures; see the notebook."""


@pytest.mark.parametrize("name", registry.names())
def test_every_class_was_found_harder_where_it_says_so(name: str) -> None:
    found = json.loads((REPORTS / f"{name}.json").read_text())
    assert found["ok"] is bool(found["harder_by"]) is (name not in NOT_SHOWN)
    for end in ("easy", "hard"):
        assert set(found[end]) == set(MEASURES)
