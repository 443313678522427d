"""Look at this machine and say what is wrong with it, and what to type.

It takes seconds: it starts the browser and opens the fonts.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from factory.clash import OUR_PACKAGES, startup_clash
from factory.core.errors import DependencyMissing
from factory.draw.assets import NPM_FOLDERS, home
from factory.setup.browser import try_browser
from factory.setup.npm import is_installed
from factory.setup.system import SKIA_PACKAGES, apt_command, import_skia

DISTRIBUTION = "gui-data-factory"
OLDEST_PYTHON = (3, 11)

OPENCV_BUILDS = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
KEY_LIBRARIES = (
    "numpy",
    "opencv-python-headless",
    "skia-python",
    "pillow",
    "pyarrow",
    "pydantic",
    "shapely",
    "playwright",
)
READERS = ("webdataset", "datasets", "duckdb", "polars", "trl")
"""Libraries that read what the exporters write; good to have for checking by hand."""

CHINESE_FONTS = "npm/node_modules/@expo-google-fonts/noto-sans-sc"
CHINESE_SAMPLE = "请将图片旋转到正确的方向"
LATIN_SAMPLE = "Turn the picture upright: 0123456789"
FREE_DISK_GIB = 5.0
"""Room for the assets, a bank and a run of 100,000 samples."""

Level = Literal["ok", "note", "error"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. ``fix`` is the line to type, empty when there is none."""

    level: Level
    name: str
    message: str
    fix: str = ""


def diagnose() -> list[Finding]:
    """Every check, in the order in which a set-up meets them."""
    return [finding for check in CHECKS for finding in check()]


def check_python() -> Iterable[Finding]:
    """The interpreter is new enough."""
    found = f"Python {platform.python_version()} on {platform.platform()}"
    if sys.version_info < OLDEST_PYTHON:
        yield Finding("error", "python", found, "use Python 3.11 or newer")
    else:
        yield Finding("ok", "python", found)


def check_libraries() -> Iterable[Finding]:
    """The libraries that decide about pixels, with their versions."""
    versions = {name: _version(name) for name in KEY_LIBRARIES}
    missing = [name for name, version in versions.items() if not version]
    listing = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    yield Finding("ok", "libraries", listing)
    if missing:
        fix = f"{sys.executable} -m pip install {' '.join(missing)}"
        yield Finding("error", "libraries", f"not installed: {', '.join(missing)}", fix)


def check_opencv() -> Iterable[Finding]:
    """One build of OpenCV: two overwrite each other's files."""
    builds = [name for name in OPENCV_BUILDS if _version(name)]
    if len(builds) > 1:
        yield Finding(
            "error",
            "opencv",
            f"{' and '.join(builds)} share one `cv2` folder; which of them runs is chance",
            f"{sys.executable} -m pip uninstall -y {' '.join(builds)} && "
            f"{sys.executable} -m pip install opencv-python-headless",
        )


def check_names() -> Iterable[Finding]:
    """No other distribution owns one of our top-level names."""
    clash = startup_clash()
    if clash:
        yield Finding("error", "names", clash)
    owners = metadata.packages_distributions()
    for package in OUR_PACKAGES:
        others = sorted(set(owners.get(package, ())) - {DISTRIBUTION})
        if others:
            yield Finding(
                "error",
                "names",
                f"{', '.join(others)} installs a package `{package}` too",
                f"{sys.executable} -m pip uninstall -y {' '.join(others)}",
            )


def check_skia() -> Iterable[Finding]:
    """The raster kit finds the system's libEGL and libGL."""
    trial = import_skia()
    if trial.ok:
        yield Finding("ok", "skia", "imports; libEGL and libGL are present")
    else:
        yield Finding("error", "skia", trial.complaint, apt_command(*SKIA_PACKAGES))


def check_assets() -> Iterable[Finding]:
    """The pinned npm packages lie in the factory's home."""
    for lock, what in (("assets", "icons and fonts"), ("scenarios", "style sheets of scenarios")):
        folder = home() / NPM_FOLDERS[lock]
        if is_installed(lock, folder):
            yield Finding("ok", lock, f"{what} in {folder}")
        else:
            message = f"{what} in {folder} are missing or of other versions"
            yield Finding("error", lock, message, "factory setup")


