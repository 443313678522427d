"""Claims about pairs: matches, moves and swaps."""

from itertools import product

import msgspec
import pytest
import tap_claims as claims
from hypothesis import given
from hypothesis import strategies as st
from tap_claims import SUBMIT, maps, scattered, sizes, streams, submits

from factory.core.actions import Click, Drag
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics import judge, replay
from factory.core.mechanics.pairs import Pairs
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream


@st.composite
def mechanics(draw) -> Pairs:
    """All three rules, by taps and by drags."""
    items = draw(scattered(2, 8))
    count = len(items)
    fields = dict(items=items, drag=draw(st.booleans()), submit=draw(submits))
    rule = draw(st.sampled_from(["match", "moves", "swap"]))
    if rule == "match":
        order = draw(st.permutations(range(count)))
        number = draw(st.integers(1, count // 2))
        fields["pairs"] = tuple(zip(order[::2], order[1::2], strict=False))[:number]
    elif rule == "moves":
        pair = st.permutations(range(count)).map(lambda p: (p[0], p[1]))
        moves = st.lists(pair, min_size=1, max_size=3).map(tuple)
        fields["moves"] = tuple(draw(st.lists(moves, min_size=1, max_size=3)))
        fields["directed"] = draw(st.booleans())
    else:
        after = tuple(range(count))
        before = draw(st.permutations(range(count)).map(tuple).filter(lambda p: p != after))
        fields |= dict(arrangement=before, restored=after)
        fields["most_moves"] = draw(st.sampled_from([None, count]))
    return Pairs(**fields)


def board(columns: int = 4, rows: int = 2) -> tuple[Zone, ...]:
    """Square items, 60 px, 8 px apart."""
    return tuple(
        Zone.of_box(Box.sized(300 + 68 * (k % columns), 400 + 68 * (k // columns), 60, 60))
        for k in range(columns * rows)
    )


def match(**changes) -> Pairs:
    """Eight items of which 0-5 and 3-6 belong together."""
    base = Pairs(items=board(), pairs=((0, 5), (3, 6)), submit=SUBMIT)
    return msgspec.structs.replace(base, **changes)


def taps(*items: int) -> list[Click]:
    return [Click(board()[item].center) for item in items]


def drags(*pairs: tuple[int, int]) -> list[Drag]:
    return [Drag(board()[a].center, board()[b].center) for a, b in pairs]


SEND = Click(SUBMIT.center)


@given(mechanics(), streams)
def test_predictions_hold(mechanic, stream):
    claims.predictions_hold(mechanic, stream)
    claims.step_keeps_worlds(mechanic, stream)
    claims.payload_survives(mechanic, stream)


@given(mechanics(), streams, maps)
def test_mapping_commutes_with_judging(mechanic, stream, page_from_panel):
    claims.mapping_commutes(mechanic, stream, page_from_panel)


@given(mechanics(), streams, sizes)
def test_grid_is_survived_when_said(mechanic, stream, size):
    claims.grid_is_survived_when_said(mechanic, stream, size)


@given(mechanics(), claims.any_actions)
def test_anything_is_judged(mechanic, actions):
    claims.anything_is_judged(mechanic, actions)


def test_junk_fails():
    claims.junk_fails(match())


def moving(**changes) -> Pairs:
    """One of two ways to move."""
    base = Pairs(items=board(), moves=(((0, 5),), ((1, 2), (2, 3))), directed=True)
    return msgspec.structs.replace(base, **changes)


@given(streams)
def test_other_pairs_directions_and_gestures_are_noticed(stream):
    claims.saboteur_is_caught(match(), match(pairs=((0, 5),)), stream)
    claims.saboteur_is_caught(match(), match(pairs=((0, 6), (3, 5))), stream)
    claims.saboteur_is_caught(match(), match(drag=True), stream)
    claims.saboteur_is_caught(match(), match(submit=None), stream)
    claims.saboteur_is_caught(match(), match(grow_css_px=2.2), stream)
    claims.saboteur_is_caught(moving(), moving(directed=False), stream)
    claims.saboteur_is_caught(moving(), moving(moves=(((5, 0),),)), stream)


@given(st.lists(st.integers(0, 7), max_size=6))
def test_a_match_is_the_set_of_its_pairs(order):
    picked, made, used = None, [], []
    for item in order:
        if picked is None:
            picked = item
        else:
            if picked != item:
                made.append({picked, item})
                used += [picked, item]
            picked = None
    right = picked is None and len(made) == 2 and {0, 5} in made and {3, 6} in made
    assert judge(match(), [*taps(*order), SEND]).passed is right


def test_every_order_of_pairs_and_within_pairs_matches():
    for first, second in product([(0, 5), (5, 0)], [(3, 6), (6, 3)]):
        assert judge(match(), [*taps(*first, *second), SEND]).passed
        assert judge(match(), [*taps(*second, *first), SEND]).passed
        assert judge(match(drag=True), [*drags(second, first), SEND]).passed


def test_reasons():
    cases = {
        "solved": [*taps(5, 0, 1, 1, 3, 6), SEND],
        "not_submitted": taps(0, 5, 3, 6),
        "no_taps": [SEND],
        "unpaired": [*taps(0, 5, 3), SEND],
        "item_reused": [*taps(0, 5, 5, 6), SEND],
        "wrong_pairs": [*taps(0, 5), SEND],
        "extra_action": [*drags((0, 5), (3, 6)), SEND],
    }
    assert {judge(match(), actions).reason: actions for actions in cases.values()} == cases
    assert judge(moving(), taps(5, 0)).reason == "wrong_moves"
    assert judge(moving(), taps(0, 5)).passed
    assert judge(moving(), taps(1, 2, 2, 3)).passed
    assert not judge(moving(), taps(2, 3, 1, 2)).passed
    assert judge(moving(directed=False), taps(5, 0)).passed


def restoring(**changes) -> Pairs:
    """Three items go round: two swaps restore them, in three ways."""
    base = Pairs(
        items=board(), arrangement=(1, 2, 0, 3, 4, 5, 6, 7), restored=tuple(range(8)),
        most_moves=2, parts=("p0", "p1", "p2", "p3", "", "", "", ""),
    )  # fmt: skip
    return msgspec.structs.replace(base, **changes)


def test_any_swaps_that_restore_pass_while_they_are_few_enough():
    solving = [
        order for order in product(range(3), repeat=4) if judge(restoring(), taps(*order)).passed
    ]
    swaps = {tuple(frozenset(order[k : k + 2]) for k in (0, 2)) for order in solving}
    assert len(swaps) == 3
    longer = taps(*solving[0], 4, 5, 5, 4)
    assert judge(restoring(), longer).reason == "too_many_moves"
    assert judge(restoring(most_moves=None), longer).passed
    assert judge(restoring(), taps(0, 1)).reason == "wrong_arrangement"


@given(st.permutations(range(8)), st.booleans())
def test_golds_use_the_fewest_swaps(before, drag):
    if list(before) == sorted(before):
        return
    mechanic = restoring(arrangement=tuple(before), most_moves=None, drag=drag)
    seen, cycles = set(), 0
    for home in range(8):
        cycles += home not in seen
        while home not in seen:
            seen.add(home)
            home = before[home]
    gold = mechanic.gold(Stream("swaps"))
    assert len(gold) == (8 - cycles) * (1 if drag else 2)
    assert judge(mechanic, gold).passed


def test_equal_labels_are_interchangeable():
    mechanic = restoring(arrangement=(1, 0, 0, 1) + (7,) * 4, restored=(0, 0, 1, 1) + (7,) * 4)
    assert mechanic.swaps() == [(0, 2)]
    assert judge(mechanic, taps(0, 2)).passed
    assert judge(mechanic, taps(0, 1, 1, 2)).passed
    assert not judge(mechanic, taps(0, 1)).passed


def test_what_is_picked_is_outlined_and_pairs_are_joined():
    mechanic = match()
    marks = mechanic.pose(replay(mechanic, taps(5, 0, 3))).marks
    assert [mark.kind for mark in marks] == ["polyline", "outline"]
    assert marks[0].points == (board()[5].center, board()[0].center)
    assert marks[1].points == board()[3].corners
    assert not mechanic.pose(replay(mechanic, taps(3, 3))).marks


def test_swaps_carry_the_parts_along():
    mechanic = restoring()
    pose = mechanic.pose(replay(mechanic, taps(0, 1, 1, 5)))
    moved = {name: (part.dx, part.dy) for name, part in pose.parts.items()}
    assert moved == {"p0": (68, 68), "p1": (-68, 0), "p2": (0, 0), "p3": (0, 0)}
    twice = mechanic.mapped(PlaneMap.scale(2))
    scaled = [Click(Point(2 * tap.point.x, 2 * tap.point.y)) for tap in taps(0, 1)]
    assert twice.pose(replay(twice, scaled)).parts["p0"].dx == 136


def test_a_drag_that_ends_on_no_other_item_fails():
    mechanic = match(drag=True, submit=None)
    center = board()[0].center
    for end in (Point(center.x + 20, center.y), Point(363, 430), Point(100, 100)):
        assert judge(mechanic, [Drag(center, end), *drags((0, 5), (3, 6))]).score == 0
    assert judge(mechanic, [*taps(0, 5), *drags((3, 6))]).passed


def test_the_nearer_of_two_grown_items_has_the_tap():
    items = (Zone.of_box(Box(300, 400, 360, 460)), Zone.of_box(Box(362, 400, 420, 460)))
    mechanic = Pairs(items=items, pairs=((0, 1),))
    assert mechanic.item_at(Point(360.9, 430)) == 0 and mechanic.item_at(Point(361.1, 430)) == 1


def test_goal_slots():
    assert match().goal_slots() == {
        "handle": "items", "gesture": "tap", "rule": "match", "submit": "button",
    }  # fmt: skip
    assert restoring(drag=True).goal_slots()["rule"] == "swap"


@pytest.mark.parametrize(
    "changes",
    [dict(pairs=()), dict(moves=(((0, 1),),)), dict(pairs=((0, 0),)), dict(pairs=((0, 8),)),
     dict(pairs=((0, 1), (1, 2))), dict(items=board()[:1]), dict(parts=("a",)),
     dict(pairs=(), moves=((),)), dict(submit=Box(310, 410, 330, 420)),
     dict(pairs=(), restored=tuple(range(8)), arrangement=tuple(range(8))),
     dict(pairs=(), restored=tuple(range(8)), arrangement=(1,) * 8),
     dict(pairs=(), restored=(0, 1), arrangement=(1, 0)),
     dict(pairs=(), restored=tuple(range(8)), arrangement=(1, 2, 0, 3, 4, 5, 6, 7), most_moves=1)],
)  # fmt: skip
def test_impossible_parameters_are_refused(changes):
    with pytest.raises(InvalidOptions):
        match(**changes)
