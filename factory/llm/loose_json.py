"""The JSON object in what a model says, whatever is said around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from factory.llm.reasons import Bad, BadAnswer

_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
DEEPEST = 64


def json_in(text: str) -> dict[str, Any]:
    """The first object that can be read: the whole text, a fenced block, or from brace to brace.

    A comma before a closing bracket is forgiven; ``BadAnswer`` says where it failed otherwise.
    """
    fault = "there is no JSON object in it"
    for part in _parts(text):
        for read in (part, _STRING_OR_COMMA.sub(_without_comma, part)):
            try:
                found = json.loads(read, parse_constant=_no_constant)
            except (ValueError, RecursionError) as error:
                fault = str(error)
                continue
            if isinstance(found, dict) and _depth_of(found) <= DEEPEST:
                return found
            fault = "it is no JSON object, or too deep"
    raise BadAnswer(Bad.NOT_JSON, fault)


def _parts(text: str) -> Iterator[str]:
    yield text.strip()
    yield from (match.strip() for match in _FENCE.findall(text))
    start = text.find("{")
    if start >= 0:
        yield from (whole for whole in [_braced(text[start:])] if whole)


def _braced(text: str) -> str:
    """From the first brace to the one that closes it; strings are passed over."""
    depth, inside, at = 0, False, 0
    while at < len(text):
        letter = text[at]
        if inside:
            at += letter == "\\"
            inside = letter != '"'
        elif letter == '"':
            inside = True
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
            if depth == 0:
                return text[: at + 1]
        at += 1
    return ""


def _without_comma(match: re.Match[str]) -> str:
    return "" if match[0] == "," else match[0]


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _depth_of(value: Any) -> int:
    """Levels of nesting, counted without recursion."""
    deepest, left = 0, [(value, 1)]
    while left:
        one, depth = left.pop()
        deepest = max(deepest, depth)
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        left += [(item, depth + 1) for item in inner]
    return deepest
