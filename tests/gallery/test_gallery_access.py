"""Accessible: names, landmarks, contrast, focus and motion, in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gallery_visits import Visit, addresses

from factory.draw.tokens import AA_TEXT, contrast

NAMELESS = """
() => [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.innerText || '').trim() && !e.getAttribute('aria-label')
    && !e.getAttribute('aria-labelledby') && !(e.labels && e.labels.length))
  .map(e => e.outerHTML.slice(0, 120))
"""

COLOURS = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = text => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour.slice(0, 3);
    }
    return rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || element.closest('.over, #toast, [disabled], .sr, .skip') ||
        !element.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const ink = element.closest('svg') ? style.fill : style.color;
    found.push([element.outerHTML.slice(0, 90), rgba(ink).slice(0, 3), ground(element)]);
  }
  return found;
}
"""

LANDMARKS = """
() => [document.querySelectorAll('main').length, document.querySelectorAll('h1').length,
  document.querySelectorAll('header').length, document.querySelector('nav[aria-label]') !== null,
  document.documentElement.lang, document.title.length > 0]
"""

REPEATED_IDS = """
() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at) }
"""

PAGES = range(6)


@pytest.mark.parametrize("place", PAGES)
def test_every_control_has_a_name_and_every_page_its_landmarks(
    visit: Visit, gallery: Path, place: int
) -> None:
    with visit(gallery, addresses(gallery)[place]) as page:
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(LANDMARKS) == [1, 1, 1, True, "en", True]
        assert page.evaluate(REPEATED_IDS) == []
        assert page.locator("img:not([alt])").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", PAGES)
def test_text_reads_on_its_ground(visit: Visit, gallery: Path, place: int, scheme: Any) -> None:
    with visit(gallery, addresses(gallery)[place], color_scheme=scheme) as page:
        pairs = page.evaluate(COLOURS)
    assert len(pairs) > 10
    faint = [
        (text, round(contrast(tuple(ink), tuple(ground)), 2))
        for text, ink, ground in pairs
        if contrast(tuple(ink), tuple(ground)) < AA_TEXT
    ]
    assert faint == []


def test_focus_is_seen_on_everything_that_takes_it(visit: Visit, gallery: Path) -> None:
    with visit(gallery, addresses(gallery)[-1]) as page:
        for _ in range(30):
            page.keyboard.press("Tab")
            style = page.evaluate(
                "() => { const s = getComputedStyle(document.activeElement);"
                "return [document.activeElement.tagName, s.outlineStyle, s.outlineWidth] }"
            )
            assert style[0] == "BODY" or style[1:] == ["solid", "2px"], style


def test_scheme_is_chosen_and_kept(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "index.html", color_scheme="light") as page:
        light = _ground(page)
        page.get_by_role("button", name="Dark").click()
        dark = _ground(page)
        assert dark != light
        page.reload()
        assert _ground(page) == dark
        assert page.get_by_role("button", name="Light").is_visible()


def _ground(page: Any) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_nothing_moves_for_those_who_asked_for_that(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "index.html", reduced_motion="reduce") as page:
        moving = page.evaluate(
            "[...document.querySelectorAll('*')].filter(e =>"
            "getComputedStyle(e).transitionDuration !== '0s').length"
        )
        assert moving == 0
