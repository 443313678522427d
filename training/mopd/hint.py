"""The hint that a teacher reads and the student does not: the types of the right actions.

It goes behind the prompt's text, so the teacher's prompt is the student's plus these words, and
the student's token ids never hold them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from factory.core.actions import ACTION_BY_NAME
from training.rewards import Asked

REFUSES, POINTS, WORDS = "refuse", "point", "words"
"""The types of answers that are no actions."""

MOST_NAMED = 12
"""Longer sequences are told by their first types and their number."""

_SAID = {
    "en": {
        REFUSES: "Hint: what is asked for is not on the screen, so the right answer refuses.",
        POINTS: "Hint: what is asked for is on the screen, so the right answer is a point.",
        WORDS: "Hint: the right answer is in words.",
        "one": "Hint: the right action is of the type {types}.",
        "many": "Hint: the right actions are of these types, in order: {types}.",
    },
    "zh": {
        REFUSES: "提示：屏幕上没有所要的目标，正确的回答是拒绝。",
        POINTS: "提示：屏幕上有所要的目标，正确的回答是一个点。",
        WORDS: "提示：正确的回答是文字。",
        "one": "提示：正确动作的类型是 {types}。",
        "many": "提示：正确动作的类型依次是：{types}。",
    },
}


def gold_types(asked: Asked) -> tuple[str, ...]:
    """The correct types z*, one a slot; empty when the payload does not tell."""
    mechanic = asked.payload.get("mechanic")
    if asked.kind == "grounding":
        boxes = cast("Mapping[str, Any]", mechanic or {}).get("boxes")
        return (POINTS,) if boxes else (REFUSES,)
    if asked.kind == "answer":
        return (WORDS,)
    gold = asked.payload.get("actions")
    items = cast("list[Any]", gold) if isinstance(gold, list | tuple) else []
    names = [item.get("action") for item in items if isinstance(item, Mapping)]
    return tuple(name for name in names if name in ACTION_BY_NAME)


def hint(types: Sequence[str], lang: str = "en") -> str:
    """The words for these types; empty for none. Unknown languages read English."""
    said = _SAID.get(lang, _SAID["en"])
    if not types:
        return ""
    if len(types) == 1:
        return said.get(types[0]) or said["one"].format(types=types[0])
    named = ", ".join(types[:MOST_NAMED])
    rest = f", ... ({len(types)})" if len(types) > MOST_NAMED else ""
    return said["many"].format(types=named + rest)


def hinted(prompt: str, asked: Asked, lang: str = "en") -> str:
    """The teacher's prompt text: the student's, a blank line and the hint."""
    words = hint(gold_types(asked), lang)
    return f"{prompt}\n\n{words}" if words else prompt
