"""How a model is reached and what it may cost: nothing of this affects data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from factory.core.errors import InvalidOptions
from factory.draw import assets

Mode = Literal["record", "replay", "off"]
MODES: tuple[Mode, ...] = ("record", "replay", "off")
KEY_ENV = "OPENAI_API_KEY"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NO_KEY = "none"
"""Sent to a server on this machine when no key is set: most of them ask for none."""


@dataclass(frozen=True)
class Caps:
    """Bounds of what a scope may use, all runs together; 0 is no bound."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True)
class Settings:
    """``scope`` names the run in the ledger; prices are per million tokens in and out."""

    scope: str
    base_url: str = ""
    key_env: str = KEY_ENV
    cache: str = ""
    mode: Mode = "record"
    caps: Caps = Caps()
    price: tuple[float, float] = (0.0, 0.0)
    timeout_s: float = 120.0
    retries: int = 5
    first_wait_s: float = 0.5

    def cache_path(self) -> Path:
        """The file of answers and ledger."""
        return Path(self.cache) if self.cache else assets.home() / "llm" / "cache.sqlite"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """What tokens cost, in the currency of the prices."""
        return (tokens_in * self.price[0] + tokens_out * self.price[1]) / 1e6

    def key(self) -> str:
        """The API key from the environment; ``InvalidOptions`` where one is needed."""
        found = os.environ.get(self.key_env, "")
        if found or urlsplit(self.base_url).hostname in LOOPBACK:
            return found or NO_KEY
        raise InvalidOptions(
            f"the environment has no {self.key_env}; export the key of {self.base_url} under that "
            "name, or name another variable by --llm-key-env"
        )

    def check(self) -> None:
        """Refuse what could not be asked later."""
        if self.mode == "replay":
            return
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            raise InvalidOptions(
                f"--llm-base-url {self.base_url!r} is not the address of a server such as "
                "http://127.0.0.1:8080/v1; or replay recorded answers by --llm-mode replay"
            )
        if urlsplit(self.base_url).username or urlsplit(self.base_url).password:
            raise InvalidOptions("--llm-base-url holds a password; keys go by --llm-key-env")
        if self.caps.cost and not any(self.price):
            raise InvalidOptions("--llm-max-cost needs --llm-price IN,OUT per million tokens")
        self.key()
