"""Each hostile shard is named by its own code, and a good shard by none."""

from __future__ import annotations

import dataclasses
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from PIL import Image, PngImagePlugin
from shard_samples import (
    Named,
    fields_of,
    fixed_info,
    key_of,
    named_members,
    picture,
    tar_of,
    write_shard,
)

from exporters.problems import LISTED_PER_CODE, Code
from exporters.shard_check import Expected, inspect_shard, shard_schema
from factory.core.errors import ShardCorrupt

SAMPLES = 8
PARTS = 3
CUTS = {Code.ZERO_BYTES, Code.CUT_AT_MEMBER, Code.CUT_IN_HEADER, Code.CUT_IN_DATA, Code.CUT_IN_END}
Spoil = Callable[[list[Named]], list[Named]]


def codes(path: Path, expected: Expected | None = None) -> set[Code]:
    return {problem.code for problem in inspect_shard(path, expected)}


def renamed(at: int, name: Callable[[str], str]) -> Spoil:
    """All parts of sample ``at`` under other names."""
    rows = range(at * PARTS, at * PARTS + PARTS)
    return lambda good: [(name(n) if i in rows else n, data) for i, (n, data) in enumerate(good)]


def without(at: int, part: str) -> Spoil:
    return lambda good: [row for row in good if row[0] != f"{key_of(at)}.{part}"]


def with_json(at: int, change: Callable[[dict[str, object]], object]) -> Spoil:
    """Sample ``at`` with its JSON fields changed in place, or replaced by what ``change`` gives."""

    def spoil(good: list[Named]) -> list[Named]:
        fields = fields_of(key_of(at), at)
        data = orjson.dumps(change(fields) or fields)
        return [(n, data if n == f"{key_of(at)}.json" else old) for n, old in good]

    return spoil


def with_png(at: int, data: bytes) -> Spoil:
    return lambda good: [(n, data if n == f"{key_of(at)}.png" else old) for n, old in good]


def png_with_text() -> bytes:
    out, text = io.BytesIO(), PngImagePlugin.PngInfo()
    text.add_text("answer", "42")
    Image.new("RGB", (9, 9)).save(out, "PNG", pnginfo=text)
    return out.getvalue()


def apart(good: list[Named]) -> list[Named]:
    """The first sample's last part moved behind the second sample."""
    return [*good[:2], *good[3:6], good[2], *good[6:]]


