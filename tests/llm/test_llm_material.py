"""People to write for, and the style of a reference: the same for the same key and picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from factory.cli.gen_llm import style_of
from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from factory.draw.colours import contrast
from factory.draw.tokens import AA_TEXT, tokens_named
from factory.llm.personas import lines_of, material
from factory.llm.reference import Pixels, measured, picture_of, png_of
from factory.llm.style_tokens import custom_properties, nearest_tokens


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_people_are_those_of_their_key(lang: str) -> None:
    found = [material(Stream(f"key {i}"), lang) for i in range(60)]
    assert found == [material(Stream(f"key {i}"), lang) for i in range(60)]
    assert len({one.persona for one in found}) == 60
    assert len({one.facts for one in found}) == 60
    han = [any("\u3400" <= letter <= "\u9fff" for letter in one.facts) for one in found]
    assert all(han) if lang == "zh" else not any(han)


def test_given_people_replace_those_of_the_grammar() -> None:
    given = ("a pilot", "a baker")
    found = {material(Stream(f"key {i}"), "en", given).persona for i in range(30)}
    assert found == set(given)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("", "holds no scenario"), ("# only a note\n", "holds no scenario"), ("{oops", "no JSON"),
     ('{"persona": "x"}', "has no scenario"), ("x" * 700, "has no scenario")],
)  # fmt: skip
def test_a_file_that_holds_nothing_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text(text)
    with pytest.raises(InvalidOptions, match=fault):
        lines_of(tmp_path / "f.txt", "scenario")


def a_screen(*, dark: bool = False, side: bool = True, dense: bool = False) -> Pixels:
    """A drawn screen: a bar, perhaps a sidebar, an orange button, lines of text."""
    ground, ink = ((20, 24, 34), (230, 232, 238)) if dark else ((246, 247, 250), (30, 32, 40))
    shot = np.full((800, 1280, 3), ground, np.uint8)
    panel = (34, 40, 54) if dark else (255, 255, 255)
    shot[:56] = (52, 60, 78) if dark else (228, 230, 238)
    if side:
        shot[56:, :256] = panel
    shot[80:116, 1100:1240] = (232, 116, 20)
    for top in range(180, 780, 14 if dense else 60):
        for left in range(300, 1200, 9 if dense else 36):
            shot[top : top + 6, left : left + (4 if dense else 20)] = ink
    return shot


def test_a_style_is_measured_from_pixels() -> None:
    light, dark = measured(a_screen()), measured(a_screen(dark=True, side=False, dense=True))
    assert (light.theme, light.header, light.sidebar) == ("light", True, True)
    assert (dark.theme, dark.header, dark.sidebar) == ("dark", True, False)
    assert light.background == "#f6f7fa" and dark.background == "#141822"
    for style in (light, dark):
        red, green, blue = (int(style.accent[i : i + 2], 16) for i in (1, 3, 5))
        assert red > 200 and 80 < green < 150 and blue < 60
    assert (light.density, dark.density) == ("roomy", "compact")
    assert measured(a_screen()) == light


def test_a_style_becomes_readable_tokens() -> None:
    for style in (measured(a_screen()), measured(a_screen(dark=True))):
        assert tokens_named(nearest_tokens(style)).dark == (style.theme == "dark")
        css = dict(
            line.strip().split(": ") for line in custom_properties(style).split(";") if line.strip()
        )
        for ink in ("--text", "--muted", "--link", "--danger"):
            for ground in ("--page-bg", "--surface"):
                assert contrast(css[ink], css[ground]) >= AA_TEXT, (ink, ground)
        assert contrast(css["--on-accent"], css["--accent"]) >= AA_TEXT


def test_a_grey_picture_has_a_style_too() -> None:
    style = measured(np.full((64, 64, 3), 128, np.uint8))
    assert style.background == "#808080" and not style.header and not style.sidebar
    assert custom_properties(style)


def test_what_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(b"no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "tiny.png"), np.zeros((8, 8, 3), np.uint8))
    for name in ("x.png", "empty.png", "tiny.png", "none.png"):
        with pytest.raises(InvalidOptions, match=name):
            picture_of(tmp_path / name)


def test_without_a_vision_model_the_pixels_decide(tmp_path: Path) -> None:
    """No server is named: none is needed."""
    cv2.imwrite(str(tmp_path / "shot.png"), np.ascontiguousarray(a_screen(dark=True)[..., ::-1]))
    found = style_of(tmp_path / "shot.png", {}, vision=False)
    assert found == measured(a_screen(dark=True)) and found.theme == "dark"


def test_a_model_is_shown_a_small_picture_without_its_file(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "shot.jpg"), np.zeros((3000, 4000, 3), np.uint8))
    shown = cv2.imdecode(np.frombuffer(png_of(picture_of(tmp_path / "shot.jpg")), np.uint8), 1)
    assert shown is not None and max(shown.shape) == 1024
