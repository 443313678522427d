"""The frame of all mechanics: a mechanic owns the interaction and the judging.

A mechanic is a pure state machine over events: ``start() -> world``,
``step(world, event) -> world``, ``verdict(world)``. What it looks like in any
world is its ``pose``; its right actions are ``gold``. Everything geometric is
px of the final canvas; ``mapped`` moves a mechanic there from the panel's CSS
px. A mechanic is data: ``to_payload`` and ``from_payload`` carry it through
JSON, so a record can be judged with neither its class nor its pixels.

The module of a mechanic has the name of its tag and is imported on demand, so
a new mechanic touches no other file.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar, cast

import msgspec

from factory.core.actions import ARGUMENTS, ActionBase
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, PlaneMap, Point
from factory.core.mechanics.events import Event, lower
from factory.core.rng import Stream

MAX_COORDINATE_PX = 1e6
"""Coordinates beyond this are junk: a thousand times the largest canvas."""
MAX_DURATION_MS = 3.6e6
"""Durations beyond an hour are junk."""
MAX_ACTIONS = 1024
"""Sequences longer than this are junk: the longest gold traces have about a hundred actions."""


class Verdict(msgspec.Struct, frozen=True):
    """What a mechanic says about a world: ``score`` in [0, 1], and one word why."""

    score: float
    reason: str

    @property
    def passed(self) -> bool:
        """Whether the check is solved. Decided here and nowhere else."""
        return self.score >= 1.0


SOLVED = Verdict(1.0, "solved")


def failed(reason: str) -> Verdict:
    """A verdict of 0 with its reason."""
    return Verdict(0.0, reason)


class Mark(msgspec.Struct, frozen=True):
    """Feedback that the raster kit draws: no class writes code for it.

    ``points`` are px of the mechanic's frame: the outline's or polyline's corners, a badge's
    or tick's centre, the corners of the field that ``text`` is typed into. ``value`` is the
    filled share of a progress ring or bar, in [0, 1].
    """

    kind: Literal["typed", "tick", "badge", "outline", "polyline", "progress"]
    points: tuple[Point, ...] = ()
    text: str = ""
    value: float = 0.0


class PartPose(NamedTuple):
    """Where a movable part is, against its home: px, degrees clockwise, factor."""

    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0
    scale: float = 1.0


class Pose(msgspec.Struct, frozen=True):
    """What a world looks like: poses of parts by name, page, frame and marks."""

    parts: dict[str, PartPose] = {}
    page: int = 0
    frame: int = 0
    marks: tuple[Mark, ...] = ()


class Perturbation(NamedTuple):
    """A changed gold and the verdict that the mechanic's invariances predict for it."""

    name: str
    actions: list[ActionBase]
    passes: bool


class Similarity(NamedTuple):
    """A uniform scale and a shift: ``p -> scale * p + (dx, dy)``."""

    scale: float
    dx: float
    dy: float

    def box(self, box: Box) -> Box:
        """The box mapped."""
        s, dx, dy = self
        return Box(s * box.x0 + dx, s * box.y0 + dy, s * box.x1 + dx, s * box.y1 + dy)

    def point(self, point: tuple[float, float]) -> Point:
        """The point mapped."""
        return Point(self.scale * point[0] + self.dx, self.scale * point[1] + self.dy)


def similarity(b_from_a: PlaneMap) -> Similarity:
    """The map as scale and shift; ``InvalidOptions`` when it turns, shears or stretches."""
    a, b, c, d, e, f, g, h, i = b_from_a.m
    slack = 1e-9 * max(abs(a), 1e-9)
    straight = max(abs(b), abs(d), abs(g), abs(h)) <= slack and abs(i - 1.0) <= 1e-12
    if not (straight and a > 0 and abs(a - e) <= slack):
        raise InvalidOptions(
            f"a mechanic maps by a uniform scale and a shift only, not by {b_from_a.as_list()}"
        )
    return Similarity(a, c, f)


