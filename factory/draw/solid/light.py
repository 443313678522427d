"""Studio light: a key light with a soft edge, a weak fill from the viewer, and ambient light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from factory.draw.colours import RGB, parse_hex
from factory.draw.solid.vectors import Vec, direction, dot

GLOSS_POWER = 24
"""How tight highlights are: of polished plastic."""


@dataclass(frozen=True)
class Light:
    """Where the key light stands: azimuth anticlockwise from x seen from above. JSON-able.

    ``ambient`` is what a face in full shade keeps of its colour.
    """

    azimuth_deg: float
    elevation_deg: float
    ambient: float = 0.52

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, round(float(value), 6))

    @cached_property
    def towards(self) -> Vec:
        """The unit vector from the ground to the light."""
        return direction(self.azimuth_deg, self.elevation_deg)

    @cached_property
    def rays(self) -> tuple[Vec, ...]:
        """Directions to points of the light's disc, whose shadows add up to a soft one."""
        turns = ((0.9, 0.35), (-0.9, 0.35), (0.45, -0.5), (-0.45, -0.5))
        return tuple(
            direction(self.azimuth_deg + a, max(12.0, self.elevation_deg + e)) for a, e in turns
        )

    def level(self, normal: Vec) -> float:
        """Brightness of a matt face, 0 to about 1.1: 1 is its own colour."""
        sky = 0.5 + 0.5 * normal[2]
        key = max(0.0, dot(normal, self.towards))
        return self.ambient + 0.12 * sky + (1.06 - self.ambient - 0.12) * key


def lit(colour: str | RGB, level: float, shine: float = 0.0) -> RGB:
    """A colour at a brightness, then ``shine`` of white over it."""
    rgb = parse_hex(colour) if isinstance(colour, str) else colour
    # Above its own colour a face pales, below it keeps some of its hue.
    pale = max(0.0, level - 1.0) + shine
    red, green, blue = (min(255.0, v * min(level, 1.0)) for v in rgb)
    values = [v + (255.0 - v) * min(1.0, pale) for v in (red, green, blue)]
    return round(values[0]), round(values[1]), round(values[2])
