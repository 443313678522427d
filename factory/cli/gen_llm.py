"""From the words of ``factory gen grounding --prompt`` to the fields of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factory.cli.llm_options import LlmOptions
from factory.core.errors import InvalidOptions
from factory.llm.exchange import Image, Message
from factory.llm.ladder import Asker, Ticket
from factory.llm.personas import lines_of
from factory.llm.prompts import prompt
from factory.llm.reasons import BadAnswer
from factory.llm.recorded import Recorded
from factory.llm.reference import Style, measured, picture_of, png_of
from factory.llm.store import Store
from factory.llm_config import HTML, LAYOUT, LlmConfig

WAYS = {"layout": LAYOUT, "html": HTML}


@dataclass(frozen=True)
class Asked:
    """What the command line says of pages that a model writes."""

    prompts: tuple[str, ...]
    scenarios: Path | None
    persona: Path | None
    reference: Path | None
    way: str
    llm: LlmOptions


def fields_of(asked: Asked) -> dict[str, Any]:
    """The fields of the run's config."""
    if asked.way not in WAYS:
        raise InvalidOptions(f"--way {asked.way!r} is not one of {', '.join(WAYS)}")
    given = lines_of(asked.scenarios, "scenario") if asked.scenarios else ()
    fields: dict[str, Any] = {
        "type": WAYS[asked.way],
        "scenarios": (*asked.prompts, *given),
        **asked.llm.fields(),
    }
    if asked.persona:
        fields["personas"] = lines_of(asked.persona, "persona")
    if asked.reference:
        fields["style"] = style_of(asked.reference, fields, vision=asked.llm.vision).model_dump()
    return fields


def style_of(path: Path, fields: dict[str, Any], *, vision: bool) -> Style:
    """The style of a reference, told by the model or measured from the pixels."""
    pixels = picture_of(path)
    if not vision:
        return measured(pixels)
    config = LlmConfig.build(**fields)
    settings = config.settings()
    settings.check()
    model = Recorded(settings, Store(settings.cache_path()))
    shown = Message("user", prompt("look"), (Image("image/png", png_of(pixels)),))
    try:
        return Asker(model, config.manner()).structured(
            [shown], Style, Ticket("reference", 0, "look")
        )
    except BadAnswer as bad:
        raise InvalidOptions(
            f"{config.model} cannot tell the style of {path} ({bad.reason}); "
            "leave out --llm-vision to have its pixels measured"
        ) from bad
