"""The independent judge of ``text_qa``: reads the question word by word and answers it.

The bank of forms is public wording, as is the vocabulary that it spans. Every word's box is
compared with every word of the vocabulary in every face of the split; the form whose words
score best, slot by slot, is the question. What is right is worked out here.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

import captcha_types
from factory.core.actions import ActionBase, Click, Type
from factory.core.geometry import Box
from factory.draw import glyphs
from factory.testing import View

HEIGHT, WIDTH, PX = 22, 64, 40
"""Words are compared at this size, and drawn at 40 px."""

VIEWS = [
    (slope, dx, dy)
    for slope in (-0.025, 0.0, 0.025)
    for dx in (-0.02, 0.0, 0.02)
    for dy in (-0.05, 0.0, 0.05)
]
"""Slants of the line that are tried, and moves as shares of a box's width and height."""

GROUPS = 5
NUMBERS = range(2, 230)
SHAPES = np.array([1 / 1.35, 1.35])
"""How far the ratios of width and height of a word and a candidate may differ."""

SHORTLIST = 30
"""Words of a face that are looked at in all views after a glance at all."""

SHRUNK = (1.0, 0.75, 0.55, 0.35, 0.2)
"""Shares of a side that was perhaps grown."""

Words = dict[str, float]


@cache
def bank() -> Mapping[str, Any]:
    """Forms and lists by language."""
    folder = Path(next(iter(captcha_types.__path__))) / "text_ocr"
    return tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))


def solve(view: View) -> list[ActionBase]:
    """Click the field, type the answer, submit where a button is drawn."""
    regions = {region.name: Box(*region.box) for region in view.record.regions}
    boxes = [regions[f"word.{k}"] for k in range(len(regions)) if f"word.{k}" in regions]
    lang = view.record.lang
    found = read(view.picture, boxes, view.record.split, lang)
    typed: list[ActionBase] = [Click(regions["field"].center), Type(answer(found, lang))]
    return typed + ([Click(regions["submit"].center)] if "submit" in regions else [])


def pieces(text: str, lang: str) -> list[str]:
    """A text as the words that have boxes of their own."""
    return re.findall(r"\d+|[^\d\s]", text) if lang == "zh" else text.split()


def read(picture: Any, boxes: Sequence[Box], split: str, lang: str) -> str:
    """The question, as the likeliest of each word in the face that explains all of them best."""
    best: tuple[float, str] = (0.0, "")
    least = min(min(box.width, box.height) for box in boxes)
    scores = [_scores(picture, box, least, split, lang) for box in boxes]
    for face in scores[0]:
        chosen = [max(((s, w) for w, s in one[face].items()), default=(0.0, "")) for one in scores]
        glue = "" if lang == "zh" else " "
        best = max(best, (sum(s for s, _ in chosen), glue.join(w for _, w in chosen)))
    return best[1]


@cache
def vocabulary(lang: str) -> tuple[str, ...]:
    """Every word that a question may hold, with the marks that may stand at it."""
    lists = bank()[lang]
    slots = {
        "who": lists["who"], "things": lists["things"], "other": lists["who"], "x": lists["who"],
        "y": lists["who"], "more": [w for p in lists["pairs"] for w in p],
        "most": [w for p in lists["most"] for w in p], "day": lists["days"],
        "event": lists["events"], "later": lists["events"],
    } | {name: list(map(str, NUMBERS)) for name in "abcdmkr"}  # fmt: skip
    words = [w for group in lists["groups"] for w in group.split()]
    forms = [form for forms in lists["forms"].values() for form in forms]
    texts = [*forms, lists["fact"], lists["stray"]]
    found = {w + mark for w in words for mark in (",", "?", ".")} if lang == "en" else set()
    if lang == "zh":
        texts += [*words, *itertools.chain(*(map(str, v) for v in slots.values())), lists["comma"]]
    for text in texts:
        for piece in re.findall(r"\S+", text) if lang == "en" else [text]:
            found |= _filled(piece, slots, lang)
    return tuple(sorted(found))


