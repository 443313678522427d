"""The solid kit: projections, visibility against ray casting, shadows, dice, painting."""

from __future__ import annotations

import math
from dataclasses import asdict

import cv2
import numpy as np
import pytest
import skia

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.rng import Stream
from factory.draw import solid
from factory.draw.solid import Camera, Cube, Light, Solid, lattice
from factory.draw.solid.scene import back_to_front
from factory.draw.solid.shapes import SHAPES
from factory.draw.solid.turned import paint_turned
from factory.draw.solid.vectors import (
    UPRIGHT,
    Vec,
    after,
    cross,
    cube_turns,
    dot,
    inverse,
    minus,
    plus,
    roll,
    spin,
    times,
    turned,
)

AREA = Box(0, 0, 60, 48)
EDGE_SHARE = 0.03
"""Px through which an edge runs may fall to either side; all others must agree."""

SAME = 1e-6
SCENE = (
    Solid("box", (0.5, 0.4, 0.9), (-0.9, 0.3, 0), 20.0, "#3355cc"),
    Solid("prism6", (0.5, 0.5, 0.5), (0.6, 0.9, 0), 10.0, "#cc5533"),
    Solid("pyramid", (0.6, 0.6, 1.3), (0.4, -0.8, 0), 35.0, "#33aa55"),
)


def _camera(azimuth: float = -70.0, elevation: float = 40.0) -> Camera:
    points = [corner for thing in SCENE for corner in thing.corners]
    return Camera.around((0.0, 0.0, 0.4), azimuth, elevation, 7.0).fitted(points, AREA)


def _hit(origin: Vec, ray: Vec, corners: list[Vec]) -> float | None:
    """Distance along a ray to a convex polygon seen from outside; None for a miss."""
    normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
    facing = dot(ray, normal)
    if facing >= 0:
        return None
    reach = dot(minus(corners[0], origin), normal) / facing
    at = plus(origin, times(ray, reach))
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        if dot(cross(minus(b, a), minus(at, a)), normal) < 0:
            return None
    return reach


def _cast(camera: Camera, shown: list[solid.Facet], x: float, y: float) -> int:
    right, down, forward = camera.frame
    ray = plus(
        plus(times(right, x - camera.middle[0]), times(down, y - camera.middle[1])),
        times(forward, camera.focus),
    )
    hits = [(_hit(camera.eye, ray, list(f.corners)), f.id) for f in shown]
    return min(((d, name) for d, name in hits if d is not None), default=(0.0, -1))[1]


@pytest.mark.parametrize("azimuth", [-110.0, -70.0, 35.0])
def test_the_z_buffer_sees_what_rays_hit(azimuth: float) -> None:
    camera = _camera(azimuth)
    shown = solid.facets(SCENE)
    found = solid.ids(camera, shown, 60, 48)
    cast = [[_cast(camera, shown, x + 0.5, y + 0.5) for x in range(60)] for y in range(48)]
    assert float(np.mean(found != np.array(cast))) <= EDGE_SHARE
    assert set(np.unique(found).tolist()) == {-1, 0, 1, 2}


def test_what_stands_in_front_hides_what_is_behind() -> None:
    wall = Solid("box", (2.0, 0.1, 2.0), (0.0, -1.0, 0.0), 0.0, "#888888")
    ball = Solid("sphere", (0.5, 0.5, 0.5), (0.0, 1.0, 0.0), 0.0, "#cc0000")
    camera = Camera.around((0, 0, 0.5), -90.0, 15.0, 9.0).fitted(wall.corners, AREA)
    shares = solid.seen_shares(camera, solid.facets([wall, ball]), 60, 48)
    assert shares[0] == 1.0 and shares[1] < 0.1


@pytest.mark.parametrize("azimuth", [-60.0, 20.0, 110.0, 200.0])
def test_blocks_painted_back_to_front_look_as_the_z_buffer_says(azimuth: float) -> None:
    cells = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (0, 0, 1), (0, 0, 2), (1, 2, 0), (2, 1, 1)]
    corners = [(x, y, z) for x in (0.0, 3.0) for y in (0.0, 3.0) for z in (0.0, 3.0)]
    camera = Camera.around((1.5, 1.5, 1.0), azimuth, 28.0, 11.0).fitted(corners, AREA)
    painted = np.full((48, 60), -1, np.int32)
    place = {cell: index for index, cell in enumerate(cells)}
    for face in solid.block_faces(cells, camera):
        own = solid.ids(camera, [solid.Facet(place[face.cell], face.corners)], 60, 48)
        painted = np.where(own >= 0, own, painted)
    buffered = solid.ids(camera, solid.block_facets(cells, camera), 60, 48)
    assert float(np.mean(painted != buffered)) <= EDGE_SHARE


