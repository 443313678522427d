"""Examples out of shards without end: shuffled, mixed, split among readers, and resumable.

A reader is one worker of one process. With at least as many shards as readers each reader has
shards of its own, else each takes its turn among the samples. Every reader goes through its part
again and again, so the number of steps is the config's and nobody waits for a shorter shard.

Memory is flat: a shuffle buffer a source, one sample being read. The cursor is small: it says
where each source stands and *where* the buffer's examples lie, and restoring reads those again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from exporters.shard_reader import iter_samples, read_sample
from exporters.shards import ShardInfo
from factory.core.errors import FactoryError, InvalidOptions, ShardCorrupt
from factory.core.rng import Stream
from training.config import DataConfig
from training.samples import Example, examples_of
from training.sources import Source, open_sources, shard_type

Cursor = dict[str, Any]
"""Where a stream stands, as JSON."""


@dataclass(frozen=True)
class Reader:
    """One of ``parts`` readers that share the samples."""

    part: int = 0
    parts: int = 1

    @classmethod
    def of(cls, rank: int, world: int, worker: int = 0, workers: int = 1) -> Reader:
        """The reader of a worker of a process; ``InvalidOptions`` outside the ranges."""
        if not (0 <= rank < world and 0 <= worker < workers):
            raise InvalidOptions(f"no reader {worker} of {workers} in process {rank} of {world}")
        return cls(rank * workers + worker, world * workers)


class _Place(NamedTuple):
    """Where an example lies: shard by number, offset and key of its sample, number within it."""

    shard: int
    offset: int
    key: str
    number: int


class _Mark(NamedTuple):
    """How far a source has been read: pass, shard of the pass, sample of it, examples of that."""

    epoch: int = 0
    turn: int = 0
    sample: int = 0
    offset: int = 0
    done: int = 0


class _SourceStream:
    """The examples of one source, shuffled by a buffer."""

    def __init__(self, source: Source, data: DataConfig, name: str, reader: Reader) -> None:
        self.source, self.data, self.name, self.reader = source, data, name, reader
        self.first = [0, *accumulate(info.samples for info in source.shards)]
        self.by_shard = len(source.shards) >= reader.parts
        self.mark, self.draws = _Mark(), 0
        self.buffer: list[tuple[Example, _Place]] = []
        self._coming = self._read(self.mark)

    def draw(self) -> Example:
        """The next example: one out of the buffer, whose place the next one read takes."""
        while len(self.buffer) < self.data.shuffle:
            self.buffer.append(self._take())
        chosen = Stream(f"{self.name}/{self.reader.part}/buffer/{self.draws}").integer(
            0, len(self.buffer)
        )
        self.draws += 1
        example, _ = self.buffer[chosen]
        self.buffer[chosen] = self._take()
        return example

    def state(self) -> Cursor:
        return {
            "mark": list(self.mark),
            "draws": self.draws,
            "buffer": [list(place) for _, place in self.buffer],
        }

    def restore(self, state: Cursor) -> None:
        self.mark, self.draws = _Mark(*state["mark"]), state["draws"]
        self.buffer = [self._again(_Place(*place)) for place in state["buffer"]]
        self._coming = self._read(self.mark)

    def _again(self, place: _Place) -> tuple[Example, _Place]:
        """The example of a place; ``ShardCorrupt`` when another lies there."""
        path = self.source.path(self.source.shards[place.shard])
        parts = read_sample(path, place.offset, place.key)
        return self._examples(path, place.key, parts)[place.number], place

    def _take(self) -> tuple[Example, _Place]:
        placed, self.mark = next(self._coming)
        return placed

    def _read(self, begin: _Mark) -> Iterator[tuple[tuple[Example, _Place], _Mark]]:
        """Each example with its place, and the mark that stands behind it; never ends."""
        while True:
            found = 0
            for turn, shard in enumerate(self._order(begin.epoch)):
                if turn < begin.turn:
                    continue
                start = begin if turn == begin.turn else _Mark(begin.epoch, turn)
                for placed in self._shard(shard, start):
                    found += 1
                    yield placed
            if not found and begin == _Mark(begin.epoch):
                raise InvalidOptions(self._nothing())
            begin = _Mark(begin.epoch + 1)

    def once(self, open_to: Callable[[str], bool]) -> Iterator[Example]:
        """The examples in the order of the shards, without shards whose type is not wanted."""
        for number, info in enumerate(self.source.shards):
            if open_to(shard_type(info)):
                for (example, _), _ in self._shard(number, _Mark()):
                    yield example

    def _order(self, epoch: int) -> list[int]:
        """The shards of a pass, by number: all in a random order, or every parts-th of them.

        The order is the same for all readers, so they never take the same shard in one pass.
        """
        numbers = Stream(f"{self.name}/order/{epoch}").shuffled(range(len(self.source.shards)))
        return numbers[self.reader.part :: self.reader.parts] if self.by_shard else numbers

    def _shard(self, shard: int, start: _Mark) -> Iterator[tuple[tuple[Example, _Place], _Mark]]:
        info: ShardInfo = self.source.shards[shard]
        path = self.source.path(info)
        samples = enumerate(iter_samples(path, start=start.offset), start.sample)
        for sample, (key, parts, offset) in samples:
            number = self.first[shard] + sample
            if not self.by_shard and number % self.reader.parts != self.reader.part:
                continue
            skipped = start.done if sample == start.sample else 0
            for number, example in enumerate(self._examples(path, key, parts)):
                if number >= skipped:
                    mark = _Mark(start.epoch, start.turn, sample, offset, number + 1)
                    yield (example, _Place(shard, offset, key, number)), mark

    def _examples(self, path: Path, key: str, parts: dict[str, bytes]) -> list[Example]:
        try:
            return examples_of(parts, self.source.config, self.data)
        except FactoryError as error:
            raise ShardCorrupt(f"{path}, sample {key}: {error}") from error

    def _nothing(self) -> str:
        config, (part, parts) = self.source.config, (self.reader.part, self.reader.parts)
        return (
            f"{config.run} gives no example to reader {part + 1} of {parts}: "
            f"{self.source.samples} samples, families {list(config.families)}, types "
            f"{list(config.types)}, kinds {list(config.kinds)}; loosen these or take fewer readers"
        )


class ShardStream:
    """An endless iterator over the examples of several sources, drawn by their weights."""

    def __init__(self, data: DataConfig, *, seed: int = 0, reader: Reader | None = None) -> None:
        self.data, self.reader = data, reader or Reader()
        self.sources = open_sources(data)
        self.name = f"stream/{seed}"
        self.draws = 0
        self._streams = [
            _SourceStream(source, data, f"{self.name}/{number}", self.reader)
            for number, source in enumerate(self.sources)
        ]

    def __iter__(self) -> Iterator[Example]:
        return self

    def __next__(self) -> Example:
        weights = [source.config.weight for source in self.sources]
        drawn = Stream(f"{self.name}/{self.reader.part}/mixture/{self.draws}").weighted(
            self._streams, weights
        )
        self.draws += 1
        return drawn.draw()

    def state(self) -> Cursor:
        """Where the stream stands, to be given to ``restore`` of a stream of the same config."""
        return {
            "reader": [self.reader.part, self.reader.parts],
            "manifests": [source.digest for source in self.sources],
            "draws": self.draws,
            "sources": [stream.state() for stream in self._streams],
        }

    def restore(self, state: Cursor) -> None:
        """Go on behind ``state``; ``InvalidOptions`` when data or readers are others."""
        mine = [self.reader.part, self.reader.parts]
        if state["reader"] != mine:
            raise InvalidOptions(
                f"the cursor is of reader {state['reader']} and this is {mine}; resume with as "
                "many processes and workers as before"
            )
        if state["manifests"] != [source.digest for source in self.sources]:
            raise InvalidOptions("the data are not those that the cursor was written for")
        self.draws = state["draws"]
        for stream, one in zip(self._streams, state["sources"], strict=True):
            stream.restore(one)


def every_example(data: DataConfig, per_class: int | None = None) -> Iterator[Example]:
    """Each example once, source by source in the order of the shards: for evaluation.

    ``per_class`` is the most of one class (type) in one source.
    """
    for source in open_sources(data):
        stream = _SourceStream(source, data, "once", Reader())
        given = Counter[str]()
        for example in stream.once(lambda type, given=given: given[type] != per_class):
            if given[example.type] != per_class:
                given[example.type] += 1
                yield example
