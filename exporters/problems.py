"""The names of everything that can be wrong with a shard or a run folder.

Most of these are silent in the common readers: a dot in a key merges samples, a
tar that was cut at a member reads as a shorter data set. So each has its own
code, and the code, not the message, is what programs should match on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

LISTED_PER_CODE = 10
"""Problems of one code listed for one shard; the rest are counted, so memory stays flat."""


class Code(StrEnum):
    """One kind of problem; ``meaning`` says in a line what it is and why it matters."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Code:
        """Make a string member that carries its meaning."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    # The file as a whole.
    ZERO_BYTES = "zero-bytes", "the file has no bytes"
    EMPTY_SHARD = "empty-shard", "a well-formed tar without a single sample"
    CUT_AT_MEMBER = "cut-at-member", "ends after a member without end blocks: reads as shorter"
    CUT_IN_HEADER = "cut-in-header", "ends inside a 512-byte header: reads as a short shard"
    CUT_IN_DATA = "cut-in-data", "ends inside a member's data or its padding"
    CUT_IN_END = "cut-in-end", "ends inside the zero blocks that close a tar"
    TRAILING_BYTES = "trailing-bytes", "has bytes after its end blocks, which readers ignore"
    BAD_HEADER = "bad-header", "a header's checksum or a number in it is wrong"
    HEADER_NOT_FIXED = "header-not-fixed", "a header holds a time, owner, mode or other free field"
    PADDING_NOT_ZERO = "padding-not-zero", "the filler after a member's data is not zero"
    MEMBER_TYPE = "member-type", "a link, folder, device or extension header instead of a file"
    HASH_MISMATCH = "hash-mismatch", "the SHA-256 is not the manifest's"
    SIZE_MISMATCH = "size-mismatch", "the length is not the manifest's"
    COUNT_MISMATCH = "count-mismatch", "the number of samples is not the manifest's"
    # Names of members.
    PATH_TRAVERSAL = "path-traversal", "a name is absolute or climbs out with .."
    SLASH_IN_KEY = "slash-in-key", "a key holds a slash, which some readers keep and some cut"
    DOT_IN_KEY = "dot-in-key", "a key holds a dot: readers cut it there and merge samples"
    NON_ASCII_KEY = "non-ascii-key", "a key holds bytes outside ASCII"
    BAD_KEY = "bad-key", "a key is not [a-z0-9][a-z0-9_-]{0,79}"
    NO_EXTENSION = "no-extension", "a name has no extension: readers drop the member"
    BAD_PART = "bad-part", "an extension is not a lower-case word of at most ten characters"
    UPPER_CASE_PART = "upper-case-part", "an extension has capitals: readers disagree on its name"
    REPEATED_KEY = "repeated-key", "one key twice in a shard"
    NON_ADJACENT_PARTS = "non-adjacent-parts", "a sample's parts are apart: read as two samples"
    PARTS_UNSORTED = "parts-unsorted", "a sample's parts are not in alphabetical order"
    # Equal parts and equal columns.
    PART_MISSING_EARLY = "part-missing-early", "one of the first five samples lacks a part"
    PART_MISSING_LATER = "part-missing-later", "a later sample lacks a part"
    PART_EXTRA = "part-extra", "a sample has a part that the others do not have"
    JSON_BROKEN = "json-broken", "the json part is not one JSON object"
    JSON_NULL = "json-null", "a top-level field is null: the column's type is left to chance"
    JSON_NESTED = "json-nested", "a top-level field is a list or an object"
    JSON_INT_RANGE = "json-int-range", "an integer does not fit in 64 bits with a sign"
    JSON_TYPE_DRIFT = "json-type-drift", "a field changes its type between samples"
    JSON_FIELD_NEW = "json-field-new", "a field that the other samples lack: dropped silently"
    JSON_FIELD_MISSING = "json-field-missing", "a field of the other samples is absent"
    JSON_KEY_MISMATCH = "json-key-mismatch", "the field `key` is not the key of the sample"
    # Pictures.
    IMAGE_MAGIC = "image-magic", "the first bytes are not those of the extension's format"
    IMAGE_BROKEN = "image-broken", "the picture does not end where its format says"
    IMAGE_METADATA = "image-metadata", "the picture carries EXIF, text, a profile or a time"
    # The record.
    RECORD_FALSE = "record-false", "a record contradicts itself: its own answer does not pass"
    # The run folder.
    MANIFEST_MISSING = "manifest-missing", "no readable manifest: the run is not complete"
    PARTIAL_FILE = "partial-file", "a file that was never published"
    SHARD_MISSING = "shard-missing", "the manifest names a shard that is not there"
    SHARD_UNKNOWN = "shard-unknown", "a shard that the manifest does not name"
    SHARD_GAP = "shard-gap", "the numbers of a series of shards have a gap"
    KEY_IN_TWO_SHARDS = "key-in-two-shards", "one key in two shards of a split"
    KEY_IN_TWO_SPLITS = "key-in-two-splits", "one key in two splits"
    SUMS_MISSING = "sums-missing", "there is no SHA256SUMS"
    SUMS_BROKEN = "sums-broken", "a line of SHA256SUMS is not a digest and a name"
    SUMS_MISMATCH = "sums-mismatch", "a file is not what SHA256SUMS says"
    SUMS_ABSENT_FILE = "sums-absent-file", "SHA256SUMS names a file that is not there"
    SUMS_NOT_LISTED = "sums-not-listed", "a file that SHA256SUMS does not name"


@dataclass(frozen=True)
class Problem:
    """One thing wrong: its code, the shard or file (relative to the run), the key, and values.

    ``key`` is empty when the problem is the whole file's. Bytes of a name that are no
    UTF-8 are written as escapes, so that every problem can be printed and sent as JSON.
    """

    code: Code
    shard: str
    key: str
    message: str

    def __post_init__(self) -> None:
        for field in ("shard", "key", "message"):
            printable = getattr(self, field).encode("utf-8", "backslashreplace").decode()
            object.__setattr__(self, field, printable)


class Findings:
    """The problems of one file, at most ``LISTED_PER_CODE`` of each code."""

    def __init__(self, shard: str) -> None:
        self.shard = shard
        self._problems: list[Problem] = []
        self._counts: Counter[Code] = Counter()

    def add(self, code: Code, message: str, *, key: str = "") -> None:
        """Note one problem."""
        self._counts[code] += 1
        if self._counts[code] <= LISTED_PER_CODE:
            self._problems.append(Problem(code, self.shard, key, message))

    def listing(self) -> list[Problem]:
        """What was found, in order; then, for each code that was cut short, how many more."""
        more = [
            Problem(code, self.shard, "", f"and {count - LISTED_PER_CODE} more of this kind")
            for code, count in self._counts.items()
            if count > LISTED_PER_CODE
        ]
        return self._problems + more
