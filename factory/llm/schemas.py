"""JSON schemas of our models, in the dialect that servers take."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel

LIMITS = {
    "minLength", "maxLength", "pattern", "minItems", "maxItems", "minimum", "maximum",
}  # fmt: skip
"""Keywords that some servers do not take; our own check stands either way."""
DROPPED = {"title", "description", "default"}


@cache
def _schema(kind: type[BaseModel]) -> dict[str, Any]:
    found = kind.model_json_schema()
    return _plain(found, found.get("$defs", {}))


def schema_of(kind: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model without references, every field required, nothing beside them."""
    return _schema(kind)


def _plain(node: Any, named: dict[str, Any]) -> Any:
    """References replaced by what they name; titles and defaults left out."""
    if isinstance(node, list):
        return [_plain(one, named) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(named[node["$ref"].rpartition("/")[2]], named)
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":  # here keys are names of fields, not keywords
            out[key] = {name: _plain(one, named) for name, one in value.items()}
        elif key != "$defs" and key not in DROPPED:
            out[key] = _plain(value, named)
    if "properties" in out:
        out["required"] = list(out["properties"])
        out["additionalProperties"] = False
    return out


def without_limits(schema: Any) -> Any:
    """The schema without limits of length, size and form."""
    if isinstance(schema, list):
        return [without_limits(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_limits(one) for name, one in value.items()}
        if key == "properties"
        else without_limits(value)
        for key, value in schema.items()
        if key not in LIMITS
    }
