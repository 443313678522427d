"""What a run of pages is that a language model writes."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from factory.config import NAMES
from factory.core.errors import InvalidOptions
from factory.llm.ladder import RUNGS, Manner
from factory.llm.reference import Style
from factory.llm.settings import KEY_ENV, MODES, Caps, Mode, Settings
from factory.scene_config import SceneConfig

LAYOUT, HTML = "llm_layout", "llm_html"
LLM_TYPES = (LAYOUT, HTML)
"""Plans drawn by our grammar, and whole pages written by the model."""

LONGEST_TEXT = 600
ANSWER_TOKENS = {LAYOUT: 3000, HTML: 6000}
"""Longest answer where the run does not say: a page is longer than a plan."""


class LlmConfig(SceneConfig):
    """One run of ``factory gen grounding --prompt``: ``type`` says how pages are written."""

    LOCAL: ClassVar[frozenset[str]] = frozenset({
        "assets", "base_url", "key_env", "cache", "mode", "max_calls", "max_tokens_in_all",
        "max_cost", "price", "timeout_s", "retries", "first_wait_s", "parallel", "kept_in",
    })  # fmt: skip
    """Where the model is and what it may cost; a key is never a field."""

    KNOWN = NAMES
    """A model writes pages in the languages that instructions are in."""

    kind: Literal["llm"] = "llm"  # pyright: ignore[reportIncompatibleVariableOverride]
    scenarios: tuple[str, ...]
    personas: tuple[str, ...] = ()
    model: str
    style: Style | None = None
    temperature: float = Field(default=1.0, ge=0.0, le=2.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    max_tokens: int = Field(default=0, ge=0, le=200_000)
    repairs: int = Field(default=2, ge=0, le=9)
    attempts: int = Field(default=4, ge=1, le=20)
    shape: Literal["auto", "strict", "loose", "object", "text"] = "auto"

    base_url: str = ""
    key_env: str = KEY_ENV
    cache: str = ""
    mode: Mode = "record"
    max_calls: int = Field(default=0, ge=0)
    max_tokens_in_all: int = Field(default=0, ge=0)
    max_cost: float = Field(default=0.0, ge=0.0)
    price: tuple[float, float] = (0.0, 0.0)
    timeout_s: float = Field(default=120.0, gt=0.0, le=3600.0)
    retries: int = Field(default=5, ge=0, le=50)
    first_wait_s: float = Field(default=0.5, ge=0.0, le=60.0)
    parallel: int = Field(default=4, ge=1, le=64)
    kept_in: str = ""
    """A run whose own answers are replayed."""

    @field_validator("type")
    @classmethod
    def _a_known_way(cls, value: str) -> str:
        if value not in LLM_TYPES:
            raise ValueError(f"{value!r} is not one of {', '.join(LLM_TYPES)}")
        return value

    @field_validator("scenarios", "personas")
    @classmethod
    def _texts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            if not 0 < len(text.strip()) <= LONGEST_TEXT:
                raise ValueError(f"{text[:40]!r} is not a text of 1 to {LONGEST_TEXT} letters")
        return tuple(text.strip() for text in value)

    @field_validator("scenarios")
    @classmethod
    def _some(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("there is none; add --prompt TEXT or --scenarios FILE")
        return value

    @field_validator("model")
    @classmethod
    def _named(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("no model is named; add --llm-model NAME")
        return value

    def scope(self) -> str:
        """The run's name in the ledger: a resumed run goes on with what it has spent."""
        return f"{self.type}-{self.split}-s{self.seed}-c{self.data_digest()}"

    def replayed(self, run: Path) -> LlmConfig:
        """The config with the answers that a run keeps in the place of the model."""
        return self.model_copy(update={"kept_in": str(run), "mode": "replay"})

    def manner(self) -> Manner:
        """How the model is asked."""
        assert self.shape == "auto" or self.shape in RUNGS
        most = self.max_tokens or ANSWER_TOKENS[self.type]
        return Manner(self.model, self.temperature, self.top_p, most, self.repairs, self.shape)

    def settings(self) -> Settings:
        """How it is reached and what it may cost."""
        if self.mode not in MODES:
            raise InvalidOptions(f"mode {self.mode!r}: {', '.join(MODES)}")
        return Settings(
            scope=self.scope(), base_url=self.base_url, key_env=self.key_env, cache=self.cache,
            mode=self.mode, caps=Caps(self.max_calls, self.max_tokens_in_all, self.max_cost),
            price=self.price, timeout_s=self.timeout_s, retries=self.retries,
            first_wait_s=self.first_wait_s,
        )  # fmt: skip
