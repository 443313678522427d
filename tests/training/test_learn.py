"""What a small model learns: every mechanic can be asked and answered, and nothing is imagined."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec

import cv2
import msgspec
import numpy as np
import pytest

from factory.cli import check_learn
from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import AnyMechanic, Similarity, judge, mechanic_names
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.choice import Choice
from factory.core.mechanics.drop import Drop, Piece, Target
from factory.core.mechanics.hold import Hold
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.mechanics.pairs import Pairs
from factory.core.mechanics.points import Points
from factory.core.mechanics.slide import Slide
from factory.core.mechanics.stepper import Axis, Stepper
from factory.core.mechanics.text_entry import TextEntry
from factory.core.mechanics.text_fields import Field
from factory.core.mechanics.timed_point import Keyframe, TimedPoint
from factory.core.mechanics.trace import Trace
from factory.core.mechanics.zones import Zone
from factory.core.rng import Stream
from training.lib.answers import Text
from training.lib.examples import SIDE_PX, Example, panel_of
from training.lib.readers import READERS, constant_readers, reader_of
from training.lib.scores import Rate, best_constant, pass_rate, wilson

needs_torch = [
    pytest.mark.train,
    pytest.mark.skipif(
        not find_spec("torch"), reason="torch is not installed; run `make train-extra`"
    ),
]

SEEN = Similarity(1.0, -100.0, -50.0)
"""The panel is 64 px wide, at (100, 50) of the canvas: a ninth of the input, which is quick."""
SUBMIT = Box.sized(140, 104, 20, 8)
CORNERS = (Point(110, 60), Point(130, 60), Point(150, 60), Point(110, 80), Point(130, 80))


def disc(center: Point, radius: float = 5.0) -> Zone:
    return Zone.disc(center, radius)


def tile(k: int) -> Box:
    return Box.sized(104 + 14 * (k % 4), 54 + 14 * (k // 4), 12, 12)


def slide(target: float, **fields) -> Slide:
    """A handle on a track of 50 px under the picture; ``target`` in px unless a judge is given."""
    track, handle = Box.sized(102, 100, 60, 10), Box.sized(102, 100, 10, 10)
    known = {"judge": "offset", "tol": 3.0, **fields}
    return Slide(handle=handle, track=track, travel_px=50.0, target=target, **known)


AREA = Box.sized(102, 52, 60, 50)
NEXT, PREV = Box.sized(120, 104, 8, 8), Box.sized(104, 104, 8, 8)
TILES = tuple(map(tile, range(8)))

ASKED: dict[str, AnyMechanic] = {
    "slide by px": slide(20.0),
    "slide that turns": slide(0.0, judge="angle", start_value=200.0, gain_per_px=7.2, tol=10.0),
    "slide that turns back": slide(
        0.0, judge="angle", start_value=200.0, gain_per_px=-7.2, tol=10.0, submit=SUBMIT
    ),
    "slide to the end": slide(1.0, judge="end", tol=0.03),
    "slide to the left": slide(20.0, sign=-1, submit=SUBMIT),
    "slide by steps": slide(3.0, judge="step", steps=5, tol=0.0),
    "ordered points": OrderedPoints(
        targets=(disc(CORNERS[2]), disc(CORNERS[0]), disc(CORNERS[3])), area=AREA, submit=SUBMIT
    ),
    "points": Points(targets=tuple(map(disc, CORNERS[:3])), area=AREA),
    "any two points": Points(targets=tuple(map(disc, CORNERS)), area=AREA, need=2, submit=SUBMIT),
    "points of a subset": Points(
        targets=tuple(map(disc, CORNERS)), area=AREA, accepted=((0, 3), (1, 2, 4)), submit=SUBMIT
    ),
    "cells": Cells(cells=TILES, answer=(6, 1), submit=SUBMIT),
    "no cell": Cells(cells=TILES, answer=(), skip=Box.sized(104, 104, 20, 8), submit=SUBMIT),
    "one cell": Cells(cells=TILES, answer=(5,), mode="radio"),
    "choice": Choice(options=TILES[:4], answer=(2, 3), submit=SUBMIT),
    "stepper": Stepper.of(next=NEXT, prev=PREV, count=8, start=2, targets=(0,), submit=SUBMIT),
    "stepper that stops": Stepper.of(
        next=NEXT, prev=PREV, count=6, start=4, targets=(1,), wrap=False
    ),
    "two dials": Stepper(
        axes=(
            Axis(next=TILES[0], prev=TILES[1], count=5, start=3, targets=(1,)),
            Axis(next=TILES[2], count=12, start=3, targets=(2,)),
        ),
        submit=SUBMIT,
    ),
    "pairs": Pairs(
        items=tuple(Zone.of_box(box) for box in TILES), pairs=((6, 1), (0, 3)), submit=SUBMIT
    ),
    "a move": Pairs(
        items=tuple(Zone.of_box(box) for box in TILES), moves=(((6, 1), (1, 2)),), directed=True
    ),
    "swaps": Pairs(
        items=tuple(Zone.of_box(box) for box in TILES), drag=True,
        arrangement=(1, 2, 0, 3, 4, 5, 6, 7), restored=tuple(range(8)), most_moves=2,
    ),
    "drop": Drop((Piece("a", TILES[4], ("gap",)),), (Target("gap", CORNERS[2]),)),
    "drop of two": Drop(
        (Piece("b", TILES[5], ("y",)), Piece("a", TILES[4], ("x",)), Piece("decoy", TILES[7])),
        (Target("x", CORNERS[2]), Target("y", zone=disc(CORNERS[0]))),
        submit=SUBMIT,
    ),
    "text entry": TextEntry(fields=(Field(TILES[4], ("aB3",)),), submit=SUBMIT),
    "two texts": TextEntry(
        fields=(Field(TILES[4], ("ABC",)), Field(TILES[6], ("17", "18"), kind="number")),
        case_sensitive=False,
    ),
    "trace": Trace((Point(150, 90), Point(140, 60), Point(110, 60)), 6.0, submit=SUBMIT),
    "trace either way": Trace(
        (Point(150, 60), Point(120, 60), Point(110, 90)), 6.0, direction="free"
    ),
    "hold": Hold(Zone.of_box(TILES[5]), 2500.0, 1500.0, submit=SUBMIT),
    "timed point": TimedPoint(
        (Keyframe(0.0, 110.0, 60.0), Keyframe(4000.0, 150.0, 90.0)), 6.0, submit=SUBMIT
    ),
    "next place": TimedPoint((Keyframe(0.0, 130.0, 70.0),), 6.0),
}  # fmt: skip
"""Mechanics whose answers are read, in the ways that they can be set up."""


def example(mechanic: AnyMechanic, **fields) -> Example:
    blank = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    gold = tuple(mechanic.gold(Stream("gold")))
    return replace(Example(blank, SEEN, mechanic, gold), **fields)


@pytest.mark.parametrize("name", ASKED)
def test_the_target_of_a_puzzle_solves_it(name: str) -> None:
    asked = example(ASKED[name])
    for reader in constant_readers(asked):
        actions = reader.actions(asked, reader.target(asked))
        assert judge(asked.mechanic, actions).reason == "solved"


@pytest.mark.parametrize("name", ASKED)
def test_a_target_is_one_value_that_can_be_a_constant(name: str) -> None:
    asked = example(ASKED[name])
    again = example(ASKED[name], gold=tuple(ASKED[name].gold(Stream("another gold"))))
    reader = reader_of(asked)
    assert hash(reader.target(asked)) == hash(reader.target(asked))
    if reader is READERS.get(asked.tag) and asked.tag != "points":  # a set is read from its gold
        assert reader.target(again) == reader.target(asked)


def test_every_reader_is_of_a_mechanic_and_tried_here() -> None:
    tried = {example(mechanic).tag for mechanic in ASKED.values()}
    assert set(READERS) | {"slide", "hold", "timed_point"} == tried
    assert tried <= set(mechanic_names())


def test_an_answer_is_never_better_than_what_it_says() -> None:
    asked = example(ASKED["text entry"])
    reader = reader_of(asked)
    for wrong in ("", "aB", "ab3", "aB33"):
        assert not judge(asked.mechanic, reader.actions(asked, Text(wrong))).passed


def test_a_mechanic_of_several_unknown_actions_is_refused_by_name() -> None:
    asked = example(ASKED["hold"])
    unknown = replace(asked, gold=asked.gold * 2)
    with pytest.raises(InvalidOptions, match=r"'hold'.*training/lib/readers\.py"):
        reader_of(unknown)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.2, 4.5])
def test_the_panel_keeps_its_places_at_any_size(scale: float) -> None:
    """Sizes that the decoder reduces by 1, 2 and 4; the map is right to an input px."""
    box = [40 * scale, 24 * scale, 240 * scale, 224 * scale]
    canvas = np.full((round(300 * scale), round(400 * scale), 3), 90, np.uint8)
    x, y = round(100 * scale), round(64 * scale)
    cv2.circle(canvas, (x, y), round(8 * scale), (255, 255, 255), -1)
    encoded = cv2.imencode(".jpg", canvas)[1].tobytes()
    picture, input_from_canvas = panel_of(encoded, box)
    ys, xs = np.nonzero(picture[:, :, 0] > 180)
    at = input_from_canvas.point((x + 0.5, y + 0.5))  # OpenCV means the middle of the pixel
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)
    assert math.dist((xs.mean() + 0.5, ys.mean() + 0.5), at) < 1.0


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (9, 10, 0.5958, 0.9821), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(passed: int, n: int, low: float, high: float) -> None:
    """Values from the printed tables of Newcombe 1998, method 3, to four places."""
    assert wilson(passed, n) == pytest.approx((low, high), abs=5e-5)


def test_the_best_constant_is_the_most_frequent_answer() -> None:
    right = [(5,)] * 6 + [(2,)] * 9 + [(1,)] * 5
    examples = [example(msgspec.structs.replace(ASKED["one cell"], answer=a)) for a in right]
    assert pass_rate(examples, best_constant(examples)) == Rate(9, 20)


def test_the_best_constant_of_an_angle_may_be_a_drag() -> None:
    """One length of drag solves all, though the pictures lean both ways."""
    turned = ASKED["slide that turns"]
    both = [(200.0, 7.2), (160.0, -7.2)]
    examples = [
        example(msgspec.structs.replace(turned, start_value=lean, gain_per_px=gain))
        for lean, gain in both * 5
    ]
    assert pass_rate(examples, best_constant(examples)) == Rate(10, 10)


def test_without_torch_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_learn, "find_spec", lambda name: None)
    with pytest.raises(DependencyMissing, match=r"make train-extra.*gui-data-factory\[train\]"):
        check_learn.check_learn("rotate", samples=400, minutes=1.0, echo=print)


def test_the_other_source_is_pictured_things_or_the_last_kind() -> None:
    assert check_learn.held_out(["sea", "icon", "room", "photo"]) == ["icon", "photo"]
    assert check_learn.held_out(["dots", "bars", "waves"]) == ["waves"]
    assert check_learn.held_out(["icon", "emoji3d"]) == ["emoji3d"]
    assert check_learn.held_out(["sea"]) == []


# What models learn. Each puzzle below shows its answer plainly: bright marks at places.


def shown(mechanic: AnyMechanic, marks: Sequence[tuple[Point, int]], stream: Stream) -> Example:
    """Marks of 6 px on noise: at a canvas point, in one of the three colours."""
    noise = np.array([stream.integer(0, 60) for _ in range(64)], np.uint8).reshape(8, 8, 1)
    picture = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    picture[:64, :64] = np.kron(noise, np.ones((8, 8, 3), np.uint8))
    for point, colour in marks:
        x, y = (round(v) for v in SEEN.point(point))
        picture[y - 3 : y + 3, x - 3 : x + 3, colour] = 255
    return example(mechanic, picture=picture)


def a_point(stream: Stream) -> Point:
    return Point(stream.uniform(108, 156), stream.uniform(58, 96))


def a_slide(stream: Stream) -> Example:
    share = stream.uniform(5.0, 45.0)
    return shown(slide(share), [(Point(107 + share, 80), 0)], stream)


def a_turn(stream: Stream) -> Example:
    turn = stream.uniform(20.0, 340.0)
    angle = math.radians(turn)
    mark = Point(132 + 20 * math.cos(angle), 82 + 20 * math.sin(angle))
    turned = slide(0.0, judge="angle", start_value=-turn, gain_per_px=7.2, tol=10.0)
    return shown(turned, [(mark, 1)], stream)


def two_in_order(stream: Stream) -> Example:
    first, second = a_point(stream), a_point(stream)
    mechanic = OrderedPoints(targets=(disc(first), disc(second)), area=AREA)
    return shown(mechanic, [(first, 0), (second, 2)], stream)


def some_points(stream: Stream) -> Example:
    places = stream.sample(CORNERS, stream.integer(1, 4))
    mechanic = Points(targets=tuple(map(disc, places)), area=AREA)
    return shown(mechanic, [(place, 1) for place in places], stream)


def some_tiles(stream: Stream) -> Example:
    chosen = tuple(sorted(stream.sample(range(8), stream.integer(1, 4))))
    mechanic = Cells(cells=TILES, answer=chosen)
    return shown(mechanic, [(TILES[k].center, 1) for k in chosen], stream)


def a_word(stream: Stream) -> Example:
    """Three signs, each told by the row of its mark."""
    rows = [stream.integer(0, 4) for _ in range(3)]
    marks = [(Point(112 + 16 * k, 60 + 8 * row), 1) for k, row in enumerate(rows)]
    entry = TextEntry(fields=(Field(NEXT, ("".join("ABCD"[row] for row in rows),)),))
    return shown(entry, marks, stream)


def a_count(stream: Stream) -> Example:
    steps = stream.integer(1, 6)
    dial = Stepper.of(next=NEXT, count=8, targets=(steps,))
    return shown(dial, [(Point(108 + 8 * steps, 70), 1)], stream)


ROUNDS = 8
"""Rounds over the examples below that teach all of these puzzles, in seconds."""

PUZZLES: tuple[Callable[[Stream], Example], ...] = (
    a_slide, a_turn, two_in_order, some_points, some_tiles, a_word, a_count,
)  # fmt: skip


def examples_of(puzzle: Callable[[Stream], Example], n: int, name: str) -> list[Example]:
    return [puzzle(Stream(f"{name}|{k}")) for k in range(n)]


def learned_from(train: list[Example], test: list[Example], rounds: int = ROUNDS):
    from training.learn import learn

    return learn(train, {"same": test}, rounds=rounds, cpu_s=120.0, threads=1)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.__name__)
class TestModels:
    pytestmark = needs_torch

    def test_what_is_plain_to_see_is_learned(self, puzzle: Callable[[Stream], Example]) -> None:
        train, test = examples_of(puzzle, 600, "train"), examples_of(puzzle, 200, "test")
        found = learned_from(train, test).tests["same"]
        assert found.learned
        assert found.model.value > 0.6 > 2 * found.constant.value, found


class TestHonesty:
    pytestmark = needs_torch

    @pytest.mark.parametrize("puzzle", [a_slide, some_tiles])
    def test_nothing_is_learned_from_pictures_of_other_puzzles(
        self, puzzle: Callable[[Stream], Example]
    ) -> None:
        train, test = examples_of(puzzle, 600, "train"), examples_of(puzzle, 200, "test")
        for examples in (train, test):
            pictures = [e.picture for e in examples]
            examples[:] = [replace(e, picture=pictures[k - 1]) for k, e in enumerate(examples)]
        assert not learned_from(train, test, rounds=6).learns

    def test_the_same_seed_gives_the_same_answers(self) -> None:
        from training.lib.fit import fit

        train, test = examples_of(a_slide, 300, "train"), examples_of(a_slide, 50, "test")
        first, second, other = (
            fit(train, seed=seed, rounds=2, threads=1).answers(test) for seed in (0, 0, 1)
        )
        assert first == second
        assert first != other
