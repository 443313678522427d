"""3-D emoji that stand on a stage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import skia

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.rng import Stream
from factory.draw.assets import has_npm_package, npm_package
from factory.draw.pictures.palettes import choose_palette, palette
from factory.draw.pictures.raster import Sprite, sprite, stamp
from factory.draw.pictures.scene import View
from factory.draw.pictures.spec import PictureSpec, check_number, mixed_radix, pools
from factory.draw.pictures.stage import STAGES, ground_shadow
from factory.draw.pictures.upright import EMOJI

PACKAGE = "@lobehub/fluent-emoji-3d"
SPRITES_KEPT = 320
"""Decoded emoji of at most 256 px: 330 kB each with their halves."""

ZOOMS, SHIFTS, FLOORS, VARIANTS = 3, 3, 3, 4
ARRANGEMENTS = len(STAGES) * 2 * ZOOMS * SHIFTS * FLOORS * VARIANTS


@dataclass(frozen=True)
class EmojiKind:
    """The curated emoji as a source of pictures."""

    name: str = "emoji3d"
    share: float = 0.16

    def installed(self) -> bool:
        """Whether set-up brought the package."""
        return has_npm_package(PACKAGE)

    def capacity(self, split: str) -> int:
        """Emoji of the split times arrangements on the stage."""
        return len(_pools()[split]) * ARRANGEMENTS

    def compose(self, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
        """Content ``number``: an emoji, a stage, a size and a place."""
        check_number(number, self.capacity(split), self.name, split)
        layout, place = divmod(number, len(_pools()[split]))
        params = {**choose_palette(stream), "layout": layout, "detail": round(detail, 2)}
        return PictureSpec(kind=self.name, asset=_pools()[split][place], params=params)

    def draw(self, canvas: skia.Canvas, spec: PictureSpec) -> None:
        """Stage, shadow, emoji."""
        layout = int(spec.params["layout"])
        stage, mirror, zoom, shift, level, _ = mixed_radix(
            layout, len(STAGES), 2, ZOOMS, SHIFTS, FLOORS, VARIANTS
        )
        rng = Stream(f"{spec.asset}|{layout}")
        colors = palette(str(spec.params["palette"]), int(spec.params["shift"]))
        view = View(canvas, rng, colors, float(spec.params["detail"]))
        x = 50 + 5.5 * (shift - 1) + rng.uniform(-2, 2)
        size = 50 + 6 * zoom + rng.uniform(-2, 2)
        floor = STAGES[stage](view, x, 73 + 4 * level + rng.uniform(-1.5, 1.5))
        art = emoji_sprite(spec.asset.partition("/")[2])
        longest = max(art.width, art.height)
        w, h = size * art.width / longest, size * art.height / longest
        ground_shadow(canvas, x, floor, w * 0.5)
        target = skia.Rect(x - w / 2, floor - h + 1.2, x + w / 2, floor + 1.2)
        if mirror:
            canvas.save()
            canvas.translate(2 * x, 0)
            canvas.scale(-1, 1)
            stamp(canvas, art, None, target)
            canvas.restore()
        else:
            stamp(canvas, art, None, target)


@lru_cache(maxsize=1)
def _pools() -> dict[str, tuple[str, ...]]:
    return pools([f"emoji3d/{code}" for code in EMOJI])


@lru_cache(maxsize=SPRITES_KEPT)
def emoji_sprite(code: str) -> Sprite:
    """An emoji cut to its ink, so that its feet touch the floor.

    ``DependencyMissing`` without set-up.
    """
    path = _file(npm_package(PACKAGE), code)
    pixels = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise InvalidOptions(f"{path} is not an image with transparency; run `factory setup` again")
    rows, columns = (np.flatnonzero(pixels[..., 3].max(axis=axis) > 40) for axis in (1, 0))
    return sprite(pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _file(package: Path, code: str) -> Path:
    """Files carry the variation selector in some names."""
    for name in (code, f"{code}-fe0f"):
        path = package / "assets" / f"{name}.webp"
        if path.is_file():
            return path
    raise DependencyMissing(f"{PACKAGE} at {package} lacks {code}; run `factory setup` again")


KIND = EmojiKind()
