"""How much pages of a run differ: shapes, pictures, roles, layouts, words and target sizes.

Read from the shards of a finished run, a page at a time; what is kept of a page is a hundred
bytes. Pages of equal shape whose pictures are within ``NEAR_BITS`` are near-duplicates: the
manifest names the first of them in ``duplicate_of``.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from exporters.shard_reader import iter_samples
from exporters.shards import PAGES
from exporters.spill import repeated
from factory.core.errors import InvalidOptions, ShardCorrupt

NEAR_BITS = 6
"""Of the 64 of a perceptual hash: pictures that differ in no more look the same at a glance."""

LAYOUT_CELLS = (8, 6)
"""Columns and rows in which the middles of elements are counted."""

WORDS = 4
"""Words in a row that are compared between instructions."""

MOST_COMPARED = 4000
"""Pictures of which every pair is compared; of longer runs the first ones."""

QUANTILES = (0.05, 0.5, 0.95)

DEVICE = {"ios": "mobile", "android": "mobile", "windows": "desktop", "macos": "desktop"}

REFERENCE_SIZES: Mapping[str, tuple[float, float, float]] = {
    "desktop": (0.034, 0.085, 0.233),
    "mobile": (0.046, 0.124, 0.294),
    "web": (0.026, 0.061, 0.225),
}
"""ScreenSpot-v2 (1,272 boxes): root of a target's share of the screen, p5, median, p95."""


class _Shape(HTMLParser):
    """The nesting of elements with their roles, without words, attributes or order of classes."""

    def __init__(self) -> None:
        super().__init__()
        self.digest = hashlib.blake2b(digest_size=8)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.digest.update(f"<{tag} {dict(attrs).get('role') or ''}".encode())

    def handle_endtag(self, tag: str) -> None:
        self.digest.update(f">{tag}".encode())


def shape_of(body: str) -> str:
    """64 bits, in hex, of a page's element tree: equal where only words and looks differ."""
    parser = _Shape()
    parser.feed(body)
    parser.close()
    return parser.digest.hexdigest()


def near_duplicates(rows: Iterable[tuple[str, int, str]]) -> dict[str, str]:
    """Key of each near-duplicate -> the first key like it; ``rows`` are (shape, hash, key).

    Memory grows with the pages that share a shape, not with all. ``DiskFull`` when the temporary
    folder is.
    """
    found: dict[str, str] = {}
    for _, pages in repeated((shape, f"{key} {phash:x}") for shape, phash, key in rows):
        split = (page.rpartition(" ") for page in pages)
        alike = sorted((key, int(phash, 16)) for key, _, phash in split)
        for (first, one), (other, two) in combinations(alike, 2):
            if first not in found and (one ^ two).bit_count() <= NEAR_BITS:
                found.setdefault(other, first)
    return dict(sorted(found.items()))


class Measures:
    """Sums over pages."""

    def __init__(self) -> None:
        self.shapes: Counter[str] = Counter()
        self.hashes: list[int] = []
        self.rows: list[tuple[str, int, str]] = []
        self.roles: Counter[str] = Counter()
        self.layouts: list[float] = []
        self.runs: Counter[int] = Counter()
        self.goals: Counter[str] = Counter()
        self.sizes: dict[str, list[float]] = defaultdict(list)

    def add(self, key: str, body: str, record: Mapping[str, Any], phash: int) -> None:
        """Count one page."""
        shape = shape_of(body)
        self.shapes[shape] += 1
        self.rows.append((shape, phash, key))
        seen = record["observations"][0]
        size = (float(seen["width"]), float(seen["height"]))
        boxes = [region["box"] for region in record["regions"]]
        self.roles.update(region["name"].partition(".")[0] for region in record["regions"])
        self.layouts.append(layout_entropy(boxes, size))
        device = DEVICE.get(record["context"], "web")
        for task in record["tasks"]:
            self.goals[task["goal"]] += 1
            self.runs.update(set(_runs_of_words(task["goal"])))
            for x0, y0, x1, y1 in task["mechanic"].get("boxes", [])[:1]:
                self.sizes[device].append(math.sqrt((x1 - x0) * (y1 - y0) / (size[0] * size[1])))

    def summary(self) -> dict[str, Any]:
        """JSON-able figures; sizes are roots of shares of the screen."""
        pages, tasks = len(self.rows), self.goals.total()
        near = near_duplicates(self.rows)
        return {
            "pages": pages,
            "distinct_shapes": len(self.shapes),
            "near_duplicates": len(near),
            "nearest_picture_bits": _quantiles(nearest_bits([row[1] for row in self.rows])),
            "layout_entropy_bits": _quantiles(self.layouts),
            "roles": dict(self.roles.most_common()),
            "role_entropy_bits": round(_entropy(self.roles.values()), 3),
            "instructions": tasks,
            "distinct_instructions": round(len(self.goals) / max(1, tasks), 4),
            "distinct_runs_of_4_words": round(len(self.runs) / max(1, self.runs.total()), 4),
            "target_sizes": {name: _quantiles(own) for name, own in sorted(self.sizes.items())},
            "reference_sizes": {name: list(own) for name, own in REFERENCE_SIZES.items()},
        }