def _filled(piece: str, slots: Mapping[str, Sequence[str]], lang: str) -> set[str]:
    """A piece of a form with everything that its slot takes."""
    name = re.search(r"\{(\w+)\}", piece)
    if lang == "zh":
        return set(pieces(re.sub(r"\{\w+\}", "", piece), lang))
    if not name:
        return {piece}
    return {piece.replace(name[0], word) for word in slots.get(name[1], ())}


@lru_cache(maxsize=8)
def _templates(split: str, lang: str) -> dict[str, tuple[list[str], Any, Any, Any]]:
    """By face, narrow ones first: words, their px without mean and of length 1, these at
    half the size, and ratios."""
    found: dict[str, tuple[list[str], Any, Any, Any]] = {}
    script = "han" if lang == "zh" else "latin"
    for face in glyphs.faces(split, script, plain=lang != "zh"):
        drawn = [(word, _drawn(face.name, word)) for word in vocabulary(lang)]
        kept = [(word, ink) for word, ink in drawn if ink is not None]
        kept.sort(key=lambda one: one[1].shape[1] / one[1].shape[0])
        rows = np.array([_fitted(ink) for _, ink in kept], np.float32)
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= np.maximum(np.sqrt((rows**2).sum(axis=1, keepdims=True)), 1e-6)
        ratios = np.array([ink.shape[1] / ink.shape[0] for _, ink in kept])
        found[face.name] = ([word for word, _ in kept], rows, _halved(rows), ratios)
    return found


def _halved(rows: Any) -> Any:
    """Rows of px, each four of them as one."""
    pixels = rows.reshape(len(rows), HEIGHT // 2, 2, WIDTH // 2, 2)
    return pixels.mean(axis=(2, 4)).reshape(len(rows), -1)


@lru_cache(maxsize=256)
def _font(face: str, char: str) -> Any:
    for path in glyphs.face_named(face).paths():
        if ord(char) in _characters(path):
            return ImageFont.truetype(str(path), PX, layout_engine=ImageFont.Layout.BASIC)
    return None


@lru_cache(maxsize=64)
def _characters(path: Path) -> frozenset[int]:
    return frozenset(TTFont(path).getBestCmap() or {})


def _drawn(face: str, word: str) -> Any:
    """The ink of a word, 0 to 255, without kerning; None where the face lacks a character."""
    canvas, x = Image.new("L", (PX * (len(word) + 2), 3 * PX)), float(PX)
    pen = ImageDraw.Draw(canvas)
    for char in word:
        font = _font(face, char)
        if font is None:
            return None
        pen.text((x, PX), char, 255, font)
        x += font.getlength(char)
    box = canvas.getbbox()
    return None if box is None else np.asarray(canvas.crop(box), np.float32)


def _fitted(ink: Any) -> Any:
    return cv2.resize(ink, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).ravel()


def _scores(picture: Any, box: Box, least: float, split: str, lang: str) -> dict[str, Words]:
    """By face: how far each word's ink is explained by the colours of the box."""
    found: dict[str, Words] = {}
    for inner in _inner(box, least):
        centres = _colours(_lab(picture, inner, 0.0))
        views = (
            _grouped(
                _lab(picture, inner.moved(dx * inner.width, dy * inner.height), slope), centres
            )
            for slope, dx, dy in VIEWS
        )
        shares = np.concatenate(list(views), axis=1)
        glance = _halved(_grouped(_lab(picture, inner, 0.0), centres).T).T
        for face, (words, rows, small, ratios) in _templates(split, lang).items():
            low, high = np.searchsorted(ratios, inner.width / inner.height * SHAPES)
            rough = ((small[low:high] @ glance) ** 2).sum(axis=1)
            picked = low + np.argsort(-rough)[:SHORTLIST]
            values = ((rows[picked] @ shares) ** 2).reshape(len(picked), len(VIEWS), GROUPS)
            best = found.setdefault(face, {})
            for at, value in zip(picked, values.sum(axis=2).max(axis=1), strict=True):
                best[words[at]] = max(best.get(words[at], 0.0), float(value))
    return found


def _inner(box: Box, least: float) -> list[Box]:
    """The box, and narrower and lower ones in its middle where it may have been grown to the least
    that a record names: the ink of a comma or of a 5 is smaller."""
    wide = SHRUNK if box.width < 1.02 * least else (1.0,)
    high = SHRUNK if box.height < 1.02 * least else (1.0,)
    return [
        Box.sized(box.center.x - w * box.width / 2, box.center.y - h * box.height / 2,
                  w * box.width, h * box.height)
        for w in wide for h in high
    ]  # fmt: skip


def _lab(picture: Any, box: Box, slope: float) -> Any:
    """CIELAB ``(px, 3)`` of a word along a line that falls by ``slope``, aslant in its box."""
    high = max(box.height / 2, box.height - abs(slope) * box.width)
    x = (np.arange(WIDTH) + 0.5) * box.width / WIDTH - box.width / 2
    y = (np.arange(HEIGHT) + 0.5) * high / HEIGHT - high / 2
    across, down = np.meshgrid(x, y)
    down = (down + slope * across + box.center.y - 0.5).astype(np.float32)
    across = (across + box.center.x - 0.5).astype(np.float32)
    window = cv2.remap(picture, across, down, cv2.INTER_LINEAR).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2Lab)).reshape(-1, 3)


