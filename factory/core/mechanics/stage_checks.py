"""Stages put together and taken apart: golds in one sequence, predicted verdicts.

The verdict on a changed stage follows from that stage alone: the whole passes when the stage
is solved by its very last event, and fails when it is never solved. Where a stage would be
left in the middle of a changed gold, what is left over goes to the next one, and nothing is
predicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from factory.core.actions import ActionBase, Click, PressEnter
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point
from factory.core.mechanics import AnyMechanic, Perturbation, judge
from factory.core.mechanics.events import Key, Release, clock_after, lower, lower_each

if TYPE_CHECKING:
    from factory.core.mechanics.stages import Stages


def shifted(actions: Sequence[ActionBase], by_ms: float) -> list[ActionBase]:
    """The actions with their absolute times moved."""
    if not by_ms:
        return list(actions)
    return [
        a if a.t_ms is None else msgspec.structs.replace(a, t_ms=a.t_ms + by_ms) for a in actions
    ]


def duration_ms(actions: Sequence[ActionBase]) -> float:
    """When the clock stands after the actions."""
    clock = 0.0
    for event in lower(actions):
        clock = clock_after(clock, event)
    return clock


def joined(golds: Sequence[Sequence[ActionBase]]) -> list[ActionBase]:
    """One sequence of several, each on a clock of its own that begins when it does."""
    actions: list[ActionBase] = []
    for gold in golds:
        timed = any(action.t_ms is not None for action in gold)
        actions += shifted(gold, duration_ms(actions)) if timed and actions else list(gold)
    return actions


def split(stages: Stages, gold: Sequence[ActionBase]) -> list[list[ActionBase]]:
    """What goes to each stage, on its own clock; ``InvalidOptions`` when one is not solved."""
    slices: list[list[ActionBase]] = [[] for _ in stages.parts]
    world = stages.start()
    for action, events in zip(gold, lower_each(gold), strict=True):
        if world.at == len(slices):
            raise InvalidOptions(f"the gold of stages goes on after the last one: {action}")
        slices[world.at] += shifted([action], -world.entered_ms)
        for event in events:
            world = stages.step(world, event)
    if world.at < len(slices):
        raise InvalidOptions(f"the gold of stages leaves stage {world.at + 1} unsolved")
    return slices


def _ends_well(part: AnyMechanic, actions: Sequence[ActionBase], retries: int) -> bool | None:
    """Whether a stage is solved by the last event; ``None`` when it is left before that."""
    world, events = part.start(), lower(actions)
    for place, event in enumerate(events):
        world = part.step(world, event)
        if isinstance(event, Release | Key):
            last = place + 1 == len(events)
            if part.verdict(world).passed:
                return True if last else None
            if retries and getattr(world, "submitted", False) and not last:
                return None
    return False


def _inside(
    stages: Stages, golds: Sequence[list[ActionBase]], width: float, height: float
) -> Iterator[Perturbation]:
    """The perturbations of each stage between the golds of the others."""
    for k, part in enumerate(stages.parts):
        for name, actions, passes in part.perturbations(golds[k], width, height):
            if _ends_well(part, actions, stages.retries) is passes:
                changed = joined([*golds[:k], actions, *golds[k + 1 :]])
                yield Perturbation(f"stage_{k + 1}_{name}", changed, passes)


def _orders(stages: Stages, golds: Sequence[list[ActionBase]]) -> Iterator[Perturbation]:
    """Nothing, a stage left out, two in the other order, something after the end."""
    yield Perturbation("nothing", [], False)
    for k in range(len(golds)):
        yield Perturbation(f"dropped_stage_{k + 1}", joined([*golds[:k], *golds[k + 1 :]]), False)
    if not judge(stages.parts[0], golds[1]).passed:
        crossed = joined([golds[1], golds[0], *golds[2:]])
        yield Perturbation("exchanged_stages", crossed, False)


def stages_quick_perturbations(stages: Stages, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample; what is inside the stages is left to the suite."""
    return list(_orders(stages, split(stages, gold)))


def stages_perturbations(
    stages: Stages, gold: Sequence[ActionBase], width: float, height: float
) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    golds = split(stages, gold)
    return [
        *_orders(stages, golds),
        Perturbation("added_click", [*gold, Click(Point(0.0, 0.0))], False),
        Perturbation("added_key", [*gold, PressEnter()], False),
        Perturbation("last_stage_twice", [*gold, *golds[-1]], False),
        *_inside(stages, golds, width, height),
        *_made_good(stages, golds, width, height),
    ]


def _made_good(
    stages: Stages, golds: Sequence[list[ActionBase]], width: float, height: float
) -> Iterator[Perturbation]:
    """A wrong submit in the first stage, then everything again."""
    first = stages.parts[0]
    for _, actions, passes in first.perturbations(golds[0], width, height):
        world = first.start()
        for event in lower(actions):
            world = first.step(world, event)
        if not passes and getattr(world, "submitted", False) and not getattr(world, "fault", ""):
            again = joined([actions, *golds])
            yield Perturbation("made_good", again, stages.retries > 0)
            return
