"""C6: coordinates and pixels say the same, at every scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
import skia

from factory.core.actions import READINGS, ActionBase, from_grid, point_names, to_grid
from factory.core.errors import Rejected
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import AnyMechanic, PartPose, Pose, judge
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Artwork, Part, Placement
from factory.draw.compose import OVERDRAW
from factory.testing.answers import Anchor, answers
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.painting import area_box, painted_parts
from factory.testing.placements import placements
from factory.testing.subject import Draw, Subject

ROUND_TRIP_PX = 1e-6
MARKER_PX = 0.75
"""A painted mark may lie this far from where the map puts it: half a px of snapping and a half
of another for anti-aliasing."""

MARKER_CSS = 3.0
"""Radius of the painted mark."""

ROOM_CSS = 12
"""Room around the areas, so that what leaves them is seen."""

ZONE_GROWTH_CSS = 2.0
"""How far beyond a zone the mechanics reach: a gold in the grown zone lies in its region."""


@dataclass(frozen=True)
class Placed:
    """A state in a written placement."""

    placement: Placement
    artwork: Artwork
    mechanic: AnyMechanic
    gold: list[ActionBase]

    @property
    def regions(self) -> Mapping[str, Box | Zone]:
        """The panel's boxes and the artwork's regions, in panel px."""
        return {**self.placement.boxes, **self.artwork.regions}


def placed(subject: Subject, draw: Draw) -> Iterator[Placed]:
    """The class's draws of one key in each of the nine written placements.

    A state that the class refuses there is left out: its checks may depend on the scale.
    """
    puzzle = subject.puzzle
    for placement in placements(type(puzzle).panel()):
        scene = replace(draw.scene, placement=placement)
        try:
            state = puzzle.sample(scene)
            puzzle.check(state)
        except Rejected:
            continue
        mechanic = puzzle.mechanic(state, placement).mapped(placement.canvas_from_panel)
        artwork = puzzle.draw(state, placement)
        yield Placed(placement, artwork, mechanic, mechanic.gold(scene.rng.fresh("gold")))


def fits(subject: Subject, budget: Budget) -> Outcome:
    """C6: maps return, gold lies in the region, marks lie where maps say, the grid is survived."""
    faults: list[str] = []
    worst, cases = 0.0, 0
    for draw in subject.draws(max(2, budget.renders // 4)):
        for case in placed(subject, draw):
            cases += 1
            where = f"{draw.key} at {case.placement.px_per_css:g} px per CSS px"
            offsets = [*_round_trip(case.placement), *_region_faults(case)]
            faults += [f"{where}: {fault}" for fault in offsets]
            for name, off in _marks(case):
                worst = max(worst, off)
                if off > MARKER_PX:
                    faults.append(f"{where}: {name} is {off:.2f} px from where the map puts it")
    if not cases:
        faults.append("no state was accepted in any of the written placements")
    for draw in subject.draws(budget.judged):
        faults += [f"{draw.key}: {fault}" for fault in _grid_faults(draw)]
    return outcome(
        faults, f"{cases} placements, worst mark {worst:.2f} px off", worst_mark_px=round(worst, 3)
    )


def _round_trip(placement: Placement) -> Iterator[str]:
    there, back = placement.canvas_from_panel, placement.canvas_from_panel.inverse()
    for name, box in placement.boxes.items():
        for corner in ((box.x0, box.y0), (box.x1, box.y1)):
            off = math.dist(back(there(corner)), corner)
            if off > ROUND_TRIP_PX:
                yield f"{name} comes back {off:.2g} px off"


def _region_faults(case: Placed) -> Iterator[str]:
    """What the mechanic takes is a region or a control, and every gold point lies in one."""
    to_canvas = case.placement.canvas_from_panel
    shapes = [_mapped(shape, to_canvas) for shape in case.regions.values()]
    space = answers(case.mechanic, case.gold, area_box(case.placement, "slot"))
    anchors = space.anchors()
    for anchor in anchors:
        if not any(_same(anchor, shape) for shape in shapes):
            yield f"no region is the {_named(anchor)} in which the mechanic takes the answer"
    grow = ZONE_GROWTH_CSS * case.placement.px_per_css
    for action in case.gold:
        for name in point_names(type(action))[:1]:
            if anchors and not any(_holds(a, getattr(action, name), grow) for a in anchors):
                yield f"the gold's {type(action).__name__} begins outside its region"


def _mapped(shape: Box | Zone, to_canvas: PlaneMap) -> tuple[Point, ...]:
    """The corners of a shape on the canvas."""
    return tuple(to_canvas(corner) for corner in _corners(shape))


def _corners(shape: Anchor) -> Sequence[Point]:
    if isinstance(shape, Zone):
        return shape.corners
    x0, y0, x1, y1 = shape.x0, shape.y0, shape.x1, shape.y1
    return Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)


def _same(anchor: Anchor, corners: Sequence[Point]) -> bool:
    own = _corners(anchor)
    return len(own) == len(corners) and all(
        math.dist(a, b) <= 4 * ROUND_TRIP_PX for a, b in zip(own, corners, strict=True)
    )


def _named(anchor: Anchor) -> str:
    return "box" if isinstance(anchor, Box) else "zone"


def _holds(anchor: Anchor, point: Point, grow_px: float) -> bool:
    return anchor.contains(point) if isinstance(anchor, Box) else anchor.contains(point, grow_px)


def _marks(case: Placed) -> Iterator[tuple[str, float]]:
    """How far painted marks and discs are from where the maps put them, canvas px."""
    pose = case.mechanic.pose(case.mechanic.start())
    for part in case.artwork.parts_at(pose.page, pose.frame):
        yield f"a mark on '{part.name}'", _mark_off(part, pose, case.placement)
        if part.clip == "circle":
            yield f"'{part.name}'", _footprint_off(part, pose, case.placement)


def _mark_off(part: Part, pose: Pose, placement: Placement) -> float:
    """A dot painted through ``compose`` a sixth of the part off its centre, in the part's pose."""
    at = pose.parts.get(part.name, PartPose())
    # Discs are drawn a little larger than life, so that turning shows no rim.
    grown = OVERDRAW if part.clip == "circle" else 1.0
    centre = part.home.center
    posed = PlaneMap.rotate(at.turn_deg, centre) @ _about(centre, grown * at.scale)
    shift = PlaneMap.translate(at.dx, at.dy)
    canvas_from_part = shift @ placement.canvas_from_panel @ posed
    spot = _visible_spot(part, canvas_from_part, placement)

    def paint(canvas: Any) -> None:
        canvas.clear(skia.ColorBLACK)
        canvas.drawCircle(*spot, MARKER_CSS, skia.Paint(Color=skia.ColorWHITE, AntiAlias=True))

    marker = replace(part, draw=paint)
    sheet, corner = painted_parts((marker,), pose, placement, level=0, room_css=ROOM_CSS)
    wanted = canvas_from_part(spot)
    found = _centroid(sheet[..., 0].astype(np.float64))
    return math.dist((found.x + corner[0], found.y + corner[1]), wanted)


