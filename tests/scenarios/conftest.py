"""Scenes for the tests of scenarios: every screen in turn over platforms, kits, looks, states."""

from __future__ import annotations

from collections.abc import Iterator

from factory.scenarios import catalog, grammar
from factory.scenarios.page import Scene


def every_moment() -> Iterator[Scene]:
    """Each screen on each of its platforms in each state, once in each language of its app."""
    for name in catalog.apps():
        for screen in catalog.app(name).screens.values():
            for platform in screen.platforms:
                for state in screen.states:
                    for lang in catalog.app(name).langs:
                        cell = {
                            "screen": screen.name, "platform": platform, "state": state,
                            "lang": lang,
                        }  # fmt: skip
                        root = f"test/{name}/{screen.name}/{platform}/{state}/{lang}"
                        yield grammar.scene_of(name, root, cell)


def some_scenes(app: str, screen: str, count: int, lang: str = "") -> list[Scene]:
    """``count`` scenes of a screen on platforms in turn, all else drawn but a given language."""
    platforms = catalog.app(app).screens[screen].platforms
    return [
        grammar.scene_of(
            app,
            f"test/{app}/{screen}/{turn}",
            {
                "screen": screen,
                "platform": platforms[(turn + len(screen)) % len(platforms)],
                **({"lang": lang} if lang else {}),
            },
        )
        for turn in range(count)
    ]
