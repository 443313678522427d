"""Colours: hex and RGB, mixing, and the contrast of WCAG 2.2."""

from __future__ import annotations

RGB = tuple[int, int, int]


def parse_hex(colour: str) -> RGB:
    """``#rrggbb`` as (red, green, blue)."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def to_hex(rgb: tuple[float, float, float]) -> str:
    """(red, green, blue), 0 to 255, as ``#rrggbb``."""
    return "#" + "".join(f"{max(0, min(255, round(v))):02x}" for v in rgb)


def mix(a: str, b: str, share: float) -> str:
    """``share`` of ``a`` over ``b``, in sRGB."""
    pairs = zip(parse_hex(a), parse_hex(b), strict=True)
    red, green, blue = (share * x + (1 - share) * y for x, y in pairs)
    return to_hex((red, green, blue))


def luminance(colour: str | RGB) -> float:
    """WCAG relative luminance, 0 to 1."""
    rgb = parse_hex(colour) if isinstance(colour, str) else colour
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str | RGB, b: str | RGB) -> float:
    """WCAG contrast ratio of two opaque colours, 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)
