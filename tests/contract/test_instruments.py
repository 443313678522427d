"""The suite's own instruments measure what they say."""

from __future__ import annotations

import importlib
from collections import Counter

import cv2
import numpy as np
import pytest
import skia

from factory.core.geometry import Box, Point
from factory.core.mechanics import mechanic_names
from factory.core.mechanics.cells import Cells
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Control, PanelRequest
from factory.core.rng import Stream
from factory.draw.colours import contrast
from factory.draw.text import Face, draw_line
from factory.draw.tokens import tokens_named
from factory.testing.answers import AnswerSpace
from factory.testing.answers.cells import Space as CellSpace
from factory.testing.answers.space import Room
from factory.testing.answers.taps import hit, matched
from factory.testing.looks import distances
from factory.testing.placements import placements
from factory.testing.probes import accuracy, majority, one_hot
from factory.testing.rightness import judge_faults
from factory.testing.sight import LEAST_CONTRAST, text_contrast
from factory.testing.silence import hidden_segments
from factory.testing.statistics import (
    binomial_ceiling,
    chi_square_tail,
    fit_tail,
    independence_tail,
    percentile,
    uniform_tail,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(3, 21.108), (5, 25.745), (12, 39.134), (19, 50.795), (40, 82.062)]
)
def test_chi_square_tail_is_right_at_the_level_in_use(freedom: int, quantile: float) -> None:
    assert chi_square_tail(quantile, freedom) == pytest.approx(1e-4, rel=0.4)


def test_even_values_are_called_even_and_bent_ones_are_not() -> None:
    stream = Stream("even")
    even = [stream.random() for _ in range(2000)]
    assert uniform_tail(even, 20) > 1e-3
    assert uniform_tail([value**1.2 for value in even], 20) < 1e-6


