"""What colour an element has to the eye, measured from its pixels, and what it might be called.

A control with a surface has the colour of that surface; one without has the colour of its ink,
where that is no neutral. Between names there is none, and where several colours share an element
there is none either; ``near`` has every name that somebody might still use.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from factory.draw.colour_names import NAMES, NEUTRALS, SHADES, ciede2000, colour_name, lab
from factory.draw.colours import parse_hex, to_hex
from factory.web.paint import Pixels

COLOURED = ("button", "link", "tab", "switch", "image", "menuitem", "other")
"""Roles that people tell by their colour; rows, cards and fields have that of their ground."""
NEAR = 25.0
"""CIEDE2000 within which a shade might be called by a name: what refusals about colour keep clear
of, two and a half guard bands."""
UNNAMED = 12.0
"""How much farther than the nearest name another may be, for a shade that is far from all: teal is
blue to some and green to others."""
SAME = 8.0
"""Within this, two shades are one paint: gradients and smoothed edges."""
SURFACE_SHARE = 0.45
"""Of a control's pixels that its surface covers at least; letters and icons take the rest."""
STANDS_OUT = 10.0
"""From the ground around it, for a surface to be seen as one."""
INK_APART = 25.0
"""From the surface, for pixels to be ink and no smoothed edge."""
LEAST_SHARE = 0.01
"""Of the pixels: less is not seen."""
EDGE_LEVELS = 16.0
"""How far from the line between two paints, in levels, a smoothed edge of them may lie."""
SPREAD = 0.15
"""Share of another colour with a name of its own from which an element is mixed."""
MOST_PIXELS = 2048
RING_PX = 3
SHADES_KEPT = 16
"""Commonest shades of a part: the rest are edges."""


class Tint(NamedTuple):
    """``name`` is a key of ``NAMES`` or None; ``near`` are all names that might be said."""

    name: str | None
    near: tuple[str, ...]


ANY = Tint(None, tuple(NAMES))
"""What is not measured might be called anything."""
NO_TINT = Tint(None, ())
"""Of what is not in view, and of what nobody tells by its colour."""


class _Paint(NamedTuple):
    rgb: Any
    share: float


def tint_of(pixels: Pixels, box_px: tuple[int, int, int, int]) -> Tint:
    """The tint of a box ``(x0, y0, x1, y1)`` in px of a picture HxWx3, RGB."""
    x0, y0, x1, y1 = box_px
    inside = pixels[max(0, y0) : y1, max(0, x0) : x1]
    if inside.size == 0:
        return ANY
    paints, ground = _pure(_paints(inside)), _ground(pixels, box_px)
    main = paints[0]
    apart = ground is None or float(_far(main.rgb, ground)) >= STANDS_OUT
    if main.share >= SURFACE_SHARE and apart:
        return Tint(_surface_name(paints), _near([p.rgb for p in paints]))
    return _of_ink(paints)


def _pure(paints: list[_Paint]) -> list[_Paint]:
    """The commonest paint, and the others without smoothed edges, which lie between two paints."""
    main = paints[0]
    rest = [p for p in paints[1:] if p.share >= LEAST_SHARE]
    rest.sort(key=lambda p: -float(np.linalg.norm(p.rgb - main.rgb)))
    kept: list[_Paint] = []
    for paint in rest:
        if not any(_is_edge(paint.rgb, main.rgb, pure.rgb) for pure in kept):
            kept.append(paint)
    return [main, *sorted(kept, key=lambda p: -p.share)]


def _is_edge(rgb: Any, one: Any, other: Any) -> bool:
    whole = other - one
    along = float(np.dot(rgb - one, whole) / max(float(np.dot(whole, whole)), 1e-9))
    return 0 < along < 1 and float(np.linalg.norm(rgb - one - along * whole)) <= EDGE_LEVELS


