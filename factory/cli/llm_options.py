"""The options of ``factory gen grounding`` that say how a language model is reached and asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter


@dataclass(frozen=True)
class LlmOptions:
    """All are written --llm-...; what is left out comes from --config or is the default."""

    base_url: Annotated[str | None, Parameter(name="--llm-base-url")] = None
    """Address of a server with the OpenAI protocol, such as http://127.0.0.1:8080/v1."""
    model: Annotated[str | None, Parameter(name=["--llm-model", "--model"])] = None
    """Name of the model."""
    key_env: Annotated[str | None, Parameter(name="--llm-key-env")] = None
    """Environment variable with the API key (default OPENAI_API_KEY); keys are never options."""
    mode: Annotated[Literal["record", "replay", "off"] | None, Parameter(name="--llm-mode")] = None
    """record answers (default), replay recorded ones only, or off."""
    cache: Annotated[Path | None, Parameter(name="--llm-cache")] = None
    """File of recorded answers and ledger (default: llm/cache.sqlite of the factory's home)."""
    max_calls: Annotated[int | None, Parameter(name="--llm-max-calls")] = None
    """Most calls of this run, resumed or not."""
    max_tokens: Annotated[int | None, Parameter(name="--llm-max-tokens")] = None
    """Most tokens of this run, in and out."""
    max_cost: Annotated[float | None, Parameter(name="--llm-max-cost")] = None
    """Most that this run may cost, by --llm-price."""
    price: Annotated[str | None, Parameter(name="--llm-price")] = None
    """IN,OUT: what a million tokens cost."""
    temperature: Annotated[float | None, Parameter(name="--llm-temperature")] = None
    """Temperature (default 1)."""
    answer_tokens: Annotated[int | None, Parameter(name="--llm-answer-tokens")] = None
    """Longest answer, in tokens (default 3000, of a whole page 6000)."""
    repairs: Annotated[int | None, Parameter(name="--llm-repairs")] = None
    """Times that a bad answer is shown to the model with what is wrong (default 2)."""
    attempts: Annotated[int | None, Parameter(name="--llm-attempts")] = None
    """Pages that are tried for a sample (default 4)."""
    shape: Annotated[
        Literal["auto", "strict", "loose", "object", "text"] | None, Parameter(name="--llm-shape")
    ] = None
    """Form of answers: a JSON schema, one without limits, an object, text (default: found out)."""
    timeout: Annotated[float | None, Parameter(name="--llm-timeout")] = None
    """Seconds for an answer (default 120)."""
    retries: Annotated[int | None, Parameter(name="--llm-retries")] = None
    """Times that a failed call is made again (default 5)."""
    parallel: Annotated[int | None, Parameter(name="--llm-parallel")] = None
    """Questions asked at once by a process (default 4)."""
    vision: Annotated[bool, Parameter(name="--llm-vision", negative=())] = False
    """Let the model look at --reference; by default its pixels are measured."""

    def fields(self) -> dict[str, Any]:
        """What was given, by the names of ``LlmConfig``."""
        named = {
            "base_url": self.base_url, "model": self.model, "key_env": self.key_env,
            "mode": self.mode, "cache": str(self.cache.absolute()) if self.cache else None,
            "max_calls": self.max_calls, "max_tokens_in_all": self.max_tokens,
            "max_cost": self.max_cost, "price": prices(self.price),
            "temperature": self.temperature, "max_tokens": self.answer_tokens,
            "repairs": self.repairs, "attempts": self.attempts, "shape": self.shape,
            "timeout_s": self.timeout, "retries": self.retries, "parallel": self.parallel,
        }  # fmt: skip
        return {name: value for name, value in named.items() if value is not None}


def prices(text: str | None) -> tuple[float, float] | None:
    """``0.15,0.6`` as what a million tokens in and out cost."""
    from factory.core.errors import InvalidOptions

    if text is None:
        return None
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise InvalidOptions(f"--llm-price {text!r} is not IN,OUT such as 0.15,0.6") from None
    if min(first, second) < 0:
        raise InvalidOptions(f"--llm-price {text!r} is negative")
    return first, second
