"""The prompt catalogue: every prompt that exporters, trainers, evaluation and environment use.

The texts are package data, ``catalogue.toml``, with a version. The goal of a CAPTCHA is drawn in
its panel, as on real pages, so most prompts do not repeat it: see ``instruction_mode``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from factory.core.action_text import DIALECTS, Dialect
from factory.core.actions import PLATFORM_ACTIONS
from factory.core.errors import InvalidOptions
from factory.core.rng import Stream

Platform = Literal["mobile", "desktop", "web", "grounding", "screen", "captcha"]
InstructionMode = Literal["generic", "goal", "both"]
Lang = Literal["en", "zh"]

PLATFORMS: tuple[Platform, ...] = (
    "mobile", "desktop", "web", "grounding", "screen", "captcha",
)  # fmt: skip
"""``grounding`` answers with a place, ``screen`` with words; the others act."""
INSTRUCTION_MODES: tuple[InstructionMode, ...] = ("generic", "goal", "both")
INSTRUCTION_SHARES = (0.6, 0.2, 0.2)
"""Shares of the modes: a set that is solvable only when the prompt tells the rule trains little."""
LANGS: tuple[Lang, ...] = ("en", "zh")


class Prompt(NamedTuple):
    """A system and a user message."""

    system: str
    user: str


@cache
def _catalogue() -> dict[str, Any]:
    """The parsed catalogue; read once, never changed."""
    return tomllib.loads(files(__name__).joinpath("catalogue.toml").read_text(encoding="utf-8"))


def catalogue_version() -> int:
    """The version of the wording, for provenance."""
    return int(_catalogue()["version"])


def generic_instructions(lang: Lang = "en") -> tuple[str, ...]:
    """The ways to say "get me past this check"."""
    _known("language", lang, LANGS)
    return tuple(_catalogue()["generic"][lang])


def instruction_mode(stream: Stream) -> InstructionMode:
    """``generic``, ``goal`` or ``both``, drawn with ``INSTRUCTION_SHARES``."""
    return stream.weighted(INSTRUCTION_MODES, INSTRUCTION_SHARES)


def prompt_for(
    platform: Platform,
    dialect: Dialect = "point",
    instruction_mode: InstructionMode = "goal",
    goal: str = "",
    generic_index: int = 0,
    lang: Lang = "en",
) -> Prompt:
    """The prompt of one task; ``InvalidOptions`` for unknown names or a goal that is missing.

    ``generic_index`` is taken modulo the number of instructions. The generic instructions are
    about checks, so every platform but ``captcha`` needs the mode ``goal``.
    """
    _known("platform", platform, PLATFORMS)
    _known("dialect", dialect, DIALECTS)
    _known("language", lang, LANGS)
    texts = _catalogue()
    system = str(texts["system"][platform][lang]).strip()
    system = system.replace("{actions}", _action_list(platform, lang)).replace("{at}", dialect)
    asked = _asked(platform, instruction_mode, goal, generic_index, lang)
    return Prompt(system, str(texts["user"][platform][lang]).replace("{goal}", asked))


def _action_list(platform: Platform, lang: Lang) -> str:
    """One line for each action of the platform; empty for those that have none."""
    described = _catalogue()["actions"][lang]
    keys = "('ctrl', 'c')" if platform == "web" else "['ctrl', 'c']"
    lines = [f"- {described[cls.__name__]}" for cls in PLATFORM_ACTIONS.get(platform, ())]
    return "\n".join(lines).replace("{keys}", keys)


def _asked(
    platform: Platform, mode: InstructionMode, goal: str, generic_index: int, lang: Lang
) -> str:
    """What the person says: the generic instruction, the goal, or one line of each."""
    _known("instruction mode", mode, INSTRUCTION_MODES)
    if platform != "captcha" and mode != "goal":
        raise InvalidOptions(f"instruction mode {mode!r} is for CAPTCHAs, not for {platform}")
    if mode != "generic" and not goal.strip():
        raise InvalidOptions(f"instruction mode {mode!r} needs the text of the goal")
    choices = generic_instructions(lang)
    generic = choices[generic_index % len(choices)]
    return {"generic": generic, "goal": goal, "both": f"{generic}\n{goal}"}[mode]


def _known(what: str, value: str, known: tuple[str, ...]) -> None:
    """``InvalidOptions`` unless the value is one of the known ones."""
    if value not in known:
        raise InvalidOptions(f"unknown {what} {value!r}; known: {', '.join(known)}")
