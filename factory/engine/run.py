"""A run: shards made by a pool of workers, journalled, resumed, never overwritten.

Shard ``k`` holds the indices ``[k m, (k+1) m)`` (of a class whose samples have
several forms, those of one form), so any worker can make or remake any shard
and resuming is arithmetic. A worker writes a whole shard and
its rows of the manifest, then the parent adds one line to the journal. A
worker that dies takes its shard with it, which is made again by a new pool.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from exporters import journal
from exporters.durable import PARTIAL, ensure_folder, partial_path, write_whole
from exporters.lock import RunLock
from exporters.shards import samples_per_shard
from exporters.sums import LOCK_FILE
from factory.config import RunConfig
from factory.core.errors import (
    DiskFull,
    FactoryError,
    HolesFound,
    InvalidOptions,
    RunExists,
)
from factory.engine.batch import Batch, Workshops
from factory.engine.provenance import differences
from factory.engine.shard_task import ShardPlan, make_shard
from factory.engine.workshop import Workshop

MAX_HOLES = 1e-4
"""Share of indices that may be missing for a run to count as a success."""

RETRIES = 3
"""Pools in a row that may lose a worker before they finish a shard, until the run stops."""

MIN_FREE_BYTES = 64 << 20
"""Space that must remain on the disk besides the estimate."""

START_METHODS = ("fork", "spawn", "forkserver")


@dataclass(frozen=True)
class Progress:
    """A moment of a run: counts so far, for a display or a log."""

    done: int
    total: int
    drawn: int
    nbytes: int
    seconds: float

    @property
    def per_s(self) -> float:
        """Samples per second since the start of this process's work."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def reject_rate(self) -> float:
        """Share of draws that were rejected."""
        return 1.0 - self.done / self.drawn if self.drawn else 0.0


@dataclass(frozen=True)
class RunOptions:
    """How a run is carried out; none of this affects data."""

    workers: int = 0
    start_method: str = ""
    resume: bool = False
    steal: bool = False
    portion: tuple[int, int] = (0, 1)

    def worker_count(self) -> int:
        """The workers asked for, or one per core this process may use."""
        return self.workers or len(os.sched_getaffinity(0))


def samples_in_shard(config: RunConfig, bytes_per_sample: float) -> int:
    """``m`` of a run, from its size and config only."""
    return config.shard_samples or samples_per_shard(config.n, bytes_per_sample)


def plan_shards(workshop: Workshop) -> list[ShardPlan]:
    """The shards of a class in their fixed order."""
    config, groups = workshop.config, workshop.groups()
    size = samples_in_shard(config, workshop.bytes_per_sample)

    def plan(split: str, number: int, indices: range) -> ShardPlan:
        first, forms = indices[0], len(groups)
        return ShardPlan(
            config.type, split, number, first, len(indices), groups[first % forms], forms
        )

    return [
        plan(split, number, indices)
        for split, n in config.split_sizes().items()
        for form in range(len(groups))
        for number, indices in enumerate(_shares(range(form, n, len(groups)), size))
    ]


def _shares(indices: range, size: int) -> Iterator[range]:
    return (indices[at : at + size] for at in range(0, len(indices), size))


def open_run(out: Path, request: Mapping[str, Any], options: RunOptions) -> None:
    """Claim the folder: refuse a used one, or check that a resumed one is the same request."""
    path = out / "request.json"
    begun = {LOCK_FILE, partial_path(path).name}  # what a claim leaves that was interrupted
    used = out.exists() and bool({entry.name for entry in out.iterdir()} - begun)
    if not options.resume:
        if used:
            raise RunExists(
                f"{out} is not empty; add --resume to complete that run, or name another --out"
            )
        ensure_folder(out)
        write_whole(path, orjson.dumps(request, option=orjson.OPT_INDENT_2))
        return
    if not path.is_file():
        if used:
            raise RunExists(
                f"{out} holds no run of this factory, so --resume cannot use it; name another --out"
            )
        ensure_folder(out)
        write_whole(path, orjson.dumps(request, option=orjson.OPT_INDENT_2))
        return
    differing = differences(request, orjson.loads(path.read_bytes()))
    if differing:
        raise RunExists(
            f"{out} was begun by another request ({'; '.join(differing)}); "
            "resume it with its own options and versions, or name another --out"
        )


