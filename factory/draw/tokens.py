"""Design tokens: one dict of colours, radii, shadows and fonts for page, panel and puzzle.

The browser reads a token set as CSS custom properties (``as_css``), the raster
kit reads the same colours as RGB tuples (``rgb``). So page, panel and content
always match. Every set passes WCAG AA for the pairs in ``TEXT_PAIRS``, those of
mode ``contrast`` AAA.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.draw.assets import npm_package
from factory.draw.colours import RGB as RGB
from factory.draw.colours import contrast as contrast
from factory.draw.colours import luminance as luminance
from factory.draw.colours import mix as mix
from factory.draw.colours import parse_hex as parse_hex
from factory.draw.colours import to_hex as to_hex

Mode = Literal["light", "dark", "contrast"]

AA_TEXT = 4.5
"""The contrast that WCAG 2.2 asks of body text (level AA)."""

AAA_TEXT = 7.0
"""The same at level AAA: every pair of a high-contrast set."""

NON_TEXT = 3.0
"""The contrast that WCAG 2.2 asks of the outlines of controls and of focus rings (1.4.11)."""

TEXT_PAIRS = (
    ("text", "surface"), ("text", "page_bg"), ("text", "raised"), ("text", "accent_soft"),
    ("muted", "surface"), ("muted", "page_bg"), ("muted", "raised"), ("muted", "track"),
    ("muted", "accent_soft"),
    ("link", "surface"), ("link", "page_bg"), ("link", "accent_soft"),
    ("on_accent", "accent"), ("nav_text", "nav_bg"), ("nav_muted", "nav_bg"),
    ("success", "surface"), ("danger", "surface"), ("success", "page_bg"), ("danger", "page_bg"),
)  # fmt: skip
"""(ink, ground) pairs that carry text somewhere in a page or panel."""

CHINESE_PACKAGE = "@expo-google-fonts/noto-sans-sc"
CHINESE_FAMILY = "Noto Sans SC"
CHINESE_FILES = {
    400: "400Regular/NotoSansSC_400Regular.ttf",
    500: "500Medium/NotoSansSC_500Medium.ttf",
    700: "700Bold/NotoSansSC_700Bold.ttf",
}


@dataclass(frozen=True)
class FontFamily:
    """A variable Latin font: CSS family name, the Python package and the file inside it."""

    css: str
    package: str
    file: str

    def path(self) -> Path:
        """The TTF; ``DependencyMissing`` when the package is not installed."""
        spec = find_spec(self.package)
        if spec is None or spec.origin is None:
            name = self.package.replace("_", "-")
            raise DependencyMissing(f"font {self.css!r} is absent; pip install {name}")
        return Path(spec.origin).parent / "files" / self.file


FONTS: dict[str, FontFamily] = {
    font.css: font
    for font in (
        FontFamily("Inter", "fontpkg_inter", "Inter[opsz,wght].ttf"),
        FontFamily("Figtree", "fontpkg_figtree", "Figtree[wght].ttf"),
        FontFamily("Manrope", "fontpkg_manrope", "Manrope[wght].ttf"),
        FontFamily("Source Sans 3", "fontpkg_source_sans_3", "SourceSans3[wght].ttf"),
        FontFamily("Plus Jakarta Sans", "fontpkg_plus_jakarta_sans", "PlusJakartaSans[wght].ttf"),
        FontFamily("Nunito Sans", "fontpkg_nunito_sans", "NunitoSans[YTLC,opsz,wdth,wght].ttf"),
    )
}


def chinese_font(weight: int = 400) -> Path:
    """The Noto Sans SC TTF of a weight in ``CHINESE_FILES``."""
    return npm_package(CHINESE_PACKAGE) / CHINESE_FILES[weight]


SHADOWS: tuple[tuple[str, int], ...] = (
    ("0 0 0 0 rgba({c},0)", 4),
    ("0 1px 2px rgba({c},{a1}), 0 2px 8px rgba({c},{a2})", 16),
    ("0 1px 3px rgba({c},{a1}), 0 8px 24px rgba({c},{a2})", 40),
    ("0 2px 6px rgba({c},{a1}), 0 18px 48px rgba({c},{a2})", 76),
)
"""Per level: the CSS shadow and the margin in CSS px that holds all of it."""


@dataclass(frozen=True)
class Tokens:
    """One look. Colours are ``#rrggbb``; ``radius_px`` is the panel's, 0 to 20 CSS px."""

    name: str
    mode: Mode
    page_bg: str
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    link: str
    accent: str
    accent_deep: str
    on_accent: str
    accent_soft: str
    track: str
    track_fill: str
    nav_bg: str
    nav_text: str
    nav_muted: str
    nav_border: str
    scrim: str
    success: str
    danger: str
    focus: str
    """The ring around the control that has the focus."""
    scrim_alpha: float
    radius_px: int
    shadow_level: int
    font: FontFamily
    unit_px: int
    """Density: the spacing step, 7 (compact) to 9 (roomy) CSS px."""

    def rgb(self, role: str) -> RGB:
        """A colour role as (red, green, blue), 0 to 255."""
        return parse_hex(getattr(self, role))

    @property
    def dark(self) -> bool:
        """Whether its text is lighter than its page, whatever the mode."""
        return luminance(self.text) > luminance(self.page_bg)

    @property
    def shadow_css(self) -> str:
        """The CSS ``box-shadow`` of a floating panel."""
        alpha = (0.40, 0.45) if self.dark else (0.10, 0.12)
        tint = "0,0,0" if self.dark else "15,20,40"
        template, _ = SHADOWS[self.shadow_level]
        return template.format(c=tint, a1=alpha[0], a2=alpha[1])

    @property
    def shadow_margin_px(self) -> int:
        """CSS px around a panel that its shadow may reach."""
        return SHADOWS[self.shadow_level][1]

    @property
    def control_radius_px(self) -> int:
        """Corner radius of buttons, fields and small cards."""
        return min(self.radius_px, 4 + self.radius_px // 2)

    def as_css(self) -> str:
        """The set as CSS custom properties, ``--page-bg: #f4f5fa; ...``."""
        roles = {role.replace("_", "-"): getattr(self, role) for role in COLOUR_ROLES}
        roles |= {
            "scrim-alpha": f"{self.scrim_alpha:g}",
            "radius": f"{self.radius_px}px",
            "radius-sm": f"{self.control_radius_px}px",
            "shadow": self.shadow_css,
            "u": f"{self.unit_px}px",
            "font": f'"{self.font.css}", "{CHINESE_FAMILY}"',
            "scheme": "dark" if self.dark else "light",
        }
        return " ".join(f"--{key}: {value};" for key, value in roles.items())


COLOUR_ROLES = (
    "page_bg", "surface", "raised", "border", "text", "muted", "link", "accent", "accent_deep",
    "on_accent", "accent_soft", "track", "track_fill", "nav_bg", "nav_text", "nav_muted",
    "nav_border", "scrim", "success", "danger", "focus",
)  # fmt: skip


def _hls(hue_deg: float, light: float, saturation: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue_deg / 360, light, saturation)
    return to_hex((red * 255, green * 255, blue * 255))


def _readable(colour: str, grounds: tuple[str, ...], pole: str) -> str:
    """``colour`` moved towards ``pole`` until it reads on every ground."""
    for step in range(21):
        candidate = mix(pole, colour, step / 20)
        if min(contrast(candidate, ground) for ground in grounds) >= AA_TEXT + 0.1:
            return candidate
    raise InvalidOptions(f"no shade of {colour} reads on {grounds}")


@dataclass(frozen=True)
class _Brand:
    """What tells one pair of sets (light and dark) from another."""

    name: str
    accent: str
    accent_dark: str
    hue_deg: float
    tint: float
    radius_px: int
    shadow_level: int
    font: str
    unit_px: int = 8
    nav: Literal["plain", "deep", "accent"] = "plain"
    paper: bool = False
    """White page with outlined cards, instead of white cards on a tinted page."""


_BRANDS = (
    _Brand("indigo", "#4f46e5", "#8b93ff", 232, 0.34, 12, 2, "Inter"),
    _Brand("teal", "#0f766e", "#4fd1c0", 168, 0.20, 14, 2, "Manrope", nav="deep"),
    _Brand("ochre", "#a8500b", "#f0a850", 36, 0.30, 8, 1, "Source Sans 3", 8, "plain"),
    _Brand("rose", "#be1650", "#ff86a8", 340, 0.24, 20, 3, "Plus Jakarta Sans", 8),
    _Brand("sky", "#0a66b4", "#6cb8ff", 212, 0.30, 6, 1, "Figtree", 8, "accent", paper=True),
    _Brand("fern", "#2b7a3b", "#7fd08a", 120, 0.16, 16, 2, "Nunito Sans", 9),
    _Brand("plum", "#7a35b8", "#c79bff", 276, 0.26, 18, 3, "Figtree", 8, "deep"),
    _Brand("ink", "#1f2733", "#e6e9ef", 220, 0.10, 0, 0, "Inter", 7, paper=True),
    _Brand("brick", "#b23a26", "#ff9580", 14, 0.20, 4, 1, "Manrope", 7, "accent"),
)


@dataclass(frozen=True)
class _Contrast:
    """What tells one high-contrast set from another; the rest follows from ink on paper."""

    name: str
    paper: str
    ink: str
    link: str
    accent: str
    focus: str
    font: str
    radius_px: int
    inverse_nav: bool = False


_CONTRASTS = (
    _Contrast("paper", "#ffffff", "#000000", "#0000b8", "#00007a", "#c2185b", "Inter", 4),
    _Contrast("coal", "#000000", "#ffffff", "#9fd4ff", "#4cc2ff", "#ffd400", "Figtree", 8, True),
    _Contrast("amber", "#000000", "#ffe600", "#7df3ff", "#ffe500", "#ffffff", "Source Sans 3", 0),
    _Contrast("cream", "#fffceb", "#161000", "#6b0f1a", "#6b0f1b", "#0044cc", "Manrope", 10, True),
    _Contrast("mint", "#04140f", "#d9ffe9", "#ffd28a", "#5dffb4", "#ff9de0", "Nunito Sans", 12),
)


def _contrast_tokens(kind: _Contrast) -> Tokens:
    """Ink on paper, outlines in ink, no shadows; AAA for every pair that carries text."""
    paper, ink = kind.paper, kind.ink
    nav_bg, nav_text = (ink, paper) if kind.inverse_nav else (paper, ink)
    dark = luminance(paper) < luminance(ink)
    status = ("#7dff9b", "#ffb3b3") if dark else ("#004d1a", "#8a0010")
    return Tokens(
        name=f"{kind.name}-contrast",
        mode="contrast",
        page_bg=paper,
        surface=paper,
        raised=mix(ink, paper, 0.08),
        border=ink,
        text=ink,
        muted=mix(ink, paper, 0.84),
        link=kind.link,
        accent=kind.accent,
        accent_deep=mix("#ffffff" if dark else "#000000", kind.accent, 0.30),
        on_accent=paper,
        accent_soft=mix(kind.accent, paper, 0.14),
        track=paper,
        track_fill=mix(kind.accent, paper, 0.30),
        nav_bg=nav_bg,
        nav_text=nav_text,
        nav_muted=mix(nav_text, nav_bg, 0.86),
        nav_border=nav_text,
        scrim="#000000",
        success=status[0],
        danger=status[1],
        focus=kind.focus,
        scrim_alpha=0.7,
        radius_px=kind.radius_px,
        shadow_level=0,
        font=FONTS[kind.font],
        unit_px=8,
    )


def _tokens(brand: _Brand, mode: Mode) -> Tokens:
    light = mode == "light"
    accent = brand.accent if light else brand.accent_dark

    def neutral(light_l: float, dark_l: float, strength: float = 1.0) -> str:
        return _hls(brand.hue_deg, light_l if light else dark_l, brand.tint * strength)

    page_bg = "#ffffff" if brand.paper and light else neutral(0.962, 0.066)
    surface = "#ffffff" if light else neutral(0, 0.112)
    raised, track = neutral(0.946, 0.160), neutral(0.930, 0.072)
    text = neutral(0.095, 0.935)
    accent_soft = mix(accent, surface, 0.10 if light else 0.18)
    grounds = (page_bg, surface, raised, track, accent_soft)
    muted = _readable(neutral(0.40, 0.64, 0.5), grounds, text)
    link = _readable(accent, (surface, page_bg, accent_soft), text)
    on_accent = "#ffffff" if contrast("#ffffff", accent) >= AA_TEXT else neutral(0.08, 0.07)
    nav_bg = {
        "plain": surface,
        "deep": neutral(0.125, 0.085, 1.6),
        "accent": accent if light else neutral(0, 0.140, 1.4),
    }[brand.nav]
    nav_dark = luminance(nav_bg) < 0.18
    nav_text = ("#ffffff" if light else text) if nav_dark else text
    nav_muted = _readable(mix(nav_text, nav_bg, 0.72), (nav_bg,), nav_text)
    status = ("#15703a", "#b4232b") if light else ("#5fd08a", "#ff8f8f")
    return Tokens(
        name=f"{brand.name}-{mode}",
        mode=mode,
        page_bg=page_bg,
        surface=surface,
        raised=raised,
        border=neutral(0.880, 0.225, 0.7),
        text=text,
        muted=muted,
        link=link,
        accent=accent,
        accent_deep=mix("#000000", accent, 0.16),
        on_accent=on_accent,
        accent_soft=accent_soft,
        track=track,
        track_fill=mix(accent, track, 0.22 if light else 0.30),
        nav_bg=nav_bg,
        nav_text=nav_text,
        nav_muted=nav_muted,
        nav_border=mix(nav_text, nav_bg, 0.12),
        scrim="#0a0d16" if light else "#020308",
        success=_readable(status[0], (surface, page_bg), text),
        danger=_readable(status[1], (surface, page_bg), text),
        focus=link,
        scrim_alpha=0.5 if light else 0.62,
        radius_px=brand.radius_px,
        shadow_level=brand.shadow_level,
        font=FONTS[brand.font],
        unit_px=brand.unit_px,
    )


@cache
def token_sets() -> dict[str, Tokens]:
    """Every token set by name: each brand in light and dark, and the high-contrast ones."""
    modes: tuple[Mode, ...] = ("light", "dark")
    sets = [_tokens(brand, mode) for brand in _BRANDS for mode in modes]
    sets += [_contrast_tokens(kind) for kind in _CONTRASTS]
    return {tokens.name: tokens for tokens in sets}


def tokens_named(name: str) -> Tokens:
    """One token set; ``InvalidOptions`` with the known names when there is none."""
    try:
        return token_sets()[name]
    except KeyError:
        known = ", ".join(sorted(token_sets()))
        raise InvalidOptions(f"no token set {name!r}; there are {known}") from None
