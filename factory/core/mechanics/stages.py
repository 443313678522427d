"""Stages: several mechanics that have to be solved one after the other.

Each event goes to the current stage, whose clock begins when it does. A stage is left as
soon as it is solved: when its submit button is tapped or, where none is drawn, by the event
that solves it. What a stage refuses for good, stays refused, except that ``retries`` wrong
submits send back to the first stage, all stages being as new. Anything after the last stage
fails for good with ``extra_action``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self, cast

import msgspec

from factory.core.actions import ActionBase
from factory.core.errors import InvalidOptions
from factory.core.geometry import PlaneMap
from factory.core.mechanics import (
    SOLVED,
    AnyMechanic,
    Mark,
    Mechanic,
    PartPose,
    Perturbation,
    Pose,
    Verdict,
    failed,
    from_payload,
    register_mechanic,
)
from factory.core.mechanics.events import Event, Key, Other, Press, Release, Tick, clock_after
from factory.core.mechanics.stage_checks import (
    joined,
    split,
    stages_perturbations,
    stages_quick_perturbations,
)
from factory.core.rng import Stream

__all__ = ["Stages", "StagesWorld"]


class StagesWorld(msgspec.Struct, frozen=True):
    """Which stage it is, since when, and the worlds of all stages."""

    worlds: tuple[Any, ...]
    at: int = 0
    clock_ms: float = 0.0
    entered_ms: float = 0.0
    resets: int = 0
    fault: str = ""


@register_mechanic
class Stages(Mechanic[StagesWorld], frozen=True, tag="stages", forbid_unknown_fields=True):
    """Mechanics in order (or their payloads, as JSON has them), all in one frame.

    ``visible`` says whether the page shows ``one`` stage at a time, ``page`` of the pose being
    its number, or ``all`` of them.
    """

    stages: tuple[Any, ...]
    visible: Literal["one", "all"] = "one"
    retries: int = 0

    def __post_init__(self) -> None:
        """Payloads become mechanics; refuse fewer than two, and stages in stages."""
        parts = tuple(_mechanic(stage) for stage in self.stages)
        if len(parts) < 2 or self.retries < 0:
            raise InvalidOptions(f"stages are two or more, not {len(parts)}")
        for part in parts:
            if isinstance(part, Stages):
                raise InvalidOptions("a stage is no stages itself")
            if part.verdict(part.start()).passed:
                raise InvalidOptions(f"a stage is solved before it is touched: {part}")
        msgspec.structs.force_setattr(self, "stages", parts)

    @property
    def parts(self) -> tuple[AnyMechanic, ...]:
        """The mechanics of the stages."""
        return cast("tuple[AnyMechanic, ...]", self.stages)

    @property
    def versions(self) -> str:
        """The version with those of the parts: ``1(slide@1,points@1)``."""
        names = [f"{part.__struct_config__.tag}@{part.version}" for part in self.parts]
        return f"{self.version}({','.join(names)})"

    def start(self) -> StagesWorld:
        return StagesWorld(tuple(part.start() for part in self.parts))

    def step(self, world: StagesWorld, event: Event) -> StagesWorld:
        clock = clock_after(world.clock_ms, event)
        if world.fault:
            return world
        if world.at == len(self.parts):
            fault = "extra_action" if isinstance(event, Press | Key | Other) else ""
            return msgspec.structs.replace(world, clock_ms=clock, fault=fault)
        k, part = world.at, self.parts[world.at]
        after = part.step(world.worlds[k], _since(event, world.entered_ms))
        worlds, entered = (*world.worlds[:k], after, *world.worlds[k + 1 :]), world.entered_ms
        resets = world.resets
        if isinstance(event, Release | Key):
            if part.verdict(after).passed:
                k, entered = k + 1, clock
            elif getattr(after, "submitted", False) and resets < self.retries:
                worlds, k, entered, resets = self.start().worlds, 0, clock, resets + 1
        return StagesWorld(worlds, k, clock, entered, resets)

    def verdict(self, world: StagesWorld) -> Verdict:
        if world.fault:
            return failed(world.fault)
        if world.at == len(self.parts):
            return SOLVED
        reason = self.parts[world.at].verdict(world.worlds[world.at]).reason
        return failed(f"stage_{world.at + 1}_{reason}")

    def poses(self, world: StagesWorld) -> list[Pose]:
        """What each stage looks like."""
        both = zip(self.parts, world.worlds, strict=True)
        return [part.pose(own) for part, own in both]

    def pose(self, world: StagesWorld) -> Pose:
        """The pose of the current stage, the last one when all are solved.

        Parts of all stages are there too, as ``0.handle``, ``1.handle``. With ``all`` stages
        visible, page and marks are what the stages themselves say.
        """
        poses, now = self.poses(world), min(world.at, len(self.parts) - 1)
        parts: dict[str, PartPose] = dict(poses[now].parts)
        for k, pose in enumerate(poses):
            parts |= {f"{k}.{name}": part for name, part in pose.parts.items()}
        marks: tuple[Mark, ...] = poses[now].marks
        if self.visible == "all":
            marks = tuple(mark for pose in poses for mark in pose.marks)
        page = now if self.visible == "one" else poses[now].page
        return Pose(parts=parts, page=page, frame=poses[now].frame, marks=marks)

    def gold(self, stream: Stream) -> list[ActionBase]:
        """The golds of the stages, one after the other."""
        return joined([part.gold(stream.child(f"stage/{k}")) for k, part in enumerate(self.parts)])

    def goal_slots(self) -> dict[str, str]:
        """The slots of the stages, numbered from 1: ``handle_1``, ``handle_2``."""
        slots = {"stages": str(len(self.parts))}
        for k, part in enumerate(self.parts):
            slots |= {f"{name}_{k + 1}": value for name, value in part.goal_slots().items()}
        return slots

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        parts = tuple(part.mapped(page_from_panel) for part in self.parts)
        return msgspec.structs.replace(self, stages=parts)

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        both = zip(self.parts, split(self, gold), strict=True)
        return all(part.grid_safe(own, width, height) for part, own in both)

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return stages_perturbations(self, gold, width, height)

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        return stages_quick_perturbations(self, gold)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        """The flags of the stages; one that several have is the conjunction."""
        flags: dict[str, bool] = {}
        for part, own in zip(self.parts, split(self, gold), strict=True):
            for name, good in part.parity(own, width, height).items():
                flags[name] = flags.get(name, True) and good
        return flags


def _mechanic(stage: object) -> AnyMechanic:
    """A stage as a mechanic, whether it is one or its payload."""
    return cast("AnyMechanic", stage) if isinstance(stage, Mechanic) else from_payload(stage)


def _since(event: Event, entered_ms: float) -> Event:
    """The event on the clock of a stage that began at a time."""
    if not entered_ms or isinstance(event, Tick | Other):
        return event
    return msgspec.structs.replace(event, t_ms=event.t_ms - entered_ms)
