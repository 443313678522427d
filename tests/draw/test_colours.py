"""Distances are those that were published; names are given where people agree, else withheld."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from factory.core.errors import InvalidOptions, Rejected
from factory.core.rng import Stream
from factory.draw.colour_names import (
    GUARD,
    NAMES,
    SHADES,
    TELL_APART,
    called,
    ciede2000,
    colour_name,
    distance,
    lab,
    named_colour,
    named_palette,
)
from factory.draw.colours import contrast
from factory.draw.tones import Tone

# Test data of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula" (2005), table 1.
SHARMA = np.array([
    [50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425],
    [50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615],
    [50, 2.8361, -74.0200, 50, 0, -82.7485, 3.4412], [50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0],
    [50, -1.1848, -84.8006, 50, 0, -82.7485, 1.0], [50, -0.9009, -85.5211, 50, 0, -82.7485, 1.0],
    [50, 0, 0, 50, -1, 2, 2.3669], [50, -1, 2, 50, 0, 0, 2.3669],
    [50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792], [50, 2.49, -0.001, 50, -2.49, 0.0010, 7.1792],
    [50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195], [50, 2.49, -0.001, 50, -2.49, 0.0012, 7.2195],
    [50, -0.001, 2.49, 50, 0.0009, -2.49, 4.8045], [50, -0.001, 2.49, 50, 0.0010, -2.49, 4.8045],
    [50, -0.001, 2.49, 50, 0.0011, -2.49, 4.7461], [50, 2.5, 0, 50, 0, -2.5, 4.3065],
    [50, 2.5, 0, 73, 25, -18, 27.1492], [50, 2.5, 0, 61, -5, 29, 22.8977],
    [50, 2.5, 0, 56, -27, -3, 31.9030], [50, 2.5, 0, 58, 24, 15, 19.4535],
    [50, 2.5, 0, 50, 3.1736, 0.5854, 1.0], [50, 2.5, 0, 50, 3.2972, 0, 1.0],
    [50, 2.5, 0, 50, 1.8634, 0.5757, 1.0], [50, 2.5, 0, 50, 3.2592, 0.3350, 1.0],
    [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
    [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.2630],
    [61.2901, 3.7196, -5.3901, 61.4292, 2.2480, -4.9620, 1.8731],
    [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
    [22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373],
    [36.4612, 47.8580, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
    [90.8027, -2.0831, 1.4410, 91.1528, -1.6435, 0.0447, 1.4441],
    [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
    [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
    [2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082],
])  # fmt: skip

PRINTED = 5.1e-5
"""The table prints four decimals."""


def test_distances_are_the_published_ones() -> None:
    found = ciede2000(SHARMA[:, :3], SHARMA[:, 3:6])
    assert np.abs(found - SHARMA[:, 6]).max() < PRINTED


def test_distance_is_symmetric_and_zero_for_equals() -> None:
    found = ciede2000(SHARMA[:, 3:6], SHARMA[:, :3])
    assert np.abs(found - SHARMA[:, 6]).max() < PRINTED
    assert distance("#3366cc", (0x33, 0x66, 0xCC)) == 0.0


def test_lab_of_known_colours() -> None:
    """White, black and the sRGB primaries (Lindbloom's figures for D65, two decimals)."""
    known = {
        (255, 255, 255): (100, 0, 0), (0, 0, 0): (0, 0, 0), (255, 0, 0): (53.24, 80.09, 67.20),
        (0, 255, 0): (87.73, -86.18, 83.18), (0, 0, 255): (32.30, 79.19, -107.86),
    }  # fmt: skip
    for rgb, expected in known.items():
        assert lab(rgb) == pytest.approx(expected, abs=0.02)


def test_every_listed_shade_has_its_name() -> None:
    for name, shades in SHADES.items():
        for shade in shades:
            assert colour_name(shade) == name, (name, shade)


def test_shades_of_different_names_are_apart() -> None:
    for (name, shades), (other, more) in combinations(SHADES.items(), 2):
        least = min(distance(a, b) for a in shades for b in more)
        assert least >= GUARD, (name, other, least)


@pytest.mark.parametrize(
    "between", ["#00a0a0", "#b8c400", "#c71f7d", "#cc5500", "#d2c29a", "#46484c"]
)
def test_colours_between_names_have_none(between: str) -> None:
    assert colour_name(between) is None


def test_names_are_called_in_both_languages() -> None:
    assert called("purple", "en") == "purple"
    assert called("purple", "zh") == "紫色"
    assert len({zh for _, zh in NAMES.values()}) == len(NAMES) == 11
    with pytest.raises(InvalidOptions, match="no colour 'mauve'"):
        called("mauve", "en")


def test_drawn_shades_keep_their_name_and_vary() -> None:
    for name in NAMES:
        drawn = {named_colour(Stream(f"{name}-{n}"), name) for n in range(30)}
        assert {colour_name(colour) for colour in drawn} == {name}
        assert len(drawn) > 8, name


def test_palettes_are_told_apart_and_read_on_their_ground() -> None:
    tone = Tone(0.42, 1.0)
    for number in range(40):
        palette = named_palette(Stream(f"palette-{number}"), 4, tone)
        assert len(palette) == 4
        assert all(contrast(colour, "#ffffff") >= 3.0 for colour in palette.values())
        assert all(colour_name(colour) == name for name, colour in palette.items())
        for a, b in combinations(palette.values(), 2):
            assert distance(a, b) >= TELL_APART


def test_what_cannot_be_read_is_rejected() -> None:
    with pytest.raises(Rejected, match="no yellow reads on this ground"):
        named_colour(Stream("y"), "yellow", Tone(0.8, 1.0))
    with pytest.raises(Rejected, match="too few colours read here"):
        named_palette(Stream("many"), 11, Tone(0.8, 1.0))
