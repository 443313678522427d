"""The fast way through a shell page gives the verdict of the careful way; texts come when asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from factory.core.errors import ConfigError, InvalidOptions
from factory.web.verdict import Desk, Look, Window
from factory.web.verdict.bench import SHELL, body_of
from factory.web.verdict.judge import Judged
from factory.web.verdict.overlay import GREEN, overlay
from factory.web.verdict.paint import Subject, batches, ink_mask
from factory.web.verdict.pixels import rgb_of
from factory.web.verdict.pool import address_of

WINDOW = Window(1280, 800)


@pytest.fixture
def shell(tmp_path: Path) -> str:
    path = tmp_path / "shell.html"
    path.write_text(SHELL, "utf-8")
    return path.as_uri()


def test_swapped_body_gets_the_verdict_of_the_opened_page(
    desk: Desk, shell: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(SHELL.replace("<body>", f"<body>{body_of(7)}"), "utf-8")
    opened = desk.check(path.as_uri(), WINDOW).verdict
    desk.check_body(shell, body_of(3), WINDOW)
    swapped = desk.check_body(shell, body_of(7), WINDOW).verdict
    assert len(swapped.accepted) > 100
    assert [t.box_xyxy_css for t in swapped.accepted] == [t.box_xyxy_css for t in opened.accepted]
    assert [t.report for t in swapped.accepted] == [t.report for t in opened.accepted]


def test_scripts_of_a_swapped_body_do_not_run(desk: Desk, shell: str) -> None:
    body = "<img src=x: onerror='document.body.textContent=1' hidden><button>B</button>"
    assert [t.name for t in desk.check_body(shell, body, WINDOW).verdict.accepted] == ["B"]


def test_stage_is_made_anew_after_its_pages(
    desk: Desk, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factory.web.verdict.pool.PAGES_A_STAGE", 2)
    stages = {id(desk.stage(shell, WINDOW)): desk.stage(shell, WINDOW) for _ in range(4)}
    assert len(stages) > 1


def test_looks_in_several_shells_and_windows_get_the_verdict_of_each_alone(
    desk: Desk, shell: str, tmp_path: Path
) -> None:
    other = tmp_path / "other.html"
    other.write_text(SHELL.replace("<body>", "<body style='zoom:1.25'>"), "utf-8")
    windows = [WINDOW, Window(390, 844, 3.0), Window(1024, 768, 1.5), Window(800, 900), WINDOW]
    asked = [
        Look(url, window, proof=True, static=True)
        for url in (shell, other.as_uri(), shell)
        for window in windows
    ]
    body = "<h1>Words</h1><p>More of them, in a line that is broken</p><button>B</button>"
    found = list(desk.check_looks((look, body) for look in asked))
    for look, judged in zip(asked, found, strict=True):
        desk.restart()
        alone = desk.check_body(look.shell, body, look.window, static=True)
        assert isinstance(judged, Judged)
        assert judged.verdict == alone.verdict
        assert judged.png == alone.png


def test_shells_are_kept_open_but_not_without_end(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factory.web.verdict.pool.STAGES", 2)
    shells = [tmp_path / f"{number}.html" for number in range(3)]
    for path in shells:
        path.write_text(SHELL, "utf-8")
    first, second, third = (path.as_uri() for path in shells)
    kept = desk.stage(first, WINDOW)
    desk.stage(second, WINDOW)
    assert desk.stage(first, Window(390, 844)) is kept
    desk.stage(third, WINDOW)
    assert desk.stage(first, WINDOW) is kept
    targets = desk.browser()("Target.getTargets")["targetInfos"]
    assert sorted(t["url"] for t in targets if t["url"] in {first, second, third}) == [first, third]


def test_texts_and_pictures_are_judged_when_asked(desk: Desk, shell: str) -> None:
    body = "<p>Words</p><svg width=40 height=40><rect width=40 height=40 /></svg><button>B</button>"
    plain = desk.check_body(shell, body, WINDOW).verdict
    whole = desk.check_body(shell, body, WINDOW, static=True).verdict
    assert [t.kind for t in plain.accepted] == ["control"]
    assert [t.kind for t in whole.accepted] == ["text", "image", "control"]


def test_batches_hold_only_what_does_not_touch() -> None:
    boxes = [[0.0, 0, 10, 10], [20.0, 0, 30, 10], [5.0, 5, 25, 8], [40.0, 0, 50, 10]]
    groups = batches([Subject(i, box, box) for i, box in enumerate(boxes)])
    assert [[s.index for s in group] for group in groups] == [[0, 1, 3], [2]]


def test_overlay_draws_a_target_green(desk: Desk, shell: str) -> None:
    judged = desk.check_body(shell, "<button>B</button>", WINDOW)
    picture = overlay(judged.png, judged.verdict)
    x, y = (round(v) for v in judged.verdict.accepted[0].box_xyxy_css[:2])
    assert np.array_equal(picture[y, x], GREEN)


def test_addresses_say_what_is_wrong_with_them(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="--network"):
        address_of("https://example.org/", network=False)
    with pytest.raises(ConfigError, match="neither a file nor an address"):
        address_of(str(tmp_path / "nowhere.html"), network=False)


def test_target_outside_the_swapped_part_is_seen_again_on_the_next_page(desk: Desk) -> None:
    shell = "data:text/html,<!doctype html><body contenteditable style='width:90px;background:red'>"
    twice = [desk.check_body(shell, "<p>Words</p>", WINDOW).verdict for _ in range(2)]
    assert [t.selector for t in twice[0].accepted] == ["body"]
    assert twice[1] == twice[0]


def test_ink_is_kept_where_targets_paint_and_nowhere_else(desk: Desk, shell: str) -> None:
    style = "position:absolute;left:100px;width:80px;height:40px;border:0;padding:0"
    body = (
        f"<button style='{style};top:50px;background:#246'>A</button>"
        "<p style='position:absolute;left:300px;width:60px;height:60px;background:red'></p>"
    )
    page = desk.stage(shell, WINDOW)
    page.show(body)
    picture, ink = ink_mask(page)
    assert rgb_of(picture).shape[:2] == ink.shape == (800, 1280)
    rows, columns = np.nonzero(ink)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (50, 89, 100, 179)
    assert (ink[50:90, 100:180] > 0).mean() > 0.9
