"""What a run is: every option that affects data, and the digest of them.

``RunConfig`` is what the command line, a TOML file and the Python API all
build. ``data_digest`` covers what affects data and nothing else: not the
number of samples, the workers, or where files lie. Keys carry its first eight
hex digits, so two runs that differ in difficulty never share a key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import orjson
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from factory.core.errors import InvalidOptions

_VIEWPORT = re.compile(r"(\d{2,5})x(\d{2,5})(?:@([1-4]))?")

DEFAULT_VIEWPORTS = {
    "1280x800": 0.45,
    "1920x1080": 0.15,
    "375x812@1": 0.08,
    "375x812@2": 0.20,
    "375x812@3": 0.12,
}
"""Share of each canvas in a default run: two desktops and a phone at three device ratios."""

CONTEXTS = ("embedded", "modal", "dialog", "sheet", "full")
NAMES = {
    "themes": ("light", "dark", "contrast"),
    "langs": ("en", "zh"),
    "instruction_modes": ("generic", "goal", "both"),
}
"""What the names of weights may be, by field."""

DIFFICULTY_BANDS = 5


class Viewport(BaseModel):
    """A viewport in CSS px and its device pixel ratio, written ``375x812@2``."""

    model_config = ConfigDict(frozen=True)
    width: int
    height: int
    dpr: int = 1

    @classmethod
    def parse(cls, text: str) -> Viewport:
        """Read ``WxH`` or ``WxH@DPR``; ``InvalidOptions`` otherwise."""
        match = _VIEWPORT.fullmatch(text)
        if match is None:
            raise InvalidOptions(f"viewport {text!r} is not like 1280x800 or 375x812@2")
        return cls(width=int(match[1]), height=int(match[2]), dpr=int(match[3] or 1))

    def __str__(self) -> str:
        return f"{self.width}x{self.height}@{self.dpr}"


class RunConfig(BaseModel):
    """One run of ``factory gen``. Shares are relative weights; they need not sum to 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    LOCAL: ClassVar[frozenset[str]] = frozenset({"assets"})
    """Fields about this machine: not data, and not written into a run."""
    KNOWN: ClassVar[Mapping[str, tuple[str, ...]]] = NAMES
    """What the names of weights may be, by field."""

    type: str
    n: int = Field(default=1000, ge=1, le=100_000_000)
    seed: int = Field(default=0, ge=0, lt=2**63)
    split: Literal["train", "val", "test", "all"] = "train"
    difficulty: tuple[float, float] = (0.0, 1.0)
    viewports: dict[str, float] = Field(default_factory=lambda: dict(DEFAULT_VIEWPORTS))
    contexts: tuple[str, ...] = CONTEXTS
    themes: dict[str, float] = Field(
        default_factory=lambda: {"light": 0.5, "dark": 0.4, "contrast": 0.1}
    )
    langs: dict[str, float] = Field(default_factory=lambda: {"en": 0.7, "zh": 0.3})
    instruction_modes: dict[str, float] = Field(
        default_factory=lambda: {"generic": 0.6, "goal": 0.2, "both": 0.2}
    )
    format: Literal["jpg", "png"] = "jpg"
    quality: int = Field(default=90, ge=50, le=100)
    options: dict[str, Any] = Field(default_factory=dict)
    assets: tuple[str, ...] = ()
    assets_digest: str = ""
    bank_digest: str = ""
    allow_repeats: bool = False
    keep_rejected: bool = False
    shard_samples: int | None = Field(default=None, ge=1, le=100_000)

    @field_validator("difficulty")
    @classmethod
    def _difficulty_in_range(cls, value: tuple[float, float]) -> tuple[float, float]:
        low, high = value
        if not 0.0 <= low <= high <= 1.0:
            raise ValueError(f"difficulty {low}..{high} must lie within 0..1, low end first")
        return value

    @field_validator("viewports")
    @classmethod
    def _viewports_parse(cls, value: dict[str, float]) -> dict[str, float]:
        try:
            return {str(Viewport.parse(text)): weight for text, weight in value.items()}
        except InvalidOptions as error:
            raise ValueError(str(error)) from error

    @field_validator("themes", "langs", "instruction_modes")
    @classmethod
    def _names_known(cls, value: dict[str, float], info: ValidationInfo) -> dict[str, float]:
        known = cls.KNOWN[info.field_name or ""]
        unknown = sorted(value.keys() - set(known))
        if unknown:
            raise ValueError(f"{', '.join(unknown)} is not one of {', '.join(known)}")
        return value

    @field_validator("viewports", "themes", "langs", "instruction_modes")
    @classmethod
    def _weights_positive(cls, value: dict[str, float]) -> dict[str, float]:
        """One order for the same weights, since the order decides which index gets which name."""
        if not value or any(not 0 < weight < 1e9 for weight in value.values()):
            raise ValueError(f"weights must be positive numbers, got {value}")
        return dict(sorted(value.items()))

    @field_validator("contexts")
    @classmethod
    def _contexts_known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(value) - set(CONTEXTS))
        if unknown or not value:
            raise ValueError(f"contexts {unknown} are unknown; there are {', '.join(CONTEXTS)}")
        return tuple(context for context in CONTEXTS if context in value)

    @classmethod
    def build(cls, **values: Any) -> Self:
        """Validate; ``InvalidOptions`` with one line per fault."""
        try:
            return cls(**values)
        except ValidationError as error:
            raise InvalidOptions(f"the run cannot start: {faults(error)}") from error

    @classmethod
    def load(cls, path: Path, **overrides: Any) -> Self:
        """Read a TOML file; keyword values win over the file."""
        return cls.build(**{**read_toml(path), **overrides})

    def data_fields(self) -> dict[str, Any]:
        """The options that affect data, JSON-able and in a fixed order."""
        skipped = {
            "type", "n", "seed", "split", "allow_repeats", "keep_rejected", "shard_samples",
        }  # fmt: skip
        return self.model_dump(mode="json", exclude=skipped | self.LOCAL)

    def data_digest(self) -> str:
        """8 hex digits of the digest of everything that affects data."""
        text = orjson.dumps(self.data_fields(), option=orjson.OPT_SORT_KEYS)
        return blake2b(text, digest_size=4).hexdigest()

    def split_sizes(self) -> dict[str, int]:
        """Samples per split: all of them in the one asked for, or 90/5/5."""
        if self.split != "all":
            return {self.split: self.n}
        val = test = self.n // 20
        return {"train": self.n - val - test, "val": val, "test": test}


def faults(error: ValidationError) -> str:
    """What pydantic found, in one line: each field, what it should be and what it is."""
    found = [one for one in error.errors() if one["type"] != "default_factory_not_called"]
    return "; ".join(map(_fault, found))


def _fault(fault: Mapping[str, Any]) -> str:
    name = ".".join(map(str, fault["loc"])) or "config"
    if fault["type"] == "extra_forbidden":
        return f"{name}: there is no such field"
    if fault["type"] == "missing":
        return f"{name}: has to be given"
    if fault["type"] == "value_error":
        return f"{name}: {fault['ctx']['error']}"
    return f"{name}: {fault['msg'][0].lower()}{fault['msg'][1:]}, not {fault['input']!r}"


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dict; ``InvalidOptions`` when it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidOptions(f"the config {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidOptions(f"the config {path} is not TOML: {error}") from error
