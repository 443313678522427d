"""Textures are seeded, seamless and centred."""

from __future__ import annotations

import numpy as np
import pytest

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from factory.draw.textures import SURFACES, grain, texture


@pytest.mark.parametrize("surface", SURFACES)
def test_field_follows_its_stream_and_is_centred(surface: str) -> None:
    field = texture(surface, Stream("a"), side=128)
    assert field.shape == (128, 128)
    assert 0.0 <= field.min() < field.max() <= 1.0
    assert abs(float(field.mean()) - 0.5) < 0.02
    assert texture(surface, Stream("a"), side=128) is field
    assert not np.array_equal(texture(surface, Stream("b"), side=128), field)


@pytest.mark.parametrize("surface", ["clouds", "paper"])
def test_soft_fields_tile_without_a_seam(surface: str) -> None:
    field = texture(surface, Stream("seam"), side=128)
    for seam, inside in (
        (field[:, 0] - field[:, -1], np.diff(field, axis=1)),
        (field[0] - field[-1], np.diff(field, axis=0)),
    ):
        assert np.abs(seam).mean() < 2.0 * np.abs(inside).mean()


def test_unknown_surface_is_named() -> None:
    with pytest.raises(InvalidOptions, match="paper"):
        texture("velvet", Stream("v"))


def test_grain_swings_about_the_colour_and_stays_in_range() -> None:
    pixels = np.full((100, 300, 3), 128, np.uint8)
    grain(pixels, texture("paper", Stream("g")), 20.0)
    assert abs(float(pixels.mean()) - 128) < 1.5
    assert 116 <= pixels.min() < pixels.max() <= 140
    white = np.full((10, 10, 3), 255, np.uint8)
    grain(white, texture("paper", Stream("g")), 20.0)
    assert white.max() == 255
