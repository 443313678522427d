"""Panels: the page agrees with the layout, and the pixels with both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest

from factory.core.errors import InvalidOptions, RenderFailed
from factory.core.rng import Stream
from factory.draw.tokens import token_sets
from factory.web.backdrops import recipes
from factory.web.paint import open_painter
from factory.web.panel_paint import STATES, PanelArt, paint_panel, panel_viewport
from factory.web.panels import FOOTERS, PanelLayout, PanelStyle, slider_panel
from factory.web.plain import plain_panel, plain_slot
from factory.web.plates import KINDS, panel_for

LOOKS = sorted(token_sets().values(), key=lambda tokens: tokens.name)


def _layout(number: int, lang: str = "en", **options: Any) -> PanelLayout:
    tokens, stream = LOOKS[number % len(LOOKS)], Stream(f"panel test {number}")
    style = PanelStyle.draw(stream, tokens)
    return slider_panel(264, 264, tokens=tokens, lang=lang, style=style, stream=stream, **options)


def test_layouts_stand_on_whole_px_and_keep_their_parts_apart() -> None:
    for number in range(200):
        surface = ("card", "sheet", "flat")[number % 3]
        layout = _layout(number, surface=surface, width=None if surface == "card" else 375)
        boxes = dict(layout.boxes)
        panel = boxes.pop("panel")
        assert all(edge == int(edge) for box in boxes.values() for edge in box.as_list())
        assert all(panel.holds(box) for box in boxes.values())
        assert boxes["track"].holds(boxes["handle"])
        assert not boxes["label"].overlaps(boxes["handle"])
        assert layout.travel_px > 150
        rows = [box for name, box in boxes.items() if name not in ("handle", "label")]
        clashes = [(a, b) for i, a in enumerate(rows) for b in rows[:i] if a.overlaps(b)]
        assert clashes == []


def test_the_dom_agrees_with_every_layout(browser: Any) -> None:
    with open_painter(browser, panel_viewport(1)) as painter:
        for number in range(len(LOOKS)):
            for lang in ("en", "zh"):
                for footer in FOOTERS[number % 2 :: 2]:
                    layout = _layout(number, lang)
                    stream = Stream(f"footer {number}")
                    layout = slider_panel(
                        240, 240, tokens=layout.look, lang=lang, stream=stream,
                        style=replace(layout.style, footer=footer),
                    )  # fmt: skip
                    art = paint_panel(painter, layout)
                    assert layout.label in art.texts
                    assert len(art.controls) == sum(item.role != "text" for item in layout.foot)


def test_a_layout_that_the_page_does_not_follow_is_refused(browser: Any) -> None:
    layout = _layout(3)
    narrow = replace(layout, boxes=layout.boxes | {"label": layout.boxes["handle"]})
    with (
        open_painter(browser, panel_viewport(1)) as painter,
        pytest.raises(RenderFailed, match="leaves its box"),
    ):
        paint_panel(painter, narrow)


@pytest.mark.parametrize("dpr", [1, 2, 3])
def test_pixels_lie_where_the_layout_says(browser: Any, dpr: int) -> None:
    layout = _layout(0)
    with open_painter(browser, panel_viewport(dpr)) as painter:
        _check_pixels(paint_panel(painter, layout), layout)
    _check_pixels(plain_panel(layout, dpr), layout)


def _check_pixels(art: PanelArt, layout: PanelLayout) -> None:
    dpr, look = art.dpr, layout.look

    def at(name: str, across: float = 0.5, down: float = 0.5) -> tuple[int, ...]:
        box = layout.boxes[name]
        x = art.origin_px[0] + round((box.x0 + across * box.width) * dpr)
        y = art.origin_px[1] + round((box.y0 + down * box.height) * dpr)
        return tuple(int(v) for v in art.bgra[y, x])

    assert at("slot") == (*look.rgb("raised")[::-1], 255)
    assert at("goal") == (*look.rgb(layout.ground)[::-1], 255)
    assert at("handle") == (*look.rgb("track")[::-1], 255), "the base is painted without handle"
    handle = layout.boxes["handle"]
    for state in STATES:
        sprite = art.sprites[state]
        ink = np.argwhere(sprite.bgra[..., 3] > 250)
        (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
        x, y = sprite.offset_px
        found = ((x + left) / dpr, (y + top) / dpr, (x + right) / dpr, (y + bottom) / dpr)
        assert found == pytest.approx(tuple(handle.as_list()), abs=1.0)
    assert not np.array_equal(art.sprites["rest"].bgra, art.sprites["held"].bgra)


def test_a_sheet_reaches_all_three_edges_and_throws_its_shadow_up_only(browser: Any) -> None:
    layout = _layout(2, surface="sheet", width=375, touch=True)
    with open_painter(browser, panel_viewport(2)) as painter:
        art = paint_panel(painter, layout)
    assert art.bgra.shape[1] == 750
    assert art.origin_px[0] == 0
    assert (art.bgra[-1, :, 3] == 255).all()
    assert art.sprites["rest"].bgra[0, :, 3].max() == 0


def test_layouts_survive_json_and_have_digests_of_their_own() -> None:
    layouts = [_layout(number) for number in range(40)]
    for layout in layouts:
        assert PanelLayout.from_json(orjson.loads(orjson.dumps(layout.to_json()))) == layout
    assert len({layout.digest(1) for layout in layouts}) == len(layouts)
    assert layouts[0].digest(1) != layouts[0].digest(2)


def test_a_picture_wider_than_its_panel_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="does not fit"):
        _layout(0, width=260)


def test_footers_vary_and_no_panel_shows_a_row_of_icons() -> None:
    styles = [PanelStyle.draw(Stream(f"style {n}"), LOOKS[n % len(LOOKS)]) for n in range(300)]
    assert {style.footer for style in styles} == set(FOOTERS)
    assert {style.footer_place for style in styles} == {"top", "bottom"}
    assert {style.footer_align for style in styles} == {"left", "right", "center"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_backdrop_has_a_panel_that_fits(kind: str) -> None:
    for recipe in recipes(400):
        slot = plain_slot(recipe)
        layout = panel_for(recipe, slot, kind)
        assert layout.surface == {"sheet": "sheet", "full": "flat"}.get(
            recipe.context, layout.surface
        )
        assert layout.width <= recipe.width
        if slot.anchor == "inside":
            assert layout.width <= slot.box.width
            assert layout.height <= slot.box.height
