"""Hover-stable: a target that runs from under the pointer cannot be pressed where it was seen."""

from __future__ import annotations

import time

import orjson

from factory.web.verdict.page import Page

ALONE_MAX = 40
"""Targets tried one by one on a page; the rest of those that moved together is rejected unasked."""

PICTURES_S = 0.5
"""A picture that only a pointer brings has to be read first; until then its box is empty."""


def movers(page: Page, risky: list[int]) -> set[int]:
    """Indexes that move, or lose a hit, when a pointer is over them.

    All are tried at once; those that moved are tried again, each alone, since
    one target's move can push another.
    """
    if not risky:
        return set()
    page.send("DOM.enable")
    page.send("DOM.getDocument", {"depth": 0})
    page.send("CSS.enable")
    try:
        together = _moved(page, risky, PICTURES_S) & set(risky)
        alone = sorted(together)[:ALONE_MAX]
        calm = {index for index in alone if index not in _moved(page, [index])}
        return together - calm
    finally:
        page.send("CSS.disable")
        page.send("DOM.disable")


def _moved(page: Page, indexes: list[int], patience_s: float = 0.0) -> set[int]:
    chain = page.objects(f"verdict.hoverChain({','.join(map(str, indexes))})")
    nodes = page.send_all("DOM.requestNode", [{"objectId": i} for i in chain])
    ids = [reply["nodeId"] for reply in nodes if reply]
    _force(page, ids, ["hover"])
    try:
        return _changed(page, patience_s)
    finally:
        _force(page, ids, [])


def _changed(page: Page, patience_s: float) -> set[int]:
    end = time.monotonic() + patience_s
    while True:
        changed = set(orjson.loads(page.evaluate("JSON.stringify(verdict.changed())")))
        if not changed or time.monotonic() >= end:
            return changed
        page.browser.pump(0.02)


def _force(page: Page, node_ids: list[int], classes: list[str]) -> None:
    asked = [{"nodeId": i, "forcedPseudoClasses": classes} for i in node_ids]
    page.send_all("CSS.forcePseudoState", asked)
