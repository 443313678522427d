"""Painted pages: nothing cut or covered, slots roomy and where the picture has them, texts legible.

The whole matrix (template x context x viewport x language) would take minutes:
each run paints every template in both languages on a desktop and on a phone,
and walks through contexts, further viewports and token sets beside that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factory.draw.tokens import AA_TEXT, AAA_TEXT, token_sets
from factory.web.backdrops import (
    CONTEXTS,
    DESKTOPS,
    LANGS,
    PHONE_MARGIN,
    PHONES,
    VIEWPORTS,
    BackdropRecipe,
    Slot,
    fits,
    least_window,
    paint_backdrop,
    recipes,
    render,
    template_names,
)
from factory.web.paint import Viewport, decode_png, open_painter

NAMES = template_names()
LOOKS = sorted(token_sets())
MARK_PX = 12
NEAR_PX = 0.75
"""A marker's centre of mass moves less than this, device px: it is drawn on whole CSS px."""

PAINTED = [*DESKTOPS, *(phone for phone in PHONES if phone.dpr == 1)]


def _recipes_at(
    viewport: Viewport, names: Sequence[str] = template_names()
) -> Iterator[BackdropRecipe]:
    """Each template embedded in both languages, and once in another context."""
    others = [c for c in CONTEXTS if fits(c, viewport) and c != "embedded"]
    for number, name in enumerate(names):
        contexts = ("embedded", "embedded", others[number % len(others)])
        for turn, context in enumerate(contexts):
            seed = 7 * number + 31 * turn + viewport.width
            yield BackdropRecipe(
                name, context, viewport.width, viewport.height, viewport.dpr,
                LOOKS[seed % len(LOOKS)], LANGS[(turn + number * (turn == 2)) % 2], "train",
                seed, seed % 12,
            )  # fmt: skip


@pytest.mark.parametrize("viewport", PAINTED, ids=lambda viewport: viewport.name)
def test_no_text_is_cut_or_covered_and_slots_have_room(browser: Any, viewport: Viewport) -> None:
    faults = {}
    with open_painter(browser, viewport) as painter:
        painter.shoot = lambda: b""  # the layout is asked for, not the picture
        for recipe in _recipes_at(viewport):
            _, facts = paint_backdrop(painter, recipe)
            if facts.faults:
                faults[recipe.template, recipe.context, recipe.lang] = facts.faults
            if recipe.context == "embedded":
                _check_room(facts.slot, viewport)
    assert faults == {}


def _check_room(slot: Slot, viewport: Viewport) -> None:
    """What is promised to panels: 372 x 520 CSS px, a phone's whole column and 540 px."""
    if viewport in PHONES:
        assert (slot.box.x0, slot.box.x1) == (PHONE_MARGIN, viewport.width - PHONE_MARGIN)
        assert slot.box.height >= 540
    elif viewport in DESKTOPS:
        assert slot.box.width >= 372
        assert slot.box.height >= (520 if viewport.height >= 800 else 500)


def test_a_dialogs_slim_window_is_centred_around_its_slot(browser: Any) -> None:
    viewport = DESKTOPS[0]
    with open_painter(browser, viewport) as painter:
        found = 0
        for recipe in [r for r in recipes(400) if r.context == "dialog" and r.viewport == viewport]:
            painter.show(render(recipe), recipe.look, lang=recipe.lang, layer="page")
            left, right, above, below, wide = painter.ask(
                "(() => {"
                "const box = (name) => document.querySelector(name).getBoundingClientRect();"
                "const w = box('.window .body'), s = box('[data-slot]');"
                "return [s.left - w.left, w.right - s.right, s.top - w.top, w.bottom - s.bottom,"
                " w.width]; })()"
            )
            assert above == below
            if wide < 500:
                found += 1
                assert left == right <= 16
        assert found >= 3


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=lambda viewport: viewport.name)
def test_a_marker_in_the_slots_corner_is_painted_where_the_slot_says(
    browser: Any, viewport: Viewport
) -> None:
    contexts = [c for c in CONTEXTS if fits(c, viewport)]
    with open_painter(browser, viewport) as painter:
        for number, context in enumerate(contexts):
            recipe = BackdropRecipe(
                NAMES[(11 * number + viewport.height) % len(NAMES)], context, viewport.width,
                viewport.height, viewport.dpr, LOOKS[number], LANGS[number % 2], "val", number,
            )  # fmt: skip
            _, facts = paint_backdrop(painter, recipe)
            corner = facts.slot.box
            painter.page.evaluate(MARK, MARK_PX)
            picture = decode_png(painter.shoot())
            wanted = [(edge + MARK_PX / 2) * viewport.dpr for edge in (corner.x0, corner.y0)]
            assert _marker(picture) == pytest.approx(wanted, abs=NEAR_PX), recipe


MARK = """(side) => {
  const mark = document.createElement("i");
  mark.style.cssText = "position:absolute;left:0;top:0;background:#f0f";
  mark.style.width = mark.style.height = `${side}px`;
  const slot = document.querySelector("[data-slot]");
  if (getComputedStyle(slot).position === "static") slot.style.position = "relative";
  slot.append(mark);
}"""


def _marker(picture: np.ndarray) -> list[float]:
    """The centre (x, y) in device px of the magenta ink, pixel centres at +0.5."""
    blue, green, red = (picture[..., channel].astype(int) for channel in range(3))
    rows, columns = np.nonzero((blue > 250) & (green < 5) & (red > 250))
    return [float(columns.mean()) + 0.5, float(rows.mean()) + 0.5]


@pytest.mark.parametrize("viewport", [DESKTOPS[0], PHONES[0]], ids=lambda viewport: viewport.name)
def test_texts_stand_out_from_their_ground(browser: Any, viewport: Viewport) -> None:
    """Navigation and all else at AA, high contrast at AAA; dimmed pages are exempt."""
    script = (Path(__file__).parent / "legible.js").read_text(encoding="utf-8")
    script = script[script.index("((least)") :].strip()
    faint = []
    with open_painter(browser, viewport) as painter:
        for recipe in _recipes_at(viewport):
            if recipe.context in ("modal", "sheet"):
                continue
            painter.show(render(recipe), recipe.look, lang=recipe.lang, layer="page")
            least = AAA_TEXT if recipe.look.mode == "contrast" else AA_TEXT
            faint += [
                (recipe.template, recipe.tokens, *found)
                for found in painter.ask(f"{script}({least})")
            ]
    assert faint == []


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_template_fits_the_smallest_window_that_it_names(browser: Any, phone: bool) -> None:
    by_window: dict[tuple[int, int], list[str]] = {}
    for name in NAMES:
        by_window.setdefault(least_window(name, phone=phone), []).append(name)
    for window, names in by_window.items():
        with open_painter(browser, Viewport(*window)) as painter:
            painter.shoot = lambda: b""
            for recipe in _recipes_at(painter.viewport, names):
                assert paint_backdrop(painter, recipe)[1].faults == (), recipe
