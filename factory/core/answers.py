"""Answers about a picture that are no actions: a place, that there is none, or words.

They stand where other tasks have a mechanic: ``{"mechanic": "place", "boxes": [...]}`` is
answered by ``[x,y]`` inside any of the boxes or, where there are none, by ``[-1,-1]``;
``{"mechanic": "words", "texts": [...]}`` by any of the texts. Boxes are in px of the canvas,
half-open, ``[x0, y0, x1, y1]``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, cast

from factory.core.action_text import (
    REFUSAL,
    format_grounding,
    parse_grounding_tolerant,
    split_tolerant,
)
from factory.core.actions import ActionBase, Answer, Click
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point, from_grid, to_grid
from factory.core.mechanics import SOLVED, Verdict, failed

PLACE, WORDS = "place", "words"
_EDGES = re.compile(r"^[\s\"'“”‘’.。,，!！?？]+|[\s\"'“”‘’.。,，!！?？]+$")


def place(boxes: Sequence[Box]) -> dict[str, Any]:
    """The payload of a place in any of the boxes; of none, of a refusal."""
    return {"mechanic": PLACE, "boxes": [box.as_list() for box in boxes]}


def words(texts: Sequence[str]) -> dict[str, Any]:
    """The payload of an answer in words; ``InvalidOptions`` without any, or with an empty one."""
    if not texts or not all(normal(text) for text in texts):
        raise InvalidOptions(f"an answer in words needs texts, and none of them empty: {texts}")
    return {"mechanic": WORDS, "texts": list(texts)}


def is_answer(payload: object) -> bool:
    """Whether a task's ``mechanic`` is one of these."""
    tag = cast("Mapping[Any, Any]", payload).get("mechanic") if isinstance(payload, dict) else None
    return tag in (PLACE, WORDS)


def normal(text: str) -> str:
    """A text as answers compare it: NFKC, without case, edge punctuation and runs of spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", " ", _EDGES.sub("", folded))


def verdict(payload: Mapping[str, Any], text: object, size: tuple[float, float]) -> Verdict:
    """The verdict on a model's text; ``size`` is (width, height) of the canvas, px. Never raises.

    A payload that is broken fails with ``bad_payload``.
    """
    if not isinstance(text, str):
        return failed("not_text")
    said = split_tolerant(text).action_text
    if payload.get("mechanic") == WORDS:
        return _words(payload.get("texts"), said)
    boxes = _boxes(payload.get("boxes"))
    if boxes is None:
        return failed("bad_payload")
    answer = parse_grounding_tolerant(said)
    if answer is None:
        return failed("no_answer")
    if answer == REFUSAL:
        return failed("refused_feasible") if boxes else SOLVED
    if not boxes:
        return failed("answered_infeasible")
    x, y = ((cell + 0.5) * side / 1000.0 for cell, side in zip(answer, size, strict=True))
    return SOLVED if any(box.contains(Point(x, y)) for box in boxes) else failed("outside")


def _words(texts: object, said: str) -> Verdict:
    if not isinstance(texts, list) or not all(
        isinstance(t, str) for t in cast("list[object]", texts)
    ):
        return failed("bad_payload")
    right = {normal(text) for text in cast("list[str]", texts)}
    return SOLVED if normal(said) in right else failed("other_words")


def _boxes(found: object) -> list[Box] | None:
    """The boxes of a payload; None when they are broken."""
    if not isinstance(found, list):
        return None
    boxes: list[Box] = []
    for edges in cast("list[object]", found):
        if not isinstance(edges, list | tuple):
            return None
        numbers = [n for n in cast("Sequence[object]", edges) if type(n) in (int, float)]
        if len(numbers) != 4 or not all(math.isfinite(cast("float", n)) for n in numbers):
            return None
        boxes.append(Box(*cast("list[float]", numbers)))
    return boxes


def spoken(actions: Sequence[ActionBase], size: tuple[float, float]) -> str:
    """What the gold of such a task says: ``[x,y]`` in cells, ``[-1,-1]`` for no action, words.

    ``InvalidOptions`` for any other actions.
    """
    if not actions:
        return format_grounding(None)
    (action,) = actions
    if isinstance(action, Click):
        x, y = (to_grid(v, side) for v, side in zip(action.point, size, strict=True))
        return format_grounding((x, y))
    if isinstance(action, Answer):
        return action.content
    raise InvalidOptions(f"{action} is neither a place nor words")


def survives(point: Point, boxes: Sequence[Box], size: tuple[float, float]) -> bool:
    """Whether the cells of a point still lie in one of the boxes when they are read back."""
    read = Point(*(from_grid(to_grid(v, s), s) for v, s in zip(point, size, strict=True)))
    return any(box.contains(read) for box in boxes)
