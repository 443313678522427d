"""The Python API does what the README says, and nothing else is needed."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest
from runs import key_of, make_run

import factory
from exporters.shard_reader import iter_samples
from factory.core import record as records
from factory.core.errors import InvalidOptions, UnknownType

README = Path(__file__).parents[2] / "README.md"


def test_the_example_of_the_readme_runs():
    section = README.read_text().partition("## From Python")[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert code is not None
    exec(compile(code[1], "README.md", "exec"), {})


def test_a_stream_gives_the_samples_of_the_run_on_disk(tmp_path):
    run = make_run(tmp_path / "run", n=5, shard_samples=None, seed=4)
    stored = [parts for _, parts, _ in iter_samples(run / "train/rotate-train-000000.tar")]
    streamed = list(factory.stream("rotate", seed=4, n=5))
    assert [sample.image for sample in streamed] == [parts["jpg"] for parts in stored]
    assert [sample.prompt.encode() for sample in streamed] == [parts["txt"] for parts in stored]


def test_a_stream_has_no_end_and_makes_only_what_is_taken():
    assert len(list(islice(factory.stream("rotate"), 3))) == 3


def test_a_sample_comes_from_its_key_alone(small_run):
    key = key_of(small_run, 3)
    sample = factory.make(key)
    assert sample.key == key and sample.record.key == key
    assert sample.image.startswith(b"\xff\xd8") and sample.image.endswith(b"\xff\xd9")


def test_make_refuses_a_key_that_its_options_do_not_give(small_run):
    with pytest.raises(InvalidOptions, match="config"):
        factory.make(key_of(small_run, 3), quality=80)


def test_a_verdict_needs_the_record_alone_and_never_raises_for_a_text(small_run):
    _, parts, _ = next(iter_samples(small_run / "train/rotate-train-000000.tar"))
    flat = records.decode(parts["json"])
    for record in (flat, flat.payload):
        assert factory.verdict(record, flat.response).passed
        for text in ("", "no", "Drag(", "\x00" * 9, "x" * 100_000, "<action></action>"):
            assert not factory.verdict(record, text).passed


def test_unknown_names_are_refused():
    with pytest.raises(UnknownType, match="did you mean 'rotate'"):
        next(factory.stream("rotat"))
    with pytest.raises(InvalidOptions, match="colour: there is no such field"):
        next(factory.stream("rotate", colour="red"))
