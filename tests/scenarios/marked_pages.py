"""Hand-made pages for tests of tasks: bodies with marked ids, and the items that explain them."""

from __future__ import annotations

from urllib.parse import quote

from factory.scenarios.page import Item, Scene, ScenePage
from factory.scenarios.table import Table, table_of
from factory.web.verdict import Desk, Window

WINDOW = Window(800, 600)
SHELL = """<!doctype html><html lang="en"><meta charset="utf-8"><style>
body { margin: 0; font: 14px/1.4 sans-serif; color: #222; background: #fff; }
button { padding: 6px 14px; border: 1px solid #ccc; border-radius: 5px; background: #f0f0f0; }
.blue { background: #1f57d6; color: #fff; } .red { background: #e01b24; color: #fff; }
.bar { display: flex; gap: 12px; padding: 12px; } .scroll { height: 90px; overflow: auto; }
.row { display: flex; gap: 20px; padding: 8px 12px; width: 420px; }
</style><body></body></html>"""
ADDRESS = f"data:text/html;charset=utf-8,{quote(SHELL)}"


def page_of(body: str, *items: Item, lang: str = "en", **facts: str) -> ScenePage:
    """A page of the app ``mail`` with these items."""
    scene = Scene(
        app="mail", screen="inbox", platform="web", kit="plain", tokens="plain", theme="light",
        lang=lang, density="normal", state="plain", window=WINDOW, root="test",
    )  # fmt: skip
    return ScenePage(scene, body, {item.id: item for item in items}, facts=facts)


def measured(desk: Desk, page: ScenePage, *, static: bool = True) -> Table:
    """The table of a page, judged by the real verdict."""
    judged = desk.check_body(ADDRESS, page.body, WINDOW, static=static)
    return table_of(page, judged.verdict, judged.png)
