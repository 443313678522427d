"""How much each sampled token counts: the table of structured, action-aware weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from training.mopd.spans import Role, Token
from training.mopd.status import Status


class Lambdas(NamedTuple):
    """Weights of the table; the defaults are those of the design.

    ``span`` is of type and argument tokens whose arguments are wrong, ``type`` of type tokens
    where the type is wrong or nothing can be read.
    """

    correct: float = 0.0
    span: float = 2.0
    type: float = 2.0
    think: float = 1.0


DEFAULTS = Lambdas()

MASKED = 0.0
"""Arguments of a wrong type: what the teacher thinks of them says nothing about the right type."""


def token_weight(token: Token, lambdas: Lambdas = DEFAULTS) -> float:
    """The entry of the table for one token."""
    if token.role is Role.OTHER or token.status is None:
        return lambdas.think
    if token.status is Status.CORRECT:
        return lambdas.correct
    if token.status is Status.ARGUMENTS:
        return lambdas.span
    return lambdas.type if token.role is Role.TYPE else MASKED


def token_weights(
    found: Sequence[Token], lambdas: Lambdas = DEFAULTS, *, structure: bool = True
) -> list[float]:
    """The weights of a response; without ``structure`` every token counts 1."""
    if not structure:
        return [1.0] * len(found)
    return [token_weight(token, lambdas) for token in found]
