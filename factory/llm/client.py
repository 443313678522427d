"""Asks a server that speaks the OpenAI protocol: one call booked at a time, mishaps tried again.

What a busy or broken server does must not decide what a sample is: it is asked again, and when it
stays broken the run stops and can be resumed. Only a fault of the request itself is an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import orjson

from factory.core.errors import DependencyMissing, ModelUnreachable
from factory.core.rng import digest_int
from factory.llm.exchange import EMPTY, LENGTH, REFUSED, STOP, Answer, Message, Request
from factory.llm.settings import Settings
from factory.llm.store import Store

PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
"""Statuses that say "not now"."""
OF_THE_REQUEST = {400, 413, 422, 501}
"""Statuses that say "not this"."""
FREE = ("http_", "no_connection")
"""Outcomes of calls that no model has worked on."""
LONGEST_WAIT_S = 60.0
MOST_BYTES = 8 << 20
"""Of an answer's body: more is no page."""
TRANSPORTS = {"httpx", "httpx2"}
"""Whose errors may come while an answer is read: the package's version decides which of them."""
SAID = 300
"""Letters of a server's message that are repeated."""


def sdk() -> Any:
    """The package that speaks the protocol; ``DependencyMissing`` says how to get it."""
    try:
        import openai
    except ImportError as missing:
        raise DependencyMissing(
            "asking a language model needs the package openai; pip install 'gui-data-factory[llm]'"
        ) from missing
    return openai


class Mishap(Exception):
    """A call that may go well the next time; ``wait_s`` is what the server asks for."""

    def __init__(self, outcome: str, detail: str, wait_s: float = 0.0) -> None:
        super().__init__(detail)
        self.outcome, self.detail, self.wait_s = outcome, detail, wait_s