HOSTILE: dict[str, tuple[Code, Spoil]] = {
    "dot in key": (Code.DOT_IN_KEY, renamed(2, lambda n: n.replace("train-", "train.", 1))),
    "key outside ascii": (Code.NON_ASCII_KEY, renamed(2, lambda n: n.replace("rotate", "rotaté"))),
    "capitals in key": (Code.BAD_KEY, renamed(2, lambda n: n.replace("rotate", "Rotate"))),
    "slash in key": (Code.SLASH_IN_KEY, renamed(2, lambda n: "folder/" + n)),
    "absolute name": (Code.PATH_TRAVERSAL, renamed(2, lambda n: "/etc/" + n)),
    "name that climbs out": (Code.PATH_TRAVERSAL, renamed(2, lambda n: "../" + n)),
    "no extension": (Code.NO_EXTENSION, renamed(2, lambda n: n.partition(".")[0])),
    "upper-case extension": (Code.UPPER_CASE_PART, renamed(2, lambda n: n.replace("png", "PNG"))),
    "odd extension": (Code.BAD_PART, renamed(2, lambda n: n.replace("json", "js-on"))),
    "parts apart": (Code.NON_ADJACENT_PARTS, apart),
    "parts unsorted": (Code.PARTS_UNSORTED, lambda good: [good[1], good[0], *good[2:]]),
    "repeated key at once": (Code.REPEATED_KEY, lambda good: good[:PARTS] + good),
    "repeated key later": (Code.REPEATED_KEY, lambda good: good + good[:PARTS]),
    "part missing in the first five": (Code.PART_MISSING_EARLY, without(4, "txt")),
    "part missing in the first": (Code.PART_MISSING_EARLY, without(0, "txt")),
    "part missing later": (Code.PART_MISSING_LATER, without(5, "txt")),
    "extra part later": (
        Code.PART_EXTRA,
        lambda good: [*good, (f"{key_of(SAMPLES - 1)}.webp", picture(3, kind="WEBP"))],
    ),
    "json broken": (Code.JSON_BROKEN, lambda good: [(good[0][0], b"{"), *good[1:]]),
    "json not an object": (Code.JSON_BROKEN, with_json(3, lambda _: [1])),
    "json nan": (Code.JSON_BROKEN, lambda good: [(good[0][0], b'{"a":NaN}'), *good[1:]]),
    "json null": (Code.JSON_NULL, with_json(0, lambda f: f.update(difficulty=None))),
    "json list": (Code.JSON_NESTED, with_json(0, lambda f: f.update(payload=[]))),
    "json object": (Code.JSON_NESTED, with_json(6, lambda f: f.update(payload={"a": 1}))),
    "json int becomes float": (Code.JSON_TYPE_DRIFT, with_json(6, lambda f: f.update(width=1.5))),
    "json int becomes bool": (Code.JSON_TYPE_DRIFT, with_json(6, lambda f: f.update(width=True))),
    "json drift in the first": (Code.JSON_TYPE_DRIFT, with_json(0, lambda f: f.update(width="16"))),
    "json int too large": (Code.JSON_INT_RANGE, with_json(6, lambda f: f.update(width=2**63))),
    "json field new": (Code.JSON_FIELD_NEW, with_json(6, lambda f: f.update(extra=1))),
    "json field missing": (Code.JSON_FIELD_MISSING, with_json(6, lambda f: f.pop("width") and f)),
    "json of another key": (Code.JSON_KEY_MISMATCH, with_json(6, lambda f: f.update(key="other"))),
    "jpeg named png": (Code.IMAGE_MAGIC, with_png(2, picture(2, kind="JPEG"))),
    "picture of no bytes": (Code.IMAGE_MAGIC, with_png(2, b"")),
    "picture cut short": (Code.IMAGE_BROKEN, with_png(2, picture(2)[:-9])),
    "bytes after a picture": (Code.IMAGE_BROKEN, with_png(2, picture(2) + b"answer=42")),
    "text in a picture": (Code.IMAGE_METADATA, with_png(2, png_with_text())),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_shard_is_named(tmp_path, case):
    code, spoil = HOSTILE[case]
    path = tar_of(tmp_path / "a.tar", spoil(named_members(SAMPLES)))
    assert code in codes(path)


SILENT_NEIGHBOURS = {
    "repeated key later",
    "json int becomes float",
    "json field new",
    "part missing later",
    "part missing in the first",
    "upper-case extension",
    "parts apart",
    "jpeg named png",
    "json null",
}


@pytest.mark.parametrize("case", sorted(SILENT_NEIGHBOURS))
def test_a_single_fault_is_not_reported_as_several(tmp_path, case):
    code, spoil = HOSTILE[case]
    path = tar_of(tmp_path / "a.tar", spoil(named_members(SAMPLES)))
    assert codes(path) == {code}


def test_a_good_shard_has_no_problems(tmp_path):
    info = write_shard(tmp_path, "a.tar", range(SAMPLES))
    parts, columns = shard_schema(tmp_path / "a.tar")
    assert inspect_shard(tmp_path / "a.tar", Expected(info, parts, columns)) == []
    assert inspect_shard(tmp_path / "a.tar") == []


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_good_and_cut_pictures_of_other_formats_are_told_apart(tmp_path, kind):
    part = {"JPEG": "jpg", "WEBP": "webp"}[kind]
    data = picture(1, kind=kind)
    assert codes(tar_of(tmp_path / "a.tar", [(f"k.{part}", data)])) == set()
    assert codes(tar_of(tmp_path / "b.tar", [(f"k.{part}", data[:-2])])) == {Code.IMAGE_BROKEN}


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG"])
def test_exif_is_found_in_every_format(tmp_path, kind):
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x010E] = "the answer is 42"
    Image.new("RGB", (9, 9)).save(out, kind, exif=exif)
    part = {"JPEG": "jpg", "WEBP": "webp", "PNG": "png"}[kind]
    assert codes(tar_of(tmp_path / "a.tar", [(f"k.{part}", out.getvalue())])) == {
        Code.IMAGE_METADATA
    }


