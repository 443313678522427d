"""Small valid samples and hand-made tars for the exporters' tests."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import orjson
from PIL import Image

from exporters.shards import ShardInfo, ShardWriter

Named = tuple[str, bytes]


def picture(seed: int, *, kind: str = "PNG") -> bytes:
    """A 16 x 12 px picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (16, 12), (seed * 37 % 256, seed * 11 % 256, 90)).save(out, kind)
    return out.getvalue()


def key_of(index: int, *, split: str = "train") -> str:
    return f"rotate-{split}-s0-c3f9a1b2d-{index:08d}"


def fields_of(key: str, index: int) -> dict[str, object]:
    return {
        "key": key,
        "type": "rotate",
        "difficulty": index / 8 + 0.01,
        "width": 16,
        "mirrored": bool(index % 2),
        "payload": orjson.dumps({"tasks": [1, None]}).decode(),
    }


def sample_parts(key: str, index: int) -> dict[str, bytes]:
    return {
        "txt": f"Turn picture {index} upright.\n".encode(),
        "png": picture(index),
        "json": orjson.dumps(fields_of(key, index)),
    }


def write_shard(run: Path, name: str, indices: Iterable[int], *, split: str = "train") -> ShardInfo:
    with ShardWriter(run / name, name=name) as shard:
        for index in indices:
            key = key_of(index, split=split)
            shard.add(key, sample_parts(key, index))
    return shard.info


def named_members(count: int) -> list[Named]:
    """The members of ``count`` good samples, in order, for tests to spoil."""
    return [
        (f"{key_of(index)}.{part}", data)
        for index in range(count)
        for part, data in sorted(sample_parts(key_of(index), index).items())
    ]


def fixed_info(name: str, nbytes: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = nbytes
    info.mtime = 0
    return info


def tar_of(path: Path, members: Sequence[Named | tuple[tarfile.TarInfo, bytes]]) -> Path:
    """A tar made by Python's tarfile, which knows nothing of our rules."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in members:
            info = name if isinstance(name, tarfile.TarInfo) else fixed_info(name, len(data))
            tar.addfile(info, io.BytesIO(data))
    return path
