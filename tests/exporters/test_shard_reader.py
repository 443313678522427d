"""Reading is strict: a cut or damaged shard raises, wherever it is cut."""

from __future__ import annotations

import pytest
from shard_samples import key_of, named_members, sample_parts, tar_of, write_shard

from exporters.problems import Code
from exporters.shard_reader import TarFault, iter_samples, read_sample, shard_keys
from exporters.shards import ShardWriter
from factory.core.errors import ShardCorrupt


def test_a_sample_is_read_at_its_offset_alone(tmp_path):
    with ShardWriter(tmp_path / "a.tar") as shard:
        places = [shard.add(key_of(i), sample_parts(key_of(i), i)) for i in range(6)]
    for index, (offset, nbytes) in enumerate(places):
        found = read_sample(tmp_path / "a.tar", offset, key_of(index))
        assert found == sample_parts(key_of(index), index)
        assert nbytes % 512 == 0
        assert offset == sum(length for _, length in places[:index])


@pytest.mark.parametrize("offset", [-1, 512, 1024, 700, 10**9])
def test_a_wrong_offset_is_an_error_and_not_another_sample(tmp_path, offset):
    write_shard(tmp_path, "a.tar", range(2))
    with pytest.raises(ShardCorrupt):
        read_sample(tmp_path / "a.tar", offset, key_of(1))


def test_keys_are_read_from_the_headers_in_order(tmp_path):
    write_shard(tmp_path, "a.tar", range(9))
    assert list(shard_keys(tmp_path / "a.tar")) == [key_of(index) for index in range(9)]


def test_reading_raises_for_a_cut_at_any_byte(tmp_path):
    write_shard(tmp_path, "whole.tar", range(2))
    whole = (tmp_path / "whole.tar").read_bytes()
    cut = tmp_path / "cut.tar"
    for length in {*range(0, len(whole), 512), *range(0, len(whole), 97), len(whole) - 1}:
        cut.write_bytes(whole[:length])
        with pytest.raises(TarFault) as caught:
            list(iter_samples(cut))
        assert "cut.tar" in str(caught.value)
        with pytest.raises(TarFault):
            list(shard_keys(cut))


def test_samples_before_a_cut_are_still_yielded(tmp_path):
    info = write_shard(tmp_path, "a.tar", range(4))
    whole = (tmp_path / info.name).read_bytes()
    last = [offset for _, _, offset in iter_samples(tmp_path / "a.tar")][-1]
    (tmp_path / "a.tar").write_bytes(whole[:last])
    samples = iter_samples(tmp_path / "a.tar")
    assert [next(samples)[0] for _ in range(2)] == [key_of(0), key_of(1)]
    with pytest.raises(TarFault) as caught:
        list(samples)
    assert caught.value.code is Code.CUT_AT_MEMBER


def test_members_that_are_no_samples_are_errors(tmp_path):
    tar_of(tmp_path / "a.tar", [("noextension", b"x")])
    with pytest.raises(ShardCorrupt, match="no part of a sample"):
        list(iter_samples(tmp_path / "a.tar"))


def test_a_part_twice_in_a_sample_is_an_error(tmp_path):
    first = named_members(1)[0]
    tar_of(tmp_path / "a.tar", [first, first])
    with pytest.raises(ShardCorrupt, match="twice"):
        list(iter_samples(tmp_path / "a.tar"))


def test_a_read_only_folder_can_be_read(tmp_path):
    write_shard(tmp_path / "run", "a.tar", range(2))
    (tmp_path / "run").chmod(0o500)
    try:
        assert len(list(iter_samples(tmp_path / "run" / "a.tar"))) == 2
        assert [path.name for path in (tmp_path / "run").iterdir()] == ["a.tar"]
    finally:
        (tmp_path / "run").chmod(0o700)
