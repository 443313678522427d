"""Which type names of public benchmarks classes train for: ``captcha_types/covers.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from factory.core.errors import PluginBroken


@cache
def _file() -> Mapping[str, Any]:
    return tomllib.loads(files("captcha_types").joinpath("covers.toml").read_text("utf-8"))


def benchmarks() -> Mapping[str, str]:
    """Benchmarks and open generators by the prefix of their type names."""
    return _file()["benchmarks"]


def covers(class_id: str) -> tuple[str, ...]:
    """Type names, ``NG:Spooky_Text``, that a class trains for; none for a class of our own."""
    return tuple(_file()["covers"].get(class_id, ()))


def covered(class_ids: list[str]) -> dict[str, dict[str, list[str]]]:
    """The classes that train for each type name, by prefix and name, both sorted.

    ``PluginBroken`` where the file names a class that is not there, or an unknown benchmark.
    """
    unknown = sorted({*_file()["covers"]} - {*class_ids})
    if unknown:
        raise PluginBroken(f"covers.toml names classes that are not there: {', '.join(unknown)}")
    found: dict[str, dict[str, list[str]]] = {prefix: {} for prefix in sorted(benchmarks())}
    for class_id in sorted(class_ids):
        for full in covers(class_id):
            prefix, _, name = full.partition(":")
            if prefix not in found:
                raise PluginBroken(f"covers.toml has no benchmark '{prefix}' for {full}")
            found[prefix].setdefault(name, []).append(class_id)
    return {prefix: dict(sorted(names.items())) for prefix, names in found.items()}
