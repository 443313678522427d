"""Claims about the text entry mechanic."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import (
    Click,
    Drag,
    Finished,
    Hotkey,
    Hover,
    LongPress,
    PressEnter,
    Type,
    Wait,
)
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import (
    from_payload,
    gate,
    grid_safe,
    judge,
    mechanic_names,
    perturbations,
    replay,
    to_payload,
)
from factory.core.mechanics.events import Press, lower
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.rng import Stream

SIZE = (1280, 800)
BOXES = [Box.sized(100 + 260 * k, 300, 220, 44) for k in range(4)]
SUBMIT = Box.sized(100, 500, 120, 44)

letters = st.text("abcdefghkmnprtuvwxyACDEFGHJKLMNPQRTUVWXY346789é天地", min_size=2, max_size=8)
numbers = st.integers(-40, 4000).map(str)


@st.composite
def entries(draw) -> TextEntry:
    """One to four fields of texts and numbers, with and without case, list and button."""
    fields = []
    for box in BOXES[: draw(st.integers(1, 4))]:
        if draw(st.booleans()):
            answers = tuple(draw(st.lists(letters, min_size=1, max_size=3)))
            fields.append(Field(box, answers))
        else:
            tol = draw(st.sampled_from([0.0, 0.5]))
            fields.append(Field(box, (draw(numbers),), kind="number", tol=tol))
    return TextEntry(
        tuple(fields),
        case_sensitive=draw(st.booleans()),
        submit=draw(st.sampled_from([None, SUBMIT])),
    )


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


def entry(answer="aB3", **changes) -> TextEntry:
    return msgspec.structs.replace(TextEntry((Field(BOXES[0], (answer,)),)), **changes)


TAP = Click(BOXES[0].center)
SEND = Click(SUBMIT.center)


def said(mechanic: TextEntry, *actions) -> str:
    return judge(mechanic, list(actions)).reason


@given(entries(), streams)
def test_gold_passes_and_every_perturbation_is_what_arithmetic_says(mechanic, stream):
    gold = mechanic.gold(stream)
    assert judge(mechanic, gold).passed
    for name, actions, passes in perturbations(mechanic, gold, *SIZE):
        assert judge(mechanic, actions).passed is passes, name
    assert gate(mechanic, gold, *SIZE).ok


@given(letters, st.booleans(), streams)
def test_perturbations_have_the_verdicts_that_a_person_expects(answer, case_sensitive, stream):
    mechanic = entry(answer, case_sensitive=case_sensitive, submit=SUBMIT)
    told = {p.name: p for p in perturbations(mechanic, mechanic.gold(stream), *SIZE)}
    right = ["spaces_0", "replaced_0", "backspace_0", "tapped_twice_0", "inside_low_0", "enter",
             "inside_high_0", "line_break", "other_order"]  # fmt: skip
    free = {"case", "case_0", "swapped_chars_0"}  # these depend on the answer
    assert sorted(name for name, p in told.items() if p.passes and name not in free) == sorted(
        right
    )
    assert told["case_0"].passes is (not case_sensitive or answer.swapcase() == answer)


@given(entries(), streams)
def test_another_case_rule_or_answer_is_noticed_by_the_perturbations(mechanic, stream):
    """The predictions bite: a judge that accepts one more answer contradicts them."""
    first = mechanic.fields[0]
    longer = Field(first.box, (*first.answers, first.answers[0] + "K"))
    lenient = msgspec.structs.replace(mechanic, fields=(longer, *mechanic.fields[1:]))
    told = perturbations(mechanic, mechanic.gold(stream), *SIZE)
    assert any(judge(lenient, p.actions).passed is not p.passes for p in told)


@given(entries(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(mechanic, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = mechanic.mapped(page_from_panel)
    for _, actions, _ in perturbations(mechanic, mechanic.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(mechanic, actions)
    assert judge(mapped, mapped.gold(stream)).passed


def test_reasons():
    mechanic = entry(submit=SUBMIT)
    assert said(mechanic, TAP, Type("aB3"), SEND) == "solved"
    assert said(mechanic) == "no_actions"
    assert said(mechanic, TAP, SEND) == "empty_field"
    assert said(mechanic, TAP, Type("   "), SEND) == "empty_field"
    assert said(mechanic, TAP, Type("aB4"), SEND) == "wrong_text"
    assert said(mechanic, TAP, Type("aB3")) == "not_submitted"
    assert said(mechanic, Type("aB3"), SEND) == "no_focus"
    assert said(mechanic, PressEnter()) == "no_focus"
    assert said(mechanic, TAP, Type("aB3"), SEND, SEND) == "extra_action"
    for extra in (Click(Point(5, 5)), LongPress(BOXES[0].center), act.PressBack(),
                  act.RightClick(BOXES[0].center), Hotkey(("ctrl", "v")),
                  Drag(BOXES[0].center, SUBMIT.center)):  # fmt: skip
        assert said(mechanic, TAP, Type("aB3"), extra, SEND) == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done"), Type(""), TAP):
        assert said(mechanic, TAP, Type("aB3"), harmless, SEND) == "solved"


def test_typing_edits_as_on_real_pages():
    mechanic = entry()
    select, back = Hotkey(("ctrl", "a")), Hotkey(("backspace",))
    assert said(mechanic, TAP, Type("a"), Type("B3")) == "solved"
    assert said(mechanic, TAP, Type("xy"), select, Type("aB3")) == "solved"
    assert said(mechanic, TAP, Type("xy"), Hotkey(("Cmd", "A")), Type("aB3")) == "solved"
    assert said(mechanic, TAP, Type("xy"), select, back, Type("aB3")) == "solved"
    assert said(mechanic, TAP, Type("aB3x"), back) == "solved"
    assert said(mechanic, TAP, Type("aB"), select, TAP, Type("3")) == "solved"
    assert said(mechanic, TAP, Type("aB3"), select, Type("3")) == "wrong_text"
    assert said(mechanic, TAP, back, Type("aB3")) == "solved"
    assert said(mechanic, TAP, Type("aB3\n")) == "solved"
    assert said(mechanic, TAP, Type("aB\n3")) == "extra_action"


def test_tab_goes_to_the_next_field_and_out_of_the_last():
    two = TextEntry((Field(BOXES[0], ("12",)), Field(BOXES[1], ("34",))))
    assert said(two, TAP, Type("12\t34")) == "solved"
    assert said(two, TAP, Type("12"), Hotkey(("tab",)), Type("34"), PressEnter()) == "solved"
    assert said(two, TAP, Type("12\t34\t"), Type("5")) == "no_focus"
    assert said(two, Click(BOXES[1].center), Type("34"), TAP, Type("12")) == "solved"
    assert said(two, TAP, Type("34"), Click(BOXES[1].center), Type("12")) == "wrong_text"


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("１２３", "123", True),
        ("\u3000ab\u00a0", "ab", True),
        ("e\u0301t", "\u00e9t", True),
        ("a b", "ab", False),
        ("ab.", "ab", False),
    ],
)
def test_compatible_forms_and_outer_spaces_are_the_same_text(text, answer, right):
    assert Field(BOXES[0], (answer,)).accepts(text, True) is right


@pytest.mark.parametrize("text", ["STRASSE", "straße", "Straße"])
def test_folding_is_unicodes(text):
    assert Field(BOXES[0], ("strasse",)).accepts(text, False)


@pytest.mark.parametrize(
    ("text", "right"),
    [("7", True), ("07", True), ("+7", True), ("7.0", True), ("７", True), ("7.5", True),
     ("6.5", True), ("7.51", False), ("-7", False), ("7,0", False), ("7e0", False),
     ("seven", False), ("7 7", False), ("nan", False), ("9" * 500, False)],
)  # fmt: skip
def test_numbers_are_judged_by_value(text, right):
    assert Field(BOXES[0], ("7",), kind="number", tol=0.5).accepts(text, True) is right
    assert Field(BOXES[0], ("-7",), kind="number").accepts("\u22127", True)


@given(st.integers(-(10**6), 10**6), st.integers(-3, 3))
def test_an_integer_field_accepts_that_integer_alone(value, off):
    field = Field(BOXES[0], (str(value),), kind="number")
    assert field.accepts(str(value + off), True) is (off == 0)


def test_pose_shows_the_texts_and_the_focus():
    two = TextEntry((Field(BOXES[0], ("12",)), Field(BOXES[1], ("34",))))
    kinds = [(m.kind, m.text, m.points[0]) for m in two.pose(replay(two, [TAP, Type("1")])).marks]
    corner = Point(BOXES[0].x0, BOXES[0].y0)
    assert kinds == [("typed", "1", corner), ("outline", "", corner)]
    assert two.pose(two.start()).marks == ()


def test_pointer_held_down_is_no_answer():
    mechanic = entry()
    world = replay(mechanic, [TAP, Type("aB3")])
    assert mechanic.verdict(world).passed
    held = mechanic.step(world, Press(*BOXES[0].center))
    assert mechanic.verdict(held).reason == "not_released"
    assert mechanic.pose(held).marks


@given(entries(), streams)
def test_step_never_changes_its_world(mechanic, stream):
    world = mechanic.start()
    for event in lower(mechanic.gold(stream)):
        before = msgspec.json.encode(world)
        after = mechanic.step(world, event)
        assert msgspec.json.encode(world) == before
        world = after


@given(entries(), streams)
def test_payload_survives_json(mechanic, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(mechanic))))
    assert again == mechanic
    assert judge(again, mechanic.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(mechanic), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "text_entry" in mechanic_names()


def field(**changes) -> Field:
    return Field(**{"box": BOXES[0], "answers": ("12",), **changes})


@pytest.mark.parametrize(
    "broken",
    [dict(answers=()), dict(answers=("",)), dict(answers=("  ",)), dict(answers=("a\nb",)),
     dict(box=Box(5, 5, 5, 9)), dict(tol=1.0), dict(kind="number", answers=("x",)),
     dict(kind="number", tol=-1.0), dict(box=Box(0, 0, float("nan"), 9))],
)  # fmt: skip
def test_field_without_an_answer_is_refused(broken):
    with pytest.raises(InvalidOptions):
        TextEntry((field(**broken),))


def test_fields_that_no_tap_could_tell_apart_are_refused():
    for broken in ((), (field(), field(box=BOXES[0].moved(10, 0)))):
        with pytest.raises(InvalidOptions):
            TextEntry(broken)
    with pytest.raises(InvalidOptions):
        TextEntry((field(),), submit=BOXES[0])
    with pytest.raises(InvalidOptions):
        TextEntry((field(),), px_per_css=0.0)


JUNK = [
    None, "Type", [Type(None)], [Click((1,))], [TAP, Type("\x00\t\n\t")], [Hotkey(())],
    [TAP, Hotkey(("",))], [Type("x")] * 1025, [TAP, Type("x" * 10**5)],
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=lambda j: type(j).__name__)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(entry(), junk)
    assert verdict.score == 0 and verdict.reason


inputs = st.one_of(
    st.text(max_size=6).map(Type),
    st.lists(st.sampled_from(["ctrl", "a", "backspace", "tab", "enter"]), max_size=2).map(
        lambda keys: Hotkey(tuple(keys))
    ),
    st.builds(Click, st.builds(Point, st.floats(0, 1280), st.floats(250, 560))),
)


@given(entries(), st.lists(inputs, max_size=12))
def test_anything_is_judged_and_drawn(mechanic, actions):
    assert judge(mechanic, actions).score in (0, 1)
    assert len(mechanic.pose(replay(mechanic, actions)).marks) <= len(mechanic.fields) + 1


@given(entries(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(mechanic, stream, size):
    gold = mechanic.gold(stream)
    grid = [act.to_grid(action, *size) for action in gold]
    passed = []
    for place, action in enumerate(grid):
        for name in act.point_names(type(action)):
            for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
                cell = getattr(action, name)
                spot = Point(cell[0] + off[0], cell[1] + off[1])
                moved = msgspec.structs.replace(action, **{name: spot})
                tried = [*grid[:place], moved, *grid[place + 1 :]]
                for reading in act.READINGS:
                    passed.append(
                        judge(mechanic, [act.from_grid(a, *size, reading) for a in tried])
                    )
    assert grid_safe(mechanic, gold, *size) is all(v.passed for v in passed)


def test_a_field_too_thin_for_the_grid_is_named():
    thin = TextEntry((Field(Box.sized(100, 300, 220, 2), ("12",)),))
    assert gate(thin, thin.gold(Stream("gate")), *SIZE) == (False, "grid")


def test_parity_forgives_case():
    mechanic = entry("aB3")
    gold = mechanic.gold(Stream("parity"))
    assert mechanic.parity(gold, *SIZE) == {"case_folded": True}
    assert mechanic.parity([gold[0], Type("AB3")], *SIZE) == {"case_folded": True}
    assert mechanic.parity([gold[0], Type("AB4")], *SIZE) == {"case_folded": False}


def test_goal_says_how_many_fields_and_whether_case_matters():
    assert entry().goal_slots() == {
        "handle": "field", "fields": "1", "aim": "text", "case": "sensitive", "submit": "none",
    }  # fmt: skip
