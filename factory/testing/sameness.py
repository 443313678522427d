"""C1, C2, C9, C12: bytes, keys and records."""

from __future__ import annotations

import hashlib
import re
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import orjson

from factory.core import record as records
from factory.core.actions import point_names, to_grid
from factory.core.errors import DependencyMissing
from factory.core.rng import SPLITS, SampleKey
from factory.engine.make import make_record
from factory.engine.run import RunOptions, run
from factory.testing.remake import digests, remade
from factory.testing.statistics import binomial_ceiling, percentile
from factory.testing.subject import ALPHA, Budget, Draw, Outcome, Subject, outcome

REMADE = 4
"""Samples made again in another process."""

RUN_SAMPLES, RUN_SHARD = 9, 3
"""Samples and shard size of the runs with one and with three workers."""

NUMBERED = 40
"""Contents of each kind and split whose assets are compared."""

TIMED = 8
"""Samples that are made again, with all plates at hand, to tell how long one takes."""

MOST_ATTEMPTS = 8
"""Draws that 99 of 100 samples need at most."""

COINCIDENCE = 0.04
"""Share of samples in which a number of the prompt may happen to be one of the answer's."""

CHUNKS_OF_PIXELS = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"sRGB", b"gAMA", b"pHYs"}
"""PNG chunks that say nothing but pixels."""


def same_bytes(subject: Subject, budget: Budget) -> Outcome:
    """C1: equal bytes again, in a fresh process, in reverse, with one and three workers."""
    keys = [made.key for made in subject.made(REMADE)]
    here = digests(keys, subject.studio)
    places = {"made again in this process": digests(keys[::-1], subject.studio)}
    in_order, reverse = remade(subject, keys)
    places["in a fresh process with another hash seed, time zone and locale"] = in_order
    places["in that process in reverse order"] = reverse
    faults = [
        f"{key} differs {place}: {part}"
        for place, there in places.items()
        for key, parts in here.items()
        for part in parts
        if there[key][part] != parts[part]
    ]
    if subject.installed:
        faults += _workers_differ(subject)
    return outcome(faults, f"{REMADE} samples equal 4 times over", workers=subject.installed)


