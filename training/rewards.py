"""From an example and a response to a reward: ``factory.core.reward``, chosen by what was asked.

Training and evaluation both come here, so what is trained on is what is measured. A reward is
defined for any text and any payload; nothing here raises for them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

import msgspec

from factory.core import actions as act
from factory.core import answers, reward
from factory.core.action_text import REFUSAL, parse_grounding_tolerant, split_tolerant
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.reward import (
    ACTION_WEIGHTS,
    CAPTCHA_WEIGHTS,
    GROUNDING_WEIGHTS,
    ActionWeights,
    CaptchaWeights,
    GroundingWeights,
    Reward,
)

Kind = Literal["captcha", "grounding", "answer", "action"]
KINDS: tuple[Kind, ...] = ("captcha", "grounding", "answer", "action")
"""A sequence judged by its mechanic, a place, words, and one action against its gold."""


class Asked(Protocol):
    """The part of an example that rewards need."""

    @property
    def kind(self) -> str:
        """One of ``KINDS``."""
        ...

    @property
    def payload(self) -> Mapping[str, Any]:
        """``mechanic``, ``size`` (canvas px) and the gold ``actions`` (canvas px)."""
        ...


@dataclass(frozen=True)
class Task:
    """What a trainer's row carries of an example; ``of_json`` reads what ``to_json`` wrote."""

    kind: str
    payload: Mapping[str, Any]
    domain: str = ""
    lang: str = ""

    def to_json(self) -> str:
        """One line for a column of text."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def of_json(cls, line: str) -> Task:
        """The task; ``InvalidOptions`` when the line is none."""
        try:
            return msgspec.json.decode(line, type=cls)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise InvalidOptions(f"not a task of a training row: {error}") from error


@dataclass(frozen=True)
class RewardOptions:
    """Weights and variants. ``dense`` pays places by distance, ``per_slot`` pays part sequences."""

    grounding: GroundingWeights = GROUNDING_WEIGHTS
    action: ActionWeights = ACTION_WEIGHTS
    captcha: CaptchaWeights = CAPTCHA_WEIGHTS
    dense: bool = False
    per_slot: bool = False


DEFAULTS = RewardOptions()


def options_of(config: Mapping[str, Any]) -> RewardOptions:
    """The options of a ``training.config.RewardConfig``, by the names of its fields."""
    return RewardOptions(
        grounding=GroundingWeights(*config["grounding"]),
        action=ActionWeights(*config["action"]),
        captcha=CaptchaWeights(*config["captcha"]),
        dense=config["dense"],
        per_slot=config["per_slot"],
    )


def score(asked: Asked, text: object, options: RewardOptions = DEFAULTS) -> Reward:
    """The reward of a response with its parts; 0 with a reason where the payload is broken."""
    payload = asked.payload
    if asked.kind == "captcha":
        return reward.captcha_reward(
            payload, text, weights=options.captcha, per_slot=options.per_slot
        )
    if asked.kind == "grounding":
        return _place(payload, text, options)
    if asked.kind == "answer":
        return _words(payload, text, options.grounding)
    if asked.kind == "action":
        return _action(payload, text, options.action)
    return Reward(0.0, 0.0, 0.0, 0.0, "unknown_kind")


def refused(asked: Asked, text: object) -> bool:
    """Whether the response says that what is asked for is not there."""
    if asked.kind != "grounding" or not isinstance(text, str):
        return False
    return parse_grounding_tolerant(split_tolerant(text).action_text) == REFUSAL


def _place(payload: Mapping[str, Any], text: object, options: RewardOptions) -> Reward:
    """A place in any of the boxes: the best of them; without boxes the exact refusal."""
    boxes, size = _boxes(payload), _size(payload)
    if boxes is None or size is None:
        return Reward(0.0, 0.0, 0.0, 0.0, "bad_payload")
    scored = [
        reward.grounding_reward(text, box, size, weights=options.grounding, dense=options.dense)
        for box in (boxes or [None])
    ]
    return max(scored, key=lambda one: one.total)


def _words(payload: Mapping[str, Any], text: object, weights: GroundingWeights) -> Reward:
    """An answer in words: all of it or nothing. Its form is right when it says something."""
    if not isinstance(text, str):
        return Reward(0.0, 0.0, 0.0, 0.0, "not_text")
    verdict = reward.verdict(payload, text)
    form = float(bool(answers.normal(split_tolerant(text).action_text)))
    # A text that says anything has the form of words: paid for only where the answer is right,
    # or prose about anything would earn a tenth.
    total = weights.format * form * verdict.score + weights.point * verdict.score
    return Reward(min(1.0, total), form, 0.0, verdict.score, verdict.reason)


def _action(payload: Mapping[str, Any], text: object, weights: ActionWeights) -> Reward:
    """One action against the first gold action, which is in canvas px."""
    size = _size(payload)
    try:
        gold = act.from_builtins(payload.get("actions"))
    except InvalidOptions:
        gold = []
    if size is None or not gold:
        return Reward(0.0, 0.0, 0.0, 0.0, "bad_payload")
    return reward.action_reward(text, act.to_grid(gold[0], *size), weights=weights)


def _size(payload: Mapping[str, Any]) -> tuple[float, float] | None:
    """The canvas in px; None when it is no pair of positive numbers."""
    size = payload.get("size")
    if not isinstance(size, list | tuple) or len(cast("Sequence[Any]", size)) != 2:
        return None
    if not all(type(side) in (int, float) and 0 < side < math.inf for side in size):
        return None
    return float(size[0]), float(size[1])


def _boxes(payload: Mapping[str, Any]) -> list[Box] | None:
    """The boxes of a place, px of the canvas; None when the payload is of nothing like it."""
    mechanic = payload.get("mechanic")
    if not isinstance(mechanic, Mapping) or mechanic.get("mechanic") != answers.PLACE:
        return None
    found: list[Box] = []
    edges = mechanic.get("boxes")
    for box in edges if isinstance(edges, list | tuple) else [None]:
        if not isinstance(box, list | tuple) or len(box) != 4:
            return None
        if not all(type(edge) in (int, float) and math.isfinite(edge) for edge in box):
            return None
        found.append(Box(*map(float, box)))
    return found
