"""C12: states and records survive JSON, fit the schema, and come without waste."""

from __future__ import annotations

import time
from collections import Counter

import msgspec
import orjson

from factory.core import record as records
from factory.core.errors import DependencyMissing
from factory.engine.make import make_record
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.statistics import percentile
from factory.testing.subject import Subject

TIMED = 8
"""Samples that are made again, with all plates at hand, to tell how long one takes."""

MOST_ATTEMPTS = 8
"""Draws that 99 of 100 samples need at most."""


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
    reasons = subject.rejections(draws)
    if attempts > MOST_ATTEMPTS:
        faults.append(
            f"1 in 100 draws needs {attempts:.0f} attempts or more: {shown_counts(reasons)}"
        )
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
        f"{len(made)} records fit the schema, p99 of attempts {attempts:.0f}"
        + (f" ({shown_counts(reasons)})" if reasons else ""),
        attempts_p99=attempts,
        rejected=dict(reasons.most_common()),
        ms_a_sample=round(elapsed_ms, 1),
    )


def shown_counts(reasons: Counter[str]) -> str:
    """The commonest reasons with their numbers."""
    return ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(3))
