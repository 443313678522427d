"""Artwork onto plates: the pixels of a sample, in dirty rectangles only.

A plate is a page with its panel, painted once. A sample redraws a few
rectangles of it (the content, the goal text, a reference strip) and has them
spliced into the plate's encoded form. Painting is in BGRA, as skia wants it,
encoding in BGR, as the encoder does.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap
from factory.core.mechanics import PartPose, Pose
from factory.core.puzzle import Artwork, Bitmap, Part, Placement, Seen
from factory.core.record import Json
from factory.draw.marks import paint_marks, typed_fields
from factory.draw.panels import PanelLayout, paint_controls
from factory.draw.splice import EncodedCrop, PreparedPatch, Rect, SplicedCanvas
from factory.draw.text import GoalStyle, draw_goal, paint_goal

OVERDRAW = 1.01
"""Turned squares are drawn this much larger, so that the rim of a disc has no gap."""

GOALS_KEPT = 160
"""Painted goals that a plate keeps, some 5 kB each."""


@dataclass
class Patch:
    """A rectangle of the plate on the encoder's grid: the plate's pixels under it, BGRA opaque."""

    x: int
    y: int
    pixels: Bitmap

    @property
    def rect(self) -> Rect:
        """``(x0, y0, x1, y1)`` in canvas px."""
        height, width = self.pixels.shape[:2]
        return self.x, self.y, self.x + width, self.y + height

    def window(self, rect: Rect, pixels: Bitmap) -> Bitmap:
        """The view of ``pixels`` (this patch's, or a copy) that lies under canvas px ``rect``."""
        x0, y0, x1, y1 = rect
        return pixels[y0 - self.y : y1 - self.y, x0 - self.x : x1 - self.x]

    def holds(self, rect: Rect) -> bool:
        """Whether canvas px ``rect`` lies inside."""
        x0, y0, x1, y1 = self.rect
        return x0 <= rect[0] and y0 <= rect[1] and rect[2] <= x1 and rect[3] <= y1


@dataclass(frozen=True)
class Goal:
    """A goal painted on a plate: its pixels and, where its patch is its own, that patch encoded.

    ``ink`` is the text's box in panel CSS px.
    """

    pixels: Bitmap | None
    ready: PreparedPatch | None
    ink: Box

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return (0 if self.pixels is None else self.pixels.nbytes) + (
            0 if self.ready is None else self.ready.nbytes
        )


@dataclass
class Plate:
    """A page with a panel, encoded, with the pixels under its dirty rectangles.

    ``areas`` are those rectangles by name (``slot``, ``goal``, ``strip`` ...) in canvas px;
    where their patches would share a cell of the encoder's grid they share one patch.
    ``facts`` is what the record keeps of the plate.
    """

    placement: Placement
    canvas: SplicedCanvas
    areas: Mapping[str, Rect]
    patches: tuple[Patch, ...]
    goal_style: GoalStyle
    facts: Json
    lang: str
    theme: str
    context: str
    layout: PanelLayout | None = None
    bare: Patch | None = None
    """The whole panel without its controls, where samples show later states of the puzzle."""
    goals: OrderedDict[str, Goal] = field(default_factory=OrderedDict)

    @property
    def nbytes(self) -> int:
        """Memory the plate holds, for the cache that keeps it."""
        goals = sum(goal.nbytes for goal in self.goals.values())
        patches = (*self.patches, *([] if self.bare is None else [self.bare]))
        return self.canvas.nbytes + sum(patch.pixels.nbytes for patch in patches) + goals

    @classmethod
    def build(
        cls,
        page: Bitmap,
        placement: Placement,
        *,
        areas: Sequence[str],
        goal_style: GoalStyle,
        facts: Json,
        lang: str,
        theme: str,
        context: str,
        format: str,
        quality: int,
        layout: PanelLayout | None = None,
        bare: tuple[Bitmap, tuple[int, int]] | None = None,
    ) -> Plate:
        """Encode ``page`` (BGR, panel painted) and keep what samples redraw: ``areas`` and goal.

        ``layout`` and ``bare`` (BGRA pixels without controls that cover the panel, and their
        corner on the canvas) are for plates that show later states too.
        """
        canvas = SplicedCanvas(page, format=format, quality=quality)
        rects = {
            name: placement.canvas_from_panel.box(placement.boxes[name]).outer_pixels()
            for name in (*areas, "goal")
        }
        patches = tuple(
            Patch(
                x0, y0, np.asarray(cv2.cvtColor(page[y0:y1, x0:x1], cv2.COLOR_BGR2BGRA), np.uint8)
            )
            for x0, y0, x1, y1 in _dirty([canvas.align(*rect) for rect in rects.values()])
        )
        return cls(
            placement=placement, canvas=canvas, areas=rects, patches=patches,
            goal_style=goal_style, facts=facts, lang=lang, theme=theme, context=context,
            layout=layout,
            bare=None if bare is None else _bare(canvas, placement, *bare),
        )  # fmt: skip

    @cached_property
    def patch_of(self) -> dict[str, int]:
        """The patch that holds each area."""
        return {
            name: next(i for i, patch in enumerate(self.patches) if patch.holds(rect))
            for name, rect in self.areas.items()
        }


def _bare(
    canvas: SplicedCanvas, placement: Placement, pixels: Bitmap, origin: tuple[int, int]
) -> Patch:
    """The part of ``pixels`` on the encoder's grid around the panel."""
    panel = placement.canvas_from_panel.box(placement.boxes["panel"])
    x0, y0, x1, y1 = canvas.align(*panel.outer_pixels())
    x, y = origin
    return Patch(x0, y0, pixels[y0 - y : y1 - y, x0 - x : x1 - x].copy())


def _dirty(rects: list[Rect]) -> list[Rect]:
    """The rectangles, those that meet made one."""
    apart: list[Rect] = []
    for rect in rects:
        merged = rect
        while True:
            met = next((other for other in apart if _meet(merged, other)), None)
            if met is None:
                break
            apart.remove(met)
            low, high = np.minimum(merged, met), np.maximum(merged, met)
            merged = (int(low[0]), int(low[1]), int(high[2]), int(high[3]))
        apart.append(merged)
    return apart


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@dataclass(frozen=True)
class Rendered:
    """The encoded picture, with the slot's patch as drawn (BGR) and as encoded.

    ``slot`` is the slot's box in px of the patch, ``goal_ink`` the box of the
    goal text in panel CSS px. ``grey`` and ``side`` say how ``seen`` looks at it.
    """

    data: bytes
    drawn: Bitmap
    crop: EncodedCrop
    slot: Box
    goal_ink: Box
    grey: bool
    side: int
    px_per_css: float

    @cached_property
    def seen(self) -> Seen:
        """The patch as a reader decodes it and as it was drawn, both reduced by 1, 2, 4 or 8.

        Reduced JPEG decoding (by DCT scaling) and area averaging agree on what
        a picture looks like from afar, and cost a third of full size.
        """
        reduce = next(
            (r for r in (8, 4, 2) if min(self.slot.width, self.slot.height) >= self.side * r), 1
        )
        return Seen(
            decoded=reduced_decode(self.crop, reduce, grey=self.grey),
            drawn=shrunk(greyed(self.drawn) if self.grey else self.drawn, reduce),
            slot=Box(*(edge / reduce for edge in self.slot.as_list())),
            px_per_css=self.px_per_css / reduce,
        )


REDUCED = {
    1: (cv2.IMREAD_COLOR, cv2.IMREAD_GRAYSCALE),
    2: (cv2.IMREAD_REDUCED_COLOR_2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
    4: (cv2.IMREAD_REDUCED_COLOR_4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    8: (cv2.IMREAD_REDUCED_COLOR_8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
}
"""Decoder flags by reduction: in colour, in grey."""


def reduced_decode(crop: EncodedCrop, reduce: int, *, grey: bool) -> Bitmap:
    """A crop decoded at ``1 / reduce`` of its size, BGR or grey."""
    if isinstance(crop, bytes):
        pixels = cv2.imdecode(np.frombuffer(crop, np.uint8), REDUCED[reduce][grey])
        return np.asarray(pixels, np.uint8)
    return shrunk(greyed(crop) if grey else crop, reduce)


def greyed(pixels: Bitmap) -> Bitmap:
    """BGR as grey."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def shrunk(pixels: Bitmap, reduce: int) -> Bitmap:
    """Area averages of ``reduce`` x ``reduce`` px; ragged edges round up, as decoders do."""
    while reduce > 1:
        rows, columns = pixels.shape[:2]
        size = ((columns + 1) // 2, (rows + 1) // 2)
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        reduce //= 2
    return pixels


def render(
    plate: Plate, artwork: Artwork, pose: Pose, goal: str, *, grey: bool, side: int
) -> Rendered:
    """Draw one sample on its plate and encode it; ``grey`` and ``side`` are for ``seen``."""
    parts = artwork.parts_at(pose.page, pose.frame)
    touched = {plate.patch_of["slot"]} | {plate.patch_of[part.area] for part in parts}
    fresh = {index: plate.patches[index].pixels.copy() for index in sorted(touched)}
    for index, pixels in fresh.items():
        own = [part for part in parts if plate.patch_of[part.area] == index]
        paint_parts(pixels, plate, index, own, pose)
    painted = painted_goal(plate, goal)
    if painted.pixels is not None:
        at = plate.patch_of["goal"]
        if at not in fresh:
            fresh[at] = plate.patches[at].pixels.copy()
        plate.patches[at].window(plate.areas["goal"], fresh[at])[...] = painted.pixels
    ready = [] if painted.ready is None else [painted.ready]
    drawn = {index: opaque(pixels) for index, pixels in fresh.items()}
    changed = [(plate.patches[i].x, plate.patches[i].y, pixels) for i, pixels in drawn.items()]
    data, crops = plate.canvas.encode_with_crops(changed, ready)
    slot = plate.patches[plate.patch_of["slot"]]
    return Rendered(
        data=data,
        drawn=drawn[plate.patch_of["slot"]],
        crop=crops[list(drawn).index(plate.patch_of["slot"])],
        slot=Box(*map(float, plate.areas["slot"])).moved(-slot.x, -slot.y),
        goal_ink=painted.ink,
        grey=grey,
        side=side,
        px_per_css=plate.placement.px_per_css,
    )


def paint_state(plate: Plate, artwork: Artwork, pose: Pose, goal: str) -> Bitmap:
    """The panel in any state of its mechanic, BGRA at the place of ``plate.bare``.

    ``InvalidOptions`` when the plate was built without what that takes.
    """
    if plate.bare is None or plate.layout is None:
        raise InvalidOptions("this plate shows the first state only; build it with `states`")
    pixels, place = plate.bare.pixels.copy(), plate.placement
    origin, scale = (plate.bare.x, plate.bare.y), place.px_per_css
    panel_from_canvas = place.canvas_from_panel.inverse()
    in_css = {
        name: part._replace(dx=part.dx / scale, dy=part.dy / scale)
        for name, part in pose.parts.items()
    }
    typed = typed_fields(plate.layout, pose, panel_from_canvas)
    with surface_on(pixels) as canvas:
        to_canvas(canvas, place, origin)
        paint_controls(canvas, plate.layout, in_css, typed=typed)
        draw_goal(canvas, goal, plate.goal_style, place.boxes["goal"])
    for area, own in groupby(artwork.parts_at(pose.page, pose.frame), key=lambda p: p.area):
        inside = Box(*map(float, plate.areas[area])).moved(-origin[0], -origin[1])
        radius = place.corner_css * scale if area == "slot" else 0.0
        paint_area(pixels, list(own), pose, inside, place, origin=origin, radius_px=radius)
    with surface_on(pixels) as canvas:
        canvas.translate(-origin[0], -origin[1])
        paint_marks(canvas, plate.layout, pose, scale)
    return pixels


def encode_state(plate: Plate, pixels: Bitmap) -> bytes:
    """The page with ``pixels`` (of ``paint_state``) in it, encoded."""
    assert plate.bare is not None
    data, _ = plate.canvas.encode_with_crops([(plate.bare.x, plate.bare.y, opaque(pixels))], [])
    return data


def opaque(pixels: Bitmap) -> Bitmap:
    """BGRA without its alpha."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def painted_goal(plate: Plate, goal: str) -> Goal:
    """The goal on this plate; remembered, since phrases come back."""
    known = plate.goals.get(goal)
    if known is not None:
        plate.goals.move_to_end(goal)
        return known
    at = plate.patch_of["goal"]
    patch, rect = plate.patches[at], plate.areas["goal"]
    corner = plate.placement.canvas_from_panel.inverse()(rect[:2])
    box = plate.placement.boxes["goal"].moved(-corner.x, -corner.y)
    under = patch.window(rect, patch.pixels)
    pixels, ink = paint_goal(under, goal, plate.goal_style, box, plate.placement.px_per_css)
    alone = all(index != at for name, index in plate.patch_of.items() if name != "goal")
    ready = None
    if alone:
        whole = patch.pixels.copy()
        patch.window(rect, whole)[...] = pixels
        ready = plate.canvas.prepare((patch.x, patch.y, opaque(whole)))
    painted = Goal(
        pixels=pixels if ready is None else None, ready=ready, ink=ink.moved(corner.x, corner.y)
    )
    plate.goals[goal] = painted
    while len(plate.goals) > GOALS_KEPT:
        plate.goals.popitem(last=False)
    return painted


def paint_parts(
    pixels: Bitmap, plate: Plate, patch: int, parts: Sequence[Part], pose: Pose
) -> None:
    """Paint the parts of one patch into ``pixels`` (BGRA): each in its area, rounded corners kept.

    Shifts of the pose are canvas px, for it is a mapped mechanic's.
    """
    at = plate.patches[patch]
    for area, own in groupby(parts, key=lambda part: part.area):
        inside = Box(*map(float, plate.areas[area])).moved(-at.x, -at.y)
        radius = plate.placement.corner_css * plate.placement.px_per_css if area == "slot" else 0.0
        paint_area(
            pixels, list(own), pose, inside, plate.placement, origin=(at.x, at.y), radius_px=radius
        )


def paint_area(
    pixels: Bitmap,
    parts: Sequence[Part],
    pose: Pose,
    inside: Box,
    placement: Placement,
    *,
    origin: tuple[int, int],
    radius_px: float,
) -> None:
    """Paint parts into ``pixels`` (BGRA), whose corner lies at ``origin`` canvas px.

    They are clipped to ``inside`` (px of ``pixels``), whose corners are round by ``radius_px``.
    """
    discs = [part for part in parts if part.clip == "circle"]
    if discs:
        for part in discs:
            _paint_disc(pixels, part, pose.parts.get(part.name), placement, origin)
        parts = [part for part in parts if part.clip != "circle"]
    if not parts:
        return
    x0, y0, x1, y1 = (round(edge) for edge in inside.as_list())
    corners = _Corners(pixels[y0:y1, x0:x1], radius_px if not discs else 0.0)
    with surface_on(pixels) as canvas:
        canvas.clipRect(skia.Rect.MakeLTRB(x0, y0, x1, y1))
        to_canvas(canvas, placement, origin)
        for part in parts:
            paint_part(canvas, part, pose.parts.get(part.name), placement.px_per_css)
    corners.restore()


def surface_on(pixels: Bitmap) -> Any:
    """A skia surface that draws into contiguous BGRA ``pixels``, which are opaque."""
    height, width = pixels.shape[:2]
    return skia.Surface.MakeRasterDirect(
        skia.ImageInfo.Make(
            width, height, skia.ColorType.kBGRA_8888_ColorType, skia.AlphaType.kOpaque_AlphaType
        ),
        pixels,
    )


def to_canvas(canvas: Any, placement: Placement, origin: tuple[int, int]) -> None:
    """Make the panel's CSS px the unit of ``canvas``, whose corner is ``origin`` canvas px."""
    corner = placement.canvas_from_panel((0.0, 0.0))
    canvas.translate(corner.x - origin[0], corner.y - origin[1])
    canvas.scale(placement.px_per_css, placement.px_per_css)


def paint_part(canvas: Any, part: Part, pose: PartPose | None, px_per_css: float) -> None:
    """A part in its pose on a canvas in panel CSS px; shifts of the pose are canvas px."""
    if pose is None:
        part.draw(canvas)
        return
    x, y = part.home.center
    canvas.save()
    canvas.translate(x + pose.dx / px_per_css, y + pose.dy / px_per_css)
    canvas.rotate(pose.turn_deg)
    canvas.scale(pose.scale, pose.scale)
    canvas.translate(-x, -y)
    part.draw(canvas)
    canvas.restore()


class _Corners:
    """The ground under the round corners of an area, put back after square painting."""

    def __init__(self, view: Bitmap, radius_px: float) -> None:
        self.view = view
        side = math.ceil(radius_px)
        self.cover = _corner_coverage(radius_px) if side else None
        self.kept = [window.copy() for window in self._windows()] if side else []

    def _windows(self) -> list[Bitmap]:
        assert self.cover is not None
        side = self.cover.shape[0]
        # Each corner seen from outside in: the coverage of the top left one serves all four.
        return [
            self.view[:side, :side],
            self.view[:side, ::-1][:, :side],
            self.view[::-1][:side, :side],
            self.view[::-1, ::-1][:side, :side],
        ]

    def restore(self) -> None:
        """Blend what was kept back in, by the share of each pixel outside the corner."""
        if self.cover is None:
            return
        for window, ground in zip(self._windows(), self.kept, strict=True):
            mixed = ground + self.cover * (window.astype(np.float32) - ground)
            window[...] = np.rint(mixed).astype(np.uint8)


@lru_cache(maxsize=64)
def _corner_coverage(radius_px: float) -> Any:
    """Share of each px of the top left corner inside its arc, float32 ``(side, side, 1)``."""
    side = math.ceil(radius_px)
    offsets = np.arange(side) + 0.5 - radius_px
    distance = np.sqrt(offsets[:, None] ** 2 + offsets[None, :] ** 2)
    return np.clip(radius_px - distance + 0.5, 0.0, 1.0).astype(np.float32)[..., None]


def _paint_disc(
    pixels: Bitmap,
    part: Part,
    pose: PartPose | None,
    placement: Placement,
    origin: tuple[int, int],
) -> None:
    pose = pose or PartPose()
    home = placement.canvas_from_panel.box(part.home).moved(pose.dx, pose.dy)
    x0, y0, x1, y1 = home.outer_pixels()
    drawn = rasterise(part, pose, placement.px_per_css, (x1 - x0, y1 - y0))
    _blend_disc(pixels, drawn, x0 - origin[0], y0 - origin[1])


def rasterise(part: Part, pose: PartPose, scale: float, size: tuple[int, int]) -> Bitmap:
    """The part in its pose, BGRA ``(size[1], size[0], 4)``, opaque and unclipped.

    The buffer is shared by all drawings of this size: copy what must last.
    """
    width, height = size
    buffer = _scratch(height, width)
    with surface_on(buffer) as canvas:
        canvas.translate(width / 2, height / 2)
        canvas.rotate(pose.turn_deg)
        grow = scale * pose.scale * (OVERDRAW if part.clip == "circle" else 1.0)
        canvas.scale(grow, grow)
        canvas.translate(-part.home.center.x, -part.home.center.y)
        part.draw(canvas)
    return buffer


@lru_cache(maxsize=16)
def _scratch(height: int, width: int) -> Any:
    """A buffer that every drawing of this size overwrites completely."""
    return np.zeros((height, width, 4), np.uint8)


@lru_cache(maxsize=32)
def _coverage(diameter: int) -> Any:
    """Share of each pixel of a square that its inscribed disc covers, float32."""
    centre = diameter / 2
    offsets = np.arange(diameter) + 0.5 - centre
    distance = np.sqrt(offsets[:, None] ** 2 + offsets[None, :] ** 2)
    return np.clip(centre - distance + 0.5, 0.0, 1.0).astype(np.float32)


@lru_cache(maxsize=32)
def _inside(diameter: int) -> Bitmap:
    """Mask of the pixels that the disc covers wholly."""
    return (_coverage(diameter) == 1).astype(np.uint8) * 255


@lru_cache(maxsize=256)
def _rim(diameter: int, x: int, y: int, width: int) -> tuple[Any, Any, Any]:
    """The partly covered pixels of a disc at ``(x, y)`` of a picture ``width`` px wide.

    Flat indices into the disc's own square, into the picture, and coverage.
    """
    coverage = _coverage(diameter)
    rows, columns = np.nonzero((coverage > 0) & (coverage < 1))
    own, target = rows * diameter + columns, (rows + y) * width + columns + x
    return own.astype(np.int32), target.astype(np.int32), coverage[rows, columns][:, None]


def _blend_disc(pixels: Bitmap, drawn: Bitmap, x: int, y: int) -> None:
    """Copy the disc inside ``drawn`` to ``(x, y)`` of contiguous ``pixels``; mix only its rim."""
    diameter = drawn.shape[0]
    own, target, coverage = _rim(diameter, x, y, pixels.shape[1])
    flat = pixels.reshape(-1, 4)
    old = flat[target].astype(np.float32)
    new = drawn.reshape(-1, 4)[own].astype(np.float32)
    cv2.copyTo(drawn, _inside(diameter), pixels[y : y + diameter, x : x + diameter])
    flat[target] = np.rint(old + coverage * (new - old)).astype(np.uint8)


def canvas_map(origin_css: tuple[int, int], dpr: float) -> PlaneMap:
    """``canvas_from_panel`` for a panel whose corner lies at ``origin_css`` on the page."""
    return PlaneMap.scale(dpr) @ PlaneMap.translate(*origin_css)


def misplaced(regions: Mapping[str, Box], width: int, height: int) -> list[str]:
    """Names of regions that leave the canvas or are under 8 px."""
    canvas = Box(0, 0, width, height)
    return [
        name
        for name, box in regions.items()
        if not canvas.holds(box) or min(box.width, box.height) < 8
    ]
