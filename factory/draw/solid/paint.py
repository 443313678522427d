"""Painting solids with skia: flat and smooth faces, shadows with a soft edge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import skia

from factory.draw.colours import RGB
from factory.draw.solid.camera import Camera
from factory.draw.solid.light import GLOSS_POWER, Light, lit
from factory.draw.solid.outlines import (
    CONVEX,
    add_silhouette,
    polygon,
    shadows_seen,
    silhouette,
    world,
)
from factory.draw.solid.scene import Cell, Solid, back_to_front, block_faces
from factory.draw.solid.shapes import Mesh
from factory.draw.solid.vectors import Turn, Vec, minus, spin, turned, unit

SHADOW_INK = (12, 14, 26)
SHADOW_ALPHA = 0.5
"""How dark the core of a shadow is, of 1."""

SHADOW_STEPS = {"sphere": 2}
"""Of the corners of round bodies one in so many throw their shadow: its edge shows no corner."""

EDGE_PX = 0.9
"""Width of the bright line along edges, CSS px: a bevel that catches the light."""


@lru_cache(maxsize=4096)
def _fill(colour: RGB, alpha: int = 255) -> skia.Paint:
    return skia.Paint(Color=skia.Color(*colour, alpha), AntiAlias=True)


@lru_cache(maxsize=4096)
def _line(colour: RGB, width: float, alpha: int = 255) -> skia.Paint:
    paint = skia.Paint(Color=skia.Color(*colour, alpha), AntiAlias=True)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    paint.setStrokeJoin(skia.Paint.kRound_Join)
    paint.setStrokeCap(skia.Paint.kRound_Cap)
    return paint


def paint_shadows(
    canvas: skia.Canvas,
    paths: Sequence[skia.Path],
    *,
    ink: RGB = SHADOW_INK,
    strength: float = SHADOW_ALPHA,
) -> None:
    """One path for each point of the light: where they all fall, a shadow has its full strength."""
    each = 1.0 - (1.0 - strength) ** (1.0 / len(paths))
    for path in paths:
        canvas.drawPath(path, _fill(ink, round(255 * each)))


def shadow_paths(camera: Camera, light: Light, solids: Sequence[Solid]) -> list[skia.Path]:
    """The shadows of solids on the ground, one path for each point of the light."""
    paths = [skia.Path() for _ in light.rays]
    for solid in solids:
        convex = solid.shape in CONVEX
        corners = world(solid)[:: SHADOW_STEPS.get(solid.shape, 1) if convex else 1]
        for path, flat in zip(paths, shadows_seen(camera, light, corners), strict=True):
            add_silhouette(path, np.ascontiguousarray(flat), solid.mesh, convex=convex)
    return paths


def paint_solids(
    canvas: skia.Canvas, camera: Camera, light: Light, solids: Sequence[Solid]
) -> None:
    """Solids whose footprints do not meet, without their shadows."""
    for solid in back_to_front(solids, camera):
        turn = spin(solid.spin_deg)
        if solid.mesh.smooth:
            paint_smooth(
                canvas, camera, light, solid.mesh, world(solid), turn, solid.colour,
                convex=solid.shape in CONVEX,
            )  # fmt: skip
        else:
            _paint_flat(canvas, camera, light, solid, turn)


def _paint_flat(
    canvas: skia.Canvas, camera: Camera, light: Light, solid: Solid, turn: Turn
) -> None:
    """A convex solid of flat faces, with a bright line where two visible faces meet."""
    points = camera.pixels(solid.corners)
    canvas.drawPath(silhouette(camera, solid), _fill(lit(solid.colour, 0.8)))
    edges: set[tuple[int, int]] = set()
    for face, normal in zip(solid.mesh.faces, solid.mesh.face_normals, strict=True):
        facing = turned(turn, normal)
        if not camera.faces(solid.corners[face[0]], facing):
            continue
        level = lit(solid.colour, light.level(facing))
        canvas.drawPath(polygon([points[i] for i in face]), _fill(level))
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            if (b, a) in edges:
                bright = _line(lit(solid.colour, 1.25), EDGE_PX, 150)
                canvas.drawLine(*points[a], *points[b], bright)
            edges.add((a, b))


def paint_blocks(
    canvas: skia.Canvas,
    camera: Camera,
    light: Light,
    cells: Sequence[Cell],
    colours: Sequence[str],
) -> None:
    """Unit blocks on a lattice, ``colours`` by block; edges drawn so that blocks can be counted."""
    paint_of = dict(zip(cells, colours, strict=True))
    levels = [light.level(normal) for normal in _SIDE_NORMALS]
    inks = {
        (colour, side): (_fill(lit(colour, level)), _line(lit(colour, 0.34 + 0.25 * level), 1.0))
        for colour in sorted(set(colours))
        for side, level in enumerate(levels)
    }
    spots: dict[Vec, skia.Point] = {}
    for face in block_faces(cells, camera):
        for corner in face.corners:
            if corner not in spots:
                spots[corner] = skia.Point(*camera.seen(corner)[:2])
        path = skia.Path()
        path.addPoly([spots[corner] for corner in face.corners], True)
        fill, line = inks[paint_of[face.cell], face.side]
        canvas.drawPath(path, fill)
        canvas.drawPath(path, line)


_SIDE_NORMALS = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0),
                 (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))  # fmt: skip


def paint_smooth(
    canvas: skia.Canvas,
    camera: Camera,
    light: Light,
    mesh: Mesh,
    corners: Any,
    turn: Turn,
    colour: str,
    *,
    convex: bool = False,
) -> None:
    """A mesh with normals, shaded from corner to corner, inside its silhouette.

    ``corners`` are the mesh's in the world, ``(n, 3)``, after ``turn``.
    """
    triangles, seen = mesh.triangles, camera.array(corners)
    a, b, c = (seen[triangles[:, k]] for k in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    front = np.flatnonzero(area < 0)
    if not convex:
        depth = a[front, 2] + b[front, 2] + c[front, 2]
        front = front[np.argsort(-depth, kind="stable")]
    eye = np.array(unit(minus(camera.eye, camera.target)))
    shades = _shades(mesh.normal_array @ np.array(turn).T, light, colour, eye)
    points = list(map(skia.Point, *seen[:, :2].T.tolist()))
    vertices = skia.Vertices(
        skia.Vertices.kTriangles_VertexMode, points, None, shades, triangles[front].ravel().tolist()
    )
    outline = skia.Path()
    add_silhouette(outline, seen[:, :2].astype(np.float32), mesh, convex=convex)
    canvas.save()
    canvas.clipPath(outline, skia.ClipOp.kIntersect, True)
    canvas.drawPaint(_fill(lit(colour, light.ambient + 0.12)))
    canvas.drawVertices(vertices, _fill((0, 0, 0)), skia.BlendMode.kDst)
    canvas.restore()


def _shades(normals: Any, light: Light, colour: str, eye: Any) -> list[int]:
    """The colour at each corner as skia's ints."""
    sun = np.array(light.towards)
    key = np.maximum(0.0, normals @ sun)
    level = light.ambient + 0.06 * (1 + normals[:, 2]) + (0.94 - light.ambient) * key
    mirror = 2 * (normals @ sun)[:, None] * normals - sun
    gloss = np.maximum(0.0, mirror @ eye) ** GLOSS_POWER
    own = np.array(lit(colour, 1.0), float)
    value = own * np.minimum(level, 1.0)[:, None]
    value = value + (255 - value) * np.minimum(0.6 * gloss, 0.7)[:, None]
    whole = np.rint(np.clip(value, 0, 255)).astype(np.int64)
    packed = (255 << 24) | (whole[:, 0] << 16) | (whole[:, 1] << 8) | whole[:, 2]
    return packed.tolist()
