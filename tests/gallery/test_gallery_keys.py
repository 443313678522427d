"""A tour by keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gallery_visits import Visit, focused, keys_of, query_of


def test_tour_from_the_summary_to_a_sample_and_back(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "index.html") as page:
        page.keyboard.press("f")
        assert focused(page) == "Samples"
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-ready] .tile")
        page.keyboard.press("f")
        assert page.evaluate("document.activeElement.name") == "difficulty"
        page.keyboard.press("Escape")
        for key in ("j", "j", "k", "ArrowRight"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement === document.querySelectorAll('.tile')[1]")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-page=sample][data-ready]")
        assert _heading(page) == keys_of(gallery)[1]
        page.keyboard.press("j")
        _wait_for(page, keys_of(gallery)[2])
        page.keyboard.press("ArrowLeft")
        _wait_for(page, keys_of(gallery)[1])
        page.keyboard.press("f")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-ready] .tile")


def test_o_hides_overlays_and_h_while_it_is_held(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        path = page.locator(".over [data-layer=path]").first
        assert path.is_visible()
        page.keyboard.down("h")
        assert not path.is_visible()
        page.keyboard.up("h")
        assert path.is_visible()
        page.keyboard.press("o")
        assert not path.is_visible()
        assert query_of(page) == "?overlays=off"
        page.keyboard.press("o")
        assert path.is_visible()


def test_help_opens_takes_the_keys_and_closes(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("o")
        assert query_of(page) == ""
        page.keyboard.press("Escape")
        assert not page.locator("#help").is_visible()


def test_r_goes_to_the_film_strip(visit: Visit, gallery: Path) -> None:
    with visit(gallery, f"s/{keys_of(gallery)[0]}.html") as page:
        page.keyboard.press("r")
        assert page.evaluate("document.activeElement.id") == "film"


def test_y_copies_the_link_of_this_view(visit: Visit, gallery: Path) -> None:
    address = f"s/{keys_of(gallery)[0]}.html?zoom=1"
    granted = ["clipboard-read", "clipboard-write"]
    with visit(gallery, address, permissions=granted) as page:
        page.keyboard.press("y")
        page.wait_for_selector("#toast.on")
        assert page.evaluate("navigator.clipboard.readText()").endswith(address)
        page.get_by_role("button", name="Copy command to re-derive it").click()
        page.locator("#toast", has_text="Command copied").wait_for()
        told = page.evaluate("navigator.clipboard.readText()")
        assert told.startswith(f"factory show {keys_of(gallery)[0]} --run ")


def test_keys_mean_letters_where_one_types(visit: Visit, gallery: Path) -> None:
    with visit(gallery, "samples.html") as page:
        page.locator("[name=q]").focus()
        page.keyboard.type("bob")
        assert query_of(page) == "?q=bob"
        assert page.locator(".tile").count() == 0


def _heading(page: Any) -> str:
    return page.locator("h1").inner_text()


def _wait_for(page: Any, key: str) -> None:
    """Until the page of a sample is open; polling by script is what the pages forbid."""
    page.locator("body[data-ready] h1", has_text=key).wait_for()
