"""Backdrops: whole pages without the CAPTCHA panel, and the region where it may sit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from factory.core.errors import RenderFailed
from factory.core.geometry import Box
from factory.web.content import PageContent, environment
from factory.web.paint import Painter, Viewport
from factory.web.recipes import (
    CONTEXTS,
    DEFAULTS,
    DESKTOPS,
    LANGS,
    PHONE_WIDTH,
    PHONES,
    THEMES,
    VIEWPORTS,
    BackdropRecipe,
    Context,
    fits,
    least_window,
    recipes,
    split_of_variant,
    template_names,
    templates_for,
)
from templates import BASE

__all__ = (
    "CONTEXTS", "DEFAULTS", "DESKTOPS", "LANGS", "PHONES", "PHONE_MARGIN", "THEMES", "VIEWPORTS",
    "BackdropFacts", "BackdropRecipe", "Context", "Slot", "fits", "least_slot", "least_window",
    "paint_backdrop", "recipes", "render", "slot_size", "split_of_variant", "template_names",
    "templates_for",
)  # fmt: skip

Anchor = Literal["inside", "centre", "bottom"]

PHONE_MARGIN = 20
"""CSS px left and right of the content column of a phone page."""


@dataclass(frozen=True)
class Slot:
    """Where a panel may go, in CSS px of the page.

    ``inside``: the panel's box stays inside ``box``; ``centre``: its centre
    does; ``bottom``: a sheet as wide as ``box`` ends at its lower edge.
    """

    anchor: Anchor
    box: Box


@dataclass(frozen=True)
class BackdropFacts:
    """What is known of a painted backdrop."""

    slot: Slot
    texts: tuple[str, ...]
    controls: tuple[dict[str, Any], ...]
    """``{"role", "name", "box": [x0, y0, x1, y1] in CSS px, "disabled"}``."""
    faults: tuple[str, ...]
    """Texts that are cut, overlap or reach into the slot; empty for a good page."""


def slot_size(viewport: Viewport) -> tuple[int, int]:
    """(width, height) in CSS px of the region that a page embeds: on phones the whole column."""
    if viewport.width < PHONE_WIDTH:
        high = 548 if viewport.height >= 800 else max(430, viewport.height - 290)
        return viewport.width - 2 * PHONE_MARGIN, high
    wide = 420 if viewport.width >= 1200 else 384
    return wide, 540 if viewport.height >= 760 else max(430, viewport.height - 170)


def least_slot(viewport: Viewport) -> tuple[int, int]:
    """No panel region inside a page is smaller (width, height), in CSS px."""
    wide, high = slot_size(viewport)
    return (wide, high - 8) if viewport.width < PHONE_WIDTH else (min(wide, 372), high - 20)


def render(recipe: BackdropRecipe) -> str:
    """The page's inner HTML."""
    root = f"backdrop/{recipe.template}/{recipe.variant}"
    content = PageContent(recipe.template, recipe.lang, root, recipe.turn)
    slot_width, slot_height = slot_size(recipe.viewport)
    return (
        environment()
        .get_template(f"backdrops/{recipe.template}/page.html")
        .render(
            content.functions(),
            context=recipe.context,
            embedded=recipe.context == "embedded",
            phone=recipe.phone,
            huge=recipe.width >= 1600,
            form=" ".join(
                name for name, on in (("phone", recipe.phone), ("huge", recipe.width >= 1600)) if on
            ),
            lang=recipe.lang,
            width=recipe.width,
            height=recipe.height,
            slot_width=slot_width,
            slot_height=slot_height,
        )
    )


@cache
def _probe() -> str:
    source = (BASE / "probe.js").read_text(encoding="utf-8")
    return source[source.index("(() =>") :].strip()


def paint_backdrop(painter: Painter, recipe: BackdropRecipe) -> tuple[bytes, BackdropFacts]:
    """PNG and facts of one recipe; the painter must have the recipe's viewport.

    ``RenderFailed`` when the slot is absent, off the window or too small.
    """
    painter.show(render(recipe), recipe.look, lang=recipe.lang, layer="page")
    found = painter.ask(_probe())
    facts = BackdropFacts(
        slot=_checked_slot(found["slot"], recipe),
        texts=tuple(found["texts"]),
        controls=tuple(found["controls"]),
        faults=tuple(found["faults"]),
    )
    return painter.shoot(), facts


def _checked_slot(found: dict[str, Any] | None, recipe: BackdropRecipe) -> Slot:
    """The measured slot, on whole CSS px; ``RenderFailed`` says what is wrong with it."""
    if found is None:
        raise RenderFailed(f"{recipe.template} ({recipe.context}) has no data-slot element")
    edges = [round(value) for value in found["box"]]
    slot = Slot(found["anchor"], Box(*map(float, edges)))
    if any(not math.isclose(a, b, abs_tol=0.02) for a, b in zip(edges, found["box"], strict=True)):
        raise RenderFailed(f"{recipe.template}: the slot {found['box']} is not on whole CSS px")
    if not Box(0, 0, recipe.width, recipe.height).holds(slot.box):
        raise RenderFailed(f"{recipe.template} ({recipe.context}): the slot leaves the window")
    least = least_slot(recipe.viewport)
    small = slot.box.width < least[0] or slot.box.height < least[1]
    if slot.anchor == "inside" and small:
        raise RenderFailed(f"{recipe.template}: the slot {edges} is below {least}")
    return slot
