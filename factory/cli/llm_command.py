"""``factory llm ledger``: what asking language models has cost, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import orjson
from cyclopts import Parameter

from factory.core.errors import ConfigError


def ledger_command(
    *,
    llm_cache: Path | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Print calls, tokens, cost and failures of each run that asked a language model.

    Parameters
    ----------
    llm_cache
        The file of answers and ledger (default: llm/cache.sqlite of the factory's home).
    json
        As one JSON object.
    """
    from factory.llm.settings import Settings
    from factory.llm.store import Store

    path = Settings("", cache=str(llm_cache or "")).cache_path()
    if not path.is_file():
        raise ConfigError(f"there is no ledger {path}; name it by --llm-cache")
    found = Store(path).ledger()
    if json:
        print(orjson.dumps(found).decode())
        return
    for scope, own in found.items():
        for line in lines_of(scope, own):
            print(line)


def lines_of(scope: str, own: Mapping[str, Any]) -> Iterator[str]:
    """A run's part of the ledger, for people."""
    yield scope
    yield f"  calls    {counts(own['calls'])}; {own['seconds']:.1f} s"
    yield f"  tokens   {own['tokens_in']} in, {own['tokens_out']} out; cost {own['cost']:.6g}"
    for stage, outcomes in own["answers"].items():
        yield f"  {stage:8} {counts(outcomes)}"


def counts(found: Mapping[str, int]) -> str:
    """``ok 12, schema 3``, the most frequent first."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered) or "none"
