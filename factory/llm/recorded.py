"""Answers from the record where there is one, else from the model: record, replay, off."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec
import orjson

from factory.core.errors import InvalidOptions, NotRecorded
from factory.llm.client import Server
from factory.llm.exchange import Answer, Request
from factory.llm.settings import Settings
from factory.llm.store import Store

ANSWERS = "llm/answers.jsonl"
"""Where a run keeps the answers that its samples rest on."""


class Model(Protocol):
    """Whatever can be asked."""

    def complete(self, request: Request) -> Answer:
        """The answer to a request."""
        ...


class Recorded:
    """A model with a memory. Of two processes that ask the same, both get the first answer."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        model: Model | None = None,
        known: Mapping[str, Answer] | None = None,
    ) -> None:
        self.settings, self.store = settings, store
        self.model = model or Server(settings, store)
        self.known = known
        self._met: dict[str, Answer] = {}
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Answer:
        """The recorded answer, or that of the model; ``NotRecorded`` in a replay."""
        digest = request.digest()
        with self._lock:
            met = self._met.get(digest)
        answer = met or self._found(digest) or self._asked(request, digest)
        with self._lock:
            return self._met.setdefault(digest, answer)

    def _found(self, digest: str) -> Answer | None:
        if self.known is not None:
            return self.known.get(digest)
        return None if self.settings.mode == "off" else self.store.answer(digest)

    def _asked(self, request: Request, digest: str) -> Answer:
        if self.known is not None or self.settings.mode == "replay":
            where = "the run's answers" if self.known is not None else self.store.path
            raise NotRecorded(
                f"{where} lack the answer {digest[:12]} of {request.model}: it was recorded under "
                "other options or versions; record it with --llm-mode record"
            )
        answer = self.model.complete(request)
        return answer if self.settings.mode == "off" else self.store.keep(request, answer)

    def taken(self) -> dict[str, Answer]:
        """The answers that were used since the last call, by digest."""
        with self._lock:
            taken, self._met = self._met, {}
        return taken


def line_of(digest: str, answer: Answer) -> dict[str, Any]:
    """An answer as a line of a run's file."""
    return {"digest": digest, **msgspec.to_builtins(answer)}


def answers_of(run: Path) -> dict[str, Answer]:
    """The answers that a run keeps, by digest; ``InvalidOptions`` where it keeps none."""
    path = run / ANSWERS
    if not path.is_file():
        raise InvalidOptions(f"{run} keeps no answers of a model: {ANSWERS} is not there")
    found: dict[str, Answer] = {}
    with path.open("rb") as lines:
        for line in lines:
            row = orjson.loads(line)
            found[row.pop("digest")] = msgspec.convert(row, Answer)
    return found
