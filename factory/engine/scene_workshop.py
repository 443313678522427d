"""The workshop of pages: scenes composed, judged in a browser, asked about and recorded.

Pages of one kit and DPR are judged together, since bodies are swapped into one shell.
What a key gives does not depend on what is judged beside it.
"""

from __future__ import annotations

import atexit
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exporters.shards import PAGES
from factory.config import Viewport
from factory.core.errors import AttemptsExhausted, InvalidOptions, Rejected
from factory.core.rng import SampleKey
from factory.engine.made import Made
from factory.engine.mixture import Factor
from factory.engine.provenance import provenance, provenance_id
from factory.engine.scene_record import page_record
from factory.engine.workshop import Outcome
from factory.scenarios import catalog, grammar, kits
from factory.scenarios.catalog import App
from factory.scenarios.page import ScenePage
from factory.scene_config import SceneConfig
from factory.web.verdict import Desk, Look, PageFault
from factory.web.verdict.judge import Judged

VERSION = 1
"""Of what pages of all scenarios have in common; raised when records of equal keys change."""

TOGETHER = 40
"""Keys that are in work at once: their pages stay in memory until they are written."""

MAX_ATTEMPTS = 4
"""Pages composed for a key until one is judged and has tasks."""

CAPACITY = 10_000_000
"""Distinct pages that a scenario is taken to hold; twins are found when a run is finished."""

LOSSY, LOSSLESS = 0.22, 0.8
"""Bytes of a page's picture per device px, generously."""