W = TypeVar("W")


class Mechanic(msgspec.Struct, Generic[W], frozen=True, tag_field="mechanic"):
    """Base of the tagged union. ``W`` is the mechanic's own world, a frozen value."""

    version: ClassVar[str] = "1"

    def start(self) -> W:
        """The world before anything happened."""
        raise NotImplementedError

    def step(self, world: W, event: Event) -> W:
        """The world after an event; ``world`` itself is never changed."""
        raise NotImplementedError

    def verdict(self, world: W) -> Verdict:
        """The verdict if nothing more happened."""
        raise NotImplementedError

    def pose(self, world: W) -> Pose:
        """What the world looks like."""
        raise NotImplementedError

    def candidates(self) -> list[Pose]:
        """Every state among which one is to be chosen, the first one first; none where a
        single look shows them all."""
        return []

    def gold(self, stream: Stream) -> list[ActionBase]:
        """Right actions in canvas px, with a little of a person's jitter from ``stream``."""
        raise NotImplementedError

    def goal_slots(self) -> dict[str, str]:
        """Tokens that a goal text needs (handle, direction, submit ...), in no language yet."""
        raise NotImplementedError

    def mapped(self, page_from_panel: PlaneMap) -> Self:
        """The same mechanic in the frame that the map leads to."""
        raise NotImplementedError

    def grid_safe(self, gold: Sequence[ActionBase], width: float, height: float) -> bool:
        """Whether ``gold`` survives the grid of a ``width`` x ``height`` px canvas.

        All three readings pass, and each still passes with one grid unit to spare.
        """
        raise NotImplementedError

    def perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        """Changed golds with the verdict predicted by arithmetic, not by ``step``."""
        raise NotImplementedError

    def quick_perturbations(
        self, gold: Sequence[ActionBase], width: float, height: float
    ) -> list[Perturbation]:
        """The cheap subset that runs for every sample; all of them where that is cheap enough."""
        return self.perturbations(gold, width, height)

    def parity(self, gold: Sequence[ActionBase], width: float, height: float) -> dict[str, bool]:
        """Which benchmarks' own scorers pass ``gold`` once it went through the canvas's grid."""
        return {}


AnyMechanic = Mechanic[Any]
_REGISTRY: dict[str, type[AnyMechanic]] = {}
M = TypeVar("M", bound=type[AnyMechanic])


def register_mechanic(cls: M) -> M:
    """Class decorator: make the mechanic known by its tag."""
    tag = str(cls.__struct_config__.tag)
    if _REGISTRY.setdefault(tag, cls) is not cls:
        raise InvalidOptions(f"two mechanics have the tag {tag!r}")
    return cls


def mechanic_names() -> list[str]:
    """The tags of the mechanics that come with the package, sorted."""
    names = {module.name for module in pkgutil.iter_modules(__path__)}
    for name in sorted(names - {"events"}):
        importlib.import_module(f"{__name__}.{name}")
    return sorted(_REGISTRY)


def to_payload(mechanic: AnyMechanic) -> dict[str, Any]:
    """The mechanic as JSON-able data, its tag under ``mechanic``."""
    return msgspec.to_builtins(mechanic)


def from_payload(payload: object) -> AnyMechanic:
    """The mechanic back from ``to_payload``; ``InvalidOptions`` when it is none."""
    tag = cast("dict[Any, Any]", payload).get("mechanic") if isinstance(payload, dict) else None
    if not isinstance(tag, str):
        raise InvalidOptions("a mechanic's payload is an object with its tag under 'mechanic'")
    if tag not in _REGISTRY and tag not in mechanic_names():
        raise InvalidOptions(f"no mechanic {tag!r}; known: {', '.join(sorted(_REGISTRY))}")
    try:
        return msgspec.convert(payload, _REGISTRY[tag])
    except msgspec.ValidationError as error:
        raise InvalidOptions(f"broken payload of mechanic {tag!r}: {error}") from error


