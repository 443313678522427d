"""What the contract suite looks at: a class with a studio, its draws and its samples.

A draw is a sample without pixels: the same placement, label, state and gold
actions that the engine would use. Thousands of draws cost a second or two, so
whatever can be told from states is told from states.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from factory.core import registry
from factory.core.actions import ActionBase
from factory.core.errors import AttemptsExhausted, Rejected
from factory.core.mechanics import AnyMechanic, gate
from factory.core.puzzle import Bitmap, Placement, PuzzleType, Scene
from factory.core.record import Record
from factory.core.rng import Rng, SampleKey
from factory.engine.make import MAX_ATTEMPTS, Made, make_record
from factory.engine.studio import Plan, Studio

ALPHA = 1e-4
"""Level of every statistical check: keys are fixed, so a check that passes once always does."""


@dataclass(frozen=True)
class Budget:
    """How much a check may look at: rendered samples, states, and states judged one by one."""

    renders: int
    states: int
    judged: int


QUICK = Budget(renders=8, states=2000, judged=60)
"""Seconds a class, for every test run."""

LONG = Budget(renders=500, states=10_000, judged=500)
"""Minutes a class."""


@dataclass(frozen=True)
class Outcome:
    """What a check found. ``skipped`` says that its means were absent: neither good nor bad."""

    ok: bool
    evidence: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    skipped: bool = False


def outcome(faults: Iterable[str], good: str, **figures: Any) -> Outcome:
    """Ok when there are no faults; else the first three and their number."""
    found = list(faults)
    if not found:
        return Outcome(True, good, figures)
    more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
    return Outcome(False, "; ".join(found[:3]) + more, figures)


@dataclass(frozen=True)
class Draw:
    """A sample without pixels; ``mechanic`` and ``gold`` are in canvas px."""

    key: SampleKey
    plan: Plan
    scene: Scene
    state: Any
    mechanic: AnyMechanic
    gold: list[ActionBase]
    attempts: int

    @property
    def placement(self) -> Placement:
        """Where the puzzle stands."""
        return self.scene.placement


@dataclass(frozen=True)
class View:
    """What an independent judge may look at.

    The decoded picture (BGR), the record for what is printed and where, and
    ``state`` only to hand it to the class for a raster of its solved pose.
    """

    picture: Bitmap
    record: Record
    state: Any


class Judge(Protocol):
    """A module of ``tests/solvers``: solves from pixels, sharing no code with the class."""

    CLOSE: float
    """Largest ``error`` that counts as agreement, in the unit of the class's tolerance."""

    def solve(self, view: View) -> list[ActionBase]:
        """The answer in canvas px."""
        ...

    def error(self, mechanic: AnyMechanic, actions: list[ActionBase]) -> float:
        """How far the answer is from the stored one."""
        ...


class Plans:
    """Studios by seed and plans by key: dear to make, and the same for every variant of a class."""

    def __init__(self, studio: Studio) -> None:
        self._studios = {studio.config.seed: studio}
        self._plans: dict[SampleKey, Plan] = {}

    def studio(self, seed: int) -> Studio:
        """The studio of the same config at another seed."""
        if seed not in self._studios:
            first = next(iter(self._studios.values()))
            config = first.config.model_copy(update={"seed": seed})
            self._studios[seed] = Studio(config, first.plates)
        return self._studios[seed]

    def plan(self, key: SampleKey) -> Plan:
        """The plan of a key."""
        if key not in self._plans:
            self._plans[key] = self.studio(key.seed).plan(key)
        return self._plans[key]


class Subject:
    """One class under test."""

    def __init__(
        self,
        studio: Studio,
        *,
        judge: Judge | None = None,
        golden: Path | None = None,
        plans: Plans | None = None,
    ) -> None:
        self.studio = studio
        self.judge = judge
        self.golden = golden
        self.plans = plans or Plans(studio)
        self._draws: dict[SampleKey, Draw] = {}
        self._made: dict[SampleKey, Made] = {}

    def of(self, cls: type[PuzzleType[Any, Any]]) -> Subject:
        """The same studio with another class in the place of its own."""
        studio = copy.copy(self.studio)
        studio.puzzle = cls(self.puzzle.options)
        return Subject(studio, judge=self.judge, golden=self.golden, plans=self.plans)

    @property
    def puzzle(self) -> PuzzleType[Any, Any]:
        """The class's instance."""
        return self.studio.puzzle

    @property
    def reference(self) -> str:
        """``module:Class``, for another process."""
        cls = type(self.puzzle)
        return f"{cls.__module__}:{cls.__qualname__}"

    @cached_property
    def installed(self) -> bool:
        """Whether workers, who ask the registry, get this very class."""
        return registry.get(self.studio.config.type) is type(self.puzzle)

    def key(self, index: int, *, split: str = "train", seed: int | None = None) -> SampleKey:
        """A key of this config."""
        config = self.studio.config
        seed = config.seed if seed is None else seed
        return SampleKey(config.type, split, seed, self.studio.digest, index)

    def scene(self, key: SampleKey, attempt: int = 0) -> Scene:
        """What the class samples from at an attempt of a key."""
        plan = self.plans.plan(key)
        studio = self.plans.studio(key.seed)
        return Scene(
            rng=Rng.of(key).retry(attempt),
            placement=plan.plate.placement,
            split=key.split,
            difficulty=plan.difficulty,
            content_kind=plan.content_kind,
            content_number=studio.content_number(key, plan, attempt),
        )

    def draw(self, key: SampleKey) -> Draw:
        """The first draw of a key that the class's check and the grid accept."""
        if key not in self._draws:
            self._draws[key] = self._drawn(key)
        return self._draws[key]

    def _drawn(self, key: SampleKey) -> Draw:
        reasons: Counter[str] = Counter()
        for attempt in range(MAX_ATTEMPTS):
            scene = self.scene(key, attempt)
            try:
                state = self.puzzle.sample(scene)
                self.puzzle.check(state)
            except Rejected as rejected:
                reasons[rejected.reason] += 1
                continue
            place = scene.placement
            mechanic = self.puzzle.mechanic(state, place).mapped(place.canvas_from_panel)
            gold = mechanic.gold(scene.rng.fresh("gold"))
            # Anything but the grid is a fault that the checks shall find and name.
            if gate(mechanic, gold, place.width_px, place.height_px).broken == "grid":
                reasons["grid"] += 1
                continue
            return Draw(key, self.plans.plan(key), scene, state, mechanic, gold, attempt + 1)
        raise AttemptsExhausted(MAX_ATTEMPTS, reasons, key=str(key))

    def draws(self, count: int, *, split: str = "train", seed: int | None = None) -> list[Draw]:
        """The draws of the first ``count`` indices."""
        return [self.draw(self.key(index, split=split, seed=seed)) for index in range(count)]

    def place(self, draw: Draw) -> float:
        """The label's place in its declared range, in [0, 1]."""
        low, high = self.puzzle.label_range(draw.scene)
        return (self.puzzle.label(draw.state) - low) / (high - low)

    def made(self, count: int) -> list[Made]:
        """The first ``count`` samples with their pixels."""
        keys = [self.key(index) for index in range(count)]
        for key in keys:
            if key not in self._made:
                self._made[key] = make_record(key, self.studio)
        return [self._made[key] for key in keys]
