"""Which samples a gallery shows: a stratified sample in one pass, the same for the same seed."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from factory.core.errors import InvalidOptions
from factory.engine.stats import BANDS
from factory.gallery.run_folder import Row

FIELDS = {
    "class": "type", "split": "split", "theme": "theme", "lang": "lang", "context": "context",
    "mode": "instruction_mode", "picture": "picture",
}  # fmt: skip
"""What a filter may ask for, and the column of the manifest that answers."""

STRATA = ("split", "theme", "lang")


def band_of(difficulty: float) -> str:
    """The band of a difficulty as the statistics name it: ``0.2-0.4``."""
    band = min(BANDS - 1, max(0, math.floor(difficulty * BANDS)))
    return f"{band / BANDS:.1f}-{(band + 1) / BANDS:.1f}"


def bands() -> list[str]:
    """All bands, easiest first."""
    return [band_of(band / BANDS + 0.01) for band in range(BANDS)]


def canvas_of(row: Row) -> str:
    """``375x812@2`` in image px, as the statistics name it."""
    return f"{row['width']}x{row['height']}@{row['dpr']:g}"


@dataclass(frozen=True)
class Filter:
    """What rows must be. Build one with ``parse``."""

    wanted: tuple[tuple[str, str], ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
    keys: frozenset[str] | None = None

    @classmethod
    def parse(cls, words: Iterable[str]) -> Filter:
        """Read ``name=value`` words; ``difficulty=0.2-0.6`` is a range, ``keys=FILE`` a list."""
        wanted: list[tuple[str, str]] = []
        keys: set[str] | None = None
        low, high = 0.0, 1.0
        for word in words:
            name, _, value = word.partition("=")
            if name == "difficulty":
                low, high = _range(value)
            elif name == "keys":
                keys = (keys or set()) | _keys(Path(value))
            elif name in FIELDS and value:
                wanted.append((FIELDS[name], value))
            else:
                raise InvalidOptions(
                    f"filter {word!r} is not NAME=VALUE with one of: difficulty, keys, "
                    + ", ".join(FIELDS)
                )
        return cls(tuple(wanted), low, high, None if keys is None else frozenset(keys))

    def takes(self, row: Row) -> bool:
        """Whether the row is wanted; several values of one name are alternatives."""
        if not self.lowest <= row["difficulty"] <= self.highest:
            return False
        if self.keys is not None and row["key"] not in self.keys:
            return False
        names = {name for name, _ in self.wanted}
        return all((name, str(row[name])) in self.wanted for name in names)


def _keys(path: Path) -> set[str]:
    """The keys in a file, one a line, such as the failures of an evaluation."""
    try:
        return set(path.read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidOptions(f"keys={path} cannot be read: {error}") from None


def _range(text: str) -> tuple[float, float]:
    try:
        low, _, high = text.partition("-")
        pair = float(low), float(high or low)
    except ValueError:
        raise InvalidOptions(f"difficulty={text} is not a range such as 0.2-0.6") from None
    return pair


@dataclass
class Chooser:
    """Keeps up to ``n`` samples a class, spread over band, theme, language and split.

    Memory grows with strata and ``n``, not with rows.
    """

    n: int
    seed: int = 0
    _held: dict[tuple[str, ...], list[tuple[int, str, Row]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, row: Row) -> None:
        """Offer a row. The ones with the lowest keyed digests stay."""
        text = f"{self.seed}|{row['key']}".encode()
        rank = -int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
        name = (row["type"], band_of(row["difficulty"]), *(row[field] for field in STRATA))
        held = self._held[name]
        if len(held) < self.n:
            heapq.heappush(held, (rank, row["key"], row))
        else:
            heapq.heappushpop(held, (rank, row["key"], row))

    def chosen(self) -> list[Row]:
        """The sample, by key: strata of a class give in turn until it has its ``n``."""
        classes: dict[str, list[list[Row]]] = defaultdict(list)
        for name in sorted(self._held):
            ranked = sorted(self._held[name], key=lambda entry: (-entry[0], entry[1]))
            classes[name[0]].append([row for _, _, row in ranked])
        rows = [row for strata in classes.values() for row in _in_turn(strata, self.n)]
        return sorted(rows, key=lambda row: row["key"])


def _in_turn(strata: Sequence[Sequence[Row]], n: int) -> list[Row]:
    rounds = max(map(len, strata), default=0)
    dealt = [stratum[turn] for turn in range(rounds) for stratum in strata if turn < len(stratum)]
    return dealt[:n]
