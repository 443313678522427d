"""Claims about the trace mechanic."""

import itertools
import math

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import Click, Drag, Finished, Hover, LongPress, Swipe, Type, Wait
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
from factory.core.mechanics.events import Move, Press, Release, lower
from factory.core.mechanics.trace import Trace, end_tolerance_px
from factory.core.mechanics.trace_path import (
    Way,
    begun_at,
    clearance,
    distance_to,
    follows,
    simplified,
)
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SIZE = (1280, 800)
SUBMIT = Box(40, 740, 160, 780)
ZIGZAG = tuple(Point(*p) for p in [(100, 100), (400, 120), (420, 300), (700, 320), (720, 500)])
SQUARE = tuple(Point(*p) for p in [(300, 200), (600, 200), (600, 500), (300, 500), (300, 200)])
LATTICE = [Point(200 + 120 * (k % 3), 200 + 120 * (k // 3)) for k in range(9)]


def corridor(**changes) -> Trace:
    return msgspec.structs.replace(Trace(ZIGZAG, 20.0), **changes)


def pattern(order=(0, 1, 4, 6, 7), **changes) -> Trace:
    """A 3 x 3 lattice and the dots to join."""
    path = tuple(LATTICE[k] for k in order)
    extras = tuple(dot for k, dot in enumerate(LATTICE) if k not in order)
    return msgspec.structs.replace(
        Trace(path, 24.0, mode="waypoints", extras=extras), **changes
    )  # fmt: skip


def strokes(*points) -> list[Drag]:
    return [Drag(Point(*a), Point(*b)) for a, b in itertools.pairwise(points)]


@st.composite
def paths(draw) -> Trace:
    """Zigzags, waves and outlines to follow, with walls, both ways, and a button or without."""
    kind = draw(st.sampled_from(["zigzag", "wave", "outline"]))
    tol = draw(st.floats(8, 22))
    fields = dict(
        direction=draw(st.sampled_from(["fixed", "free"])),
        submit=draw(st.sampled_from([None, SUBMIT])),
        end_tol_px=draw(st.sampled_from([None, 20.0, 40.0])),
    )
    if kind == "outline":
        fields["anywhere"] = draw(st.booleans())
        return Trace(SQUARE, tol, **fields)
    if kind == "wave":
        height = draw(st.floats(20, 150))
        points = [Point(100 + 10 * k, 300 + height * math.sin(k / 7)) for k in range(60)]
        return Trace(tuple(points), tol, **fields)
    turns = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=6))
    x, y, points = 100.0, 300.0, [Point(100, 300)]
    for turn in turns:
        x, y = (x + draw(st.floats(90, 160)), y) if turn == 0 else (x + 80, y + 45 * turn)
        points.append(Point(x, y))
    try:
        wall = draw(st.sampled_from([(), (Zone.disc((x / 2, 90), 30),)]))
        return Trace(tuple(points), tol, avoid=wall, **fields)
    except InvalidOptions:
        assume(False)
        raise


@st.composite
def lattices(draw) -> Trace:
    """Patterns on a lattice, and dots to pass in any order."""
    order = draw(st.permutations(range(9)))[: draw(st.integers(2, 7))]
    try:
        return pattern(
            order, tol_px=draw(st.floats(12, 30)), ordered=draw(st.booleans()),
            direction=draw(st.sampled_from(["fixed", "free"])),
            submit=draw(st.sampled_from([None, SUBMIT])),
        )  # fmt: skip
    except InvalidOptions:
        assume(False)
        raise


traces = paths() | lattices()
streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


@given(traces, streams)
def test_gold_passes_and_every_perturbation_is_what_geometry_says(trace, stream):
    gold = trace.gold(stream)
    assert judge(trace, gold).passed
    for name, actions, passes in perturbations(trace, gold, *SIZE):
        assert judge(trace, actions).passed is passes, name
    assert gate(trace, gold, *SIZE).broken in ("", "grid")


def test_no_kind_of_perturbation_is_left_out_where_it_can_be_predicted():
    def names(trace):
        told = perturbations(trace, trace.gold(Stream("x")), *SIZE)
        return {(p.name, p.passes) for p in told}

    wall = (Zone.disc((900, 100), 30),)
    assert {
        ("nothing", False), ("start_off", False), ("dropped_first", False), ("swipes", True),
        ("dropped_last", False), ("added_click", False), ("more_strokes", True), ("gap_1", False),
        ("dropped_1", False), ("reversed", False), ("exchanged", False), ("shortcut", False),
        ("repeated", False), ("stopped_short", False), ("stopped_near", True),
        ("inside_1_0", True), ("outside_1_0", False), ("touched_0", False),
        ("dropped_submit", False), ("repeated_all", False),
    } <= names(corridor(submit=SUBMIT, avoid=wall))  # fmt: skip
    assert ("reversed", True) in names(corridor(direction="free"))
    assert {
        ("reversed", False), ("went_back", True), ("exchanged", False), ("inside_end", True),
        ("outside_end", False), ("extra_0", False), ("start_off", False),
    } <= names(pattern())  # fmt: skip
    assert {("reversed", True), ("exchanged", True)} <= names(pattern((0, 1, 3, 4), ordered=False))


@given(paths(), streams)
def test_another_half_width_is_noticed_by_the_perturbations(trace, stream):
    """The predictions bite: a judge with a wider corridor contradicts them."""
    lenient = msgspec.structs.replace(trace, tol_px=trace.tol_px + 1, end_tol_px=trace.end_tol)
    told = perturbations(trace, trace.gold(stream), *SIZE)
    assert any(judge(lenient, p.actions).passed is not p.passes for p in told)


@given(traces, streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(trace, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = trace.mapped(page_from_panel)
    for name, actions, _ in perturbations(trace, trace.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(trace, actions), name
    assert judge(mapped, mapped.gold(stream)).passed


def discrete_frechet(path, pen, step):
    """The Fréchet distance of both lines cut into steps, at most ``step`` above the true one."""

    def dense(points):
        cut = []
        for a, b in itertools.pairwise(points):
            count = max(1, math.ceil(math.dist(a, b) / step))
            cut += [np.add(a, np.multiply(k / count, np.subtract(b, a))) for k in range(count)]
        return np.array([*cut, points[-1]], float)

    p, q = dense(path), dense(pen)
    away = np.hypot(p[:, None, 0] - q[None, :, 0], p[:, None, 1] - q[None, :, 1])
    best = np.full((len(p) + 1, len(q) + 1), np.inf)
    for i in range(len(p)):
        for j in range(len(q)):
            before = min(best[i, j], best[i, j + 1], best[i + 1, j]) if i or j else 0.0
            best[i + 1, j + 1] = max(away[i, j], before)
    return best[-1, -1]


near = st.tuples(st.floats(0, 90), st.floats(0, 60))


@given(st.lists(near, min_size=2, max_size=5), st.lists(near, max_size=4), st.floats(5, 60))
def test_following_is_the_frechet_distance(path, between, tol):
    points = [Point(*p) for p in path]
    assume(all(math.dist(a, b) > 1 for a, b in itertools.pairwise(points)))
    pen = [points[0], *(Point(*p) for p in between), points[-1]]
    truth = discrete_frechet(points, pen, 2.0)
    said = follows(Way.of(points), pen, tol, 1e-6, 1e-6)
    if truth <= tol:
        assert said
    if truth - 2.0 > tol:
        assert not said


@given(st.lists(near, min_size=2, max_size=12), st.floats(0.5, 30))
def test_simplified_line_stays_within_the_tolerance_of_every_point(path, tol):
    kept = simplified([Point(*p) for p in path], tol)
    line = [Point(*path[k]) for k in kept]
    assert kept[0] == 0 and kept[-1] == len(path) - 1
    assert all(distance_to(line, Point(*p)) <= tol + 1e-9 for p in path)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [((0, 0), (100, 0), 10.0), ((0, 20), (100, 20), 0.0), ((0, 0), (0, 5), 40.311288741492746),
     ((50, 20), (52, 20), 0.0), ((60, 30), (90, 30), 0.0), ((61, 30), (90, 30), 1.0)],
)  # fmt: skip
def test_clearance_is_the_distance_from_a_filled_zone(a, b, distance):
    zone = Zone.of_box(Box(40, 10, 60, 30))
    assert clearance(zone, Point(*a), Point(*b)) == pytest.approx(distance)


def test_outline_can_be_begun_anywhere():
    trace = Trace(SQUARE, 15.0, anywhere=True, direction="free")
    middle = Point(450, 500)
    line = begun_at(SQUARE, middle)
    assert line[0] == line[-1] == middle and len(line) == 6
    assert judge(trace, strokes(*line)).passed
    assert judge(trace, strokes(*line[::-1])).passed
    assert judge(trace, strokes(*line[:-1])).reason == "incomplete"
    fixed = Trace(SQUARE, 15.0, anywhere=True)
    assert judge(fixed, strokes(*line)).passed
    assert not judge(fixed, strokes(*line[::-1])).passed
    assert judge(Trace(SQUARE, 15.0), strokes(*line)).reason == "start_off"
    assert not judge(Trace(SQUARE, 15.0), strokes(*SQUARE[::-1])).passed


def test_reasons():
    trace, send = corridor(submit=SUBMIT), Click(SUBMIT.center)
    solve = strokes(*ZIGZAG)
    cases = {
        "solved": [*solve, send],
        "no_actions": [],
        "not_drawn": [send],
        "start_off": [Drag(Point(100, 125), ZIGZAG[1]), send],
        "off_path": [Drag(ZIGZAG[0], ZIGZAG[2]), send],
        "incomplete": [*solve[:-1], send],
        "not_submitted": solve,
        "extra_action": [*solve, send, send],
    }
    assert {judge(trace, actions).reason: actions for actions in cases.values()} == cases
    for extra in (Type("x"), Click(Point(5, 5)), LongPress(ZIGZAG[2]), act.PressBack(),
                  act.RightClick(ZIGZAG[2]), Drag(Point(5, 5), ZIGZAG[2])):  # fmt: skip
        assert judge(trace, [*solve[:2], extra, *solve[2:], send]).reason == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done"), act.GetScreenshot()):
        assert judge(trace, [harmless, *solve[:2], harmless, *solve[2:], harmless, send]).passed
    assert judge(trace, [Swipe(d.start, d.end) for d in solve] + [send]).passed


def test_shortcut_between_arms_that_run_close_to_each_other_is_refused():
    hairpin = Trace(
        tuple(Point(*p) for p in [(100, 100), (500, 100), (500, 124), (100, 124)]), 20.0
    )
    assert judge(hairpin, strokes(*hairpin.path)).passed
    cut = strokes((100, 100), (300, 100), (300, 124), (100, 124))
    assert all(distance_to(hairpin.path, p) < 20 for d in cut for p in (d.start, d.end))
    assert judge(hairpin, cut).reason == "off_path"


def test_going_back_by_more_than_the_half_width_leaves_the_path():
    trace = corridor()
    a, b = ZIGZAG[0], ZIGZAG[1]
    wiggle = [a, Point(300, 113), Point(290, 113), b, *ZIGZAG[2:]]
    assert judge(trace, strokes(*wiggle)).passed
    assert judge(trace, strokes(a, Point(300, 113), Point(200, 107), b)).reason == "off_path"


def test_strokes_join_when_they_begin_near_the_last_end():
    trace = corridor()
    for gap, reason in ((11.9, "solved"), (12.1, "extra_action")):
        x, y = ZIGZAG[2]
        again = [Drag(ZIGZAG[0], ZIGZAG[1]), Drag(ZIGZAG[1], ZIGZAG[2]),
                 Drag(Point(x + gap, y), ZIGZAG[3]), Drag(ZIGZAG[3], ZIGZAG[4])]  # fmt: skip
        assert judge(trace, again).reason == reason


def test_pattern_is_judged_by_the_dots_it_passes():
    trace = pattern((0, 1, 2, 5))
    assert judge(trace, strokes(LATTICE[0], LATTICE[2], LATTICE[5])).passed  # over dot 1
    assert judge(trace, strokes(LATTICE[0], LATTICE[1], LATTICE[0], LATTICE[2], LATTICE[5])).passed
    reasons = {
        (0, 1, 2): "incomplete",
        (0, 1, 4): "wrong_dot",
        (1, 2, 5): "start_off",
        (0, 4): "wrong_dot",
        (0, 1, 2, 5, 8): "wrong_dot",
        (5, 2, 1, 0): "start_off",
    }
    for order, reason in reasons.items():
        assert judge(trace, strokes(*(LATTICE[k] for k in order))).reason == reason
    free = pattern((0, 1, 2, 5), direction="free")
    assert judge(free, strokes(*(LATTICE[k] for k in (5, 2, 1, 0)))).passed


def test_any_order_of_objects_may_be_cut_but_no_forbidden_one():
    trace = pattern((0, 1, 3, 4), ordered=False)
    for order in itertools.permutations((0, 1, 3, 4)):
        assert judge(trace, strokes(*(LATTICE[k] for k in order))).passed
    from_outside = strokes((100, 200), LATTICE[1], LATTICE[3], LATTICE[4])
    assert judge(trace, from_outside).passed
    assert judge(trace, strokes(*(LATTICE[k] for k in (0, 1, 2, 4, 3)))).reason == "wrong_dot"


def test_start_and_end_are_a_free_drag_round_the_walls():
    wall = Zone.of_box(Box(380, 100, 420, 280))
    trace = Trace((Point(200, 300), Point(600, 300)), 15.0, mode="waypoints", avoid=(wall,),
                  end_tol_px=end_tolerance_px(math.hypot(*SIZE), 1.0))  # fmt: skip
    assert trace.end_tol == pytest.approx(45.28, abs=0.01)
    assert judge(trace, strokes((200, 300), (400, 320), (600, 340))).passed
    assert judge(trace, strokes((200, 300), (400, 200), (600, 300))).reason == "touched"
    assert judge(trace, strokes((200, 300), (400, 320), (600, 346))).reason == "incomplete"


def test_pointer_held_down_is_no_answer_and_its_line_can_be_drawn():
    trace = corridor()
    world = trace.step(trace.start(), Press(*ZIGZAG[0]))
    for point in ZIGZAG[1:]:
        world = trace.step(world, Move(*point))
    assert trace.verdict(world).reason == "not_released"
    assert trace.pose(world).marks[0].points == ZIGZAG
    assert trace.verdict(trace.step(world, Release(*ZIGZAG[-1]))).passed


def test_pose_counts_the_dots():
    trace = pattern()
    world = replay(trace, strokes(LATTICE[0], LATTICE[1]))
    assert [(m.kind, m.text) for m in trace.pose(world).marks] == [
        ("polyline", ""), ("badge", "1"), ("badge", "2"),
    ]  # fmt: skip


@given(traces, streams)
def test_step_never_changes_its_world(trace, stream):
    world = trace.start()
    for event in lower(trace.gold(stream)):
        before = msgspec.json.encode(world)
        after = trace.step(world, event)
        assert msgspec.json.encode(world) == before
        trace.pose(after)
        world = after


@given(traces, streams)
def test_payload_survives_json(trace, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(trace))))
    assert again == trace
    assert judge(again, trace.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(trace), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "trace" in mechanic_names()


@pytest.mark.parametrize(
    "broken",
    [
        dict(path=()),
        dict(path=ZIGZAG[:1]),
        dict(path=(ZIGZAG[0], ZIGZAG[0], ZIGZAG[1])),
        dict(path=(Point(0, 0), Point(70, 0))),
        dict(path=(Point(0, 0), Point(math.nan, 0))),
        dict(tol_px=0.0),
        dict(start_tol_px=-1.0),
        dict(end_tol_px=math.inf),
        dict(px_per_css=0.0),
        dict(extras=(Point(5, 5),)),
        dict(ordered=False),
        dict(anywhere=True),
        dict(avoid=(Zone.disc((250, 110), 20),)),
        dict(submit=Box(90, 90, 110, 110)),
    ],
    ids=repr,
)
def test_path_that_a_click_would_solve_or_nobody_is_refused(broken):
    with pytest.raises(InvalidOptions):
        corridor(**broken)


@pytest.mark.parametrize("order", [(0, 2), (0, 8), (0, 1, 0), (3, 5, 4), (1,)])
def test_pattern_that_passes_a_dot_unasked_is_refused(order):
    with pytest.raises(InvalidOptions):
        pattern(order)


def test_pattern_that_only_one_direction_can_draw_is_not_free():
    order = (6, 4, 0, 8, 5)  # the third line passes dot 4 again
    assert judge(pattern(order), pattern(order).gold(Stream("x"))).passed
    with pytest.raises(InvalidOptions):
        pattern(order, direction="free")


def test_dots_that_overlap_are_refused():
    with pytest.raises(InvalidOptions, match="overlap"):
        pattern(tol_px=61.0)
    with pytest.raises(InvalidOptions, match="anywhere"):
        pattern(anywhere=True)


JUNK = [None, 5, [None], [Drag(None, None)], [Drag(Point(math.nan, 0), Point(1, 1))], ["Drag"]]


@pytest.mark.parametrize("junk", JUNK, ids=lambda j: type(j).__name__)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(corridor(), junk)
    assert verdict.score == 0 and verdict.reason


spots = st.builds(Point, st.floats(0, 1280), st.floats(0, 800)) | st.sampled_from(
    [*ZIGZAG, *SQUARE, *LATTICE]
)


@given(traces, st.lists(st.builds(Drag, spots, spots) | st.builds(Click, spots), max_size=6))
def test_anything_is_judged_and_drawn(trace, actions):
    assert judge(trace, actions).score in (0, 1)
    trace.pose(replay(trace, actions))


@given(traces, streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(trace, stream, size):
    gold = trace.gold(stream)
    if not grid_safe(trace, gold, *size):
        assert size != SIZE or trace.tol_px < 12.0
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
                    assert judge(trace, [act.from_grid(a, *size, reading) for a in tried]).passed


def test_corridor_of_three_grid_units_survives_and_one_of_one_is_named():
    for tol, outcome in ((3 * 1.28 + 0.1, (True, "")), (1.28, (False, "grid"))):
        trace = corridor(tol_px=tol, start_tol_px=15.0, end_tol_px=15.0)
        assert gate(trace, trace.gold(Stream("gate")), *SIZE) == outcome


def test_parity_is_fifteen_px_from_the_end():
    trace = corridor()
    assert trace.parity(trace.gold(Stream("x")), *SIZE) == {"fifteen_px": True}
    off = strokes(*ZIGZAG[:-1], (ZIGZAG[-1].x + 16.5, ZIGZAG[-1].y))
    assert trace.parity(off, *SIZE) == {"fifteen_px": False}


def test_goal_says_what_is_drawn_and_which_way():
    assert pattern(submit=SUBMIT).goal_slots() == {
        "handle": "pen", "aim": "waypoints", "count": "5", "direction": "fixed",
        "order": "fixed", "submit": "button",
    }  # fmt: skip
