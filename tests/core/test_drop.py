"""Claims about the drop mechanic."""

import math

import msgspec
import pytest
from hypothesis import given
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
from factory.core.mechanics.drop import Drop, Piece, Target
from factory.core.mechanics.events import Move, Press, Release, lower
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SIZE = (1280, 800)
AREA = Box(40, 40, 1240, 700)
SUBMIT = Box(40, 720, 160, 764)
SPOTS = [Point(150 + 190 * k, 180) for k in range(6)]


def home_of(k: int, side: float = 70.0) -> Box:
    return Box.sized(90 + 150 * k, 560, side, side)


def one(**changes) -> Drop:
    """A piece of 70 px and one gap for it."""
    base = Drop((Piece("a", home_of(0), ("gap",)),), (Target("gap", SPOTS[3]),))
    return msgspec.structs.replace(base, **changes)


def jigsaw(count: int = 3, **changes) -> Drop:
    """Pieces that each have a cell of their own, the cells side by side."""
    cells = [Zone.of_box(Box.sized(300 + 120 * k, 100, 120, 120)) for k in range(count)]
    return Drop(
        tuple(Piece(f"p{k}", home_of(k), (f"c{k}",)) for k in range(count)),
        tuple(Target(f"c{k}", zone=cell) for k, cell in enumerate(cells)),
        **changes,
    )


def bins(count: int = 4, capacity: int = 0, **changes) -> Drop:
    """Items that go to two polygon bins by turns, and a decoy."""
    left = Zone((Point(100, 100), Point(400, 80), Point(420, 330), Point(250, 380), Point(90, 300)))
    right = Zone.disc((800, 220), 150)
    pieces = [Piece(f"i{k}", home_of(k, 50), ("left" if k % 2 else "right",)) for k in range(count)]
    return Drop(
        (*pieces, Piece("decoy", home_of(count, 50))),
        (Target("left", zone=left, capacity=capacity), Target("right", zone=right, capacity=0)),
        **changes,
    )


@st.composite
def drops(draw) -> Drop:
    """Points, cells and bins, with decoys, stops, shared targets and a button or without."""
    fields = dict(
        area=draw(st.sampled_from([None, AREA])), submit=draw(st.sampled_from([None, SUBMIT])),
        decoys=draw(st.sampled_from(["home", "anywhere"])),
    )  # fmt: skip
    kind = draw(st.sampled_from(["points", "twins", "cells", "bins"]))
    if kind == "cells":
        return jigsaw(draw(st.integers(1, 5)), **fields)
    if kind == "bins":
        return bins(draw(st.integers(1, 5)), **fields)
    count = draw(st.integers(1, 4))
    side = draw(st.floats(30, 110))
    spots = draw(st.permutations(SPOTS))
    names = tuple(f"t{k}" for k in range(count))
    pieces = [
        Piece(f"p{k}", home_of(k, side), names if kind == "twins" else (names[k],))
        for k in range(count)
    ]
    decoys = [Piece("decoy", home_of(5, side))] * draw(st.integers(0, 1))
    targets = [Target(name, Point(*spot)) for name, spot in zip(names, spots, strict=False)]
    return Drop((*pieces, *decoys), tuple(targets), **fields)


streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))


def to(drop: Drop, name: str, spot, by=(0.0, 0.0)) -> Drag:
    """A drag of a piece at home that puts its centre on the spot, the press off its centre."""
    home = next(piece.home for piece in drop.pieces if piece.name == name)
    (x, y), (dx, dy) = home.center, by
    return Drag(Point(x + dx, y + dy), Point(spot[0] + dx, spot[1] + dy))


@given(drops(), streams)
def test_gold_passes_and_every_perturbation_is_what_arithmetic_says(drop, stream):
    gold = drop.gold(stream)
    assert judge(drop, gold).passed
    for name, actions, passes in perturbations(drop, gold, *SIZE):
        assert judge(drop, actions).passed is passes, name
    assert gate(drop, gold, *SIZE).broken in ("", "grid")


