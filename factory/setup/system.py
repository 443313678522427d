"""The two system libraries that the raster kit links to, and Debian's packager."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable

from factory.core.errors import DependencyMissing
from factory.setup.commands import NOT_FOUND, Outcome, execute

SKIA_PACKAGES = ("libegl1", "libgl1")
"""Debian's packages of libEGL.so.1 and libGL.so.1, which skia's wheel does not carry."""

IMPORT_LIMIT_S = 120
APT_LIMIT_S = 900


def can_use_apt() -> bool:
    """Whether this process may install Debian packages."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_command(*packages: str) -> str:
    """The line a person types to install ``packages``."""
    names = " ".join(packages)
    return f"sudo apt-get update && sudo apt-get install -y --no-install-recommends {names}"


def apt_install(*packages: str) -> Outcome:
    """Refresh the package lists and install ``packages`` without what they merely recommend."""
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=120"]
    refreshed = execute([*apt, "update"], timeout_s=APT_LIMIT_S, extra_env=quiet)
    if refreshed.code == NOT_FOUND:
        return refreshed
    # A failed refresh (one dead mirror of several) need not stop the installation.
    return execute(
        [*apt, "install", "-y", "--no-install-recommends", *packages],
        timeout_s=APT_LIMIT_S,
        extra_env=quiet,
    )


def import_skia() -> Outcome:
    """Import skia in a process of its own, so that a failure can be mended and tried again."""
    return execute([sys.executable, "-c", "import skia"], timeout_s=IMPORT_LIMIT_S)


def ensure_skia(echo: Callable[[str], None]) -> None:
    """Make ``import skia`` work, by installing libEGL and libGL where that is allowed.

    ``DependencyMissing`` with the line to type where it is not.
    """
    trial = import_skia()
    if trial.ok:
        echo("system libraries: libEGL and libGL are present")
        return
    if "libEGL" not in trial.output and "libGL" not in trial.output:
        raise DependencyMissing(f"skia does not import: {trial.complaint}; reinstall skia-python")
    by_hand = apt_command(*SKIA_PACKAGES)
    if not can_use_apt():
        raise DependencyMissing(
            f"skia needs the system's libEGL and libGL ({trial.complaint}). On Debian and "
            f"Ubuntu: {by_hand}. Then run `factory setup` again"
        )
    echo(f"system libraries: installing {' and '.join(SKIA_PACKAGES)}")
    installed = apt_install(*SKIA_PACKAGES)
    trial = import_skia()
    if not trial.ok:
        why = trial.complaint if installed.ok else installed.complaint
        raise DependencyMissing(f"libEGL and libGL could not be installed: {why}; try: {by_hand}")
    echo("system libraries: libEGL and libGL installed")
