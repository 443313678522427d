"""Square pictures with one obvious upright pose, for puzzles that turn, cut or sort pictures.

Sources: five scene generators, 3-D emoji on stages, icons as signs, a few
sample photographs, and the user's own folders. Contents of a kind are numbered
within a split (``capacity``, ``compose``), so that a run can walk them without
repeats; ``choose`` takes one at random. What splits own (emoji, icons, photographs,
scene seeds) is disjoint. A picture fills its square, shows no letters, and
its pose can be told from the inscribed disc alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import skia

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.puzzle import Content
from factory.core.rng import Stream
from factory.draw.pictures import emoji, folders, garden, icon, landscape, photo, room, sea, street
from factory.draw.pictures.folders import UserFolder
from factory.draw.pictures.spec import SIDE, Kind, PictureSpec, partition

__all__ = [
    "PictureSpec",
    "UserFolder",
    "capacity",
    "choose",
    "compose",
    "contents",
    "draw",
    "kinds",
    "partition",
    "use_folders",
]

_SOURCES: tuple[Kind, ...] = (
    landscape.KIND,
    street.KIND,
    room.KIND,
    sea.KIND,
    garden.KIND,
    emoji.KIND,
    icon.KIND,
    photo.KIND,
    folders.KIND,
)
_KINDS = {kind.name: kind for kind in _SOURCES}
_REMEDIES = {
    emoji.KIND.name: "`factory setup`",
    icon.KIND.name: "`factory setup`",
    photo.KIND.name: "`pip install 'gui-data-factory[photos]'`",
}


def kinds() -> tuple[str, ...]:
    """The kinds whose assets are on this machine."""
    return tuple(kind.name for kind in _SOURCES if kind.installed())


def _kind(name: str) -> Kind:
    if name not in _KINDS:
        raise InvalidOptions(f"no pictures of kind {name!r}; there are {', '.join(_KINDS)}")
    return _KINDS[name]


def capacity(kind: str, split: str) -> int:
    """Distinct identities of a kind in a split: contents are numbered below this."""
    return _kind(kind).capacity(split)


def contents(split: str, *, photographs: bool = False) -> list[Content]:
    """The mix of a split: kinds with their shares and capacities.

    A mix must not change with the machine: emoji and icons must be installed,
    and photographs, which come by an optional package, are in it on request
    only. ``DependencyMissing`` says what to run.
    """
    for name, remedy in _REMEDIES.items():
        if not _KINDS[name].installed() and (name != photo.KIND.name or photographs):
            raise DependencyMissing(f"pictures of kind {name} are not installed; run {remedy}")
    return [
        Content(kind=kind.name, share=kind.share, capacity=kind.capacity(split))
        for kind in _SOURCES
        if kind.installed() and kind.capacity(split) and (kind is not photo.KIND or photographs)
    ]


def compose(kind: str, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
    """Content ``number`` of a kind in a split. The stream chooses its dress (palette, tint, grade);
    ``detail`` runs from 0, simple and clear, to 1, busy."""
    return _kind(kind).compose(number, stream, split, detail)


def choose(kind: str, stream: Stream, split: str, detail: float) -> PictureSpec:
    """A random content of a kind in a split, dressed by the same stream."""
    count = capacity(kind, split)
    if not count:
        raise InvalidOptions(f"{kind} has no pictures in split {split}")
    return compose(kind, stream.integer(0, count), stream, split, detail)


def draw(canvas: skia.Canvas, spec: PictureSpec, size: float) -> None:
    """Draw the upright picture into [0, size]^2 of the canvas' current matrix, at any scale.

    Shapes at the edge reach a little beyond the square; nothing is clipped.
    """
    canvas.save()
    canvas.scale(size / SIDE, size / SIDE)
    _kind(spec.kind).draw(canvas, spec)
    canvas.restore()


def use_folders(paths: Sequence[str | Path], *, expected_digest: str = "") -> str:
    """Let kind ``user`` draw from these folders; returns the digest of their contents.

    With ``expected_digest`` the folders must hold what they held then; without
    it every picture is decoded once, so that a broken one stops the run before
    it starts. ``InvalidOptions`` names the folder or the file.
    """
    given = [UserFolder(path) for path in paths]
    if not expected_digest:
        for folder in given:
            folder.check()
    digest = folders.KIND.use(given)
    if expected_digest and digest != expected_digest:
        raise InvalidOptions(
            f"the pictures in {', '.join(map(str, paths)) or 'no folder'} have digest "
            f"{digest or '(none)'}, the run was begun with {expected_digest}; "
            "restore the folders or begin a new run"
        )
    return digest
