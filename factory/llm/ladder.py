"""How an answer in a given form is got: the strictest way that a server knows, then asking again.

Rungs: a JSON schema with limits, one without, "a JSON object", a fenced block in plain text. The
first that a server can do is found by a small question, which is recorded like every other, so a
replay climbs the same ladder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from factory.core.rng import digest_int
from factory.llm.exchange import LENGTH, REFUSED, STOP, Answer, Message, Request, Shape
from factory.llm.loose_json import json_in
from factory.llm.prompts import VERSION, prompt
from factory.llm.reasons import Bad, BadAnswer
from factory.llm.recorded import Model
from factory.llm.schemas import schema_of, without_limits

RUNGS: tuple[Shape, ...] = ("strict", "loose", "object", "text")
REPEATED = 6000
"""Letters of a bad answer that are shown again when the model is asked to mend it."""
FAULTS = 8
"""Faults that are named at once."""

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class Probe(BaseModel):
    """The small question: it uses what our schemas use."""

    model_config = ConfigDict(extra="forbid")
    word: str = Field(min_length=1, max_length=24, pattern="^[a-z]+$")
    kind: Literal["bird", "fish"]
    names: list[str] = Field(min_length=1, max_length=2)


@dataclass(frozen=True)
class Ticket:
    """For what is asked: a sample, its attempt, and the stage of making it."""

    sample: str
    attempt: int
    stage: str

    def seed(self, turn: int) -> int:
        """The seed of one turn, 31 bits."""
        return digest_int(f"{self.sample}|{self.attempt}|{self.stage}|{turn}", 32) >> 1


@dataclass(frozen=True)
class Manner:
    """How a model is asked: these affect data."""

    model: str
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 2048
    repairs: int = 2
    shape: str = "auto"
    """The rung, or ``auto``."""


Note = Callable[[Mapping[str, Any]], None]
"""Hears of each answer what the checks said of it."""


@dataclass
class Asker:
    """Asks a model in one manner and tells ``note`` what came of each answer."""

    model: Model
    manner: Manner
    note: Note = field(default=lambda row: None)

    @cached_property
    def rung(self) -> Shape:
        """The strictest form that the server knows."""
        if self.manner.shape != "auto":
            return next(rung for rung in RUNGS if rung == self.manner.shape)
        return next(rung for rung in RUNGS if rung == "text" or self._knows(rung))

    def _knows(self, rung: Shape) -> bool:
        said = [Message("user", prompt("probe"))]
        request = self._request(said, rung, schema_of(Probe), seed=0, most=128)
        try:
            Probe.model_validate(json_in(whole(self.model.complete(request))))
        except (BadAnswer, ValidationError):
            return False
        return True

    def structured(
        self,
        messages: list[Message],
        kind: type[M],
        ticket: Ticket,
        check: Callable[[M], None] = lambda found: None,
    ) -> M:
        """An answer of a kind that stands a check; ``BadAnswer`` when mending did not help."""
        rung, schema = self.rung, schema_of(kind)
        if rung in ("object", "text"):
            told = prompt("form", schema=orjson.dumps(schema).decode())
            messages = [*messages[:-1], Message("user", f"{messages[-1].text}\n\n{told}",
                                                messages[-1].images)]  # fmt: skip

        def read(text: str) -> M:
            found = _validated(kind, json_in(text))
            check(found)
            return found

        return self._mended(messages, rung, schema, ticket, read)

    def written(self, messages: list[Message], ticket: Ticket, read: Callable[[str], T]) -> T:
        """What ``read`` makes of a plain answer; ``BadAnswer`` when mending did not help."""
        return self._mended(messages, "text", {}, ticket, read)

    def _mended(
        self,
        messages: list[Message],
        rung: Shape,
        schema: Mapping[str, Any],
        ticket: Ticket,
        read: Callable[[str], T],
    ) -> T:
        """Ask; while the answer is bad, show it to the model with what is wrong with it."""
        talk, turn = list(messages), 0
        while True:
            request = self._request(talk, rung, schema, seed=ticket.seed(turn))
            answer = self.model.complete(request)
            try:
                found = read(whole(answer))
            except BadAnswer as bad:
                self._tell(ticket, turn, request, answer, str(bad.reason))
                if turn >= self.manner.repairs or bad.reason is Bad.REFUSED:
                    raise
                again = Message("user", prompt("mend", reason=bad.reason, detail=bad.detail))
                talk = [
                    *messages,
                    Message("assistant", answer.text[:REPEATED] or "(nothing)"),
                    again,
                ]
                turn += 1
                continue
            self._tell(ticket, turn, request, answer, "ok")
            return found

    def _tell(
        self, ticket: Ticket, turn: int, request: Request, answer: Answer, outcome: str
    ) -> None:
        self.note({
            "sample": ticket.sample, "stage": ticket.stage, "attempt": ticket.attempt,
            "turn": turn, "digest": request.digest(), "outcome": outcome, "answer": answer,
        })  # fmt: skip

    def _request(
        self,
        said: list[Message],
        rung: Shape,
        schema: Mapping[str, Any],
        *,
        seed: int,
        most: int = 0,
    ) -> Request:
        own = self.manner
        sent = schema if rung == "strict" else without_limits(schema) if rung == "loose" else {}
        return Request(
            model=own.model, messages=tuple(said), shape=rung, schema=sent, prompt=VERSION,
            temperature=own.temperature, top_p=own.top_p, max_tokens=most or own.max_tokens,
            seed=seed,
        )  # fmt: skip


def whole(answer: Answer) -> str:
    """The text of an answer that is all there."""
    if answer.finish == STOP:
        return answer.text
    if answer.finish == REFUSED:
        raise BadAnswer(Bad.REFUSED, answer.text)
    if answer.finish == LENGTH:
        raise BadAnswer(Bad.TRUNCATED, "the answer was cut off; write a shorter one")
    raise BadAnswer(Bad.EMPTY, "the answer was empty")


def _validated(kind: type[M], found: dict[str, Any]) -> M:
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        named = [
            f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}"
            for one in error.errors(include_url=False)[:FAULTS]
        ]
        raise BadAnswer(Bad.SCHEMA, "; ".join(named)) from error
