"""Boards of cells by arithmetic: predicted verdicts of changed golds, and the grid.

Nothing here runs the state machine, so that the two can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from factory.core.actions import ActionBase, Click, DoubleClick
from factory.core.geometry import Point
from factory.core.mechanics import Perturbation
from factory.core.mechanics.tap_checks import (
    EDGE_CSS_PX,
    TapGold,
    begin,
    box_edges,
    send_survives,
    split_gold,
    strays,
    unsent,
)
from factory.core.mechanics.taps import around, box_survives

if TYPE_CHECKING:
    from factory.core.mechanics.cells import Cells


def cells_grid_safe(cells: Cells, gold: Sequence[ActionBase], width: float, height: float) -> bool:
    """Whether each tap of the gold stays on its tile (or skip) in all readings of the grid."""
    parts = split_gold(cells, gold)
    boxes = [cells.cells[index] for index in cells.answer]
    if not boxes and cells.skip is not None:
        boxes = [cells.skip]
    return (
        len(boxes) == len(parts.answer)
        and send_survives(cells, parts, width, height)
        and all(
            box_survives(box, point, width, height)
            for box, point in zip(boxes, parts.points, strict=True)
        )
    )


def cells_quick_perturbations(cells: Cells, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """The subset that runs for every sample."""
    parts = split_gold(cells, gold)
    if not cells.answer:
        return [*unsent(parts), *_unskipped(cells, parts)]
    added = next(_added(cells, parts), None)
    return [*unsent(parts), *_recounted(cells, parts, 0), *([] if added is None else [added])]


def cells_perturbations(cells: Cells, gold: Sequence[ActionBase]) -> list[Perturbation]:
    """Every changed gold with its predicted verdict."""
    parts = split_gold(cells, gold)
    common = [*strays(cells, parts), *_skips(cells, parts)]
    if not cells.answer:
        return [*common, *_unskipped(cells, parts)]
    places = range(len(parts.answer))
    return [
        *common,
        *(found for place in places for found in _recounted(cells, parts, place)),
        *(found for place in places for found in _doubled(cells, parts, place)),
        *(found for place in places for found in _edged(cells, parts, place)),
        *_added(cells, parts),
        *_reordered(parts),
        *_everything(cells, parts),
        *_between(cells, parts),
    ]


def _wrong(cells: Cells) -> Click | None:
    """A click on the first tile that is not right, where there is one."""
    wrong = [index for index in range(len(cells.cells)) if index not in cells.answer]
    return Click(cells.cells[wrong[0]].center) if wrong else None


def _recounted(cells: Cells, gold: TapGold, place: int) -> Iterator[Perturbation]:
    """One tap left out, and twice: two take each other back, unless it is a radio."""
    before, own, after = gold.answer[:place], gold.answer[place], gold.answer[place + 1 :]
    yield gold.of(f"dropped_{place}", [*before, *after], False)
    yield gold.of(f"repeated_{place}", [*before, own, *after, own], cells.mode == "radio")


def _doubled(cells: Cells, gold: TapGold, place: int) -> Iterator[Perturbation]:
    """A double click is two taps; three taps are one."""
    before, own, after = gold.answer[:place], gold.answer[place], gold.answer[place + 1 :]
    double = DoubleClick(begin(own))
    yield gold.of(f"double_{place}", [*before, double, *after], cells.mode == "radio")
    yield gold.of(f"thrice_{place}", [own, *before, own, *after, own], True)


def _edged(cells: Cells, gold: TapGold, place: int) -> Iterator[Perturbation]:
    """One tap in the corners of its tile, and just outside: which, at best, selects another."""
    for edge in box_edges(cells.cells[cells.answer[place]], cells.px_per_css):
        name = f"{'inside' if edge.within else 'outside'}_{place}_{edge.side}"
        yield gold.of(name, gold.replaced(place, edge.point), edge.within)


def _added(cells: Cells, gold: TapGold) -> Iterator[Perturbation]:
    """A wrong tile too many, taken back, or instead of the first."""
    wrong, radio = _wrong(cells), cells.mode == "radio"
    if wrong is None:
        return
    yield gold.of("added", [*gold.answer, wrong], False)
    yield gold.of("added_first", [wrong, *gold.answer], radio)
    yield gold.of("taken_back", [wrong, *gold.answer, wrong], not radio)
    yield gold.of("wrong_first", [wrong, *gold.answer[1:]], False)


def _reordered(gold: TapGold) -> Iterator[Perturbation]:
    """The order does not matter."""
    if len(gold.answer) > 1:
        yield gold.of("reversed", gold.answer[::-1], True)
        yield gold.of("swapped", [gold.answer[1], gold.answer[0], *gold.answer[2:]], True)


def _everything(cells: Cells, gold: TapGold) -> Iterator[Perturbation]:
    """A tap on each tile."""
    count = len(cells.cells)
    passes = cells.answer == (count - 1,) if cells.mode == "radio" else len(cells.answer) == count
    yield gold.of("everything", [Click(box.center) for box in cells.cells], passes)


def _between(cells: Cells, gold: TapGold) -> Iterator[Perturbation]:
    """A tap in the first gap between tiles, where there is one, does nothing."""
    board, step = around(cells.cells), EDGE_CSS_PX * cells.px_per_css
    for box in cells.cells:
        point = Point(box.x1 + step, box.center.y)
        if board.contains(point) and cells.clear_of_controls(point):
            yield gold.of("between", [*gold.answer, Click(point)], True)
            return


def _skips(cells: Cells, gold: TapGold) -> Iterator[Perturbation]:
    """Saying that nothing is right, where something is."""
    if cells.skip is None or not cells.answer:
        return
    skip = Click(cells.skip.center)
    yield Perturbation("skipped", [skip], False)
    yield Perturbation("skipped_after", [*gold.answer, skip], False)
    yield gold.of("skipped_first", [skip, *gold.answer], False)


def _unskipped(cells: Cells, gold: TapGold) -> Iterator[Perturbation]:
    """Where nothing is right: a tile that is selected is skipped too, but not after the skip."""
    tile = Click(cells.cells[0].center)
    yield gold.of("selected_and_skipped", [tile, *gold.answer], True)
    yield gold.of("selected_after", [*gold.answer, tile], False)
    yield gold.of("selected_instead", [tile], False)
    if cells.submit is not None:
        send = Click(cells.submit.center)
        yield Perturbation("submitted_empty", [send], False)
        yield Perturbation("selected_and_submitted", [tile, send], False)
        yield Perturbation("confirmed", [*gold.answer, send], True)
