"""From a key to a page: what is asked of the model, in which order, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import orjson
from pydantic import BaseModel

from factory.core.errors import Rejected
from factory.core.rng import Stream, permuted_index
from factory.llm.checks import check_content, check_layout
from factory.llm.compose import WrittenPage, html_page, plan_page, with_notes
from factory.llm.exchange import Message
from factory.llm.ladder import Asker, Ticket
from factory.llm.personas import material
from factory.llm.plan import Content, IconName, Layout
from factory.llm.prompts import VERSION, prompt
from factory.llm.reasons import BadAnswer
from factory.llm.reference import Style
from factory.llm.sanitise import Clean, html_in, sanitise
from factory.llm.style_tokens import custom_properties, nearest_tokens
from factory.llm.words import check_language
from factory.scenarios.grammar import window_named
from factory.scenarios.kits import kit_named, kits_for

NAMED_SHEETS = {"bootstrap": "Bootstrap 5.3", "bulma": "Bulma 1.0", "pico": "Pico 2"}
"""Kits whose classes models know; pages on other platforms bring their own style only."""
UNNAMED = "Workspace"
LONGEST_NAME = 18


@dataclass(frozen=True)
class Order:
    """A page that is wanted: for which key and attempt, about what, in which cell."""

    key: str
    attempt: int
    index: int
    cell: Mapping[str, str]

    @property
    def root(self) -> str:
        """The root of all streams of the page."""
        return f"{self.key}|{self.attempt}"

    def ticket(self, stage: str) -> Ticket:
        """The ticket of a stage."""
        return Ticket(self.key, self.attempt, stage)


@dataclass(frozen=True)
class Writer:
    """Writes pages for scenarios in turn. ``personas`` replace those of the grammar."""

    asker: Asker
    scenarios: tuple[str, ...]
    personas: tuple[str, ...] = ()
    style: Style | None = None
    html: bool = False

    def page(self, order: Order) -> WrittenPage:
        """The page of an order; ``Rejected`` with the name of what is wrong with the answers."""
        try:
            made = self._by_html(order) if self.html else self._by_plan(order)
        except BadAnswer as bad:
            raise Rejected(str(bad.reason)) from bad
        return made

    def scenario(self, index: int, name: str) -> str:
        """The scenario of an index: all of them in turn, in another order each time around."""
        block, place = divmod(index, len(self.scenarios))
        return self.scenarios[permuted_index(place, len(self.scenarios), f"{name}/{block}")]

    def _brief(self, order: Order) -> dict[str, Any]:
        """What both ways are told."""
        lang, platform = order.cell["lang"], order.cell["platform"]
        known = material(Stream(f"{order.root}:persona"), lang, self.personas)
        return {
            "scenario": self.scenario(order.index, order.key.rpartition("-")[0]),
            "persona": known.persona,
            "facts": known.facts,
            "device": prompt(f"device_{platform}"),
            "lang": prompt(f"lang_{lang}"),
        }

    def _look(self) -> str:
        return prompt("style", style=self.style.told()) if self.style else ""

    def _cell(self, order: Order, more: Mapping[str, str]) -> dict[str, str]:
        cell = {**order.cell, **more}
        if self.style is not None:
            cell |= {
                "theme": self.style.theme,
                "tokens": nearest_tokens(self.style),
                "density": self.style.density,
            }
        return cell

    def _notes(self, order: Order, brief: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        return {"llm": {
            "way": "html" if self.html else "layout", "model": self.asker.manner.model,
            "prompt_version": VERSION, "scenario": brief["scenario"],
            "persona": brief["persona"], "style": self.style.told() if self.style else "", **more,
        }}  # fmt: skip

    # ------------------------------------------------------------------ two stages

    def _by_plan(self, order: Order) -> WrittenPage:
        brief = self._brief(order)
        lang, system = order.cell["lang"], Message("system", prompt("system"))
        asked = Message("user", prompt("content", **brief))
        content = self.asker.structured(
            [system, asked], Content, order.ticket("content"), lambda c: check_content(c, lang)
        )
        told = prompt(
            "layout", app=content.app_name, scenario=brief["scenario"], device=brief["device"],
            content=_summary(content), style=self._look(),
        )  # fmt: skip
        layout = self.asker.structured(
            [system, Message("user", told)], Layout, order.ticket("layout"),
            lambda found: check_layout(found, content, lang),
        )  # fmt: skip
        css = custom_properties(self.style) if self.style else ""
        drawn = _ampersands(content), _ampersands(layout)
        written = plan_page(*drawn, order.root, self._cell(order, {}), css)
        return with_notes(written, self._notes(
            order, brief, content=content.model_dump(), layout=layout.model_dump()
        ))  # fmt: skip

    # ------------------------------------------------------------------ whole pages

    def _by_html(self, order: Order) -> WrittenPage:
        brief = self._brief(order)
        window = window_named(order.cell["window"])
        kit = self._kit(order)
        sheet = NAMED_SHEETS.get(kit)
        told = prompt(
            "html", **brief, width=window.width, height=window.height, style=self._look(),
            icons=", ".join(ICONS),
            sheet=prompt("sheet_named", sheet=sheet) if sheet else prompt("sheet_none"),
        )  # fmt: skip
        clean = self.asker.written(
            [Message("system", prompt("system")), Message("user", told)], order.ticket("html"),
            lambda text: _read(text, order.cell["lang"]),
        )  # fmt: skip
        css = custom_properties(self.style) if self.style else ""
        name = clean.title[:LONGEST_NAME].strip() or UNNAMED
        written = html_page(clean, name, order.root, self._cell(order, {"kit": kit}), css)
        return with_notes(
            written, self._notes(order, brief, dropped=dict(sorted(clean.dropped.items())))
        )

    def _kit(self, order: Order) -> str:
        """A kit whose classes models know, where the platform and theme have one."""
        theme = self.style.theme if self.style else order.cell["theme"]
        platform: Any = order.cell["platform"]
        found = kits_for(platform, theme)
        named = [name for name in found if name in NAMED_SHEETS]
        bare = [name for name in found if not kit_named(name).package]
        return Stream(f"{order.root}:kit").choice([*named, *bare] or list(found))


M = TypeVar("M", bound=BaseModel)

ICONS: tuple[str, ...] = get_args(IconName)


def _summary(content: Content) -> str:
    """What the second stage has to know of the first."""
    told = content.model_dump(include={"title", "functions", "fields", "choices", "switches"})
    return orjson.dumps({**told, "entries": [e.title for e in content.entries]}).decode()


def _ampersands(found: M) -> M:
    """A filled model with ``&`` as the letter that means nothing to HTML."""
    return type(found).model_validate_json(found.model_dump_json().replace("&", "＆"))


def _read(text: str, lang: str) -> Clean:
    """The harmless form of an answer's HTML, in the language that was asked for."""
    clean = sanitise(html_in(text))
    check_language(clean.texts(), lang)
    return clean
