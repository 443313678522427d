"""Gates behind the verdict: whether a page that a model wrote is worth asking about."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from factory.core.errors import Rejected
from factory.llm.reasons import Page
from factory.scenarios.page import ScenePage
from factory.web.verdict.judge import Judged
from factory.web.verdict.pixels import rgb_of
from factory.web.verdict.types import Reason, Rejection

FEWEST_TARGETS = 5
"""Controls of the model's own that can be pressed, or could if no dialog lay over them."""
FEWEST_ROLES = 2
BLANK = 0.995
"""Share of one colour from which a picture shows nothing."""
WIDE = "#llm-wide"
"""An element of templates/llm/page.html that is there while the page can be moved sideways."""
UNSEEN_SHARE, UNSEEN_LETTERS = 0.3, 200
"""Of a page's letters, and how many, that are there and cannot be seen."""
HIDDEN = {Reason.CSS_HIDDEN, Reason.NO_BOX, Reason.NO_INK, Reason.TOO_SMALL}
CHROME = {"browser", "titlebar", "taskbar", "menubar", "dock"}
"""Sections that are drawn around every screen."""
STEP = 4
"""Pixels of a picture are counted at every fourth place of both sides."""


def check_page(page: ScenePage, judged: Judged, letters: Mapping[str, int]) -> None:
    """``Rejected`` with the name of the first gate that a page does not pass.

    ``letters`` counts the letters of the texts of a model's HTML, by their ids.
    """
    seen = [*judged.verdict.accepted, *(r for r in judged.verdict.rejected if _covered(page, r))]
    own = [one for one in seen if _is_own(page, one.selector)]
    controls = [one for one in own if one.kind in ("control", "generic")]
    _at_least(Page.FEW_TARGETS, len(controls), FEWEST_TARGETS)
    _at_least(Page.FEW_ROLES, len({one.role or one.tag for one in controls}), FEWEST_ROLES)
    share = _plainest(judged.png)
    if share > BLANK:
        raise Rejected(Page.BLANK, value=share, limit=BLANK)
    _check_sides(judged)
    _check_letters(judged, letters)


def _is_own(page: ScenePage, selector: str) -> bool:
    item = page.items.get(selector.removeprefix("#"))
    return item is None or item.section not in CHROME


def _covered(page: ScenePage, target: Rejection) -> bool:
    """Whether a control only waits for our own dialog over it to be answered."""
    item = page.items.get(target.selector.removeprefix("#"))
    return item is not None and item.hidden == "cover" and target.reason is Reason.OCCLUDED


def _at_least(gate: Page, found: int, limit: int) -> None:
    if found < limit:
        raise Rejected(gate, value=found, limit=limit)


def _plainest(png: bytes) -> float:
    """The share of the colour that most of the picture has."""
    pixels = rgb_of(png)[::STEP, ::STEP].reshape(-1, 3).astype(np.uint32)
    packed = pixels[:, 0] << 16 | pixels[:, 1] << 8 | pixels[:, 2]
    return float(np.unique(packed, return_counts=True)[1].max() / len(packed))


def _check_sides(judged: Judged) -> None:
    """A page that has to be moved sideways shows an element that it otherwise hides."""
    for one in judged.verdict.rejected:
        if one.selector == WIDE and one.reason is not Reason.CSS_HIDDEN:
            raise Rejected(Page.OVERFLOW)


def _check_letters(judged: Judged, letters: Mapping[str, int]) -> None:
    """Texts that are there and are not seen, beside all that there are."""
    hidden = sum(
        letters.get(one.selector.removeprefix("#"), 0)
        for one in judged.verdict.rejected
        if one.kind == "text" and one.reason in HIDDEN
    )
    share = hidden / max(1, sum(letters.values()))
    if hidden > UNSEEN_LETTERS and share > UNSEEN_SHARE:
        raise Rejected(Page.UNSEEN_TEXT, value=share, limit=UNSEEN_SHARE)
