"""Claims about the curves of a stage."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from training.plots import PANEL_H, TOP, curves_of, plot, write_plot

METRICS = [
    {"step": k, "loss": 2.0 - 0.1 * k, "outcome/slide": 0.1 * k, "outcome/press": 0.2, "kl": None}
    for k in range(1, 9)
] + [{"step": 9, "loss": math.nan, "train_runtime": 3.0}]
SVG = "{http://www.w3.org/2000/svg}"


def lines(svg: str):
    found = ElementTree.fromstring(svg).iter(f"{SVG}polyline")
    return [
        [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
        for line in found
    ]


def test_panels_are_those_with_data_and_lines_go_as_the_values_do() -> None:
    svg = plot(METRICS, "rl <slide>")
    titles = [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert "rl <slide>" in titles and "loss" in titles and "outcome by domain" in titles
    assert "distance" not in titles and "entropy" not in titles
    loss, press, slide = lines(svg)
    assert len(loss) == 8
    assert [y for _, y in loss] == sorted(y for _, y in loss)  # down the page, as the loss falls
    assert [y for _, y in slide] == sorted((y for _, y in slide), reverse=True)
    assert len({y for _, y in press}) == 1
    assert all(TOP <= y <= PANEL_H for line in (loss, press, slide) for _, y in line)


def test_a_prefix_stands_for_all_its_metrics() -> None:
    assert [curve.name for curve in curves_of(METRICS, ("outcome/",))] == [
        "outcome/press", "outcome/slide",
    ]  # fmt: skip


@pytest.mark.parametrize("metrics", [[], [{"step": 1, "loss": 0.5}], [{"loss": math.inf}]])
def test_little_or_nothing_is_drawn_without_fault(metrics, tmp_path: Path) -> None:
    write_plot(metrics, tmp_path / "plot.svg", "short")
    ElementTree.parse(tmp_path / "plot.svg")
