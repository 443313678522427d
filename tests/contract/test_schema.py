"""The record's published schema changes only together with its version."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import orjson

from factory.core.record import SCHEMA_VERSION, json_schema

KNOWN = Path(__file__).resolve().parents[1] / "golden" / f"record-schema@{SCHEMA_VERSION}.json"


def test_schema_is_the_one_that_was_published_under_its_version() -> None:
    known = orjson.loads(KNOWN.read_bytes())
    now = orjson.loads(orjson.dumps(json_schema()))
    assert now == known, (
        f"the record's schema changed: raise SCHEMA_VERSION, or before a release write "
        f"json_schema() to {KNOWN.name} again"
    )


def test_schema_is_a_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
