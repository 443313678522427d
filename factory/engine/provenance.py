"""Which versions made a run: what a re-derivation must agree with to give equal bytes."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import cv2
import orjson

from factory import __version__

PIXEL_PACKAGES = (
    "gui-data-factory", "numpy", "opencv-python-headless", "skia-python", "Pillow", "isal",
    "resvg-py", "msgspec", "orjson", "pyarrow",
)  # fmt: skip
"""Packages whose version can change bytes."""


@lru_cache(maxsize=1)
def cpu_features() -> str:
    """The instruction sets that OpenCV dispatches to on this machine.

    cv2.warpAffine and friends give other bytes with other vector widths, so raster
    bytes are promised within one such class only.
    """
    words = cv2.getCPUFeaturesLine().replace("*", "").split()
    return "+".join(word for word in words if not word.endswith("?"))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def provenance(generator: str, assets: dict[str, str]) -> dict[str, str]:
    """Everything that raster bytes depend on, by name; ``assets`` are digests by name."""
    facts = {"factory": __version__, "generator": generator, "python": platform.python_version()}
    facts["machine"] = platform.machine()
    facts["cpu"] = cpu_features()
    facts.update({f"package:{name}": _version(name) for name in PIXEL_PACKAGES})
    facts.update({f"asset:{name}": digest for name, digest in sorted(assets.items())})
    return facts


def provenance_id(facts: dict[str, str]) -> str:
    """12 hex digits of the digest of a provenance."""
    text = orjson.dumps(facts, option=orjson.OPT_SORT_KEYS)
    return blake2b(text, digest_size=6).hexdigest()


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """``name: here ..., there ...`` for each fact that differs."""
    return [
        f"{name}: here {ours.get(name, 'absent')}, there {theirs.get(name, 'absent')}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
