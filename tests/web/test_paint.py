"""Frames: what the page says in CSS px is where the PNG has it in device px."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factory.core.errors import DependencyMissing, RenderFailed
from factory.draw.tokens import CHINESE_FAMILY, FONTS, tokens_named
from factory.web import browser as browsers
from factory.web.backdrops import VIEWPORTS, BackdropRecipe, paint_backdrop
from factory.web.paint import Viewport, decode_png, open_painter

INK = tokens_named("ink-light")


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=lambda viewport: viewport.name)
def test_a_marker_is_painted_where_css_puts_it(browser: Any, viewport: Viewport) -> None:
    # Whole CSS px: under an emulated DPR Chromium snaps boxes to them, not to device px.
    wanted = [(37.0, 61.0), (viewport.width - 41.0, 300.0), (120.0, viewport.height - 33.0)]
    body = '<div class="screen">' + "".join(
        f'<i style="position:absolute;left:{x - 6}px;top:{y - 6}px;width:12px;height:12px;'
        'background:#ff00ff"></i>'
        for x, y in wanted
    )
    with open_painter(browser, viewport) as painter:
        painter.show(body + "</div>", INK, layer="page")
        picture = decode_png(painter.shoot())
    assert picture.shape[:2] == (viewport.height * viewport.dpr, viewport.width * viewport.dpr)
    for x, y in wanted:
        assert _marker_near(picture, x * viewport.dpr, y * viewport.dpr) == pytest.approx(
            (x * viewport.dpr, y * viewport.dpr), abs=0.75
        )


def _marker_near(picture: np.ndarray, x: float, y: float) -> tuple[float, float]:
    """The centre of the magenta ink within 40 px of a point, pixel centres at +0.5."""
    x0, y0 = max(0, int(x) - 40), max(0, int(y) - 40)
    part = picture[y0 : int(y) + 40, x0 : int(x) + 40].astype(float)
    ink = 1 - np.abs(part - np.array([255.0, 0.0, 255.0])).mean(axis=2) / 85
    ink = np.clip(ink, 0, 1)
    rows, columns = np.indices(ink.shape)
    return (
        x0 + float((ink * (columns + 0.5)).sum() / ink.sum()),
        y0 + float((ink * (rows + 0.5)).sum() / ink.sum()),
    )


def _recipe(lang: str, tokens: str = "indigo-light", context: Any = "embedded") -> BackdropRecipe:
    return BackdropRecipe("checkout", context, 1280, 800, 1, tokens, lang, "train", 7)


def test_pages_ask_for_local_files_only(browser: Any) -> None:
    with open_painter(browser, Viewport(1280, 800)) as painter:
        for context in ("embedded", "modal", "dialog"):
            paint_backdrop(painter, _recipe("zh", context=context))
        assert {url.split(":")[0] for url in painter.requests} <= {"file", "data"}


def test_a_page_that_asks_for_the_network_is_refused(browser: Any) -> None:
    with open_painter(browser, Viewport(1280, 800)) as painter:
        painter.page.evaluate("new Image().src = 'http://example.invalid/a.png'")
        with pytest.raises(RenderFailed, match="local files only"):
            painter.show("", INK)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_text_is_drawn_in_our_own_fonts(browser: Any, lang: str) -> None:
    with open_painter(browser, Viewport(1280, 800)) as painter:
        for tokens in ("indigo-light", "ochre-dark", "rose-light", "sky-dark"):
            recipe = _recipe(lang, tokens)
            paint_backdrop(painter, recipe)
            used = painter.fonts_used()
            # A face's own name may add its default instance: "Source Sans 3 ExtraLight".
            ours = (recipe.look.font.css, CHINESE_FAMILY)
            assert all(name.startswith(ours) for name in used), used
            assert any(name.startswith(CHINESE_FAMILY) for name in used) == (lang == "zh")


def test_a_browser_named_in_the_environment_goes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tmp_path / "shell"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(mine.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv(browsers.ENV_BROWSER, str(mine))
    assert browsers.find_browser() == browsers.BrowserChoice(mine, browsers.ENV_BROWSER)
    monkeypatch.setenv(browsers.ENV_BROWSER, str(tmp_path / "absent"))
    with pytest.raises(DependencyMissing, match="is not a file"):
        browsers.find_browser()


def test_without_any_browser_the_message_names_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(browsers.ENV_BROWSER, raising=False)
    for name in ("PATH", "PLAYWRIGHT_BROWSERS_PATH", "FACTORY_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    with pytest.raises(DependencyMissing, match="factory setup"):
        browsers.find_browser()
    unpacked = tmp_path / "browser" / "chromium"
    unpacked.parent.mkdir()
    unpacked.write_text("")
    assert browsers.find_browser().executable == unpacked


def test_every_family_has_a_file_of_its_own() -> None:
    assert len({font.file for font in FONTS.values()}) == len(FONTS)