def page_diversity(run: Path) -> dict[str, Any]:
    """The figures of a finished run of pages.

    ``InvalidOptions`` of a run without pages, ``ShardCorrupt`` where some of them are gone.
    """
    from factory.engine.stats import rows, run_stats

    run_stats(run)
    listed = [row for row in rows(run, ["key", "phash", "shard"]) if row["shard"].startswith(PAGES)]
    if not listed:
        raise InvalidOptions(f"{run} has no pages: `factory gen grounding` makes them")
    hashes = {row["key"]: int(row["phash"]) for row in listed}
    measures = Measures()
    for key, parts in _pages(run):
        record = orjson.loads(orjson.loads(parts["json"])["payload"])
        measures.add(key, parts["html"].decode(), record, hashes[key])
    if len(measures.rows) != len(listed):
        raise ShardCorrupt(
            f"{run} holds {len(measures.rows)} of {len(listed)} pages; `factory verify` says more"
        )
    return measures.summary()


def _pages(run: Path) -> Iterator[tuple[str, Mapping[str, bytes]]]:
    for shard in sorted(run.glob("pages/*/*.tar")):
        for key, parts, _ in iter_samples(shard):
            yield key, parts


def layout_entropy(boxes: Iterable[Iterable[float]], size: tuple[float, float]) -> float:
    """Bits of the distribution of the boxes' middles over a grid of the screen; 0 of none."""
    columns, lines = LAYOUT_CELLS
    cells: Counter[tuple[int, int]] = Counter()
    for x0, y0, x1, y1 in boxes:
        column = int((x0 + x1) / 2 / size[0] * columns)
        line = int((y0 + y1) / 2 / size[1] * lines)
        cells[min(columns - 1, max(0, column)), min(lines - 1, max(0, line))] += 1
    return _entropy(cells.values())


def nearest_bits(hashes: list[int]) -> list[int]:
    """Of each picture the least distance of its hash from another's; empty of fewer than two."""
    some = np.array(hashes[:MOST_COMPARED], ">u8")
    if len(some) < 2:
        return []
    bits = np.unpackbits(some.view(np.uint8).reshape(-1, 8), axis=1).astype(np.float32)
    apart = bits @ (1 - bits).T + (1 - bits) @ bits.T
    np.fill_diagonal(apart, np.inf)
    return [int(value) for value in np.rint(apart.min(axis=1))]


def _runs_of_words(goal: str) -> Iterator[int]:
    """Hashes of every ``WORDS`` words in a row; of Chinese, signs are words."""
    spaced = "".join(f" {c} " if "\u3400" <= c <= "\u9fff" else c for c in goal.casefold())
    words = spaced.split()
    for k in range(len(words) - WORDS + 1):
        text = " ".join(words[k : k + WORDS])
        yield int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _entropy(counts: Iterable[int]) -> float:
    found = [count for count in counts if count]
    total = sum(found)
    return math.fsum(-n / total * math.log2(n / total) for n in found)


def _quantiles(values: Iterable[float]) -> list[float]:
    """p5, median and p95, or nothing of none."""
    found = list(values)
    return [round(float(v), 3) for v in np.quantile(found, QUANTILES)] if found else []
