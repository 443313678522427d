"""The suite's own instruments measure what they say."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from factory.core.rng import Stream
from factory.testing.placements import placements
from factory.testing.sameness import hidden_segments
from factory.testing.statistics import (
    binomial_ceiling,
    chi_square_tail,
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


def test_written_placements_lie_on_their_canvas() -> None:
    for placement in placements("slider"):
        panel = placement.canvas_from_panel.box(placement.boxes["panel"])
        assert panel.x0 >= 0 and panel.y0 >= 0
        assert panel.x1 <= placement.width_px and panel.y1 <= placement.height_px
        assert all(placement.boxes["panel"].holds(box) for box in placement.boxes.values())
