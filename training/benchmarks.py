"""Files in the formats of published benchmarks, read as examples and judged by their own rules.

``screenspot``: rows of ``img_filename``, ``bbox`` (``[x0, y0, x1, y1]`` px, or null where
nothing fits) and ``instruction``. ``venusbench-captcha``: rows of ``images``, ``messages``,
``image_size``, ``captcha_type``, ``action_raw`` (px), ``action_raw_rect`` (px) and ``inorder``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import orjson
from PIL import Image

from factory.core import answers
from factory.core.action_scan import parse_tolerant
from factory.core.action_text import unquote
from factory.core.actions import ActionBase, Click, Drag, LongPress, Type
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics.matching import matches_all
from factory.core.prompts import prompt_for
from training.config import BenchmarkConfig
from training.samples import Example

CELLS = 999.0
"""The benchmark reads a cell q as ``q * side / 999``."""
APART_PX = 1.0
"""Points that are to hit different targets lie at least this far apart."""
DRAG_SHARE, DRAG_END_PX = 0.05, 5.0
"""A drag's error along x is under this share of the gold's length, its end under so many px off."""

_N = r"\s*(?P<{}>-?[0-9]+(?:\.[0-9]+)?)\s*"
_RAW = re.compile(
    rf"(?P<press>Click|LongPress)\(\s*\w+\s*=\s*\({_N.format('px')},{_N.format('py')}\)\s*\)"
    rf"|(?P<drag>Drag)\(\s*start\s*=\s*\({_N.format('x')},{_N.format('y')}\)\s*,"
    rf"\s*end\s*=\s*\({_N.format('x1')},{_N.format('y1')}\)\s*\)"
    r"|(?P<typed>Type)\(\s*content\s*=\s*(?P<mark>['\"])(?P<text>(?:[^\\]|\\.)*?)(?P=mark)\s*\)"
)
"""The forms of ``action_raw``."""


def read_benchmark(config: BenchmarkConfig) -> Iterator[Example]:
    """The items of a file; ``InvalidOptions`` names the row that is not of the format."""
    rows = _rows(config.file)
    read = _place_example if config.format == "screenspot" else _puzzle_example
    for number, row in enumerate(rows):
        try:
            yield read(row, number, config.images)
        except (LookupError, TypeError, ValueError, OSError) as error:
            raise InvalidOptions(
                f"{config.file}, row {number}, is not of the format {config.format}: "
                f"{type(error).__name__} {error}"
            ) from error


def _rows(path: Path) -> list[Mapping[str, Any]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidOptions(f"{path} cannot be read: {error.strerror}") from error
    try:
        if path.suffix == ".jsonl":
            return [orjson.loads(line) for line in data.splitlines() if line.strip()]
        rows = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InvalidOptions(f"{path} is not JSON: {error}") from error
    if not isinstance(rows, list):
        raise InvalidOptions(f"{path} is not a list of rows")
    return cast("list[Mapping[str, Any]]", rows)


def _picture(path: Path) -> tuple[bytes, tuple[int, int]]:
    data = path.read_bytes()
    with Image.open(path) as picture:
        return data, picture.size


def _place_example(row: Mapping[str, Any], number: int, images: Path) -> Example:
    data, size = _picture(images / str(row["img_filename"]))
    asked, box = str(row["instruction"]), row["bbox"]
    boxes = [] if box is None else [Box(*(float(edge) for edge in box))]
    prompt = prompt_for("grounding", goal=asked)
    return Example(
        key=f"screenspot-{number:06d}",
        domain=str(row.get("platform") or "screenspot"),
        kind="grounding",
        type=str(row.get("ui_type") or "element"),
        family="screenspot",
        lang="en",
        system=prompt.system,
        prompt=prompt.user,
        images=(data,),
        response=answers.spoken([Click(point=box.center) for box in boxes], size),
        payload={"size": list(size), "actions": [], "mechanic": answers.place(boxes)},
    )


def _puzzle_example(row: Mapping[str, Any], number: int, images: Path) -> Example:
    """The row's own conversation is what is asked; its golds are px, as ours are."""
    data, _ = _picture(_found(images, str(row["images"][0])))
    width, height = (float(side) for side in row["image_size"])
    said = {turn["role"]: str(turn["content"]) for turn in row["messages"]}
    gold = {name: row[name] for name in ("action_raw", "action_raw_rect", "inorder")}
    _Gold.of(gold)  # a row that cannot be judged is refused before a model is asked
    return Example(
        key=f"venusbench-captcha-{number:06d}",
        domain="venusbench-captcha",
        kind="captcha",
        type=str(row["captcha_type"]),
        family="venusbench-captcha",
        lang="en",
        system=said.get("system", ""),
        prompt=said.get("user", "").replace("<image>", "").strip(),
        images=(data,),
        response="",
        payload={"size": [width, height], "benchmark": "venusbench-captcha", **gold},
    )


def _found(images: Path, name: str) -> Path:
    """Paths are relative to the file; the folder given may be the pictures' own."""
    for path in (images / name, images / name.removeprefix("../images/")):
        if path.is_file():
            return path
    raise FileNotFoundError(f"no picture {name} below {images}")


