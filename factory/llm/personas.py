"""Who a screen is for: a grammar of our own, or lines of a user's file.

Names, towns and companies come from Faker, seeded by the sample and in the page's language, so
that two screens for one scenario are not about the same people.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.rng import Stream, digest_int
from templates import LLM

LOCALES = {"en": ("en_GB", "en_US", "en_IE", "en_AU"), "zh": ("zh_CN",)}
PARTS = ("occupation", "goal", "expertise", "device", "mood")
PEOPLE, TOWNS = 4, 2
LONGEST = 600
"""Letters of one persona or scenario in a file."""


@dataclass(frozen=True)
class Material:
    """A persona, and names that the screen may use."""

    persona: str
    facts: str


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((LLM / "personas.toml").read_text(encoding="utf-8"))


def material(stream: Stream, lang: str, given: Sequence[str] = ()) -> Material:
    """The persona of a sample: one of ``given``, else one of the grammar's."""
    fake = _faker(stream.child("faker"), lang)
    names = [fake.name() for _ in range(PEOPLE)]
    towns = [fake.city() for _ in range(TOWNS)]
    company = fake.company()
    facts = ", ".join([*names[1:], *towns, company])
    if given:
        return Material(stream.child("given").choice(given), facts)
    words = _words()[lang]
    chosen = {part: stream.child(part).choice(words[part]) for part in PARTS}
    form = words["form"]
    return Material(form.format(name=names[0], city=towns[0], company=company, **chosen), facts)


def _faker(stream: Stream, lang: str) -> Any:
    """A seeded source of names in one of the language's locales."""
    try:
        from faker import Faker
    except ImportError as missing:
        raise DependencyMissing(
            "personas need the package Faker; pip install 'gui-data-factory[llm]'"
        ) from missing
    fake = Faker(stream.choice(LOCALES[lang]))
    fake.seed_instance(digest_int(stream.name))
    return fake


def faker_version() -> str:
    """The version that personas depend on."""
    try:
        return version("Faker")
    except PackageNotFoundError:
        return "absent"


def lines_of(path: Path, name: str) -> tuple[str, ...]:
    """The texts of a file: a line each, or a JSON object a line with the field ``name``.

    Empty lines and those that begin with # are left out; ``InvalidOptions`` for anything else.
    """
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidOptions(f"{path} cannot be read as text: {error}") from error
    found = [_text_of(row.strip(), name, path) for row in rows if row.strip()[:1] not in ("", "#")]
    if not found:
        raise InvalidOptions(f"{path} holds no {name}; write one a line")
    return tuple(found)


def _text_of(row: str, name: str, path: Path) -> str:
    text: Any = row
    if row.startswith("{"):
        try:
            text = orjson.loads(row).get(name)
        except orjson.JSONDecodeError as error:
            raise InvalidOptions(f"{path}: {row[:60]!r} is no JSON: {error}") from error
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        raise InvalidOptions(
            f"{path}: {row[:60]!r} has no {name}, a text of 1 to {LONGEST} letters"
        )
    return text
