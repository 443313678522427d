"""Which targets are asked for: larger ones first as a run leans, small icons on wide desktops."""

from __future__ import annotations

from tiny_apps import MAIL, control, inbox

from factory.core.rng import Stream
from factory.scenarios.asks import View, leaning
from factory.scenarios.table import Table
from factory.scene_config import WIDE, SceneConfig

DRAWS = 400

SMALL, LARGE = (10.0, 10.0, 26.0, 26.0), (10.0, 200.0, 410.0, 240.0)
"""Boxes in px: an icon, and a row 62 times its area."""


def first_share(lean: float) -> float:
    """How often the larger of two targets comes first."""
    elements = (control("x1", 0, 0, "button", box=SMALL), control("x2", 0, 0, "button", box=LARGE))
    view = View(Table(elements=elements, size=(1000, 800)), MAIL, "en", lean)
    firsts = [leaning(view, Stream(f"lean {k}"))[0].id for k in range(DRAWS)]
    return firsts.count("x2") / DRAWS


def test_larger_targets_come_first_as_the_run_leans() -> None:
    # Root of the areas 7.9 to 1: shares .5, .96 and .11 by the weights; 400 draws, 5 sigma.
    assert abs(first_share(0.0) - 0.5) < 0.125
    assert first_share(1.5) > 0.9
    assert first_share(-1.0) < 0.2


def test_every_target_is_named_once() -> None:
    view = View(inbox(), MAIL, "en", 1.5)
    named = [element.id for element in leaning(view, Stream("once"))]
    assert sorted(named) == sorted(element.id for element in view.table.targets)


def test_small_sizes_are_asked_on_wide_desktops() -> None:
    small = SceneConfig(type="mail", sizes="small")
    assert small.windows("windows") == WIDE
    assert "1280x800@1" in SceneConfig(type="mail").windows("windows")
    assert small.windows("ios") == SceneConfig(type="mail").windows("ios")


def test_windows_that_are_named_stay() -> None:
    named = SceneConfig(type="mail", sizes="small", viewports={"1280x800": 1.0})
    assert set(named.windows("windows")) == {"1280x800@1"}