def joined(requests: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The request of a batch: that of its class, or each class's under its id."""
    if len(requests) == 1:
        return dict(next(iter(requests.values())))
    return {
        f"{type_name}.{name}": value
        for type_name, request in requests.items()
        for name, value in request.items()
    }


@dataclass(frozen=True)
class Work:
    """What is to be made: the batch, its shards in order, and how large they may get."""

    batch: Batch
    plans: tuple[ShardPlan, ...]
    request: Mapping[str, Any]
    bank: Path
    bytes_per_sample: Mapping[str, float]


def preflight(out: Path, samples: int, need: int) -> None:
    """``DiskFull`` when the estimate does not fit the disk that ``out`` lies on."""
    folder = next(p for p in (out, *out.absolute().parents) if p.exists())
    state = os.statvfs(folder)
    free = state.f_bavail * state.f_frsize
    if free < need + MIN_FREE_BYTES:
        raise DiskFull(
            f"{samples} samples need about {need / 1e9:.1f} GB and {folder} has "
            f"{free / 1e9:.1f} GB free, of which {MIN_FREE_BYTES / 1e9:.2f} must stay so; "
            "free some space, lower --n, or give an --out on another disk"
        )


class RunFailed(FactoryError):
    """Workers kept dying before they finished a shard."""

    exit_code = 4


def run(
    work: Work,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = lambda progress: None,
    at_end: Callable[[], None] = lambda: None,
) -> None:
    """Make every shard that is not done yet, then call ``at_end`` while the lock is held."""
    if options.start_method and options.start_method not in START_METHODS:
        raise InvalidOptions(f"start method {options.start_method!r}: {', '.join(START_METHODS)}")
    part, parts = options.portion
    plans = work.plans[part::parts]
    done = _done(out)
    left = [plan for plan in plans if not done(plan)]
    need = sum(plan.count * work.bytes_per_sample[plan.type] for plan in left)
    preflight(out, sum(plan.count for plan in left), int(need))
    with RunLock(out, steal=options.steal) as lock:
        open_run(out, work.request, options)
        _sweep(out)
        done = _done(out)  # again: another process may have held the lock until now
        left = [plan for plan in plans if not done(plan)]
        meter = Meter(sum(plan.count for plan in left), len(left), report)
        try:
            for line in _shards(work, out, left, options, meter):
                lock.confirm()
                journal.append(out, line)
        except FileNotFoundError:
            lock.confirm()  # who took the run over has swept our files: say that first
            raise
        lock.confirm()
        at_end()


def _done(out: Path) -> Callable[[ShardPlan], bool]:
    """Whether a shard is journalled, there, and has its rows or a manifest that holds them."""
    lines: dict[str, Any] = {
        str(line["name"]): line for line in journal.read(out) if line.get("event") == "shard"
    }
    complete = (out / "manifest.json").is_file()

    def done(plan: ShardPlan) -> bool:
        name = plan.name
        shard = out / name
        return (
            name in lines
            and shard.is_file()
            and shard.stat().st_size == lines[name]["bytes"]
            and (complete or plan.rows_path(out).is_file())
        )

    return done


def _sweep(out: Path) -> None:
    """Remove what an interrupted run left unpublished."""
    for path in out.rglob(f"*{PARTIAL}"):
        path.unlink()


class Meter:
    """Counters that workers write without locks, so that a killed one blocks nobody."""

    COLUMNS = 3

    def __init__(self, total: int, shards: int, report: Callable[[Progress], None]) -> None:
        self.total, self.report = total, report
        self.counts = multiprocessing.RawArray(ctypes.c_int64, max(1, self.COLUMNS * shards))
        self.start = time.monotonic()

    def tell(self) -> None:
        """Report the sums."""
        made, drawn, nbytes = (sum(self.counts[c :: self.COLUMNS]) for c in range(self.COLUMNS))
        self.report(Progress(made, self.total, drawn, nbytes, time.monotonic() - self.start))


_workshops: Workshops | None = None
_counts: Any = None


def _start_worker(
    configs: tuple[RunConfig, ...], bank: Path | None, counts: Any, parent: int
) -> None:
    """Set up a worker: its workshops, one thread per library, and death with its parent."""
    global _workshops, _counts
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with(parent)
    _workshops = Workshops(configs, bank)
    _counts = counts


def _die_with(parent: int) -> None:
    """End this process when the run's own process has ended, however that came about."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            set_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
            ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)

    def watch() -> None:
        while _alive(parent):
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits to be reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return False  # the number belongs to somebody else by now
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return True


def _work(plan: ShardPlan, out: Path, slot: int) -> dict[str, Any]:
    assert _workshops is not None

    def count(made: int, drawn: int, nbytes: int) -> None:
        base = Meter.COLUMNS * slot
        _counts[base], _counts[base + 1], _counts[base + 2] = made, drawn, nbytes

    return make_shard(_workshops.of(plan.type), plan, out, count)


def _shards(
    work: Work,
    out: Path,
    plans: list[ShardPlan],
    options: RunOptions,
    meter: Meter,
) -> Iterator[dict[str, Any]]:
    """Journal lines of the shards, in the order in which they are done."""
    workers = min(options.worker_count(), max(1, len(plans)))
    if workers == 1:
        yield from _in_this_process(work, out, plans, meter)
        return
    left = dict(enumerate(plans))
    losses = 0
    while left:
        before = len(left)
        with _pool(work, options, workers, meter) as pool:
            waiting = {pool.submit(_work, plan, out, slot): slot for slot, plan in left.items()}
            try:
                yield from _collect(waiting, left, meter)
            except BrokenProcessPool:
                losses = 1 if len(left) < before else losses + 1
            except BaseException:
                for process in list(pool._processes.values()):  # no public way to stop now
                    process.kill()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        if losses > RETRIES:
            raise RunFailed(
                f"workers died {losses} times in a row with {len(left)} shards to make; "
                "memory may be short: lower --workers, then continue with --resume"
            )


def _pool(work: Work, options: RunOptions, workers: int, meter: Meter) -> ProcessPoolExecutor:
    method = options.start_method or ("forkserver" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(
        max_workers=workers,
        mp_context=multiprocessing.get_context(method),
        initializer=_start_worker,
        initargs=(work.batch.configs, work.bank, meter.counts, os.getpid()),
    )


def _collect(
    waiting: dict[Future[dict[str, Any]], int], left: dict[int, ShardPlan], meter: Meter
) -> Iterator[dict[str, Any]]:
    pending = set(waiting)
    while pending:
        done, pending = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in done:
            line = future.result()
            del left[waiting[future]]
            yield line
        meter.tell()


def _in_this_process(
    work: Work, out: Path, plans: list[ShardPlan], meter: Meter
) -> Iterator[dict[str, Any]]:
    workshops = Workshops(work.batch.configs, work.bank)
    told = time.monotonic()
    for slot, plan in enumerate(plans):

        def count(made: int, drawn: int, nbytes: int, base: int = Meter.COLUMNS * slot) -> None:
            nonlocal told
            meter.counts[base : base + 3] = [made, drawn, nbytes]
            if time.monotonic() - told > 0.5:
                told = time.monotonic()
                meter.tell()

        yield make_shard(workshops.of(plan.type), plan, out, count)
        meter.tell()


def check_holes(holes: int, n: int) -> None:
    """``HolesFound`` when more than the allowed share of indices could not be made."""
    if holes > MAX_HOLES * n:
        raise HolesFound(
            f"{holes} of {n} indices have no sample ({holes / n:.2%}, allowed {MAX_HOLES:.2%}); "
            "the run is complete without them: rejected.parquet and quarantine.jsonl say why"
        )
