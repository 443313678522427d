"""The columns that a reader will infer from the json parts, and where samples disagree.

Hugging Face's reader takes its columns from the first five samples: a later field
vanishes, a later type raises. So all samples must have one signature: the same
top-level fields with the same scalar types. Whatever is nested travels as a string.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

import orjson

from exporters.problems import Code

Signature = tuple[tuple[str, str], ...]
"""Field and type name (``str int float bool``, or ``null nested``), sorted by field."""

_SCALARS: dict[type, str] = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "null",
}
_NOT_COLUMNS = ("null", "nested")
_INT64 = range(-(2**63), 2**63)


def parse_object(data: bytes) -> dict[str, object] | None:
    """The JSON object in ``data``; None when it is not valid JSON or not an object."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def signature(fields: dict[str, object]) -> Signature:
    """Names and types of the top-level fields."""
    return tuple(sorted((name, _SCALARS.get(type(v), "nested")) for name, v in fields.items()))


def field_faults(fields: dict[str, object]) -> Iterator[tuple[Code, str]]:
    """What is wrong with one sample's fields whatever the others hold."""
    for name, value in fields.items():
        if value is None:
            yield Code.JSON_NULL, f"{name!r} is null; write an empty string or -1"
        elif isinstance(value, list | dict):
            yield Code.JSON_NESTED, f"{name!r} is not a scalar; put it into the payload string"
        elif isinstance(value, int) and value not in _INT64:
            yield Code.JSON_INT_RANGE, f"{name!r} is {value}; write it as a string"


def usual(signatures: list[Signature]) -> Signature:
    """The most common signature; of equally common ones the first seen."""
    return Counter(signatures).most_common(1)[0][0]


def drift(found: Signature, expected: Signature) -> Iterator[tuple[Code, str]]:
    """How one sample's columns differ from the expected ones.

    Nulls and nested values are ``field_faults`` and not named a second time here.
    """
    has, wants = dict(found), dict(expected)
    for name in sorted(has.keys() - wants.keys()):
        yield Code.JSON_FIELD_NEW, f"{name!r} ({has[name]}) is in no other sample's columns"
    for name in sorted(wants.keys() - has.keys()):
        yield Code.JSON_FIELD_MISSING, f"{name!r} ({wants[name]}) is absent"
    for name in sorted(has.keys() & wants.keys()):
        kinds = (has[name], wants[name])
        if kinds[0] != kinds[1] and not set(kinds) & set(_NOT_COLUMNS):
            yield Code.JSON_TYPE_DRIFT, f"{name!r} is {kinds[0]}, elsewhere {kinds[1]}"
