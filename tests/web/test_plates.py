"""Panels on pages: every page has one that fits, on the surface and at the place of its context."""

from __future__ import annotations

import pytest

from factory.core.geometry import Box
from factory.core.puzzle import Control, PanelRequest
from factory.web.backdrops import recipes
from factory.web.plain import plain_slot
from factory.web.plates import origin, panel_for

REQUESTS = {
    "slider": PanelRequest(
        frame="circle", ratio=(1, 1), width=(180, 256), controls=(Control("slider", words="turn"),)
    ),
    "field": PanelRequest(controls=(Control("field", words="characters"),), submit="either"),
    "stepper": PanelRequest(controls=(Control("stepper"),), submit="always"),
    "board": PanelRequest(frame="none", ratio=(0.9, 1.0), submit="either", skip=True),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_every_backdrop_has_a_panel_that_fits(name: str) -> None:
    for recipe in recipes(400):
        slot = plain_slot(recipe)
        layout = panel_for(recipe, slot, name, REQUESTS[name])
        assert layout.surface == {"sheet": "sheet", "full": "flat"}.get(
            recipe.context, layout.surface
        )
        assert layout.tokens == recipe.tokens and layout.lang == recipe.lang
        assert layout.touch is recipe.phone
        assert layout.width <= recipe.width
        if slot.anchor == "inside":
            assert layout.width <= slot.box.width
            assert layout.height <= slot.box.height


@pytest.mark.parametrize("name", REQUESTS)
def test_panels_stand_in_their_slot_and_on_the_page(name: str) -> None:
    for recipe in recipes(400):
        slot = plain_slot(recipe)
        layout = panel_for(recipe, slot, name, REQUESTS[name])
        x, y = origin(recipe, slot, name, layout)
        panel = Box.sized(x, y, layout.width, layout.height)
        assert Box(0, 0, recipe.width, recipe.height).holds(panel)
        if slot.anchor == "inside":
            assert slot.box.grown(0.5).holds(panel)
        elif slot.anchor == "bottom":
            assert panel.y1 == slot.box.y1
        else:
            assert slot.box.grown(1.0).contains(panel.center)


def test_place_and_layout_are_keyed_by_page_and_class() -> None:
    places, sizes = set(), set()
    for recipe in recipes(60):
        slot = plain_slot(recipe)
        for name in ("one", "another"):
            layout = panel_for(recipe, slot, name, REQUESTS["field"])
            assert layout == panel_for(recipe, slot, name, REQUESTS["field"])
            places.add(origin(recipe, slot, name, layout))
            sizes.add((layout.width, layout.height))
    assert len(places) > 60 and len(sizes) > 40
