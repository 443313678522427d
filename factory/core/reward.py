"""Verdicts become rewards here and nowhere else.

Training, evaluation and exported reward files all use these functions. Every reward is
finite, lies in [0, 1] and is defined for any input: empty text, None, NaN, prose. Whether
the *form* is right is told by the strict readers, what was *meant* by the tolerant ones.
Defaults marked (n/s) are ours, since the papers state no number.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec

from factory.core import actions as act
from factory.core import answers
from factory.core.action_scan import parse_tolerant
from factory.core.action_text import (
    REFUSAL,
    ActionSyntaxError,
    parse_grounding,
    parse_grounding_tolerant,
    parse_strict,
    split_response,
)
from factory.core.actions import Action, ActionBase
from factory.core.errors import InvalidOptions
from factory.core.geometry import GRID, Box
from factory.core.mechanics import Verdict, failed, from_payload, judge

MAX_PAYLOAD_SIDE_PX = 100_000.0
"""A canvas is no larger; guards the arithmetic against a broken payload."""


class GroundingWeights(NamedTuple):
    """Weights of form and outcome (n/s)."""

    format: float = 0.1
    point: float = 0.9


class ActionWeights(NamedTuple):
    """Weights of form and action, and the coordinate tiers in cells of the 0-1000 grid (n/s)."""

    format: float = 0.1
    action: float = 0.9
    near: float = 20.0
    far: float = 50.0
    alpha: float = 1.0


class CaptchaWeights(NamedTuple):
    """Weights of form, type sequence and the mechanic's verdict (n/s)."""

    format: float = 0.1
    types: float = 0.3
    outcome: float = 0.6


GROUNDING_WEIGHTS = GroundingWeights()
ACTION_WEIGHTS = ActionWeights()
CAPTCHA_WEIGHTS = CaptchaWeights()


class Reward(NamedTuple):
    """The total and its parts, each in [0, 1] before weighting; ``reason`` is the verdict's."""

    total: float
    format: float
    types: float
    outcome: float
    reason: str = ""


def _total(*parts: tuple[float, float]) -> float:
    """The weighted sum, held in [0, 1]."""
    total = math.fsum(weight * part for weight, part in parts)
    return min(1.0, max(0.0, total)) if math.isfinite(total) else 0.0


# Grounding


def gaussian_point_reward(x: float, y: float, box: Box) -> float:
    """GUI-G2's dense reward (arXiv 2507.15846): 1 at the centre, sigma half the side."""
    if box.width <= 0 or box.height <= 0:
        return 0.0
    dx, dy = x - box.center.x, y - box.center.y
    squares = (dx / (0.5 * box.width)) ** 2 + (dy / (0.5 * box.height)) ** 2
    return math.exp(-0.5 * squares)


def grounding_reward(
    text: object,
    box: Box | None,
    size: tuple[float, float],
    *,
    weights: GroundingWeights = GROUNDING_WEIGHTS,
    dense: bool = False,
) -> Reward:
    """The reward of a ``[x,y]`` answer for a target ``box`` in px of a canvas of ``size``.

    ``box`` None is an infeasible item: only exactly ``[-1,-1]`` is right. The box is inclusive;
    cells are read at their centre. ``dense`` replaces the hit by ``gaussian_point_reward``.
    """
    if not isinstance(text, str):
        return Reward(0.0, 0.0, 0.0, 0.0, "not_text")
    try:
        answer: tuple[float, float] | None = parse_grounding(text)
        form = 1.0
    except ActionSyntaxError:
        answer, form = parse_grounding_tolerant(text), 0.0
    outcome, reason = _grounding_outcome(answer, box, size, dense)
    return Reward(
        _total((weights.format, form), (weights.point, outcome)), form, 0.0, outcome, reason
    )


