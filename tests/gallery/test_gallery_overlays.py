"""What is drawn over a picture lies where the record says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from changed_runs import payload_of
from gallery_visits import Visit, keys_of

from factory.gallery.overlay import LAYERS

OFF_PX = 0.5
"""Half an image pixel: what the eye cannot tell at 1:1, and more than any rounding of ours."""

LARGE = {"width": 1900, "height": 2000}
"""A window that holds a whole picture at 1:1."""


def _of_ratio(small_run: Path, gallery: Path, dpr: float) -> tuple[str, Any]:
    """The narrowest sample of a device pixel ratio, which no scroll box cuts off."""
    payloads: dict[str, Any] = {key: payload_of(small_run, key) for key in keys_of(gallery)}
    fitting = {k: p for k, p in payloads.items() if p["observations"][0]["dpr"] == dpr}
    return min(fitting.items(), key=lambda item: (item[1]["size"], item[0]))


@pytest.mark.parametrize("screen", [1, 3])
@pytest.mark.parametrize("dpr", [1, 2, 3])
@pytest.mark.parametrize("zoom", ["", "?zoom=1", "?zoom=2"])
def test_every_region_lies_over_its_box(
    visit: Visit, small_run: Path, gallery: Path, dpr: int, screen: int, zoom: str
) -> None:
    key, payload = _of_ratio(small_run, gallery, dpr)
    with visit(gallery, f"s/{key}.html{zoom}", device_scale_factor=screen) as page:
        picture = page.locator(".stage img").first.bounding_box()
        scale = picture["width"] / payload["size"][0]
        if zoom:
            assert scale == int(zoom[-1])
        for region in payload["regions"]:
            drawn = _box(page, f"[data-region='{region['name']}'] .line", picture)
            wanted = [scale * edge for edge in region["box"]]
            assert np.abs(np.subtract(drawn, wanted)).max() <= OFF_PX, region["name"]


def _box(page: Any, selector: str, picture: Any) -> list[float]:
    """The drawn box against the picture's corner, CSS px, without its stroke."""
    box = page.evaluate(
        "s => { const b = document.querySelector(s).getBoundingClientRect();"
        "return [b.left, b.top, b.right, b.bottom] }",
        f".over {selector}",
    )
    corner = [picture["x"], picture["y"]] * 2
    return [edge - start for edge, start in zip(box, corner, strict=True)]


@pytest.mark.parametrize("screen", [1, 3])
def test_pixels_of_a_filled_region_cover_its_box(
    visit: Visit, small_run: Path, gallery: Path, screen: int
) -> None:
    key, payload = _of_ratio(small_run, gallery, 1)
    box = next(r["box"] for r in payload["regions"] if r["name"] == "picture")
    address = f"s/{key}.html?zoom=1&layers=none"
    with visit(gallery, address, device_scale_factor=screen, viewport=LARGE) as page:
        page.evaluate(
            "() => { const shape = document.querySelector(\"[data-region='picture'] .line\");"
            "shape.parentElement.classList.remove('off');"
            "shape.style.cssText = 'fill: rgb(255, 0, 255); stroke: none; stroke-dasharray: none';"
            "const rest = document.querySelectorAll('.over .halo, .over text, .over .screen');"
            "rest.forEach(other => other.remove()); }"
        )
        shot = page.locator(".stage").first.screenshot()
    pixels = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
    rows, columns = np.nonzero((pixels == (255, 0, 255)).all(axis=2))
    drawn = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert np.abs(np.divide(drawn, screen) - box).max() <= OFF_PX


def test_drag_path_runs_from_start_to_end(visit: Visit, small_run: Path, gallery: Path) -> None:
    key, payload = _of_ratio(small_run, gallery, 1)
    drag = payload["actions"][0]
    with visit(gallery, f"s/{key}.html?zoom=1") as page:
        picture = page.locator(".stage img").first.bounding_box()
        for place, name in enumerate(("start", "end")):
            dot = page.locator(".over .l-path .dot").nth(place).bounding_box()
            middle = [dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2]
            wanted = [picture["x"] + drag[name][0], picture["y"] + drag[name][1]]
            assert np.abs(np.subtract(middle, wanted)).max() <= OFF_PX


def test_layers_differ_by_dash_pattern(gallery: Path) -> None:
    style = (gallery / "static/gallery.css").read_text()
    dashes = {
        layer: tuple(re.findall(rf"\.l-{layer} \.line[^}}]*?stroke-dasharray: ([^;]+);", style))
        for layer in LAYERS
    }
    drawn_as_outlines = {layer: dash for layer, dash in dashes.items() if layer != "path"}
    assert dashes["path"] == ()  # the one solid line
    assert all(drawn_as_outlines.values())
    assert len(set(drawn_as_outlines.values())) == len(drawn_as_outlines)
