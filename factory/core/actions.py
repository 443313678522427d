"""The unified action space (Table 7 of the UI-Venus-2 report, arXiv 2609.00028).

Canonical coordinates are continuous pixels of the screenshot the model sees
(the final canvas). ``to_grid`` and ``from_grid`` convert to and from the
integers 0..999 that models write. ``duration_ms`` and ``t_ms`` exist on the
canonical action only: text dialects drop them and the executor fills in
``HOLD_MS`` and ``WAIT_MS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from factory.core import geometry
from factory.core.errors import InvalidOptions
from factory.core.geometry import Point

HOLD_MS = 3000.0
"""How long a LongPress without ``duration_ms`` holds (the benchmark executor's default)."""
WAIT_MS = 1000.0
"""How long a Wait without ``duration_ms`` lasts (the benchmark executor's default)."""

Direction = Literal["up", "down", "left", "right"]
Reading = Literal["centre", "thousandth", "inclusive"]
READINGS: tuple[Reading, ...] = ("centre", "thousandth", "inclusive")
"""The decoders in the wild, in the order of ``geometry.from_grid_readings``."""
DIRECTIONS: tuple[Direction, ...] = ("up", "down", "left", "right")


class ActionBase(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag=True,
    tag_field="action",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What every action carries: how long it takes and when it starts, both optional."""

    duration_ms: float | None = None
    t_ms: float | None = None


class Click(ActionBase, frozen=True):
    """Press and release at one point."""

    point: Point


class DoubleClick(ActionBase, frozen=True):
    """Two clicks at one point."""

    point: Point


class RightClick(ActionBase, frozen=True):
    """A click with the secondary button."""

    point: Point


class LongPress(ActionBase, frozen=True):
    """Press, hold for ``duration_ms`` (``HOLD_MS`` when absent), release."""

    point: Point


class Hover(ActionBase, frozen=True):
    """Move the pointer without pressing."""

    point: Point


class Drag(ActionBase, frozen=True):
    """Press at ``start``, move in a straight line, release at ``end``."""

    start: Point
    end: Point


class Swipe(ActionBase, frozen=True):
    """A finger's drag; the same events as ``Drag``."""

    start: Point
    end: Point


class Scroll(ActionBase, frozen=True):
    """Turn the wheel over ``point``."""

    point: Point
    direction: Direction


class Type(ActionBase, frozen=True):
    """Type text into the focused field."""

    content: str


class CallUser(ActionBase, frozen=True):
    """Ask the person for help."""

    content: str


class Finished(ActionBase, frozen=True):
    """Say that the task is done."""

    content: str


class Answer(ActionBase, frozen=True):
    """Answer a question of the person."""

    content: str


class TakeNote(ActionBase, frozen=True):
    """Write something down for later steps."""

    content: str


class Wait(ActionBase, frozen=True):
    """Do nothing for ``duration_ms`` (``WAIT_MS`` when absent)."""


class PressBack(ActionBase, frozen=True):
    """The back button."""


class PressHome(ActionBase, frozen=True):
    """The home button."""


class PressEnter(ActionBase, frozen=True):
    """The enter key."""


class PressRecent(ActionBase, frozen=True):
    """The button that lists recent apps."""


class GetScreenshot(ActionBase, frozen=True):
    """Ask for a new screenshot."""


class GetUrl(ActionBase, frozen=True):
    """Ask for the address of the page."""


class LaunchApp(ActionBase, frozen=True):
    """Open an app by name."""

    app: str


class Launch(ActionBase, frozen=True):
    """Open an address."""

    url: str


class Hotkey(ActionBase, frozen=True):
    """Press keys together, e.g. ``("ctrl", "c")``."""

    keys: tuple[str, ...]


class SelectOption(ActionBase, frozen=True):
    """Choose an option of the open list by its index, from 0."""

    index: int


Action = (
    Click | DoubleClick | RightClick | LongPress | Hover | Drag | Swipe | Scroll
    | Type | CallUser | Finished | Answer | TakeNote | Wait | PressBack | PressHome | PressEnter
    | PressRecent | GetScreenshot | GetUrl | LaunchApp | Launch | Hotkey | SelectOption
)  # fmt: skip

ArgumentKind = Literal["point", "text", "keys", "direction", "index"]


class Argument(NamedTuple):
    """One argument of an action as text: its name and what its value is."""

    name: str
    kind: ArgumentKind


_POINT = (Argument("point", "point"),)
_LINE = (Argument("start", "point"), Argument("end", "point"))
_CONTENT = (Argument("content", "text"),)

ARGUMENTS: dict[type[ActionBase], tuple[Argument, ...]] = {
    Click: _POINT,
    Drag: _LINE,
    Swipe: _LINE,
    DoubleClick: _POINT,
    LongPress: _POINT,
    Type: _CONTENT,
    Wait: (),
    CallUser: _CONTENT,
    Finished: _CONTENT,
    PressBack: (),
    PressHome: (),
    PressEnter: (),
    PressRecent: (),
    LaunchApp: (Argument("app", "text"),),
    GetScreenshot: (),
    Answer: _CONTENT,
    RightClick: _POINT,
    Hotkey: (Argument("keys", "keys"),),
    Scroll: (Argument("point", "point"), Argument("direction", "direction")),
    Launch: (Argument("url", "text"),),
    GetUrl: (),
    TakeNote: _CONTENT,
    Hover: _POINT,
    SelectOption: (Argument("index", "index"),),
}
"""Every action with its arguments in the order in which they are written."""

ACTION_BY_NAME: dict[str, type[ActionBase]] = {cls.__name__: cls for cls in ARGUMENTS}

SHARED = (Click, Drag, Swipe, DoubleClick, LongPress, Type, Wait, CallUser, Finished)
PLATFORM_ACTIONS: dict[str, tuple[type[ActionBase], ...]] = {
    "shared": SHARED,
    "mobile": (
        *SHARED, PressBack, PressHome, PressEnter, PressRecent, LaunchApp, GetScreenshot, Answer,
    ),
    "desktop": (*SHARED, RightClick, Hotkey),
    "web": (
        *SHARED, Scroll, Launch, GetUrl, TakeNote, Hover, Hotkey, SelectOption, PressBack,
    ),
    "captcha": (Click, Drag, Type, LongPress),
}  # fmt: skip
"""The actions of each platform, shared ones first; ``captcha`` is the single-shot protocol."""

A = TypeVar("A", bound=ActionBase)


def point_names(action_type: type[ActionBase]) -> tuple[str, ...]:
    """The names of the arguments that are points."""
    return tuple(name for name, kind in ARGUMENTS[action_type] if kind == "point")


_POINT_NAMES = {cls: point_names(cls) for cls in ARGUMENTS}


def with_points(action: A, convert: Callable[[Point], Point]) -> A:
    """The action with each of its points converted."""
    names = _POINT_NAMES[type(action)]
    if not names:
        return action
    return msgspec.structs.replace(action, **{n: convert(getattr(action, n)) for n in names})


def to_grid(action: A, width: float, height: float) -> A:
    """The action with its canvas px turned into grid cells 0..999 (``geometry.to_grid``)."""
    return with_points(
        action,
        lambda p: Point(geometry.to_grid(p[0], width), geometry.to_grid(p[1], height)),
    )


def from_grid(action: A, width: float, height: float, reading: Reading = "centre") -> A:
    """The action with its grid cells turned into canvas px, as the named decoder reads them."""
    if reading not in READINGS:
        raise InvalidOptions(f"unknown grid reading {reading!r}; known: {', '.join(READINGS)}")
    which = READINGS.index(reading)

    def decode(cell: Point) -> Point:
        return Point(
            geometry.from_grid_readings(int(cell[0]), width)[which],
            geometry.from_grid_readings(int(cell[1]), height)[which],
        )

    return with_points(action, decode)


def to_builtins(actions: Sequence[ActionBase]) -> list[dict[str, Any]]:
    """The actions as JSON-able dictionaries; the tag is ``action``."""
    return msgspec.to_builtins(list(actions))


def from_builtins(data: object) -> list[Action]:
    """The actions out of decoded JSON; ``InvalidOptions`` when they are none."""
    try:
        return msgspec.convert(data, list[Action])
    except msgspec.ValidationError as error:
        raise InvalidOptions(f"not a list of actions: {error}") from error
