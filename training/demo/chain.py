"""The whole chain over several seeds, as jobs of which two run at a time.

A job trains or merges one model, evaluates it on every domain and writes ``results/NAME.json``;
one whose result is there is not done again, so a stopped demonstration goes on where it was.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import orjson
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from exporters.durable import partial_path
from training.demo.items import PARTS, PLACES, load
from training.demo.net import PixelNet
from training.demo.play import BATCH, answered, seen_by
from training.demo.stages import Bench, Plan, Row, distilled, reinforced, supervised, towered
from training.demo.words import said
from training.evaluate import Scored, scored
from training.merge import linear, ties

N = TypeVar("N", bound=nn.Module)

DOMAINS = (*PARTS, PLACES)
"""Two puzzles, and the reduced grounding."""

MOPD_FORMS: dict[str, dict[str, bool]] = {
    "mopd": {},
    "mopd-no-hint": {"hint": False},
    "mopd-no-structure": {"structure": False},
    "mopd-plain": {"hint": False, "structure": False},
}
"""MOPD as designed, and its ablations; plain is on-policy distillation without either."""

DENSITY = 0.5
"""Share of a change that TIES keeps."""

TEACHERS = tuple(f"teacher-{name}" for name in DOMAINS)
MODELS = ("base", *TEACHERS, "mixed", "linear", "ties", *MOPD_FORMS)
"""The models of a seed, in the order of the table."""


@dataclass(frozen=True)
class Demo:
    """Where it happens and how large it is. ``evaluated`` items a domain."""

    folder: Path
    plan: Plan = field(default_factory=Plan)
    evaluated: int = 2000

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def weights(self, seed: int, name: str) -> Path:
        return self.folder / "models" / f"{seed}-{name}.safetensors"

    def result(self, seed: int, name: str) -> Path:
        return self.results / f"{seed}-{name}.json"

    def seen(self, name: str) -> Path:
        """Where the questions of a set lie, with what the tower saw of their panels."""
        return self.folder / f"{name}.pt"

    def ready(self, names: Iterable[str]) -> bool:
        """Whether ``prepare`` is done."""
        return all(self.seen(name).exists() for name in names)

    def bench(self, name: str) -> Bench:
        """The questions of a set and what the tower saw, as ``prepare`` left them."""
        return Bench(*torch.load(self.seen(name), weights_only=False))


def prepare(demo: Demo, runs: Mapping[str, Mapping[str, Path]]) -> str:
    """Train the tower on the panels of ``runs["train"]`` and keep what it says of all panels.

    ``runs[set][class]`` are run folders. The tower is one for all seeds. Returns a line about it.
    """
    torch.set_num_threads(1)
    begun = time.process_time()
    for folder in (demo.results, demo.folder / "models"):
        folder.mkdir(parents=True, exist_ok=True)
    log: list[Row] = []
    pixels, aims, examples = load(runs["train"])
    tower = _last(towered(demo.plan, pixels, aims, seed=0), log)
    _keep(demo.seen("train"), (examples, seen_by(tower, pixels)))
    pixels, aims, examples = load(runs["test"])
    seen = seen_by(tower, pixels)
    _keep(demo.seen("test"), (examples, seen))
    away = (seen[..., :2] - aims).abs().nanmedian(dim=0).values.nanmedian(dim=0).values
    return (
        f"tower: loss {log[0]['loss']:.2f} -> {log[-1]['loss']:.2f}, parts are found within "
        f"{100 * away[0]:.1f} % of the width and {100 * away[1]:.1f} % of the height "
        f"(medians; {time.process_time() - begun:.0f} CPU-s)"
    )


def _keep(path: Path, value: Any) -> None:
    torch.save(value, partial_path(path))
    partial_path(path).rename(path)


# Jobs


@dataclass(frozen=True)
class Job:
    """One model of one seed, and the models of the seed that it needs."""

    seed: int
    name: str
    needs: tuple[str, ...]


def jobs_of(seeds: Sequence[int]) -> list[Job]:
    """All jobs, seed by seed; those that others wait for come first."""
    needs = {name: TEACHERS for name in MODELS}
    needs |= {name: ("base",) for name in (*TEACHERS, "mixed")} | {"base": ()}
    return [Job(seed, name, needs[name]) for seed in seeds for name in MODELS]


def run_jobs(
    demo: Demo, seeds: Sequence[int], workers: int, echo: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Do what is not done yet; returns all results in the order of jobs."""
    jobs = jobs_of(seeds)
    done = {(job.seed, job.name) for job in jobs if demo.result(job.seed, job.name).exists()}
    waiting = [job for job in jobs if (job.seed, job.name) not in done]
    running: dict[Future[Row], Job] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        while waiting or running:
            for job in _ready(waiting, done)[: workers - len(running)]:
                waiting.remove(job)
                running[pool.submit(do_job, demo, job)] = job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job, result = running.pop(future), future.result()
                done.add((job.seed, job.name))
                echo(_line(result))
    return [orjson.loads(demo.result(job.seed, job.name).read_bytes()) for job in jobs]


