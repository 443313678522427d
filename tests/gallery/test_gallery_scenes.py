"""A page's sample in the gallery: every task with its outline, the nine points, the refusals."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from runs import factory

from exporters.shard_reader import iter_samples
from factory.core import record as records
from factory.core.record import Record
from factory.gallery.inks import Inks
from factory.gallery.run_folder import RunFolder
from factory.gallery.scene_view import HITS, asked_of, dots_of, outlines_of, refused_of
from factory.gallery.shown import Shown

PAGES = 2


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("scenes") / "run"
    done = factory(
        "gen", "grounding", "--scenario", "sheet", "--n", PAGES, "--out", out, "--workers", 1
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def pages(run: Path) -> list[Record]:
    return [
        records.record_of(records.decode(parts["json"]))
        for shard in sorted(run.rglob("*.tar"))
        for _, parts, _ in iter_samples(shard)
    ]


def test_every_task_has_a_row_and_every_place_an_outline(pages: list[Record]) -> None:
    for record in pages:
        rows, outlines = asked_of(record), outlines_of(record)
        assert [row.id for row in rows] == [task.id for task in record.tasks]
        assert all(row.right for row in rows)
        places = {f"task-{t.id}" for t in record.tasks if t.mechanic.get("boxes")}
        assert {outline.ref for outline in outlines} == places == {r.ref for r in rows if r.ref}


def test_refusals_show_their_parent_and_their_proofs(pages: list[Record]) -> None:
    refused = [row for record in pages for row in asked_of(record) if row.kind == "refuse"]
    assert refused
    for row in refused:
        assert row.negative and row.parent and row.answer == "[-1,-1]"
        assert row.proofs and all(holds for _, holds, _ in row.proofs)


def test_points_lie_in_their_elements_and_tell_hits_from_misses(pages: list[Record]) -> None:
    for record in pages:
        dots, seen = dots_of(record), record.observations[0]
        struck = [e for e in record.state["elements"] if len(e.get("hits", "")) == 9]
        assert len(dots) == 9 * len(struck) > 0
        assert sum(dot.hit for dot in dots) == sum(
            letter in HITS for element in struck for letter in element["hits"]
        )
        inside = [0 <= dot.x <= seen.width and 0 <= dot.y <= seen.height for dot in dots]
        assert sum(inside) > 0.8 * len(dots)


def test_refused_candidates_have_reasons(pages: list[Record]) -> None:
    assert any(refused_of(record) for record in pages)
    for record in pages:
        assert all(one.reason and one.name for one in refused_of(record))


def test_the_gallery_writes_a_page_with_its_tasks(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "gallery"
    done = factory("gallery", "export", run, out)
    assert done.returncode == 0, done.stderr
    shown = sorted((out / "s").glob("*.html"))
    assert len(shown) == PAGES
    for page in shown:
        text = page.read_text(encoding="utf-8")
        assert 'id="tasks"' in text and 'data-layer="points"' in text
        assert "Goal on the panel" not in text and "No film strip" not in text
        assert f'href="../img/{page.stem}-ink.png"' in text


def test_paint_masks_lie_where_targets_are(run: Path, pages: list[Record], tmp_path: Path) -> None:
    out = tmp_path / "gallery"
    assert factory("gallery", "export", run, out).returncode == 0
    for record in pages:
        seen = record.observations[0]
        path = str(out / "img" / f"{record.key}-ink.png")
        ink = np.asarray(cv2.imread(path, cv2.IMREAD_UNCHANGED))[:, :, 3] > 0
        assert ink.shape == (seen.height, seen.width)
        seen_here = [e["box"] for e in record.state["elements"] if not e.get("reason")]
        boxes = seen.dpr * np.array(seen_here)
        places = np.zeros_like(ink)
        for x0, y0, x1, y1 in boxes:
            around = round(4 * seen.dpr) + 1
            own = slice(max(0, round(y0)), round(y1)), slice(max(0, round(x0)), round(x1))
            assert ink[own].any()
            grown = max(0, int(y0) - around), max(0, int(x0) - around)
            places[grown[0] : int(y1) + around, grown[1] : int(x1) + around] = True
        assert 0 < ink.sum() < ink.size and not ink[~places].any()


def test_without_film_pages_are_not_made_again(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "gallery"
    assert factory("gallery", "export", run, out, "--no-film").returncode == 0
    assert not list((out / "img").glob("*-ink.png"))
    for page in (out / "s").glob("*.html"):
        assert 'title="left out by --no-film"' in page.read_text(encoding="utf-8")


def test_a_page_that_looks_different_here_has_no_mask(
    run: Path,
) -> None:
    folder = RunFolder.open(run)
    shown = Shown.read(folder, next(iter(folder.rows())))
    shown.pictures[0][:] = 255 - shown.pictures[0]
    found = Inks(run).of(shown)
    assert not found.png and "looks different here" in found.note
