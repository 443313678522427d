"""Where the assets lie that packages bring: icons and fonts by npm, photographs by pip."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from factory.core.errors import DependencyMissing


def home() -> Path:
    """The folder that set-up fills: ``FACTORY_HOME``, else ``gui-data-factory`` in the cache.

    The cache is ``XDG_CACHE_HOME`` where that is set, else ``~/.cache``.
    """
    chosen = os.environ.get("FACTORY_HOME")
    if chosen:
        return Path(chosen).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "gui-data-factory"


NPM_FOLDERS = {"assets": "npm", "scenarios": "npm-scenarios"}
"""Where under ``home()`` the packages of each lock lie."""


def npm_package(name: str, lock: str = "assets") -> Path:
    """The folder of an npm package that ``lock`` pins; ``DependencyMissing`` says what brings it.

    ``lock`` is a key of ``NPM_FOLDERS``.
    """
    path = home() / NPM_FOLDERS[lock] / "node_modules" / name
    if not path.is_dir():
        raise DependencyMissing(
            f"npm package {name} is not at {path}; run `factory setup`, "
            "or set FACTORY_HOME to the folder that it filled"
        )
    return path


def has_npm_package(name: str) -> bool:
    """Whether ``npm_package`` would find it."""
    return (home() / "npm" / "node_modules" / name).is_dir()


def python_package(name: str) -> Path | None:
    """The folder of an installed Python package, found without importing it; None when absent."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
