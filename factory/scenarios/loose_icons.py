"""Icons that a page draws without saying so: what a picture that nobody marked may show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from factory.core.errors import DependencyMissing
from factory.scenarios.page import ScenePage
from factory.scenarios.wording import wording
from factory.web.content import icon

_DRAWN = re.compile(r"<svg\b[^>]*>(.*?)</svg>", re.DOTALL)


def loose_icons(page: ScenePage) -> tuple[str, ...]:
    """Icons that the page draws more often than its items say, of those that have a plain name."""
    glyphs = _glyphs()
    drawn = Counter(
        name for inner in _DRAWN.findall(page.body) if (name := glyphs.get(inner.strip()))
    )
    marked = Counter(item.icon for item in page.items.values())
    return tuple(sorted(name for name, count in drawn.items() if count > marked[name]))


@cache
def _glyphs() -> Mapping[str, str]:
    """The name of each icon by its markup."""
    named = [name for row in wording()["icons"].values() for name in row[2:]]
    return {inner: name for name in named if (inner := _inner(name))}


def _inner(name: str) -> str:
    """The markup of an icon; empty for names that the icon package does not have."""
    try:
        found = _DRAWN.search(icon(name))
    except DependencyMissing:
        return ""
    return found.group(1).strip() if found else ""
