"""A browser for each module of tests; a missing one fails them with the reason.

Not one for the session: Playwright starts once a thread, and the bank starts its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from factory.web.browser import open_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A running Chromium."""
    with open_browser() as running:
        yield running
