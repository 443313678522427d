"""What diversity measures: shapes without words, near-duplicates, layouts and sizes."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from factory.engine.diversity import (
    NEAR_BITS,
    Measures,
    layout_entropy,
    near_duplicates,
    nearest_bits,
    shape_of,
)

LIST = '<ul role="list"><li class="a">One</li><li>Two</li></ul>'


def test_words_and_looks_do_not_change_a_shape() -> None:
    assert shape_of(LIST) == shape_of(
        '<ul role="list" id="x"><li>Drei</li><li class="b">4</li></ul>'
    )


def test_roles_nesting_and_count_do() -> None:
    others = (
        LIST.replace("list", "menu"), LIST.replace("<li>Two</li>", ""),
        '<ul role="list"><li>One<li>Two</li></li></ul>',
    )  # fmt: skip
    assert len({shape_of(body) for body in (LIST, *others)}) == 4


def test_near_duplicates_share_the_shape_and_nearly_the_picture() -> None:
    far = (1 << (NEAR_BITS + 1)) - 1
    near = (1 << NEAR_BITS) - 1
    rows = [("s", 0, "b"), ("s", near, "c"), ("s", far, "d"), ("t", 0, "a")]
    assert near_duplicates(rows) == {"c": "b"}


@given(st.lists(st.tuples(st.sampled_from("st"), st.integers(0, 255)), max_size=12))
def test_no_two_first_ones_are_near(pages: list[tuple[str, int]]) -> None:
    rows = [(shape, phash, f"k{number:02d}") for number, (shape, phash) in enumerate(pages)]
    found = near_duplicates(rows)
    kept = [row for row in rows if row[2] not in found]
    for k, (shape, phash, _) in enumerate(kept):
        for other, hashed, _ in kept[k + 1 :]:
            assert shape != other or (phash ^ hashed).bit_count() > NEAR_BITS
    assert set(found.values()) <= {key for _, _, key in kept}


def test_nearest_bits_are_hamming_distances() -> None:
    assert nearest_bits([0, 0b111, (1 << 63)]) == [1, 3, 1]
    assert nearest_bits([5]) == []


def test_layout_entropy_is_that_of_the_cells() -> None:
    four = [(x, y, x + 2, y + 2) for x in (10, 790) for y in (10, 580)]
    assert math.isclose(layout_entropy(four, (800, 600)), 2.0)
    assert layout_entropy(four[:1] * 5, (800, 600)) == 0.0


def page(goal: str, box: list[float]) -> dict[str, Any]:
    return {
        "observations": [{"width": 800, "height": 600}], "context": "ios",
        "regions": [{"name": "button.0", "box": box}],
        "tasks": [{"goal": goal, "mechanic": {"boxes": [box]}}],
    }  # fmt: skip


def test_sizes_are_roots_of_shares_of_the_screen() -> None:
    measures = Measures()
    measures.add("k1", LIST, page("Open the first of all letters", [0, 0, 80, 60]), 0)
    measures.add("k2", LIST, page("Open the first of all letters", [0, 0, 80, 60]), 1)
    told = measures.summary()
    assert told["target_sizes"] == {"mobile": [0.1, 0.1, 0.1]}
    assert told["near_duplicates"] == 1 and told["distinct_shapes"] == 1
    assert told["distinct_instructions"] == 0.5 and told["distinct_runs_of_4_words"] == 0.5
