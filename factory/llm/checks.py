"""What a plan has to hold beyond its schema: words that may be drawn, functions that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from factory.llm.plan import ENTRY_KINDS, Content, Deed, Layout
from factory.llm.reasons import Bad, BadAnswer
from factory.llm.words import check_hidden, check_language, check_plain, check_real
from factory.scenarios.search import bare
from factory.web.verdict.alike import normal

FEWEST_PLACED = 3
"""Functions that a layout has to place."""


def texts_of(found: BaseModel, skip: Iterable[str] = ("key", "icon", "kind")) -> Iterator[str]:
    """Every text of a filled model, in its order."""
    for name, value in found:
        if name in skip:
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, BaseModel):
                yield from texts_of(one, skip)
            elif isinstance(one, str) and one:
                yield one


def check_content(found: Content, lang: str) -> None:
    """``BadAnswer`` with the first fault of a content."""
    texts = list(texts_of(found))
    for text in texts:
        check_hidden(text)
        check_plain(text)
        check_real(text)
    check_language(texts, lang)
    for name, values in {
        "keys": [deed.key for deed in found.functions],
        "labels": [said(deed.label) for deed in found.functions],
        "phrases of functions": [said(deed.does) for deed in found.functions],
        "titles of entries": [said(entry.title) for entry in found.entries],
        "captions": [said(c) for c in captions(found)],
        "switches": [said(text) for text in found.switches],
    }.items():
        _all_differ(name, values)
    for choice in found.choices:
        _all_differ(f"options of {choice.caption}", [said(one) for one in choice.options])
    _none_empty(found.functions)


def captions(found: Content) -> list[str]:
    """What stands above fields and choices."""
    return [one.caption for one in (*found.fields, *found.choices)]


def said(text: str) -> str:
    """A text up to what makes no difference."""
    return bare(text) or normal(text)


def _all_differ(what: str, values: list[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise BadAnswer(Bad.TWINS, f"two {what} say {twice[0]!r}; each has to be another")


def _none_empty(functions: list[Deed]) -> None:
    empty = [deed.key for deed in functions if not normal(deed.label) or not normal(deed.does)]
    if empty:
        raise BadAnswer(Bad.TOO_LITTLE, f"the function {empty[0]} has no words")


def check_layout(found: Layout, content: Content, lang: str) -> None:
    """``BadAnswer`` with the first fault of a layout of a content."""
    for block in found.blocks:
        check_hidden(block.heading)
        check_plain(block.heading)
        check_real(block.heading)
    check_language([block.heading for block in found.blocks], lang)
    known = {deed.key for deed in content.functions}
    placed = list(_placed(found))
    unknown = sorted({key for key in placed if key not in known})
    if unknown:
        raise BadAnswer(
            Bad.UNKNOWN_FUNCTION,
            f"there is no function {unknown[0]!r}; there are {', '.join(sorted(known))}",
        )
    _all_differ("places", placed)
    if len(placed) < FEWEST_PLACED:
        raise BadAnswer(Bad.TOO_LITTLE, f"{len(placed)} functions stand on it; place more of them")
    kinds = [block.kind for block in found.blocks]
    if sum(kind in ENTRY_KINDS for kind in kinds) > 1:
        raise BadAnswer(Bad.TWINS, "the entries are shown twice; keep one of list, table, cards")
    _all_differ("blocks", [kind for kind in kinds if kind in ("form", "choices", "switches")])


def _placed(found: Layout) -> Iterator[str]:
    yield from (*found.header, *found.navigation, *found.tabs)
    for block in found.blocks:
        yield from block.functions
    if found.dialog == "ask":
        yield found.dialog_function
