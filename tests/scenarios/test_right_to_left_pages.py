"""Arabic pages in Chromium: from the right, inside the window, shaped, drawn by our typefaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page

from factory.scenarios import catalog, grammar, kits
from factory.scenarios.page import Scene, ScenePage
from factory.web.browser import open_browser
from factory.web.verdict import Desk, open_desk
from factory.web.verdict.judge import Judged
from factory.web.verdict.types import Window
from tests.scenarios.conftest import some_scenes
from tests.scenarios.page_checks import holds

ARABIC = [name for name in catalog.apps() if "ar" in catalog.app(name).langs]
SCREENS = [(app, screen) for app in ARABIC for screen in catalog.app(app).screens]
OUT_PX = 1.0
"""Boxes are rounded to whole px, so that one may seem to leave the window by less than this."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as opened:
        yield opened


def _in_rows(page: ScenePage, judged: Judged) -> list[Sequence[tuple[float, float]]]:
    """Left and right sides of the tabs of each line of tabs, in the order of the template."""
    lines: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for target in judged.verdict.accepted:
        item = page.items.get(target.selector.removeprefix("#"))
        if item and item.role == "tab" and item.group:
            box = target.box_xyxy_css
            lines[item.section, item.group].append((box[0], box[2]))
    return [line for line in lines.values() if len(line) > 1]


def _runs_from_the_right(desk: Desk, folder: Path, scene: Scene) -> int:
    """How many lines of tabs were seen; each is to run from the right, and all to fit."""
    page, judged = holds(desk, folder, scene)
    rows = _in_rows(page, judged)
    for row in rows:
        assert all(after[1] <= before[0] + OUT_PX for before, after in pairwise(row)), scene
    for target in judged.verdict.accepted:
        x0, _, x1, _ = target.hit_box_xyxy_css
        assert x0 >= -OUT_PX and x1 <= scene.window.width + OUT_PX, (scene, target.selector)
    return len(rows)


@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_arabic_pages_run_from_the_right_and_hold(
    desk: Desk, tmp_path: Path, app: str, screen: str
) -> None:
    (scene,) = some_scenes(app, screen, 1, "ar")
    _runs_from_the_right(desk, tmp_path, scene)


@pytest.mark.long
@pytest.mark.parametrize(("app", "screen"), SCREENS)
def test_many_arabic_pages_hold(desk: Desk, tmp_path: Path, app: str, screen: str) -> None:
    for scene in some_scenes(app, screen, 8, "ar"):
        _runs_from_the_right(desk, tmp_path, scene)


def test_the_first_tab_lies_at_the_right(desk: Desk, tmp_path: Path) -> None:
    cell = {"platform": "web", "screen": "home", "state": "plain", "lang": "ar"}
    assert _runs_from_the_right(desk, tmp_path, grammar.scene_of("bank", "tabs", cell)) >= 1


CUT = (
    '<div class="sc" dir="rtl" lang="ar"><button type="button" id="cut" style="width:150px;'
    'overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:start">'
    "محضر اجتماع يوم الخميس في المكتب الجديد</button></div>"
)


def test_lines_that_are_cut_on_the_left_are_read_from_their_start(
    desk: Desk, tmp_path: Path
) -> None:
    judged = desk.check_body(kits.write_shell("plain", tmp_path), CUT, Window(400, 300))
    (cut,) = judged.verdict.accepted
    read = cut.visible_text.removesuffix("…")
    assert read.startswith("محضر اجتماع") and cut.dom_text.startswith(read)
    assert len(read) < len(cut.dom_text)


# ------------------------------------------------------------------------------- fonts


def _shown(page: Page, folder: Path, scene: Scene) -> None:
    page.goto(kits.write_shell(scene.kit, folder))
    page.evaluate("(body) => { document.body.innerHTML = body; }", grammar.compose(scene).body)
    page.evaluate("() => document.fonts.ready.then(() => null)")


def _families(page: Page) -> set[str]:
    """Families that draw the page, those of the machine marked as such."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("DOM.enable")
    cdp.send("CSS.enable")
    root = cdp.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    nodes = cdp.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body *"})["nodeIds"]
    fonts = [
        font
        for node in nodes
        for font in cdp.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    ]
    return {f"{'' if font['isCustomFont'] else 'system:'}{font['familyName']}" for font in fonts}


JOINED = """() => {
  const wide = (text) => {
    const span = document.createElement("span");
    span.textContent = text;
    span.style.position = "absolute";
    document.querySelector(".sc").append(span);
    return span.getBoundingClientRect().width;
  };
  return [wide("محمد"), wide("م\\u200cح\\u200cم\\u200cد")];
}"""
"""The width of a word, and that of its letters kept from joining."""


SHAPED_PX = 1.0
"""Letters that are not shaped take the same room either way."""


def test_arabic_is_joined_and_drawn_by_the_fonts_that_we_bring(tmp_path: Path) -> None:
    with open_browser() as browser:
        page = browser.new_page()
        for app in ARABIC:
            scene = grammar.scene_of(app, "fonts", {"lang": "ar"})
            _shown(page, tmp_path, scene)
            families = _families(page)
            assert kits.ARABIC_FAMILY in families, scene
            assert not [one for one in families if one.startswith("system:")], scene
        joined, apart = page.evaluate(JOINED)
        assert abs(joined - apart) > SHAPED_PX
