"""Put bytes on a disk so that a crash leaves the old state or the new one.

The order is always: write ``name.partial``, fsync it, rename it over ``name``,
fsync the folder. A reader that ignores ``*.partial`` never sees half a file.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from factory.core.errors import DiskFull

PARTIAL = ".partial"
_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def naming_disk_full(path: Path) -> Generator[None]:
    """Turn "no space left" and "quota exceeded" under ``path`` into ``DiskFull``."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise DiskFull(
            f"no space left while writing {path} ({error.strerror}); files published so far are "
            f"whole: free some space and run the same command with --resume"
        ) from error


def fsync_folder(folder: Path) -> None:
    """Make the names in ``folder`` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def ensure_folder(folder: Path) -> None:
    """Create ``folder`` and its parents, each of them durably."""
    if folder.is_dir():
        return
    ensure_folder(folder.parent)
    with naming_disk_full(folder):
        folder.mkdir(exist_ok=True)
        fsync_folder(folder.parent)


def partial_path(path: Path) -> Path:
    """Where ``path`` lies until it is published."""
    return path.with_name(path.name + PARTIAL)


def publish(path: Path) -> None:
    """Rename the fsynced partial of ``path`` over ``path``."""
    with naming_disk_full(path):
        os.replace(partial_path(path), path)
        fsync_folder(path.parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write a small file: afterwards ``path`` holds all of ``data`` or what it held before."""
    ensure_folder(path.parent)
    partial = partial_path(path)
    try:
        with naming_disk_full(path), partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        publish(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
