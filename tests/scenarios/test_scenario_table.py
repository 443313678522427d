"""The table joins what was measured with what was meant, and owns to what it cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from marked_pages import measured, page_of

from factory.scenarios.elements import Element, with_effects
from factory.scenarios.loose_icons import loose_icons
from factory.scenarios.page import Item
from factory.scenarios.table import Table, inked, joined_state
from factory.scenarios.tints import tint_of
from factory.web.content import icon
from factory.web.verdict import Desk, open_desk
from factory.web.verdict.types import Ink

ICON = '<svg width="20" height="20"><circle cx="10" cy="10" r="9" fill="{}"/></svg>'


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as running:
        yield running


@pytest.fixture(scope="module")
def table(desk: Desk) -> Table:
    body = f"""<div class="bar"><button id="x1" class="blue">Compose</button>
    <button id="x2" aria-label="Delete mail">{ICON.format("#222")}</button>
    <button id="x3" disabled>Send</button><button>Unmarked</button>
    <label><input type="checkbox" id="x4" checked> Remember</label>
    <button id="x8" role="switch" aria-checked="true">Sync</button></div>
    <p id="x5">Three unread letters</p>
    <div class="scroll" style="width:300px"><div style="height:400px">Top</div>
    <button id="x6">Older mail</button></div><button id="x7" style="opacity:0">Ghost</button>"""
    return measured(desk, page_of(
        body,
        Item(id="x1", role="button", fn="compose", label="Compose", section="toolbar"),
        Item(id="x2", role="button", fn="delete", icon="trash-2", section="toolbar"),
        Item(id="x3", role="button", fn="send", label="Send", state={"disabled": "true"}),
        Item(id="x4", role="checkbox", label="Remember", state={"checked": "true"}),
        Item(id="x5", role="text", label="Three unread letters"),
        Item(id="x6", role="button", label="Older mail", hidden="scroll"),
        Item(id="x7", role="button", label="Ghost", hidden="blank"),
        Item(id="x8", role="switch", label="Sync", state={"checked": "false"}),
    ))  # fmt: skip


def at(table: Table, id: str) -> Element:
    element = table.by_id(id)
    assert element is not None
    return element


def test_a_marked_control_has_the_words_of_the_page_and_the_meaning_of_its_item(
    table: Table,
) -> None:
    one = at(table, "#x1")
    assert (one.text, one.name, one.words) == ("Compose", "Compose", ("compose",))
    assert (one.fn, one.role, one.section, one.target) == ("compose", "button", "toolbar", True)
    assert one.click and one.box and one.box[0] < one.click[0] < one.box[2]


def test_what_nobody_marked_is_an_element_without_function(table: Table) -> None:
    (one,) = [e for e in table.elements if e.text == "Unmarked"]
    assert (one.marked, one.fn, one.role, one.target) == (False, "", "button", True)


def test_disabled_controls_are_seen_but_no_targets(table: Table) -> None:
    one = at(table, "#x3")
    assert (one.seen, one.target, one.state["disabled"], one.unsure) == ("yes", False, "true", ())


@pytest.mark.parametrize(("id", "reason"), [("#x6", "scrolled_out"), ("#x7", "css_hidden")])
def test_what_is_out_of_view_says_why(table: Table, id: str, reason: str) -> None:
    one = at(table, id)
    assert (one.seen, one.reason) == ("no", reason)


def test_what_shows_an_edge_below_the_fold_is_in_doubt(desk: Desk) -> None:
    body = """<div class="scroll"><div style="height:75px">Top</div>
    <button id="x1">Edge in view</button><div style="height:300px"></div></div>"""
    item = Item(id="x1", role="button", label="Edge in view", hidden="scroll")
    one = at(measured(desk, page_of(body, item)), "#x1")
    assert (one.reason, one.seen) == ("scrolled_out", "doubt")


def test_static_text_is_seen_and_no_target(table: Table) -> None:
    one = at(table, "#x5")
    assert (one.role, one.seen, one.target) == ("text", "yes", False)


def test_a_checkbox_keeps_its_label_and_its_state(table: Table) -> None:
    one = at(table, "#x4")
    assert one.state["checked"] == "true" and one.unsure == () and one.label_boxes
    assert (one.text, one.quotable) == ("Remember", True)


def test_a_state_on_which_page_and_template_disagree_is_unsure(table: Table) -> None:
    assert at(table, "#x8").unsure == ("checked",)


def test_states_are_said_alike() -> None:
    item = Item(id="x", role="tab", state={"selected": "yes", "disabled": "no"})
    assert joined_state({"current": "page"}, item, shut=False)[1] == ()
    assert joined_state({"selected": "false"}, item, shut=False)[1] == ("selected",)
    assert joined_state({"selected": "true"}, item, shut=True)[1] == ("disabled",)


def test_a_button_has_the_colour_of_its_surface(table: Table) -> None:
    assert at(table, "#x1").colour == "blue"


def test_neutral_ink_without_a_surface_gives_no_colour() -> None:
    pixels = picture((255, 255, 255))
    pixels[25:35, 40:80] = (20, 20, 20)
    tint = tint_of(pixels, (30, 15, 90, 45))
    assert tint.name is None and "black" in tint.near


def picture(ground: tuple[int, int, int]) -> np.ndarray:
    return np.full((60, 120, 3), ground, np.uint8)


def test_ink_gives_the_colour_where_there_is_no_surface() -> None:
    pixels = picture((255, 255, 255))
    pixels[25:35, 40:80] = (224, 27, 36)
    assert tint_of(pixels, (30, 15, 90, 45)).name == "red"


def test_a_shade_between_two_names_has_none_but_might_be_called_either() -> None:
    pixels = picture((255, 255, 255))
    pixels[15:45, 30:90] = (0, 130, 140)
    tint = tint_of(pixels, (30, 15, 90, 45))
    assert tint.name is None and {"green", "blue"} & set(tint.near)


def test_two_colours_on_one_element_are_mixed() -> None:
    pixels = picture((255, 255, 255))
    pixels[15:45, 30:65] = (224, 27, 36)
    pixels[15:45, 65:90] = (31, 87, 214)
    tint = tint_of(pixels, (30, 15, 90, 45))
    assert tint.name is None and {"red", "blue"} <= set(tint.near)


def test_smoothed_edges_are_no_colours() -> None:
    pixels = picture((255, 255, 255))
    pixels[25:35, 40:80] = (178, 58, 38)
    pixels[25:35, 40:44] = (218, 162, 153)
    assert "pink" not in tint_of(pixels, (30, 15, 90, 45)).near


def test_icons_that_no_item_says_are_loose() -> None:
    drawn = "".join(icon(name) for name in ("bell", "star", "star"))
    page = page_of(drawn, Item(id="x1", role="button", icon="star"))
    assert loose_icons(page) == ("bell", "star")


def test_one_function_twice_is_one_effect_but_not_in_a_group() -> None:
    rows = [
        Element(id="a", role="button", fn="compose"), Element(id="b", role="button", fn="compose"),
        Element(id="c", role="button", fn="open", group="list", place=1),
        Element(id="d", role="button", fn="open", group="list", place=2),
        Element(id="e", role="button", fn="open", args={"who": "Ana"}),
    ]  # fmt: skip
    effects = [e.effect for e in with_effects(rows)]
    assert effects == ["a", "a", "c", "d", "e"]


def test_links_to_one_place_are_one_effect(desk: Desk) -> None:
    body = '<a href="#docs">Guide</a> <a href="#docs">Manual</a> <a href="#other">Other</a>'
    table = measured(desk, page_of(body), static=False)
    first, second, third = table.elements
    assert first.effect == second.effect != third.effect and first.label_boxes == ()


@pytest.mark.parametrize(
    ("area", "kept"),
    [(0.0, 0.0), (0.11, 0.11), (87.4, 87.0), (15306.78, 15000.0), (15306.89, 15000.0)],
)
def test_ink_is_kept_to_two_digits(area: float, kept: float) -> None:
    assert inked(Ink(area=area, box=None, stray=0.0, iou=0.0)) == kept
    assert inked(None) is None
