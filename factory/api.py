"""The Python API: ``factory.stream``, ``factory.make`` and ``factory.verdict``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from factory.config import RunConfig
from factory.core import record as records
from factory.core import reward
from factory.core.mechanics import Verdict
from factory.core.record import FlatRecord, Record
from factory.core.rng import SampleKey
from factory.engine.generate import complete
from factory.engine.generate import stream as stream_made
from factory.engine.made import Made
from factory.engine.make import make_record
from factory.engine.preview import first_image
from factory.engine.studio import Studio


@dataclass(frozen=True)
class Sample:
    """One sample in memory.

    ``image`` is the encoded picture, ``prompt`` and ``response`` what a model
    reads and should answer, ``record`` everything else.
    """

    key: str
    image: bytes
    prompt: str
    response: str
    flat: FlatRecord
    record: Record


def _sample(made: Made) -> Sample:
    flat = records.decode(made.parts["json"])
    image = first_image(made.parts)
    return Sample(flat.key, image, flat.prompt, flat.response, flat, made.record)


def stream(type: str, *, n: int = 100_000_000, seed: int = 0, **options: Any) -> Iterator[Sample]:
    """Samples of a class, made as they are asked for, without disk.

    ``options`` are fields of ``RunConfig``. Repeats are allowed beyond the
    class's capacity, since the stream has no end.
    """
    values = {"allow_repeats": True, **options}
    config = complete(RunConfig.build(type=type, n=n, seed=seed, **values))
    for made in stream_made(config):
        yield _sample(made)


def make(key: str | SampleKey, **options: Any) -> Sample:
    """The sample of a key; ``InvalidOptions`` when the options do not give the key's digest."""
    parsed = SampleKey.parse(key) if isinstance(key, str) else key
    config = RunConfig.build(type=parsed.type, seed=parsed.seed, **options)
    return _sample(make_record(parsed, Studio.open(complete(config))))


def verdict(record: Sample | FlatRecord | str, text: str) -> Verdict:
    """What the sample's own mechanic says of a model's answer; never raises for the text.

    ``record`` is a sample, a decoded shard record, or a ``payload`` string.
    """
    if isinstance(record, Sample):
        return reward.verdict(record.flat.payload, text)
    if isinstance(record, FlatRecord):
        return reward.verdict(record.payload, text)
    return reward.verdict(record, text)
