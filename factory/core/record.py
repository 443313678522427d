"""The record: what one sample says about itself.

A sample is one observation set and its tasks. A CAPTCHA has one task; a
grounding page will have many on one picture. Steps make the record episodic:
each step names the observation it was decided on, so multi-observation
episodes need no other schema. On disk the record is one flat JSON object of
scalars (the same columns, of the same types, in every sample of every class)
whose nested part is a JSON string in ``payload``: tabular readers infer
columns from a few samples and lose or break what varies after them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from factory.core.actions import Action
from factory.core.errors import SchemaMismatch

SCHEMA_VERSION = 1

Json = dict[str, Any]
"""A JSON object: the latent state and the payloads of mechanics are opaque here."""


class Observation(msgspec.Struct, frozen=True):
    """One picture the model sees. ``part`` is its name in the shard; sizes in image px."""

    part: str
    width: int
    height: int
    dpr: float
    page_url: str = ""


class Region(msgspec.Struct, frozen=True):
    """A named area of the final canvas in canvas px: ``polygon`` as flat ``[x, y, ...]``."""

    name: str
    role: str
    polygon: list[float]
    box: list[float]


class Slot(msgspec.Struct, frozen=True):
    """A typed value inside a reasoning text.

    ``kind`` is ``point`` (``[x, y]`` in canvas px), ``length`` (the two x ends in
    canvas px), ``angle`` (degrees), ``count``, ``colour`` or ``name``; exporters
    render points and lengths in their own coordinate space.
    """

    kind: str
    value: Any


class ReasonStep(msgspec.Struct, frozen=True):
    """One sentence of reasoning: a template with ``{slots}`` and the values it rests on."""

    template: str
    slots: dict[str, Slot]
    regions: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One turn of an episode: what is done on seeing ``observation`` (an index)."""

    observation: int
    actions: tuple[Action, ...]
    reasoning: tuple[ReasonStep, ...] = ()


class Task(msgspec.Struct, frozen=True):
    """One thing asked of the observation set."""

    id: str
    kind: str
    platform: str
    instruction_mode: str
    goal: str
    instruction: str
    system: str
    steps: tuple[Step, ...]
    mechanic: Json


class Record(msgspec.Struct, frozen=True):
    """Everything known about one sample. ``state`` and answers never enter a prompt."""

    key: str
    type: str
    family: str
    generator: str
    split: str
    lang: str
    theme: str
    context: str
    difficulty: float
    observations: tuple[Observation, ...]
    tasks: tuple[Task, ...]
    regions: tuple[Region, ...]
    maps: dict[str, list[float]]
    state: Json
    plate: Json
    checks: dict[str, float]
    parity: dict[str, bool]
    fingerprint: str
    attempts: int
    provenance: str
    tags: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION


class FlatRecord(msgspec.Struct, frozen=True):
    """The record as it lies in a shard: scalars only, none of them null.

    ``prompt`` and ``response`` (canonical dialect, thinking and action) are
    enough to train from; ``payload`` is the JSON of the rest.
    """

    key: str
    type: str
    family: str
    split: str
    lang: str
    difficulty: float
    width: int
    height: int
    dpr: float
    system: str
    prompt: str
    response: str
    schema_version: int
    payload: str


_ENCODER = msgspec.json.Encoder(order="deterministic")


def flatten(record: Record, *, response: str) -> FlatRecord:
    """The shard form of a record, with the answer text of its first task.

    The payload repeats what verdicts and rewards need at its top: ``size``,
    ``mechanic`` and the gold ``actions`` (canvas px).
    """
    first = record.observations[0]
    task = record.tasks[0]
    top = {
        "actions": [action for step in task.steps for action in step.actions],
        "mechanic": task.mechanic,
        "size": [first.width, first.height],
    }
    # Two JSON objects joined at their braces: a third of the time of building one dict.
    payload = _ENCODER.encode(record)[:-1] + b"," + _ENCODER.encode(top)[1:]
    return FlatRecord(
        key=record.key,
        type=record.type,
        family=record.family,
        split=record.split,
        lang=record.lang,
        difficulty=record.difficulty,
        width=first.width,
        height=first.height,
        dpr=first.dpr,
        system=task.system,
        prompt=task.instruction,
        response=response,
        schema_version=record.schema_version,
        payload=payload.decode(),
    )


def prompts_text(record: Record) -> str:
    """The ``txt`` part: the instruction or, of several tasks, each on a line of its own."""
    asked = [task.instruction for task in record.tasks]
    return asked[0] if len(asked) == 1 else "\n".join(" ".join(one.split()) for one in asked)


def encode(flat: FlatRecord) -> bytes:
    """The JSON part of a shard: fields in the order of the schema."""
    return msgspec.json.encode(flat)


def decode(data: bytes) -> FlatRecord:
    """Read a JSON part; ``SchemaMismatch`` when it is not of this schema version."""
    try:
        flat = msgspec.json.decode(data, type=FlatRecord)
    except msgspec.ValidationError as error:
        raise SchemaMismatch(f"not a record of schema {SCHEMA_VERSION}: {error}") from error
    if flat.schema_version != SCHEMA_VERSION:
        raise SchemaMismatch(
            f"record {flat.key} has schema {flat.schema_version}, this version reads "
            f"{SCHEMA_VERSION}; install the factory that wrote it"
        )
    return flat


def record_of(flat: FlatRecord) -> Record:
    """The full record inside a flat one."""
    try:
        return msgspec.json.decode(flat.payload, type=Record)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise SchemaMismatch(f"payload of {flat.key} is not a record: {error}") from error


def json_schema() -> Json:
    """The published JSON Schema of the flat record and of its payload."""
    schemas, components = msgspec.json.schema_components(
        (FlatRecord, Record), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gui-data-factory record",
        "version": SCHEMA_VERSION,
        "$ref": schemas[0]["$ref"],
        "payload": schemas[1],
        "$defs": components,
    }
