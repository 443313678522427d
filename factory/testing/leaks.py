"""Guesses at the answer by small models, from everything that should not tell it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from statistics import NormalDist, median
from typing import Any

from factory.core.puzzle import Choice, Label
from factory.testing.labels import share_of
from factory.testing.looks import Look
from factory.testing.probes import accuracy, majority, one_hot
from factory.testing.subject import Draw, Subject

DOUBT = 1e-3
"""Level of the lower bound of a probe's accuracy, divided among the probes of a class."""

FEWEST = 80
"""Draws below which a probe says nothing."""

MOST_OPTIONS, RANGE_PARTS = 12, 4
"""Values of a choice, and parts of a range, that a probe has to tell apart."""

Probe = tuple[str, float, float, int]
"""What was guessed from what, accuracy, chance, draws."""


def probed(subject: Subject, draws: Sequence[Draw]) -> Iterator[Probe]:
    """Labels and places guessed from the key, the page, the panel and the goal's wording."""
    columns: dict[str, list[tuple[Draw, Hashable]]] = defaultdict(list)
    for draw in draws:
        for name, label in subject.labels(draw).items():
            columns[f"'{name}'"].append((draw, _level(label)))
        place = draw.space.place(draw.space.solved)
        if place is not None:
            columns["the answer's place"].append((draw, place))
    for name, rows in columns.items():
        own, values = [draw for draw, _ in rows], [value for _, value in rows]
        if len(own) < FEWEST or len(set(values)) < 2:
            continue
        surroundings = _surroundings(own)
        yield f"{name} from key and page", accuracy(surroundings, values), *_base(values)
    own = [draw for draw in draws if draw.space.place(draw.space.solved) is not None]
    places = [draw.space.place(draw.space.solved) for draw in own]
    if len(own) >= FEWEST and len(set(places)) > 1:
        words = one_hot({"goal": [_wording(subject, draw) for draw in own]}, most=40)
        if words.shape[1]:
            # A goal may bound the place where a label's name says the same bound.
            names = [" ".join(sorted(subject.labels(draw))) for draw in own]
            known = accuracy(one_hot({"range": names}, most=40), places)
            chance = max(known, majority(places))
            yield "the answer's place from the goal", accuracy(words, places), chance, len(own)


def _base(values: Sequence[Hashable]) -> tuple[float, int]:
    return majority(values), len(values)


def _level(label: Label) -> Hashable:
    """What of a label a probe has to tell."""
    if isinstance(label, Choice):
        few = label.options <= MOST_OPTIONS
        return label.value if few else int(share_of(label) * MOST_OPTIONS)
    return int(share_of(label) * RANGE_PARTS)


def _surroundings(draws: Sequence[Draw]) -> Any:
    """Features of everything about a sample that is not its content."""
    columns: dict[str, list[Any]] = defaultdict(list)
    for draw in draws:
        place, index = draw.placement, draw.key.index
        corner = place.canvas_from_panel((0.0, 0.0))
        columns["index"].append(index)
        for divisor in (2, 3, 4, 5, 7, 10):
            columns[f"index by {divisor}"].append(index % divisor)
        columns["plate"].append(draw.plan.plate.facts["id"])
        columns["tokens"].append(place.tokens)
        columns["lang"].append(place.lang)
        columns["context"].append(draw.plan.plate.context)
        columns["mode"].append(draw.plan.instruction_mode)
        columns["size"].append(place.width_px)
        columns["ratio"].append(place.height_px / place.width_px)
        columns["left"].append(corner.x / place.width_px)
        columns["top"].append(corner.y / place.height_px)
        for name in ("panel", "slot"):
            box = place.boxes[name]
            columns[f"{name} width"].append(box.width)
            columns[f"{name} height"].append(box.height)
            columns[f"{name} top"].append(box.y0)
        columns["controls"].append(tuple(name for name in place.boxes if name != "footer"))
    return one_hot(columns)


def _wording(subject: Subject, draw: Draw) -> str:
    """The goal's slots, which differ from draw to draw where its phrases do not."""
    slots = subject.puzzle.goal_slots(draw.state, draw.placement.lang)
    return "|".join(slots[name] for name in sorted(slots))


def probed_pictures(seen: Sequence[Look]) -> Iterator[Probe]:
    """Places guessed from colours and file size of the slot, which hold no place."""
    rows = [(look, look.draw.space.place(look.draw.space.solved)) for look in seen]
    rows = [(look, place) for look, place in rows if place is not None]
    values = [place for _, place in rows]
    if len(rows) < FEWEST or len(set(values)) < 2:
        return
    features = one_hot(
        {
            "size": [look.size for look, _ in rows],
            "density": _for_scale([look for look, _ in rows]),
            "area": [look.area for look, _ in rows],
            "spread": [look.spread for look, _ in rows],
            **{f"mean {n}": [look.mean[n] for look, _ in rows] for n in range(3)},
        }
    )
    told = accuracy(features, values)
    yield "the answer's place from colours and file size", told, *_base(values)


def _for_scale(seen: Sequence[Look]) -> list[float]:
    """Bytes a px, over the median of the slots of the same scale, which decides most of it."""
    groups: dict[float, list[float]] = defaultdict(list)
    for look in seen:
        groups[look.draw.placement.px_per_css].append(look.size / look.area)
    usual = {scale: median(values) for scale, values in groups.items()}
    return [look.size / look.area / usual[look.draw.placement.px_per_css] for look in seen]


def guessed(found: Sequence[Probe]) -> Iterator[str]:
    """Probes whose lower bound of accuracy exceeds chance."""
    if not found:
        return
    reach = NormalDist().inv_cdf(1.0 - DOUBT / len(found))
    for name, told, chance, count in found:
        # The commonest value is counted on the same draws: its own luck is part of the doubt.
        doubt = reach * (max(told * (1 - told), chance * (1 - chance)) / count) ** 0.5
        if told - doubt > chance:
            yield f"{name} is guessed in {told:.1%} of {count} draws, chance is {chance:.1%}"