def _is_number(value: object, limit: float) -> bool:
    """Whether it is a finite int or float within ``limit``."""
    kind = type(value)
    if kind is not float and kind is not int:
        return False
    return -limit <= cast("float", value) <= limit  # False for NaN


def _is_point(value: object) -> bool:
    """Whether it is a pair of usable coordinates."""
    if not isinstance(value, tuple):
        return False
    pair = cast("tuple[object, ...]", value)
    return len(pair) == 2 and all(_is_number(v, MAX_COORDINATE_PX) for v in pair)


def _is_keys(value: object) -> bool:
    """Whether it is a tuple of strings."""
    return isinstance(value, tuple) and all(
        isinstance(key, str) for key in cast("tuple[object, ...]", value)
    )


def well_formed(action: object) -> bool:
    """Whether it is an action whose values have the right types and are finite and not huge."""
    arguments = ARGUMENTS.get(cast("type[ActionBase]", type(action)))
    if arguments is None or not isinstance(action, ActionBase):
        return False
    for name, kind in arguments:
        value = getattr(action, name)
        if kind == "point":
            good = _is_point(value)
        elif kind == "keys":
            good = _is_keys(value)
        elif kind == "index":
            good = _is_number(value, MAX_COORDINATE_PX)
        else:
            good = isinstance(value, str)
        if not good:
            return False
    return all(
        time is None or (_is_number(time, MAX_DURATION_MS) and time >= 0)
        for time in (action.duration_ms, action.t_ms)
    )


def replay(mechanic: Mechanic[W], actions: Iterable[ActionBase]) -> W:
    """The world after the actions, which must be well formed."""
    world = mechanic.start()
    for event in lower(actions):
        world = mechanic.step(world, event)
    return world


def judge(mechanic: AnyMechanic, actions: object) -> Verdict:
    """The verdict on a sequence of canvas-px actions; junk fails with a reason, never raises."""
    if not isinstance(actions, list | tuple):
        return failed("not_a_sequence")
    sequence = cast("Sequence[object]", actions)
    if not sequence:
        return failed("no_actions")
    if len(sequence) > MAX_ACTIONS:
        return failed("too_many_actions")
    if not all(well_formed(action) for action in sequence):
        return failed("malformed_action")
    return mechanic.verdict(replay(mechanic, cast("Sequence[ActionBase]", sequence)))


def grid_safe(
    mechanic: AnyMechanic, actions: Sequence[ActionBase], width: float, height: float
) -> bool:
    """See ``Mechanic.grid_safe``."""
    return mechanic.grid_safe(actions, width, height)


def perturbations(
    mechanic: AnyMechanic, gold: Sequence[ActionBase], width: float, height: float
) -> list[Perturbation]:
    """See ``Mechanic.perturbations``."""
    return mechanic.perturbations(gold, width, height)


class GateReport(NamedTuple):
    """Whether a sample may be written, and what broke: ``gold``, ``grid`` or a perturbation."""

    ok: bool
    broken: str = ""


def gate(
    mechanic: AnyMechanic, gold: Sequence[ActionBase], width: float, height: float
) -> GateReport:
    """Acceptance on a ``width`` x ``height`` px canvas: gold, perturbations, grid.

    ``broken == "grid"`` asks for another draw; anything else is a bug in the mechanic or class.
    """
    if not math.isfinite(width * height) or min(width, height) <= 0:
        raise InvalidOptions(f"a canvas of {width} x {height} px")
    if not judge(mechanic, list(gold)).passed:
        return GateReport(False, "gold")
    for name, actions, passes in mechanic.quick_perturbations(gold, width, height):
        if mechanic.verdict(replay(mechanic, actions)).passed is not passes:
            return GateReport(False, name)
    return (
        GateReport(True) if mechanic.grid_safe(gold, width, height) else GateReport(False, "grid")
    )
