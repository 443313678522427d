"""The lists that classes of characters draw from say what their headers promise."""

from __future__ import annotations

from itertools import combinations

import pytest

from captcha_types.glyph_click import _classes as classes
from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _phrases as lexicon
from captcha_types.grid_select import _signs as signs
from factory.core.rng import SPLITS

LENGTHS = {"latin": (4, 5, 6, 7), "han": (3, 4, 5, 6)}


def test_phrases_hold_no_character_twice_and_bar_none_of_their_own() -> None:
    for phrase in lexicon.lexicon():
        assert len(set(phrase.text)) == len(phrase.text), phrase
        assert lexicon.distinct(phrase.text), phrase
        assert not phrase.barred & set(phrase.text), phrase


def test_no_two_phrases_are_of_the_same_characters() -> None:
    spelt = ["".join(sorted(phrase.text)) for phrase in lexicon.lexicon()]
    assert len(set(spelt)) == len(spelt)


@pytest.mark.parametrize("split", SPLITS)
def test_every_split_has_phrases_of_each_sort_and_can_draw_them(split: str) -> None:
    for script in lexicon.LANGS:
        for length in LENGTHS[script]:
            for tier in lexicon.TIERS:
                few = lexicon.phrases(split, script, length, tier)
                assert len(few) >= lexicon.LEAST_HELD, (script, length, tier)
                assert all(kit.able_faces(split, script, c) for p in few for c in p.text)


def test_splits_share_no_phrase() -> None:
    pools = {
        split: {
            phrase.text
            for script in lexicon.LANGS
            for length in LENGTHS[script]
            for tier in lexicon.TIERS
            for phrase in lexicon.phrases(split, script, length, tier)
        }
        for split in SPLITS
    }
    assert not any(a & b for a, b in combinations(pools.values(), 2))


def test_no_character_is_listed_under_two_radicals() -> None:
    every = "".join(own.right for own in classes.radicals().values())
    assert len(set(every)) == len(every)


@pytest.mark.parametrize("split", SPLITS)
def test_every_class_has_members_and_others_in_every_split(split: str) -> None:
    for name in (*classes.PLAIN, *classes.radicals()):
        own = classes.class_named(name)
        assert not set(own.right) & set(own.wrong), name
        assert len(classes.able(name, split, True)) >= 4, name
        assert len(classes.able(name, split, False)) >= 4, name


@pytest.mark.parametrize("split", SPLITS)
def test_every_script_leaves_others_beside_any_character_looked_for(split: str) -> None:
    for script in signs.SCRIPTS:
        for char in signs.alphabet(script, split):
            assert signs.faces(char, split), char
            assert len(signs.free_of([char], script, split)) >= 3, (char, script)
