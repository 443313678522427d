"""One desk for each module of tests: starting a browser costs more than a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from factory.web.verdict import Desk, PageVerdict, Window, open_desk

PAGES = Path(__file__).parent / "pages"


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """A desk with a browser."""
    with open_desk() as running:
        yield running


@pytest.fixture
def verdict_on(desk: Desk, tmp_path: Path) -> Callable[..., PageVerdict]:
    """The verdict on a page given as the text of its body."""

    def check(body: str, window: Window | None = None, *, proof: bool = True) -> PageVerdict:
        path = tmp_path / "page.html"
        path.write_text(f"<!doctype html><meta charset=utf-8><body>{body}", "utf-8")
        return desk.check(path.as_uri(), window or Window(), proof=proof).verdict

    return check
