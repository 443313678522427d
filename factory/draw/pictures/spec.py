"""What a picture is before it is drawn, and which split may use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, Protocol

import skia

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, Stream, digest_int

Param = float | int | str

SIDE = 100.0
"""Pictures are drawn in a square of this side; the caller's size scales it."""


@dataclass(frozen=True)
class PictureSpec:
    """One upright picture. ``asset`` names what a split owns: an icon, a photograph, a scene seed.

    ``params`` is flat and JSON-able; floats are rounded to 1e-6. Its key
    ``layout`` holds the arrangement, everything else there is dress: palette,
    tint, how many small things lie about.
    """

    kind: str
    asset: str
    params: Mapping[str, Param] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rounded = {
            key: round(value, 6) if isinstance(value, float) else value
            for key, value in self.params.items()
        }
        object.__setattr__(self, "params", rounded)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"kind": self.kind, "asset": self.asset, "params": dict(self.params)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PictureSpec:
        """Read the JSON form."""
        return cls(kind=data["kind"], asset=data["asset"], params=data["params"])

    def identity(self) -> list[Param]:
        """Kind, asset and arrangement: equal for pictures that differ in dress only."""
        return [self.kind, self.asset, self.params.get("layout", 0)]


class Kind(Protocol):
    """A source of pictures. Contents are numbered, so that a run can walk them without repeats."""

    @property
    def name(self) -> str:
        """What commands and records call it."""
        ...

    @property
    def share(self) -> float:
        """Its weight in the default mix."""
        ...

    def installed(self) -> bool:
        """Whether its assets are on this machine."""
        ...

    def capacity(self, split: str) -> int:
        """Distinct identities that ``compose`` makes for ``range(capacity)``."""
        ...

    def compose(self, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
        """Content ``number`` of a split, dressed by the stream."""
        ...

    def draw(self, canvas: skia.Canvas, spec: PictureSpec) -> None:
        """Fill the square of side ``SIDE`` at the origin."""
        ...


@lru_cache(maxsize=1 << 14)
def partition(asset: str) -> str:
    """The split that owns an asset: 90 % train, 5 % val, 5 % test, by the digest of its name."""
    percent = digest_int(f"picture|{asset}", 32) % 100
    return "train" if percent < 90 else "val" if percent < 95 else "test"


def pools(assets: list[str]) -> dict[str, tuple[str, ...]]:
    """Assets by the split that owns them."""
    return {split: tuple(a for a in assets if partition(a) == split) for split in SPLITS}


def seeded_asset(kind: str, number: int, split: str) -> str:
    """A scene seed of the split for every number: distinct numbers, distinct seeds.

    Each number owns a bucket of seeds; the first that the split owns is taken.
    """
    names = (f"{kind}-{number:07x}-{salt}" for salt in count())
    return next(name for name in names if partition(name) == split)


def mixed_radix(number: int, *bases: int) -> list[int]:
    """``number`` as digits of the given bases, the first varying fastest."""
    digits = []
    for base in bases:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits


def check_number(number: int, capacity: int, kind: str, split: str) -> None:
    """``InvalidOptions`` unless the content exists."""
    if not 0 <= number < capacity:
        raise InvalidOptions(
            f"{kind} has {capacity} contents in split {split}; there is no number {number}"
        )
