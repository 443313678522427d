"""Minimal healthy classes, one a mechanic: what the saboteurs of other mechanics than slide break.

They are not registered: ``subject_of_class`` gives them the pages and keys of ``rotate``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from factory.config import RunConfig
from factory.core.puzzle import PuzzleType
from factory.engine.generate import complete
from factory.testing import Subject
from factory.testing.plans import studio_for
from saboteurs.plain import eyes
from saboteurs.plain.bars import Bars
from saboteurs.plain.board import Board
from saboteurs.plain.code import Code
from saboteurs.plain.lamps import Lamps
from saboteurs.plain.steps import Steps

CLASSES: tuple[type[PuzzleType[Any, Any]], ...] = (Bars, Board, Code, Lamps, Steps)

JUDGES: Mapping[str, Any] = {
    "bars": eyes.OfBars(), "board": eyes.OfBoard(), "lamps": eyes.OfLamps(), "steps": eyes.OfSteps()
}  # fmt: skip


@cache
def subject_of_class(cls: type[PuzzleType[Any, Any]]) -> Subject:
    """A subject of a class that no registry knows."""
    config = complete(RunConfig.build(type="rotate"))
    return Subject(studio_for(cls, config, None), judge=JUDGES.get(cls.id))