def test_solids_painted_back_to_front_look_as_the_z_buffer_says() -> None:
    camera = _camera()
    painted = np.full((48, 60), -1, np.int32)
    for thing in back_to_front(SCENE, camera):
        own = solid.ids(camera, solid.facets([thing]), 60, 48)
        painted = np.where(own >= 0, SCENE.index(thing), painted)
    assert float(np.mean(painted != solid.ids(camera, solid.facets(SCENE), 60, 48))) <= EDGE_SHARE


def test_points_of_the_ground_come_back_through_the_camera() -> None:
    camera = _camera()
    for point in ((0.3, -0.7, 0.0), (-1.0, 1.2, 0.0)):
        x, y, _ = camera.seen(point)
        assert camera.ground(x, y) == pytest.approx(point, abs=SAME)


def test_a_face_matrix_maps_what_the_camera_maps() -> None:
    camera = _camera()
    corner, across, along = (0.1, 0.2, 0.3), (0.4, 0.1, 0.0), (0.0, 0.2, 0.5)
    m = np.array(camera.plane(corner, across, along)).reshape(3, 3)
    for u, v in ((0.0, 0.0), (0.5, -0.5), (-0.3, 0.2)):
        x, y, w = m @ (u, v, 1.0)
        point = plus(corner, plus(times(across, u), times(along, v)))
        assert (x / w, y / w) == pytest.approx(camera.seen(point)[:2], abs=SAME)
    many = camera.array([corner, across])
    assert many[0] == pytest.approx(camera.seen(corner), abs=SAME)


def test_a_fitted_camera_shows_everything_in_its_box() -> None:
    points = [corner for thing in SCENE for corner in thing.corners]
    seen = _camera().pixels(points)
    assert min(x for x, _ in seen) >= -SAME and max(x for x, _ in seen) <= 60 + SAME
    assert min(y for _, y in seen) >= -SAME and max(y for _, y in seen) <= 48 + SAME


@pytest.mark.parametrize("azimuth", [10.0, 100.0, 190.0, 280.0])
def test_shadows_fall_away_from_the_light(azimuth: float) -> None:
    light = Light(azimuth, 45.0)
    tip = solid.fallen((0.0, 0.0, 2.0), light.towards)
    assert math.hypot(*tip[:2]) == pytest.approx(2.0, abs=1e-5)  # 45 degrees: as long as high
    assert dot(tip, light.towards) < 0
    camera, cube = _camera(-90.0), Cube((0.0, 0.0, 0.0), 1.0, 0.0, 0, "#ffffff")
    zone = solid.shadow_zone(camera, light, cube.corners())
    middle = sum(p.x for p in zone) / len(zone) - camera.pixel(cube.at).x
    assert middle * light.towards[0] < 0 or abs(light.towards[0]) < 0.2


def test_painted_shadows_darken_the_side_away_from_the_light() -> None:
    camera = Camera.around((0, 0, 0), -90.0, 50.0, 9.0)
    camera = Camera(camera.eye, camera.target, 160.0, (60.0, 40.0))
    cube = Cube((0.0, 0.0, 0.0), 1.0, 15.0, 0, "#ffffff")
    surface = skia.Surface(120, 80)
    with surface as canvas:
        canvas.clear(skia.Color(230, 230, 230))
        light = Light(180.0, 40.0)
        solid.paint_shadows(canvas, solid.cube_shadows(camera, light, [cube]))
    grey = np.asarray(surface.makeImageSnapshot().toarray())[..., 0].astype(int)
    assert grey[:, 75:].min() < 150 and grey[:, :45].min() > 220


