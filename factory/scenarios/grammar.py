"""From a key to a scene, and from a scene to a page: pure, by name, with random access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from factory.draw.tokens import tokens_named
from factory.scenarios import catalog
from factory.scenarios.arabic import ArabicContent
from factory.scenarios.catalog import App
from factory.scenarios.content import SceneContent
from factory.scenarios.kits import kit_named, kits_for, tokens_for, wrapper_style
from factory.scenarios.page import Platform, Scene, ScenePage
from factory.scenarios.screen import Screen
from factory.web.content import environment
from factory.web.verdict.types import Window

WINDOWS: Mapping[Platform, tuple[str, ...]] = {
    "web": ("1280x800@1", "1920x1080@1", "1366x768@1", "1440x900@1"),
    "windows": ("1280x800@1", "1920x1080@1", "1366x768@1", "2560x1440@1"),
    "macos": ("1280x800@1", "1920x1080@1", "1440x900@1", "2560x1440@1"),
    "ios": ("375x812@2", "390x844@2", "393x852@3"),
    "android": ("375x812@2", "412x915@2", "360x800@3"),
}
"""Windows by platform, the ones that a run prefers first."""

THEMES = ("light", "dark")
DENSITIES = ("compact", "normal", "roomy")
COMMON = 4
CELL = ("platform", "kit", "tokens", "theme", "lang", "density", "screen", "state", "window")
"""What a cell may fix; the rest is drawn."""


def window_named(name: str) -> Window:
    """The window of ``375x812@2``; ``InvalidOptions`` for another form."""
    try:
        size, _, dpr = name.partition("@")
        width, height = size.split("x")
        return Window(int(width), int(height), float(dpr or 1))
    except ValueError:
        raise InvalidOptions(f"{name!r} is no window; write 375x812@2") from None


def scene_of(app: str, key_root: str, cell: Mapping[str, str]) -> Scene:
    """The scene of a key: what ``cell`` fixes, and the rest by streams of ``key_root``.

    ``InvalidOptions`` when the cell asks for what the app or kit does not have.
    """
    return scene_for(catalog.app(app), key_root, cell)


def scene_for(known: App, key_root: str, cell: Mapping[str, str]) -> Scene:
    """The scene of a key of an app that need not be in the catalog."""
    unknown = sorted(set(cell) - set(CELL))
    if unknown:
        raise InvalidOptions(f"a cell has no {unknown}; it has {', '.join(CELL)}")
    pick = _Pick(key_root, cell)
    platform = cast(Platform, pick("platform", known.platforms))
    screens = [s.name for s in known.screens.values() if platform in s.platforms]
    screen = pick("screen", screens)
    lang = pick("lang", known.langs if cell.get("lang") in catalog.RTL else catalog.LANGS)
    rtl = lang in catalog.RTL
    theme = pick("theme", _themes(platform, cell, rtl))
    return Scene(
        app=known.name,
        screen=screen,
        platform=platform,
        kit=pick("kit", kits_for(platform, theme, rtl=rtl)),
        tokens=pick("tokens", _looks(theme)),
        theme=theme,
        lang=lang,
        density=pick("density", DENSITIES),
        state=pick("state", known.screens[screen].states),
        window=window_named(pick("window", (*WINDOWS[platform], cell.get("window", "")))),
        root=key_root,
    )


def _themes(platform: Platform, cell: Mapping[str, str], rtl: bool) -> list[str]:
    """The themes that the cell's kit and token set, where it names them, can have."""
    kits = {theme: kits_for(platform, theme, rtl=rtl) for theme in THEMES}
    return [
        theme
        for theme in THEMES
        if cell.get("kit", kits[theme][0]) in kits[theme]
        and cell.get("tokens", tokens_for(theme)[0]) in tokens_for(theme)
    ]


def _looks(theme: str) -> list[str]:
    """The token sets of a theme, those of high contrast ``COMMON`` times rarer."""
    names = tokens_for(theme)
    plain = [name for name in names if tokens_named(name).mode != "contrast"]
    return [*names, *plain * (COMMON - 1)]


class _Pick:
    """Takes each choice from the cell, else from a stream of its own."""

    def __init__(self, root: str, cell: Mapping[str, str]) -> None:
        self.root, self.cell = root, cell

    def __call__(self, name: str, choices: Sequence[str]) -> str:
        given = self.cell.get(name)
        if given is None:
            return Stream(f"{self.root}:scene {name}").choice([c for c in choices if c])
        if given not in choices:
            raise InvalidOptions(f"no {name} {given!r} here; there are {', '.join(choices)}")
        return given


def compose(scene: Scene) -> ScenePage:
    """The page of a scene. The same scene gives the same page, byte for byte."""
    kind = ArabicContent if scene.lang == "ar" else SceneContent
    content = kind(scene.app, scene.lang, scene.root)
    template = f"scenarios/{scene.app}/{scene.screen}.html"
    return compose_of(scene, catalog.app(scene.app), content, template)


def compose_of(
    scene: Scene,
    app: App,
    content: SceneContent,
    template: str,
    more: Mapping[str, object] | None = None,
    style: str = "",
) -> ScenePage:
    """The page of a scene by any template, which also knows the names in ``more``.

    ``style`` is custom properties that win over those of the token set.
    """
    screen = Screen(scene, app, kit_named(scene.kit), content)
    names = {
        "s": screen,
        "app_name": content.stream("name").choice(app.names[scene.lang]),
        "lang": scene.lang,
        **content.functions(),
        **(more or {}),
    }
    render = environment().get_template
    inner = render(template).render(names)
    chrome = render(f"scenarios/_chrome/{scene.platform}.html").render({**names, "inner": inner})
    return ScenePage(
        scene=scene,
        body=_wrapped(scene, chrome, style),
        items=screen.placed(),
        title=names["app_name"],
        facts=dict(screen.facts),
    )


def _wrapped(scene: Scene, inner: str, style: str = "") -> str:
    """The wrapper carries what the shell cannot: theme, tokens, language, density."""
    kit, tokens = kit_named(scene.kit), tokens_named(scene.tokens)
    names = f"sc k-{kit.name} p-{scene.platform} t-{scene.theme} m-{tokens.mode} d-{scene.density}"
    if scene.platform in ("ios", "android"):
        names += " phone"
    root = kit.root.format(theme=scene.theme)
    own = f'class="{names}"' if 'class="' not in root else ""
    root = root.replace('class="', f'class="{names} ')
    turned = ' dir="rtl"' if scene.lang in catalog.RTL else ""
    return (
        f'<div {own} lang="{scene.lang}"{turned} style="{wrapper_style(kit, tokens, scene.lang)}'
        f'{" " if style else ""}{style}" {root}>{inner}</div>'
    )
