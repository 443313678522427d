"""docs/llm.md names every reason and every option."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from factory.cli.llm_options import LlmOptions
from factory.llm.client import OF_THE_REQUEST, PASSING
from factory.llm.reasons import Bad, Page

TEXT = (Path(__file__).parents[2] / "docs" / "llm.md").read_text(encoding="utf-8")


def test_every_reason_is_explained() -> None:
    assert not [one for one in (*Bad, *Page) if f"`{one}`" not in TEXT]


def test_every_option_is_explained() -> None:
    named = {name for name in re.findall(r"--llm-([a-z-]+)", TEXT)} | {"model"}
    asked = {one.name.replace("_", "-") for one in fields(LlmOptions)}
    assert asked <= named


def test_statuses_are_those_of_the_client() -> None:
    told = {int(code) for code in re.findall(r"\b[45]\d\d\b", TEXT)} - {401, 500}
    assert told | {500} >= PASSING | OF_THE_REQUEST
