"""Answers that are taps on drawn things: zones, near misses, labels, reasoning."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box, points_of
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.points import Points
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Choice, Label, WrongResponse
from factory.core.record import ReasonStep, Slot
from factory.core.rng import Stream

NAMES: Mapping[str, tuple[str, str]] = {"en": (", ", " and "), "zh": ("、", "、")}
"""What stands between the names of a list, and before the last."""


Hull = Sequence[tuple[float, float]]
"""Corners of an outline, px from the picture's corner."""


class Placed(Hashable, Protocol):
    """A thing in a picture; ``x`` and ``y`` are its middle, px from the picture's corner."""

    @property
    def x(self) -> float: ...

    @property
    def y(self) -> float: ...


P = TypeVar("P", bound=Placed)


def zones(
    role: str, things: Sequence[P], area: Box, hull: Callable[[P], Hull]
) -> dict[str, Box | Zone]:
    """Regions ``role.0``, ``role.1`` ... of things, in panel px."""
    return {f"{role}.{k}": zone_of(thing, area, hull) for k, thing in enumerate(things)}


@lru_cache(maxsize=1024)
def zone_of(thing: P, slot: Box, hull: Callable[[P], Hull]) -> Zone:
    """The outline of a thing in panel px; ``slot`` is the picture in the panel. Remembered."""
    xs, ys = np.round(np.array(hull(thing)) + np.array([slot.x0, slot.y0]), 6).T.tolist()
    return Zone(points_of(xs, ys))


def send(submit: Box | None) -> list[ActionBase]:
    """The click on the button, where there is one."""
    return [] if submit is None else [Click(submit.center)]


def wrong_orders(mechanic: OrderedPoints, stream: Stream) -> list[WrongResponse]:
    """Near misses in canvas px: orders, one too few, one too many, one that is not meant."""
    right = [zone.center for zone in mechanic.targets]
    at = stream.integer(1, len(right))
    swapped = [*right[: at - 1], right[at], right[at - 1], *right[at + 1 :]]
    answers = {"two swapped": swapped, "one left out": right[:-1], "one twice": [*right, right[0]]}
    if mechanic.others:
        other = stream.choice(mechanic.others).center
        answers["one too many"] = [*right, other]
        answers["another instead"] = [*right[:at], other, *right[at + 1 :]]
    return [
        WrongResponse(name, (*(Click(point) for point in points), *send(mechanic.submit)))
        for name, points in answers.items()
    ]


def wrong_sets(mechanic: Points, stream: Stream) -> list[WrongResponse]:
    """Near misses in canvas px for all targets in any order: one more, one less, another."""
    right = [zone.center for zone in mechanic.targets]
    at = stream.integer(0, len(right))
    rest = [*right[:at], *right[at + 1 :]]
    answers = {"one twice": [*right, right[at]]}
    if rest:
        answers["one left out"] = rest
    if mechanic.others:
        other = stream.choice(mechanic.others).center
        answers["one too many"] = [*right, other]
        answers["another instead"] = [*rest, other]
    return [
        WrongResponse(name, (*(Click(point) for point in points), *send(mechanic.submit)))
        for name, points in answers.items()
    ]


def reading_order(things: Sequence[P], row: float) -> list[P]:
    """Things from top to bottom and left to right; ``row`` px of height count as one row."""
    return sorted(things, key=lambda thing: (int(thing.y // row), thing.x, thing.y))


def order_labels(
    targets: Sequence[P], scene: Sequence[P], name: Callable[[P], str]
) -> dict[str, Label]:
    """Which thing of the scene comes first and last: by place from the left and by name."""
    count, by_name = len(scene), sorted(map(name, scene))
    by_place = sorted((thing.x, thing.y) for thing in scene)
    first, last = targets[0], targets[-1]
    return {
        f"place of the first of {count}": Choice(by_place.index((first.x, first.y)), count),
        f"place of the last of {count}": Choice(by_place.index((last.x, last.y)), count),
        f"the first of {count}": Choice(by_name.index(name(first)), count),
        f"the last of {count}": Choice(by_name.index(name(last)), count),
    }


def listed(names: Sequence[str], lang: str) -> str:
    """Names as a list in words: ``A, B and C``."""
    between, last = NAMES[lang]
    return last.join([*([between.join(names[:-1])] if names[1:] else []), names[-1]])


def explained(
    blocks: Mapping[str, Sequence[str]],
    stream: Stream,
    slots: Mapping[str, Slot],
    names: Sequence[str],
    gold: Sequence[ActionBase],
    lang: str,
) -> tuple[ReasonStep, ...]:
    """A sentence a block, in their order; ``{spots}`` becomes ``A is at {at0}, B is at {at1}``.

    ``names`` are of what the first actions of ``gold`` click; the block ``spot`` says how one
    is put, the block ``send`` is left out where the gold clicks no button.
    """
    points = [list(action.point) for action in gold if isinstance(action, Click)]
    known: dict[str, Slot] = dict(slots)
    for k, name in enumerate(names):
        known |= {f"name{k}": Slot("name", name), f"point{k}": Slot("point", points[k])}
    if len(points) > len(names):
        known["submit"] = Slot("point", points[-1])
    each = stream.choice(blocks["spot"])
    parts = [each.format(name=f"{{name{k}}}", point=f"{{point{k}}}") for k in range(len(names))]
    steps: list[ReasonStep] = []
    for block, sentences in blocks.items():
        if block == "spot" or (block == "send" and "submit" not in known):
            continue
        template = stream.choice(sentences).replace("{spots}", listed(parts, lang))
        used = {name: slot for name, slot in known.items() if "{" + name + "}" in template}
        steps.append(ReasonStep(template=template, slots=used))
    return tuple(steps)
