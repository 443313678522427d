"""What a run of pages is: a run's config with what pages have in the place of puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, field_validator

from factory.config import NAMES, RunConfig, Viewport
from factory.scenarios import catalog
from factory.scenarios.page import PLATFORMS, Platform

PHONES: tuple[Platform, ...] = ("ios", "android")
PHONE_WIDTH = 500
"""A narrower window is a phone's, CSS px."""

PLATFORM_WEIGHTS = {"web": 0.4, "windows": 0.2, "macos": 0.12, "ios": 0.14, "android": 0.14}
WINDOWS = {
    "1280x720": 0.15, "1280x800": 0.40, "1366x768": 0.15, "1440x900": 0.15, "1920x1080": 0.15,
    "375x812@2": 0.4, "390x844@3": 0.3, "412x915@2": 0.3,
}  # fmt: skip
"""Desktops share the pages of desktop platforms, phones those of phones."""

WIDE = {"1920x1080": 0.3, "2560x1440": 0.7}
"""Desktops of runs that ask for small icons."""

PUZZLES_ONLY = frozenset({"contexts", "instruction_modes", "options", "difficulty", "bank_digest"})
"""Fields of a run's config that say nothing about pages."""


LANGUAGES = {"en": 0.7, "zh": 0.3}
RTL_SHARE = 0.08
"""Of the pages of scenarios that have a language from the right."""


def langs_of(scenario: str) -> dict[str, float]:
    """The shares of languages of a scenario's pages."""
    known = catalog.app(scenario).langs if scenario in catalog.apps() else catalog.LANGS
    more = [lang for lang in known if lang in catalog.RTL]
    left = 1 - RTL_SHARE * len(more)
    shares = {lang: round(share * left, 6) for lang, share in LANGUAGES.items()}
    return shares | dict.fromkeys(more, RTL_SHARE)


class SceneConfig(RunConfig):
    """One run of ``factory gen grounding``: ``type`` is a scenario, ``n`` counts pages."""

    KNOWN = NAMES | {"langs": (*catalog.LANGS, *catalog.RTL)}

    kind: Literal["grounding"] = "grounding"
    langs: dict[str, float] = Field(default_factory=lambda values: langs_of(values["type"]))
    platforms: dict[str, float] = Field(default_factory=lambda: dict(PLATFORM_WEIGHTS))
    viewports: dict[str, float] = Field(default_factory=lambda: dict(WINDOWS))
    themes: dict[str, float] = Field(default_factory=lambda: {"light": 0.6, "dark": 0.4})
    tasks: int = Field(default=12, ge=1, le=99)
    negatives: float = Field(default=0.15, ge=0.0, le=0.5)
    proof: bool = True
    sizes: Literal["usual", "small"] = "usual"

    @field_validator("platforms")
    @classmethod
    def _platforms_known(cls, value: dict[str, float]) -> dict[str, float]:
        unknown = sorted(value.keys() - set(PLATFORMS))
        if unknown:
            raise ValueError(f"{', '.join(unknown)} is not one of {', '.join(PLATFORMS)}")
        if not value or any(not 0 < weight < 1e9 for weight in value.values()):
            raise ValueError(f"weights must be positive numbers, got {value}")
        return dict(sorted(value.items()))

    @field_validator("themes")
    @classmethod
    def _two_themes(cls, value: dict[str, float]) -> dict[str, float]:
        if set(value) - {"light", "dark"}:
            raise ValueError("pages of scenarios are light or dark")
        return value

    def data_fields(self) -> dict[str, Any]:
        """The options that affect data, JSON-able and in a fixed order."""
        fields = super().data_fields()
        return {name: value for name, value in fields.items() if name not in PUZZLES_ONLY}

    def windows(self, platform: str) -> Mapping[str, float]:
        """The windows of a platform with their weights; none where none suits it.

        Runs that ask for small icons have wide desktops unless they name windows themselves.
        """
        phone = platform in PHONES
        default = {str(Viewport.parse(name)): weight for name, weight in WINDOWS.items()}
        if self.sizes == "small" and not phone and self.viewports == default:
            return WIDE
        return {
            name: weight
            for name, weight in self.viewports.items()
            if (Viewport.parse(name).width < PHONE_WIDTH) == phone
        }