@given(drops(), streams)
def test_perturbations_have_the_verdicts_that_a_person_expects(drop, stream):
    told = {p.name: p.passes for p in perturbations(drop, drop.gold(stream), *SIZE)}
    wrong = {"nothing", "added_click", "clicks_only", "spoiled", "dropped_0", "start_off_0",
             "dropped_submit", "repeated_all"}  # fmt: skip
    right = {"swipes", "two_drags", "other_order", "decoy_there_and_back"}
    assert not any(told[name] for name in wrong & set(told))
    assert all(told[name] for name in right & set(told))
    assert {"nothing", "dropped_0", "start_off_0", "swipes", "other_order"} <= set(told)
    assert all(passes for name, passes in told.items() if name.startswith("inside"))
    if drop.targets[0].point is not None:
        assert not any(passes for name, passes in told.items() if name.startswith("outside"))


@given(drops(), streams)
def test_another_tolerance_is_noticed_by_the_perturbations(drop, stream):
    """The predictions bite: a judge with wider targets contradicts them."""
    wide = [
        Target(t.name, t.point, capacity=t.capacity)
        if t.zone is None
        else msgspec.structs.replace(t, zone=_blown_up(t.zone))
        for t in drop.targets
    ]
    pieces = [
        msgspec.structs.replace(p, tol_px=drop.tol_px(k) + 1) for k, p in enumerate(drop.pieces)
    ]
    lenient = msgspec.structs.replace(drop, pieces=tuple(pieces), targets=tuple(wide))
    told = perturbations(drop, drop.gold(stream), *SIZE)
    assert any(judge(lenient, p.actions).passed is not p.passes for p in told)


def _blown_up(zone: Zone) -> Zone:
    x, y = zone.center
    return Zone(tuple(Point(x + 1.1 * (a - x), y + 1.1 * (b - y)) for a, b in zone.corners))


@given(drops(), streams, st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300))
def test_mapping_commutes_with_judging(drop, stream, scale, dx, dy):
    page_from_panel = PlaneMap.translate(dx, dy) @ PlaneMap.scale(scale)
    mapped = drop.mapped(page_from_panel)
    for _, actions, _ in perturbations(drop, drop.gold(stream), *SIZE):
        moved = [act.with_points(a, page_from_panel) for a in actions]
        assert judge(mapped, moved) == judge(drop, actions)
    assert judge(mapped, mapped.gold(stream)).passed


@given(st.floats(20, 200), st.floats(0.5, 3), st.floats(0, 2 * math.pi))
def test_tolerance_is_eight_css_px_or_twelve_percent_of_the_piece(side, scale, turn):
    drop = Drop((Piece("a", Box.sized(100, 500, side, side + 30), ("gap",)),),
                (Target("gap", Point(700, 150)),)).mapped(PlaneMap.scale(scale))  # fmt: skip
    tol = scale * max(8, 0.12 * side)
    x, y = drop.targets[0].spot
    for off, passes in ((tol - 1e-4, True), (tol + 1e-4, False)):
        spot = (x + off * math.cos(turn), y + off * math.sin(turn))
        assert judge(drop, [to(drop, "a", spot)]).passed is passes


def test_reasons():
    drop = bins(2, submit=SUBMIT)
    solve = [to(drop, "i0", (800, 220)), to(drop, "i1", (250, 220))]
    send = Click(SUBMIT.center)
    cases = {
        "solved": [*solve, send],
        "no_actions": [],
        "not_moved": [send],
        "off_target": [solve[0], send],
        "not_submitted": solve,
        "decoy_moved": [*solve, to(drop, "decoy", (600, 500)), send],
        "extra_action": [*solve, send, send],
    }
    assert {judge(drop, actions).reason: actions for actions in cases.values()} == cases
    for extra in (Type("x"), Click(Point(5, 5)), LongPress(solve[0].start), act.PressBack(),
                  act.RightClick(solve[0].end), Click(solve[0].end)):  # fmt: skip
        assert judge(drop, [*solve, extra, send]).reason == "extra_action"
    for harmless in (Wait(), Hover(Point(5, 5)), Finished("done"), act.GetScreenshot()):
        assert judge(drop, [harmless, *solve, harmless, send, harmless]).passed


def test_piece_follows_the_displacement_and_can_be_dragged_again():
    drop = one()
    assert judge(drop, [to(drop, "a", SPOTS[3], by=(30, -30))]).passed
    wrong = to(drop, "a", SPOTS[0])
    again = Drag(Point(*SPOTS[0]), Point(*SPOTS[3]))
    assert judge(drop, [wrong]).reason == "off_target"
    assert judge(drop, [wrong, again]).passed
    assert judge(drop, [to(drop, "a", SPOTS[3]), again]).reason == "extra_action"


