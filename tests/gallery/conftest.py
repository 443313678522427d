"""One small run and its gallery, and a browser that notes everything a page complains of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gallery_visits import Visit, visitor
from runs import make_run

from factory.gallery.export import ExportOptions, export
from factory.web.browser import open_browser


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 samples in four shards, with the draws that were refused."""
    return make_run(tmp_path_factory.mktemp("gallery-run") / "run", keep_rejected=True)


@pytest.fixture(scope="session")
def gallery(small_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gallery of all samples of the small run."""
    out = tmp_path_factory.mktemp("gallery") / "out"
    export(small_run, out, ExportOptions())
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A running Chromium; one a module, for Playwright starts once a thread."""
    with open_browser() as running:
        yield running


@pytest.fixture
def visit(browser: Any) -> Visit:
    """See ``gallery_visits.visitor``."""
    return visitor(browser)
