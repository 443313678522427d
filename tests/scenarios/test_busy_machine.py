"""What a page's verdict says does not depend on how busy the machine is.

Without `--run-all-compositor-stages-before-draw` one picture in ten of this page lacked a layer
(its toast, its tab bar) at a load of 13 on two cores.
"""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from factory.scenarios import grammar, kits
from factory.web.browser import FLAGS
from factory.web.verdict import open_desk

LOOKS = 40
"""At the rate above, 1.5 % of runs without the flag would see nothing."""

BUSY = 6
"""Processes that burn a core each, for every core."""

CELL = {"platform": "ios", "screen": "browse", "state": "toast", "window": "375x812@2"}


def _burn() -> None:
    while True:
        pass


def test_frames_are_drawn_whole() -> None:
    assert "--run-all-compositor-stages-before-draw" in FLAGS


@pytest.mark.long
def test_busy_machines_see_the_same_page(tmp_path: Path) -> None:
    scene = grammar.scene_of("shop", "a busy machine", CELL)
    page, shell = grammar.compose(scene), kits.write_shell(scene.kit, tmp_path)
    context = multiprocessing.get_context("spawn")
    crowd = [
        context.Process(target=_burn, daemon=True) for _ in range(BUSY * (os.cpu_count() or 1))
    ]
    for one in crowd:
        one.start()
    try:
        with open_desk() as desk:
            judged = [desk.check_body(shell, page.body, scene.window) for _ in range(LOOKS)]
    finally:
        for one in crowd:
            one.terminate()
    assert len({one.png for one in judged}) == 1
    inks = {
        tuple((t.selector, t.ink.area) for t in one.verdict.accepted if t.ink) for one in judged
    }
    assert len(inks) == 1
