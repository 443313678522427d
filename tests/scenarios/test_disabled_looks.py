"""What is disabled looks it in every kit, for tasks say that it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from factory.scenarios import grammar, kits
from factory.web.verdict import Desk, open_desk
from factory.web.verdict.pixels import rgb_of

LEAST_PX, LEAST_STEP = 200, 40
"""Device px that change when a button is enabled, and by how much the most: ink and ground of a
button of 60 x 30 px have more, noise of encoders and rims has less."""

DISABLED = re.compile(r"(<button[^>]*?) disabled(?=[ >])")


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with open_desk() as running:
        yield running


LOOKS = [(kit, theme) for kit in sorted(kits.kits()) for theme in kits.kit_named(kit).themes]


@pytest.mark.parametrize(("kit", "theme"), LOOKS)
def test_disabled_buttons_are_dimmed(kit: str, theme: str, desk: Desk, tmp_path: Path) -> None:
    cell = {"screen": "compose", "state": "error", "kit": kit, "lang": "en", "theme": theme}
    cell["platform"] = kits.kit_named(kit).platforms[0]
    page = grammar.compose(grammar.scene_of("mail", f"disabled in {kit}", cell))
    enabled, buttons = DISABLED.subn(r"\1", page.body)
    assert buttons
    shell = kits.write_shell(kit, tmp_path)
    looks = [
        rgb_of(desk.check_body(shell, body, page.scene.window, proof=False).png)
        for body in (page.body, enabled)
    ]
    apart = cv2.absdiff(*looks).max(axis=2)
    assert int(apart.max()) >= LEAST_STEP
    assert np.count_nonzero(apart > LEAST_STEP // 4) >= LEAST_PX
