"""Streams: every example once a pass, split without overlap, resumed exactly, in flat memory."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from factory.core.errors import InvalidOptions, SchemaMismatch, ShardCorrupt
from tests.training.runs_for_training import PER_SHARD, SAMPLES, data, shards, source
from training.sources import open_source, static_steps
from training.stream import Reader, ShardStream, every_example

QUIET_BYTES = 3_000_000
"""Growth that is noise: a few pictures of 150 kB that are being decoded, and interned keys."""


def keys(stream: ShardStream, count: int) -> list[str]:
    return [example.key for example in islice(stream, count)]


def first_pass(stream: ShardStream) -> list[str]:
    """What a stream whose buffer holds one example gives before it begins again."""
    seen: list[str] = []
    while stream.state()["sources"][0]["mark"][0] == 0:
        seen.append(next(stream).key)
    return seen


def stream_of(*runs: Path, reader: Reader | None = None, seed: int = 0, **values) -> ShardStream:
    values = {"shuffle": 3, **values}
    config = data(*(source(run) for run in runs), **values)
    return ShardStream(config, seed=seed, reader=reader)


def test_a_pass_gives_every_example_once(rotate_run: Path) -> None:
    seen = [example.key for example in every_example(data(source(rotate_run)))]
    assert len(seen) == len(set(seen)) == SAMPLES
    assert len(set(keys(stream_of(rotate_run), 3 * SAMPLES))) == SAMPLES


def test_the_same_seed_gives_the_same_order_and_another_seed_another(rotate_run: Path) -> None:
    first = keys(stream_of(rotate_run), 30)
    assert keys(stream_of(rotate_run), 30) == first
    assert keys(stream_of(rotate_run, seed=1), 30) != first


def test_the_buffer_mixes_shards(rotate_run: Path) -> None:
    order = keys(stream_of(rotate_run, shuffle=SAMPLES), SAMPLES)
    assert order != sorted(order)
    first = {key.rpartition("-")[2][-2:] for key in order[:PER_SHARD]}
    assert len({int(number) // PER_SHARD for number in first}) > 1


@pytest.mark.parametrize(("world", "workers"), [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2), (5, 1)])
def test_readers_share_all_examples_and_none_twice(
    rotate_run: Path, world: int, workers: int
) -> None:
    """With three shards: whole shards for up to three readers, samples in turn for more."""
    seen: Counter[str] = Counter()
    for rank in range(world):
        for worker in range(workers):
            reader = Reader.of(rank, world, worker, workers)
            mine = first_pass(stream_of(rotate_run, reader=reader, shuffle=1))
            assert mine
            seen.update(mine)
    assert len(seen) == SAMPLES
    assert set(seen.values()) == {1}


def test_no_reader_outside_the_ranges() -> None:
    with pytest.raises(InvalidOptions, match="no reader 0 of 1 in process 2 of 2"):
        Reader.of(2, 2)


@pytest.mark.parametrize("stop", [0, 1, 5, 12, 31])
@pytest.mark.parametrize("parts", [1, 5])
def test_a_restored_stream_goes_on_as_if_it_had_never_stopped(
    rotate_run: Path, frames_run: Path, stop: int, parts: int
) -> None:
    reader = Reader(0, parts)
    whole = stream_of(rotate_run, frames_run, reader=reader)
    keys(whole, stop)
    state = json.loads(json.dumps(whole.state()))
    rest = [(one.key, one.images, one.response) for one in islice(whole, 30)]
    again = stream_of(rotate_run, frames_run, reader=reader)
    again.restore(state)
    assert [(one.key, one.images, one.response) for one in islice(again, 30)] == rest


def test_a_restored_stream_goes_on_inside_a_sample(episode_run: Path) -> None:
    whole = stream_of(episode_run, episodes="steps", shuffle=2)
    for _ in range(4):
        next(whole)
        again = stream_of(episode_run, episodes="steps", shuffle=2)
        again.restore(whole.state())
        assert keys(again, 20) == keys(_copy(whole), 20)


def _copy(stream: ShardStream) -> ShardStream:
    other = ShardStream(stream.data, seed=0)
    other.restore(stream.state())
    return other


def test_a_cursor_of_other_readers_or_data_is_refused(rotate_run: Path, frames_run: Path) -> None:
    state = stream_of(rotate_run).state()
    with pytest.raises(InvalidOptions, match="as many processes"):
        stream_of(rotate_run, reader=Reader(0, 2)).restore(state)
    with pytest.raises(InvalidOptions, match="not those that the cursor"):
        stream_of(frames_run).restore(state)


def test_sources_are_mixed_by_weight(rotate_run: Path, frames_run: Path) -> None:
    config = data(source(rotate_run, weight=3.0), source(frames_run, weight=1.0), shuffle=2)
    drawn = Counter(example.type for example in islice(ShardStream(config), 400))
    # 400 draws at .75: three standard deviations are 26.
    assert abs(drawn["rotate"] - 300) < 26
    assert set(drawn) == {"rotate", "trajectory_match"}


def test_memory_does_not_grow_with_what_was_read(rotate_run: Path) -> None:
    stream = stream_of(rotate_run, shuffle=4)
    keys(stream, 20)
    tracemalloc.start()
    try:
        keys(stream, 20)
        before = tracemalloc.get_traced_memory()[0]
        keys(stream, 300)
        assert tracemalloc.get_traced_memory()[0] - before < QUIET_BYTES
    finally:
        tracemalloc.stop()


def test_steps_are_counted_from_the_manifest_alone(rotate_run: Path) -> None:
    sources = [open_source(source(rotate_run))]
    assert static_steps(sources, 1.0, 5) == 3
    assert static_steps(sources, 0.01, 5) == 1
    assert static_steps(sources * 2, 2.0, 12) == 4


@pytest.fixture
def broken(rotate_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(rotate_run, tmp_path / "run"))


def test_only_complete_runs_are_read(broken: Path) -> None:
    (broken / "manifest.json").unlink()
    with pytest.raises(InvalidOptions, match="is not complete: it has no manifest"):
        stream_of(broken)
    with pytest.raises(InvalidOptions, match="is not there"):
        stream_of(broken / "nowhere")


def test_shards_outside_the_manifest_are_not_read(broken: Path) -> None:
    first = shards(broken)[0]
    shutil.copy(first, first.with_name("rotate-train-000009.tar"))
    assert len(list(every_example(data(source(broken))))) == SAMPLES


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:2000]), "the manifest says"),
        (lambda path: path.unlink(), "is in the manifest and not on the disk"),
        (
            lambda path: path.write_bytes(path.read_bytes()[:-9000] + b"\1" * 9000),
            r"rotate-train-000000\.tar",
        ),
    ],
)
def test_a_damaged_shard_is_one_clear_message(broken: Path, spoil, said: str) -> None:
    spoil(shards(broken)[0])
    with pytest.raises(ShardCorrupt, match=said):
        list(every_example(data(source(broken))))


def test_a_manifest_that_is_none_is_told(broken: Path) -> None:
    (broken / "manifest.json").write_text("{")
    with pytest.raises(SchemaMismatch, match="is not JSON"):
        stream_of(broken)


def test_a_source_that_matches_nothing_is_told(rotate_run: Path) -> None:
    with pytest.raises(InvalidOptions, match=r"no shard for split test.*it has rotate \(train\)"):
        open_source(source(rotate_run, split="test"))
    nothing = data(source(rotate_run, kinds=["answer"]))
    with pytest.raises(InvalidOptions, match="gives no example to reader 1 of 1"):
        next(ShardStream(nothing))
    with pytest.raises(InvalidOptions, match="gives no example to reader 20 of 20"):
        next(stream_of(rotate_run, reader=Reader(19, 20)))


def test_evaluation_takes_so_many_of_a_class(rotate_run: Path, frames_run: Path) -> None:
    config = data(source(rotate_run), source(frames_run))
    counts = Counter(example.type for example in every_example(config, 2))
    assert counts == {"rotate": 2, "trajectory_match": 2}
