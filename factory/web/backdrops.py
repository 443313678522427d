"""Backdrops: whole pages without the CAPTCHA panel, and the region where it may sit.

A recipe is a few words of JSON; the same recipe is the same page. ``recipes``
enumerates them balanced over context, viewport, language and theme, each with
a split of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, Literal

import orjson

from factory.core.errors import InvalidOptions, RenderFailed
from factory.core.geometry import Box
from factory.core.rng import SPLITS, Stream, digest_int, permuted_index
from factory.draw.tokens import Tokens, token_sets, tokens_named
from factory.web.content import PageContent, environment
from factory.web.paint import Painter, Viewport
from templates import BACKDROPS, BASE

Context = Literal["embedded", "modal", "dialog", "sheet", "full"]
Anchor = Literal["inside", "centre", "bottom"]

DESKTOPS = (Viewport(1280, 800), Viewport(1920, 1080))
PHONES = (Viewport(375, 812, 1), Viewport(375, 812, 2), Viewport(375, 812, 3))
VIEWPORTS = (*DESKTOPS, *PHONES)
CONTEXTS: tuple[Context, ...] = ("embedded", "modal", "dialog", "sheet", "full")
LANGS = ("en", "zh")
THEMES = ("light", "dark")

SPLIT_BLOCK = 20
"""Recipes of one cell per block; one of each block is for val and one for test (90/5/5)."""

MIN_SLOT_CSS = (340, 430)
"""No panel region inside a page is smaller, in CSS px."""

PHONE_WIDTH = 500
"""Narrower viewports get the phone layout."""


@dataclass(frozen=True)
class BackdropRecipe:
    """All that decides one backdrop. Sizes are CSS px; ``variant`` keys its content."""

    template: str
    context: Context
    width: int
    height: int
    dpr: int
    tokens: str
    lang: str
    split: str
    variant: int

    @property
    def id(self) -> str:
        """16 hex digits of the digest of the recipe's JSON."""
        return blake2b(self.to_json(), digest_size=8).hexdigest()

    @property
    def viewport(self) -> Viewport:
        return Viewport(self.width, self.height, self.dpr)

    @property
    def look(self) -> Tokens:
        """Its token set."""
        return tokens_named(self.tokens)

    @property
    def phone(self) -> bool:
        """Whether it has the phone layout: touch, and "tap" for "click"."""
        return self.width < PHONE_WIDTH

    def to_json(self) -> bytes:
        """Canonical JSON, keys sorted."""
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> BackdropRecipe:
        return cls(**data)


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


@cache
def template_names() -> tuple[str, ...]:
    """Every page template, sorted."""
    return tuple(sorted(path.parent.name for path in BACKDROPS.glob("*/page.html")))


def fits(context: str, viewport: Viewport) -> bool:
    """Whether a context exists at a viewport: sheets and full screens are for phones only."""
    phone = viewport.width < PHONE_WIDTH
    return context == "embedded" or (context in ("sheet", "full")) == phone


def split_of_variant(variant: int) -> str:
    """The split a content variant belongs to, by hash: 90 % train, 5 % val, 5 % test."""
    twentieth = digest_int(f"backdrop variant {variant}") % 20
    return SPLITS[1] if twentieth == 0 else SPLITS[2] if twentieth == 1 else SPLITS[0]


def _split_at(cell: str, position: int) -> str:
    """The split of a cell's n-th recipe: early in the first block, keyed places in later ones."""
    block, place = divmod(position, SPLIT_BLOCK)
    stream = Stream(f"splits/{cell}/{block}")
    places = [1, 2] if block == 0 else stream.sample(range(SPLIT_BLOCK), 2)
    return SPLITS[1 + places.index(place)] if place in places else SPLITS[0]


def _variant_for(split: str, index: int) -> int:
    """The first content variant of recipe ``index`` that its hash puts into ``split``."""
    variant = index * 1000
    while split_of_variant(variant) != split:
        variant += 1
    return variant


def recipes(
    count: int,
    *,
    contexts: Sequence[str] | None = None,
    viewports: Sequence[Viewport] | None = None,
    langs: Sequence[str] = LANGS,
    themes: Sequence[str] = THEMES,
) -> list[BackdropRecipe]:
    """``count`` recipes; a shorter list is a prefix of a longer one.

    Cells (viewport, context) take turns; inside a cell languages, themes,
    templates and token sets go round on keyed permutations. The second recipe
    of each cell is for val and the third for test, so three a cell serve all.
    """
    cells = [
        (viewport, context)
        for context in (contexts or CONTEXTS)
        for viewport in (viewports or VIEWPORTS)
        if fits(context, viewport)
    ]
    if not cells:
        raise InvalidOptions(f"no viewport fits the contexts {list(contexts or ())}")
    return [_recipe(index, cells, langs, themes) for index in range(count)]


def _recipe(
    index: int,
    cells: Sequence[tuple[Viewport, str]],
    langs: Sequence[str],
    themes: Sequence[str],
) -> BackdropRecipe:
    number = index % len(cells)
    viewport, context = cells[number]
    cell, position = f"{viewport.name}/{context}", index // len(cells)
    pairs = [(lang, theme) for theme in themes for lang in langs]
    lang, theme = pairs[(position + number) % len(pairs)]
    names = template_names()
    turn, place = divmod(position, len(names))
    looks = sorted(name for name, look in token_sets().items() if look.mode == theme)
    if not looks:
        raise InvalidOptions(f"no token set has the theme {theme!r}; there are light and dark")
    look = permuted_index((position + number) % len(looks), len(looks), "looks")
    split = _split_at(cell, position)
    return BackdropRecipe(
        template=names[permuted_index(place, len(names), f"templates/{cell}/{turn}")],
        context=context,  # pyright: ignore[reportArgumentType] -- checked by `fits`
        width=viewport.width,
        height=viewport.height,
        dpr=viewport.dpr,
        tokens=looks[look],
        lang=lang,
        split=split,
        variant=_variant_for(split, index),
    )


def render(recipe: BackdropRecipe) -> str:
    """The page's inner HTML."""
    root = f"backdrop/{recipe.template}/{recipe.variant}"
    content = PageContent(recipe.template, recipe.lang, root)
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
            width=recipe.width,
            height=recipe.height,
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
    small = slot.box.width < MIN_SLOT_CSS[0] or slot.box.height < MIN_SLOT_CSS[1]
    if slot.anchor == "inside" and small:
        raise RenderFailed(f"{recipe.template}: the slot {edges} is below {MIN_SLOT_CSS}")
    return slot
