"""Claims about stages."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import Click, Drag, Finished, Hover, LongPress, Type, Wait
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
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.choice import Choice
from factory.core.mechanics.drop import Drop, Piece, Target
from factory.core.mechanics.events import Press, lower, lower_each
from factory.core.mechanics.hold import Hold
from factory.core.mechanics.slide import Slide
from factory.core.mechanics.stages import Stages
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.mechanics.timed_point import Keyframe, TimedPoint
from factory.core.mechanics.trace import Trace
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SIZE = (1280, 800)
SUBMIT = Box(900, 700, 1000, 740)
CONFIRM = Box(100, 100, 140, 140)
BUTTON = Zone.of_box(Box(600, 100, 760, 150))
ROWS = tuple(Box.sized(100 + 110 * (k % 3), 300 + 110 * (k // 3), 100, 100) for k in range(9))
CORNERS = (Point(600, 500), Point(900, 500), Point(900, 620))
RUN = (Keyframe(0, 200, 200), Keyframe(2000, 800, 200))


def part(name: str, submit: Box | None):
    """A mechanic of each kind."""
    handle = Box(100, 650, 150, 690)
    return {
        "slide": Slide(handle, Box(100, 650, 450, 690), 300.0, "offset", 180.0, 8.0, submit=submit),
        "text_entry": TextEntry((Field(Box(100, 200, 400, 240), ("aB3",)),), submit=submit),
        "cells": Cells(cells=ROWS, answer=(1, 4), submit=submit),
        "choice": Choice(options=ROWS[:3], answer=(2,), submit=submit),
        "hold": Hold(BUTTON, 1500.0, 1000.0, submit=submit),
        "timed_point": TimedPoint(RUN, 20.0, loop_ms=2500.0, count=2, submit=submit),
        "trace": Trace(CORNERS, 20.0, submit=submit),
        "drop": Drop((Piece("a", Box(700, 300, 760, 360), ("t",)),),
                     (Target("t", Point(1000, 400)),), submit=submit),
    }[name]  # fmt: skip


KINDS = ["slide", "text_entry", "cells", "choice", "hold", "timed_point", "trace", "drop"]


@st.composite
def stages(draw) -> Stages:
    """Two or three mechanics of different kinds, each with its button or without."""
    kinds = draw(st.permutations(KINDS))[: draw(st.integers(2, 3))]
    parts = tuple(part(kind, draw(st.sampled_from([None, SUBMIT]))) for kind in kinds)
    return Stages(parts, visible=draw(st.sampled_from(["one", "all"])),
                  retries=draw(st.integers(0, 2)))  # fmt: skip


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


def two(**changes) -> Stages:
    """A confirmation, then text."""
    return msgspec.structs.replace(
        Stages((Hold(Zone.of_box(CONFIRM), 1000.0, 1000.0), part("text_entry", SUBMIT))), **changes
    )  # fmt: skip


HOLD = LongPress(CONFIRM.center, duration_ms=1500.0)
FIELD, SEND = Click(Point(250, 220)), Click(SUBMIT.center)


@settings(max_examples=40)
@given(stages(), streams)
def test_gold_passes_and_every_perturbation_is_what_the_stages_say(mechanic, stream):
    gold = mechanic.gold(stream)
    assert judge(mechanic, gold).passed
    for name, actions, passes in perturbations(mechanic, gold, *SIZE):
        assert judge(mechanic, actions).passed is passes, name
    assert gate(mechanic, gold, *SIZE).broken in ("", "grid")


def test_perturbations_of_every_stage_are_there():
    mechanic = two(retries=1)
    told = perturbations(mechanic, mechanic.gold(Stream("x")), *SIZE)
    assert {
        ("nothing", False), ("dropped_stage_1", False), ("dropped_stage_2", False),
        ("exchanged_stages", False), ("added_click", False), ("last_stage_twice", False),
        ("stage_1_too_short", False), ("stage_1_just_long_enough", True),
        ("stage_2_changed_char", False), ("stage_2_spaces_0", True), ("stage_2_enter", True),
    } <= {(p.name, p.passes) for p in told}  # fmt: skip
    retried = Stages((part("text_entry", SUBMIT), part("hold", None)), retries=1)
    for mechanic in (retried, msgspec.structs.replace(retried, retries=0)):
        told = perturbations(mechanic, mechanic.gold(Stream("x")), *SIZE)
        assert ("made_good", mechanic.retries > 0) in {(p.name, p.passes) for p in told}


@settings(max_examples=30)
@given(stages(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(mechanic, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = mechanic.mapped(page_from_panel)
    for name, actions, _ in mechanic.quick_perturbations(mechanic.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(mechanic, actions), name
    assert judge(mapped, mapped.gold(stream)).passed


def test_reasons_name_the_stage():
    mechanic = two()
    solve = [HOLD, FIELD, Type("aB3"), SEND]
    cases = {
        "solved": solve,
        "no_actions": [],
        "stage_1_extra_action": solve[1:],
        "stage_1_not_held": [Wait()],
        "stage_1_too_short": [Click(CONFIRM.center)],
        "stage_2_empty_field": [HOLD],
        "stage_2_not_submitted": solve[:-1],
        "stage_2_wrong_text": [HOLD, FIELD, Type("x"), SEND],
        "extra_action": [*solve, SEND],
    }
    assert {judge(mechanic, actions).reason: actions for actions in cases.values()} == cases
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done")):
        assert judge(mechanic, [harmless, HOLD, harmless, *solve[1:], harmless]).passed


def test_order_of_stages_counts():
    mechanic = Stages((part("choice", None), part("cells", SUBMIT)))
    option, cells = Click(ROWS[2].center), [Click(ROWS[k].center) for k in (4, 1)]
    assert judge(mechanic, [option, *cells, SEND]).passed
    assert not judge(mechanic, [*cells, SEND, option]).passed
    assert not judge(mechanic, [cells[0], option, cells[1], SEND]).passed


def test_clock_of_a_stage_begins_with_it():
    mechanic = Stages((part("hold", None), TimedPoint(RUN, 20.0)))
    hold = LongPress(BUTTON.center, duration_ms=2000.0)
    for wait, x, passes in ((0.0, 200, True), (1000.0, 500, True), (1000.0, 800, False)):
        late = [hold, Wait(duration_ms=wait), Click(Point(x, 200))]
        assert judge(mechanic, late).passed is passes


def test_wrong_submits_send_back_as_often_as_allowed():
    wrong, right = [FIELD, Type("x"), SEND], [FIELD, Type("aB3"), SEND]
    for retries in range(3):
        mechanic = two(retries=retries)
        for fails in range(4):
            actions = [a for _ in range(fails) for a in (HOLD, *wrong)]
            assert judge(mechanic, [*actions, HOLD, *right]).passed is (fails <= retries)
    assert not judge(two(retries=1), [HOLD, *wrong, *right]).passed


def test_pose_is_the_current_stages_and_holds_the_parts_of_all():
    slide, drop = part("slide", None), part("drop", None)
    mechanic = Stages((slide, drop))
    solved = replay(mechanic, slide.gold(Stream("x")))
    before, after = mechanic.pose(mechanic.start()), mechanic.pose(solved)
    assert (before.page, set(before.parts)) == (0, {"handle", "0.handle", "1.a"})
    assert (after.page, set(after.parts)) == (1, {"a", "0.handle", "1.a"})
    assert after.parts["0.handle"].dx == pytest.approx(180, abs=30)
    end = mechanic.pose(replay(mechanic, mechanic.gold(Stream("x"))))
    assert end.page == 1 and end.parts["a"] == end.parts["1.a"] != before.parts["1.a"]


def test_marks_of_earlier_stages_stay_where_all_are_visible():
    for visible, kinds in (("one", []), ("all", ["progress"])):
        mechanic = two(visible=visible)
        pose = mechanic.pose(replay(mechanic, [HOLD]))
        assert [mark.kind for mark in pose.marks] == kinds
        assert pose.page == (1 if visible == "one" else 0)


def test_pointer_held_down_is_no_answer():
    mechanic = two()
    world = mechanic.step(mechanic.start(), Press(*CONFIRM.center))
    assert mechanic.verdict(world).reason == "stage_1_not_released"


@given(stages(), streams)
def test_events_of_a_sequence_are_those_of_its_actions(mechanic, stream):
    gold = mechanic.gold(stream)
    each = list(lower_each(gold))
    assert len(each) == len(gold)
    assert [event for events in each for event in events] == lower(gold)


@settings(max_examples=30)
@given(stages(), streams)
def test_step_never_changes_its_world(mechanic, stream):
    world = mechanic.start()
    for event in lower(mechanic.gold(stream)):
        before = msgspec.json.encode(world)
        after = mechanic.step(world, event)
        assert msgspec.json.encode(world) == before
        mechanic.pose(after)
        world = after


@settings(max_examples=50)
@given(stages(), streams)
def test_payload_survives_json(mechanic, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(mechanic))))
    assert again == mechanic
    assert judge(again, mechanic.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(mechanic), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "stages" in mechanic_names()


def test_version_names_the_parts():
    assert two().versions == "1(hold@1,text_entry@1)"


@pytest.mark.parametrize(
    "broken",
    [(), (part("hold", None),), (part("hold", None), {"mechanic": "nope"}),
     (part("hold", None), 5), (part("hold", None), two())],
    ids=repr,
)  # fmt: skip
def test_what_is_no_sequence_of_mechanics_is_refused(broken):
    with pytest.raises(InvalidOptions):
        Stages(broken)
    with pytest.raises(InvalidOptions):
        Stages((part("hold", None), part("slide", None)), retries=-1)


@pytest.mark.parametrize("bad", [[{"mechanic": "hold"}] * 2, [None, None], "x", [[]] * 2])
def test_broken_payload_is_refused(bad):
    with pytest.raises(InvalidOptions):
        from_payload({"mechanic": "stages", "stages": bad})


JUNK = [None, 5, [None], [Click(None)], [Drag(Point(float("nan"), 0), Point(1, 1))]]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(two(), junk)
    assert verdict.score == 0 and verdict.reason


spots = st.builds(Point, st.floats(0, 1280), st.floats(0, 800)) | st.sampled_from(
    [CONFIRM.center, BUTTON.center, SUBMIT.center, *(row.center for row in ROWS)]
)
some = st.builds(Click, spots) | st.builds(Drag, spots, spots) | st.text(max_size=4).map(Type)


@given(stages(), st.lists(some, max_size=8))
def test_anything_is_judged_and_drawn(mechanic, actions):
    assert judge(mechanic, actions).score in (0, 1)
    mechanic.pose(replay(mechanic, actions))


@settings(max_examples=25)
@given(stages(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(mechanic, stream, size):
    gold = mechanic.gold(stream)
    if not grid_safe(mechanic, gold, *size):
        assert size != SIZE
        return
    grid = [act.to_grid(action, *size) for action in gold]
    for place, action in enumerate(grid):
        for name in act.point_names(type(action)):
            for off in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]:
                cell = getattr(action, name)
                spot = Point(cell[0] + off[0], cell[1] + off[1])
                moved = msgspec.structs.replace(action, **{name: spot})
                tried = [*grid[:place], moved, *grid[place + 1 :]]
                for reading in act.READINGS:
                    assert judge(mechanic, [act.from_grid(a, *size, reading) for a in tried]).passed


def test_a_stage_that_the_grid_breaks_is_named():
    thin = Hold(Zone.of_box(Box(100, 100, 140, 101)), 1000.0, 1000.0)
    mechanic = Stages((thin, part("text_entry", None)))
    assert gate(mechanic, mechanic.gold(Stream("gate")), *SIZE) == (False, "grid")


def test_goal_and_parity_are_those_of_the_stages():
    mechanic = Stages((part("drop", None), part("trace", None)))
    slots = mechanic.goal_slots()
    assert (slots["stages"], slots["handle_1"], slots["handle_2"]) == ("2", "piece", "pen")
    gold = mechanic.gold(Stream("x"))
    assert mechanic.parity(gold, *SIZE) == {"fifteen_px": True}
