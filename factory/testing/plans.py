"""Plans without pixels: what is fixed for a key, over plates that are laid out and not painted.

Thousands of draws need to know where the puzzle stands and in which language,
and nothing of how the page looks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import cv2

from factory.config import RunConfig
from factory.core.puzzle import PuzzleType
from factory.core.rng import SampleKey
from factory.draw.compose import Plate
from factory.engine.plates import PlateBank
from factory.engine.studio import Plan, Studio


class Sketches(Studio):
    """A studio whose plates have no pixels; everything else is the studio's."""

    def plate(self, ref: str) -> Plate:
        """The plate's placement, words and facts."""
        if ref not in self._cache:
            self._cache[ref] = self._sketched(ref)
        return self._cache[ref]

    def _sketched(self, ref: str) -> Plate:
        site = self.plates.site(ref)
        assert site is not None  # plates that do not fit are in no cell of the mixture
        recipe = site.entry.recipe
        return Plate(
            placement=site.placement,
            canvas=cast("Any", None),
            areas={},
            patches=(),
            goal_style=site.layout.goal_style,
            facts={"id": ref, "viewport": recipe.viewport.name, "tokens": recipe.tokens},
            lang=recipe.lang,
            theme=recipe.look.mode,
            context=recipe.context,
        )


class Plans:
    """Sketches by seed and plans by key: the same for every variant of a class."""

    def __init__(self, studio: Studio) -> None:
        self._first = studio
        self._sketches: dict[int, Sketches] = {}
        self._plans: dict[SampleKey, Plan] = {}

    def studio(self, seed: int) -> Sketches:
        """A studio of the same config at another seed, without pixels."""
        if seed not in self._sketches:
            config = self._first.config.model_copy(update={"seed": seed})
            self._sketches[seed] = studio = Sketches(config, self._first.plates)
            studio.puzzle = self._first.puzzle
        return self._sketches[seed]

    def resized(self, n: int) -> Sketches:
        """A studio of the same config that is asked for ``n`` samples of train."""
        config = self._first.config.model_copy(update={"n": n, "split": "train"})
        studio = Sketches(config, self._first.plates)
        studio.puzzle = self._first.puzzle
        return studio

    def plan(self, key: SampleKey) -> Plan:
        """The plan of a key."""
        if key not in self._plans:
            self._plans[key] = self.studio(key.seed).plan(key)
        return self._plans[key]


def studio_for(cls: type[PuzzleType[Any, Any]], config: RunConfig, bank: Path | None) -> Studio:
    """A studio of a class that need not be the registered one of the config's type."""
    cv2.setNumThreads(1)
    studio = Studio(config, PlateBank.open(cls, config, bank))
    studio.puzzle = cls(cls.Options(**config.options))
    studio.generator = f"{cls.id}@{cls.version}"
    return studio
