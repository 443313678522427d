"""The independent judge of ``grid_category_select``: names every thing by its pixels.

The things of the catalogue are rendered anew from their files (line icons by resvg, emoji
by Pillow), turned, mirrored, bare or inside a disc or badge, and brought to the box where
something stands. A line icon explains a tile as far as colours tell its strokes from the
rest; an emoji as far as it has the tile's colours. Kinds are looked up in the catalogue.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import resvg_py
from PIL import Image

from factory.core.actions import ActionBase, Click
from factory.core.geometry import Box
from factory.draw import icons
from factory.draw.assets import npm_package
from factory.testing import View

MISREADS = 0.01
"""2 of 500, both looked at: a horse, and a tree drawn in lines; the labels are right."""

SIDE, PAD = 36, 2
FIELD = SIDE + 2 * PAD
ART_PX = 144
TURNS = (-16.0, -8.0, 0.0, 8.0, 16.0)
DRESSES = ("bare", "disc", "badge")
INSIDE = 0.66
"""Share of a disc's or badge's side that its thing takes."""

BADGE_ROUND = 0.22
STROKE = 2.1
HEAD_START = 0.25
"""Emoji match less well than line icons: their colours are blurred by what is around them."""

FAINT = 900.0
"""Variance of colours under which a thing is too plain to be told by them."""

GROUPS = 7
FINALISTS, ROUNDS, BATCH = 10, 4, 12
NEAR = 0.25
"""Candidates that score less than the best by more than this are not posed more finely."""

SPREADS = np.array([5.0, 1.0, 1.0, 0.06])
"""First steps of the search: turn, moves, scale."""

QUERIES = {
    "an animal": "animal", "something to eat": "food", "something to drink": "drink",
    "a plant": "plant", "a vehicle": "vehicle", "something for music": "music",
    "something to wear": "clothing", "a building": "building",
    "动物": "animal", "食物": "food", "饮料": "drink", "植物": "plant", "交通工具": "vehicle",
    "音乐用品": "music", "穿戴用品": "clothing", "建筑物": "building",
}  # fmt: skip
"""What the goal asks for, by the catalogue's kinds."""


def solve(view: View) -> list[ActionBase]:
    """Click the tiles of the kind, or the button that says none; submit where a button is drawn."""
    goal = view.record.tasks[0].goal
    kind = next(kind for words, kind in QUERIES.items() if words in goal)
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    count = sum(name.startswith("cell.") for name in regions)
    things = [regions[f"thing.{tile}"] for tile in range(count)]
    found = named(view.picture, things, view.record.split)
    chosen = [t for t, asset in enumerate(found) if icons.icon_info(asset).category == kind]
    if not chosen:
        return [Click(regions["skip"].center)]
    clicks: list[ActionBase] = [Click(regions[f"cell.{tile}"].center) for tile in chosen]
    return [*clicks, Click(regions["submit"].center)] if "submit" in regions else clicks


@lru_cache(maxsize=1024)
def _art(asset: str) -> Any:
    """BGRA of a thing, its ink's longest side ``ART_PX``, in the middle of a square; 0 to 255."""
    source, _, name = asset.partition("/")
    if source == "icon":
        text = (npm_package("lucide-static") / "icons" / f"{name}.svg").read_text()
        text = text.replace('stroke-width="2"', f'stroke-width="{STROKE}"')
        data = resvg_py.svg_to_bytes(svg_string=text, width=2 * ART_PX)
    else:
        folder = npm_package("@lobehub/fluent-emoji-3d") / "assets"
        files = (folder / f"{name}.webp", folder / f"{name}-fe0f.webp")
        data = next(file for file in files if file.is_file()).read_bytes()
    image = np.asarray(Image.open(io.BytesIO(bytes(data))).convert("RGBA"))[..., [2, 1, 0, 3]]
    inked = image[..., 3] > 40
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    image = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    image[..., :3] *= image[..., 3:] / 255.0
    scale = ART_PX / max(image.shape[:2])
    art = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    art = cv2.GaussianBlur(art, (0, 0), 1.4)
    lift, left = (2 * ART_PX - art.shape[0]) // 2, (2 * ART_PX - art.shape[1]) // 2
    whole = np.zeros((2 * ART_PX, 2 * ART_PX, 4), np.float32)
    whole[lift : lift + art.shape[0], left : left + art.shape[1]] = art
    return whole


