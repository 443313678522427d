"""Artwork onto plates: the pixels of a sample, in dirty rectangles only.

A plate is a page with its panel, painted once. A sample redraws two
rectangles of it, the content slot and the goal text, and has them spliced into
the plate's encoded form. All pixels here are BGR, as the encoder wants them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import skia

from factory.core.geometry import Box, PlaneMap
from factory.core.mechanics import PartPose, Pose
from factory.core.puzzle import Artwork, Bitmap, Part, Placement, Seen
from factory.core.record import Json
from factory.draw.splice import EncodedCrop, PreparedPatch, Rect, SplicedCanvas
from factory.draw.text import GoalStyle, paint_goal

OVERDRAW = 1.01
"""Turned squares are drawn this much larger, so that the rim of a disc has no gap."""

GOALS_KEPT = 160
"""Painted goals that a plate keeps, some 5 kB each."""


@dataclass
class Patch:
    """A rectangle of the plate on the encoder's grid, with the plate's pixels under it."""

    x: int
    y: int
    pixels: Bitmap

    def window(self, rect: Rect, pixels: Bitmap) -> Bitmap:
        """The view of ``pixels`` (this patch's, or a copy) that lies under canvas px ``rect``."""
        x0, y0, x1, y1 = rect
        return pixels[y0 - self.y : y1 - self.y, x0 - self.x : x1 - self.x]


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

    ``slot`` and ``goal`` are those rectangles in canvas px; where their patches
    would share a cell of the encoder's grid they share one patch. ``facts`` is
    what the record keeps of the plate.
    """

    placement: Placement
    canvas: SplicedCanvas
    slot: Rect
    goal: Rect
    patches: tuple[Patch, ...]
    goal_style: GoalStyle
    facts: Json
    lang: str
    theme: str
    context: str
    goals: OrderedDict[str, Goal] = field(default_factory=OrderedDict)

    @property
    def nbytes(self) -> int:
        """Memory the plate holds, for the cache that keeps it."""
        goals = sum(goal.nbytes for goal in self.goals.values())
        return self.canvas.nbytes + sum(patch.pixels.nbytes for patch in self.patches) + goals

    @classmethod
    def build(
        cls,
        page: Bitmap,
        placement: Placement,
        *,
        goal_style: GoalStyle,
        facts: Json,
        lang: str,
        theme: str,
        context: str,
        format: str,
        quality: int,
    ) -> Plate:
        """Encode ``page`` (BGR, panel and handle painted) and keep what samples redraw."""
        canvas = SplicedCanvas(page, format=format, quality=quality)
        slot, goal = (
            placement.canvas_from_panel.box(placement.boxes[name]).outer_pixels()
            for name in ("slot", "goal")
        )
        patches = tuple(
            Patch(x0, y0, page[y0:y1, x0:x1].copy())
            for x0, y0, x1, y1 in _dirty(canvas.align(*slot), canvas.align(*goal))
        )
        return cls(
            placement=placement, canvas=canvas, slot=slot, goal=goal, patches=patches,
            goal_style=goal_style, facts=facts, lang=lang, theme=theme, context=context,
        )  # fmt: skip


def _dirty(slot: Rect, goal: Rect) -> list[Rect]:
    apart = slot[0] >= goal[2] or goal[0] >= slot[2] or slot[1] >= goal[3] or goal[1] >= slot[3]
    if apart:
        return [slot, goal]
    low, high = np.minimum(slot, goal), np.maximum(slot, goal)
    return [(int(low[0]), int(low[1]), int(high[2]), int(high[3]))]


SEEN_SIDE = 44
"""Margins are measured on a copy whose slot is at least this wide: a pose is not fine detail."""


@dataclass(frozen=True)
class Rendered:
    """The encoded picture, with the slot's patch as drawn (BGR) and as encoded.

    ``slot`` is the slot's box in px of the patch, ``goal_ink`` the box of the
    goal text in panel CSS px.
    """

    data: bytes
    drawn: Bitmap
    crop: EncodedCrop
    slot: Box
    goal_ink: Box
    grey: bool

    @cached_property
    def seen(self) -> Seen:
        """The patch as a reader decodes it and as it was drawn, both reduced by 1, 2, 4 or 8.

        Reduced JPEG decoding (by DCT scaling) and area averaging agree on what
        a picture looks like from afar, and cost a third of full size.
        """
        reduce = next(
            (r for r in (8, 4, 2) if min(self.slot.width, self.slot.height) >= SEEN_SIDE * r), 1
        )
        return Seen(
            decoded=reduced_decode(self.crop, reduce, grey=self.grey),
            drawn=shrunk(greyed(self.drawn) if self.grey else self.drawn, reduce),
            slot=Box(*(edge / reduce for edge in self.slot.as_list())),
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


def render(plate: Plate, artwork: Artwork, pose: Pose, goal: str, *, grey: bool) -> Rendered:
    """Draw one sample on its plate and encode it; ``grey`` is how ``seen`` will look at it."""
    patch = plate.patches[0]
    pixels = patch.pixels.copy()
    for part in artwork.parts:
        paint_part(
            pixels, part, pose.parts.get(part.name), plate.placement, origin=(patch.x, patch.y)
        )
    painted = painted_goal(plate, goal)
    if painted.pixels is not None:
        patch.window(plate.goal, pixels)[...] = painted.pixels
    ready = [] if painted.ready is None else [painted.ready]
    data, crops = plate.canvas.encode_with_crops([(patch.x, patch.y, pixels)], ready)
    return Rendered(
        data=data,
        drawn=pixels,
        crop=crops[0],
        slot=Box(*map(float, plate.slot)).moved(-patch.x, -patch.y),
        goal_ink=painted.ink,
        grey=grey,
    )


def painted_goal(plate: Plate, goal: str) -> Goal:
    """The goal on this plate; remembered, since phrases come back."""
    known = plate.goals.get(goal)
    if known is not None:
        plate.goals.move_to_end(goal)
        return known
    patch = plate.patches[-1]
    corner = plate.placement.canvas_from_panel.inverse()(plate.goal[:2])
    box = plate.placement.boxes["goal"].moved(-corner.x, -corner.y)
    under = patch.window(plate.goal, patch.pixels)
    pixels, ink = paint_goal(under, goal, plate.goal_style, box, plate.placement.px_per_css)
    ready = None
    if len(plate.patches) > 1:
        whole = patch.pixels.copy()
        patch.window(plate.goal, whole)[...] = pixels
        ready = plate.canvas.prepare((patch.x, patch.y, whole))
    painted = Goal(
        pixels=pixels if ready is None else None, ready=ready, ink=ink.moved(corner.x, corner.y)
    )
    plate.goals[goal] = painted
    while len(plate.goals) > GOALS_KEPT:
        plate.goals.popitem(last=False)
    return painted


def paint_part(
    pixels: Bitmap,
    part: Part,
    pose: PartPose | None,
    placement: Placement,
    *,
    origin: tuple[int, int],
) -> None:
    """Paint a part into ``pixels`` (BGR), whose corner lies at ``origin`` canvas px.

    ``pose`` is a mapped mechanic's: its shifts are canvas px.
    """
    pose = pose or PartPose()
    home = placement.canvas_from_panel.box(part.home).moved(pose.dx, pose.dy)
    x0, y0, x1, y1 = home.outer_pixels()
    drawn = rasterise(part, pose, placement.px_per_css, (x1 - x0, y1 - y0))
    x, y = x0 - origin[0], y0 - origin[1]
    if part.clip == "circle":
        _blend_disc(pixels, drawn, x, y)
    else:
        pixels[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn


def rasterise(part: Part, pose: PartPose, scale: float, size: tuple[int, int]) -> Bitmap:
    """The part in its pose, BGR ``(size[1], size[0], 3)``, opaque and unclipped."""
    width, height = size
    buffer = _scratch(height, width)
    surface = skia.Surface.MakeRasterDirect(
        skia.ImageInfo.Make(
            width, height, skia.ColorType.kBGRA_8888_ColorType, skia.AlphaType.kOpaque_AlphaType
        ),
        buffer,
    )
    with surface as canvas:
        canvas.translate(width / 2, height / 2)
        canvas.rotate(pose.turn_deg)
        grow = scale * pose.scale * (OVERDRAW if part.clip == "circle" else 1.0)
        canvas.scale(grow, grow)
        canvas.translate(-part.home.center.x, -part.home.center.y)
        part.draw(canvas)
    return np.asarray(cv2.cvtColor(buffer, cv2.COLOR_BGRA2BGR), np.uint8)


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
    flat = pixels.reshape(-1, 3)
    old = flat[target].astype(np.float32)
    new = drawn.reshape(-1, 3)[own].astype(np.float32)
    cv2.copyTo(drawn, _inside(diameter), pixels[y : y + diameter, x : x + diameter])
    flat[target] = np.rint(old + coverage * (new - old)).astype(np.uint8)


def over(page: Bitmap, art: Bitmap, x: int, y: int) -> None:
    """Composite BGRA ``art`` (straight alpha) over ``page`` (BGR) at whole px, clipped to it."""
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(page.shape[1], x + art.shape[1]), min(page.shape[0], y + art.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    source = art[y0 - y : y1 - y, x0 - x : x1 - x]
    target = page[y0:y1, x0:x1]
    alpha = source[..., 3]
    mixed = np.nonzero((alpha > 0) & (alpha < 255))
    old = target[mixed].astype(np.float32)
    new = source[mixed]
    share = new[:, 3:].astype(np.float32) / 255.0
    cv2.copyTo(np.ascontiguousarray(source[..., :3]), (alpha == 255).astype(np.uint8), target)
    target[mixed] = np.rint(old + share * (new[:, :3] - old)).astype(np.uint8)


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
