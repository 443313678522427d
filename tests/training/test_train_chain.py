"""Five commands from shards to scores, each of them killed on its way and resumed.

A model of the Qwen3-VL class, so small that it learns the form of an answer and no more.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from tests.training.runs_for_training import make_training_run
from tests.training.stages import OF_THE_PROCESS

pytestmark = [pytest.mark.train, pytest.mark.long]

ROOT = Path(__file__).parents[2]
FACTORY = (sys.executable, "-m", "factory.cli.app", "train")
PATIENCE_S = 600.0
"""A step takes a second where four share two cores; nothing here takes a hundred of them."""

SOURCE = """
[[data.sources]]
run = "{runs}/{name}"
domain = "{name}"
"""
DATA = """
[data]
crop = "panel"
prompt = "short"
thinking = false
shuffle = 4
"""
OPTIM = """
[optim]
lr = {lr}
steps = {steps}
warmup = 0
batch = 8
log_every = 1
save_every = {save}
"""
SAMPLE = """
[sample]
max_new_tokens = 32
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    make_training_run(folder / "turn", "rotate")
    make_training_run(folder / "drag", "slider_drag_to_end")
    return folder


def env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def run(*words: str) -> str:
    done = subprocess.run(
        [*FACTORY, *words], env=env(), capture_output=True, text=True, timeout=PATIENCE_S,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def kill_after(step: int, out: Path, *words: str) -> None:
    """Start a stage and kill it once this step is logged."""
    with subprocess.Popen(
        [*FACTORY, *words], env=env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + PATIENCE_S
        while not (metrics(out) and metrics(out)[-1]["step"] >= step):
            assert process.poll() is None and time.monotonic() < deadline, "it never came so far"
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert not (out / "done.json").exists()


def metrics(out: Path) -> list[dict[str, Any]]:
    """What is logged so far, less what tells of the process; a torn last line is left out."""
    path = out / "metrics.jsonl"
    whole = path.read_bytes().rpartition(b"\n")[0] if path.is_file() else b""
    lines = [orjson.loads(line) for line in whole.splitlines()]
    return [{k: v for k, v in line.items() if k not in OF_THE_PROCESS} for line in lines]


def whole_and_killed(stage: str, toml: str, folder: Path, *, after: int) -> Path:
    """Run a stage once through and once killed and resumed; both must come to the same."""
    config = folder / f"{stage}.toml"
    config.write_text(toml)
    whole, killed = folder / stage, folder / f"{stage}-killed"
    told = run(stage, "--config", str(config), "--out", str(whole))
    assert str(whole / "model") in told
    kill_after(after, killed, stage, "--config", str(config), "--out", str(killed))
    run(stage, "--config", str(config), "--out", str(killed), "--resume")
    assert metrics(killed) == metrics(whole)
    same = [(out / "model" / "model.safetensors").read_bytes() for out in (whole, killed)]
    assert same[0] == same[1]
    return whole


def toml(folder: Path, model: str, data: str, optim: str, more: str = "") -> str:
    head = f'out = "{folder}"\n{more}'
    return f'{head}\n[model]\nname = "{model}"\n{DATA}{data}{optim}'


def test_five_commands_each_killed_and_resumed(runs: Path, tmp_path: Path) -> None:
    both = "".join(SOURCE.format(runs=runs, name=name) for name in ("turn", "drag"))
    one = SOURCE.format(runs=runs, name="drag")
    slow = OPTIM.format(lr=2e-3, steps=60, save=20)
    few = OPTIM.format(lr=1e-4, steps=6, save=2)

    sft = whole_and_killed("sft", toml(tmp_path, "tiny:qwen3-vl", both, slow), tmp_path, after=45)
    losses = [line["loss"] for line in metrics(sft) if "loss" in line]
    assert losses[0] > 5 and losses[-1] < 0.5

    rl = whole_and_killed(
        "rl", toml(tmp_path, str(sft), one, few + SAMPLE, "group = 4\nbeta = 0.01\n"), tmp_path,
        after=3,
    )  # fmt: skip
    assert any(line["grad_norm"] > 0 and line["reward"] > 0 for line in metrics(rl)[:6])

    teachers = f'\n[teachers]\nturn = "{sft}"\ndrag = "{rl}"\n'
    mopd = whole_and_killed(
        "mopd", toml(tmp_path, str(sft), both, few + SAMPLE + teachers), tmp_path, after=3
    )
    assert all(line["grad_norm"] > 0 for line in metrics(mopd)[:6])

    merged = tmp_path / "merged"
    (tmp_path / "merge.toml").write_text(
        f'out = "{merged}"\nmethod = "ties"\nbase = "{sft}"\nmodels = ["{rl}", "{mopd}"]\n'
    )
    run("merge", "--config", str(tmp_path / "merge.toml"))
    first = (merged / "model" / "model.safetensors").read_bytes()
    (merged / "done.json").unlink()  # as a kill leaves it: half written, and not said to be done
    (merged / "model" / "model.safetensors").write_bytes(first[: len(first) // 2])
    run("merge", "--config", str(tmp_path / "merge.toml"), "--resume")
    assert (merged / "model" / "model.safetensors").read_bytes() == first

    (tmp_path / "eval.toml").write_text(
        f'out = "{tmp_path}/scores"\nbatch = 8\n\n[model]\nname = "{merged}"\n{DATA}{both}{SAMPLE}'
    )
    told = run("eval", "--config", str(tmp_path / "eval.toml"), "--json")
    scores = orjson.loads(told)
    assert set(scores["domains"]) == {"turn", "drag"}
    _loads_without_us(merged / "model")


def _loads_without_us(model: Path) -> None:
    """Weights and tokenizer, by a process that never hears of this project."""
    code = textwrap.dedent("""
        import sys
        import torch
        from transformers import AutoModelForImageTextToText, AutoTokenizer
        model, said = AutoModelForImageTextToText.from_pretrained(
            sys.argv[1], output_loading_info=True
        )
        assert not said["missing_keys"] and not said["unexpected_keys"], said
        tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
        ids = tokenizer("Solve it.", return_tensors="pt")["input_ids"]
        out = model.generate(input_ids=ids, max_new_tokens=4, do_sample=False)
        assert out.shape[1] > ids.shape[1]
        assert not any(name.startswith(("training", "factory")) for name in sys.modules)
        print(type(model).__name__)
    """)
    bare = {k: v for k, v in env().items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(model)], env=bare, cwd=model, capture_output=True,
        text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == "Qwen3VLForConditionalGeneration"
