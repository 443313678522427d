"""Where assets lie (stand-in until the real module lands)."""

import os
from pathlib import Path

from factory.core.errors import DependencyMissing


def home() -> Path:
    value = os.environ.get("FACTORY_HOME")
    return Path(value) if value else Path.home() / ".cache" / "gui-data-factory"


def npm_package(name: str) -> Path:
    path = home() / "npm" / "node_modules" / name
    if not path.is_dir():
        raise DependencyMissing(f"{name} is absent; run `factory setup`")
    return path
