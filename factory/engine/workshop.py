"""What makes the samples of one config: the seam between a run and what it is made of.

A run plans shards, writes, journals, resumes and finishes; a workshop makes samples. A
``Studio`` makes puzzles one by one; pages come in batches from a browser, hence ``make``
takes many keys at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from factory.config import RunConfig
from factory.core.errors import AttemptsExhausted, VerificationFailed
from factory.core.rng import SampleKey
from factory.engine.made import Made

Outcome = Made | AttemptsExhausted | VerificationFailed
"""A sample, or why its key has none: the bound was reached, or the maker contradicts itself."""


class Workshop(Protocol):
    """Makes the samples of a config; pure in the config, so two of them give equal samples."""

    generator: str
    digest: str

    @property
    def config(self) -> RunConfig:
        """What is made."""
        ...

    @property
    def bank_path(self) -> Path:
        """Where the pages lie that samples are drawn on, for other processes."""
        ...

    @property
    def provenance(self) -> dict[str, str]:
        """What the bytes depend on."""
        ...

    @property
    def provenance_id(self) -> str:
        """Its digest."""
        ...

    @property
    def bytes_per_sample(self) -> float:
        """A generous estimate of a sample's size in a shard."""
        ...

    def key(self, split: str, index: int) -> SampleKey:
        """The key of an index of this run."""
        ...

    def groups(self) -> tuple[str, ...]:
        """The shard groups of the forms of samples, which take turns by index."""
        ...

    def capacity(self, split: str) -> int:
        """Samples that a split can hold without repeating itself."""
        ...

    def check(self) -> None:
        """Refuse now what some sample of this run would be refused for."""
        ...

    def sources(self) -> dict[str, Any]:
        """What the samples made since the last call rest on beside their keys, JSON-able."""
        ...

    def make(self, keys: Iterable[SampleKey]) -> Iterator[Outcome]:
        """The outcome of each key, in their order."""
        ...


def only(workshop: Workshop, key: SampleKey) -> Made:
    """The sample of one key; its failure is raised."""
    (outcome,) = workshop.make([key])
    if isinstance(outcome, Made):
        return outcome
    raise outcome


def facts_of(workshop: Workshop) -> dict[str, Any]:
    """What must agree for a resume: config and versions, as one flat table."""
    config = workshop.config
    return {**config.model_dump(mode="json", exclude={*config.LOCAL}), **workshop.provenance}
