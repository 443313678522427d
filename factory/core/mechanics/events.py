"""Actions become events, and mechanics consume nothing else.

The live page, the replay and the judge therefore take one path: a LongPress is
a Press, a Tick and a Release wherever it comes from. Coordinates are px of the
final canvas. ``t_ms`` is absolute time on a virtual clock that never runs back; a Tick
adds to the clock, so a mechanic may use whichever of the two it finds handier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from factory.core.actions import (
    HOLD_MS,
    WAIT_MS,
    ActionBase,
    Click,
    DoubleClick,
    Drag,
    Finished,
    GetScreenshot,
    GetUrl,
    Hotkey,
    Hover,
    LongPress,
    PressEnter,
    RightClick,
    Swipe,
    TakeNote,
    Type,
    Wait,
)

DRAG_MS = 400.0
"""How long a drag without ``duration_ms`` takes; a usual human slide is 0.3-1 s."""
CLICK_MS = 80.0
"""How long a click holds the button down; a usual human click is 60-120 ms."""


class Press(msgspec.Struct, frozen=True):
    """The pointer goes down at ``(x, y)``; ``button`` is ``left`` or ``right``."""

    x: float
    y: float
    t_ms: float = 0.0
    button: str = "left"


class Move(msgspec.Struct, frozen=True):
    """The pointer moves in a straight line to ``(x, y)``, pressed or not."""

    x: float
    y: float
    t_ms: float = 0.0


class Release(msgspec.Struct, frozen=True):
    """The pointer goes up at ``(x, y)``."""

    x: float
    y: float
    t_ms: float = 0.0


class Key(msgspec.Struct, frozen=True):
    """Typed ``text``, or one named chord such as ``ctrl+a`` or ``enter``."""

    text: str = ""
    name: str = ""
    t_ms: float = 0.0


class Tick(msgspec.Struct, frozen=True):
    """Time passes."""

    ms: float


class Other(msgspec.Struct, frozen=True):
    """An action that is neither pointer, key nor time (back button, scroll, launch ...)."""

    name: str


Event = Press | Move | Release | Key | Tick | Other

_SILENT = (Finished, GetScreenshot, GetUrl, TakeNote)
"""Actions that touch nothing on the page."""


def _events(action: ActionBase, now: float) -> tuple[list[Event], float]:
    """The events of one action that starts at ``now``, and the time after it."""
    if isinstance(action, Drag | Swipe):
        (x0, y0), (x1, y1) = action.start, action.end
        end = now + (DRAG_MS if action.duration_ms is None else action.duration_ms)
        return [Press(x0, y0, now), Move(x1, y1, end), Release(x1, y1, end)], end
    if isinstance(action, Click | RightClick):
        x, y = action.point
        button = "left" if isinstance(action, Click) else "right"
        return [Press(x, y, now, button), Release(x, y, now + CLICK_MS)], now + CLICK_MS
    if isinstance(action, DoubleClick):
        first, middle = _events(Click(action.point), now)
        second, end = _events(Click(action.point), middle + CLICK_MS)
        return [*first, Tick(CLICK_MS), *second], end
    if isinstance(action, LongPress):
        x, y = action.point
        hold = HOLD_MS if action.duration_ms is None else action.duration_ms
        return [Press(x, y, now), Tick(hold), Release(x, y, now + hold)], now + hold
    if isinstance(action, Hover):
        return [Move(action.point[0], action.point[1], now)], now
    if isinstance(action, Type):
        return [Key(text=action.content, t_ms=now)], now
    if isinstance(action, Hotkey):
        return [Key(name="+".join(action.keys).lower(), t_ms=now)], now
    if isinstance(action, PressEnter):
        return [Key(name="enter", t_ms=now)], now
    if isinstance(action, Wait):
        wait = WAIT_MS if action.duration_ms is None else action.duration_ms
        return [Tick(wait)], now + wait
    return ([], now) if isinstance(action, _SILENT) else ([Other(type(action).__name__)], now)


def lower_each(actions: Iterable[ActionBase]) -> Iterator[list[Event]]:
    """The events of each action of a sequence, on one virtual clock.

    An action with ``t_ms`` starts then, if the clock has not passed it; the gap becomes a Tick.
    """
    now = 0.0
    for action in actions:
        gap: list[Event] = []
        if action.t_ms is not None and action.t_ms > now:
            gap.append(Tick(action.t_ms - now))
            now = action.t_ms
        events, now = _events(action, now)
        yield gap + events if gap else events


def lower(actions: Iterable[ActionBase]) -> list[Event]:
    """The events of a sequence, on one virtual clock; see ``lower_each``."""
    return [event for events in lower_each(actions) for event in events]


def clock_after(now_ms: float, event: Event) -> float:
    """The virtual clock after an event: a Tick adds to it, others carry the time in ``t_ms``."""
    if isinstance(event, Tick):
        return now_ms + event.ms
    return now_ms if isinstance(event, Other) else max(now_ms, event.t_ms)
