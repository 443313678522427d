"""The wording of what a model is asked: ``templates/llm/prompts.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from templates import LLM

VERSION = 1
"""Raised with every change of wording: recorded answers belong to a version."""


@cache
def wording() -> dict[str, Any]:
    """The parsed file."""
    return tomllib.loads((LLM / "prompts.toml").read_text(encoding="utf-8"))


def prompt(name: str, **words: object) -> str:
    """A prompt with ``<<name>>`` replaced by words; a name that is missing is an error."""
    text = wording()[name].strip()
    for key, value in words.items():
        text = text.replace(f"<<{key}>>", str(value))
    if "<<" in wording()[name]:
        left = [part.partition(">>")[0] for part in wording()[name].split("<<")[1:]]
        assert set(left) <= set(words), f"prompt {name} lacks {set(left) - set(words)}"
    return text
