"""Solids in software: small scenes of dice, blocks and bodies under studio light.

::

    camera = Camera.around((0, 0, 0), -80.0, 55.0, 12.0).fitted(points, box)   # azimuth, elevation
    light = Light(azimuth_deg=140.0, elevation_deg=50.0)
    paint_shadows(canvas, cube_shadows(camera, light, dice))
    paint_cubes(canvas, camera, light, dice, [pips(DIE_VALUES[0], "#101418"), ...])
    paint_solids(canvas, camera, light, [Solid("cone", (1, 1, 2), (3, 0, 0), 0.0, "#d04040")])
    paint_blocks(canvas, camera, light, cells, colours)
    seen_shares(camera, facets(solids), 120, 90)      # what is left to see of each, by a z-buffer

The world has x to the right, y away and z up. What decides labels (cameras, projections,
hulls, shadows' polygons, z-buffers) is plain arithmetic; painting may use what it likes.
"""

from factory.draw.solid.camera import Camera
from factory.draw.solid.cube import (
    BACK,
    DOWN,
    FACES,
    FRONT,
    LEFT,
    OPPOSITE,
    RIGHT,
    UP,
    Art,
    Cube,
    cube_outline,
    cube_shadows,
    facing,
    paint_cube,
    paint_cubes,
    pose_after,
    pose_with,
)
from factory.draw.solid.dice import DIE_VALUES, numerals, pips, symbol_path
from factory.draw.solid.light import Light, lit
from factory.draw.solid.outlines import fallen, hull, outline, polygon, shadow_zone, silhouette
from factory.draw.solid.paint import (
    paint_blocks,
    paint_shadows,
    paint_smooth,
    paint_solids,
    shadow_paths,
)
from factory.draw.solid.raster import Facet, block_facets, facets, ids, seen_shares
from factory.draw.solid.scene import Cell, Solid, block_faces
from factory.draw.solid.shapes import Mesh, lathe, shape

__all__ = [
    "BACK", "DIE_VALUES", "DOWN", "FACES", "FRONT", "LEFT", "OPPOSITE", "RIGHT", "UP",
    "Art", "Camera", "Cell", "Cube", "Facet", "Light", "Mesh", "Solid",
    "block_faces", "block_facets", "cube_outline", "cube_shadows", "facets", "facing", "fallen",
    "hull", "ids", "lathe", "lit", "numerals", "outline", "paint_blocks", "paint_cube",
    "paint_cubes", "paint_shadows", "paint_smooth", "paint_solids", "pips", "polygon",
    "pose_after", "pose_with", "seen_shares", "shadow_paths", "shadow_zone", "shape",
    "silhouette", "symbol_path",
]  # fmt: skip
