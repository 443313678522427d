"""C9: keys, files, prompts and pictures are silent about the answer."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from factory.core.actions import point_names, to_grid
from factory.core.puzzle import Uniform
from factory.core.rng import SampleKey
from factory.testing.subject import Budget, Draw, Outcome, Subject, outcome

COINCIDENCE = 0.04
"""Share of samples in which a number of the prompt may happen to be one of the answer's."""

CHUNKS_OF_PIXELS = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"sRGB", b"gAMA", b"pHYs"}
"""PNG chunks that say nothing but pixels."""


def silent(subject: Subject, budget: Budget) -> Outcome:
    """C9: keys, image files and prompts do not speak of the answer."""
    faults: list[str] = []
    for made in subject.made(budget.renders):
        if SampleKey.parse(made.record.key) != made.key or set(made.parts) - {
            "json", "txt", subject.studio.config.format
        }:  # fmt: skip
            faults.append(f"{made.key}: a part or the key carries more than it should")
        extra = hidden_segments(made.parts[subject.studio.config.format])
        if extra:
            faults.append(f"{made.key}: the picture carries {', '.join(extra)}")
    draws = subject.draws(budget.states)
    told = sum(
        bool(_answer_numbers(subject, draw) & _numbers_in(*_printed(subject, draw)))
        for draw in draws
    )
    if told > COINCIDENCE * len(draws):
        faults.append(f"goals state a number of the answer in {told} of {len(draws)} draws")
    return outcome(faults, f"{told} coincidences in {len(draws)} goals", told=told)


def _printed(subject: Subject, draw: Draw) -> list[str]:
    """What goals and prompts may print of a state."""
    return list(subject.puzzle.goal_slots(draw.state, draw.plan.plate.lang).values())


def _numbers_in(*texts: str) -> set[int]:
    return {int(number) for text in texts for number in re.findall(r"\d+", text)}


def _answer_numbers(subject: Subject, draw: Draw) -> set[int]:
    """The label and the gold's coordinates, px and grid cells, as whole numbers."""
    width, height = draw.placement.width_px, draw.placement.height_px
    actions = [*draw.gold, *(to_grid(action, width, height) for action in draw.gold)]
    points = [v for a in actions for name in point_names(type(a)) for v in getattr(a, name)]
    labels = [label.value for label in subject.labels(draw).values() if isinstance(label, Uniform)]
    return {round(v) for v in [*labels, *points]}


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
