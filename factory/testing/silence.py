"""C9: keys, files, prompts, orders and pictures are silent about the answer."""

from __future__ import annotations

import re
import struct
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from factory.core.actions import Type, point_names, to_grid
from factory.core.puzzle import Uniform
from factory.core.rng import SampleKey
from factory.testing.leaks import guessed, probed, probed_pictures
from factory.testing.looks import looks
from factory.testing.outcome import ALPHA, Budget, Outcome, outcome
from factory.testing.statistics import binomial_ceiling
from factory.testing.subject import Draw, Subject

COINCIDENCE = 0.04
"""Share of samples in which a number of the prompt may happen to be one of the answer's."""

CHUNKS_OF_PIXELS = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"sRGB", b"gAMA", b"pHYs"}
"""PNG chunks that say nothing but pixels."""

ORDERED = ("ordered_points",)
"""Mechanics in which the order of an index list is part of the answer."""


def silent(subject: Subject, budget: Budget) -> Outcome:
    """C9: nothing beside the picture's content tells the answer."""
    faults: list[str] = []
    for made in subject.made(budget.renders):
        faults += _carried(made, subject.studio.config.format)
    draws = subject.draws(budget.states)
    told = sum(_tells(subject, draw) for draw in draws)
    if told > COINCIDENCE * len(draws):
        faults.append(f"goals state a number or text of the answer in {told} of {len(draws)} draws")
    faults += _ordered(draws)
    found = [*probed(subject, draws), *probed_pictures(looks(subject, budget.pictures))]
    faults += guessed(found)
    best = max(found, key=lambda probe: probe[1] - probe[2], default=("nothing", 0.0, 0.0, 1))
    return outcome(
        faults,
        f"{len(found)} probes, best {best[0]}: {best[1]:.1%}, chance {best[2]:.1%}",
        told=told,
        gain=round(best[1] - best[2], 4),
    )


def _carried(made: Any, image_format: str) -> Iterator[str]:
    """Keys that say more than they should, and files that carry more than pixels."""
    picture = re.compile(rf"((i\d\d|sheet)\.)?{image_format}")
    pictures = [name for name in made.parts if picture.fullmatch(name)]
    if SampleKey.parse(made.record.key) != made.key or set(made.parts) - {
        "json", "txt", *pictures
    }:  # fmt: skip
        yield f"{made.key}: a part or the key carries more than it should"
    for name in pictures:
        extra = hidden_segments(made.parts[name])
        if extra:
            yield f"{made.key}: the picture carries {', '.join(extra)}"


def _tells(subject: Subject, draw: Draw) -> bool:
    """Whether the goal holds a number of the answer, or a text that has to be typed."""
    printed = list(subject.puzzle.goal_slots(draw.state, draw.plan.plate.lang).values())
    numbers = {int(number) for text in printed for number in re.findall(r"\d+", text)}
    if numbers & _answer_numbers(subject, draw):
        return True
    typed = [a.content.casefold() for a in draw.gold if isinstance(a, Type) and len(a.content) > 1]
    words = {word for text in printed for word in re.findall(r"\w+", text.casefold())}
    return any(text in words or text in map(str.casefold, printed) for text in typed)


def _answer_numbers(subject: Subject, draw: Draw) -> set[int]:
    """The labels and the gold's coordinates, px and grid cells, as whole numbers."""
    width, height = draw.placement.width_px, draw.placement.height_px
    actions = [*draw.gold, *(to_grid(action, width, height) for action in draw.gold)]
    points = [v for a in actions for name in point_names(type(a)) for v in getattr(a, name)]
    labels = [label.value for label in subject.labels(draw).values() if isinstance(label, Uniform)]
    return {round(v) for v in [*labels, *points]}


def _ordered(draws: Sequence[Draw]) -> Iterator[str]:
    """Index lists of the states that favour some index: targets that stand first in a list."""
    for name, rows in _index_lists(draws).items():
        lists = [indices for indices, _, _ in rows]
        level = ALPHA / max(items for _, items, _ in rows)
        held = Counter(index for indices in lists for index in set(indices))
        for index, count in held.items():
            share = [min(1.0, len(set(own)) / items) if index < items else 0.0
                     for own, items, _ in rows]  # fmt: skip
            if count > binomial_ceiling(len(rows), sum(share) / len(rows), level):
                yield f"'{name}' holds {index} in {count} of {len(rows)} draws"
        if any(ordered for _, _, ordered in rows) or any(list(own) != sorted(own) for own in lists):
            first = Counter(own[0] for own in lists)
            index, count = first.most_common(1)[0]
            chance = sum(1.0 / items for _, items, _ in rows if index < items) / len(rows)
            if count > binomial_ceiling(len(rows), chance, level):
                yield f"'{name}' begins with {index} in {count} of {len(rows)} draws"


def _index_lists(draws: Sequence[Draw]) -> dict[str, list[tuple[list[int], int, bool]]]:
    """``{field: [(indices, items, ordered)]}``: lists of different indices into another list."""
    found: dict[str, list[tuple[list[int], int, bool]]] = defaultdict(list)
    for draw in draws:
        state = draw.state.model_dump()
        listed = {name: value for name, value in state.items() if isinstance(value, list | tuple)}
        items = max(
            (len(v) for v in listed.values() if v and isinstance(v[0], dict | list | tuple)),
            default=0,
        )
        ordered = str(draw.mechanic.__struct_config__.tag) in ORDERED
        for name, value in listed.items():
            if 0 < len(value) <= items and _are_indices(value, items):
                found[name].append((list(value), items, ordered))
    # A list that is no index list in some draw is none at all.
    return {name: rows for name, rows in found.items() if len(rows) == len(draws)}


def _are_indices(value: Sequence[Any], items: int) -> bool:
    whole = all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    return whole and len(set(value)) == len(value) and all(0 <= v < items for v in value)


def hidden_segments(data: bytes) -> list[str]:
    """Names of what an encoded picture carries beside pixels: EXIF, comments, texts."""
    if data.startswith(b"\x89PNG"):
        return [name.decode("latin1") for name in _png_chunks(data) if name not in CHUNKS_OF_PIXELS]
    return [f"APP{m - 0xE0}" if m < 0xF0 else "COM" for m in _jpeg_markers(data)
            if 0xE1 <= m <= 0xEF or m == 0xFE]  # fmt: skip


def _png_chunks(data: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8]
        at += length + 12


def _jpeg_markers(data: bytes) -> Iterator[int]:
    """Markers up to the entropy-coded data."""
    at = 2
    while data[at] == 0xFF and data[at + 1] != 0xDA:
        yield data[at + 1]
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
