"""What a run keeps of the language model that wrote it: its answers, and what checks said of them.

Written when a run is finished, from what its shards left beside them; the same answers give the
same files, whoever asked for them and in which order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from exporters.durable import write_whole
from factory.llm.recorded import ANSWERS

SUMMARY = "llm/summary.json"


def write_sources(out: Path, shards: Iterable[Mapping[str, Any]]) -> None:
    """Write ``llm/answers.jsonl`` and ``llm/summary.json`` where any shard has answers."""
    answers: dict[str, Mapping[str, Any]] = {}
    outcomes: dict[str, Counter[str]] = {}
    rejected: Counter[str] = Counter()
    for shard in shards:
        sources = shard.get("sources") or {}
        answers |= {line["digest"]: line for line in sources.get("answers", ())}
        for row in sources.get("outcomes", ()):
            outcomes.setdefault(row["stage"], Counter())[row["outcome"]] += 1
        if sources:
            rejected.update(_rejected(shard["rejected"]))
    if not answers:
        return
    lines = [orjson.dumps(answers[digest]) for digest in sorted(answers)]
    write_whole(out / ANSWERS, b"\n".join(lines) + b"\n")
    summary = {
        "answers": len(answers),
        "tokens_in": sum(one["tokens_in"] for one in answers.values()),
        "tokens_out": sum(one["tokens_out"] for one in answers.values()),
        "outcomes": outcomes,
        "pages_rejected": rejected,
    }
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
    write_whole(out / SUMMARY, orjson.dumps(summary, option=options))


def _rejected(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Attempts that came to nothing, by reason; a key without a sample counts its attempts."""
    found: Counter[str] = Counter()
    for row in rows:
        times = row["limit"] if row["value"] == -1.0 and row["limit"] >= 1 else 1
        found[row["reason"]] += int(times)
    return found
