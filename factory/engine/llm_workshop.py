"""The workshop of pages that a language model writes.

It differs from that of scenarios in where a page comes from: a model is asked, through a record
that gives equal answers to equal questions. What follows (verdict, tasks, refusals, records) is the
same, and no word of the model decides what is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from factory.core.errors import Rejected
from factory.core.rng import SampleKey
from factory.engine.made import Made
from factory.engine.provenance import provenance, provenance_id
from factory.engine.scene_workshop import SceneWorkshop
from factory.llm.client import sdk
from factory.llm.compose import WrittenPage
from factory.llm.gates import check_page
from factory.llm.ladder import Asker
from factory.llm.personas import faker_version
from factory.llm.recorded import Model, Recorded, answers_of, line_of
from factory.llm.store import Store
from factory.llm.together import together
from factory.llm.writer import Order, Writer
from factory.llm_config import HTML, LlmConfig
from factory.scenarios import kits
from factory.scenarios.catalog import App
from factory.scenarios.page import PLATFORMS, ScenePage
from factory.web.verdict import PageFault
from factory.web.verdict.judge import Judged


class LlmWorkshop(SceneWorkshop):
    """Makes pages by asking. ``model`` takes the server's place in tests."""

    config: LlmConfig
    looks = 3
    shell_policy = kits.POLICY
    """Nothing is loaded, whatever a body says."""

    advice = (
        "docs/llm.md explains the names; a more able model, --llm-repairs, --llm-attempts or a "
        "longer --llm-answer-tokens may help"
    )

    def __init__(self, config: LlmConfig, model: Model | None = None) -> None:
        super().__init__(config)
        self.attempts = config.attempts
        self._model = model
        self._outcomes: list[dict[str, Any]] = []
        self._written: dict[int, WrittenPage] = {}

    @cached_property
    def _made_by(self) -> tuple[dict[str, str], str]:
        assets = {"chromium": self.desk.browser().product, "faker": faker_version()}
        facts = provenance(self.generator, assets)
        return facts, provenance_id(facts)

    def _exists_on(self) -> tuple[str, ...]:
        return PLATFORMS

    def check(self) -> None:
        """Refuse now what would be refused at the first question."""
        super().check()
        if self.config.kept_in:
            return
        self.settings.check()
        if self.config.mode != "replay" and self._model is None:
            sdk()

    @cached_property
    def settings(self) -> Any:
        """How the model is reached."""
        return self.config.settings()

    @cached_property
    def store(self) -> Store:
        """The file of answers and ledger; a replay of a run's own answers has one in memory."""
        return Store(Path(":memory:") if self.config.kept_in else self.settings.cache_path())

    @cached_property
    def recorded(self) -> Recorded:
        """The model with its record."""
        kept = self.config.kept_in
        known = answers_of(Path(kept)) if kept else None
        return Recorded(self.settings, self.store, self._model, known)

    @cached_property
    def writer(self) -> Writer:
        """Who writes the pages."""
        own = self.config
        asker = Asker(self.recorded, own.manner(), self._note)
        return Writer(asker, own.scenarios, own.personas, own.style, html=own.type == HTML)

    def _note(self, row: Mapping[str, Any]) -> None:
        """Keep what checks said of an answer: in the ledger, and for the run."""
        plain = {name: value for name, value in row.items() if name != "answer"}
        self._outcomes.append(plain)
        self.store.note(self.settings.scope, plain)

    def sources(self) -> dict[str, Any]:
        """The answers that samples since the last call rest on, and what checks said of them."""
        answers = [line_of(digest, one) for digest, one in sorted(self.recorded.taken().items())]
        outcomes = sorted(
            self._outcomes, key=lambda r: (r["sample"], r["attempt"], r["stage"], r["turn"])
        )
        self._outcomes = []
        return {"answers": answers, "outcomes": outcomes}

    def _order(self, key: SampleKey, attempt: int) -> Order:
        return Order(str(key), attempt, key.index, self._cell(key))

    def page(self, key: SampleKey, attempt: int = 0) -> ScenePage:
        """The page of a key, as the model writes it; ``Rejected`` where its answers are no page."""
        return self.writer.page(self._order(key, attempt)).page

    def _composed(
        self, keys: list[SampleKey], attempt: int
    ) -> Iterator[tuple[SampleKey, ScenePage | Rejected]]:
        """Several are asked for at once; what a key gives does not depend on which comes first."""
        if not keys:
            return
        _ = self.writer.asker.rung  # before threads, which would each look for it
        found = together(lambda key: self._tried(key, attempt), keys, self.config.parallel)
        for key, written in zip(keys, found, strict=True):
            if isinstance(written, Rejected):
                yield key, written
            else:
                self._written[id(written.page)] = written
                yield key, written.page

    def _tried(self, key: SampleKey, attempt: int) -> WrittenPage | Rejected:
        try:
            return self.writer.page(self._order(key, attempt))
        except Rejected as reason:
            return reason

    def _recorded(
        self,
        key: SampleKey,
        page: ScenePage,
        found: Judged | PageFault,
        refused: tuple[Rejected, ...],
    ) -> Made:
        if isinstance(found, Judged):
            check_page(page, found, self._written[id(page)].letters)
        return super()._recorded(key, page, found, refused)

    def _app_of(self, page: ScenePage) -> App:
        return self._written[id(page)].app

    def _made(self, keys: list[SampleKey]) -> Iterator[Any]:
        yield from super()._made(keys)
        self._written.clear()