def _grounding_outcome(
    answer: tuple[float, float] | None, box: Box | None, size: tuple[float, float], dense: bool
) -> tuple[float, str]:
    """``(score, reason)`` of an answer in cells."""
    if answer is None:
        return 0.0, "no_answer"
    if answer == REFUSAL:
        return (1.0, "refused") if box is None else (0.0, "refused_feasible")
    if box is None:
        return 0.0, "answered_infeasible"
    x, y = ((cell + 0.5) * side / GRID for cell, side in zip(answer, size, strict=True))
    if dense:
        return gaussian_point_reward(x, y, box), "dense"
    inside = box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
    return (1.0, "inside") if inside else (0.0, "outside")


# Single actions


_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]|\w+|[^\w\s]")


def token_f1(written: str, wanted: str) -> float:
    """Token F1, case-folded; a CJK character and a punctuation mark are tokens of their own."""
    a, b = (Counter(_TOKEN.findall(text.casefold())) for text in (written, wanted))
    if not a or not b:
        return float(a == b)
    common = (a & b).total()
    return 2.0 * common / (a.total() + b.total())


def _tier(a: Sequence[float], b: Sequence[float], weights: ActionWeights) -> float:
    """``alpha``, half of it or 0 by the distance in cells."""
    distance = math.dist(a, b)
    if distance < weights.near:
        return weights.alpha
    return weights.alpha / 2 if distance < weights.far else 0.0


def _line_direction(action: act.Swipe) -> str:
    """The main direction of a swipe."""
    dx, dy = action.end[0] - action.start[0], action.end[1] - action.start[1]
    if abs(dx) >= abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _scroll_score(same_direction: bool, places: Sequence[float]) -> float:
    """1.5b, b or 0.5b over 1.5b: direction and both ends, one end, direction alone."""
    if not same_direction:
        return 0.0
    hits = sum(place > 0 for place in places) / len(places)
    return 1.0 if hits == 1 else 2 / 3 if hits > 0 else 1 / 3


def argument_score(action: ActionBase, gold: ActionBase, weights: ActionWeights) -> float:
    """How right the arguments are, in [0, 1], for two actions of one type, in grid cells.

    Points by tier (the mean over several), text by token F1, keys and index by equality; a Swipe
    by direction and ends, a Scroll by direction and place (its one place counts as both ends).
    Distances count up to ``weights.far``.
    """
    if type(action) is not type(gold):
        return 0.0
    arguments = act.ARGUMENTS[type(gold)]
    pairs = {name: (getattr(action, name), getattr(gold, name)) for name, _ in arguments}
    tiers = [_tier(*pairs[name], weights) for name, kind in arguments if kind == "point"]
    if isinstance(action, act.Swipe) and isinstance(gold, act.Swipe):
        return _scroll_score(_line_direction(action) == _line_direction(gold), tiers)
    if isinstance(gold, act.Scroll):
        mine, wanted = pairs["direction"]
        return _scroll_score(mine == wanted, tiers)
    scores = [*tiers]
    for name, kind in arguments:
        mine, wanted = pairs[name]
        if kind == "text":
            scores.append(token_f1(mine, wanted))
        elif kind != "point":
            scores.append(float(mine == wanted))
    return math.fsum(scores) / len(scores) if scores else 1.0


def action_reward(
    text: object, gold: ActionBase, *, weights: ActionWeights = ACTION_WEIGHTS
) -> Reward:
    """The reward of one action as text against a gold in grid cells (UI-Venus, 2508.10833).

    ``R_action = (R_type + R_arguments) / 2``; without arguments the type is all. A text with
    more than one action, or none, scores no action.
    """
    form, found = read_actions(text)
    if len(found) != 1:
        reason = "no_action" if not found else "several_actions"
        return Reward(_total((weights.format, form)), form, 0.0, 0.0, reason)
    types = float(type(found[0]) is type(gold))
    outcome = argument_score(found[0], gold, weights) if types else 0.0
    total = _total((weights.format, form), (weights.action, (types + outcome) / 2))
    return Reward(total, form, types, outcome, "scored" if types else "wrong_type")


# CAPTCHA sequences


