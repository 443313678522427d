"""The independent judge of ``grid_multi_script``: reads every character, turned and mirrored.

Boxes of characters are printed in the record, as is the alphabet in the documentation of the
class; what a box holds is found by typesetting all characters of all scripts with another
library, in every face. Those of the row above are read upright.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.testing import View
from factory.testing.suite import load_judge

boards: Any = load_judge("board_reading", Path(__file__).parent)
"""What the judges of boards share."""

reading: Any = load_judge("glyph_reading", Path(__file__).parent)
"""What the judges of characters share."""

ALPHABETS = {
    "latin": "ABDEFGHJKLMNPQRSTUXYZ",
    "cyrillic": "БДЖЗИФЦЧШЩЫЭЮЯ",
    "greek": "ΓΔΘΞΠΣΨΩλξπψδζγ",
    "devanagari": "कखगचछजझटडतदनफबरलशसह",
    "han": "不在有为以个们也子时出下可年后对去过用方小同么心见从外民长并手向太文打代反气花竹"
    "兰荷叶米盐油鱼鸟马牛羊龙虫山河江市亭灯伞书刊冬空云电虹火光灰石沙宝巾带针毛车舟飞坐立唱听"
    "写吃忙苦东北左环尺斤千万亿单父女友师兵舌牙骨汗世州乡屿洋岸丘术词句史收存挂平安寿旺",
}
UPRIGHT = (0.0,)
TURNS = tuple(float(turn) for turn in range(-60, 61, 12))
MISREADS = 0.02
"""Four of 270 before letters that are one shape were taken as one; most are thin faces at 21 px."""

SHAPES = str.maketrans("ИЯγ", "NRY")
"""Letters that are others mirrored, or in narrow faces; no board is about both."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles that hold a character of the row."""
    found = boards.regions(view)
    key = [found[f"reference.{k}"] for k in range(len(found)) if f"reference.{k}" in found]
    wanted = {_read(view, box, UPRIGHT, (False,)) for box in key}
    chosen: set[int] = set()
    for k in range(len(found)):
        box = found.get(f"character.{k}")
        if box is None:
            break
        if _read(view, box, TURNS, (False, True)) in wanted:
            tiles = boards.tiles(view)
            chosen |= {n for n, tile in enumerate(tiles) if tile.contains(box.center)}
    return boards.answer(view, chosen)


def _read(view: View, box: Box, turns: tuple[float, ...], mirrors: tuple[bool, ...]) -> str:
    """The character whose drawing explains the box best."""
    best: list[tuple[float, str]] = []
    grouped = reading.groups(view.picture, box)
    for script, chars in ALPHABETS.items():
        known = reading.bank(view.record.split, script, chars, turns, mirrors)
        scores = ((known.rows @ grouped) ** 2).sum(axis=1)
        top = int(np.argmax(scores))
        best.append((float(scores[top]), known.drawings[top].char))
    return max(best)[1].translate(SHAPES)