def _colours(lab: Any) -> Any:
    """The middles of ``GROUPS`` groups of colours."""
    label = np.zeros((len(lab), 1), np.int32)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 15, 0.5)
    return cv2.kmeans(lab, GROUPS, label, stop, 2, cv2.KMEANS_PP_CENTERS)[2]


def _grouped(lab: Any, centres: Any) -> Any:
    """Which group each px is in: a column a group, over the root of its size."""
    far = ((lab[:, None] - centres[None]) ** 2).sum(axis=2)
    shares = np.eye(GROUPS, dtype=np.float32)[far.argmin(axis=1)]
    return shares / np.sqrt(np.maximum(shares.sum(axis=0), 1.0))


def answer(question: str, lang: str) -> str:
    """The answer of a question as it was read."""
    lists = bank()[lang]
    numbers = [int(n) for n in re.findall(r"\d+", question)]
    if any(day in question for day in lists["days"]):
        first = min((question.find(d), d) for d in lists["days"] if d in question)[1]
        days = list(lists["days"])
        return days[(days.index(first) + sum(numbers)) % 7]
    if not numbers:
        return _odd(question, lists) or _most(question, lists)
    if re.search(r"each|bags of|袋|盒子", question) and not re.search(r"in a bag|袋子里", question):
        m, k, *r = numbers[1:] if numbers[0] > 9 else numbers
        return str(m * k + sum(r) * (-1 if re.search("taking|away|拿走|送人", question) else 1))
    a, b, c = numbers[-3:]
    return str(a + b - c)


def _odd(question: str, lists: Mapping[str, Any]) -> str:
    """The word whose group has no other in the question; empty where it lists none."""
    kinds = {w: at for at, group in enumerate(lists["groups"]) for w in group.split()}
    longest = sorted(kinds, key=len, reverse=True)
    words = re.findall("|".join(rf"\b{w}\b" if w.isascii() else w for w in longest), question)
    groups = [kinds[w] for w in words]
    return next((w for w in words if groups.count(kinds[w]) == 1), "")


def _facts(question: str, lists: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Two people and the direction of each fact: 1 where the first has more."""
    who = "|".join(lists["who"])
    for more, less in lists["pairs"]:
        for word, way in ((more, 1), (less, -1)):
            english = rf"({who}) is {word} than ({who})"
            chinese = rf"({who})比({who}){word}"
            for x, y in re.findall(f"{english}" if "is" in lists["fact"] else chinese, question):
                yield x, y, way


def _most(question: str, lists: Mapping[str, Any]) -> str:
    """Who stands at the end of the order that is asked for."""
    rank: dict[str, int] = {}
    for x, y, way in _facts(question, lists):
        rank[x] = rank.get(x, 0) + way
        rank[y] = rank.get(y, 0) - way
    top = any(re.search(rf"\b{high}\b|{high}？", question) for high, _ in lists["most"])
    return (max if top else min)(rank, key=lambda name: rank[name])
