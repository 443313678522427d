"""Pages of what a model wrote: a plan drawn by our grammar, or its own HTML in our frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from factory.llm.plan import Content, Layout
from factory.llm.sanitise import Clean
from factory.llm.vocabulary import OWN, app_of, slug
from factory.scenarios import catalog, grammar
from factory.scenarios.catalog import App, ScreenKind
from factory.scenarios.content import SceneContent
from factory.scenarios.page import PLATFORMS, ScenePage

HTML_SCREEN = "page"


@dataclass(frozen=True)
class WrittenContent(SceneContent):
    """The content of a page whose app is in no catalog."""

    written: App | None = None

    @property
    def app(self) -> App:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The app that the model wrote."""
        assert self.written is not None
        return self.written


@dataclass(frozen=True)
class WrittenPage:
    """A page with the app that tasks about it ask of, and the letters of its texts by their ids."""

    page: ScenePage
    app: App
    letters: Mapping[str, int] = field(default_factory=dict)


def plan_page(
    content: Content, layout: Layout, root: str, cell: Mapping[str, str], style: str = ""
) -> WrittenPage:
    """The page of a plan."""
    screen = layout.blocks[0].kind
    app = app_of(content, screen)
    state = "dialog" if layout.dialog == "ask" else "plain"
    scene = grammar.scene_for(app, root, {**cell, "screen": screen, "state": state})
    own = WrittenContent(app.name, scene.lang, root, written=app)
    names = {"plan": content, "layout": _with_own_keys(layout)}
    return WrittenPage(grammar.compose_of(scene, app, own, "llm/screen.html", names, style), app)


def _with_own_keys(layout: Layout) -> Layout:
    """The layout with keys as the app has them."""

    def renamed(value: Any, name: str) -> Any:
        if name in ("header", "navigation", "tabs", "functions"):
            return [OWN + key for key in value]
        if name == "dialog_function":
            return OWN + value
        if name == "blocks":
            return [one.model_copy(update={"functions": renamed(one.functions, "functions")})
                    for one in value]  # fmt: skip
        return value

    return layout.model_copy(update={name: renamed(value, name) for name, value in layout})


def html_page(
    clean: Clean, name: str, root: str, cell: Mapping[str, str], style: str = ""
) -> WrittenPage:
    """The page of a model's HTML, in the frame of its platform.

    Its controls carry no marks: what can be asked is what the verdict itself can tell.
    """
    app = _bare_app(name)
    scene = grammar.scene_for(app, root, {**cell, "screen": HTML_SCREEN, "state": "plain"})
    own = WrittenContent(app.name, scene.lang, root, written=app)
    drawn = clean.drawn(own.art)
    return WrittenPage(
        grammar.compose_of(scene, app, own, "llm/page.html", {"clean": drawn}, style),
        app,
        clean.letters,
    )


def _bare_app(name: str) -> App:
    return App(
        name=slug(name), names={lang: (name,) for lang in catalog.LANGS}, icon="globe",
        group="written", platforms=PLATFORMS,
        screens={HTML_SCREEN: ScreenKind(HTML_SCREEN, PLATFORMS, ("plain",))},
        fn=catalog.common_functions(), absent={lang: () for lang in catalog.LANGS},
        questions={}, words={lang: {} for lang in catalog.LANGS},
    )  # fmt: skip


def with_notes(written: WrittenPage, notes: Mapping[str, Any]) -> WrittenPage:
    """The page with what its record is to keep."""
    return replace(written, page=replace(written.page, notes=dict(notes)))