def _ready(waiting: Sequence[Job], done: set[tuple[int, str]]) -> list[Job]:
    return [job for job in waiting if all((job.seed, name) in done for name in job.needs)]


def _line(result: Row) -> str:
    rates = "  ".join(
        f"{name} {one['passed'] / one['n']:.3f}" for name, one in result["domains"].items()
    )
    return f"seed {result['seed']}  {result['name']:28} {rates}  ({result['cpu_s']:.0f} CPU-s)"


def do_job(demo: Demo, job: Job) -> Row:
    """Make the model, look at it, write the result."""
    torch.set_num_threads(1)
    begun = time.process_time()
    log: list[Row] = []
    net = _made(demo, job, demo.bench("train"), log)
    save_file(net.state_dict(), demo.weights(job.seed, job.name))
    trained_s = time.process_time() - begun
    answers = looked_at(net, demo.bench("test"), demo.evaluated)
    result = {
        "seed": job.seed,
        "name": job.name,
        "trained_s": trained_s,
        "domains": counted(answers),
        "log": log,
        "cpu_s": time.process_time() - begun,
    }
    path = demo.result(job.seed, job.name)
    partial_path(path).write_bytes(orjson.dumps(result))
    partial_path(path).rename(path)
    return result


def _made(demo: Demo, job: Job, bench: Bench, log: list[Row]) -> PixelNet:
    """The model of a job; what its stage logged goes to ``log``."""
    seed, plan = job.seed, demo.plan
    if job.name == "base":
        return _last(supervised(plan, bench, seed), log)
    if job.name == "mixed":
        return _last(reinforced(plan, _loaded(demo, seed, "base"), bench, DOMAINS, seed), log)
    if job.name in TEACHERS:
        own = job.name.removeprefix("teacher-")
        return _last(reinforced(plan, _loaded(demo, seed, "base"), bench, [own], seed), log)
    if job.name in MOPD_FORMS:
        teachers = {name: _loaded(demo, seed, f"teacher-{name}") for name in DOMAINS}
        student = _loaded(demo, seed, "base")
        forms = MOPD_FORMS[job.name]
        return _last(distilled(plan, student, teachers, bench, seed, **forms), log)
    return _merged(demo, seed, job.name)


def _last(steps: Iterator[tuple[N, Row]], log: list[Row]) -> N:
    """Run a stage to its end; its log and the model."""
    models: list[N] = []
    for model, row in steps:
        models[:] = [model]
        log.append(row)
    return models[0]


def _loaded(demo: Demo, seed: int, name: str) -> PixelNet:
    net = PixelNet(seed)
    net.load_state_dict(load_file(demo.weights(seed, name)))
    return net


def _merged(demo: Demo, seed: int, method: str) -> PixelNet:
    """The mean of the teachers, or TIES over what they changed in the base."""
    base = load_file(demo.weights(seed, "base"))
    teachers = [load_file(demo.weights(seed, name)) for name in TEACHERS]
    equal = [1.0] * len(teachers)
    net = PixelNet(seed)
    merged = {
        name: linear([one[name] for one in teachers], equal)
        if method == "linear"
        else ties(before, [one[name] for one in teachers], equal, density=DENSITY, scale=1.0)
        for name, before in base.items()
    }
    net.load_state_dict(merged)
    return net


# Looking at models


def looked_at(net: PixelNet, bench: Bench, most: int) -> list[Scored]:
    """The likeliest answers to up to ``most`` questions of each domain, evenly spread, scored."""
    answers: list[Scored] = []
    for domain in DOMAINS:
        every = bench.by_domain[domain]
        rows = torch.tensor(every[:: max(1, len(every) // most)][:most])
        for part in rows.split(BATCH):
            written = answered(net, bench.seen(part), bench.asked[part]).tolist()
            examples = bench.examples(part)
            answers += [scored(e, said(ids)) for e, ids in zip(examples, written, strict=True)]
    return answers


def counted(answers: Sequence[Scored]) -> dict[str, Row]:
    """By domain: how many, how many right, how many in form, refused rightly and wrongly."""
    found: dict[str, Row] = {}
    for name in DOMAINS:
        own = [one for one in answers if one.domain == name]
        found[name] = {
            "n": len(own),
            "passed": sum(one.passed for one in own),
            "format": sum(one.format for one in own),
            "absent": sum(one.refusable for one in own),
            "refused": sum(one.refused and one.refusable for one in own),
            "over_refused": sum(one.refused and not one.refusable for one in own),
        }
    return found


# The demonstration


def demonstrate(
    demo: Demo,
    runs: Mapping[str, Mapping[str, Path]],
    seeds: Sequence[int],
    workers: int,
    echo: Callable[[str], None],
) -> list[Row]:
    """Everything from the runs on; returns the results of all jobs."""
    if not demo.ready(runs):
        # In a process of its own, so that its pictures are not carried along.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            echo(pool.submit(prepare, demo, runs).result())
    return run_jobs(demo, seeds, workers, echo)
