"""What the screens of an app say: pools of the app, else those of every app."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream, digest_int
from factory.scenarios import charts
from factory.scenarios.catalog import RTL, App, app, common_words
from factory.scenarios.mirror import icon_from_the_right
from factory.web.content import PageContent, Person, common_wording, icon

_MARK = re.compile(r'(id="|#)(g[0-9a-f]+)(?=["\)])')
"""Where a picture names its gradient or speaks of it."""


@dataclass(frozen=True)
class SceneContent(PageContent):
    """The content of one page of the app ``template``; every call has a stream of its own."""

    @cached_property
    def app(self) -> App:
        """The app that speaks."""
        return app(self.template)

    @cached_property
    def _shown(self) -> Counter[str]:
        return Counter()

    def art(self, name: str, width: int, height: int, kind: str = "") -> str:
        """A procedural picture; one that is shown again brings ids of its own."""
        self._shown[name] += 1
        drawn = super().art(name, width, height, kind)
        again = self._shown[name] - 1
        return _MARK.sub(rf"\1\2-{again}", drawn) if again else drawn

    def pool(self, name: str) -> list[Any]:
        """All wordings of ``name``: the app's, else those of scenarios, else those of pages."""
        sources = (self.app.words[self.lang], common_words(self.lang))
        for words in (*sources, common_wording().get(self.lang, {})):
            if name in words:
                return words[name]
        raise InvalidOptions(f"{self.template} has no words {name!r} in {self.lang}")

    def say(self, name: str) -> Any:
        """One wording of ``name``, the same at every call."""
        return self.stream(f"say {name}").choice(self.pool(name))

    def one(self, name: str, place: int) -> Any:
        """The wording of ``name`` at a place of a list; places below the pool's size differ."""
        pool = self._order(name)
        return pool[place % len(pool)]

    def _order(self, name: str) -> list[Any]:
        return self.stream(f"order {name}").shuffled(self.pool(name))

    def people(self, name: str, count: int) -> list[Person]:
        """``count`` people whose names differ."""
        found: dict[str, Person] = {}
        turn = 0
        while len(found) < count:
            person = self.person(f"{name} {turn}")
            found.setdefault(person.name, person)
            turn += 1
        return list(found.values())

    def signed(self, sign: str, amount: float) -> str:
        """An amount that comes in or goes out; its sign stands on the left of the digits."""
        return f"{sign}{self.money(amount)}"

    def unit(self, name: str) -> str:
        """A unit of measure as the page's language writes it."""
        return name

    def when(self, place: int, step_min: int = 41) -> str:
        """How long ago the ``place``-th newest of a list was: a clock, then dates."""
        start = self.stream("now").integer(17 * 60, 22 * 60)
        minutes = start - place * step_min - self.stream(f"when {place}").integer(0, step_min)
        if minutes > 0:
            return f"{minutes // 60:02d}:{minutes % 60:02d}"
        months = self.pool("short_month")
        month = self.stream("month").integer(1, 12)
        back = 1 + -minutes // (4 * step_min)
        day = 28 - back % 28
        month = (month - back // 28) % 12
        return f"{month + 1}月{day}日" if self.lang == "zh" else f"{day} {months[month]}"

    def chart(self, name: str, kind: str, width: int, height: int, points: int = 12) -> str:
        """A chart as inline SVG in the colours of the tokens; ``kind`` is one of ``charts``."""
        return charts.KINDS[kind](self.stream(f"chart {name}"), width, height, points)

    def flip(self, name: str, probability: float = 0.5) -> bool:
        """True with the given probability."""
        return self.stream(f"flip {name}").chance(probability)

    def hue(self, name: str) -> int:
        """A hue in degrees that belongs to a name."""
        return digest_int(name) % 360

    def walk(self, name: str) -> Stream:
        """A stream for templates that draw many things in order."""
        return self.stream(f"walk {name}")

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What templates may call, by name."""
        more = ("one", "people", "when", "chart", "flip", "walk", "hue", "signed", "unit")
        own = {name: getattr(self, name) for name in more}
        drawn = icon_from_the_right if self.lang in RTL else icon
        return super().functions() | {"icon": drawn} | own
