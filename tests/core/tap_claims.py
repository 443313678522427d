"""What every click mechanic claims: one function a claim, called by the tests of each."""

import math

import msgspec
from hypothesis import strategies as st

from factory.core import actions as act
from factory.core.actions import Click, DoubleClick, Drag, LongPress, Type, Wait
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import from_payload, gate, judge, replay, to_payload
from factory.core.mechanics.events import lower
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream

SIZE = (1280, 800)
SUBMIT = Box(420, 620, 520, 652)
"""A button below every picture of these tests."""

streams = st.integers(0, 10**6).map(lambda n: Stream(f"test/{n}"))
sizes = st.sampled_from([(1280, 800), (1920, 1400), (1080, 2280), (600, 700)])
maps = st.tuples(st.floats(0.5, 3), st.floats(-300, 300), st.floats(-300, 300)).map(
    lambda m: PlaneMap.translate(m[1], m[2]) @ PlaneMap.scale(m[0])
)
submits = st.sampled_from([None, SUBMIT])


@st.composite
def scattered(draw, least: int = 1, most: int = 6) -> tuple[Zone, ...]:
    """Star-shaped zones that do not touch, in a picture of 400 x 300 px at (300, 300)."""
    count = draw(st.integers(least, most))
    seats = draw(st.permutations(range(12)))[:count]
    zones = []
    for seat in seats:
        x, y = 350 + 100 * (seat % 4), 350 + 100 * (seat // 4)
        corners = draw(st.integers(3, 9))
        radii = draw(st.lists(st.floats(14, 40), min_size=corners, max_size=corners))
        turn = draw(st.floats(0, 6.28))
        angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
        zones.append(
            Zone(
                tuple(
                    Point(x + r * math.cos(a), y + r * math.sin(a))
                    for a, r in zip(angles, radii, strict=True)
                )
            )
        )
    return tuple(zones)


PICTURE = Box(300, 300, 700, 600)


def predictions_hold(mechanic, stream) -> None:
    """The gold passes, the gate opens, and every changed gold is what arithmetic says."""
    gold = mechanic.gold(stream)
    assert judge(mechanic, gold).passed, judge(mechanic, gold)
    names = []
    for name, actions, passes in mechanic.perturbations(gold, *SIZE):
        found = judge(mechanic, actions)
        assert found.passed is passes, (name, found, actions)
        names.append(name)
    assert len(names) == len(set(names)), "a name says which one"
    quick = mechanic.quick_perturbations(gold, *SIZE)
    assert {p.name for p in quick} <= set(names) and not all(p.passes for p in quick)
    assert gate(mechanic, gold, *SIZE).broken in ("", "grid")


def saboteur_is_caught(sound, broken, stream) -> None:
    """A mechanic with a bug contradicts the predictions of the sound one, or fails its gold."""
    gold = sound.gold(stream)
    changed = [("gold", gold, True), *sound.perturbations(gold, *SIZE)]
    assert any(judge(broken, actions).passed is not passes for _, actions, passes in changed)


def mapping_commutes(mechanic, stream, page_from_panel) -> None:
    """Judging on the page is judging on the panel."""
    mapped = mechanic.mapped(page_from_panel)
    gold = mechanic.gold(stream)
    assert judge(mapped, mapped.gold(stream)).passed
    for _, actions, _ in [("gold", gold, True), *mechanic.perturbations(gold, *SIZE)]:
        moved = [act.with_points(action, page_from_panel) for action in actions]
        here, there = judge(mechanic, actions), judge(mapped, moved)
        assert there.passed is here.passed
        # That two taps are a px apart is said of the final canvas, whatever its scale.
        assert there.reason == here.reason or "same_place" in (here.reason, there.reason)
        marks = mechanic.pose(replay(mechanic, actions)).marks
        images = mapped.pose(replay(mapped, moved)).marks
        for mark, other in zip(marks, images, strict=True):
            assert (mark.kind, mark.text) == (other.kind, other.text)
            for point, image in zip(mark.points, other.points, strict=True):
                assert math.dist(page_from_panel(point), image) < 1e-6


def payload_survives(mechanic, stream) -> None:
    """Through JSON and back: the same mechanic, which takes the same gold."""
    again = from_payload(msgspec.json.decode(msgspec.json.encode(to_payload(mechanic))))
    assert again == mechanic
    assert judge(again, mechanic.gold(stream)).passed


def grid_is_survived_when_said(mechanic, stream, size, *, exact: bool = True) -> None:
    """``grid_safe`` says whether all readings pass, with any one point a grid unit off."""
    gold = mechanic.gold(stream)
    grid = [act.to_grid(action, *size) for action in gold]
    passed = all(
        judge(mechanic, [act.from_grid(a, *size, reading) for a in tried]).passed
        for tried in _a_unit_off(grid)
        for reading in act.READINGS
    )
    safe = mechanic.grid_safe(gold, *size)
    assert passed if safe else not (exact and passed)


def _a_unit_off(grid):
    """The actions with each of their points moved by a unit on either axis or both."""
    for place, action in enumerate(grid):
        for name in act.point_names(type(action)):
            cell = getattr(action, name)
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    near = {name: Point(cell[0] + dx, cell[1] + dy)}
                    moved = msgspec.structs.replace(action, **near)
                    yield [*grid[:place], moved, *grid[place + 1 :]]


def step_keeps_worlds(mechanic, stream) -> None:
    """A step never changes the world that it is given."""
    world = mechanic.start()
    for event in lower(mechanic.gold(stream)):
        before = msgspec.json.encode(world)
        after = mechanic.step(world, event)
        assert msgspec.json.encode(world) == before
        world = after


def anything_is_judged(mechanic, actions) -> None:
    """No well-formed action raises, and there is a word for why it fails."""
    verdict = judge(mechanic, actions)
    assert verdict.score in (0.0, 1.0) and verdict.reason
    mechanic.pose(replay(mechanic, actions))


_points = st.tuples(st.floats(250, 750), st.floats(250, 700)).map(lambda p: Point(*p))
any_actions = st.lists(
    st.one_of(
        _points.map(Click),
        _points.map(Click),
        _points.map(DoubleClick),
        _points.map(LongPress),
        st.tuples(_points, _points).map(lambda ends: Drag(*ends)),
        st.sampled_from([Wait(), Type("7"), act.PressEnter(), act.PressBack()]),
    ),
    max_size=8,
)
JUNK = [
    None, math.nan, "Click", [None], [Click(None)], [Click(Point(math.nan, 1))],
    [Click(Point(1, 10**400))], [Click(("a", "b"))], [Type(None)], [Click(Point(1, 1))] * 5000,
]  # fmt: skip


def junk_fails(mechanic) -> None:
    """What is no answer is none, with a reason."""
    for junk in JUNK:
        verdict = judge(mechanic, junk)
        assert verdict.score == 0 and verdict.reason
