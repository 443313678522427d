"""Choice, counts, charts and measures, without a browser."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from factory.core.errors import InvalidOptions
from factory.gallery import charts
from factory.gallery.choice import Chooser, Filter, band_of, bands
from factory.gallery.measures import Measures
from factory.gallery.rejects import UNMEASURED, Reason
from factory.gallery.run_folder import RunFolder
from factory.gallery.shown import Shown
from factory.gallery.story import pretty_json
from factory.gallery.survey import Survey


def _rows(count: int) -> list[dict[str, Any]]:
    """Rows of two classes, most of them easy, light and English."""
    return [
        {
            "key": f"k{number:05d}", "type": ("a", "b")[number % 2], "split": "train",
            "difficulty": 0.9 if number % 50 == 0 else 0.1, "duplicate_of": "",
            "theme": "dark" if number % 20 < 2 else "light",
            "lang": "zh" if number % 30 < 2 else "en",
        }
        for number in range(count)
    ]  # fmt: skip


def _chosen(rows: list[dict[str, Any]], n: int, seed: int = 0) -> list[str]:
    chooser = Chooser(n, seed)
    for row in rows:
        chooser.add(row)
    return [row["key"] for row in chooser.chosen()]


def test_choice_is_the_same_whatever_the_order_and_differs_by_seed() -> None:
    rows = _rows(2000)
    assert _chosen(rows, 20) == _chosen(rows[::-1], 20)
    assert _chosen(rows, 20) != _chosen(rows, 20, seed=1)


def test_choice_takes_n_of_each_class_and_shows_rare_strata() -> None:
    rows = _rows(2000)
    keys = set(_chosen(rows, 20))
    chosen = [row for row in rows if row["key"] in keys]
    assert Counter(row["type"] for row in chosen) == {"a": 20, "b": 20}
    rare = [row for row in chosen if row["type"] == "a" and band_of(row["difficulty"]) == "0.8-1.0"]
    assert len(rare) >= 4  # 4 % of the class's rows; a share of one in five or more here


def test_choice_of_more_than_there_is_takes_all() -> None:
    assert len(_chosen(_rows(30), 60)) == 30


def test_filter_takes_alternatives_of_a_name_and_all_names() -> None:
    wanted = Filter.parse(["theme=dark", "class=a", "class=b", "difficulty=0-0.5"])
    rows = _rows(400)
    taken = [row for row in rows if wanted.takes(row)]
    assert taken == [r for r in rows if r["theme"] == "dark" and r["difficulty"] <= 0.5]


@pytest.mark.parametrize("word", ["colour=red", "theme", "difficulty=hard"])
def test_filter_refuses_what_it_does_not_know(word: str) -> None:
    with pytest.raises(InvalidOptions, match=word.split("=")[0]):
        Filter.parse([word])


def test_bands_are_those_of_the_statistics(small_run: Path) -> None:
    stats = orjson.loads((small_run / "stats.json").read_bytes())
    assert set(stats["difficulty"]) <= set(bands())


def test_survey_counts_every_row_once(small_run: Path) -> None:
    survey = Survey()
    rows = list(RunFolder.open(small_run).rows())
    for row in rows:
        survey.add(row)
    for name in survey.crossed:
        assert sum(line.total for line in survey.heat(name)) == len(rows)


def test_cells_are_named_empty_and_thin() -> None:
    survey = Survey()
    for number in range(100):
        survey.crossed["type"]["a", bands()[0 if number else 1]] += 1
    assert [cell.state for cell in survey.heat("type")[0].cells] == ["", "thin", *["empty"] * 3]


@pytest.mark.parametrize("values", [[0.5], [1.0, 1.0], [-3.0, 900.0], [0.0, 1e-4], [123456.0, 1.0]])
def test_histogram_counts_every_value_within_its_limits(values: list[float]) -> None:
    chart = charts.histogram("x", values)
    assert sum(bar.count for bar in chart.bars) == len(values)
    assert all(bar.height <= charts.PLOT_HEIGHT for bar in chart.bars)


def test_position_prior_finds_an_answer_that_solves_all(small_run: Path) -> None:
    """Samples that repeat one puzzle are all solved by one answer; different ones are not."""
    run, same, different = RunFolder.open(small_run), Measures(), Measures()
    rows = list(run.rows())
    for row in rows:
        different.add(Shown.read(run, row))
        same.add(Shown.read(run, {**rows[0]}))
    for place, answer in enumerate(same.answers["rotate"]):
        same.answers["rotate"][place] = answer._replace(key=f"copy{place}")
    assert same.priors()[0][1] == 1.0
    assert different.priors()[0][1] < 0.5


def test_reason_keeps_measured_numbers_apart_from_unmeasured() -> None:
    reason = Reason("too dark")
    reason.add("k1", 3.0, 5.0)
    reason.add("k2", 4.0, 5.0)
    reason.add("k3", UNMEASURED, UNMEASURED)
    assert (reason.count, reason.measured, reason.limit) == (3, "3 to 4", "5")


@pytest.mark.parametrize(
    "value", [{}, [], {"a": [1, {"b": None}], "<i>": "</pre>"}, [["x" * 99] * 3]]
)
def test_pretty_json_is_the_value_again(value: Any) -> None:
    plain = html.unescape(re.sub(r"</?[bi](?: class=\"[a-z]\")?>", "", pretty_json(value)))
    assert orjson.loads(plain) == value
