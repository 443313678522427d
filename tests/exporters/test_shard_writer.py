"""Shards have fixed bytes, are published whole or not at all, and refuse bad names."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shard_samples import key_of, named_members, sample_parts, tar_of, write_shard

from exporters import durable, shards
from exporters.shard_reader import iter_samples
from exporters.shards import ShardWriter, member, samples_per_shard, shard_name
from factory.core.errors import (
    DiskFull,
    InvalidOptions,
    KeyCollision,
    SchemaMismatch,
    ShardCorrupt,
)

KEYS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,79}", fullmatch=True)
PART_SETS = st.lists(
    st.sampled_from(["html", "i00.jpg", "i01.jpg", "jpg", "json", "txt"]), min_size=1, unique=True
)


@settings(max_examples=60, deadline=None)
@given(keys=st.lists(KEYS, min_size=1, max_size=6, unique=True), parts=PART_SETS, data=st.data())
def test_whatever_is_written_is_read_back_and_equals_tarfile(tmp_path_factory, keys, parts, data):
    folder = tmp_path_factory.mktemp("round")
    samples = {key: {part: data.draw(st.binary(max_size=1500)) for part in parts} for key in keys}
    with ShardWriter(folder / "a.tar") as shard:
        places = {key: shard.add(key, sample) for key, sample in samples.items()}
    found = list(iter_samples(folder / "a.tar"))
    assert {key: content for key, content, _ in found} == samples
    assert {key: offset for key, _, offset in found} == {k: at for k, (at, _) in places.items()}
    members = [(f"{k}.{p}", s[p]) for k, s in samples.items() for p in sorted(s)]
    theirs = tar_of(folder / "theirs.tar", members)
    assert (folder / "a.tar").read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize("nbytes", [0, 1, 511, 512, 513, 8191, 8192, 9215, 9216, 9217, 10240])
def test_a_tar_of_any_length_is_padded_as_tarfile_pads_it(tmp_path, nbytes):
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k", {"txt": bytes(nbytes)})
    theirs = tar_of(tmp_path / "b.tar", [("k.txt", bytes(nbytes))])
    assert (tmp_path / "a.tar").read_bytes() == theirs.read_bytes()


def test_a_member_is_a_header_then_data_then_filler():
    head, data, filler = member("k.txt", b"hello")
    assert (len(head), data, len(filler)) == (512, b"hello", 507)


def test_info_describes_the_published_bytes(tmp_path):
    info = write_shard(tmp_path, "train/rotate-train-000000.tar", range(7))
    whole = (tmp_path / info.name).read_bytes()
    assert info.sha256 == hashlib.sha256(whole).hexdigest()
    assert (info.bytes, info.samples) == (len(whole), 7)


def test_a_shard_larger_than_the_write_buffer_is_whole(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        for index in range(12):
            shard.add(f"k{index}", {"bin": bytes([index]) * 1_000_000})
    whole = (tmp_path / "a.tar").read_bytes()
    assert shard.info.sha256 == hashlib.sha256(whole).hexdigest()
    assert [parts["bin"][0] for _, parts, _ in iter_samples(tmp_path / "a.tar")] == list(range(12))


def test_parts_given_in_any_order_give_the_same_bytes(tmp_path):
    for name, step in (("a.tar", 1), ("b.tar", -1)):
        with ShardWriter(tmp_path / name) as shard:
            shard.add("k", dict(list(sample_parts("k", 1).items())[::step]))
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


def test_nothing_is_visible_before_the_shard_is_closed(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k", {"txt": b"x"})
        assert [path.name for path in tmp_path.iterdir()] == ["a.tar.partial"]
        with pytest.raises(ShardCorrupt, match="not published"):
            _ = shard.info
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar"]


def test_an_exception_publishes_nothing_and_leaves_nothing(tmp_path):
    def interrupted() -> NoReturn:
        with ShardWriter(tmp_path / "a.tar") as shard:
            shard.add("k", {"txt": b"x"})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_killed_writer_leaves_a_partial_that_the_next_one_replaces(tmp_path):
    (tmp_path / "a.tar.partial").write_bytes(b"torn" * 9999)
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k", {"txt": b"x"})
    assert (tmp_path / "a.tar").stat().st_size == shard.info.bytes == 10240
    assert not (tmp_path / "a.tar.partial").exists()


def test_a_remade_shard_replaces_the_old_one_with_equal_bytes(tmp_path):
    first = write_shard(tmp_path, "a.tar", range(3))
    assert write_shard(tmp_path, "a.tar", range(3)) == first


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named_and_publishes_nothing(tmp_path):
    # Every write to this device fails with ENOSPC.
    (tmp_path / "a.tar.partial").symlink_to("/dev/full")
    with (
        pytest.raises(DiskFull, match="--resume") as caught,
        ShardWriter(tmp_path / "a.tar") as shard,
    ):
        shard.add("k", {"txt": bytes(9_000_000)})
    assert caught.value.exit_code == 6
    assert list(tmp_path.iterdir()) == []


def test_a_quota_is_a_full_disk_too_and_other_errors_are_not(tmp_path):
    with pytest.raises(DiskFull), durable.naming_disk_full(tmp_path):
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
    with pytest.raises(PermissionError), durable.naming_disk_full(tmp_path):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize("key", ["", "a.b", "A", "a/b", "-a", "_a", "é", "a b", "x" * 81, "a\n"])
def test_a_key_that_a_reader_would_misread_is_refused(tmp_path, key):
    with (
        pytest.raises(InvalidOptions, match="cannot be a key"),
        ShardWriter(tmp_path / "a.tar") as shard,
    ):
        shard.add(key, {"txt": b""})


@pytest.mark.parametrize("part", ["", "PNG", "a.b.c", "i1.jpg", "j/son", ".txt", "json\n"])
def test_a_part_that_a_reader_would_misread_is_refused(tmp_path, part):
    with (
        pytest.raises(InvalidOptions, match="cannot be a part"),
        ShardWriter(tmp_path / "a.tar") as shard,
    ):
        shard.add("k", {part: b""})


def test_the_longest_key_with_the_longest_part_fits_a_header(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k" * 80, {"i00.abcdefghij": b"x"})
    assert [key for key, _, _ in iter_samples(tmp_path / "a.tar")] == ["k" * 80]


def test_a_part_too_long_for_a_tar_is_refused_and_leaves_no_trace(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "_MOST_DATA", 10)
    with ShardWriter(tmp_path / "a.tar") as shard:
        with pytest.raises(InvalidOptions, match="11 bytes"):
            shard.add("k0", {"json": b"", "txt": bytes(11)})
        shard.add("k1", {"txt": bytes(10)})
    assert [key for key, _, _ in iter_samples(tmp_path / "a.tar")] == ["k1"]


def test_a_sample_of_no_parts_is_refused(tmp_path):
    with (
        pytest.raises(InvalidOptions, match="0 parts"),
        ShardWriter(tmp_path / "a.tar") as shard,
    ):
        shard.add("k", {})


def test_a_repeated_key_is_refused(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k1", {"txt": b""})
        with pytest.raises(KeyCollision, match="k1"):
            shard.add("k1", {"txt": b""})


def test_a_sample_with_other_parts_is_refused(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        shard.add("k1", {"txt": b""})
        with pytest.raises(SchemaMismatch, match="jpg"):
            shard.add("k2", {"txt": b"", "jpg": b""})
    assert shard.info.samples == 1


def test_an_empty_shard_is_not_published(tmp_path):
    with pytest.raises(ShardCorrupt, match="no sample"), ShardWriter(tmp_path / "a.tar"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_shard_names_are_six_digits_below_their_split():
    assert shard_name("train", "", "rotate", 0) == "train/rotate-train-000000.tar"
    assert shard_name("val", "i04", "video", 12) == "frames/i04/val/video-val-000012.tar"
    with pytest.raises(InvalidOptions):
        shard_name("train", "", "rotate", 1_000_000)


@pytest.mark.parametrize(
    ("n", "estimate", "expected"),
    [
        (1, 200_000, 100),
        (1600, 200_000, 100),
        (1601, 200_000, 101),
        (100_000, 200_000, 2684),
        (100_000, 1000, 6250),
        (10**7, 1000, 10_000),
        (10**6, 100 << 20, 5),
        (10**6, 1 << 30, 1),
    ],
)
def test_samples_per_shard_follows_from_the_request_alone(n, estimate, expected):
    assert samples_per_shard(n, estimate) == expected


@pytest.mark.parametrize(("n", "estimate"), [(0, 1000), (10, 0)])
def test_a_request_without_samples_has_no_shard_size(n, estimate):
    with pytest.raises(InvalidOptions):
        samples_per_shard(n, estimate)


def test_members_of_good_samples_are_what_the_writer_writes(tmp_path):
    write_shard(tmp_path, "a.tar", range(3))
    theirs = tar_of(tmp_path / "b.tar", named_members(3))
    assert (tmp_path / "a.tar").read_bytes() == theirs.read_bytes()
    assert key_of(0) in theirs.read_bytes()[:100].decode()
