"""Texts and names that occur twice, elements that do the same: what an instruction must know."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

from factory.web.verdict.types import BoxList, Evidence, Reason

UNSEEN = {Reason.CSS_HIDDEN, Reason.NO_BOX, Reason.OFF_VIEWPORT, Reason.SCROLLED_OUT}


class _Spaced(dict[int, int]):
    """Maps punctuation, separators and controls to a space, each character looked up once."""

    def __missing__(self, code: int) -> int:
        self[code] = 32 if unicodedata.category(chr(code))[0] in "PZC" else code
        return self[code]


_SPACED = _Spaced()


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """NFKC, case folded, without punctuation, single spaces: how two texts are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.translate(_SPACED).split())


class Duplicates:
    """Counts over all candidates of a page that are in view, frames included."""

    def __init__(self, found: Sequence[Evidence]) -> None:
        seen = [e for e in found if e.reason not in UNSEEN and e.hit_box]
        self._texts = Counter(normal(e.visible_text) for e in seen)
        self._names = Counter(normal(e.name) for e in seen)
        self._places: dict[str, list[Evidence]] = defaultdict(list)
        for evidence in seen:
            if evidence.reason is None and _leads_somewhere(evidence.href):
                self._places[evidence.href].append(evidence)

    def of_text(self, text: str) -> int:
        """Candidates in view with this visible text, itself included; 0 for no text."""
        return self._texts[normal(text)] if normal(text) else 0

    def of_name(self, name: str) -> int:
        """Candidates in view with this accessible name; 0 for no name."""
        return self._names[normal(name)] if normal(name) else 0

    def same_effect(self, evidence: Evidence) -> list[BoxList]:
        """Boxes that do the same: its labels, and other links to the same place."""
        others = self._places.get(evidence.href, ())
        return [*evidence.label_boxes, *(e.box for e in others if e is not evidence and e.box)]


def _leads_somewhere(href: str) -> bool:
    return bool(href) and not href.startswith("javascript:") and not href.endswith("#")
