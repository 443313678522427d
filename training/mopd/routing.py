"""Rows to the teacher of their domain, one teacher at a time, and results back in the old order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from factory.core.errors import InvalidOptions

R = TypeVar("R")


def by_domain(domains: Sequence[str]) -> dict[str, list[int]]:
    """Rows of each domain, in the order in which domains first come."""
    rows: dict[str, list[int]] = {}
    for row, domain in enumerate(domains):
        rows.setdefault(domain, []).append(row)
    return rows


def routed(domains: Sequence[str], score: Callable[[str, list[int]], Sequence[R]]) -> list[R]:
    """``score(domain, rows)`` of every domain once, its results put where the rows stand."""
    found: dict[int, R] = {}
    for domain, rows in by_domain(domains).items():
        results = score(domain, rows)
        if len(results) != len(rows):
            raise ValueError(f"{len(results)} results for {len(rows)} rows of {domain!r}")
        found.update(zip(rows, results, strict=True))
    return [found[row] for row in range(len(domains))]


def known(domains: Sequence[str], teachers: Mapping[str, object]) -> None:
    """``InvalidOptions`` when a domain has no teacher."""
    missing = sorted(set(domains) - set(teachers))
    if missing:
        raise InvalidOptions(
            f"no teacher for the domain {', '.join(missing)}; there are teachers for "
            f"{', '.join(sorted(teachers)) or 'none'}: name one under [teachers] or give the "
            "source another domain"
        )
