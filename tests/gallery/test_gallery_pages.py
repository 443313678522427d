"""Every page works from a disk: no complaint, no network, and its address holds its state."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gallery_visits import OVERVIEWS, Visit, keys_of, query_of
from runs import N, key_of

from factory.engine.finish import REJECTED_SCHEMA
from factory.gallery.export import ExportOptions, export


@pytest.mark.parametrize("name", OVERVIEWS)
@pytest.mark.parametrize("width", [1000, 1900])
def test_overview_makes_no_complaint_and_fits(
    visit: Visit, gallery: Path, name: str, width: int
) -> None:
    with visit(gallery, f"{name}.html", viewport={"width": width, "height": 900}) as page:
        assert page.locator("main h1").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_sample_has_a_page_that_makes_no_complaint(visit: Visit, gallery: Path) -> None:
    assert len(keys_of(gallery)) == N
    for key in keys_of(gallery)[:6]:
        with visit(gallery, f"s/{key}.html", viewport={"width": 1000, "height": 900}) as page:
            assert page.locator("h1").inner_text() == key
            assert page.evaluate("[...document.images].every(i => i.naturalWidth > 0)")
            assert page.evaluate("document.documentElement.scrollWidth") <= 1000


def test_visits_notice_what_is_missing(visit: Visit, gallery: Path, tmp_path: Path) -> None:
    """Else no test here could fail."""
    shutil.copytree(gallery, tmp_path / "harmed")
    key = keys_of(gallery)[0]
    (tmp_path / "harmed" / "film" / f"{key}-00.jpg").unlink()
    with (
        pytest.raises(AssertionError, match=r"failed: .*film"),
        visit(tmp_path / "harmed", f"s/{key}.html"),
    ):
        pass


FOREIGN = re.compile(r"<script(?![^>]* src=)|\son[a-z]+=|\sstyle=|https?://(?!www\.w3)")
"""Inline scripts, handlers and styles, and addresses elsewhere (but for SVG's namespace)."""


def test_pages_forbid_what_is_not_theirs(gallery: Path) -> None:
    for path in gallery.rglob("*.html"):
        text = path.read_text()
        assert '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">' in text
        assert not FOREIGN.search(text)


def test_film_strip_begins_unsolved_and_ends_solved(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        verdicts = page.locator("#film .verdict").all_inner_texts()
        assert len(verdicts) >= 2
        assert verdicts[0].startswith("✕")
        assert verdicts[-1] == "✓ solved"


def test_checks_stand_beside_their_floors(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        told = page.locator("section[aria-labelledby=checks]").inner_text()
        assert "fidelity in dB" in told
        assert "24" in told  # the floor that the class declares
        assert "unknown" not in told


def test_filter_state_survives_a_reload(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "samples.html") as page:
        page.select_option("[name=theme]", "dark")
        page.select_option("[name=sort]", "-difficulty")
        page.fill("[name=q]", "rotate")
        before, links = query_of(page), _tiles(page)
        assert 0 < len(links) < N
        page.reload()
        assert query_of(page) == before == "?theme=dark&q=rotate&sort=-difficulty"
        assert _tiles(page) == links
        assert page.input_value("[name=theme]") == "dark"


def test_next_stays_in_the_filter_and_its_order(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "samples.html?lang=en&sort=difficulty") as page:
        wanted = [re.sub(r".*s/|\.html.*", "", link) for link in _tiles(page)]
        page.locator(".tile").first.click()
        page.locator("body[data-ready] h1", has_text=wanted[0]).wait_for()
        for key in wanted[1:4]:
            page.locator("#next").click()
            page.locator("body[data-ready] h1", has_text=key).wait_for()
        assert page.locator("#place").inner_text() == f"4 of {len(wanted)} in filter"
        page.locator("#place").click()
        page.wait_for_selector("body[data-ready] .tile")
        assert query_of(page) == "?lang=en&sort=difficulty"


def test_cell_of_the_catalog_leads_to_as_many_samples(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "catalog.html") as page:
        cells = page.locator("section[aria-labelledby=heat-theme] td a")
        cell = cells.filter(has_text=re.compile(r"^\s*[1-9]")).first
        count = int(cell.inner_text().split()[0])
        cell.click()
        page.wait_for_selector("body[data-ready] .tile")
        assert page.locator(".tile").count() == count


def test_bar_of_the_statistics_leads_to_as_many_samples(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "stats.html") as page:
        bar = page.locator("svg[aria-label=Language] a").first
        count = int(re.findall(r"\d+", bar.get_attribute("aria-label") or "")[-1])
        bar.click()
        page.wait_for_selector("body[data-ready] .tile")
        assert page.locator(".tile").count() == count


def test_layers_and_zoom_are_in_the_address(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        page.locator("button[data-layer=panel]").click()
        page.locator("button[data-zoom='2']").click()
        page.reload()
        assert page.locator("button[data-layer=panel]").get_attribute("aria-pressed") == "true"
        assert page.locator(".over [data-layer=panel]").first.is_visible()
        assert page.locator("button[data-zoom='2']").get_attribute("aria-pressed") == "true"


def test_slot_lights_its_point_on_the_picture(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        slot = page.locator("button.slot").last
        pointer = page.locator(f".pointer[data-ref='{slot.get_attribute('data-ref')}']")
        assert not pointer.is_visible()
        slot.hover()
        assert pointer.locator("circle").is_visible()


def _tiles(page: Any) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('.tile')].map(t => t.href)")


def test_refused_draws_show_their_number_against_its_limit(
    visit: Visit, small_run: Path, tmp_path: Path
) -> None:
    run, key = tmp_path / "run", key_of(small_run, 0)
    shutil.copytree(small_run, run)
    refused = [
        {"key": key, "reason": "one upright pose", "value": value, "limit": 0.035}
        for value in (0.01, 0.02)
    ]
    pq.write_table(pa.Table.from_pylist(refused, REJECTED_SCHEMA), run / "rejected.parquet")
    replay = f"factory show {key} --run ."
    bug = {"key": key, "error": "two answers", "replay": replay}
    (run / "quarantine.jsonl").write_bytes(orjson.dumps(bug) + b"\n")
    export(run, tmp_path / "out", ExportOptions(n=1, film=False))
    with visit(tmp_path / "out", "rejected.html") as page:
        told = page.locator("main").inner_text()
        assert "Measured 0.01 to 0.02 against 0.035" in told
        assert "two answers" in told
        assert page.locator("[data-copy]").get_attribute("data-copy") == replay
