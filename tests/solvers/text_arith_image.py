"""The independent judge of ``text_arith_image``: reads the sum off pixels and solves it by trial.

Characters that stand close are one number or word. Each is read as what scores best; among
the likeliest readings of all parts the best one that is a sum of a known shape is solved.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

reading: Any = load_judge("text_reading", Path(__file__).parent)
"""What the judges of typed text share."""

DIGITS, SIGNS = "0123456789", "+×=?()−"
_ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve"
_CHINESE = "零 一 二 三 四 五 六 七 八 九 十 十一 十二"
ENGLISH, CHINESE = _ENGLISH.split(), _CHINESE.split()
LETTERS = "".join(sorted(set("".join(ENGLISH))))
HAN = "零一二三四五六七八九十"

GAPS = (0.24, 0.31, 0.4)
"""Gaps from which characters may belong to two parts of a sum, by the height of digits."""

FLAT = 1.6
"""Width over height from which a character may be a line, or two, across."""

SHAPES = re.compile(
    r"N[+−]N=\?|N[+−]\?=N|\?[+−]N=N|\(N×N\)[+−]N=\?|N\+\(N×N\)=\?|N×N=\?"
    r"|\(N×N\)\+\?=N|\?\+\(N×N\)=N|N\+N−N=\?"
)
"""Sums that the picture may hold; N is a number."""

SLIM, SLIM_WORTH = 0.6, 0.08
"""Width over height under which a hooked line is rather a 1 than a 7, and what that is worth."""

MISREADS = 0.05
"""A 1 with a long hook is read as a 7: 5 of 100, looked at."""

TURNS = (-9.0, 0.0, 9.0)
KEPT = 3
"""Readings of each part that are tried."""

Option = tuple[float, str]
Scores = dict[str, float]


def solve(view: View) -> list[ActionBase]:
    """Click the field, type the number, submit where a button is drawn."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    boxes = [regions[f"glyph.{k}"] for k in range(len(regions)) if f"glyph.{k}" in regions]
    scores = [_scores(view, box) for box in boxes]
    readings = [reading_ for gap in GAPS for reading_ in _readings(boxes, scores, gap)]
    text = max(readings)[1]
    typed: list[ActionBase] = [Click(regions["field"].center), Type(str(_missing(text)))]
    return typed + ([Click(regions["submit"].center)] if "submit" in regions else [])


def _readings(boxes: Sequence[Box], scores: Sequence[Scores], gap: float) -> list[Option]:
    """Sums that the picture may hold with parts so far apart; mean scores by character."""
    tall = float(np.percentile([box.height for box in boxes], 75))
    parts: list[list[Scores]] = [[scores[0]]]
    for (before, box), score in zip(itertools.pairwise(boxes), scores[1:], strict=True):
        if box.x0 - before.x1 > gap * tall:
            parts.append([])
        parts[-1].append(score)
    found: list[Option] = []
    for chosen in itertools.product(*(_options(part) for part in parts)):
        text = "".join(option[1] for option in chosen)
        if SHAPES.fullmatch(re.sub(r"\d+", "N", text)):
            total = sum(o[0] * len(part) for o, part in zip(chosen, parts, strict=True))
            found.append((total / len(scores), text))
    return found


def _options(scores: Sequence[Scores]) -> list[Option]:
    """What a part may be, the likeliest first: a number, a sign or a word, as digits."""
    part = scores
    found: list[Option] = []
    for words in (ENGLISH, CHINESE):
        for number, word in enumerate(words):
            if len(word) == len(part):
                mean = sum(s.get(c, 0.0) for s, c in zip(scores, word, strict=True)) / len(part)
                found.append((mean, str(number)))
    digits = [max((s[d], d) for d in DIGITS) for s in scores]
    found.append((sum(score for score, _ in digits) / len(part), "".join(d for _, d in digits)))
    if len(part) == 1:
        found += [(scores[0][sign], sign) for sign in SIGNS]
    return sorted(found, reverse=True)[:KEPT]


def _scores(view: View, box: Box) -> dict[str, float]:
    """How likely each character is in a box."""
    if box.width > FLAT * box.height:
        bars = 0.9 if _gap(view.picture, box) else 0.1
        return dict.fromkeys(DIGITS + SIGNS, 0.0) | {
            "=": bars, "二": bars - 0.05, "−": 1 - bars, "一": 0.95 - bars
        }  # fmt: skip
    split = view.record.split
    found: dict[str, float] = {}
    alphabets = [(DIGITS + SIGNS + LETTERS, "latin")]
    if view.record.lang == "zh":
        alphabets = [(DIGITS + SIGNS, "latin"), (HAN, "han")]
    for chars, script in alphabets:
        inks = ("fill", "outline")
        read = reading.read(view.picture, box, split, chars, inks, 8, script, TURNS)
        found |= read.scores
    slim = max(-1.0, min(1.0, (SLIM - box.width / box.height) / 0.2)) * SLIM_WORTH
    return found | {"1": found["1"] + slim, "7": found["7"] - slim}


def _gap(picture: Any, box: Box) -> bool:
    """Whether the middle of a flat box is of the ground, not of the ink."""
    x0, y0, x1, y1 = (round(v) for v in box.grown(2).as_list())
    window = picture[y0:y1, x0:x1].astype(float)
    wide = window.shape[1]
    middle = np.median(window[:, wide // 4 : -(wide // 4)], axis=1)
    ground = (middle[0] + middle[-1]) / 2
    off = np.linalg.norm(middle - ground, axis=1)
    half = off.max() / 2
    runs = np.flatnonzero(np.diff(np.concatenate(([0], (off > half).astype(int), [0]))) == 1)
    return len(runs) >= 2


NONE = -1
"""What no puzzle asks for."""


def _missing(text: str) -> int:
    """The number that makes the sum true, by trial; NONE where a sign was misread."""
    left, right = text.replace("−", "-").replace("×", "*").split("=")
    for value in range(1000):
        sides = (re.sub(r"\?", str(value), side) for side in (left, right))
        first, second = (_value(side) for side in sides)
        if first == second:
            return value
    return NONE


def _value(side: str) -> int:
    """A side's value: products first, then what is added and taken away."""
    side = re.sub(r"\(?(\d+)\*(\d+)\)?", lambda m: str(int(m[1]) * int(m[2])), side)
    return sum(int(term) for term in re.findall(r"[+-]?\d+", side))
