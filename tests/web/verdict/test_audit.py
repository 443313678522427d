"""The verdict on pages that are not ours, against presses that the browser trusts."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from factory.web.verdict import Window, open_desk
from tests.web.verdict.audit import Audit, audit_page
from tests.web.verdict.oracle import open_oracle

LEAST_PRECISION = 0.995
LEAST_RECALL = 0.97
PREPARE = "Math.seedrandom('7'); core.startEpisodeReal()"
"""Each page waits behind a cover, with a task of its own: the same one for both sides."""
WINDOW = Window(500, 400)
QUICK = (
    "click-button",
    "click-dialog",
    "click-option",
    "email-inbox",
    "login-user",
    "social-media",
)
EXPLAINED = {
    "low_ink": "a drawing surface with a listener, or a field with one digit: under 2 % of its box",
    "no_ink": "a drawing surface with nothing on it yet",
    "aria_hidden": "the author took it from the accessibility tree",
    "stolen": "a window that listens; its buttons take most of its points",
}


def miniwob_pages() -> list[Path]:
    found = find_spec("miniwob")
    assert found is not None, "miniwob is missing: pip install -e '.[dev]'"
    assert found.submodule_search_locations
    return sorted((Path(found.submodule_search_locations[0]) / "html" / "miniwob").glob("*.html"))


def audit(pages: list[Path]) -> Audit:
    total = Audit()
    with open_desk() as desk, open_oracle(WINDOW.width, WINDOW.height) as oracle:
        for page in pages:
            audit_page(total, desk, oracle, page.as_uri(), PREPARE, WINDOW)
    print(f"\nprecision {total.right}/{total.accepted}, recall {total.found}/{total.clickable}")
    print(*total.wrong, *total.missed, *total.given_up, sep="\n")
    return total


def test_some_real_pages_hold_what_the_verdict_says() -> None:
    total = audit([page for page in miniwob_pages() if page.stem in QUICK])
    assert total.accepted >= 20
    assert (total.wrong, total.missed, total.given_up) == ([], [], [])


@pytest.mark.long
def test_all_real_pages_hold_what_the_verdict_says() -> None:
    total = audit(miniwob_pages())
    assert total.precision >= LEAST_PRECISION, total.wrong
    assert total.recall >= LEAST_RECALL, total.missed
    unexplained = [m for m in total.missed if not any(f"'{why} " in m for why in EXPLAINED)]
    assert not unexplained
    assert len(total.given_up) <= 1  # a pie whose last frame is drawn again, 18 px otherwise