class SceneWorkshop:
    """Makes the pages of one scenario, in the browser of this process."""

    attempts = MAX_ATTEMPTS
    looks = 12
    """Times that a page without a verdict is looked at before another is composed. Pages of our own
    are sound: what keeps one from its verdict is the machine."""
    shell_policy = ""
    """The security policy of shells; none for pages of our own."""
    advice = ""
    """What to do when no attempt gave a page; empty for what is said of puzzles."""

    def __init__(self, config: SceneConfig) -> None:
        self.config = config
        self.generator = f"{config.type}@{VERSION}"
        self.digest = config.data_digest()
        self._factors: dict[str, Factor] = {}

    @property
    def bank_path(self) -> Path:
        """Pages are composed, not taken from a bank."""
        return Path()

    @property
    def provenance(self) -> dict[str, str]:
        """What records and pictures depend on; pixels of a page depend on the browser."""
        return self._made_by[0]

    @property
    def provenance_id(self) -> str:
        """Its digest."""
        return self._made_by[1]

    @cached_property
    def _made_by(self) -> tuple[dict[str, str], str]:
        facts = provenance(self.generator, {"chromium": self.desk.browser().product})
        return facts, provenance_id(facts)

    @property
    def bytes_per_sample(self) -> float:
        """A generous estimate of a page's size in a shard."""
        per_px = LOSSY if self.config.format == "jpg" else LOSSLESS
        sizes = [
            (weight, view.width * view.height * view.dpr**2)
            for view, weight in (
                (Viewport.parse(name), weight) for name, weight in self.config.viewports.items()
            )
        ]
        mean = sum(weight * px for weight, px in sizes) / sum(weight for weight, _ in sizes)
        return 60_000 + per_px * mean

    def key(self, split: str, index: int) -> SampleKey:
        """The key of an index of this run."""
        return SampleKey(self.config.type, split, self.config.seed, self.digest, index)

    def groups(self) -> tuple[str, ...]:
        """Pages have parts of their own."""
        return (PAGES,)

    def capacity(self, split: str) -> int:
        """Pages that a split can hold."""
        return CAPACITY

    def check(self) -> None:
        """Refuse a run without a platform that the scenario has and a window suits.

        Also one in a language that the scenario lacks.
        """
        for lang in sorted(set(self.config.langs) - set(catalog.LANGS)):
            having = [name for name in catalog.apps() if lang in catalog.app(name).langs]
            if self.config.type not in having:
                raise InvalidOptions(
                    f"{self.config.type} has no pages in {lang!r}; scenarios that have: "
                    f"{', '.join(having)}"
                )
        if not self._platforms():
            raise InvalidOptions(
                f"{self.config.type} exists on {', '.join(self._exists_on())}; none of them is "
                "in --platform with a --viewport of its width"
            )

    def _platforms(self) -> dict[str, float]:
        """The platforms of this run that the scenario has and a window suits."""
        return {
            name: weight
            for name, weight in self.config.platforms.items()
            if name in self._exists_on() and self.config.windows(name)
        }

    def _exists_on(self) -> tuple[str, ...]:
        """The platforms that the scenario has."""
        return catalog.app(self.config.type).platforms

    def _factor(self, split: str, name: str, weights: Mapping[str, float]) -> Factor:
        key = f"{self.config.type}|{split}|{self.config.seed}|{self.digest}|{name}"
        if key not in self._factors:
            self._factors[key] = Factor(key, weights)
        return self._factors[key]

    def sources(self) -> dict[str, Any]:
        """Pages of the grammar rest on nothing but their keys."""
        return {}

    def page(self, key: SampleKey, attempt: int = 0) -> ScenePage:
        """The page of a key: its cell of the mixture, and the rest by its streams."""
        scene = grammar.scene_of(self.config.type, f"{key}|{attempt}", self._cell(key))
        return grammar.compose(scene)

    def _cell(self, key: SampleKey) -> dict[str, str]:
        """A key's cell of the mixture."""
        config, weights = self.config, self._platforms()
        platform = self._factor(key.split, "platform", weights).at(key.index).value
        windows = config.windows(platform)
        window = self._factor(key.split, f"window {platform}", windows).at(key.index).value
        return {
            "platform": platform,
            "window": window,
            "theme": self._factor(key.split, "theme", config.themes).at(key.index).value,
            "lang": self._factor(key.split, "lang", config.langs).at(key.index).value,
        }

    def make(self, keys: Iterable[SampleKey]) -> Iterator[Outcome]:
        """The outcome of each key, in their order."""
        left = iter(keys)
        while chunk := list(islice(left, TOGETHER)):
            yield from self._made(chunk)

    def _made(self, keys: list[SampleKey]) -> Iterator[Outcome]:
        """Judge the pages of all keys; compose those anew that have no verdict or no task."""
        made: dict[SampleKey, Made] = {}
        refused: dict[SampleKey, list[Rejected]] = {key: [] for key in keys}
        for attempt in range(self.attempts):
            left = [key for key in keys if key not in made]
            pages: dict[SampleKey, ScenePage] = {}
            for key, composed in self._composed(left, attempt):
                if isinstance(composed, Rejected):
                    refused[key].append(composed)
                else:
                    pages[key] = composed
            for key, found in self._judged(pages):
                try:
                    made[key] = self._recorded(key, pages[key], found, tuple(refused[key]))
                except Rejected as reason:
                    refused[key].append(reason)
        for key in keys:
            reasons = Counter(reason.reason for reason in refused[key])
            yield made.get(key) or AttemptsExhausted(
                self.attempts, reasons, key=str(key), advice=self.advice
            )

    def _composed(
        self, keys: list[SampleKey], attempt: int
    ) -> Iterator[tuple[SampleKey, ScenePage | Rejected]]:
        """The page of each key, or why an attempt gives none."""
        yield from ((key, self.page(key, attempt)) for key in keys)

    def _recorded(
        self,
        key: SampleKey,
        page: ScenePage,
        found: Judged | PageFault,
        refused: tuple[Rejected, ...],
    ) -> Made:
        """The sample of a page; ``Rejected`` when it has no verdict, or nothing can be asked."""
        if isinstance(found, PageFault):
            raise Rejected(str(found.reason))
        app = self._app_of(page)
        return page_record(self.config, app, key, page, found, refused, self.provenance_id)

    def _app_of(self, page: ScenePage) -> App:
        """The app that tasks about a page ask of."""
        return catalog.app(page.scene.app)

    def _judged(
        self, pages: Mapping[SampleKey, ScenePage]
    ) -> Iterator[tuple[SampleKey, Judged | PageFault]]:
        """The verdict on each page; one that moved while it was shot is looked at again.

        What a busy machine did to a page must not decide what its key gives.
        """
        left = dict(pages)
        for again in range(self.looks):
            for key, found in self._looked_at(left):
                if isinstance(found, Judged) or again + 1 == self.looks:
                    del left[key]
                    yield key, found
            if not left:
                return

    def _looked_at(
        self, pages: Mapping[SampleKey, ScenePage]
    ) -> Iterator[tuple[SampleKey, Judged | PageFault]]:
        """A look at each page."""

        def looks() -> Iterator[tuple[Look, str]]:
            for page in own:
                shell, window = self.shell(page.scene.kit), page.scene.window
                yield Look(shell, window, proof=self.config.proof, static=True), page.body

        own = list(pages.values())
        yield from zip(list(pages), self.desk.check_looks(looks()), strict=True)

    @property
    def desk(self) -> Desk:
        """The browser, started when it is needed first."""
        return _desk_of(os.getpid())

    def shell(self, kit: str) -> str:
        """The address of a kit's shell, written when it is needed first."""
        folder = Path(_shells_of(os.getpid(), self.shell_policy).name)
        path = folder / f"shell-{kit}.html"
        if path.is_file():
            return path.resolve().as_uri()
        return kits.write_shell(kit, folder, self.shell_policy)


@cache
def _desk_of(process: int) -> Desk:
    """One browser for all scenarios: it keeps shells open that their pages share."""
    desk = Desk()

    def close() -> None:
        if os.getpid() == process:  # a child that was forked must not end it
            desk.close()

    atexit.register(close)
    return desk


@cache
def _shells_of(process: int, policy: str) -> TemporaryDirectory[str]:
    """Where the shells of one security policy are written."""
    return TemporaryDirectory(prefix="factory-shells-")
