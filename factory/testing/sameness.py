"""C1, C2: the same key gives the same bytes everywhere, other keys give other puzzles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from factory.core.errors import CapacityExceeded, Rejected
from factory.core.rng import SPLITS, Stream
from factory.testing.labels import share_of
from factory.testing.looks import distances, looks
from factory.testing.outcome import ALPHA, REMADE, Budget, Outcome, outcome
from factory.testing.remake import digests
from factory.testing.statistics import binomial_ceiling
from factory.testing.subject import Draw, Subject

LEAST_KINDS, MOST_OF_ONE = 5, 0.30
"""Kinds of content that a class with pictures has, and the largest share of one."""

LEAST_MEDIAN, LEAST_NEAREST = 24, 6
"""Bits of 64 by which slots differ in the median, and the nearest neighbours at least."""

MOST_NEAR = 0.01
"""Slots whose nearest neighbour may be nearer, as a share; luck is counted on top of it."""

PAIRS = 2000

NUMBERED = 40
"""Contents of each kind and split whose assets are compared."""


def same_bytes(subject: Subject, budget: Budget) -> Outcome:
    """C1: equal bytes again, in fresh processes, in reverse, and with three workers."""
    keys = [made.key for made in subject.made(REMADE)]
    here = digests(keys, subject.studio)
    faults = list(_differ(here, digests(keys[::-1], subject.studio), "made again in this process"))
    if not faults:
        for world, there in subject.remade().items():
            faults += _differ(here, there, world)
    return outcome(faults, f"{REMADE} samples equal 4 times over")


def _differ(here: Any, there: Any, where: str) -> Iterator[str]:
    for key, parts in here.items():
        if "error" in there[key]:
            yield f"{key} fails {where}: {there[key]['error']}"
            continue
        for part in parts:
            if there[key][part] != parts[part]:
                yield f"{key} differs {where}: {part}"


def distinct(subject: Subject, budget: Budget) -> Outcome:
    """C2: neighbouring indices and seeds share no draws, splits share no puzzle, none repeats."""
    count = max(200, budget.states // 10)
    room = subject.studio.capacity("train")
    here = subject.draws(min(budget.states, room))
    other = subject.draws(min(count, room), seed=subject.studio.config.seed + 1)
    faults = list(_shifted(subject, here[:count], other))
    prints = Counter(subject.puzzle.fingerprint(draw.state) for draw in here)
    twins = sum(n - 1 for n in prints.values())
    if twins:
        faults.append(f"{twins} of {len(here)} puzzles repeat within the capacity of {room}")
    if len({draw.state.model_dump_json() for draw in here}) < len(here):
        faults.append("two indices have one state")
    if len(here) < budget.states:
        faults += _beyond(subject, room)
    faults += _splits_share(subject, count)
    slots = budget.pictures
    apart, nearest, near = _apart(subject, slots) if subject.puzzle.pictorial else (64.0, 64.0, 0)
    if subject.puzzle.pictorial:
        faults += _few_kinds(subject)
        if apart < LEAST_MEDIAN or near > binomial_ceiling(slots, MOST_NEAR, ALPHA):
            faults.append(
                f"slots look alike: median distance {apart:.0f} of 64 bits (floor {LEAST_MEDIAN}),"
                f" {near} of {slots} have a neighbour nearer than {LEAST_NEAREST}"
            )
    looked = f", {apart:.0f} bits apart, nearest {nearest:.0f}" if subject.puzzle.pictorial else ""
    return outcome(
        faults,
        f"{len(prints)} distinct puzzles, splits apart{looked}",
        twins=twins,
        apart=apart,
        nearest=nearest,
    )


def _few_kinds(subject: Subject) -> Iterator[str]:
    """Sources of content of a class with pictures: enough of them, none too common."""
    contents = subject.puzzle.contents("train")
    total = sum(content.share for content in contents)
    if len(contents) < LEAST_KINDS:
        yield (
            f"{len(contents)} kinds of content, {LEAST_KINDS} are due"
            " (`pictorial = False` where slots show no pictures)"
        )
    for content in contents:
        if content.share / total > MOST_OF_ONE + 1e-9:
            yield f"{content.share / total:.0%} of the contents are of kind '{content.kind}'"


def _apart(subject: Subject, count: int) -> tuple[float, float, int]:
    """Median distance of random pairs of slots, how near the nearest 1 % of neighbours are, and
    how many slots have one that is too near.

    In the unit of the perceptual hash, bits of 64.
    """
    between = distances([look.phash for look in looks(subject, count)])
    stream = Stream("pairs of slots")
    pairs = [stream.sample(range(count), 2) for _ in range(PAIRS)]
    np.fill_diagonal(between, 65)
    neighbours = between.min(axis=1)
    return (
        float(np.median([between[a, b] for a, b in pairs])),
        float(np.percentile(neighbours, 100 * MOST_NEAR)),
        int((neighbours < LEAST_NEAREST).sum()),
    )


def _beyond(subject: Subject, room: int) -> Iterator[str]:
    """A class that holds fewer puzzles than are asked for has to refuse the rest."""
    try:
        subject.plans.resized(room + 1).check_capacity()
        yield f"{room + 1} samples are accepted where {room} are distinct"
    except CapacityExceeded:
        pass


def _shifted(subject: Subject, here: list[Draw], other: list[Draw]) -> Iterator[str]:
    """Labels that come again at a shifted index: the mark of ``seed + index``."""
    ours, theirs = ([_labels(subject, draw) for draw in draws] for draws in (here, other))
    chance = sum((n / len(ours)) ** 2 for n in Counter(ours).values())
    series = [("the next seed", theirs, range(-3, 4)), ("the same seed", ours, range(1, 4))]
    for name, second, shifts in series:
        for shift in shifts:
            pairs = list(zip(ours[max(0, -shift) :], second[max(0, shift) :], strict=False))
            equal = sum(a == b for a, b in pairs)
            if equal > binomial_ceiling(len(pairs), chance, ALPHA):
                yield f"{equal} of {len(pairs)} labels come again {shift:+d} further in {name}"


def _labels(subject: Subject, draw: Draw) -> tuple[float, ...]:
    """The fixed labels of a draw as shares of their ranges; one alone says most of a shift."""
    labels = subject.labels(draw).values()
    return tuple(round(share_of(label), 4) for label in labels if label.fixed)


def _splits_share(subject: Subject, count: int) -> Iterator[str]:
    """Puzzles that a split repeats or two splits share, and assets behind equal numbers of their
    contents."""
    prints: dict[str, set[str]] = {}
    for split in SPLITS:
        own = subject.draws(min(count, subject.studio.capacity(split)), split=split)
        prints[split] = {subject.puzzle.fingerprint(draw.state) for draw in own}
        if len(prints[split]) < len(own) and split != "train":  # which is looked at further
            yield f"{len(own) - len(prints[split])} of {len(own)} puzzles repeat in {split}"
    assets = {split: set(_first_assets(subject, split)) for split in SPLITS}
    for first, second in combinations(SPLITS, 2):
        for what, values in (("puzzle", prints), ("asset", assets)):
            common = values[first] & values[second]
            if common:
                yield f"{first} and {second} share {len(common)} {what}s, {min(common)} first"


def _first_assets(subject: Subject, split: str) -> Iterator[str]:
    """Assets of the first contents of every kind that a split has."""
    scene = subject.scene(subject.key(0, split=split))
    for content in subject.puzzle.contents(split):
        for number in range(min(NUMBERED, content.capacity)):
            asked = replace(scene, split=split, content_kind=content.kind, content_number=number)
            with suppress(Rejected):
                yield from _assets(subject.puzzle.sample(asked).model_dump(mode="json"))


def _assets(value: Any) -> Iterator[str]:
    """Every text under a key ``asset`` in a JSON value, with its ``kind``."""
    if isinstance(value, dict):
        if value.get("asset"):
            yield f"{value.get('kind', '')}:{value['asset']}"
        for inner in value.values():
            yield from _assets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _assets(inner)