@dataclass(frozen=True)
class Pose:
    """How a candidate stands in its box."""

    asset: str
    dress: str
    mirrored: bool
    turn: float
    dx: float = 0.0
    dy: float = 0.0
    scale: float = 1.0

    def stepped(self, step: Any) -> Pose:
        """A pose near by."""
        turn, dx, dy, scale = step.tolist()
        return Pose(self.asset, self.dress, self.mirrored, self.turn + turn, self.dx + dx,
                    self.dy + dy, self.scale * math.exp(scale))  # fmt: skip


@lru_cache(maxsize=1024)
def _edge(asset: str) -> Any:
    """Px of a thing's ink ``(n, 2)`` about the middle of its square."""
    inked = np.argwhere(_art(asset)[..., 3] > 128)[::7, ::-1]
    return inked + 0.5 - ART_PX


def posed(pose: Pose, ratio: float) -> Any:
    """BGRA ``(FIELD, FIELD, 4)`` of a candidate in a box of a ratio of height to width."""
    cos, sin = math.cos(math.radians(pose.turn)), math.sin(math.radians(pose.turn))
    flip = -1.0 if pose.mirrored else 1.0
    linear = np.array([[cos * flip, -sin], [sin * flip, cos]])
    if pose.dress == "bare":
        around = _edge(pose.asset) @ linear.T
        low, high = around.min(axis=0), around.max(axis=0)
        size, middle = high - low + 4.0, (low + high) / 2
        longest = max(size[0], size[1])
    else:
        badge = (1 - 2 * BADGE_ROUND) * (abs(cos) + abs(sin)) + 2 * BADGE_ROUND
        longest = ART_PX / INSIDE * (badge if pose.dress == "badge" else 1.0)
        middle = np.zeros(2)
    scale = SIDE / longest * pose.scale
    matrix = np.zeros((2, 3))
    matrix[:, :2] = linear * scale
    centre = FIELD / 2 - scale * middle + np.array([pose.dx, pose.dy])
    matrix[:, 2] = centre - 0.5 - matrix[:, :2] @ np.array([ART_PX - 0.5, ART_PX - 0.5])
    return cv2.warpAffine(_art(pose.asset), matrix, (FIELD, FIELD), flags=cv2.INTER_LINEAR)


@dataclass(frozen=True)
class Templates:
    """Poses with their px: strokes without mean, of length 1; colours with their cover."""

    poses: list[Pose]
    lines: Any
    within: Any
    """1 inside the disc or badge, and everywhere for bare things: ink may be of the ground's
    colour outside."""
    cover: Any
    area: Any
    """Sums of cover, 1 at least."""
    twice: Any
    """Cover squared."""
    mixed: Any
    """Colours times their cover twice."""
    squares: Any
    """Sums of squares of colours times cover."""


@lru_cache(maxsize=8)
def _templates(split: str, source: str) -> Templates:
    poses = [
        Pose(info.asset, dress, mirrored, turn, scale=scale)
        for info in icons.icons(split, source)
        for dress in DRESSES
        for mirrored in (False, True)
        for turn in TURNS
        for scale in ((1.0, 0.94) if dress == "bare" and source != "icon" else (1.0,))
    ]
    return _drawn(poses)


def _drawn(poses: list[Pose]) -> Templates:
    art = np.array([posed(pose, 1.0) for pose in poses], np.float16)
    cover = art[..., 3].reshape(len(art), -1).astype(np.float32) / 255.0
    within = np.array([_within(pose.dress, round(pose.turn)) for pose in poses])
    mean = (cover * within).sum(axis=1, keepdims=True) / within.sum(axis=1, keepdims=True)
    lines = (cover - mean) * within
    lines /= np.maximum(np.sqrt((lines**2).sum(axis=1, keepdims=True)), 1e-6)
    colours = art[..., :3].reshape(len(art), -1, 3).astype(np.float32)
    mixed = (colours * cover[..., None]).reshape(len(art), -1)
    area = np.maximum(cover.sum(axis=1), 1.0)
    squares = (colours**2).sum(axis=(1, 2))
    return Templates(poses, lines, within, cover, area, cover**2, mixed, squares)


@lru_cache(maxsize=256)
def _within(dress: str, turn: int) -> Any:
    """Px ``(FIELD * FIELD,)`` that lie well inside a disc or badge that fills the box."""
    across, down = np.indices((FIELD, FIELD))[::-1] + 0.5 - FIELD / 2
    if dress == "bare":
        return np.ones(FIELD * FIELD, np.float32)
    if dress == "disc":
        return (np.hypot(across, down) < SIDE / 2 - 2).astype(np.float32).ravel()
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    badge = (1 - 2 * BADGE_ROUND) * (abs(cos) + abs(sin)) + 2 * BADGE_ROUND
    half = SIDE / badge / 2 - 2
    x, y = abs(cos * across + sin * down), abs(cos * down - sin * across)
    corner = np.hypot(np.maximum(x - 0.5 * half, 0), np.maximum(y - 0.5 * half, 0)) < 0.5 * half
    return corner.astype(np.float32).ravel()


