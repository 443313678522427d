"""Recipes of backdrops: which page at which window in which look, balanced and partitioned.

A recipe is a few words of JSON; the same recipe is the same page. ``recipes``
enumerates them balanced over context, viewport, language, theme and template,
each with a split of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import blake2b
from itertools import chain, cycle, islice
from typing import Any, Literal

import orjson

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, Stream, digest_int, permuted_index
from factory.draw.tokens import Tokens, token_sets, tokens_named
from factory.web.content import common_wording, wording
from factory.web.paint import Viewport
from templates import BACKDROPS

Context = Literal["embedded", "modal", "dialog", "sheet", "full"]
Cell = tuple[Viewport, Context]

DEFAULTS = (
    Viewport(1280, 800), Viewport(1920, 1080),
    Viewport(375, 812, 1), Viewport(375, 812, 2), Viewport(375, 812, 3),
)  # fmt: skip
"""The viewports of a run by default: a bank holds most of these."""

DESKTOPS = (*DEFAULTS[:2], Viewport(1366, 768), Viewport(1440, 900))
PHONES = (
    *DEFAULTS[2:],
    Viewport(390, 844, 1), Viewport(390, 844, 2), Viewport(390, 844, 3),
    Viewport(412, 915, 1), Viewport(412, 915, 2), Viewport(412, 915, 3),
)  # fmt: skip
VIEWPORTS = (*DESKTOPS, *PHONES)
CONTEXTS: tuple[Context, ...] = ("embedded", "modal", "dialog", "sheet", "full")
LANGS = ("en", "zh")
THEMES = ("light", "dark", "contrast")
THEME_TURNS = {"light": 2, "dark": 2, "contrast": 1}
"""How often each theme comes round: high contrast half as often as the others."""

LEAD_ROUNDS = 3
"""How often the default cells come before any other cell: train, val and test of each."""

SPLIT_BLOCK = 20
"""Recipes of one cell per block; one of each block is for val and one for test (90/5/5)."""

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
    turn: int = 0
    """How many pages of the template and language come before it: wordings are walked by it."""

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


@cache
def template_names() -> tuple[str, ...]:
    """Every page template, sorted."""
    return tuple(sorted(path.parent.name for path in BACKDROPS.glob("*/page.html")))


def fits(context: str, viewport: Viewport) -> bool:
    """Whether a context exists at a viewport: sheets and full screens are for phones only."""
    phone = viewport.width < PHONE_WIDTH
    return context == "embedded" or (context in ("sheet", "full")) == phone


def least_window(template: str, *, phone: bool) -> tuple[int, int]:
    """The smallest window (width, height) in CSS px that a template is laid out for."""
    kind = "phone" if phone else "desktop"
    needs = common_wording()["needs"] | wording(template).get("needs", {})
    return tuple(needs[kind])


@cache
def templates_for(viewport: Viewport) -> tuple[str, ...]:
    """The templates that fit a viewport; ``InvalidOptions`` when none does."""
    phone = viewport.width < PHONE_WIDTH
    needs = {name: least_window(name, phone=phone) for name in template_names()}
    fitting = tuple(
        name
        for name, (width, height) in needs.items()
        if viewport.width >= width and viewport.height >= height
    )
    if not fitting:
        width, height = min(needs.values())
        raise InvalidOptions(
            f"no page template fits {viewport.name}; the smallest needs {width}x{height} CSS px"
        )
    return fitting


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

    Cells (viewport, context) take turns, those of the default viewports first
    and then twice as often; inside a cell languages and themes go round, and
    templates on keyed permutations. The second recipe of each cell is for val
    and the third for test, so three a cell serve all.
    """
    cells: list[Cell] = [
        (viewport, context)
        for context in CONTEXTS
        for viewport in (viewports or VIEWPORTS)
        if context in (contexts or CONTEXTS) and fits(context, viewport)
    ]
    if not cells:
        raise InvalidOptions(f"no viewport fits the contexts {list(contexts or ())}")
    walk = _Walk(cells, langs, themes)
    turns = islice(_in_turn(cells), count)
    return [walk.recipe(index, *cell) for index, cell in enumerate(turns)]


def _in_turn(cells: list[Cell]) -> Iterator[Cell]:
    """The cells without end: the default ones first, and twice as often as the others."""
    lead = [cell for cell in cells if cell[0] in DEFAULTS]
    rest = [cell for cell in cells if cell[0] not in DEFAULTS]
    if not lead or not rest:
        return cycle(cells)
    return chain(lead * LEAD_ROUNDS, cycle([*rest, *lead, *lead]))


def _in_theme_turns(themes: Sequence[str]) -> list[tuple[str, list[str]]]:
    """(theme, its token sets), each theme as often as ``THEME_TURNS`` says, well mixed."""
    looks = {
        theme: sorted(name for name, look in token_sets().items() if look.mode == theme)
        for theme in themes
    }
    for theme, names in looks.items():
        if not names:
            raise InvalidOptions(
                f"no token set has the theme {theme!r}; there are {', '.join(THEMES)}"
            )
    rounds = range(max(THEME_TURNS[theme] for theme in themes))
    return [(t, looks[t]) for turn in rounds for t in themes if turn < THEME_TURNS[t]]


class _Walk:
    """Deals out languages, themes, token sets and templates, one recipe after the other."""

    def __init__(self, cells: list[Cell], langs: Sequence[str], themes: Sequence[str]) -> None:
        self.langs, self.themes = langs, _in_theme_turns(themes)
        self.met: Counter[Hashable] = Counter()
        windows = list(dict.fromkeys(viewport for viewport, _ in cells))
        self.shifts = {cell: (CONTEXTS.index(cell[1]), windows.index(cell[0])) for cell in cells}

    def recipe(self, index: int, viewport: Viewport, context: Context) -> BackdropRecipe:
        """The next recipe of a cell; ``index`` is its place among all."""
        cell, position = f"{viewport.name}/{context}", self._count((viewport, context))
        over, down = self.shifts[viewport, context]
        lang = self.langs[(position + over + down) % len(self.langs)]
        # Neighbouring contexts get other themes, so few pages a split still hold them all.
        theme, looks = self.themes[
            (position // len(self.langs) + over + 2 * down) % len(self.themes)
        ]
        template = self._dealt(templates_for(viewport), f"templates/{context}")
        split = _split_at(cell, position)
        return BackdropRecipe(
            template=template,
            context=context,
            width=viewport.width,
            height=viewport.height,
            dpr=viewport.dpr,
            tokens=self._dealt(tuple(looks), f"looks/{theme}"),
            lang=lang,
            split=split,
            variant=_variant_for(split, index),
            turn=self._count((template, lang)),
        )

    def _count(self, what: Hashable) -> int:
        """How often this was asked of ``what`` before."""
        self.met[what] += 1
        return self.met[what] - 1

    def _dealt(self, names: tuple[str, ...], name: str) -> str:
        """The next of ``names``: all of them in a keyed order, then all again in another."""
        turn, place = divmod(self._count((name, names)), len(names))
        return names[permuted_index(place, len(names), f"{name}/{turn}")]