class _Gold(NamedTuple):
    """What a row wants: actions in px, and alternative lists of rects that they may hit."""

    actions: list[ActionBase]
    rects: list[list[Box]]
    in_order: bool

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _Gold:
        """``ValueError`` when the actions or rects are none."""
        actions = _px_actions(str(row["action_raw"]))
        rects = row["action_raw_rect"]
        if not actions or not rects:
            raise ValueError("no action or no rect")
        if isinstance(rects[0], int | float):
            rects = [rects]
        several = isinstance(rects[0][0], list | tuple)
        lists = rects if several else [rects]
        boxes = [[Box(*(float(edge) for edge in box)) for box in one] for one in lists]
        return cls(actions, boxes, bool(row["inorder"]))


def _px_actions(text: str) -> list[ActionBase]:
    """The actions of ``action_raw``, whose numbers are px and no cells."""
    return [_px_action(match) for match in _RAW.finditer(text)]


def _px_action(match: re.Match[str]) -> ActionBase:
    numbers = [float(number) for number in match.group("x", "y", "x1", "y1") if number]
    if match["typed"]:
        return Type(content=unquote(match["text"]))
    if match["drag"]:
        return Drag(start=Point(*numbers[:2]), end=Point(*numbers[2:]))
    kind = Click if match["press"] == "Click" else LongPress
    return kind(point=Point(float(match["px"]), float(match["py"])))


def venusbench_verdict(row: Mapping[str, Any], text: str) -> tuple[bool, str]:
    """Whether a response is right by the benchmark's rules, and a word why not.

    One ``<action>`` block. Clicks and long presses: as many as targets, each in its rect, in
    order where that is asked, else by any one-to-one matching. Text: each ``Type`` follows its
    click and is equal but for outer spaces. Drag: one, from the start's rect, of nearly the
    gold's signed length, to nearly the gold's height.
    """
    if text.count("<action>") != 1 or text.count("</action>") != 1:
        return False, "no_single_action_block"
    block = text.partition("<action>")[2].partition("</action>")[0]
    found = [one.action for one in parse_tolerant(block)]
    gold = _Gold.of(row)
    width, height = row["size"]
    if isinstance(gold.actions[0], Drag):
        return _drag(found, gold, (width, height))
    groups, wanted = _groups(found), _groups(gold.actions)
    if groups is None or wanted is None:
        return False, "other_actions"
    if any(len(groups) != len(rects) for rects in gold.rects):
        return False, "other_number_of_actions"
    if [kind for kind, _, _ in groups] != [wanted[0][0]] * len(groups):
        return False, "other_actions"
    points = [_px(point, width, height) for _, point, _ in groups]
    if _too_near(points):
        return False, "one_place_twice"
    texts = [typed for _, _, typed in groups]
    said = [typed for _, _, typed in wanted]
    right = any(_hits(points, texts, rects, said, gold.in_order) for rects in gold.rects)
    return right, "solved" if right else "target_missed"


_Group = tuple[type[ActionBase], Point, str | None]


def _groups(actions: Sequence[ActionBase]) -> list[_Group] | None:
    """Presses with the text typed after each; None when there is anything else."""
    groups: list[_Group] = []
    for action in actions:
        if isinstance(action, Click | LongPress):
            groups.append((type(action), action.point, None))
        elif isinstance(action, Type) and groups and groups[-1][2] is None:
            groups[-1] = (groups[-1][0], groups[-1][1], action.content.strip())
        else:
            return None
    return groups or None


def _px(point: Point, width: float, height: float) -> Point:
    return Point(point[0] * width / CELLS, point[1] * height / CELLS)


def _too_near(points: Sequence[Point]) -> bool:
    return any(
        (a.x - b.x) ** 2 + (a.y - b.y) ** 2 < APART_PX**2
        for number, a in enumerate(points)
        for b in points[number + 1 :]
    )


def _hits(
    points: Sequence[Point],
    texts: Sequence[str | None],
    rects: Sequence[Box],
    said: Sequence[str | None],
    in_order: bool,
) -> bool:
    wanted = [*said, *[None] * (len(rects) - len(said))]

    def fits(mine: int, target: int) -> bool:
        box, point = rects[target], points[mine]
        inside = box.x0 <= point.x <= box.x1 and box.y0 <= point.y <= box.y1
        return inside and texts[mine] == wanted[target]

    numbers = range(len(points))
    if in_order:
        return all(fits(number, number) for number in numbers)
    return matches_all([[t for t in numbers if fits(mine, t)] for mine in numbers])


def _drag(found: Sequence[ActionBase], gold: _Gold, size: tuple[float, float]) -> tuple[bool, str]:
    if len(found) != 1 or not isinstance(found[0], Drag):
        return False, "other_actions"
    wanted = cast("Drag", gold.actions[0])
    start, end = (_px(point, *size) for point in (found[0].start, found[0].end))
    box = gold.rects[0][0]
    if not (box.x0 <= start.x <= box.x1 and box.y0 <= start.y <= box.y1):
        return False, "start_missed"
    length, mine = wanted.end.x - wanted.start.x, end.x - start.x
    if length == 0 or mine * length <= 0 or abs(mine - length) / abs(length) >= DRAG_SHARE:
        return False, "other_length"
    if abs(end.y - wanted.end.y) >= DRAG_END_PX:
        return False, "end_missed"
    return True, "solved"
