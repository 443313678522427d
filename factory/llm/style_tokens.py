"""A reference's style in terms of our token sets: the nearest one, and what is laid over it."""

from __future__ import annotations

from collections.abc import Mapping

from factory.draw.colours import contrast, mix
from factory.draw.tokens import AA_TEXT, Tokens, tokens_named
from factory.llm.reference import Style, apart
from factory.scenarios.kits import tokens_for


def nearest_tokens(style: Style) -> str:
    """The token set of the theme that is nearest in background and accent."""

    def distance(name: str) -> float:
        own = tokens_named(name)
        return apart(own.page_bg, style.background) + 2 * apart(own.accent, style.accent)

    plain = [n for n in tokens_for(style.theme) if tokens_named(n).mode != "contrast"]
    return min(sorted(plain), key=distance)


RADII = {"square": 0, "soft": 8, "round": 16}


def custom_properties(style: Style) -> str:
    """CSS that lays the style over the token set; colours are moved until texts can be read."""
    base = tokens_named(nearest_tokens(style))
    pole = "#000000" if style.theme == "light" else "#ffffff"
    grounds = (style.background, style.surface)
    accent = _readable(style.accent, grounds, pole)
    roles = {
        "page-bg": style.background,
        "surface": style.surface,
        "raised": mix(style.text, style.surface, 0.05),
        "track": mix(style.text, style.surface, 0.1),
        "border": mix(style.text, style.surface, 0.18),
        "accent-soft": mix(style.accent, style.surface, 0.1),
        "text": _readable(style.text, grounds, pole),
        "muted": _readable(mix(style.text, style.surface, 0.6), grounds, pole),
        "link": accent,
        "accent": accent,
        "on-accent": max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, accent)),
        **_unless_readable(base, grounds, pole),
    }
    radius = RADII[style.corners]
    css = " ".join(f"--{name}: {value};" for name, value in roles.items())
    return f"{css} --radius: {radius}px; --radius-sm: {min(radius, 4 + radius // 2)}px;"


def _unless_readable(base: Tokens, grounds: tuple[str, ...], pole: str) -> Mapping[str, str]:
    return {name: _readable(getattr(base, name), grounds, pole) for name in ("success", "danger")}


def _readable(colour: str, grounds: tuple[str, ...], pole: str) -> str:
    """A colour moved towards black or white until it reads on every ground."""
    shades = (mix(pole, colour, step / 20) for step in range(21))
    return next(
        (shade for shade in shades if min(contrast(shade, g) for g in grounds) >= AA_TEXT), pole
    )