def test_a_cut_at_any_byte_is_named_without_a_manifest(tmp_path):
    write_shard(tmp_path, "whole.tar", range(2))
    whole = (tmp_path / "whole.tar").read_bytes()
    cut = tmp_path / "cut.tar"
    for length in {*range(0, len(whole), 512), *range(1, len(whole), 53), len(whole) - 1}:
        cut.write_bytes(whole[:length])
        assert codes(cut) & CUTS, f"cut at {length} of {len(whole)}"


def test_each_kind_of_cut_has_its_own_name(tmp_path):
    write_shard(tmp_path, "a.tar", range(1))
    whole = (tmp_path / "a.tar").read_bytes()
    data_end = 512 + len(named_members(1)[0][1])
    ends = len(whole.rstrip(b"\0")) + -len(whole.rstrip(b"\0")) % 512
    lengths = {
        0: Code.ZERO_BYTES,
        100: Code.CUT_IN_HEADER,
        512: Code.CUT_IN_DATA,
        600: Code.CUT_IN_DATA,
        data_end: Code.CUT_IN_DATA,
        1024: Code.CUT_AT_MEMBER,
        ends: Code.CUT_AT_MEMBER,
        ends + 512: Code.CUT_IN_END,
        ends + 1024: Code.CUT_IN_END,
    }
    for length, code in lengths.items():
        (tmp_path / "cut.tar").write_bytes(whole[:length])
        assert code in codes(tmp_path / "cut.tar"), length


def test_a_cut_at_a_member_is_named_though_the_rest_is_a_good_shard(tmp_path):
    write_shard(tmp_path, "a.tar", range(4))
    whole = (tmp_path / "a.tar").read_bytes()
    third = whole.index(key_of(2).encode())
    (tmp_path / "a.tar").write_bytes(whole[:third])
    assert codes(tmp_path / "a.tar") == {Code.CUT_AT_MEMBER}


def test_an_empty_shard_is_named(tmp_path):
    assert codes(tar_of(tmp_path / "a.tar", [])) == {Code.EMPTY_SHARD}


def test_bytes_after_the_end_are_named(tmp_path):
    write_shard(tmp_path, "a.tar", range(1))
    whole = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "a.tar").write_bytes(whole + whole)
    assert codes(tmp_path / "a.tar") == {Code.TRAILING_BYTES}


@pytest.mark.parametrize("at", [0, 130, 150, 300])
def test_a_flipped_header_byte_is_named(tmp_path, at):
    write_shard(tmp_path, "a.tar", range(2))
    whole = bytearray((tmp_path / "a.tar").read_bytes())
    whole[at] ^= 0x11
    (tmp_path / "a.tar").write_bytes(whole)
    assert codes(tmp_path / "a.tar") == {Code.BAD_HEADER}


def test_a_flipped_filler_byte_is_named(tmp_path):
    write_shard(tmp_path, "a.tar", range(2))
    whole = bytearray((tmp_path / "a.tar").read_bytes())
    whole[1023] = 1
    (tmp_path / "a.tar").write_bytes(whole)
    assert codes(tmp_path / "a.tar") == {Code.PADDING_NOT_ZERO}


@pytest.mark.parametrize(
    ("field", "value"),
    [("mtime", 1_700_000_000), ("uid", 1000), ("gid", 7), ("mode", 0o600), ("uname", "me")],
)
def test_a_header_with_a_free_field_is_named(tmp_path, field, value):
    (name, data), *rest = named_members(2)
    info = fixed_info(name, len(data))
    setattr(info, field, value)
    problems = inspect_shard(tar_of(tmp_path / "a.tar", [(info, data), *rest]))
    assert [problem.code for problem in problems] == [Code.HEADER_NOT_FIXED]
    assert field in problems[0].message


