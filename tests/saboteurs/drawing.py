"""Faults of what is drawn and where."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from captcha_types.rotate.rotate import Rotate, RotateState
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.slide import Slide
from factory.core.puzzle import Artwork, Placement


class WrongWay(Rotate):
    """The picture is drawn turned the other way."""

    caught_by, because = "C5", "the independent answer is off"

    def mechanic(self, state: RotateState, placement: Placement) -> AnyMechanic:
        healthy = super().mechanic(state, placement)
        assert isinstance(healthy, Slide)
        motion = msgspec.structs.replace(
            healthy.parts[0], turn_deg_at_rest=-healthy.parts[0].turn_deg_at_rest
        )
        return msgspec.structs.replace(healthy, parts=(motion,))


class LevelPicture(Rotate):
    """The picture is drawn upright whatever the state says."""

    caught_by, because = "C5", "the independent answer is off"

    def mechanic(self, state: RotateState, placement: Placement) -> AnyMechanic:
        healthy = super().mechanic(state, placement)
        assert isinstance(healthy, Slide)
        level = msgspec.structs.replace(healthy.parts[0], turn_deg_at_rest=0.0)
        return msgspec.structs.replace(healthy, parts=(level,))


class HalfPixelShift(Rotate):
    """Art is drawn half a CSS px off: pixel centres taken for pixel corners."""

    caught_by, because = "C6", "px from where the map puts it"

    def draw(self, state: RotateState, placement: Placement) -> Artwork:
        art = super().draw(state, placement)
        return replace(
            art, parts=tuple(replace(part, home=part.home.moved(0.5, 0.5)) for part in art.parts)
        )


class RegionNotWarped(Rotate):
    """The handle's region is given in canvas px, where panel px are due."""

    caught_by, because = "C6", "no region is the box"

    def draw(self, state: RotateState, placement: Placement) -> Artwork:
        art = super().draw(state, placement)
        handle = placement.canvas_from_panel.box(placement.boxes["handle"])
        return replace(art, regions={**art.regions, "handle": handle})


class OffScreen(Rotate):
    """The handle lies beyond the left edge of the page."""

    caught_by, because = "C7", "leaves the canvas"

    def draw(self, state: RotateState, placement: Placement) -> Artwork:
        art = super().draw(state, placement)
        handle = placement.boxes["handle"].moved(-2.0 * placement.width_px, 0.0)
        return replace(art, regions={**art.regions, "handle": handle})


SABOTEURS = (WrongWay, LevelPicture, HalfPixelShift, RegionNotWarped, OffScreen)
