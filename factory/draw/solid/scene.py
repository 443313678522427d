"""Solids in their places, and blocks on a lattice: what a picture shows, JSON-able."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from factory.draw.solid.camera import Camera
from factory.draw.solid.shapes import Mesh, shape
from factory.draw.solid.vectors import Vec, plus, spin, turned

Cell = tuple[int, int, int]

SIDES: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


ROUND_STEPS = {"sphere": 5, "cylinder": 2, "cone": 2, "torus": 5}
"""Of the corners of round bodies one in so many: their hull is smaller by 3 % or less."""


@dataclass(frozen=True)
class Solid:
    """A named mesh (``shapes.SHAPES``) of half widths x and y and height z, standing at ``at``."""

    shape: str
    sizes: Vec
    at: Vec
    spin_deg: float
    colour: str

    def __post_init__(self) -> None:
        for name in ("sizes", "at"):
            object.__setattr__(self, name, tuple(round(v, 6) for v in getattr(self, name)))
        object.__setattr__(self, "spin_deg", round(self.spin_deg, 6))

    @property
    def mesh(self) -> Mesh:
        """Its mesh about the origin."""
        return shape(self.shape, *self.sizes)

    @property
    def corners(self) -> tuple[Vec, ...]:
        """Its corners in the world."""
        return _placed(self)

    @property
    def rim(self) -> tuple[Vec, ...]:
        """Corners enough for its outline: all of a body with edges, some of a round one."""
        return self.corners[:: ROUND_STEPS.get(self.shape, 1)]

    @property
    def reach(self) -> float:
        """Radius of its footprint about ``at``."""
        flat = [c[0] * c[0] + c[1] * c[1] for c in self.mesh.corners]
        return max(flat) ** 0.5

    @property
    def height(self) -> float:
        """Of its highest point above its foot."""
        return max(c[2] for c in self.mesh.corners)


@lru_cache(maxsize=1024)
def _placed(solid: Solid) -> tuple[Vec, ...]:
    turn = spin(solid.spin_deg)
    return tuple(plus(turned(turn, c), solid.at) for c in solid.mesh.corners)


def back_to_front(solids: Sequence[Solid], camera: Camera) -> list[Solid]:
    """Solids whose footprints do not meet, in an order in which they can be painted."""
    return sorted(
        solids, key=lambda s: -((s.at[0] - camera.eye[0]) ** 2 + (s.at[1] - camera.eye[1]) ** 2)
    )


@dataclass(frozen=True)
class Face:
    """A square of a block that can be seen: the block, the side, its corners in the world."""

    cell: Cell
    side: int
    corners: tuple[Vec, Vec, Vec, Vec]


_SQUARES: tuple[tuple[Cell, Cell, Cell, Cell], ...] = (
    ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
    ((0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)),
    ((1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)),
    ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    ((0, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0)),
)
"""Corners of the sides of a block in the order of ``SIDES``, anticlockwise from outside."""


def block_faces(cells: Sequence[Cell], camera: Camera) -> list[Face]:
    """The outer squares of unit blocks that face the camera, back to front.

    A block at (i, j, k) fills [i, i + 1] and so on. Blocks are taken by their distance to
    the eye axis by axis, which is exact on a lattice.
    """
    taken, found = frozenset(cells), list[Face]()
    for cell in sorted(taken, key=lambda c: _nearness(c, camera.eye)):
        for side, step in enumerate(SIDES):
            beside = (cell[0] + step[0], cell[1] + step[1], cell[2] + step[2])
            if beside in taken:
                continue
            square = tuple(_corner(cell, c) for c in _SQUARES[side])
            if camera.faces(square[0], (float(step[0]), float(step[1]), float(step[2]))):
                found.append(Face(cell, side, square))  # pyright: ignore[reportArgumentType]
    return found


def _corner(cell: Cell, corner: Cell) -> Vec:
    return float(cell[0] + corner[0]), float(cell[1] + corner[1]), float(cell[2] + corner[2])


def _nearness(cell: Cell, eye: Vec) -> tuple[float, ...]:
    """Blocks with a smaller value can never hide ones with a greater value."""
    return tuple(-abs(eye[axis] - (cell[axis] + 0.5)) for axis in (2, 1, 0))
