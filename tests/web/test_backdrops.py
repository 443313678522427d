"""Backdrop recipes: deterministic, balanced and partitioned; pages differ from their neighbours."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from factory.config import DEFAULT_VIEWPORTS, NAMES
from factory.core.errors import InvalidOptions, RenderFailed
from factory.core.rng import SPLITS
from factory.draw.tokens import token_sets
from factory.web.backdrops import (
    CONTEXTS,
    DEFAULTS,
    DESKTOPS,
    LANGS,
    PHONES,
    THEMES,
    VIEWPORTS,
    BackdropRecipe,
    fits,
    least_window,
    paint_backdrop,
    recipes,
    render,
    split_of_variant,
    template_names,
    templates_for,
)
from factory.web.content import PageContent, common_wording, wording
from factory.web.paint import Viewport, open_painter

MANY = recipes(1500)
CELLS = [(v.name, c) for v in VIEWPORTS for c in CONTEXTS if fits(c, v)]
DEFAULT_CELLS = [(v.name, c) for v in DEFAULTS for c in CONTEXTS if fits(c, v)]


def test_recipes_are_deterministic_and_a_short_list_is_a_prefix() -> None:
    assert recipes(200) == MANY[:200]
    assert len({recipe.id for recipe in MANY}) == len(MANY)
    assert BackdropRecipe.from_dict(vars(MANY[3])) == MANY[3]
    assert recipes(1)[0].id == MANY[0].id
    assert render(MANY[5]) == render(recipes(6)[5])


def test_the_default_viewports_are_those_of_a_run() -> None:
    assert [viewport.name for viewport in DEFAULTS] == [
        text if "@" in text else f"{text}@1" for text in DEFAULT_VIEWPORTS
    ]
    assert set(DEFAULTS) < set(VIEWPORTS)
    assert {(v.width, v.height) for v in DESKTOPS} == {
        (1280, 800), (1366, 768), (1440, 900), (1920, 1080),
    }  # fmt: skip
    assert {(v.width, v.height, v.dpr) for v in PHONES} == {
        (*size, dpr) for size in ((375, 812), (390, 844), (412, 915)) for dpr in (1, 2, 3)
    }
    assert NAMES["themes"] == THEMES


@pytest.mark.parametrize(
    ("count", "cells"), [(45, DEFAULT_CELLS), (200, CELLS), (1500, CELLS)], ids=str
)
def test_every_cell_has_every_split(count: int, cells: list[tuple[str, str]]) -> None:
    found = defaultdict(set)
    for recipe in MANY[:count]:
        found[recipe.viewport.name, recipe.context].add(recipe.split)
    assert set(found) == set(cells)
    assert all(splits == set(SPLITS) for splits in found.values())


def test_content_belongs_to_one_split_and_a_tenth_is_held_back() -> None:
    assert all(split_of_variant(recipe.variant) == recipe.split for recipe in MANY)
    assert len({recipe.variant for recipe in MANY}) == len(MANY)
    shares = Counter(recipe.split for recipe in MANY)
    # One of each in every block of twenty; blocks that are not full may hold theirs already.
    assert 0.05 <= shares["val"] / len(MANY) <= 0.065
    assert 0.05 <= shares["test"] / len(MANY) <= 0.065


@pytest.mark.parametrize("split", ["val", "test"])
def test_a_small_bank_has_both_languages_and_all_themes_in_each_split(split: str) -> None:
    held = [recipe for recipe in MANY[:200] if recipe.split == split]
    for viewport in VIEWPORTS:
        assert {r.lang for r in held if r.viewport == viewport} == set(LANGS), viewport
    assert {(r.lang, r.look.mode) for r in held} == {(a, b) for a in LANGS for b in THEMES}


def test_a_bank_of_200_covers_templates_contexts_themes_and_token_sets() -> None:
    few = MANY[:200]
    assert {recipe.template for recipe in few} == set(template_names())
    assert {recipe.context for recipe in few} == set(CONTEXTS)
    assert {recipe.look.mode for recipe in few} == set(THEMES)
    assert {recipe.tokens for recipe in few} == set(token_sets())


def test_recipes_are_balanced() -> None:
    assert len(template_names()) >= 42
    for attribute, bound in (("lang", 1.05), ("template", 1.25)):
        counts = Counter(getattr(recipe, attribute) for recipe in MANY)
        assert max(counts.values()) <= bound * min(counts.values()), (attribute, counts)
    modes = Counter(recipe.look.mode for recipe in MANY)
    assert {mode: round(10 * n / len(MANY)) for mode, n in modes.items()} == {
        "light": 4, "dark": 4, "contrast": 2,
    }  # fmt: skip
    for mode in THEMES:
        looks = Counter(recipe.tokens for recipe in MANY if recipe.look.mode == mode)
        assert max(looks.values()) - min(looks.values()) <= 1
    per_template = defaultdict(set)
    for recipe in MANY:
        per_template[recipe.template] |= {recipe.look.mode, recipe.lang, recipe.context}
    assert all(len(found) == len({*THEMES, *LANGS, *CONTEXTS}) for found in per_template.values())


def test_default_cells_hold_half_of_a_bank_and_each_cell_all_pairs() -> None:
    counts = Counter((recipe.viewport.name, recipe.context) for recipe in MANY)
    assert sum(counts[cell] for cell in DEFAULT_CELLS) >= len(MANY) / 2
    pairs = defaultdict(set)
    for recipe in MANY:
        pairs[recipe.viewport.name, recipe.context].add((recipe.lang, recipe.look.mode))
    assert all(len(found) == len(LANGS) * len(THEMES) for found in pairs.values())


def test_a_narrower_choice_is_honoured_and_an_impossible_one_refused() -> None:
    chosen = recipes(40, contexts=["sheet"], viewports=PHONES, langs=["zh"], themes=["dark"])
    assert {(r.context, r.lang, r.look.mode) for r in chosen} == {("sheet", "zh", "dark")}
    with pytest.raises(InvalidOptions, match="sheet"):
        recipes(1, contexts=["sheet"], viewports=DESKTOPS)
    with pytest.raises(InvalidOptions, match="sepia"):
        recipes(1, themes=["sepia"])


def test_a_template_that_does_not_fit_a_viewport_is_left_out_there_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    narrow, wide = Viewport(1250, 790), Viewport(1300, 800)
    monkeypatch.setitem(wording("wiki"), "needs", {"desktop": [1280, 700]})
    templates_for.cache_clear()
    try:
        assert set(template_names()) - set(templates_for(narrow)) == {"wiki"}
        made = recipes(240, viewports=[narrow, wide], contexts=["embedded"])
        there = {r.viewport for r in made if r.template == "wiki"}
        assert there == {wide}
        assert {r.template for r in made if r.viewport == narrow} == set(templates_for(narrow))
    finally:
        templates_for.cache_clear()


def test_a_viewport_that_no_template_fits_is_refused_with_the_least_size() -> None:
    least = min(least_window(name, phone=False) for name in template_names())
    with pytest.raises(InvalidOptions, match=f"smallest needs {least[0]}x{least[1]}"):
        recipes(3, viewports=[Viewport(900, 500)])


def test_the_next_page_of_a_template_says_something_else() -> None:
    by_page = defaultdict(list)
    for recipe in MANY[:600]:
        by_page[recipe.template, recipe.lang].append(recipe)
    for (template, lang), pages in by_page.items():
        assert [page.turn for page in pages] == list(range(len(pages)))
        said = [PageContent(template, lang, "", page.turn).say for page in pages]
        own = wording(template)[lang]
        for name in ("brand", "heading", "nav"):
            whole = len(own[name])
            assert len({str(say(name)) for say in said[:whole]}) == min(whole, len(said))
        for one, next_one in pairwise(pages):
            lines, others = render(one).splitlines(), render(next_one).splitlines()
            assert lines != others
    codes = [PageContent("permit", "en", str(r.variant)).code("id") for r in MANY]
    assert len(set(codes)) == len(MANY)


@pytest.mark.parametrize("template", template_names())
def test_both_languages_say_the_same_things(template: str) -> None:
    own = wording(template)
    assert set(own["en"]) == set(own["zh"])
    assert set(common_wording()["en"]) == set(common_wording()["zh"])
    for lang in LANGS:
        for name, leader in own.get("follows", {}).items():
            assert len(own[lang][name]) == len(own[lang][leader])


def test_facts_hold_the_texts_and_controls_of_the_page(browser: Any) -> None:
    recipe = next(r for r in MANY if r.context == "embedded" and r.viewport == VIEWPORTS[0])
    with open_painter(browser, recipe.viewport) as painter:
        png, facts = paint_backdrop(painter, recipe)
        again, _ = paint_backdrop(painter, recipe)
    assert png == again
    html = render(recipe)
    assert len(facts.texts) > 10
    assert all(text in " ".join(html.split()) for text in facts.texts if "·" not in text)
    for control in facts.controls:
        assert control["name"]
        assert control["role"]
    assert any(control["disabled"] for control in facts.controls)


def test_a_page_whose_slot_has_no_room_is_refused(
    browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = next(r for r in MANY if r.context == "embedded" and r.viewport == VIEWPORTS[0])
    monkeypatch.setattr("factory.web.backdrops.least_slot", lambda viewport: (900, 500))
    with (
        open_painter(browser, recipe.viewport) as painter,
        pytest.raises(RenderFailed, match="900"),
    ):
        paint_backdrop(painter, recipe)
