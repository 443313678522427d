"""Find a Chromium, start it offline, and stop it whatever happens."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from factory.core.errors import DependencyMissing
from factory.draw import assets
from factory.web.driver import choose_node

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ENV_BROWSER = "FACTORY_BROWSER"
SYSTEM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    # A frame is drawn when all of it is there: without these a busy machine's pictures lack layers.
    "--run-all-compositor-stages-before-draw",
    "--disable-new-content-rendering-timeout",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--allow-file-access-from-files",
)


@dataclass(frozen=True)
class BrowserChoice:
    """Which Chromium to start. ``executable`` is None for the one Playwright manages itself."""

    executable: Path | None
    source: str


def find_browser() -> BrowserChoice:
    """The first Chromium of: environment, PATH, Playwright's own, the one that setup unpacked.

    ``DependencyMissing`` when there is none, or when the environment names a
    file that does not exist.
    """
    named = os.environ.get(ENV_BROWSER)
    if named:
        if not Path(named).is_file():
            raise DependencyMissing(f"{ENV_BROWSER}={named} is not a file")
        return BrowserChoice(Path(named), ENV_BROWSER)
    for name in SYSTEM_NAMES:
        found = shutil.which(name)
        if found:
            return BrowserChoice(Path(found), "PATH")
    if _playwright_has_one():
        return BrowserChoice(None, "playwright")
    unpacked = assets.home() / "browser" / "chromium"
    if unpacked.is_file():
        return BrowserChoice(unpacked, "factory setup")
    raise DependencyMissing(
        "no Chromium on PATH, in Playwright's cache or in the factory's home; "
        f"run `factory setup`, or name one in {ENV_BROWSER}"
    )


def _playwright_has_one() -> bool:
    cache = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    root = Path(cache) if cache else Path.home() / ".cache" / "ms-playwright"
    return root.is_dir() and any(root.glob("chromium*-*/INSTALLATION_COMPLETE"))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A running headless Chromium that reaches no network; closed on every way out."""
    try:
        from playwright.sync_api import Error as PlaywrightError
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise DependencyMissing(
            "playwright is not installed; pip install 'gui-data-factory[browser]'"
        ) from error
    choice = find_browser()
    choose_node()
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=choice.executable,
                args=[*FLAGS, *(["--no-sandbox"] if root else [])],
            )
        except PlaywrightError as error:
            raise DependencyMissing(
                f"the Chromium from {choice.source} ({choice.executable}) does not start: "
                f"{error.message.splitlines()[0]}; run `factory setup` or set {ENV_BROWSER}"
            ) from error
        try:
            yield browser
        finally:
            browser.close()