def test_pieces_stop_at_the_border_of_the_area():
    drop = one(area=AREA)
    x, y = home_of(0).center
    world = replay(drop, [Drag(Point(x, y), Point(x - 9000, y + 9000))])
    assert drop.pose(world).parts["a"] == (AREA.x0 - home_of(0).x0, AREA.y1 - home_of(0).y1, 0, 1)


def test_full_cell_sends_another_piece_back():
    drop = jigsaw(2)
    cell = drop.targets[0].spot
    world = replay(drop, [to(drop, "p0", cell), to(drop, "p1", (cell[0] + 30, cell[1]))])
    assert drop.pose(world).parts["p1"] == (0, 0, 0, 1)
    wrong_way = [to(drop, "p1", cell), to(drop, "p0", cell)]
    assert replay(drop, wrong_way).shifts[0] == (0, 0)
    made_good = [to(drop, "p1", cell), Drag(Point(*cell), Point(*drop.targets[1].spot))]
    assert judge(drop, [*made_good, to(drop, "p0", cell)]).passed


def test_bin_holds_as_many_as_it_says():
    drop = bins(3, capacity=1)
    gold = drop.gold(Stream("bins"))
    assert judge(drop, gold).passed
    with pytest.raises(InvalidOptions, match="no place"):
        bins(4, capacity=1)
    with pytest.raises(InvalidOptions, match="no room"):
        Drop((Piece("a", home_of(0), ("bin",)), Piece("decoy", home_of(2))),
             (Target("bin", zone=Zone.of_box(home_of(2).grown(9))),))  # fmt: skip


def test_twins_may_lie_either_way_but_not_on_one_spot():
    pieces = tuple(Piece(n, home_of(k), ("s", "t")) for k, n in enumerate("ab"))
    drop = Drop(pieces, (Target("s", SPOTS[0]), Target("t", SPOTS[1])))
    for a, b, passes in ((0, 1, True), (1, 0, True), (0, 0, False), (1, 1, False), (0, 2, False)):
        actions = [to(drop, "a", SPOTS[a]), to(drop, "b", SPOTS[b])]
        assert judge(drop, actions).passed is passes


def test_only_listed_arrangements_are_right():
    pieces = tuple(Piece(n, home_of(k), ("s", "t", "u")) for k, n in enumerate("ab"))
    spots = [Target(n, SPOTS[k]) for k, n in enumerate("stu")]
    drop = Drop(pieces, tuple(spots), arrangements=(("s", "t"), ("t", "u")))
    right = {(0, 1), (1, 2)}
    for a in range(3):
        for b in range(3):
            actions = [to(drop, "a", SPOTS[a]), to(drop, "b", SPOTS[b])]
            assert judge(drop, actions).passed is ((a, b) in right)
    assert judge(drop, drop.gold(Stream("x"))).passed


def test_grab_zone_is_where_the_piece_can_be_taken():
    home = home_of(0)
    corner = Zone((Point(home.x0, home.y0), Point(home.x1, home.y0), Point(home.x0, home.y1)))
    drop = one(pieces=(Piece("a", home, ("gap",), grab=corner),))
    assert judge(drop, [to(drop, "a", SPOTS[3], by=(-20, -20))]).passed
    assert judge(drop, [to(drop, "a", SPOTS[3], by=(20, 20))]).reason == "extra_action"
    assert judge(drop, drop.gold(Stream("x"))).passed


def test_topmost_piece_is_taken():
    drop = jigsaw(2)
    world = replay(drop, [to(drop, "p0", home_of(1).center), to(drop, "p1", (200, 300))])
    assert [shift != (0, 0) for shift in world.shifts] == [True, True]


def test_pointer_held_down_is_no_answer_and_its_pose_can_be_drawn():
    drop = one()
    x, y = home_of(0).center
    world = drop.step(drop.step(drop.start(), Press(x, y)), Move(*SPOTS[3]))
    assert drop.verdict(world).reason == "not_released"
    assert drop.pose(world).parts["a"].dx == pytest.approx(SPOTS[3].x - x)
    assert drop.verdict(drop.step(world, Release(*SPOTS[3]))).passed


@given(drops(), streams)
def test_step_never_changes_its_world(drop, stream):
    world = drop.start()
    for event in lower(drop.gold(stream)):
        before = msgspec.json.encode(world)
        after = drop.step(world, event)
        assert msgspec.json.encode(world) == before
        assert set(drop.pose(after).parts) == {piece.name for piece in drop.pieces}
        world = after


