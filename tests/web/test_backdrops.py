"""Backdrop recipes and pages: deterministic, balanced, partitioned, and laid out without faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS
from factory.web.backdrops import (
    CONTEXTS,
    DESKTOPS,
    LANGS,
    MIN_SLOT_CSS,
    PHONES,
    VIEWPORTS,
    BackdropRecipe,
    fits,
    paint_backdrop,
    recipes,
    render,
    split_of_variant,
    template_names,
)
from factory.web.content import common_wording, wording
from factory.web.paint import Viewport, open_painter

MANY = recipes(1500)


def test_recipes_are_deterministic_and_a_short_list_is_a_prefix() -> None:
    assert recipes(200) == MANY[:200]
    assert len({recipe.id for recipe in MANY}) == len(MANY)
    assert BackdropRecipe.from_dict(vars(MANY[3])) == MANY[3]
    assert recipes(1)[0].id == MANY[0].id
    assert render(MANY[5]) == render(recipes(6)[5])


def test_every_cell_has_every_split_and_content_belongs_to_one() -> None:
    for count in (45, 200, 1500):
        cells = defaultdict(set)
        for recipe in MANY[:count]:
            cells[recipe.viewport.name, recipe.context].add(recipe.split)
        assert len(cells) == 15
        assert all(found == set(SPLITS) for found in cells.values())
    assert all(split_of_variant(recipe.variant) == recipe.split for recipe in MANY)
    assert len({recipe.variant for recipe in MANY}) == len(MANY)
    shares = Counter(recipe.split for recipe in MANY)
    assert shares["val"] == shares["test"] == len(MANY) // 20


def test_recipes_are_balanced() -> None:
    for attribute in ("lang", "template", "tokens"):
        counts = Counter(getattr(recipe, attribute) for recipe in MANY)
        assert max(counts.values()) <= 1.25 * min(counts.values()), (attribute, counts)
    assert {recipe.template for recipe in MANY} == set(template_names())
    assert len(template_names()) >= 12
    assert len({(recipe.lang, recipe.look.mode) for recipe in MANY}) == 4


def test_a_narrower_choice_is_honoured_and_an_impossible_one_refused() -> None:
    chosen = recipes(40, contexts=["sheet"], viewports=PHONES, langs=["zh"], themes=["dark"])
    assert {(r.context, r.lang, r.look.mode) for r in chosen} == {("sheet", "zh", "dark")}
    with pytest.raises(InvalidOptions, match="sheet"):
        recipes(1, contexts=["sheet"], viewports=DESKTOPS)
    with pytest.raises(InvalidOptions, match="sepia"):
        recipes(1, themes=["sepia"])


@pytest.mark.parametrize("template", template_names())
def test_both_languages_say_the_same_things(template: str) -> None:
    own = wording(template)
    assert set(own["en"]) == set(own["zh"])
    assert set(common_wording()["en"]) == set(common_wording()["zh"])


@pytest.mark.parametrize("viewport", [*DESKTOPS, PHONES[0]], ids=lambda viewport: viewport.name)
def test_pages_have_no_cut_or_covered_text_and_a_slot_in_the_window(
    browser: Any, viewport: Viewport
) -> None:
    looks = sorted({recipe.tokens for recipe in MANY})
    contexts = [context for context in CONTEXTS if fits(context, viewport)]
    faults = {}
    with open_painter(browser, viewport) as painter:
        for number, template in enumerate(template_names()):
            for context in contexts:
                for shift, lang in enumerate(LANGS):
                    recipe = BackdropRecipe(
                        template, context, viewport.width, viewport.height, viewport.dpr,
                        looks[(5 * number + 3 * shift) % len(looks)], lang, "train",
                        100 * number + shift,
                    )  # fmt: skip
                    _, facts = paint_backdrop(painter, recipe)
                    if facts.faults:
                        faults[template, context, lang] = facts.faults
                    if facts.slot.anchor == "inside":
                        assert facts.slot.box.width >= MIN_SLOT_CSS[0]
                        assert facts.slot.box.height >= MIN_SLOT_CSS[1]
    assert faults == {}


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
