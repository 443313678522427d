"""What all scene generators share: a numbered seed, a palette, and a mirrored half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import skia

from factory.core.rng import Stream
from factory.draw.pictures.palettes import Palette, choose_palette, palette
from factory.draw.pictures.spec import SIDE, PictureSpec, check_number, seeded_asset

SEEDS = 1 << 26
"""Scenes of a kind and split; each has a seed of its own, and all that is not colour follows it."""


@dataclass(frozen=True)
class View:
    """What a scene is painted with. ``detail`` in [0, 1] is how much lies about in it."""

    canvas: skia.Canvas
    rng: Stream
    colors: Palette
    detail: float

    def many(self, least: int, most: int) -> int:
        """A count between the two, the larger the busier the scene."""
        share = 0.75 * self.detail + 0.25 * self.rng.random()
        return least + round((most - least) * share)


@dataclass(frozen=True)
class SceneKind:
    """A scene generator as a source of pictures."""

    name: str
    share: float
    paint: Callable[[View], None]

    def installed(self) -> bool:
        """Scenes need no assets."""
        return True

    def capacity(self, split: str) -> int:
        """As many as there are seeds; see ``seeded_asset``."""
        return SEEDS

    def compose(self, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
        """Scene ``number`` of the split in a palette of the stream's choice."""
        check_number(number, SEEDS, self.name, split)
        return PictureSpec(
            kind=self.name,
            asset=seeded_asset(self.name, number, split),
            params={**choose_palette(stream), "detail": round(detail, 2)},
        )

    def draw(self, canvas: skia.Canvas, spec: PictureSpec) -> None:
        """Paint the scene; half of them are mirrored."""
        params = spec.params
        rng = Stream(spec.asset)
        canvas.save()
        if rng.chance(0.5):
            canvas.translate(SIDE, 0)
            canvas.scale(-1, 1)
        colors = palette(str(params["palette"]), int(params["shift"]))
        self.paint(View(canvas, rng, colors, float(params["detail"])))
        canvas.restore()