def test_the_turns_of_a_cube_are_a_group_of_24() -> None:
    turns = cube_turns()
    assert len(set(turns)) == 24
    assert {after(a, b) for a in turns for b in turns} == set(turns)
    assert all(after(t, inverse(t)) == turns[0] for t in turns)


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_rolling_brings_the_top_to_where_it_rolls(way: tuple[int, int]) -> None:
    assert turned(roll(way), (0.0, 0.0, 1.0)) == (*way, 0.0)
    assert turned(roll(way), (-way[1], way[0], 0.0)) == (-way[1], way[0], 0.0)
    pose = 7
    for _ in range(4):
        pose = solid.pose_after(pose, roll(way))
    assert pose == 7


def test_dice_have_seven_on_opposite_faces_and_two_hands() -> None:
    for values in solid.DIE_VALUES:
        assert all(values[f] + values[solid.OPPOSITE[f]] == 7 for f in range(6))
    hands = [
        dot(cross(*(solid.FACES[values.index(v)].out for v in (1, 2))),
            solid.FACES[values.index(3)].out)
        for values in solid.DIE_VALUES
    ]  # fmt: skip
    assert sorted(hands) == [-1, 1]


def test_a_pose_is_named_by_what_looks_up_and_to_the_viewer() -> None:
    for up in range(6):
        for front in range(6):
            if front in (up, solid.OPPOSITE[up]):
                continue
            pose = solid.pose_with(up, front)
            assert solid.facing(pose, (0.0, 0.0, 1.0)) == up
            assert solid.facing(pose, (0.0, -1.0, 0.0)) == front


def test_right_and_down_of_a_face_are_seen_from_outside() -> None:
    for frame in solid.FACES:
        assert cross(frame.down, frame.right) == frame.out  # down x right leads to the eye


def test_a_cube_shows_its_upper_face_largest_from_above() -> None:
    cube = Cube((0.0, 0.0, 0.0), 1.0, 33.0, 5, "#ffffff")
    camera = Camera.around((0, 0, 0.5), -90.0, 52.0, 12.0).fitted(cube.corners(), AREA)
    areas = {f: cv2.contourArea(np.array(cube.face_zone(camera, f), np.float32))
             for f in cube.shown(camera)}  # fmt: skip
    assert len(areas) == 3
    assert max(areas, key=lambda f: areas[f]) == solid.facing(5, (0.0, 0.0, 1.0))


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_faces_of_solids_look_outwards(name: str) -> None:
    mesh = solid.shape(name, 0.7, 0.25, 0.9)
    inner = (0.7, 0.0, 0.25) if name == "torus" else (0.0, 0.0, 0.3)
    if name == "wedge":
        inner = (-0.4, -0.1, 0.3)
    assert min(corner[2] for corner in mesh.corners) == pytest.approx(0.0, abs=SAME)
    for face, normal in zip(mesh.faces, mesh.face_normals, strict=True):
        corner = mesh.corners[face[0]]
        if name == "torus":
            around = math.hypot(corner[0], corner[1])
            inner = (0.7 * corner[0] / around, 0.7 * corner[1] / around, 0.25)
        assert dot(normal, minus(corner, inner)) > 0


def test_a_lathe_keeps_its_edges_and_its_round_parts() -> None:
    cup = solid.lathe([(0.5, 0.0), (0.5, 1.0)])
    assert sorted({round(n[2], 6) for n in cup.normals}) == [-1.0, 0.0, 1.0]
    with pytest.raises(InvalidOptions, match="two points"):
        solid.lathe([(0.5, 0.0)])


def test_unknown_solids_are_refused_by_name() -> None:
    with pytest.raises(InvalidOptions, match="no solid 'blob'"):
        _ = Solid("blob", (1, 1, 1), (0, 0, 0), 0.0, "#000000").corners


def _painted(seed: str) -> bytes:
    stream = Stream(seed)
    dice = [Cube((1.5 * k - 1.5, 0.0, 0.0), 1.0, stream.uniform(0, 90), k, "#e8e4da")
            for k in range(3)]  # fmt: skip
    surface = skia.Surface(120, 96)
    with surface as canvas:
        canvas.scale(2, 2)
        light, camera = Light(120.0, 50.0), _camera()
        solid.paint_shadows(canvas, solid.shadow_paths(camera, light, SCENE))
        solid.paint_solids(canvas, camera, light, SCENE)
        art = solid.pips(solid.DIE_VALUES[0], "#101010")
        solid.paint_cubes(canvas, camera, light, dice, [art] * 3)
        ring = Solid("torus", (0.4, 0.15, 0.0), (0, 0, 0), 0.0, "#8844aa")
        solid.paint_solids(canvas, camera, light, [ring])
    return np.asarray(surface.makeImageSnapshot().toarray()).tobytes()