def _surface_name(paints: list[_Paint]) -> str | None:
    name = colour_name(_hex(paints[0].rgb))
    others = [colour_name(_hex(p.rgb)) for p in paints[1:] if p.share >= SPREAD]
    coloured = [other for other in others if other not in (None, name, *NEUTRALS)]
    return None if coloured else name


def _of_ink(paints: list[_Paint]) -> Tint:
    """Of what stands on the ground; the farther from it, the purer."""
    far = [float(v) for v in _far(np.stack([p.rgb for p in paints]), paints[0].rgb)]
    ink = sorted(((f, i) for i, f in enumerate(far) if f >= INK_APART), reverse=True)
    if not ink:
        return Tint(None, _near([p.rgb for p in paints]))
    names = [colour_name(_hex(paints[i].rgb)) for _, i in ink]
    clear = names[0] not in (None, *NEUTRALS) and set(names) <= {names[0], None}
    return Tint(names[0] if clear else None, _near([paints[i].rgb for _, i in ink]))


def _paints(part: Pixels) -> list[_Paint]:
    """The paints of a part of the picture by their share, shades of one paint put together."""
    flat = part.reshape(-1, 3)
    flat = flat[:: max(1, len(flat) // MOST_PIXELS)]
    bins, inverse, counts = np.unique(
        (flat >> 3).astype(np.int32) @ np.array([1024, 32, 1]),
        return_inverse=True, return_counts=True,
    )  # fmt: skip
    order = np.argsort(-counts, kind="stable")
    sums = np.stack([np.bincount(inverse, flat[:, i], len(bins)) for i in range(3)], 1)
    means = (sums / counts[:, None])[order]
    return _merged(means, counts[order] / len(flat))


def _merged(means: Any, shares: Any) -> list[_Paint]:
    """Each shade joins the first commoner one that is the same paint."""
    means, shares = means[:SHADES_KEPT], shares[:SHADES_KEPT]
    labs = lab(means)
    same = np.asarray(ciede2000(labs[:, None], labs[None])) <= SAME
    totals: dict[int, float] = {}
    for index in range(len(means)):
        leader = next((k for k in totals if same[index, k]), index)
        totals[leader] = totals.get(leader, 0.0) + float(shares[index])
    paints = [_Paint(means[k], share) for k, share in totals.items()]
    return sorted(paints, key=lambda paint: -paint.share)


def _ground(pixels: Pixels, box: tuple[int, int, int, int]) -> Any:
    """The commonest colour just around a box; None where the box fills the picture."""
    x0, y0, x1, y1 = box
    height, width = pixels.shape[:2]
    outer = (slice(max(0, y0 - RING_PX), min(height, y1 + RING_PX)),
             slice(max(0, x0 - RING_PX), min(width, x1 + RING_PX)))  # fmt: skip
    mask = np.ones((height, width), bool)[outer]
    top, left = outer[0].start, outer[1].start
    mask[max(0, y0 - top) : y1 - top, max(0, x0 - left) : x1 - left] = False
    ring = pixels[outer][mask]
    return _paints(ring)[0].rgb if len(ring) else None


def _hex(rgb: Any) -> str:
    red, green, blue = (float(v) for v in rgb)
    return to_hex((red, green, blue))


def _far(first: Any, second: Any) -> Any:
    return ciede2000(lab(first), lab(second))


@cache
def _shades() -> tuple[tuple[str, ...], Any]:
    names = tuple(name for name, shades in SHADES.items() for _ in shades)
    return names, lab([parse_hex(shade) for shades in SHADES.values() for shade in shades])


def _near(colours: list[Any]) -> tuple[str, ...]:
    names, shades = _shades()
    far = np.asarray(ciede2000(lab(np.stack(colours))[:, None, :], shades[None]))
    limit = np.maximum(NEAR, far.min(1, keepdims=True) + UNNAMED)
    close = {names[i] for i in np.flatnonzero((far < limit).any(0))}
    return tuple(name for name in NAMES if name in close)