def _visible_spot(part: Part, canvas_from_part: PlaneMap, placement: Placement) -> Point:
    """A spot of the part that lies in its area: off its centre, or the area's own centre."""
    area = area_box(placement, part.area)
    spare = area.grown(-2 * MARKER_CSS * placement.px_per_css)
    spot = Point(part.home.center.x + part.home.width / 6, part.home.center.y)
    if spare.contains(canvas_from_part(spot)):
        return spot
    return canvas_from_part.inverse()(area.center)


def _about(centre: Point, factor: float) -> PlaneMap:
    """Scale about a point."""
    return (
        PlaneMap.translate(*centre)
        @ PlaneMap.scale(factor)
        @ PlaneMap.translate(-centre.x, -centre.y)
    )


def _footprint_off(part: Part, pose: Pose, placement: Placement) -> float:
    """How far an unclipped part leaves its area, canvas px; 0 when it stays inside."""
    sheets = []
    corner = (0, 0)
    for level in (0, 255):
        sheet, corner = painted_parts((part,), pose, placement, level=level, room_css=ROOM_CSS)
        sheets.append(sheet[..., :3].astype(np.int16))
    covered = np.abs(sheets[1] - sheets[0]).max(axis=2) < 128
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    if not len(rows):
        return math.inf
    ink = Box(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1).moved(*corner)
    area = placement.canvas_from_panel.box(placement.boxes[part.area])
    return max(0.0, area.x0 - ink.x0, area.y0 - ink.y0, ink.x1 - area.x1, ink.y1 - area.y1)


def _centroid(weight: Any) -> Point:
    """The centre of mass, px centres at half."""
    total = weight.sum()
    if total <= 0:
        return Point(math.inf, math.inf)
    rows, columns = np.indices(weight.shape) + 0.5
    return Point(float((columns * weight).sum() / total), float((rows * weight).sum() / total))


def _grid_faults(draw: Draw) -> Iterator[str]:
    """All readings of the grid pass, with any one coordinate a further unit off as well."""
    width, height = draw.placement.width_px, draw.placement.height_px
    cells = [to_grid(action, width, height) for action in draw.gold]
    for reading in READINGS:
        for moved, what in [(cells, "exactly"), *_spared(cells)]:
            read = [from_grid(action, width, height, reading) for action in moved]
            found = judge(draw.mechanic, read)
            if not found.passed:
                yield f"read as '{reading}' and {what}: {found.reason}"


def _spared(cells: Sequence[ActionBase]) -> Iterator[tuple[list[ActionBase], str]]:
    """The actions with one coordinate of one point a unit off."""
    for place, action in enumerate(cells):
        for name in point_names(type(action)):
            x, y = getattr(action, name)
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                moved = msgspec.structs.replace(action, **{name: Point(x + dx, y + dy)})
                what = f"{dx:+d}, {dy:+d} units off at {name} {place}"
                yield [*cells[:place], moved, *cells[place + 1 :]], what
