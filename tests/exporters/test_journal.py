"""A journal line is there whole or not at all."""

from __future__ import annotations

import pytest

from exporters import journal
from factory.core.errors import ShardCorrupt


def test_lines_are_read_in_the_order_they_were_written(tmp_path):
    for number in range(3):
        journal.append(tmp_path, {"shard": number, "name": "zeile ü"})
    assert [line["shard"] for line in journal.read(tmp_path)] == [0, 1, 2]


def test_no_journal_reads_as_no_lines(tmp_path):
    assert journal.read(tmp_path) == []


def test_a_torn_last_line_is_ignored_wherever_it_is_torn(tmp_path):
    journal.append(tmp_path, {"shard": 0})
    journal.append(tmp_path, {"shard": 1})
    whole = (tmp_path / "journal.jsonl").read_bytes()
    for length in range(len(whole)):
        (tmp_path / "journal.jsonl").write_bytes(whole[:length])
        assert len(journal.read(tmp_path)) == whole[:length].count(b"\n")


@pytest.mark.parametrize("torn", [b'{"sha', b'{"shard":1}', b"\0" * 5000, b"{"])
def test_an_append_after_a_crash_removes_the_torn_line(tmp_path, torn):
    journal.append(tmp_path, {"shard": 0})
    with (tmp_path / "journal.jsonl").open("ab") as file:
        file.write(torn)
    journal.append(tmp_path, {"shard": 2})
    assert journal.read(tmp_path) == [{"shard": 0}, {"shard": 2}]


def test_an_append_to_a_journal_of_one_torn_line_starts_it_anew(tmp_path):
    (tmp_path / "journal.jsonl").write_bytes(b'{"sha')
    journal.append(tmp_path, {"shard": 0})
    assert journal.read(tmp_path) == [{"shard": 0}]


@pytest.mark.parametrize("middle", [b"{", b"[]", b""])
def test_damage_before_the_last_line_is_an_error_with_its_number(tmp_path, middle):
    (tmp_path / "journal.jsonl").write_bytes(b'{"a":1}\n' + middle + b'\n{"a":3}\n')
    with pytest.raises(ShardCorrupt, match="line 2"):
        journal.read(tmp_path)
