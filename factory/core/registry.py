"""Which CAPTCHA classes exist.

Discovery is the file system: every module of ``captcha_types.<family>`` whose
name does not start with an underscore is a class file, and entry points of the
group ``gui_data_factory.captcha_types`` name further packages of families.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from factory.core.errors import PluginBroken, UnknownType
from factory.core.puzzle import PuzzleType

ENTRY_POINT_GROUP = "gui_data_factory.captcha_types"

AnyPuzzle = type[PuzzleType[Any, Any]]

_registered: dict[str, AnyPuzzle] = {}
_searched: set[str] = set()


def register(name: str, *, version: int, family: str) -> Callable[[AnyPuzzle], AnyPuzzle]:
    """Class decorator: make a puzzle class known under its command-line name."""

    def add(cls: AnyPuzzle) -> AnyPuzzle:
        cls.id, cls.version, cls.family = name, version, family
        cls.source_file = Path(sys.modules[cls.__module__].__file__ or "")
        other = _registered.get(name)
        if other is not None and other.source_file != cls.source_file:
            raise PluginBroken(
                f"two class files register '{name}': {other.source_file} and {cls.source_file}"
            )
        _registered[name] = cls
        return cls

    return add


def _import_package(package_name: str) -> None:
    if package_name in _searched:
        return
    try:
        package = importlib.import_module(package_name)
        for family in pkgutil.iter_modules(package.__path__, package_name + "."):
            if not family.ispkg:
                continue
            folder = importlib.import_module(family.name)
            for module in pkgutil.iter_modules(folder.__path__, family.name + "."):
                if not module.name.rpartition(".")[2].startswith("_"):
                    importlib.import_module(module.name)
    except ImportError as error:
        raise PluginBroken(
            f"the class package '{package_name}' does not import: {error}; "
            f"run `python -c 'import {package_name}'` to see where"
        ) from error
    _searched.add(package_name)


def _discover() -> None:
    _import_package("captcha_types")
    for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP):
        _import_package(point.value)


def names() -> list[str]:
    """The ids of all classes, sorted."""
    _discover()
    return sorted(_registered)


def families() -> list[str]:
    """The families that have a class, sorted."""
    _discover()
    return sorted({cls.family for cls in _registered.values()})


def get(name: str) -> AnyPuzzle:
    """The class of this id; ``UnknownType`` with the nearest name when there is none."""
    if name in _registered:
        return _registered[name]
    _discover()
    if name in _registered:
        return _registered[name]
    near = difflib.get_close_matches(name, [*_registered, *families()], n=1, cutoff=0.4)
    hint = f"; did you mean '{near[0]}'? " if near else "; "
    raise UnknownType(f"there is no class '{name}'{hint}`factory list` shows them all")


def resolve(name: str) -> list[str]:
    """The class ids behind a ``--type``: an id, a family, or ``all``.

    A family that has the name of a class is written ``family:NAME``.
    """
    if name == "all":
        return names()
    family = name.removeprefix("family:")
    if name not in names() and family in families():
        return [n for n in names() if _registered[n].family == family]
    return [get(name).id]
