"""Folders of pictures that the user gives, brought to one form or refused by name."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import skia
from PIL import Image, ImageCms, ImageOps

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from factory.draw.pictures.crops import CROPS, Focus, draw_crop
from factory.draw.pictures.raster import Sprite, sprite
from factory.draw.pictures.spec import PictureSpec, check_number, pools

SUFFIXES = (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
LEAST_SIDE_PX = 96
"""Smaller pictures would be stretched to mush."""

LARGEST_SIDE_PX = 900
"""Kept px along the shorter side: enough for the largest slot at 3 device px per CSS px."""

SPRITES_KEPT = 32
"""Decoded pictures of up to about 5 MB each."""


@dataclass(frozen=True)
class UserFolder:
    """The pictures below a folder, by content: ``files`` maps digests to paths.

    Reading it looks at every file; ``InvalidOptions`` names the folder that
    cannot be read or holds no picture.
    """

    path: Path
    files: dict[str, Path] = field(init=False)

    def __init__(self, path: str | Path) -> None:
        folder = Path(path).expanduser()
        object.__setattr__(self, "path", folder)
        object.__setattr__(self, "files", _listed(folder))

    def check(self) -> None:
        """Decode every picture once; ``InvalidOptions`` names the first that is of no use."""
        for file in self.files.values():
            normalised(file)


def _listed(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InvalidOptions(f"--assets {folder} is not a folder")
    files: dict[str, Path] = {}
    try:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                digest = blake2b(path.read_bytes(), digest_size=10).hexdigest()
                files.setdefault(digest, path)
    except OSError as error:
        raise InvalidOptions(f"--assets {folder} cannot be read: {error}") from error
    if not files:
        raise InvalidOptions(
            f"--assets {folder} holds no picture; "
            f"files ending in {', '.join(SUFFIXES)} are looked for"
        )
    return files


def normalised(path: Path) -> Any:
    """A picture in 8-bit sRGB ``(h, w, 3)``, BGR, turned as EXIF says, on white where transparent.

    ``InvalidOptions`` names the file and what is wrong with it.
    """
    try:
        with Image.open(path) as image:
            image.load()
            upright = ImageOps.exif_transpose(image)
            plain = _on_white(_eight_bit(_to_srgb(upright)))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InvalidOptions(
            f"{path} cannot be used: {error}; remove it from the folder or save it anew"
        ) from error
    if min(plain.size) < LEAST_SIDE_PX:
        raise InvalidOptions(
            f"{path} cannot be used: {plain.width} x {plain.height} px, "
            f"the shorter side needs {LEAST_SIDE_PX}; remove it from the folder"
        )
    pixels = cv2.cvtColor(np.asarray(plain), cv2.COLOR_RGB2BGR)
    shrink = LARGEST_SIDE_PX / min(plain.size)
    if shrink < 1:
        size = (round(plain.width * shrink), round(plain.height * shrink))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return pixels


def _to_srgb(image: Image.Image) -> Image.Image:
    """Through the embedded colour profile where there is one; plain CMYK by Pillow's own rule."""
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK"):
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            target = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(image, source, target, outputMode="RGB")
        except (ImageCms.PyCMSError, OSError):
            converted = None  # a broken profile says nothing
        if converted is not None:
            return converted
    return image.convert("RGB") if image.mode in ("CMYK", "YCbCr", "LAB", "HSV") else image


def _eight_bit(image: Image.Image) -> Image.Image:
    """16-bit grey is scaled; floating point is refused, for nobody says what its white is."""
    if image.mode == "F":
        raise ValueError("floating-point pixels")
    if image.mode.startswith("I"):
        values = np.asarray(image).astype(np.int64)
        top = 65535 if values.max(initial=0) > 255 else 255
        return Image.fromarray((np.clip(values, 0, top) * 255 // top).astype(np.uint8))
    return image


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        straight = image.convert("RGBA")
        paper = Image.new("RGBA", straight.size, (255, 255, 255, 255))
        return Image.alpha_composite(paper, straight).convert("RGB")
    return image.convert("RGB")


@dataclass
class UserKind:
    """The user's folders as a source of pictures; empty until ``use`` is called."""

    name: str = "user"
    share: float = 0.3
    files: dict[str, Path] = field(default_factory=dict)
    pools: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def use(self, folders: Sequence[UserFolder]) -> str:
        """Draw from these folders from now on; the digest of their contents, "" for none."""
        self.files = {digest: path for folder in folders for digest, path in folder.files.items()}
        self.pools = pools([f"user/{digest}" for digest in sorted(self.files)])
        if not self.files:
            return ""
        return blake2b("|".join(sorted(self.files)).encode(), digest_size=8).hexdigest()

    def installed(self) -> bool:
        """Whether a folder was given."""
        return bool(self.files)

    def capacity(self, split: str) -> int:
        """Pictures of the split times crops."""
        return len(self.pools.get(split, ())) * CROPS

    def compose(self, number: int, stream: Stream, split: str, detail: float) -> PictureSpec:
        """Content ``number``: a picture and a crop."""
        check_number(number, self.capacity(split), self.name, split)
        pool = self.pools[split]
        layout, place = divmod(number, len(pool))
        return PictureSpec(kind=self.name, asset=pool[place], params={"layout": layout})

    def draw(self, canvas: skia.Canvas, spec: PictureSpec) -> None:
        """The crop of the picture; ``InvalidOptions`` when its folder was not given."""
        digest = spec.asset.partition("/")[2]
        if digest not in self.files:
            raise InvalidOptions(
                f"picture {digest} is in none of the folders; give the --assets of the run"
            )
        draw_crop(canvas, _load(self.files[digest]), Focus(), int(spec.params["layout"]))


@lru_cache(maxsize=SPRITES_KEPT)
def _load(path: Path) -> Sprite:
    return sprite(normalised(path))


KIND = UserKind()
