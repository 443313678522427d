"""``factory stats``: what is in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter


def stats_command(
    run: Path,
    /,
    *,
    diversity: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Print the counts of a finished run.

    Parameters
    ----------
    run
        Folder of the run.
    diversity
        How much pages differ, and how large their targets are; reads every shard of pages.
    json
        As one JSON object.
    """
    from factory.cli.display import print_json
    from factory.engine.diversity import page_diversity
    from factory.engine.stats import run_stats

    facts = page_diversity(run) if diversity else run_stats(run)
    if json:
        print_json(facts)
        return
    classes = facts.pop("attempts_by_type", None)
    for name, value in facts.items():
        print(f"{name:<26} {_text(value)}")
    if classes is None:
        return
    print(f"{'attempts by type':<28} {'p99':>5} {'max':>5} {'refused':>8}")
    for name, own in classes.items():
        print(f"  {name:<26} {own['p99']:>5} {own['max']:>5} {own['reject_rate']:>8.1%}")


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return str(value)
