"""Visits of pages, and what tests ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

Visit = Callable[..., AbstractContextManager[Any]]

OVERVIEWS = ("index", "catalog", "samples", "rejected", "stats")


def keys_of(gallery: Path) -> list[str]:
    """The samples of a gallery, in order."""
    return sorted(page.stem for page in (gallery / "s").glob("*.html"))


def addresses(gallery: Path) -> list[str]:
    """Every overview and the page of one sample."""
    return [*(f"{name}.html" for name in OVERVIEWS), f"s/{keys_of(gallery)[0]}.html"]


def query_of(page: Any) -> str:
    """The state in the address."""
    return page.evaluate("location.search")


def focused(page: Any) -> str:
    """The text of what has the focus."""
    return page.evaluate("document.activeElement.innerText").strip()


def visitor(browser: Any) -> Visit:
    """``visit(gallery, "index.html")``: a page from the disk that must make no complaint."""

    @contextmanager
    def visiting(folder: Path, address: str, **context: Any) -> Iterator[Any]:
        settings = {"viewport": {"width": 1280, "height": 900}, **context}
        with browser.new_context(**settings) as opened:
            page, noise = opened.new_page(), list[str]()
            page.on("console", lambda message: noise.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: noise.append(f"error: {error}"))
            page.on("requestfailed", lambda request: noise.extend(_failure(request)))
            page.on("request", lambda request: noise.extend(_foreign(request.url, folder)))
            page.goto(f"{folder.as_uri()}/{address}")
            yield page
            page.wait_for_load_state("networkidle")
            assert not noise, noise

    return visiting


def _failure(request: Any) -> list[str]:
    """A request that failed, unless the test itself left the page before it was answered."""
    left = request.failure == "net::ERR_ABORTED"
    return [] if left else [f"failed: {request.url}: {request.failure}"]


def _foreign(url: str, folder: Path) -> list[str]:
    return [] if url.startswith(folder.as_uri()) else [f"asked for {url}"]
