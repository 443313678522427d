"""What the contract suite looks at: a class with a studio, its draws and its samples.

A draw is a sample without pixels: the same placement, label, state and gold
actions that the engine would use. Thousands of draws cost a second or two, so
whatever can be told from states is told from states.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from factory.core.actions import ActionBase
from factory.core.errors import AttemptsExhausted, Rejected
from factory.core.mechanics import AnyMechanic, gate
from factory.core.puzzle import Bitmap, Choice, Label, Placement, PuzzleType, Scene
from factory.core.record import Record
from factory.core.rng import Rng, SampleKey
from factory.engine.made import Made
from factory.engine.make import MAX_ATTEMPTS, make_record
from factory.engine.studio import Plan, Studio
from factory.testing.answers import AnswerSpace, Room, answers
from factory.testing.outcome import REMADE, Digests
from factory.testing.painting import area_box
from factory.testing.plans import Plans


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
    reasons: Counter[str]

    @property
    def placement(self) -> Placement:
        """Where the puzzle stands."""
        return self.scene.placement

    @cached_property
    def space(self) -> AnswerSpace[Any, Any]:
        """All answers that somebody might give to it."""
        return answers(self.mechanic, self.gold, area_box(self.placement, "slot"))


@dataclass(frozen=True)
class View:
    """What an independent judge may look at.

    The decoded picture (BGR; ``pictures`` are all that the sample has), the record for what is
    printed and where, and ``state`` only to hand it to the class for a raster of its solved pose.
    """

    picture: Bitmap
    pictures: tuple[Bitmap, ...]
    record: Record
    state: Any


class Judge(Protocol):
    """A module of ``tests/solvers``: solves from pixels, sharing no code with the class.

    Where an answer can be nearly right it also has ``CLOSE``, the largest error that counts as
    agreement, and ``error(mechanic, actions)`` in the same unit; without them it agrees when
    the mechanic passes its actions. ``MISREADS`` is the share, at most 0.05, of pictures on which
    this judge is known to be wrong and the label right, each looked at by eye; 0 without it.
    """

    def solve(self, view: View) -> list[ActionBase]:
        """The answer in canvas px."""
        ...


def by_mechanic(draws: Iterable[Draw]) -> list[list[Draw]]:
    """Draws of one mechanic together, for a class may choose among several."""
    groups: dict[str, list[Draw]] = {}
    for draw in draws:
        groups.setdefault(str(draw.mechanic.__struct_config__.tag), []).append(draw)
    return list(groups.values())


def likeliest_labels(labels: Mapping[str, Label]) -> float:
    """How likely the likeliest values of all labels are together; whole numbers for even ones."""
    found = 1.0
    for label in labels.values():
        if isinstance(label, Choice):
            weights = label.weights or (1.0,) * label.options
            found *= max(weights) / math.fsum(weights)
        else:
            found *= min(1.0, 1.0 / max(1.0, label.high - label.low))
    return found


class Subject:
    """One class under test."""

    def __init__(
        self,
        studio: Studio,
        *,
        judge: Judge | None = None,
        golden: Path | None = None,
        docs: Path | None = None,
        plans: Plans | None = None,
        elsewhere: Callable[[Subject], Mapping[str, Digests]] | None = None,
    ) -> None:
        self.studio = studio
        self.judge = judge
        self.golden = golden
        self.docs = docs
        self.elsewhere = elsewhere
        self.plans = plans or Plans(studio)
        self._draws: dict[SampleKey, Draw] = {}
        self._made: dict[SampleKey, Made] = {}
        self.seen: dict[SampleKey, Any] = {}
        """What ``factory.testing.looks`` found, by key."""

    def of(self, cls: type[PuzzleType[Any, Any]]) -> Subject:
        """The same studio with another class in the place of its own."""
        studio = self.studio.with_puzzle(cls(self.puzzle.options))
        return Subject(
            studio, judge=self.judge, golden=self.golden, docs=self.docs, plans=self.plans
        )

    @property
    def puzzle(self) -> PuzzleType[Any, Any]:
        """The class's instance."""
        return self.studio.puzzle

    @property
    def reference(self) -> str:
        """``module:Class``, for another process."""
        cls = type(self.puzzle)
        return f"{cls.__module__}:{cls.__qualname__}"

    def remade(self) -> Mapping[str, Digests]:
        """Digests of the first ``REMADE`` samples by the other processes that made them again."""
        if self.elsewhere is not None:
            return self.elsewhere(self)
        from factory.testing.remake import remade  # which needs this module

        return remade([self], REMADE)[self.reference]

    def rejections(self, draws: Iterable[Draw]) -> Counter[str]:
        """Why draws were refused before the ones that were kept."""
        return sum((draw.reasons for draw in draws), Counter())

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
            pictures=plan.pictures,
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
            return Draw(
                key, self.plans.plan(key), scene, state, mechanic, gold, attempt + 1, reasons
            )
        raise AttemptsExhausted(MAX_ATTEMPTS, reasons, key=str(key))

    def draws(self, count: int, *, split: str = "train", seed: int | None = None) -> list[Draw]:
        """The draws of the first ``count`` indices."""
        return [self.draw(self.key(index, split=split, seed=seed)) for index in range(count)]

    def labels(self, draw: Draw) -> Mapping[str, Label]:
        """The labels that the class declares for a draw."""
        return self.puzzle.labels(draw.state, draw.scene)

    def room(self, draws: Sequence[Draw]) -> Room:
        """What the chance of a right answer is measured against, over draws of one mechanic."""
        spaces = [draw.space for draw in draws]
        likeliest = [likeliest_labels(self.labels(draw)) for draw in draws]
        return type(spaces[0]).room(spaces, math.fsum(likeliest) / len(likeliest))

    def draw_of(self, made: Made) -> Draw:
        """The draw of a finished sample: its own state, which pixels may have helped to choose."""
        draw = self.draw(made.key)
        state = type(draw.state).model_validate(made.record.state)
        if state == draw.state:
            return draw
        scene = self.scene(made.key, made.record.attempts - 1)
        place = scene.placement
        mechanic = self.puzzle.mechanic(state, place).mapped(place.canvas_from_panel)
        gold = mechanic.gold(scene.rng.fresh("gold"))
        return replace(draw, scene=scene, state=state, mechanic=mechanic, gold=gold)

    def made(self, count: int) -> list[Made]:
        """The first ``count`` samples with their pixels."""
        keys = [self.key(index) for index in range(count)]
        for key in keys:
            if key not in self._made:
                self._made[key] = make_record(key, self.studio)
        return [self._made[key] for key in keys]