def _workers_differ(subject: Subject) -> Iterator[str]:
    config = subject.studio.config.model_copy(
        update={"n": RUN_SAMPLES, "split": "train", "shard_samples": RUN_SHARD}
    )
    shards: dict[int, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for workers in (1, 3):
            out = Path(folder) / str(workers)
            run(config, subject.studio, out, RunOptions(workers=workers))
            shards[workers] = {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(out.rglob("*.tar"))
            }
    if len(shards[1]) * RUN_SHARD != RUN_SAMPLES:
        yield f"a run of {RUN_SAMPLES} samples left {len(shards[1])} shards"
    for name, digest in shards[1].items():
        if shards[3].get(name) != digest:
            yield f"shard {name} differs between one and three workers"


def distinct(subject: Subject, budget: Budget) -> Outcome:
    """C2: neighbouring indices and seeds share no draws, splits share no puzzle, none repeats."""
    count = max(200, budget.states // 10)
    here = subject.draws(budget.states)
    other = subject.draws(count, seed=subject.studio.config.seed + 1)
    faults = list(_shifted(subject, here[:count], other))
    prints = Counter(subject.puzzle.fingerprint(draw.state) for draw in here)
    twins = sum(n - 1 for n in prints.values())
    if twins and budget.states <= subject.studio.capacity("train"):
        faults.append(f"{twins} of {budget.states} puzzles repeat within the capacity")
    if len({draw.state.model_dump_json() for draw in here}) < len(here):
        faults.append("two indices have one state")
    faults += _splits_share(subject, count)
    return outcome(faults, f"{len(prints)} distinct puzzles, splits apart", twins=twins)


def _shifted(subject: Subject, here: list[Draw], other: list[Draw]) -> Iterator[str]:
    """Labels that come again at a shifted index: the mark of ``seed + index``."""
    ours = [round(subject.place(draw), 4) for draw in here]
    theirs = [round(subject.place(draw), 4) for draw in other]
    chance = sum((n / len(ours)) ** 2 for n in Counter(ours).values())
    series = [("the next seed", theirs, range(-3, 4)), ("the same seed", ours, range(1, 4))]
    for name, second, shifts in series:
        for shift in shifts:
            pairs = list(zip(ours[max(0, -shift) :], second[max(0, shift) :], strict=False))
            equal = sum(a == b for a, b in pairs)
            if equal > binomial_ceiling(len(pairs), chance, ALPHA):
                yield f"{equal} of {len(pairs)} labels come again {shift:+d} further in {name}"


def _splits_share(subject: Subject, count: int) -> Iterator[str]:
    """Puzzles that two splits have in common, and assets behind equal numbers of their contents."""
    prints = {
        split: {subject.puzzle.fingerprint(d.state) for d in subject.draws(count, split=split)}
        for split in SPLITS
    }
    assets = {split: set(_first_assets(subject, split)) for split in SPLITS}
    for first, second in combinations(SPLITS, 2):
        for what, values in (("puzzle", prints), ("asset", assets)):
            common = values[first] & values[second]
            if common:
                yield f"{first} and {second} share {len(common)} {what}s, {min(common)} first"


def _first_assets(subject: Subject, split: str) -> Iterator[str]:
    """Assets of the first contents of every kind that a split has."""
    scene = subject.scene(subject.key(0))
    for content in subject.puzzle.contents(split):
        for number in range(min(NUMBERED, content.capacity)):
            asked = replace(scene, split=split, content_kind=content.kind, content_number=number)
            yield from _assets(subject.puzzle.sample(asked).model_dump(mode="json"))


def _assets(value: Any) -> Iterator[str]:
    """Every text under a key ``asset`` in a JSON value, with its ``kind``."""
    if isinstance(value, dict):
        if value.get("asset"):
            yield f"{value.get('kind', '')}:{value['asset']}"
        for inner in value.values():
            yield from _assets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _assets(inner)


def silent(subject: Subject, budget: Budget) -> Outcome:
    """C9: keys, image files and prompts do not speak of the answer."""
    faults: list[str] = []
    for made in subject.made(budget.renders):
        if SampleKey.parse(made.record.key) != made.key or set(made.parts) - {
            "json", "txt", subject.studio.config.format
        }:  # fmt: skip
            faults.append(f"{made.key}: a part or the key carries more than it should")
        extra = hidden_segments(made.parts[subject.studio.config.format])
        if extra:
            faults.append(f"{made.key}: the picture carries {', '.join(extra)}")
    draws = subject.draws(budget.states)
    told = sum(
        bool(_answer_numbers(subject, draw) & _numbers_in(*_printed(subject, draw)))
        for draw in draws
    )
    if told > COINCIDENCE * len(draws):
        faults.append(f"goals state a number of the answer in {told} of {len(draws)} draws")
    return outcome(faults, f"{told} coincidences in {len(draws)} goals", told=told)


def _printed(subject: Subject, draw: Draw) -> list[str]:
    """What goals and prompts may print of a state."""
    return list(subject.puzzle.goal_slots(draw.state, draw.plan.plate.lang).values())


def _numbers_in(*texts: str) -> set[int]:
    return {int(number) for text in texts for number in re.findall(r"\d+", text)}


def _answer_numbers(subject: Subject, draw: Draw) -> set[int]:
    """The label and the gold's coordinates, px and grid cells, as whole numbers."""
    width, height = draw.placement.width_px, draw.placement.height_px
    actions = [*draw.gold, *(to_grid(action, width, height) for action in draw.gold)]
    points = [v for a in actions for name in point_names(type(a)) for v in getattr(a, name)]
    return {round(v) for v in [subject.puzzle.label(draw.state), *points]}


def hidden_segments(data: bytes) -> list[str]:
    """Names of what an encoded picture carries beside pixels: EXIF, comments, texts."""
    if data.startswith(b"\x89PNG"):
        return [name.decode("latin1") for name in _png_chunks(data) if name not in CHUNKS_OF_PIXELS]
    return [f"APP{m - 0xE0}" if m < 0xF0 else "COM" for m in _jpeg_markers(data)
            if 0xE1 <= m <= 0xEF or m == 0xFE]  # fmt: skip


def _png_chunks(data: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8]
        at += length + 12


def _jpeg_markers(data: bytes) -> Iterator[int]:
    """Markers up to the entropy-coded data."""
    at = 2
    while data[at] == 0xFF and data[at + 1] != 0xDA:
        yield data[at + 1]
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def _canonical(record: records.Record) -> bytes:
    """Its JSON in one order: what is opaque comes back with lists for tuples."""
    return msgspec.json.encode(record, order="deterministic")


def round_trips(subject: Subject, budget: Budget) -> Outcome:
    """C12: states and records survive JSON, records fit the schema, attempts stay few."""
    try:
        import jsonschema
    except ImportError as error:
        raise DependencyMissing(
            "C12 needs jsonschema: pip install 'gui-data-factory[dev]'"
        ) from error
    draws = subject.draws(budget.states)
    faults = [
        f"{draw.key}: the state changes through JSON"
        for draw in draws[: budget.judged]
        if type(draw.state).model_validate_json(draw.state.model_dump_json()) != draw.state
    ]
    attempts = percentile([draw.attempts for draw in draws], 0.99)
    if attempts > MOST_ATTEMPTS:
        faults.append(f"1 in 100 draws needs {attempts:.0f} attempts or more")
    made = subject.made(budget.renders)
    start = time.perf_counter()
    timed = [make_record(sample.key, subject.studio) for sample in made[:TIMED]]
    elapsed_ms = 1000 * (time.perf_counter() - start) / len(timed)
    schema = records.json_schema()
    flat_schema = jsonschema.Draft202012Validator(schema)
    full_schema = jsonschema.Draft202012Validator({**schema["payload"], "$defs": schema["$defs"]})
    for sample in made:
        flat = records.decode(sample.parts["json"])
        if _canonical(records.record_of(flat)) != _canonical(sample.record):
            faults.append(f"{sample.key}: the record changes through JSON")
        payload = orjson.loads(flat.payload)
        own = {name: payload[name] for name in payload if name not in ("size", "mechanic")}
        for validator, value in (
            (flat_schema, orjson.loads(sample.parts["json"])), (full_schema, own)
        ):  # fmt: skip
            fault = next(iter(validator.iter_errors(value)), None)
            if fault is not None:
                faults.append(f"{sample.key}: {fault.json_path}: {fault.message[:120]}")
    return outcome(
        faults,
        f"{len(made)} records fit the schema, p99 of attempts {attempts:.0f}",
        attempts_p99=attempts,
        ms_a_sample=round(elapsed_ms, 1),
    )
