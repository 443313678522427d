"""Scenes and pages are pure, and what items say is true of the markup. No browser here."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from itertools import product

import pytest
from fontTools.ttLib import TTFont

from factory.core.errors import InvalidOptions
from factory.draw.tokens import FONTS, chinese_font, tokens_named
from factory.scenarios import catalog, grammar, kits
from factory.scenarios.page import PLATFORMS, Platform, ScenePage
from tests.scenarios.conftest import every_moment

APPS = catalog.apps()
FILLER = re.compile(r"lorem|ipsum|\btodo\b|\bfoo\b|\bxxx\b|placeholder text|\{\w+\}", re.IGNORECASE)


@cache
def pages() -> tuple[ScenePage, ...]:
    return tuple(grammar.compose(scene) for scene in every_moment())


class _Reader(HTMLParser):
    """Ids, texts and values of a body, and whether its tags are balanced."""

    VOID = frozenset({"input", "hr", "br", "img", "path", "rect", "circle", "line", "stop", "col"})

    def __init__(self, body: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(body)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.texts += [given[n] or "" for n in ("value", "placeholder", "aria-label") if n in given]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@cache
def _read(body: str) -> _Reader:
    return _Reader(body)


@cache
def _cmap(path: str) -> frozenset[int]:
    return frozenset(TTFont(path).getBestCmap() or ())


# ------------------------------------------------------------------------------ purity


@pytest.mark.parametrize("app", APPS)
def test_same_key_gives_the_same_page_and_another_key_another(app: str) -> None:
    first, again, other = (
        grammar.compose(grammar.scene_of(app, root, {})) for root in ("k/1", "k/1", "k/2")
    )
    assert (first.body, first.items, first.facts) == (again.body, again.items, again.facts)
    assert first.body != other.body


def test_what_the_cell_fixes_is_kept() -> None:
    cell = {
        "platform": "ios", "kit": "weui", "theme": "dark", "lang": "zh", "screen": "inbox",
        "state": "toast", "window": "375x812@2", "density": "normal", "tokens": "teal-dark",
    }  # fmt: skip
    scene = grammar.scene_of("mail", "k", cell)
    kept = {name: str(getattr(scene, name)) for name in cell if name != "window"}
    assert kept == {name: value for name, value in cell.items() if name != "window"}
    assert scene.window.size_px == (750, 1624)


@pytest.mark.parametrize(
    "cell",
    [
        {"platform": "web", "kit": "cupertino"},
        {"colour": "red"},
        {"window": "wide"},
        {"lang": "xx"},
    ],
)
def test_what_cannot_be_is_refused(cell: dict[str, str]) -> None:
    with pytest.raises(InvalidOptions):
        grammar.scene_of("mail", "k", cell)


def test_kit_that_is_light_only_decides_the_theme() -> None:
    for turn in range(12):
        scene = grammar.scene_of("mail", f"k/{turn}", {"platform": "windows", "kit": "classic"})
        assert scene.theme == "light"


# ------------------------------------------------------------------------------- items


def test_every_item_stands_in_the_body_once() -> None:
    for page in pages():
        found = _read(page.body).ids
        assert len(found) == len(set(found)), page.scene
        assert set(found) >= set(page.items), page.scene
        assert list(page.items) == [item.id for item in page.items.values()]


def test_labels_are_drawn() -> None:
    for page in pages():
        drawn = "\n".join(_read(page.body).texts)
        missing = [i for i in page.items.values() if i.label and i.label not in drawn]
        assert missing == [], page.scene


def test_places_count_from_one_to_of() -> None:
    for page in pages():
        groups: dict[tuple[str, str], list[int]] = {}
        for item in page.items.values():
            if item.group:
                groups.setdefault((item.section, item.group), []).append(item.place)
                assert item.of >= item.place
        assert all(places == list(range(1, len(places) + 1)) for places in groups.values())


def test_slots_of_a_function_are_filled_by_its_item() -> None:
    for page in pages():
        functions = catalog.app(page.scene.app).fn
        for item in page.items.values():
            if item.fn:
                wanted = {
                    slot
                    for phrase in functions[item.fn].do[catalog.asked_in(page.scene.lang)]
                    for slot in re.findall(r"\{(\w+)\}", phrase)
                }
                assert wanted <= set(item.args), (page.scene, item)


def test_sections_are_known_or_drawn() -> None:
    for page in pages():
        for section in {item.section for item in page.items.values()}:
            assert section in catalog.sections() or section in page.body, (page.scene, section)


def test_dialogs_cover_what_is_behind_them() -> None:
    for page in pages():
        inside = [i for i in page.items.values() if i.section == "dialog"]
        covered = [i for i in page.items.values() if i.hidden == "cover"]
        assert bool(inside) == bool(covered), page.scene
        assert all(i.hidden in ("", "blank") for i in inside)


def test_menus_are_open_at_their_moment_and_closed_at_others() -> None:
    kept = 0
    for page in pages():
        closed = [i for i in page.items.values() if i.hidden == "menu"]
        assert not (closed and page.scene.state == "menu"), page.scene
        assert all(i.section == "menu" for i in closed), page.scene
        assert page.body.count('role="menu"') == page.body.count("display:none") or not closed
        kept += bool(closed)
    assert kept > 20


# ------------------------------------------------------------------------------ markup


def test_tags_are_balanced() -> None:
    for page in pages():
        reader = _read(page.body)
        assert (reader.wrong, reader.open) == ([], []), page.scene


def test_pages_ask_for_no_network_and_run_no_script() -> None:
    texts = {page.body for page in pages()} | {kits.shell_text(kit) for kit in kits.kits()}
    for text in texts:
        bare = text.replace("http://www.w3.org/", "").replace("http%3A//www.w3.org/", "")
        bare = re.sub(r"/\*.*?\*/", "", bare, flags=re.DOTALL)
        assert not re.search(r"(src|href)=\"(https?:)?//|url\([\"']?(https?:)?//|<script", bare)


def test_no_text_is_filler() -> None:
    for page in pages():
        found = [text for text in _read(page.body).texts if FILLER.search(text)]
        assert found == [], page.scene


def test_every_character_has_a_glyph() -> None:
    chinese, arabic = _cmap(str(chinese_font())), _cmap(str(kits.arabic_font()))
    for page in pages():
        latin = _cmap(str(FONTS[tokens_named(page.scene.tokens).font.css].path()))
        other = arabic if page.scene.lang == "ar" else chinese
        used = {ord(c) for text in _read(page.body).texts for c in text if not c.isspace()}
        assert {chr(c) for c in used - latin - other} == set(), page.scene


# ----------------------------------------------------------------------------- catalog


@pytest.mark.parametrize("app", APPS)
def test_every_function_of_an_app_is_used_somewhere(app: str) -> None:
    used = {i.fn for page in pages() if page.scene.app == app for i in page.items.values()}
    own = set(catalog.app(app).fn) - set(catalog.common()["fn"])
    assert own - used == set()


@pytest.mark.parametrize("app", APPS)
def test_app_has_phrases_in_both_languages(app: str) -> None:
    known = catalog.app(app)
    for function, lang in product(known.fn.values(), catalog.LANGS):
        assert function.do[lang], (app, function.key, lang)
    assert all(len(known.absent[lang]) >= 5 for lang in catalog.LANGS)
    assert all(text for words in known.questions.values() for text in words.values())


@pytest.mark.parametrize("app", APPS)
def test_chinese_words_are_chinese(app: str) -> None:
    for function in catalog.app(app).fn.values():
        for text in (*function.label["zh"], *function.do["zh"]):
            assert re.search(r"[\u4e00-\u9fff]", text), (function.key, text)


@pytest.mark.parametrize("app", APPS)
def test_what_an_app_lacks_is_none_of_its_functions(app: str) -> None:
    known = catalog.app(app)
    for lang in catalog.LANGS:
        present = {phrase for function in known.fn.values() for phrase in function.do[lang]}
        assert present.isdisjoint(known.absent[lang])


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("theme", grammar.THEMES)
def test_every_platform_has_kits_and_looks(platform: Platform, theme: str) -> None:
    assert len(kits.kits_for(platform, theme)) >= 1
    assert len(kits.tokens_for(theme)) >= 9


def test_licences_of_all_packages_are_known() -> None:
    assert all(licence for licence in kits.licences().values())
    assert {kits.kit_named(k).package for k in kits.kits()} - {""} <= set(kits.licences())
