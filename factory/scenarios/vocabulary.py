"""What tasks need of an app: what its functions are called and do, and what it does not have.

``catalog.App`` satisfies ``Vocabulary``; tests bring small ones of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

Phrases = Mapping[str, Sequence[str]]
"""Phrases by language, ``en`` or ``zh``."""


class Function(Protocol):
    """One function of an app. Phrases may have ``{slots}``, which an item's ``args`` fill."""

    @property
    def label(self) -> Phrases:
        """Words drawn on its control."""
        ...

    @property
    def do(self) -> Phrases:
        """What it does, as a verb phrase: "write a new message"."""
        ...

    @property
    def icon(self) -> Sequence[str]:
        """Icons that may be drawn for it."""
        ...

    @property
    def role(self) -> str:
        """The role of its control."""
        ...


class Vocabulary(Protocol):
    """An app in words."""

    @property
    def name(self) -> str:
        """The key of the app."""
        ...

    @property
    def fn(self) -> Mapping[str, Function]:
        """Its functions by key."""
        ...

    @property
    def absent(self) -> Phrases:
        """Verb phrases of plausible functions that it does not have."""
        ...

    @property
    def questions(self) -> Mapping[str, Phrases]:
        """Questions about a screen by the key of the fact that answers them."""
        ...


_ARABIC = re.compile("[\u0600-\u06ff]")


def is_arabic(text: str) -> bool:
    """Whether a text has Arabic letters."""
    return bool(_ARABIC.search(text))


def filled(phrase: str, args: Mapping[str, str]) -> str | None:
    """A phrase with its slots filled; None when ``args`` lacks one of them.

    Arabic words in a phrase of another language stand in quotes.
    """
    quoted = {k: f"“{v}”" if is_arabic(v) else v for k, v in args.items()}
    try:
        return phrase.format_map(quoted).replace("““", "“").replace("””", "”")
    except (KeyError, IndexError, ValueError):
        return None


def phrases_of(app: Vocabulary, fn: str, args: Mapping[str, str], lang: str) -> list[str]:
    """What a function does, in all phrases that ``args`` can fill; none for an unknown one."""
    function = app.fn.get(fn)
    raw = function.do.get(lang, ()) if function else ()
    return [phrase for one in raw if (phrase := filled(one, args))]
