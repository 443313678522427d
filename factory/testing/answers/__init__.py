"""What the suite must know of each mechanic: all answers that somebody might give.

The module of a mechanic has the name of its tag and defines ``Space``, so a
new mechanic adds one file here. ``answers`` gives the space of a draw.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from factory.core.actions import ActionBase
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.testing.answers.space import Anchor, AnswerSpace, Room

__all__ = ["Anchor", "AnswerSpace", "Room", "answers"]


def answers(mechanic: AnyMechanic, gold: Sequence[ActionBase], slot: Box) -> AnswerSpace[Any, Any]:
    """The answers of a mechanic whose content stands in ``slot``; all in canvas px."""
    return _space(str(mechanic.__struct_config__.tag))(mechanic, tuple(gold), slot)


@cache
def _space(tag: str) -> type[AnswerSpace[Any, Any]]:
    try:
        module = importlib.import_module(f"{__name__}.{tag}")
    except ModuleNotFoundError as error:
        raise InvalidOptions(
            f"the contract suite knows no answers of mechanic '{tag}': "
            f"write factory/testing/answers/{tag}.py"
        ) from error
    return module.Space
