"""Grounds that glyphs and icons stand on, with a promise of what inks read on them.

::

    ground = grounds.compose(kind, number, stream, split)     # kinds and shares: contents(split)
    style = styles.choose_style(stream, ground.tone, size)    # an ink that reads
    grounds.draw_ground(canvas, ground, box)

A ground is ``light``, ``dark`` or ``rich``. Light and dark ones keep every
channel of every px on one side of a bound, so ``ground.tone`` bounds their
luminance by construction and a flat ink can be chosen without a raster. A rich
ground promises nothing: there ``choose_style`` gives a rimmed ink, whose rim
keeps the contrast. A number owns its seed, so that grounds of a run differ,
and the seeds of splits are disjoint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import skia

from factory.core.errors import InvalidOptions
from factory.core.geometry import Box
from factory.core.puzzle import Content
from factory.core.rng import Stream
from factory.draw import pictures
from factory.draw.blits import blurred
from factory.draw.colours import luminance, mix, parse_hex
from factory.draw.ground_art import PAINTERS
from factory.draw.pictures.spec import seeded_asset
from factory.draw.tones import Tone, shade

SHARES: Mapping[str, float] = {
    "gradient": 0.10, "clouds": 0.11, "paper": 0.09, "pattern": 0.14, "facets": 0.13,
    "bokeh": 0.11, "strata": 0.12, "blocks": 0.10, "scene": 0.10,
}  # fmt: skip
"""Kinds with their shares of a default mix."""

SCENES = ("landscape", "street", "room", "sea", "garden")
"""Kinds of pictures that blurred scenes come from."""

CAPACITY = 1 << 28
"""Numbers of a kind in a split."""

MOODS: Mapping[str, tuple[str, float]] = {
    "light": ("#ffffff", 0.68),
    "dark": ("#06080f", 0.64),
    "rich": ("#808080", 0.0),
}
"""By mood: the veil, and how much of it is in every px. 0.68 of white leaves a luminance of 0.42
at least, on which inks up to 0.10 keep 3:1; 0.64 of near-black leaves 0.11 at most."""

MOOD_WEIGHTS = (0.45, 0.30, 0.25)

SCENE_PX = 100.0
"""Width at which a scene is drawn before it is stretched: the blur of an eye half shut."""


@dataclass(frozen=True)
class Ground:
    """A ground: JSON-able. ``picture`` is the spec of a scene, None for other kinds."""

    kind: str
    seed: str
    mood: str
    colours: tuple[str, ...]
    picture: dict[str, Any] | None = field(default=None, hash=False)

    @property
    def tone(self) -> Tone:
        """Bounds of its luminance."""
        veil, share = MOODS[self.mood]
        return Tone(luminance(mix(veil, "#000000", share)), luminance(mix(veil, "#ffffff", share)))


def contents(share: float = 1.0) -> list[Content]:
    """The kinds of grounds as sources of content, their shares summing to ``share``."""
    return [Content(f"ground_{kind}", share * part, CAPACITY) for kind, part in SHARES.items()]


def compose(
    kind: str,
    number: int,
    stream: Stream,
    split: str,
    *,
    moods: Sequence[str] = tuple(MOODS),
) -> Ground:
    """Ground ``number`` of a kind (``ground_`` before it or not) in a split.

    The number owns the arrangement; the stream chooses mood and colours.
    """
    kind = kind.removeprefix("ground_")
    if kind not in SHARES:
        raise InvalidOptions(f"no ground {kind!r}; there are {', '.join(SHARES)}")
    if not 0 <= number < CAPACITY:
        raise InvalidOptions(f"{kind} has {CAPACITY} grounds; there is no number {number}")
    weights = [MOOD_WEIGHTS[tuple(MOODS).index(mood)] for mood in moods]
    mood = stream.weighted(list(moods), weights)
    picture = None
    if kind == "scene":
        source = SCENES[number % len(SCENES)]
        picture = pictures.compose(source, number // len(SCENES), stream, split, 0.4).as_dict()
    seed = seeded_asset(f"ground-{kind}", number, split)
    return Ground(kind, seed, mood, _colours(stream, mood), picture)


def choose(stream: Stream, split: str, *, moods: Sequence[str] = tuple(MOODS)) -> Ground:
    """A random ground of a split, in the default mix."""
    kind = stream.weighted(list(SHARES), list(SHARES.values()))
    return compose(kind, stream.integer(0, CAPACITY), stream, split, moods=moods)


def _colours(stream: Stream, mood: str) -> tuple[str, ...]:
    """Five colours of related hues and different lightness, veiled as the mood says."""
    veil, share = MOODS[mood]
    hue, spread = stream.uniform(0, 360), stream.choice((25.0, 60.0, 150.0))
    saturation = stream.uniform(0.3, 0.7 if mood == "rich" else 0.9)
    levels = stream.shuffled((0.03, 0.12, 0.3, 0.55, 0.85))
    return tuple(
        mix(veil, shade(hue + stream.uniform(-spread, spread), saturation, level), share)
        for level in levels
    )


def draw_ground(canvas: skia.Canvas, ground: Ground, box: Box) -> None:
    """Fill a box of a canvas in CSS px; nothing is drawn outside."""
    canvas.save()
    canvas.clipRect(skia.Rect(box.x0, box.y0, box.x1, box.y1))
    canvas.translate(box.x0, box.y0)
    if ground.picture is None:
        PAINTERS[ground.kind](canvas, Stream(ground.seed), ground.colours, box.width, box.height)
    else:
        _draw_scene(canvas, ground, box)
    canvas.restore()


def _draw_scene(canvas: skia.Canvas, ground: Ground, box: Box) -> None:
    """The middle of a scene under its veil, drawn small and stretched."""
    assert ground.picture is not None
    spec = pictures.PictureSpec.from_dict(ground.picture)
    side = max(box.width, box.height)
    veil, share = MOODS[ground.mood]

    def paint(low: skia.Canvas) -> None:
        low.save()
        low.translate((box.width - side) / 2, (box.height - side) / 2)
        pictures.draw(low, spec, side)
        low.restore()
        if share:
            low.drawColor(skia.Color(*parse_hex(veil), round(255 * share)))

    blurred(canvas, box.width, box.height, SCENE_PX, paint)
