"""Claims about several processes: two on a CPU over gloo share the samples and one model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from tests.training.runs_for_training import make_training_run
from tests.training.stages import PLAIN, TINY, stage
from training.config import ModelConfig
from training.models import load_policy

pytestmark = [pytest.mark.train, pytest.mark.long]

ROOT = Path(__file__).parents[2]
OF_A_STAGE: dict[str, dict[str, Any]] = {
    "sft": {},
    "rl": {"group": 4},
    "mopd": {"teachers": {"turn": TINY}},
}


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight shards of four samples: no process comes to the end of its sixteen below."""
    return make_training_run(tmp_path_factory.mktemp("shared") / "run", n=32)


@pytest.mark.parametrize("name", list(OF_A_STAGE))
def test_two_processes_read_apart_and_hold_the_same_weights(
    shared_run: Path, tmp_path: Path, name: str
) -> None:
    optim = {"steps": 3, "batch": 4}
    values = stage(shared_run, tmp_path / "out", **OF_A_STAGE[name], optim=optim)
    values["data"] = {"sources": [{"run": str(shared_run), "domain": "turn"}], **PLAIN}
    values["out"] = str(values["out"])
    if name == "sft":
        del values["sample"]
    (tmp_path / "config.json").write_bytes(orjson.dumps(values))
    reports = tmp_path / "reports"
    reports.mkdir()
    command = [
        sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
        "-m", "tests.training.two_processes", name, str(tmp_path / "config.json"), str(reports),
    ]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    first, second = (orjson.loads((reports / f"{k}.json").read_bytes()) for k in (0, 1))
    assert first["backend"] == second["backend"] == "gloo"
    assert first["weights"] == second["weights"]
    assert first["keys"] and second["keys"] and not set(first["keys"]) & set(second["keys"])
    metrics = [orjson.loads(line) for line in (tmp_path / "out" / "metrics.jsonl").open("rb")]
    assert [line["step"] for line in metrics[:3]] == [1, 2, 3]
    assert all(line["grad_norm"] > 0 for line in metrics[:3])
    begun = load_policy(ModelConfig(name=TINY))[0].state_dict()
    ended = load_policy(ModelConfig(name=str(tmp_path / "out")))[0].state_dict()
    assert any(not torch.equal(begun[k], ended[k]) for k in begun)
