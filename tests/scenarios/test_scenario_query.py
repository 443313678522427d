"""Queries: what is sure and what is undecided, which is never taken for either."""

from __future__ import annotations

import msgspec
import pytest

from factory.scenarios.elements import Element
from factory.scenarios.query import Query, Relation, found, ladder, none, only
from factory.scenarios.relations import in_zone, reading_order, stands
from factory.scenarios.table import Table


def el(
    id: str, x: float, y: float, role: str = "button", text: str = "", **more: object
) -> Element:
    """An element of 80 x 30 CSS px."""
    words = (text.casefold(),) if text else ()
    facts = {"words": words, "state": {"disabled": "false"}, "effect": id, **more}
    return Element(id=id, role=role, text=text, name=text, box=(x, y, x + 80, y + 30), **facts)  # type: ignore[arg-type]


def table(*elements: Element) -> Table:
    return Table(elements=elements, size=(800, 600))


def ids(query: Query, on: Table) -> tuple[str, str]:
    result = found(query, on)
    return "".join(e.id for e in result.sure), "".join(e.id for e in result.doubt)


BAR = table(
    el("a", 10, 10, text="Save", icon="save"), el("b", 110, 10, text="Send", icon="send"),
    el("c", 210, 10, text="Print", icon="printer"), el("d", 10, 300, "tab", "Notes"),
)  # fmt: skip


def test_every_clause_narrows() -> None:
    assert ids(Query(role="button"), BAR) == ("abc", "d")
    assert ids(Query(text="send"), BAR) == ("b", "")
    assert ids(Query(icon="save"), BAR) == ("a", "")
    assert ids(Query(role="button", zone="top_left"), BAR) == ("ab", "c")


def test_roles_that_look_alike_leave_it_undecided() -> None:
    pair = table(el("a", 10, 10, "link"), el("b", 110, 10, "checkbox"))
    assert ids(Query(role="button"), pair) == ("", "a")


def test_a_text_that_only_the_accessible_name_has_is_undecided() -> None:
    one = el("a", 10, 10, words=("settings",))
    assert ids(Query(text="settings"), table(one)) == ("", "a")


def test_look_alike_icons_are_undecided() -> None:
    pair = table(el("a", 10, 10, icon="settings"), el("b", 110, 10, icon="bell"))
    assert ids(Query(icon="cog"), pair) == ("", "a")


def test_an_unmarked_picture_may_show_what_the_page_draws_beyond_its_marks() -> None:
    picture = table(el("a", 10, 10, "image", kind="image", marked=False, shows=("send",)))
    assert not none(Query(icon="send-horizontal"), picture)
    assert none(Query(icon="bell"), picture)


def test_unmarked_controls_may_have_any_function_and_icon() -> None:
    loose = table(el("a", 10, 10, marked=False))
    for query in (Query(fn="send"), Query(icon="send"), Query(section="toolbar")):
        assert not none(query, loose)


@pytest.mark.parametrize(("seen", "sure"), [("yes", "a"), ("doubt", ""), ("no", "")])
def test_only_what_is_in_view_is_found(seen: str, sure: str) -> None:
    one = table(el("a", 10, 10, text="Save", seen=seen))
    assert ids(Query(text="save"), one)[0] == sure
    assert none(Query(text="save"), one) == (seen == "no")


def test_disabled_controls_take_no_press() -> None:
    shut = table(el("a", 10, 10, text="Send", state={"disabled": "true"}))
    assert none(Query(text="send"), shut)
    assert ids(Query(text="send", enabled=False), shut) == ("a", "")


def test_a_state_that_is_not_told_is_undecided_where_there_must_be_one() -> None:
    on = table(el("a", 10, 10, "switch"), el("b", 110, 10, "button"))
    assert ids(Query(state=("checked", "true")), on) == ("", "a")


def test_a_doubtful_colour_is_undecided() -> None:
    on = table(el("a", 10, 10, colour="red"), el("b", 110, 10, near=("red",)), el("c", 210, 10))
    assert ids(Query(colour="red"), on) == ("a", "b")