class Server:
    """The model behind a base address."""

    def __init__(
        self, settings: Settings, store: Store, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.settings, self.store, self.sleep = settings, store, sleep
        self._newer_limit = False

    @cached_property
    def _client(self) -> Any:
        own = self.settings
        return sdk().OpenAI(
            base_url=own.base_url, api_key=own.key(), max_retries=0, timeout=own.timeout_s
        )

    def complete(self, request: Request) -> Answer:
        """The answer; mishaps are tried again. ``ModelUnreachable``, ``BudgetSpent``."""
        last: Mishap | None = None
        for turn in range(self.settings.retries + 1):
            if last is not None:
                self.sleep(self._pause(request, turn, last))
            try:
                return self._booked(request)
            except Mishap as mishap:
                last = mishap
        assert last is not None
        raise ModelUnreachable(
            f"{self.settings.base_url} failed {self.settings.retries + 1} times in a row, last by "
            f"{last.outcome}: {last.detail}; continue with --resume when it works"
        )

    def _pause(self, request: Request, turn: int, mishap: Mishap) -> float:
        """Seconds before the next try: twice as long each time, apart for different requests."""
        spread = 0.5 + digest_int(f"{request.digest()} {turn}") / 2**64
        grown = self.settings.first_wait_s * 2 ** (turn - 1) * spread
        return min(LONGEST_WAIT_S, max(mishap.wait_s, grown))

    def _booked(self, request: Request) -> Answer:
        """One call, in the ledger whatever becomes of it."""
        own, most = self.settings, request.most_tokens()
        call = self.store.begin(own.scope, request, own.caps, most, own.cost(*most))
        start = time.monotonic()
        outcome, tokens = "failed", most  # what is not known may have cost the most
        try:
            answer = self._asked(request, start + own.timeout_s)
            outcome, tokens = answer.finish, (answer.tokens_in, answer.tokens_out)
            return answer
        except Mishap as mishap:
            outcome = mishap.outcome
            tokens = (0, 0) if outcome.startswith(FREE) else most
            raise
        except ModelUnreachable:
            outcome, tokens = "unreachable", (0, 0)
            raise
        finally:
            self.store.end(call, outcome, tokens, own.cost(*tokens), time.monotonic() - start)

    def _asked(self, request: Request, until: float) -> Answer:
        errors = sdk()
        try:
            body = self._body(request, until)
        except errors.APITimeoutError as error:
            raise Mishap("timeout", f"no answer in {self.settings.timeout_s:g} s") from error
        except errors.APIStatusError as error:
            return self._refused(request, error, until)
        except errors.APIConnectionError as error:
            raise Mishap("no_connection", self._scrubbed(str(error.__cause__ or error))) from error
        except errors.OpenAIError as error:
            raise Mishap("broken_answer", self._scrubbed(str(error))) from error
        return _answer(body, request, self._scrub)

    def _body(self, request: Request, until: float) -> Mapping[str, Any]:
        """The answer's JSON, read within the time and size that are allowed."""
        asked = parameters(request, newer_limit=self._newer_limit)
        calls = self._client.chat.completions.with_streaming_response
        data = bytearray()
        with calls.create(**asked) as response:
            try:
                for piece in response.iter_bytes():
                    data += piece
                    if len(data) > MOST_BYTES:
                        raise Mishap("broken_answer", f"more than {MOST_BYTES} bytes")
                    if time.monotonic() > until:
                        raise Mishap("timeout", f"no end in {self.settings.timeout_s:g} s")
            except Exception as error:
                if type(error).__module__.partition(".")[0] not in TRANSPORTS:
                    raise
                kind = "timeout" if "timeout" in type(error).__name__.casefold() else "cut_off"
                raise Mishap(kind, self._scrubbed(str(error))) from error
        try:
            found = orjson.loads(bytes(data))
        except orjson.JSONDecodeError as error:
            raise Mishap("broken_answer", f"{len(data)} bytes that are no JSON") from error
        if not isinstance(found, dict):
            raise Mishap("broken_answer", "JSON, but no object")
        return found

    def _refused(self, request: Request, error: Any, until: float) -> Answer:
        """An answer where the request is at fault; else a mishap, or the end."""
        status, said = int(error.status_code), self._scrubbed(str(error.message))
        if status in PASSING:
            wait_s = _asked_wait(error.response.headers)
            raise Mishap(f"http_{status}", said, wait_s) from None  # the cause may hold the key
        if status not in OF_THE_REQUEST:
            raise ModelUnreachable(
                f"{self.settings.base_url} refuses ({status}): {said}; see --llm-base-url, "
                f"--llm-model and the key in {self.settings.key_env}"
            ) from None
        if "max_completion_tokens" in said and not self._newer_limit:
            self._newer_limit = True
            return self._asked(request, until)
        return Answer(text=said, finish=REFUSED)

    def _scrub(self, text: str) -> str:
        """A text without the key: some servers repeat it."""
        key = self.settings.key()
        return text if len(key) < 8 else text.replace(key, "[key]")

    def _scrubbed(self, text: str) -> str:
        return " ".join(self._scrub(text).split())[:SAID]


def parameters(request: Request, *, newer_limit: bool = False) -> dict[str, Any]:
    """The request as the protocol's parameters."""
    limit = "max_completion_tokens" if newer_limit else "max_tokens"
    out: dict[str, Any] = {
        "model": request.model,
        "messages": [_message(one) for one in request.messages],
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        limit: request.max_tokens,
    }
    if request.shape == "object":
        out["response_format"] = {"type": "json_object"}
    elif request.shape in ("loose", "strict"):
        named = {"name": "answer", "schema": dict(request.schema), "strict": True}
        out["response_format"] = {"type": "json_schema", "json_schema": named}
    return out


def _message(one: Message) -> dict[str, Any]:
    if not one.images:
        return {"role": one.role, "content": one.text}
    shown = [{"type": "image_url", "image_url": {"url": i.address()}} for i in one.images]
    return {"role": one.role, "content": [{"type": "text", "text": one.text}, *shown]}


def _answer(body: Mapping[str, Any], request: Request, scrub: Callable[[str], str]) -> Answer:
    """The answer in a body; whatever is missing counts as nothing said."""
    try:
        choice = body["choices"][0]
        text = choice["message"].get("content") or ""
        ended = choice.get("finish_reason") or STOP
        if not isinstance(text, str):
            raise TypeError("content is no text")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Mishap("broken_answer", f"no choices[0].message.content: {error}") from error
    tokens_in, tokens_out = _used(body.get("usage"), request, text)
    finish = EMPTY if not text.strip() else LENGTH if ended == "length" else STOP
    return Answer(text=scrub(text), finish=finish, tokens_in=tokens_in, tokens_out=tokens_out)


def _used(usage: Any, request: Request, text: str) -> tuple[int, int]:
    """Tokens by the server's count, else by ours: a token has three bytes or so."""
    if isinstance(usage, dict):
        counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if all(isinstance(count, int) and count >= 0 for count in counts):
            return counts  # pyright: ignore[reportReturnType]
    return request.most_tokens()[0] // BYTES_A_TOKEN, len(text.encode()) // BYTES_A_TOKEN + 1


BYTES_A_TOKEN = 3


def _asked_wait(headers: Mapping[str, str]) -> float:
    """Seconds of ``Retry-After``; 0 where it is a date or nonsense."""
    try:
        return max(0.0, float(headers.get("retry-after", "0")))
    except ValueError:
        return 0.0
