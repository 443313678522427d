"""Token sets: contrast, ranges, and one truth for page and raster kit."""

from __future__ import annotations

import re

import pytest

from factory.core.errors import InvalidOptions
from factory.draw.tokens import (
    AA_TEXT,
    AAA_TEXT,
    CHINESE_FILES,
    COLOUR_ROLES,
    FONTS,
    NON_TEXT,
    TEXT_PAIRS,
    Tokens,
    chinese_font,
    contrast,
    token_sets,
    tokens_named,
)

SETS = sorted(token_sets().values(), key=lambda tokens: tokens.name)
STRONG = [tokens for tokens in SETS if tokens.mode == "contrast"]


@pytest.mark.parametrize("tokens", SETS, ids=lambda tokens: tokens.name)
def test_every_pair_that_carries_text_reaches_aa(tokens: Tokens) -> None:
    measured = {
        f"{ink} on {ground}": contrast(tokens.rgb(ink), tokens.rgb(ground))
        for ink, ground in TEXT_PAIRS
    }
    assert {pair: ratio for pair, ratio in measured.items() if ratio < AA_TEXT} == {}


def test_high_contrast_has_papers_of_both_kinds_and_a_yellow_one() -> None:
    assert len(STRONG) >= 3
    assert {tokens.dark for tokens in STRONG} == {True, False}
    papers = {(tokens.page_bg, tokens.text) for tokens in STRONG}
    assert {("#ffffff", "#000000"), ("#000000", "#ffffff"), ("#000000", "#ffe600")} <= papers


@pytest.mark.parametrize("tokens", STRONG, ids=lambda tokens: tokens.name)
def test_high_contrast_is_aaa_with_edges_and_without_shadows(tokens: Tokens) -> None:
    texts = {pair: contrast(tokens.rgb(pair[0]), tokens.rgb(pair[1])) for pair in TEXT_PAIRS}
    assert {pair: ratio for pair, ratio in texts.items() if ratio < AAA_TEXT} == {}
    assert contrast(tokens.border, tokens.surface) >= AAA_TEXT
    for role in ("focus", "accent", "accent_deep"):
        assert contrast(tokens.rgb(role), tokens.rgb("surface")) >= NON_TEXT
    assert contrast(tokens.on_accent, tokens.accent_deep) >= AAA_TEXT
    assert tokens.focus not in (tokens.text, tokens.border, tokens.accent)
    assert tokens.accent_deep != tokens.accent
    assert tokens.shadow_level == 0


@pytest.mark.parametrize("tokens", SETS, ids=lambda tokens: tokens.name)
def test_the_focus_ring_stands_out_and_controls_know_their_scheme(tokens: Tokens) -> None:
    assert contrast(tokens.focus, tokens.surface) >= NON_TEXT
    assert f"--scheme: {'dark' if tokens.dark else 'light'};" in tokens.as_css()
    if tokens.mode != "contrast":
        assert tokens.dark == (tokens.mode == "dark")


def test_contrast_agrees_with_published_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")


def test_light_and_dark_come_in_pairs_and_differ_in_more_than_colour() -> None:
    modes = [tokens.mode for tokens in SETS]
    assert modes.count("light") == modes.count("dark") >= 6
    assert len({tokens.accent for tokens in SETS}) == len(SETS)
    assert {tokens.mode for tokens in SETS} == {"light", "dark", "contrast"}
    assert len({tokens.radius_px for tokens in SETS}) >= 5
    assert len({tokens.shadow_level for tokens in SETS}) == 4
    assert len({tokens.font.css for tokens in SETS}) >= 4
    assert all(0 <= tokens.radius_px <= 20 for tokens in SETS)


def test_the_page_gets_the_same_colours_as_the_raster_kit() -> None:
    for tokens in SETS:
        css = dict(re.findall(r"--([a-z-]+): ([^;]+);", tokens.as_css()))
        for role in COLOUR_ROLES:
            hexes = css[role.replace("_", "-")]
            assert tuple(bytes.fromhex(hexes[1:])) == tokens.rgb(role)


def test_every_font_file_is_installed() -> None:
    assert all(font.path().is_file() for font in FONTS.values())
    assert all(chinese_font(weight).is_file() for weight in CHINESE_FILES)


def test_an_unknown_set_is_refused_with_the_known_names() -> None:
    with pytest.raises(InvalidOptions, match="indigo-light"):
        tokens_named("mauve")
