"""The supervised stage: the loss falls, a stop costs nothing, and the folder says what was done."""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import pytest

from factory.core.errors import InvalidOptions, RunExists
from training.config import SftConfig, build_config

pytestmark = [
    pytest.mark.train,
    pytest.mark.skipif(not find_spec("torch"), reason="run `make train-extra`"),
]

STEPS = 8
ROOT = Path(__file__).parents[2]


def config(run: Path, out: Path, **changes: Any) -> SftConfig:
    values: dict[str, Any] = {
        "out": out,
        "model": {"name": "tiny:qwen3-vl", "max_pixels": 16_384, **changes.pop("model", {})},
        "data": {
            "sources": [{"run": run}], "prompt": "short", "thinking": False, "crop": "panel",
            "shuffle": 4, **changes.pop("data", {}),
        },
        "optim": {
            "lr": 2e-3, "steps": STEPS, "warmup": 2, "batch": 4, "save_every": 4, "log_every": 1,
            **changes.pop("optim", {}),
        },
    }  # fmt: skip
    return build_config(SftConfig, {**values, **changes})


def train(settings: SftConfig, **how: Any) -> Any:
    from training.sft import train_sft

    return train_sft(settings, **how)


def losses(folder: Any) -> list[float]:
    return [line["loss"] for line in folder.metrics() if "loss" in line]


@pytest.fixture(scope="module")
def trained(rotate_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return train(config(rotate_run, tmp_path_factory.mktemp("sft") / "out"))


def test_the_loss_falls(trained: Any) -> None:
    found = losses(trained)
    assert len(found) == STEPS
    # From ln 276, where every token is as likely, to the pieces that all answers share.
    assert found[0] == pytest.approx(5.6, abs=0.3)
    assert found[-1] < 0.8 * found[0]


def test_the_folder_says_what_was_done(trained: Any, rotate_run: Path) -> None:
    read = {
        name: orjson.loads((trained.path / f"{name}.json").read_bytes())
        for name in ("config", "data", "versions", "done")
    }
    assert read["config"]["optim"]["steps"] == STEPS
    assert read["data"][0]["run"] == str(rotate_run)
    assert len(read["data"][0]["manifest"]) == 32
    assert {"torch", "transformers", "trl"} <= set(read["versions"])
    assert read["done"]["step"] == STEPS
    assert {"step", "loss", "grad_norm", "learning_rate"} <= set(trained.metrics()[0])


def test_the_result_loads_with_plain_transformers(trained: Any) -> None:
    from transformers import AutoModelForImageTextToText

    AutoModelForImageTextToText.from_pretrained(trained.model)


def test_half_a_run_resumed_equals_a_whole_one(
    trained: Any, rotate_run: Path, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import load_file

    out = Path(shutil.copytree(trained.path, tmp_path / "out"))
    (out / "config.json").unlink()
    shutil.rmtree(out / "model")
    shutil.rmtree(out / "checkpoints" / f"checkpoint-{STEPS}")
    (out / "done.json").unlink()
    again = train(config(rotate_run, out), resume=True)
    assert losses(again) == losses(trained)
    first, second = (load_file(one.model / "model.safetensors") for one in (trained, again))
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_checkpoint_that_was_being_written_is_not_taken(
    trained: Any, rotate_run: Path, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(trained.path, tmp_path / "out"))
    (out / "config.json").unlink()
    (out / "done.json").unlink()
    torn = out / "checkpoints" / f"checkpoint-{STEPS}"
    (torn / "complete").unlink()
    (torn / "model.safetensors").write_bytes(b"half")
    assert losses(train(config(rotate_run, out), resume=True)) == losses(trained)


@pytest.mark.long
def test_a_killed_run_resumes_with_the_same_losses(
    trained: Any, rotate_run: Path, tmp_path: Path
) -> None:
    from training.config import resolved

    out, file = tmp_path / "out", tmp_path / "sft.json"
    file.write_bytes(resolved(config(rotate_run, out)))
    code = (
        "import sys, orjson; from pathlib import Path; from training.config import *; "
        "from training.sft import train_sft; "
        "values = orjson.loads(Path(sys.argv[1]).read_bytes()); "
        "train_sft(build_config(SftConfig, values), resume='resume' in sys.argv)"
    )
    command = [sys.executable, "-c", code, str(file)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    first = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(out / "checkpoints" / "checkpoint-4" / "complete")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert not (out / "done.json").exists()
    done = subprocess.run([*command, "resume"], env=env, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    lines = [orjson.loads(line) for line in (out / "metrics.jsonl").read_bytes().splitlines()]
    assert [line["loss"] for line in lines if "loss" in line] == losses(trained)


def wait_for(path: Path, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not come"
        time.sleep(0.02)


def test_a_used_folder_is_not_written_over(trained: Any, rotate_run: Path) -> None:
    with pytest.raises(RunExists, match="add --resume"):
        train(config(rotate_run, trained.path))


def test_resuming_with_another_config_is_refused(trained: Any, rotate_run: Path) -> None:
    other = config(rotate_run, trained.path, optim={"lr": 1e-4})
    with pytest.raises(InvalidOptions, match=r'"lr": 0\.002.*there, "lr": 0\.0001.*now'):
        train(other, resume=True)


def test_resuming_what_is_done_does_nothing(trained: Any, rotate_run: Path) -> None:
    before = (trained.path / "metrics.jsonl").read_bytes()
    again = train(config(rotate_run, trained.path), resume=True)
    assert (again.path / "metrics.jsonl").read_bytes() == before


def test_adapters_train_few_weights_and_save_all(rotate_run: Path, tmp_path: Path) -> None:
    settings = config(rotate_run, tmp_path / "out", model={"lora": {"rank": 4}}, optim={"steps": 2})
    folder = train(settings)
    done = orjson.loads((folder.path / "done.json").read_bytes())
    assert done["trained"] < done["parameters"] / 5
    assert (folder.model / "model.safetensors").is_file()
    assert not (folder.model / "adapter_config.json").exists()


def test_accumulation_is_one_larger_batch(rotate_run: Path, tmp_path: Path) -> None:
    """Loss is a mean over all answer tokens of a step, however the step is cut."""
    once = train(config(rotate_run, tmp_path / "a", optim={"steps": 2, "batch": 4}))
    split = {"steps": 2, "batch": 2, "accumulation": 2}
    twice = train(config(rotate_run, tmp_path / "b", optim=split))
    assert losses(once) == pytest.approx(losses(twice), rel=1e-4)


def test_steps_may_be_counted_in_passes(rotate_run: Path, tmp_path: Path) -> None:
    folder = train(config(rotate_run, tmp_path / "out", optim={"epochs": 0.5, "batch": 2}))
    assert len(losses(folder)) == 3
