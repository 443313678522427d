"""Claims about actions, their two readers and the response form."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.action_scan import parse_tolerant
from factory.core.action_text import (
    MAX_CONTENT_CHARS,
    ActionSyntaxError,
    format_actions,
    format_grounding,
    format_response,
    parse_grounding,
    parse_grounding_tolerant,
    parse_strict,
    split_response,
    split_tolerant,
)
from factory.core.actions import ARGUMENTS, Click, Drag, Finished, Hotkey, RightClick, Type, Wait
from factory.core.errors import FactoryError, InvalidOptions
from factory.core.geometry import Point

cells = st.builds(Point, st.integers(0, 999), st.integers(0, 999))
plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES = {
    "point": cells,
    "text": plain | st.sampled_from(["a'b", "</action>", "Click(point=(1, 2))", "', ')", "\\'"]),
    "keys": st.lists(st.sampled_from(["ctrl", "c", "'", "enter"]), min_size=1, max_size=5).map(
        tuple
    ),
    "direction": st.sampled_from(act.DIRECTIONS),
    "index": st.integers(0, 9999),
}
any_action = st.one_of(
    *(st.builds(cls, **{name: VALUES[kind] for name, kind in args})
      for cls, args in ARGUMENTS.items())
)  # fmt: skip
sequences = st.lists(any_action, min_size=1, max_size=6)
dialects = st.sampled_from(["point", "box"])
pieces = st.lists(
    st.sampled_from([
        "Click(", "Drag(start=", "Type('", 'Type(content="', "point=", "(1, 2)", "[3 4]", "'", '"',
        ")", "(", "\\", ",", " ", "<think>", "</think>", "<action>", "</action>", "-1", "1e9",
        "0.5", "Hotkey(keys=[", "（", "，", "Wait()", "ſcroll(", "\x00", "9" * 30,
    ]) | st.text(max_size=5),
    max_size=30,
).map("".join)  # fmt: skip


def test_table_of_the_report_is_complete():
    assert {n: {c.__name__ for c in cs} for n, cs in act.PLATFORM_ACTIONS.items()} == {
        "shared": SHARED,
        "mobile": SHARED | {"PressBack", "PressHome", "PressEnter", "PressRecent", "LaunchApp",
                            "GetScreenshot", "Answer"},
        "desktop": SHARED | {"RightClick", "Hotkey"},
        "web": SHARED | {"Scroll", "Launch", "GetUrl", "TakeNote", "Hover", "Hotkey",
                         "SelectOption", "PressBack"},
        "captcha": {"Click", "Drag", "Type", "LongPress"},
    }  # fmt: skip


SHARED = {
    "Click", "Drag", "Swipe", "DoubleClick", "LongPress", "Type", "Wait", "CallUser", "Finished",
}  # fmt: skip


def test_written_form():
    sequence = [Click(Point(512, 300)), Drag(Point(1, 2), Point(3, 4)), Type("a'b"),
                RightClick(Point(5, 6)), Hotkey(("ctrl", "c")), Wait()]  # fmt: skip
    assert format_actions(sequence) == (
        "Click(point=(512, 300)), Drag(start=(1, 2), end=(3, 4)), Type(content='a\\'b'), "
        "RightClick(box=(5, 6)), Hotkey(keys=['ctrl', 'c']), Wait()"
    )
    assert format_actions(sequence[:1], "box") == "Click(box=(512, 300))"
    assert format_actions(sequence[4:5], platform="web") == "Hotkey(keys=('ctrl', 'c'))"


@given(sequences, dialects, st.sampled_from(["", "web"]))
def test_both_readers_undo_the_writer(sequence, dialect, platform):
    text = format_actions(sequence, dialect, platform=platform)
    assert parse_strict(text) == sequence
    found = parse_tolerant(text)
    assert [p.action for p in found] == sequence
    for parsed in found:
        name = text[slice(*parsed.span_name)]
        assert name == type(parsed.action).__name__
        assert text[slice(*parsed.span)] == f"{name}({text[slice(*parsed.span_args)]})"


@given(plain.filter(lambda t: "<" not in t), sequences, dialects)
def test_response_form_is_undone(think, sequence, dialect):
    text = format_response(think, sequence, dialect)
    response = split_response(text)
    assert response == split_tolerant(text)
    assert response.think == think
    assert parse_strict(response.action_text) == sequence
    for parsed in parse_tolerant(text):
        assert text[slice(*parsed.span)] in response.action_text


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "prose", "Click", "Click()", "Click(point=(1, 2)", "Click(point=(1, 2)))",
        "Click(point=(1, 1000))", "Click(point=(-1, 2))", "Click(point=(1.0, 2))",
        "Click(point=(01, 2))", "Click(point=(１, 2))", "click(point=(1, 2))", "Click((1, 2))",
        "Click(point=[1, 2])", "Click(start=(1, 2))", "Click(point=(1, 2)) Click(point=(1, 2))",
        "Click(point=(1, 2)),", "Drag(start=(1, 2))", "Drag(end=(1, 2), start=(3, 4))",
        "Type(content='a\nb')", "Type(content='a'b')", "Type(content='\\q')", "Type(content=a)",
        "Wait(1)", "Scroll(point=(1, 2), direction='sideways')", "Hotkey(keys=[])",
        "SelectOption(index=-1)", "__import__('os')", "Type(content='\\ud800x",
        "Type(content='" + "a" * (MAX_CONTENT_CHARS + 1) + "')", "Wait(), " * 2000,
    ],
)  # fmt: skip
def test_strict_reader_refuses(text):
    with pytest.raises(ActionSyntaxError) as caught:
        parse_strict(text)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, FactoryError)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("I will Click(start_box='(10,20)') now", "Click(point=(10, 20))"),
        ("click(512 300)", "Click(point=(512, 300))"),
        ("Click(point=[1.4, 2.6])", "Click(point=(1, 3))"),
        ("Click(box=(10, 20, 30, 40))", "Click(point=(20, 30))"),
        ("Click（point=（1，2））", "Click(point=(1, 2))"),
        ("Click(x=3, y=4)", "Click(point=(3, 4))"),
        ("Click(point=(1, 2)", "Click(point=(1, 2))"),
        ("long_press(point=<point>3 4</point>)", "LongPress(point=(3, 4))"),
        ("Drag((1,2),(3,4))", "Drag(start=(1, 2), end=(3, 4))"),
        ("Drag(start=(1 2) end=(3 4))", "Drag(start=(1, 2), end=(3, 4))"),
        ("Type(content='it's, fine')", "Type(content='it\\'s, fine')"),
        ("Type(hello world)", "Type(content='hello world')"),
        ("Launch(url=https://a.b/c?d=1)", "Launch(url='https://a.b/c?d=1')"),
        ("Hotkey(ctrl+c)", "Hotkey(keys=['ctrl', 'c'])"),
        ("Scroll((3,4), down)", "Scroll(point=(3, 4), direction='down')"),
        ("Finished()", "Finished(content='')"),
        ("Wait (for it), wait()", "Wait()"),
        ("Click(point=(1, 2)) <action>Wait()</action> Click(point=(3, 4))", "Wait()"),
        ("<think>Click(point=(1, 2))</think> Wait()", "Wait()"),
        ("Click(point=(1001, 2)), Click(point=(-1, -1)), Click(point=(1, 2, 3))", ""),
        ("Type()", ""),
    ],
)  # fmt: skip
def test_tolerant_reader_makes_out(text, written):
    assert format_actions([p.action for p in parse_tolerant(text)]) == written


@given(pieces)
def test_junk_raises_nothing_but_the_syntax_error(text):
    for parsed in parse_tolerant(text):
        assert parse_strict(format_actions([parsed.action])) == [parsed.action]
        start, end = parsed.span
        assert 0 <= start < end <= len(text)
    response = split_tolerant(text)
    assert text[slice(*response.think_span)] == response.think
    assert text[slice(*response.action_span)] == response.action_text
    parse_grounding_tolerant(text)
    for reader in (parse_strict, split_response, parse_grounding):
        with contextlib.suppress(ActionSyntaxError):
            reader(text)


@pytest.mark.parametrize("junk", [None, float("nan"), float("inf"), 10**400, b"Click", [], {}])
def test_tolerant_reader_takes_no_text_for_nothing(junk):
    assert parse_tolerant(junk) == []


@pytest.mark.parametrize(
    "unit",
    ["Click(", "Type('", 'Type("a ', "Type('\\", "'", "(", "Click(point=(1,2", "Click(point='9",
     "<action>", "Type('Hotkey(\"Type(\\'", "Click((1,2))", "Wait ", "[1,", "\\'"],
)  # fmt: skip
def test_a_megabyte_of_junk_is_read_in_linear_time(unit):
    before = time.process_time()
    parse_tolerant(unit * (1_000_000 // len(unit)))
    assert time.process_time() - before < 8  # seconds; the quadratic reader took over a hundred


@given(any_action, st.integers(200, 4000), st.integers(200, 4000))
def test_grid_action_survives_the_canvas(action, width, height):
    assert act.to_grid(act.from_grid(action, width, height), width, height) == action


def test_readings_are_those_of_the_wild():
    click = Click(Point(500, 250))
    assert act.from_grid(click, 1000, 2000).point == (500.5, 501)
    assert act.from_grid(click, 1000, 2000, "thousandth").point == (500, 500)
    assert act.from_grid(click, 999, 1998, "inclusive").point == (500, 500)
    with pytest.raises(InvalidOptions):
        act.from_grid(click, 1000, 1000, "floor")  # pyright: ignore[reportArgumentType]


@given(sequences)
def test_actions_survive_json(sequence):
    assert act.from_builtins(act.to_builtins(sequence)) == sequence


def test_times_stay_on_the_canonical_action_only():
    held = act.LongPress(Point(1, 2), duration_ms=1200, t_ms=5)
    assert act.from_builtins(act.to_builtins([held])) == [held]
    assert format_actions([held]) == "LongPress(point=(1, 2))"


@pytest.mark.parametrize("data", [None, {}, [{}], [{"action": "Nope"}], [{"action": "Click"}]])
def test_broken_json_actions_are_refused(data):
    with pytest.raises(InvalidOptions):
        act.from_builtins(data)


@pytest.mark.parametrize("point", [(1.5, 2), (1000, 2), (-1, 0), (float("nan"), 1)])
def test_writer_refuses_what_is_no_cell(point):
    with pytest.raises(InvalidOptions):
        format_actions([Click(Point(*point))])
    with pytest.raises(InvalidOptions):
        format_response("has a </think>", [Finished("")])


def test_grounding_answers():
    assert format_grounding((12, 999)) == "[12,999]" and format_grounding(None) == "[-1,-1]"
    assert parse_grounding(" [12, 999]\n") == (12, 999) and parse_grounding("[-1,-1]") == (-1, -1)
    for text in ("[-1,5]", "[1000,1]", "(1,2)", "[1,2] x", "[1.0,2]", "[01,2]", ""):
        with pytest.raises(ActionSyntaxError):
            parse_grounding(text)
    assert parse_grounding_tolerant("it is at (12.5, 40), I think") == (12.5, 40)
    assert parse_grounding_tolerant("[-1.0,-1.0]") is None
    assert parse_grounding_tolerant("none") is None