@given(drops(), streams)
def test_payload_survives_json(drop, stream):
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(drop))))
    assert again == drop
    assert judge(again, drop.gold(stream)).passed
    with pytest.raises(InvalidOptions):
        from_payload({**to_payload(drop), "more": 1})


def test_tag_is_the_name_of_the_module():
    assert "drop" in mechanic_names()


A, GAP = Piece("a", home_of(0), ("gap",)), Target("gap", SPOTS[3])


@pytest.mark.parametrize(
    "broken",
    [
        dict(pieces=()),
        dict(pieces=(Piece("a", home_of(0)),)),
        dict(pieces=(A, A)),
        dict(pieces=(A, Piece("b", home_of(0).moved(10, 10)))),
        dict(pieces=(Piece("a", home_of(0), ("nowhere",)),)),
        dict(pieces=(Piece("a", home_of(0), ("gap",), tol_px=0.0),)),
        dict(targets=(GAP, GAP)),
        dict(targets=(Target("gap", Point(home_of(0).x0 + 33, home_of(0).y0 + 33)),)),
        dict(area=Box(0, 0, 50, 50)),
        dict(area=AREA, targets=(Target("gap", Point(50, 50)),)),
        dict(area=AREA, targets=(Target("gap", Point(5000, 50)),)),
        dict(arrangements=(("nowhere",),)),
        dict(arrangements=(("gap", "gap"),)),
        dict(submit=home_of(0)),
        dict(px_per_css=0.0),
    ],
    ids=repr,
)
def test_drop_that_is_solved_at_rest_or_never_is_refused(broken):
    with pytest.raises(InvalidOptions):
        one(**broken)


@pytest.mark.parametrize(
    "broken",
    [dict(), dict(point=SPOTS[0], zone=Zone.disc((5, 5), 3)), dict(point=Point(math.nan, 0)),
     dict(point=SPOTS[0], capacity=-1)],
)  # fmt: skip
def test_target_that_is_no_place_is_refused(broken):
    with pytest.raises(InvalidOptions):
        Target("t", **broken)


JUNK = [None, 5, [None], [Drag(None, None)], [Drag(Point(math.nan, 0), Point(1, 1))], ["Drag"]]


@pytest.mark.parametrize("junk", JUNK, ids=lambda j: type(j).__name__)
def test_junk_fails_with_a_reason(junk):
    verdict = judge(one(), junk)
    assert verdict.score == 0 and verdict.reason


spots = st.builds(Point, st.floats(0, 1280), st.floats(0, 800))


@given(drops(), st.lists(st.builds(Drag, spots, spots) | st.builds(Click, spots), max_size=6))
def test_anything_is_judged_and_drawn(drop, actions):
    assert judge(drop, actions).score in (0, 1)
    assert drop.pose(replay(drop, actions)).parts


@given(drops(), streams, st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280)]))
def test_grid_safe_means_that_every_reading_passes_with_a_unit_to_spare(drop, stream, size):
    gold = drop.gold(stream)
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
                    passed.append(judge(drop, [act.from_grid(a, *size, reading) for a in tried]))
    safe = grid_safe(drop, gold, *size)
    assert not safe or all(v.passed for v in passed)
    assert safe or size != SIZE  # 8 px are six units there: gold always survives


def test_a_tolerance_below_the_grid_is_named():
    tight = one(pieces=(Piece("a", home_of(0), ("gap",), tol_px=1.5),))
    assert gate(tight, tight.gold(Stream("gate")), *SIZE) == (False, "grid")


def test_parity_is_fifteen_px_on_each_axis():
    drop = one()
    gold = drop.gold(Stream("parity"))
    assert drop.parity(gold, *SIZE) == {"fifteen_px": True}
    for off, near in ((13.0, True), (17.0, False)):
        spot = (SPOTS[3].x + off, SPOTS[3].y)
        assert drop.parity([to(drop, "a", spot)], *SIZE) == {"fifteen_px": near}


def test_goal_counts_what_there_is():
    assert bins(3, submit=SUBMIT).goal_slots() == {
        "handle": "piece", "pieces": "3", "decoys": "1", "targets": "2", "aim": "zone",
        "submit": "button",
    }  # fmt: skip
