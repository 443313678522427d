"""Our top-level package names are short, so another distribution may hide one of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

OUR_PACKAGES = ("factory", "captcha_types", "templates", "exporters", "training")


def startup_clash() -> str:
    """Which of our packages comes from elsewhere, as a message; empty when none does.

    Only looks up where the packages would come from and imports none of them:
    a fraction of a millisecond, so every command can afford it.
    """
    ours = Path(__file__).resolve().parent.parent
    for package in OUR_PACKAGES:
        folders = _folders(package)
        if folders[:1] != [ours / package]:
            found = f"comes from {folders[0]}" if folders else "is not there"
            return (
                f"the package `{package}` {found}, and not from {ours}: another distribution "
                "or a folder on PYTHONPATH has the same name. Use a virtual environment of its "
                "own, or reinstall gui-data-factory"
            )
    return ""


def _folders(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package)
    return [Path(folder).resolve() for folder in (spec and spec.submodule_search_locations) or ()]
