"""The fast way to the pixels of a screenshot gives the pixels of the general way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from factory.core.errors import RenderFailed
from factory.web.paint import decode_png
from factory.web.verdict import Desk, Window
from factory.web.verdict.pixels import RGB_8_BIT, rgb_of

BUSY = (
    "<h1>Words</h1><button>B</button><p style='height:300px;background:linear-gradient(red,#0f8)'>"
)


@pytest.mark.parametrize("dpr", [1.0, 1.25, 2.0])
def test_screenshot_has_the_pixels_that_a_decoder_finds(desk: Desk, dpr: float) -> None:
    png = desk.check_body("data:text/html,<body>", BUSY, Window(401, 333, dpr)).png
    assert png[24:29] == RGB_8_BIT  # else the fast way is never taken
    assert np.array_equal(rgb_of(png), decode_png(png)[..., 2::-1])


@pytest.mark.parametrize("channels", [3, 4])
def test_other_pictures_go_the_general_way(channels: int) -> None:
    pixels = np.random.default_rng(3).integers(0, 255, (31, 17, channels), np.uint8)
    png = cv2.imencode(".png", pixels)[1].tobytes()
    assert np.array_equal(rgb_of(png), pixels[..., 2::-1])


def test_no_picture_is_refused() -> None:
    with pytest.raises(RenderFailed):
        rgb_of(b"no picture")
