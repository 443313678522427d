"""Each page of the case table gets the verdict that ``verdicts.toml`` says."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from factory.web.verdict import Desk, PageVerdict, Window
from tests.web.verdict.conftest import PAGES

CASES: dict[str, dict[str, Any]] = tomllib.loads(
    (PAGES.parent / "verdicts.toml").read_text("utf-8")
)
ABSENT = "none"
"""TOML has no null."""


def check(desk: Desk, name: str, dpr: float = 1.0) -> PageVerdict:
    window = Window(dpr=dpr)
    return desk.check((PAGES / f"{name}.html").as_uri(), window).verdict


def test_the_table_has_all_45_cases_and_every_page_has_a_verdict() -> None:
    assert {name[:2] for name in CASES} == {f"{n:02d}" for n in range(1, 46)}
    assert sorted(CASES) == sorted(path.stem for path in PAGES.glob("*.html"))


@pytest.mark.parametrize("name", sorted(CASES))
def test_page_gets_its_verdict(desk: Desk, name: str) -> None:
    case = CASES[name]
    verdict = check(desk, name)
    assert sorted(t.selector for t in verdict.accepted) == sorted(case.get("accept", []))
    rejected = {r.selector: r for r in verdict.rejected}
    assert {s: str(r.reason) for s, r in rejected.items()} == case.get("reject", {})
    for selector, mask in case.get("masks", {}).items():
        report = rejected[selector].report
        assert report is not None
        assert report.mask == mask
    for selector, by in case.get("by", {}).items():
        assert rejected[selector].by == by
    for selector, facts in case.get("facts", {}).items():
        assert_facts(verdict, selector, facts)


def assert_facts(verdict: PageVerdict, selector: str, facts: dict[str, Any]) -> None:
    target = next(t for t in verdict.accepted if t.selector == selector)
    found = msgspec.to_builtins(target) | {"mask": target.report.mask}
    wanted = {name: None if value == ABSENT else value for name, value in facts.items()}
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.parametrize("dpr", [1.25, 1.5, 2.0, 3.0])
def test_zoomed_box_is_the_same_at_every_dpr(desk: Desk, dpr: float) -> None:
    verdict = check(desk, "27-zoom", dpr)
    assert verdict.png_size == [round(1280 * dpr), round(800 * dpr)]
    assert verdict.accepted[0].box_xyxy_css == [20.0, 20.0, 110.0, 50.0]


def test_icon_and_text_link_to_one_place_are_one_target_twice(desk: Desk) -> None:
    targets = {t.selector: t for t in check(desk, "42-duplicates").accepted}
    assert targets["#pic"].alt_boxes == [targets["#text"].box_xyxy_css]
    assert targets["#text"].alt_boxes == [targets["#pic"].box_xyxy_css]


def test_label_is_an_alternative_box_of_its_control(desk: Desk) -> None:
    targets = {t.selector: t for t in check(desk, "21-labels").accepted}
    assert len(targets["#plain"].alt_boxes) == 1
    assert targets["#plain"].alt_boxes[0][2] > targets["#plain"].box_xyxy_css[2]


def test_click_points_and_grid_cells_lie_in_their_boxes(desk: Desk) -> None:
    for name in ("01-plain", "23-two-lines", "26-transforms", "29-frames"):
        for target in check(desk, name).accepted:
            box = target.box_xyxy_css
            for axis, size in ((0, 1280), (1, 800)):
                low, high, cell = box[axis], box[axis + 2], target.grid[axis]
                readings = (cell / 1000, cell / 999, (cell + 0.5) / 1000)
                assert all(low <= reading * size < high for reading in readings)
                assert low <= target.click_xy_css[axis] < high