def test_a_name_that_is_no_text_can_still_be_reported_as_json(tmp_path):
    good = tar_of(tmp_path / "a.tar", [("kaffee.txt", b"x")]).read_bytes()
    block = bytearray(good[:512])
    block[5] = 0xE9
    checksum = sum(block) - sum(block[148:156]) + 8 * 32
    block[148:155] = b"%06o\0" % checksum
    (tmp_path / "a.tar").write_bytes(bytes(block) + good[512:])
    problems = inspect_shard(tmp_path / "a.tar")
    assert [problem.code for problem in problems] == [Code.NON_ASCII_KEY]
    assert orjson.loads(orjson.dumps(problems))[0]["code"] == "non-ascii-key"


@pytest.mark.parametrize("flag", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE])
def test_links_and_folders_are_named(tmp_path, flag):
    info = fixed_info("evil", 0)
    info.type, info.linkname = flag, "/etc/passwd" if flag != tarfile.DIRTYPE else ""
    good = named_members(2)
    assert codes(tar_of(tmp_path / "a.tar", [*good[:3], (info, b""), *good[3:]])) == {
        Code.MEMBER_TYPE
    }


def test_a_pax_shard_is_named(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in named_members(2):
            info = fixed_info(name, len(data))
            info.mtime = 0.5
            tar.addfile(info, io.BytesIO(data))
    assert Code.MEMBER_TYPE in codes(tmp_path / "a.tar")


def test_what_the_manifest_says_is_compared(tmp_path):
    info = write_shard(tmp_path, "a.tar", range(SAMPLES))
    for field, value, code in (
        ("sha256", "0" * 64, Code.HASH_MISMATCH),
        ("bytes", 1, Code.SIZE_MISMATCH),
        ("samples", 9, Code.COUNT_MISMATCH),
    ):
        other = dataclasses.replace(info, **{field: value})
        assert codes(tmp_path / "a.tar", Expected(other)) == {code}


def test_the_digest_covers_what_lies_behind_a_fault(tmp_path):
    info = write_shard(tmp_path, "a.tar", range(SAMPLES))
    whole = bytearray((tmp_path / "a.tar").read_bytes())
    whole[0] ^= 1
    (tmp_path / "a.tar").write_bytes(whole)
    found = codes(tmp_path / "a.tar", Expected(info))
    assert found == {Code.BAD_HEADER, Code.HASH_MISMATCH, Code.COUNT_MISMATCH}


def test_parts_and_columns_of_another_shard_are_the_measure_when_given(tmp_path):
    write_shard(tmp_path, "a.tar", range(3))
    parts, columns = shard_schema(tmp_path / "a.tar")
    bare = tar_of(tmp_path / "b.tar", [("k.json", b'{"key":"k"}')])
    assert codes(bare) == set()
    expected = Expected(parts=parts, columns=columns)
    assert codes(bare, expected) == {Code.PART_MISSING_EARLY, Code.JSON_FIELD_MISSING}


def test_a_shard_without_samples_has_no_schema(tmp_path):
    with pytest.raises(ShardCorrupt, match="no samples"):
        shard_schema(tar_of(tmp_path / "a.tar", []))


def test_a_fault_of_every_sample_is_counted_and_not_listed_whole(tmp_path):
    members = [(name.replace("rotate", "Rotate"), data) for name, data in named_members(40)]
    problems = [
        p for p in inspect_shard(tar_of(tmp_path / "a.tar", members)) if p.code is Code.BAD_KEY
    ]
    assert len(problems) == LISTED_PER_CODE + 1
    assert problems[-1].message == "and 110 more of this kind"


def test_every_code_explains_itself_and_every_value_is_unique():
    assert len({code.value for code in Code}) == len(Code)
    assert all(code.meaning and "\n" not in code.meaning for code in Code)
