"""Rows that a sampling trainer works on: prompts in groups, and where the stream stands.

A generation batch is what a process samples answers to at once: each prompt ``group`` times, one
behind the other. TRL asks for the same batch again for every forward pass that it is used in.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from torch.utils.data import IterableDataset

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from training.collate import ChatForm, pictures
from training.config import DataConfig, SourceConfig
from training.samples import Example
from training.stream import Cursor, Reader, ShardStream

Row = dict[str, Any]


class Prompts(Protocol):
    """Where the examples of a generation batch come from."""

    def take(self, count: int) -> list[Example]:
        """The next examples."""
        ...

    def state(self) -> Cursor:
        """Where the stream stands, as JSON."""
        ...

    def restore(self, state: Cursor) -> None:
        """Go on behind ``state``."""
        ...


class MixedPrompts:
    """Examples as the mixture of the sources draws them."""

    def __init__(self, data: DataConfig, *, seed: int, reader: Reader) -> None:
        self.stream = ShardStream(data, seed=seed, reader=reader)

    def take(self, count: int) -> list[Example]:
        return [next(self.stream) for _ in range(count)]

    def state(self) -> Cursor:
        return self.stream.state()

    def restore(self, state: Cursor) -> None:
        self.stream.restore(state)


class DomainPrompts:
    """Batches of one domain each, drawn by the domains' weights; the same domain on all processes.

    So no process waits while another brings a teacher. Each source must name its domain.
    """

    def __init__(self, data: DataConfig, *, seed: int, reader: Reader) -> None:
        parts = by_domain(data.sources)
        self.name = f"domains/{seed}"
        self.weights = {name: sum(source.weight for source in own) for name, own in parts.items()}
        self.streams = {
            name: ShardStream(
                data.model_copy(update={"sources": tuple(own)}), seed=seed, reader=reader
            )
            for name, own in parts.items()
        }
        self.draws = 0

    def take(self, count: int) -> list[Example]:
        names = sorted(self.streams)
        weights = [self.weights[name] for name in names]
        drawn = Stream(f"{self.name}/{self.draws}").weighted(names, weights)
        self.draws += 1
        return [next(self.streams[drawn]) for _ in range(count)]

    def state(self) -> Cursor:
        streams = {name: stream.state() for name, stream in self.streams.items()}
        return {"draws": self.draws, "streams": streams}

    def restore(self, state: Cursor) -> None:
        self.draws = state["draws"]
        for name, stream in self.streams.items():
            stream.restore(state["streams"][name])


def by_domain(sources: tuple[SourceConfig, ...]) -> dict[str, list[SourceConfig]]:
    """The sources of each domain; ``InvalidOptions`` when one names none."""
    found: dict[str, list[SourceConfig]] = {}
    for source in sources:
        if not source.domain:
            raise InvalidOptions(
                f'the source {source.run} names no domain; `domain = "..."` says which teacher '
                "scores its answers"
            )
        found.setdefault(source.domain, []).append(source)
    return found


class Rollouts(IterableDataset[list[Row]]):
    """Generation batches without end, each yielded ``repeats`` times.

    ``size`` rows a batch, ``group`` of each prompt. ``cursor`` is where the prompts stand behind
    the batch that was yielded last.
    """

    def __init__(
        self, prompts: Prompts, form: ChatForm, *, size: int, group: int, repeats: int
    ) -> None:
        self.stream: Any = prompts
        self.form = form
        self.size, self.group, self.repeats = size, group, repeats

    def __iter__(self) -> Iterator[list[Row]]:
        while True:
            examples = self.stream.take(self.size // self.group)
            rows = [row for one in examples for row in [self.row(one)] * self.group]
            for _ in range(self.repeats):
                yield rows

    def row(self, example: Example) -> Row:
        """What TRL reads (``prompt``, ``images``), and the example for rewards and teachers."""
        return {
            "prompt": self.form.turns(example),
            "images": pictures(example),
            "example": example,
        }

    @property
    def cursor(self) -> Cursor:
        return self.stream.state()
