"""C6, C7: coordinates and pixels say the same, and everything can be seen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.actions import READINGS, ActionBase, Drag, from_grid, to_grid
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import AnyMechanic, PartPose, judge
from factory.core.puzzle import Bitmap, Part, Placement, Scene
from factory.core.record import Region
from factory.draw.compose import OVERDRAW, paint_part
from factory.engine.make import Made
from factory.testing.answers import answers
from factory.testing.placements import placements
from factory.testing.subject import Budget, Draw, Outcome, Subject, outcome

ROUND_TRIP_PX = 1e-6
MARKER_PX = 0.75
"""A painted mark may lie this far from where the map puts it: half a px of snapping and a half
of another for anti-aliasing."""

MARKER_CSS = 3.0
"""Radius of the painted mark."""

LEAST_SIDE_PX = 8
LEAST_CONTRAST = 4.5
"""WCAG 2 AA for text."""

INK_SHARE = 0.02
"""Share of a line of text that surely is the core of its strokes."""


@dataclass(frozen=True)
class Placed:
    """A state in a written placement."""

    placement: Placement
    state: Any
    mechanic: AnyMechanic
    gold: list[ActionBase]


def placed(subject: Subject, draw: Draw) -> Iterator[Placed]:
    """The class's draws of one key in each of the nine written placements."""
    for placement in placements(type(subject.puzzle).panel().kind):
        scene = Scene(
            rng=draw.scene.rng, placement=placement, split=draw.scene.split,
            difficulty=draw.scene.difficulty, content_kind=draw.scene.content_kind,
            content_number=draw.scene.content_number,
        )  # fmt: skip
        state = subject.puzzle.sample(scene)
        mechanic = subject.puzzle.mechanic(state, placement).mapped(placement.canvas_from_panel)
        yield Placed(placement, state, mechanic, mechanic.gold(scene.rng.fresh("gold")))


