"""Kits: the style sheet of an npm package, or one of our own, and how its classes are named.

A kit is data in ``templates/scenarios/_kits``. Three layers lie over each other: the package's
sheet, our skin for what the package has no class for, and the frame that lays things out.
Colours always come from a token set, so every kit has as many looks as there are sets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from factory.core.errors import InvalidOptions
from factory.draw.assets import npm_package
from factory.draw.tokens import Tokens, token_sets
from factory.scenarios.page import Platform
from factory.web.paint import font_faces
from templates import SCENARIOS

MONO_PACKAGE = "@fontsource/jetbrains-mono"
MONO_FAMILY = "JetBrains Mono"
MONO_WEIGHTS = (400, 700)
ARABIC_PACKAGE = "@fontsource-variable/noto-sans-arabic"
ARABIC_FAMILY = "Noto Sans Arabic"
ARABIC_FILE = "noto-sans-arabic-arabic-wght-normal.woff2"
LICENCES = {MONO_PACKAGE: "OFL-1.1", ARABIC_PACKAGE: "OFL-1.1"}
"""Of packages that every kit may show; those of the kits stand with them."""

_FOREIGN = re.compile(r"@charset[^;]+;|@import[^;]+;|@font-face\s*\{[^}]*\}")
_ADDRESS = re.compile(r"url\(\s*(?![\"']?(?:data:|#|%23))[^)]*\)")


@dataclass(frozen=True)
class Kit:
    """One look of controls."""

    name: str
    package: str
    """The npm package, or empty for a kit of our own."""
    licence: str
    sheet: str
    """The style sheet's path inside the package."""
    platforms: tuple[Platform, ...]
    themes: tuple[str, ...]
    root: str
    """Attributes of the wrapper; ``{theme}`` is ``light`` or ``dark``."""
    classes: Mapping[str, str]
    """CSS classes by part (``btn``, ``btn-primary``, ...) that replace our skin's."""
    fixed: Mapping[str, str]
    """CSS custom properties that the kit insists on, over those of the token set."""
    extra: str
    """Rules of our own that tie the package's sheet to the tokens."""
    rtl: bool
    """Whether it also looks right where everything runs from the right."""

    def parts(self, part: str, tone: str = "") -> str:
        """The classes of a part in a tone: the package's, else the skin's ``u-part tone``."""
        frame = f"x-{part} {tone}".strip()
        own = self.classes.get(f"{part}-{tone}" if tone else part)
        if own is None and tone:
            own = self.classes.get(part)
        return f"{frame} {own}" if own is not None else f"u-{part} {frame}"


@cache
def kits() -> tuple[str, ...]:
    """Every kit, sorted."""
    return tuple(sorted(path.stem for path in (SCENARIOS / "_kits").glob("*.toml")))


@cache
def kit_named(name: str) -> Kit:
    """One kit; ``InvalidOptions`` with the known names when there is none."""
    if name not in kits():
        raise InvalidOptions(f"no kit {name!r}; there are {', '.join(kits())}")
    data = tomllib.loads((SCENARIOS / "_kits" / f"{name}.toml").read_text(encoding="utf-8"))
    return Kit(
        name=name,
        package=data.get("package", ""),
        licence=data.get("licence", ""),
        sheet=data.get("sheet", ""),
        platforms=tuple(data["platforms"]),
        themes=tuple(data.get("themes", ("light", "dark"))),
        root=data.get("root", ""),
        classes=data.get("classes", {}),
        fixed=data.get("fixed", {}),
        extra=data.get("extra", ""),
        rtl=data.get("rtl", False),
    )


@cache
def kits_for(platform: Platform, theme: str = "", *, rtl: bool = False) -> tuple[str, ...]:
    """The kits of a platform, those that have ``theme`` when one is given.

    With ``rtl`` only those that look right from the right.
    """
    found = (kit_named(name) for name in kits())
    return tuple(
        kit.name
        for kit in found
        if platform in kit.platforms and theme in ("", *kit.themes) and kit.rtl >= rtl
    )


@cache
def tokens_for(theme: str) -> tuple[str, ...]:
    """The token sets of a theme, ``light`` or ``dark``; high contrast has either."""
    dark = theme == "dark"
    return tuple(sorted(name for name, tokens in token_sets().items() if tokens.dark == dark))


def licences() -> dict[str, str]:
    """Packages whose style sheets or typefaces can be seen in scenarios, with their licences."""
    found = [kit_named(name) for name in kits()]
    return LICENCES | {kit.package: kit.licence for kit in found if kit.package}


def _package_sheet(kit: Kit) -> str:
    """The package's rules without fonts of its own, imports or addresses of other files."""
    if not kit.package:
        return ""
    text = (npm_package(kit.package, "scenarios") / kit.sheet).read_text(encoding="utf-8")
    return _ADDRESS.sub("none", _FOREIGN.sub("", text))


def arabic_font() -> Path:
    """The variable typeface of Arabic pages."""
    return npm_package(ARABIC_PACKAGE, "scenarios") / "files" / ARABIC_FILE


def _more_faces() -> str:
    """The typefaces of code and of Arabic."""
    arabic = (
        f'@font-face {{ font-family: "{ARABIC_FAMILY}"; font-weight: 100 900; '
        f'font-display: block; src: url("{arabic_font().as_uri()}"); }}'
    )
    return f"{_mono_faces()}\n{arabic}"


def _mono_faces() -> str:
    folder = npm_package(MONO_PACKAGE, "scenarios") / "files"
    files = {w: folder / f"jetbrains-mono-latin-{w}-normal.woff2" for w in MONO_WEIGHTS}
    return "\n".join(
        f'@font-face {{ font-family: "{MONO_FAMILY}"; font-weight: {weight}; '
        f'font-display: block; src: url("{path.as_uri()}"); }}'
        for weight, path in files.items()
    )


POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src file:; img-src data:; "
    "script-src 'none'; form-action 'none'; base-uri 'none'; frame-src 'none'; object-src 'none'"
)
"""For bodies that others wrote: nothing but inline styles, our fonts and pictures in the page."""


def shell_text(kit: str, policy: str = "") -> str:
    """The whole HTML of the page that bodies of a kit are swapped into.

    Styles are inline; fonts are ``file:`` addresses, so the page has to be opened from a file.
    ``policy`` says what the page may load (Content-Security-Policy).
    """
    found = kit_named(kit)
    sheets = sorted((SCENARIOS / "_css").glob("*.css"))
    own = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        + (f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else "")
        + "<title>scene</title>\n"
        f"<style>{font_faces()}\n{_more_faces()}\n@layer kit, skin, frame, tie;\n"
        f"@layer kit {{ {_package_sheet(found)} }}\n{own}\n@layer tie {{ {found.extra} }}\n"
        "</style>\n</head>\n<body></body>\n</html>\n"
    )


def write_shell(kit: str, folder: Path, policy: str = "") -> str:
    """Write the shell into ``folder``; its ``file:`` address."""
    path = folder / f"shell-{kit}.html"
    path.write_text(shell_text(kit, policy), encoding="utf-8")
    return path.resolve().as_uri()


def wrapper_style(kit: Kit, tokens: Tokens, lang: str = "en") -> str:
    """The custom properties of the wrapper: the token set's, then what the kit insists on.

    On Arabic pages the Latin typeface draws digits and Latin words only.
    """
    fixed = " ".join(f"--{key}: {value};" for key, value in kit.fixed.items())
    font = f'--font: "{tokens.font.css}", "{ARABIC_FAMILY}";' if lang == "ar" else ""
    return f"{tokens.as_css()} {fixed}{font}".replace('"', "'").strip()