def test_a_scene_is_painted_the_same_twice() -> None:
    assert _painted("one") == _painted("one") != _painted("two")


def test_specs_are_plain_data_rounded_once() -> None:
    cube = Cube((0.12345678, 0.0, 0.0), 1.0, 10.00000012, 3, "#ffffff")
    assert cube == Cube(**asdict(cube)) and cube.at[0] == 0.123457
    assert _camera() == Camera(**asdict(_camera()))


def test_a_smooth_solid_is_lighter_where_it_looks_to_the_light() -> None:
    ball = Solid("sphere", (0.8, 0.8, 0.8), (0.0, 0.0, 0.0), 0.0, "#4477aa")
    camera = Camera.around((0, 0, 0.8), -90.0, 20.0, 8.0).fitted(ball.corners, AREA)
    surface = skia.Surface(60, 48)
    with surface as canvas:
        canvas.clear(skia.Color(0, 0, 0))
        solid.paint_solids(canvas, camera, Light(180.0, 30.0), [ball])
    grey = np.asarray(surface.makeImageSnapshot().toarray())[..., :3].mean(axis=2)
    assert grey[24, 18] > grey[24, 42] + 20


def test_spins_keep_lengths() -> None:
    assert turned(spin(90.0), (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize("quadrant", [0, 1, 2, 3])
def test_the_lattice_sees_the_blocks_that_the_z_buffer_sees(quadrant: int) -> None:
    cells = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (0, 0, 1), (0, 0, 2), (1, 2, 0), (1, 1, 0)]
    azimuth = 45.0 + 90.0 * quadrant
    corners = [(x, y, z) for x in (0.0, 3.0) for y in (0.0, 3.0) for z in (0.0, 3.0)]
    # From afar, along the very diagonal of space.
    camera = Camera.around((1.5, 1.5, 1.0), azimuth, math.degrees(math.atan(0.5**0.5)), 400.0)
    camera = camera.fitted(corners, Box(0, 0, 240, 200))
    shown = solid.block_facets(cells, camera)
    found = solid.ids(camera, shown, 240, 200)
    counted = lattice.blocks_seen(lattice.seen_from(cells, quadrant))
    triangle = max(int((found == k).sum()) for k in range(8)) / 6
    for index, cell in enumerate(cells):
        share = float((found == index).sum()) / triangle
        assert share == pytest.approx(counted.get(cell, 0), abs=0.3)


def test_a_figure_and_its_mirror_image_differ_and_turns_do_not() -> None:
    cells = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (0, 0, 1)]
    assert len(lattice.upright_forms(cells)) == 4
    assert lattice.rested(lattice.turned_about(cells, 3)) in lattice.upright_forms(cells)
    assert lattice.rested(lattice.mirrored(cells)) not in lattice.upright_forms(cells)
    one, two = (lattice.pattern(lattice.seen_from(cells, q), ()) for q in (0, 1))
    assert lattice.difference(one, one) == 0 < lattice.difference(one, two)
    marked = lattice.pattern(lattice.seen_from(cells, 0), cells[:1])
    assert lattice.difference(one, marked) > 0


def test_a_solid_painted_part_by_part_has_the_outline_of_its_mesh() -> None:
    profile = ((0.7, 0.0), (0.7, 0.4), (0.2, 0.4), (0.2, 0.9), (1.0, 1.3), (0.4, 2.0))
    box, masks = Box(0, 0, 120, 120), []
    camera = Camera.around((0, 0, 1.0), -90.0, 18.0, 12.0)
    camera = camera.fitted([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 2)], box)
    body, light = solid.lathe(profile), Light(-140.0, 45.0)
    painters = (
        lambda c: paint_turned(c, camera, light, profile, "#c08040"),
        lambda c: solid.paint_smooth(c, camera, light, body, body.array, UPRIGHT, "#c08040"),
    )
    for painter in painters:
        surface = skia.Surface(120, 120)
        with surface as canvas:
            canvas.clear(skia.ColorTRANSPARENT)
            painter(canvas)
        masks.append(np.asarray(surface.makeImageSnapshot().toarray())[..., 3] > 127)
    assert (masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum() > 0.97