def fits(subject: Subject, budget: Budget) -> Outcome:
    """C6: maps return, gold lies in the region, marks lie where maps say, the grid is survived."""
    faults: list[str] = []
    worst = 0.0
    for draw in subject.draws(max(2, budget.renders // 4)):
        for case in placed(subject, draw):
            where = f"{draw.key} at {case.placement.px_per_css:g} px per CSS px"
            offsets = [*_round_trip(case.placement), *_region_faults(subject, case)]
            faults += [f"{where}: {fault}" for fault in offsets]
            for name, off in _marks(subject, case):
                worst = max(worst, off)
                if off > MARKER_PX:
                    faults.append(f"{where}: {name} is {off:.2f} px from where the map puts it")
    for draw in subject.draws(budget.judged):
        faults += [f"{draw.key}: {fault}" for fault in _grid_faults(draw)]
    return outcome(faults, f"worst mark {worst:.2f} px off", worst_mark_px=round(worst, 3))


def _round_trip(placement: Placement) -> Iterator[str]:
    there, back = placement.canvas_from_panel, placement.canvas_from_panel.inverse()
    for name, box in placement.boxes.items():
        for corner in ((box.x0, box.y0), (box.x1, box.y1)):
            off = math.dist(back(there(corner)), corner)
            if off > ROUND_TRIP_PX:
                yield f"{name} comes back {off:.2g} px off"


def _region_faults(subject: Subject, case: Placed) -> Iterator[str]:
    """The gold begins in the named region, which is the one that the mechanic takes."""
    to_canvas = case.placement.canvas_from_panel
    regions = subject.puzzle.draw(case.state, case.placement).regions
    start = answers(case.mechanic).start
    drag = case.gold[0]
    assert isinstance(drag, Drag)
    same = [
        name
        for name, box in regions.items()
        if math.dist(to_canvas.box(box).as_list(), start.as_list()) <= 4 * ROUND_TRIP_PX
    ]
    if not same:
        yield "no region is the box in which the mechanic takes the answer"
    if not any(to_canvas.box(regions[name]).contains(drag.start) for name in same):
        yield "the gold begins outside its region"


def _marks(subject: Subject, case: Placed) -> Iterator[tuple[str, float]]:
    """How far painted marks and the painted parts are from where the maps put them, canvas px."""
    pose = case.mechanic.pose(case.mechanic.start())
    slot = case.placement.boxes["slot"]
    for part in subject.puzzle.draw(case.state, case.placement).parts:
        at = pose.parts.get(part.name, PartPose())
        yield f"a mark on '{part.name}'", _mark_off(part, at, case.placement, slot)
        yield f"'{part.name}'", _footprint_off(part, at, case.placement, slot)


def _sheet(placement: Placement, around: Box, grey: int) -> tuple[Bitmap, tuple[int, int]]:
    """A grey sheet that holds a panel box with room to spare, and its corner on the canvas."""
    x0, y0, x1, y1 = placement.canvas_from_panel.box(around.grown(12)).outer_pixels()
    return np.full((y1 - y0, x1 - x0, 3), grey, np.uint8), (x0, y0)


def _mark_off(part: Part, pose: PartPose, placement: Placement, slot: Box) -> float:
    """A dot painted through ``compose`` a sixth of the part off its centre, in the part's pose."""
    centre = part.home.center
    spot = Point(centre.x + part.home.width / 6, centre.y)

    def paint(canvas: Any) -> None:
        canvas.clear(skia.ColorBLACK)
        canvas.drawCircle(*spot, MARKER_CSS, skia.Paint(Color=skia.ColorWHITE, AntiAlias=True))

    sheet, corner = _sheet(placement, slot, 0)
    marker = Part(name=part.name, home=part.home, draw=paint, clip=part.clip)
    paint_part(sheet, marker, pose, placement, origin=corner)
    # Discs are drawn a little larger than life, so that turning shows no rim.
    grown = OVERDRAW if part.clip == "circle" else 1.0
    turned = PlaneMap.rotate(pose.turn_deg, centre) @ _about(centre, grown * pose.scale)
    wanted = placement.canvas_from_panel(turned(spot))
    found = _centroid(sheet[..., 0].astype(np.float64))
    return math.dist((found.x + corner[0], found.y + corner[1]),
                     (wanted.x + pose.dx, wanted.y + pose.dy))  # fmt: skip


def _about(centre: Point, factor: float) -> PlaneMap:
    """Scale about a point."""
    return (
        PlaneMap.translate(*centre)
        @ PlaneMap.scale(factor)
        @ PlaneMap.translate(-centre.x, -centre.y)
    )


def _footprint_off(part: Part, pose: PartPose, placement: Placement, slot: Box) -> float:
    """How far what the class paints leaves the slot, canvas px; 0 when it stays inside."""
    sheets = []
    for grey in (0, 255):
        sheet, corner = _sheet(placement, slot, grey)
        paint_part(sheet, part, pose, placement, origin=corner)
        sheets.append(sheet.astype(np.int16))
    covered = np.abs(sheets[1] - sheets[0]).max(axis=2) < 128
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    if not len(rows):
        return math.inf
    ink = Box(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1).moved(*corner)
    area = placement.canvas_from_panel.box(slot)
    return max(0.0, area.x0 - ink.x0, area.y0 - ink.y0, ink.x1 - area.x1, ink.y1 - area.y1)


def _centroid(weight: Any) -> Point:
    """The centre of mass, px centres at half."""
    total = weight.sum()
    if total <= 0:
        return Point(math.inf, math.inf)
    rows, columns = np.indices(weight.shape) + 0.5
    return Point(float((columns * weight).sum() / total), float((rows * weight).sum() / total))


def _grid_faults(draw: Draw) -> Iterator[str]:
    """All readings of the grid pass, with the end one unit further either way as well."""
    width, height = draw.placement.width_px, draw.placement.height_px
    cells = [to_grid(action, width, height) for action in draw.gold]
    drag = cells[0]
    assert isinstance(drag, Drag)
    for reading in READINGS:
        for spare in (-1, 0, 1):
            moved = Drag(start=drag.start, end=Point(drag.end[0] + spare, drag.end[1]))
            read = [from_grid(action, width, height, reading) for action in (moved, *cells[1:])]
            found = judge(draw.mechanic, read)
            if not found.passed:
                yield f"read as '{reading}' and {spare:+d} units off: {found.reason}"


def visible(subject: Subject, budget: Budget) -> Outcome:
    """C7: regions lie on the canvas and are large enough, the goal text can be read."""
    faults: list[str] = []
    for draw in subject.draws(budget.judged):
        faults += [f"{draw.key}: {fault}" for fault in _lost(subject, draw)]
    contrasts = []
    for made in subject.made(budget.renders) if not faults else []:
        contrast = goal_contrast(made, subject.studio.config.format)
        contrasts.append(contrast)
        if contrast < LEAST_CONTRAST:
            faults.append(f"{made.key}: the goal text has a contrast of {contrast:.2f}")
    lowest = min(contrasts, default=0.0)
    return outcome(faults, f"lowest contrast of a goal {lowest:.2f}", contrast=round(lowest, 2))


def _lost(subject: Subject, draw: Draw) -> Iterator[str]:
    """Regions off the canvas or too small, among the artwork's and the mechanic's."""
    place = draw.placement
    canvas = Box(0, 0, place.width_px, place.height_px)
    regions = subject.puzzle.draw(draw.state, place).regions
    boxes = {name: place.canvas_from_panel.box(box) for name, box in regions.items()}
    boxes["the answer's start"] = answers(draw.mechanic).start
    for name, box in boxes.items():
        if not canvas.holds(box):
            yield f"'{name}' leaves the canvas: {box.as_list()}"
        elif min(box.width, box.height) < LEAST_SIDE_PX:
            yield f"'{name}' is {box.width:.1f} x {box.height:.1f} px"


def goal_contrast(made: Made, image_format: str) -> float:
    """The lowest WCAG contrast of the goal's lines, measured on the decoded picture."""
    picture = cv2.imdecode(np.frombuffer(made.parts[image_format], np.uint8), cv2.IMREAD_COLOR)
    region = next(r for r in made.record.regions if r.name == "goal")
    return min(_line_contrasts(_luminance(np.asarray(picture)), region))


def _luminance(picture: Any) -> Any:
    """Relative luminance (WCAG 2) of a BGR picture."""
    share = picture.astype(np.float64) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])


def _line_contrasts(luminance: Any, region: Region) -> Iterator[float]:
    x0, y0, x1, y1 = Box(*region.box).outer_pixels()
    area = luminance[y0:y1, x0:x1]
    ground = float(np.median(area))
    inked = (np.abs(area - ground) > 0.1).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        if last - first < 5:
            continue  # a dot or an accent between lines
        line = area[first:last].ravel()
        off = np.sort(np.abs(line - ground))[::-1]
        core = float(off[: max(1, round(INK_SHARE * len(off)))].mean())
        darker = ground - core if np.mean(line) < ground else ground
        yield (darker + core + 0.05) / (darker + 0.05)