def read_actions(text: object) -> tuple[float, list[Action]]:
    """``(format, actions in grid cells)`` of a response: 1.0 and the strict reading, else 0.0
    and the tolerant one, which is empty for what is no text."""
    if not isinstance(text, str):
        return 0.0, []
    try:
        return 1.0, parse_strict(split_response(text).action_text)
    except ActionSyntaxError:
        return 0.0, [parsed.action for parsed in parse_tolerant(text)]


def _opened(payload: object) -> Mapping[str, Any] | None:
    """The payload as a mapping, decoded when it is JSON; None when it is neither."""
    if isinstance(payload, str | bytes):
        try:
            payload = msgspec.json.decode(payload)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return None
    return cast("Mapping[str, Any]", payload) if isinstance(payload, Mapping) else None


def _canvas(record: Mapping[str, Any]) -> tuple[float, float] | None:
    """The canvas size in px out of ``size``; None when it is no usable pair."""
    size = record.get("size")
    if not isinstance(size, list | tuple) or len(cast("list[Any]", size)) != 2:
        return None
    width, height = cast("Sequence[Any]", size)
    for side in (width, height):
        if type(side) not in (int, float) or not 0 < side <= MAX_PAYLOAD_SIDE_PX:
            return None
    return float(width), float(height)


def verdict(payload: object, text: object) -> Verdict:
    """The verdict on a model's text by a record's payload; neither class nor pixels are needed.

    ``payload`` is a mapping, or its JSON, with ``mechanic`` (``mechanics.to_payload``, mapped to
    the canvas) and ``size`` (``[width, height]`` of the canvas, px). ``text`` holds actions in
    grid cells, with or without the response form; cells are read at their centre. Tasks about a
    place or in words are answered as ``factory.core.answers`` says. Never raises: a broken payload
    fails with ``bad_payload``.
    """
    record = _opened(payload)
    size = None if record is None else _canvas(record)
    if record is not None and size is not None and answers.is_answer(record.get("mechanic")):
        return answers.verdict(cast("Mapping[str, Any]", record["mechanic"]), text, size)
    return _verdict(payload, read_actions(text)[1])


def _verdict(payload: object, found: Sequence[ActionBase]) -> Verdict:
    record = _opened(payload)
    size = None if record is None else _canvas(record)
    if record is None or size is None:
        return failed("bad_payload")
    try:
        mechanic = from_payload(record.get("mechanic"))
    except InvalidOptions:
        return failed("bad_payload")
    return judge(mechanic, [act.from_grid(action, *size) for action in found])


def _slots(found: Sequence[ActionBase], names: Sequence[str], per_slot: bool) -> float:
    """Whether the types are the gold's, or with ``per_slot`` the share of slots that are."""
    mine = [type(action).__name__ for action in found]
    if not per_slot or not mine or not names:
        return float(bool(mine) and mine == list(names))
    same = sum(a == b for a, b in zip(mine, names, strict=False))
    return same / max(len(mine), len(names))


def captcha_reward(
    payload: object,
    text: object,
    *,
    weights: CaptchaWeights = CAPTCHA_WEIGHTS,
    per_slot: bool = False,
) -> Reward:
    """0.1 form + 0.3 type sequence + 0.6 verdict of a whole response.

    Beside what ``verdict`` needs, the payload has ``actions``: the gold, as
    ``actions.to_builtins`` writes it. ``per_slot`` gives the share of right types for a sequence
    that is not all right.
    """
    form, found = read_actions(text)
    decision = _verdict(payload, found)
    record = _opened(payload) or {}
    gold: object = record.get("actions")
    names = [
        str(cast("Mapping[str, Any]", item).get("action"))
        for item in (cast("list[object]", gold) if isinstance(gold, list) else [])
        if isinstance(item, Mapping)
    ]
    types = _slots(found, names, per_slot)
    total = _total(
        (weights.format, form), (weights.types, types), (weights.outcome, decision.score)
    )
    return Reward(total, form, types, decision.score, decision.reason)