def check_fonts() -> Iterable[Finding]:
    """Every Latin family and the Chinese one hold the characters they are there for."""
    try:
        import skia
    except ImportError:
        return  # check_skia has said so
    families = {name: _latin_fonts(name) for name in _font_packages()}
    wanted = dict.fromkeys(families, LATIN_SAMPLE)
    families[CHINESE_FONTS] = sorted((home() / CHINESE_FONTS).rglob("*.ttf"))
    wanted[CHINESE_FONTS] = CHINESE_SAMPLE
    lacking = [
        name
        for name, files in families.items()
        if not files or not all(_covers(skia, file, wanted[name]) for file in files)
    ]
    if lacking:
        message = f"missing or without the characters they are for: {', '.join(lacking)}"
        latin = [name for name in lacking if name != CHINESE_FONTS]
        install = f"{sys.executable} -m pip install --force-reinstall {' '.join(latin)}"
        yield Finding("error", "fonts", message, install if latin else "factory setup")
    else:
        yield Finding("ok", "fonts", f"{len(families)} families cover their samples")


def check_browser() -> Iterable[Finding]:
    """A Chromium is there and starts."""
    trial = try_browser()
    if trial.version:
        yield Finding("ok", "browser", f"Chromium {trial.version} starts")
    else:
        yield Finding("error", "browser", trial.problem, "factory setup")


def check_bank() -> Iterable[Finding]:
    """Painted pages are in stock, so that workers need no browser."""
    try:
        from factory.web.bank import Bank

        bank = Bank.open()
    except (DependencyMissing, ImportError) as error:
        yield Finding("error", "bank", str(error), "factory setup --backdrops 200")
        return
    painted = bank.painter == "chromium"
    message = f"{len(bank.entries)} backdrops by {bank.painter} {bank.chromium}".rstrip()
    fix = "" if painted else "factory setup --backdrops 200"
    yield Finding("ok" if painted else "note", "bank", message, fix)


def check_disk() -> Iterable[Finding]:
    """Room in the working folder and in the factory's home."""
    for folder in dict.fromkeys((Path.cwd(), _existing(home()))):
        free_gib = shutil.disk_usage(folder).free / 2**30
        level: Level = "ok" if free_gib >= FREE_DISK_GIB else "note"
        yield Finding(level, "disk", f"{free_gib:.1f} GiB free at {folder}")


def check_processor() -> Iterable[Finding]:
    """What raster bytes depend on, and what the local pool has."""
    try:
        import cv2
    except ImportError as error:
        yield Finding("error", "processor", f"cv2 does not import: {error}")
        return
    # OpenCV marks what it dispatches to with a star, and what this CPU lacks with a question mark.
    features = [
        name.strip("*") for name in cv2.getCPUFeaturesLine().split() if not name.endswith("?")
    ]
    yield Finding("ok", "processor", f"{os.cpu_count()} cores; {' '.join(features)}")


def check_readers() -> Iterable[Finding]:
    """Third-party readers of our files; their absence is only worth a note."""
    missing = [name for name in READERS if not _version(name)]
    if missing:
        fix = f"{sys.executable} -m pip install {' '.join(missing)}"
        yield Finding("note", "readers", f"not installed: {', '.join(missing)}", fix)
    else:
        yield Finding("ok", "readers", ", ".join(f"{name} {_version(name)}" for name in READERS))


def _font_packages() -> list[str]:
    """The font packages that this distribution asks for."""
    if not _version(DISTRIBUTION):
        return []
    needs = metadata.requires(DISTRIBUTION) or []
    return sorted(need for need in needs if need.startswith("fontpkg-"))


def _latin_fonts(package: str) -> list[Path]:
    if not _version(package):
        return []
    files = metadata.files(package) or []
    return [Path(str(file.locate())) for file in files if file.suffix == ".ttf"]


def _covers(skia: Any, font_file: Path, text: str) -> bool:
    face = skia.Typeface.MakeFromFile(str(font_file))
    return face is not None and all(face.unicharToGlyph(ord(sign)) for sign in text)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _existing(folder: Path) -> Path:
    """The nearest folder above that exists."""
    return folder if folder.exists() else _existing(folder.parent)


CHECKS: tuple[Callable[[], Iterable[Finding]], ...] = (
    check_python,
    check_libraries,
    check_opencv,
    check_names,
    check_skia,
    check_assets,
    check_fonts,
    check_browser,
    check_bank,
    check_disk,
    check_processor,
    check_readers,
)
