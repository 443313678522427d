"""Weaves chosen for a picture, and refused where a line cannot be told from another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from captcha_types.path_trace import _weave as weaving
from captcha_types.path_trace._weave import Weave
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.rng import Stream

EDGE_CSS = 19.0
LEAST_EDGE_CSS = 18.0
LEAST_APART_CSS = 34.0
LEAST_CLEAR_CSS = 11.0
LEAST_CROSSING_DEG = 38.0
LEAST_SPACING_CSS = 16.0
PITCH_CSS = (36.0, 50.0)
"""Between two lanes."""

STEEPEST = 0.74
"""Columns are this share of the lanes' distance apart at least: else crossings are acute."""

SWAPS = 0.6
"""How often two lanes swap that the line to follow leaves alone."""

SQUEEZE = 0.3


def choose_weave(stream: Stream, area: Box, start: int, end: int, lines: int, extra: int) -> Weave:
    """Lines of which the one from lane ``start`` ends on lane ``end``; ``extra`` columns of
    crossings beyond those that it may need, where there is room."""
    down, pitch, columns = _layout(stream, area, lines, lines - 1 + extra)
    walk = weaving.way_of_lanes(stream, start, end, lines, columns)
    return Weave(
        weaving.lattice(stream, area, lines, columns + 2, pitch, down=down),
        weaving.swaps_around(stream, walk, lines, SWAPS),
    )


def _layout(stream: Stream, area: Box, lines: int, columns: int) -> tuple[bool, float, int]:
    """Whether lines run down, how far lanes are apart, and for how many columns there is room."""
    down = stream.chance(0.4)
    length, room = (area.height, area.width) if down else (area.width, area.height)
    pitch = min(stream.uniform(*PITCH_CSS), room / (lines - 1))
    most = int(length / (STEEPEST * pitch)) - 2
    if down and most < lines:
        return _layout(stream, area, lines, columns)
    return down, pitch, max(lines, min(columns, most))


def crossings(weave: Weave, start: int) -> int:
    """How many times the line from a start crosses another."""
    return sum(here != there for here, there in pairwise(weave.walk(start)))


def refuse_weave(weave: Weave, size: tuple[float, float]) -> None:
    """``Rejected`` where lines or their ends cannot be told apart."""
    room = Box(0, 0, *size).grown(-LEAST_EDGE_CSS)
    if not all(room.holds(Box(x, y, x, y)) for row in weave.nodes for x, y in row):
        raise Rejected("a line leaves the picture")
    apart = min(math.dist(a, b) for a, b in combinations(weave.ends(), 2))
    if apart < LEAST_APART_CSS:
        raise Rejected("ends too near each other", value=apart, limit=LEAST_APART_CSS)
    spacing = weaving.least_spacing(weave)
    if spacing < LEAST_SPACING_CSS:
        raise Rejected("lines too near each other", value=spacing, limit=LEAST_SPACING_CSS)
    angle = weaving.least_crossing_deg(weave)
    if angle < LEAST_CROSSING_DEG:
        raise Rejected("lines cross too acutely", value=angle, limit=LEAST_CROSSING_DEG)
    clear = min(weaving.clearance(weave, lane) for lane in range(weave.lanes))
    if clear < LEAST_CLEAR_CSS:
        raise Rejected("an end lies at another line", value=clear, limit=LEAST_CLEAR_CSS)


def bad_weaves(weave: Weave, end: int, size: tuple[float, float]) -> Iterator[tuple[str, Weave]]:
    """Weaves that ``refuse_weave`` refuses."""
    last, other = len(weave.swaps), (end + 1) % weave.lanes
    yield "a line leaves the picture", _moved(weave, 1, 0, (0.0, 0.0))
    x, y = weave.nodes[last][other]
    beside = (x, y + 1.0) if y < size[1] / 2 else (x, y - 1.0)
    yield "ends too near each other", _moved(weave, last, end, beside)
    x, y = weave.nodes[1][0]
    yield "lines too near each other", _moved(weave, 1, 1, (x + 1.0, y + 1.0))
    yield "lines cross too acutely", _squeezed(weave)
    own = next(piece for piece in weaving.pieces(weave)[-1] if piece[3] == weave.nodes[last][end])
    rival = next(piece for piece in weaving.pieces(weave)[-2] if piece[3] != own[0])
    yield "an end lies at another line", _moved(weave, last, end, rival[0])


def _moved(weave: Weave, column: int, lane: int, to: tuple[float, float]) -> Weave:
    row, nodes = list(weave.nodes[column]), list(weave.nodes)
    row[lane] = to
    nodes[column] = tuple(row)
    return replace(weave, nodes=tuple(nodes))


def _squeezed(weave: Weave) -> Weave:
    """The weave with the columns about its first crossing pressed together."""
    at = next(column for column, swaps in enumerate(weave.swaps) if swaps)
    before, after = weave.nodes[at], weave.nodes[at + 1]
    (x0, y0), (x1, y1) = before[0], weave.nodes[-1][0]
    down = abs(y1 - y0) > abs(x1 - x0)
    near = tuple(
        (b[0], a[1] + SQUEEZE * (b[1] - a[1])) if down else (a[0] + SQUEEZE * (b[0] - a[0]), b[1])
        for a, b in zip(before, after, strict=True)
    )
    return replace(weave, nodes=(*weave.nodes[: at + 1], near, *weave.nodes[at + 2 :]))