def test_one_effect_counts_once_and_doubt_beside_it_counts() -> None:
    pair = [el("a", 10, 10, text="New", effect="n"), el("b", 400, 10, text="New", effect="n")]
    assert only(Query(text="new"), table(*pair)) is pair[0]
    beside = el("c", 400, 300, text="New", seen="doubt")
    assert only(Query(text="new"), table(*pair, beside)) is None


def test_neighbours_need_a_row_and_a_margin() -> None:
    at = Relation("left_of", Query(text="print"))
    assert ids(Query(role="button", relation=at), BAR) == ("b", "")
    assert ids(Query(text="send", relation=Relation("right_of", Query(text="print"))), BAR)[0] == ""


def test_an_anchor_that_is_not_one_decides_nothing() -> None:
    at = Relation("left_of", Query(role="button"))
    assert ids(Query(text="save", relation=at), BAR) == ("", "a")


@pytest.mark.parametrize(
    ("box", "truth"),
    [((0, 0, 40, 20), True), ((95, 0, 130, 20), None), ((200, 0, 240, 20), False),
     ((0, 14, 40, 34), None), ((0, 60, 40, 80), False)],
)  # fmt: skip
def test_left_of_is_undecided_inside_its_margin(box: tuple, truth: bool | None) -> None:
    assert stands("left_of", box, (100, 0, 140, 20)) is truth


def test_one_row_needs_shared_height_and_another_row_a_margin() -> None:
    name = (0, 0, 200, 40)
    assert stands("row", (300, 8, 330, 32), name) is True
    assert stands("row", (300, 50, 330, 70), name) is False
    assert stands("row", (300, 30, 330, 60), name) is None
    assert stands("row", (10, 8, 30, 32), name) is False


def test_zones_have_a_band_in_which_nothing_is_said() -> None:
    assert [in_zone("left", (x, 0, x, 0), (100, 100)) for x in (20, 25, 40)] == [True, None, False]
    assert in_zone("right", (20, 0, 95, 0), (100, 100)) is None


def test_ordinals_count_along_one_line_only() -> None:
    assert ids(Query(icon=None, role="tab", ordinal=1), BAR) == ("", "dabc")
    tabs = table(*(el(i, x, 10, "checkbox") for i, x in zip("cab", (210, 10, 110), strict=True)))
    assert ids(Query(role="checkbox", ordinal=2), tabs) == ("b", "")
    assert ids(Query(role="checkbox", ordinal=-1), tabs) == ("c", "")
    assert none(Query(role="checkbox", ordinal=4), tabs)
    assert reading_order([(0, 0, 9, 9), (20, 20, 29, 29)]) is None


def test_members_out_of_view_forbid_counting_from_the_end() -> None:
    seen = [el(str(i), 10, 40.0 * i, "checkbox", group="g", place=i) for i in (1, 2)]
    out = el("x", 10, 900, "checkbox", group="g", place=3, seen="no")
    on = table(*seen, out)
    assert ids(Query(role="checkbox", ordinal=2), on) == ("2", "")
    for place in (3, -1):
        assert not none(Query(role="checkbox", ordinal=place), on)
        assert ids(Query(role="checkbox", ordinal=place), on)[0] == ""


def test_places_that_contradict_the_boxes_decide_nothing() -> None:
    pair = table(*(el(str(i), 10, 40.0 * i, "checkbox", group="g", place=3 - i) for i in (1, 2)))
    assert ids(Query(role="checkbox", ordinal=1), pair)[0] == ""


def test_the_ladder_names_the_clause_that_is_one_too_many() -> None:
    rungs = ladder(Query(text="send", icon="save"), BAR)
    assert rungs == {"text": 1, "icon": 1, "enabled": 0, "visible": 0}


def test_a_query_is_json_and_comes_back() -> None:
    query = Query(
        role="button", relation=Relation("above", Query(text="a")), state=("checked", "true")
    )
    back = msgspec.convert(query.to_json(), Query)
    assert back == query and "text" not in query.to_json()
