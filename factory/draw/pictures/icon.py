"""Line icons as signs, posters, badges, pennants, cards and neon."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import skia

from factory.core.errors import DependencyMissing
from factory.core.rng import Stream
from factory.draw.assets import has_npm_package, npm_package
from factory.draw.pictures.palettes import choose_palette, palette
from factory.draw.pictures.scene import View
from factory.draw.pictures.signs import DESIGNS
from factory.draw.pictures.spec import PictureSpec, check_number, mixed_radix, pools
from factory.draw.pictures.svg_path import icon_path
from factory.draw.pictures.upright import ICONS

PACKAGE = "lucide-static"
ZOOMS, SHIFTS, VARIANTS = 3, 3, 12


@dataclass(frozen=True)
class IconKind:
    """The curated icons as a source of pictures."""

    name: str = "icon"
    share: float = 0.13

    def installed(self) -> bool:
        """Whether set-up brought the package."""
        return has_npm_package(PACKAGE)

    def capacity(self, split: str) -> int:
        """Icons of the split times arrangements."""
        return len(_pools()[split]) * len(DESIGNS) * 2 * ZOOMS * SHIFTS * VARIANTS

    def compose(self, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
        """Content ``number``: an icon, a design, a size and a place."""
        check_number(number, self.capacity(split), self.name, split)
        layout, place = divmod(number, len(_pools()[split]))
        params = {**choose_palette(stream), "layout": layout, "detail": round(detail, 2)}
        return PictureSpec(kind=self.name, asset=_pools()[split][place], params=params)

    def draw(self, canvas: skia.Canvas, spec: PictureSpec) -> None:
        """The design with its icon; the second arrangement of two is mirrored as a whole."""
        layout = int(spec.params["layout"])
        design, mirror, zoom, shift, _ = mixed_radix(
            layout, len(DESIGNS), 2, ZOOMS, SHIFTS, VARIANTS
        )
        rng = Stream(f"{spec.asset}|{layout}")
        colors = palette(str(spec.params["palette"]), int(spec.params["shift"]))
        outline = icon_outline(spec.asset.partition("/")[2])
        size = (1.0, 1.12, 1.24)[zoom] + rng.uniform(-0.04, 0.04)
        place = 50 + 5.0 * (shift - 1) + rng.uniform(-2, 2)
        canvas.save()
        if mirror:
            canvas.translate(100, 0)
            canvas.scale(-1, 1)
        DESIGNS[design](
            View(canvas, rng, colors, float(spec.params["detail"])), outline, place, size
        )
        canvas.restore()


@lru_cache(maxsize=1)
def _pools() -> dict[str, tuple[str, ...]]:
    return pools([f"icon/{name}" for name in ICONS])


@lru_cache(maxsize=512)
def icon_outline(name: str) -> skia.Path:
    """An icon's strokes as a path in a square of side ``signs.GRID``. Shared: never change it."""
    package = npm_package(PACKAGE)
    nodes = _nodes(package)
    if name not in nodes:
        raise DependencyMissing(f"{PACKAGE} at {package} lacks {name}; run `factory setup` again")
    return icon_path(nodes[name])


@lru_cache(maxsize=2)
def _nodes(package: Path) -> Mapping[str, list[tuple[str, Mapping[str, str]]]]:
    return json.loads((package / "icon-nodes.json").read_bytes())


KIND = IconKind()