def test_dependence_is_seen() -> None:
    stream = Stream("pairs")
    pairs = [(stream.integer(0, 4), stream.integer(0, 6)) for _ in range(3000)]
    assert independence_tail(pairs) > 1e-3
    assert independence_tail([(a, (a + b // 3) % 4) for a, b in pairs]) < 1e-6


def test_binomial_ceiling_is_exceeded_as_rarely_as_it_says() -> None:
    assert binomial_ceiling(2000, 0.0741, 1e-4) == 194
    assert binomial_ceiling(10, 1.0, 1e-4) == 10
    assert binomial_ceiling(10, 0.0, 1e-4) == 0
    stream = Stream("coins")
    ceiling = binomial_ceiling(50, 0.1, 0.05)
    heads = Counter(sum(stream.chance(0.1) for _ in range(50)) > ceiling for _ in range(4000))
    assert heads[True] / 4000 <= 0.06


def test_percentile_is_one_of_the_values() -> None:
    assert percentile(list(range(1, 101)), 0.99) == 99
    assert percentile([7.0], 0.99) == 7.0


def test_text_in_pictures_is_found() -> None:
    pixels = np.full((16, 16, 3), 200, np.uint8)
    jpeg = cv2.imencode(".jpg", pixels)[1].tobytes()
    png = cv2.imencode(".png", pixels)[1].tobytes()
    assert hidden_segments(jpeg) == [] and hidden_segments(png) == []
    comment = b"\xff\xfe\x00\x08answer"
    exif = b"\xff\xe1\x00\x08Exif\x00\x00"
    assert hidden_segments(jpeg[:2] + comment + exif + jpeg[2:]) == ["COM", "APP1"]
    text = b"\x00\x00\x00\x02tEXta\x00\x00\x00\x00\x00"
    assert hidden_segments(png[:-12] + text + png[-12:]) == ["tEXt"]


PANELS = {
    "slider": PanelRequest(controls=(Control("slider", words="turn"),)),
    "field": PanelRequest(controls=(Control("field"),), submit="either"),
    "stepper": PanelRequest(controls=(Control("stepper"),), submit="always"),
    "options": PanelRequest(controls=(Control("options", count=5),), strip=48),
    "skip": PanelRequest(frame="none", submit="either", skip=True),
}


@pytest.mark.parametrize("request_", PANELS.values(), ids=PANELS.keys())
def test_written_placements_lie_on_their_canvas_at_three_scales(request_: PanelRequest) -> None:
    found = list(placements(request_))
    assert [place.dpr for place in found] == [1.0, 2.0, 3.0] * 3
    for place in found:
        panel = place.canvas_from_panel.box(place.boxes["panel"])
        assert panel.x0 >= 0 and panel.y0 >= 0
        assert panel.x1 <= place.width_px and panel.y1 <= place.height_px
        assert all(place.boxes["panel"].holds(box) for box in place.boxes.values())
    buttons = {place.submit is not None for place in found}
    assert buttons == {"either": {True, False}, "always": {True}, "never": {False}}[request_.submit]


def numbers(count: int, columns: int, name: str) -> np.ndarray:
    stream = Stream(name)
    return np.array([[stream.normal() for _ in range(columns)] for _ in range(count)])


def test_probes_find_a_line_and_a_corner_and_nothing_in_noise() -> None:
    noise = numbers(1000, 12, "noise")
    even = [Stream(f"value {k}").integer(0, 4) for k in range(1000)]
    assert accuracy(noise, even) < majority(even) + 0.05
    line = [bool(row[3] + row[7] > 0) for row in noise]
    assert accuracy(noise, line) > 0.95
    corner = [bool(row[2] > 0.5 and row[5] > 0.5) for row in noise]
    assert accuracy(noise, corner) > 0.95 > majority(corner)


def test_probes_read_names_as_well_as_numbers() -> None:
    names = [Stream(f"name {k}").choice(("a", "b", "c", "d")) for k in range(600)]
    assert accuracy(one_hot({"name": names}), names) == 1.0
    assert one_hot({"same": ["x"] * 5}).shape[1] == 0


def test_fit_tail_judges_counts_by_their_weights() -> None:
    assert fit_tail([500, 250, 250], [0.5, 0.25, 0.25]) > 0.99
    assert fit_tail([400, 300, 300], [0.5, 0.25, 0.25]) < 1e-6
    assert fit_tail([10, 1], [1.0, 0.0]) == 0.0


def test_hashes_differ_by_their_bits() -> None:
    assert distances([0, 1, 2**64 - 1]).tolist() == [[0, 1, 64], [1, 0, 63], [64, 63, 0]]


def test_every_mechanic_has_a_notion_of_answers() -> None:
    """A new mechanic brings a module of its name to ``factory/testing/answers``."""
    for name in mechanic_names():
        assert issubclass(importlib.import_module(f"factory.testing.answers.{name}").Space,
                          AnswerSpace)  # fmt: skip


def test_places_in_a_zone_are_told_apart_from_its_border() -> None:
    zones = (Zone.disc((20, 20), 10), Zone.disc((60, 20), 10))
    assert hit(0, 0, zones, 0.0) is True and hit(1, 0, zones, 0.0) is False
    assert hit(Point(20, 29.8), 0, zones, 0.0) is None
    assert matched((Point(60, 20), Point(20, 20)), (0, 1), zones, 0.0) is True
    assert matched((Point(60, 20), Point(61, 20)), (0, 1), zones, 0.0) is False


def test_a_judge_may_be_off_as_often_as_it_owns_to() -> None:
    def faults(misses: int, tried: int, owned: float) -> list[str]:
        said = [f"sample {index} is off" for index in range(misses)]
        return list(judge_faults(said, tried, tried - misses, owned))

    assert not faults(0, 8, 0.0)
    assert faults(1, 8, 0.0) == ["sample 0 is off"]
    assert not faults(2, 8, 0.02)
    assert not faults(10, 500, 0.02)
    assert len(faults(40, 500, 0.02)) == 41
    assert "owns to 20%" in faults(0, 8, 0.2)[0]


@pytest.mark.parametrize("size", [13, 16])
@pytest.mark.parametrize("tokens", ["fern-light", "ochre-light", "indigo-light"])
@pytest.mark.parametrize(("stated", "enough"), [(5.2, True), (4.1, False)])
def test_small_text_is_readable_or_pale_as_its_colours_are(
    size: int, tokens: str, stated: float, enough: bool
) -> None:
    """Drawn at one px a CSS px and packed as JPEG, where strokes are blends of ink and ground."""
    faces, ground = (Face(str(tokens_named(tokens).font.path())),), (244, 247, 244)
    ink = next((g,) * 3 for g in range(244, 0, -1) if contrast((g,) * 3, ground) >= stated)
    sheet = skia.Surface(260, 60)
    with sheet as canvas:
        canvas.clear(skia.Color(*ground))
        draw_line(canvas, "Type how many arrows it covers", faces, size, ink, Box(0, 10, 260, 50))
    pixels = np.ascontiguousarray(sheet.toarray(colorType=skia.kBGRA_8888_ColorType)[..., :3])
    packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    measured = text_contrast(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    assert (measured >= LEAST_CONTRAST) is enough, measured


def test_cells_of_one_picture_hang_together_and_tiles_of_a_board_do_not() -> None:
    """Two pieces on a grid of sixteen lie anywhere; four tiles of a board are any four."""
    for gap, chance in ((2.0, 1 / 16**2), (6.0, 1 / 1820)):
        cells = tuple(
            Box.sized(column * (40.0 + gap), row * (40.0 + gap), 40.0, 40.0)
            for row in range(4)
            for column in range(4)
        )
        mechanic = Cells(cells=cells, answer=(0, 1, 10, 14))
        space = CellSpace(mechanic=mechanic, gold=(), slot=Box(0, 0, 200, 200))
        assert space.chance(Room()) == pytest.approx(chance)