def _window(picture: Any, box: Box) -> Any:
    """The square about a box, its longest side brought to ``SIDE``; BGR, float."""
    scale = max(box.width, box.height) / SIDE
    there = (np.indices((FIELD, FIELD), np.float32)[::-1] + 0.5 - FIELD / 2) * scale
    x, y = there[0] + box.center.x - 0.5, there[1] + box.center.y - 0.5
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.4 * scale) if scale > 1 else picture
    return cv2.remap(blurred, x.astype(np.float32), y.astype(np.float32),
                     cv2.INTER_LINEAR).astype(np.float32)  # fmt: skip


def _grouped(window: Any) -> Any:
    """Which group of colours each px is in, a column a group."""
    lab = np.asarray(cv2.cvtColor(window / 255, cv2.COLOR_BGR2Lab)).reshape(-1, 3)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    label = np.zeros((len(lab), 1), np.int32)
    cv2.kmeans(lab, GROUPS, label, stop, 2, cv2.KMEANS_PP_CENTERS)
    return np.eye(GROUPS, dtype=np.float32)[label.ravel()]


def line_scores(found: Templates, grouped: Sequence[Any]) -> Any:
    """How far the colours of each window tell strokes from the rest ``(templates, windows)``."""
    every = np.concatenate(grouped, axis=1)
    sizes = np.maximum(found.within @ every, 1.0)
    told = (found.lines @ every) ** 2 / sizes
    return told.reshape(len(told), len(grouped), GROUPS).sum(axis=2)


def colour_scores(found: Templates, windows: Sequence[Any]) -> Any:
    """1 less the mean square error inside the emoji over the spread of colours there ``(templates,
    windows)``."""
    flat = np.array([window.reshape(-1, 3) for window in windows])
    squares = (flat**2).sum(axis=2).T
    area = found.area[:, None]
    mean = found.cover @ flat.transpose(1, 0, 2).reshape(len(squares), -1)
    mean = mean.reshape(len(area), -1, 3) / area[..., None]
    spread = (found.cover @ squares / area - (mean**2).sum(axis=2)).clip(0.0)
    both = found.mixed @ flat.reshape(len(flat), -1).T
    error = (found.twice @ squares - 2 * both + found.squares[:, None]) / area
    return 1.0 - error / (spread + FAINT)


def named(picture: Any, boxes: Sequence[Box], split: str) -> list[str]:
    """The assets of the catalogue that explain boxes of the picture best."""
    windows = [_window(picture, box) for box in boxes]
    grouped = [_grouped(window) for window in windows]
    best: list[list[tuple[float, str]]] = [[] for _ in boxes]
    for source in ("icon", "emoji3d"):
        found = _templates(split, source)
        lines = source == "icon"
        scores = line_scores(found, grouped) if lines else colour_scores(found, windows)
        ahead = 0.0 if lines else HEAD_START
        for seen, score, window, groups in zip(best, scores.T, windows, grouped, strict=True):
            finalists: dict[str, Pose] = {}
            for at in np.argsort(-score):
                if len(finalists) == FINALISTS or score[at] < score.max() - NEAR:
                    break
                finalists.setdefault(found.poses[at].asset, found.poses[at])
            searched = (_searched(pose, window, groups) for pose in finalists.values())
            seen += [
                (score + ahead, asset) for asset, score in zip(finalists, searched, strict=True)
            ]
    return [max(seen)[1] for seen in best]


def _searched(pose: Pose, window: Any, grouped: Any) -> float:
    """The best score about a pose, by random steps that grow smaller."""
    rng = np.random.default_rng(7)
    score = -math.inf
    for turn in range(ROUNDS):
        steps = rng.normal(size=(BATCH, 4)) * SPREADS * 0.6**turn
        steps[0] = 0.0
        tried = [pose.stepped(step) for step in steps]
        drawn = _drawn(tried)
        lines = pose.asset.startswith("icon/")
        found = (line_scores(drawn, [grouped]) if lines else colour_scores(drawn, [window]))[:, 0]
        if found.max() > score:
            pose, score = tried[int(found.argmax())], float(found.max())
    return score
