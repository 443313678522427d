"""Blind mode: what gives the answer away is not in the page at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from changed_runs import payload_of
from gallery_visits import Visit, keys_of, query_of

from factory.core.action_text import format_actions
from factory.core.actions import from_builtins, to_grid


def _telling(payload: Any) -> list[str]:
    """Texts that tell the answer of a record: grid actions, px, turn and target."""
    width, height = payload["size"]
    actions = from_builtins(payload["actions"])
    px = [f"{value:.1f}" for action in payload["actions"] for value in action["end"]]
    return [
        format_actions([to_grid(action, width, height) for action in actions]), *px,
        str(payload["state"]["need_deg"]), '"mechanic"', "<think>",
    ]  # fmt: skip


def test_blind_page_holds_no_answer(visit: Visit, small_run: Path, gallery: Path) -> None:
    for key in keys_of(gallery)[:4]:
        telling = _telling(payload_of(small_run, key))
        with visit(gallery, f"s/{key}.html?blind=1") as page:
            found = page.content()
            assert [text for text in telling if text in found] == []
            assert page.locator(".over, #film, .slot, template").count() == 0
            assert page.locator(".veil").is_visible()


def test_open_page_holds_all_of_it(visit: Visit, small_run: Path, gallery: Path) -> None:
    """Else the test above would look for the wrong texts."""
    key = keys_of(gallery)[0]
    with visit(gallery, f"s/{key}.html") as page:
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        found = page.locator("main").inner_text()
        wanted = [text for text in _telling(payload_of(small_run, key)) if text != "<think>"]
        assert [text for text in wanted if text not in found] == []


def test_b_turns_it_on_and_off_and_next_keeps_it(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        page.keyboard.press("b")
        page.wait_for_selector("body[data-ready] .veil:not([hidden])")
        page.keyboard.press("j")
        page.locator("body[data-ready] h1", has_text=keys_of(gallery)[1]).wait_for()
        assert query_of(page) == "?blind=1"
        assert page.locator("#blind").get_attribute("aria-pressed") == "true"
        page.keyboard.press("b")
        page.wait_for_selector(".over")


def test_blind_statistics_tell_no_answer_values(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "stats.html?blind=1") as page:
        assert "need_deg" not in page.content()
    with visit(gallery, "stats.html") as page:
        assert "need_deg" in page.content()


@pytest.mark.parametrize("address", ["samples.html", "sample"])
def test_index_and_alternative_texts_tell_no_answer(
    visit: Visit, small_run: Path, gallery: Path, address: str
) -> None:
    key = keys_of(gallery)[0]
    page_address = f"s/{key}.html?blind=1" if address == "sample" else address
    with visit(gallery, page_address) as page:
        texts = page.evaluate("[...document.images].map(image => image.alt).join()")
    texts += (gallery / "data/index.js").read_text()
    assert [text for text in _telling(payload_of(small_run, key)) if text in texts] == []
