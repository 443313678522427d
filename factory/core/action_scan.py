"""The tolerant reader: finds actions in whatever a model wrote, with character spans.

It accepts other brackets, decimals, missing commas, positional and renamed arguments,
four-number boxes (their centre is meant), unquoted words, full-width punctuation and prose
around it all. It never raises, and its work is linear in the length of the text: strings and
calls have a length limit, and calls that fail draw on a budget proportional to the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from factory.core.action_text import (
    MAX_ACTIONS,
    MAX_CONTENT_CHARS,
    MAX_INDEX,
    MAX_KEYS,
    split_tolerant,
    unquote,
)
from factory.core.actions import (
    ACTION_BY_NAME,
    ARGUMENTS,
    DIRECTIONS,
    Action,
    ActionBase,
    Argument,
    CallUser,
    Finished,
)
from factory.core.geometry import GRID, Point

MAX_CALL_CHARS = 2 * MAX_CONTENT_CHARS + 1_000
"""A call ends within this many characters: one fully escaped string and its surroundings."""
BUDGET_PER_CHAR = 2
"""Characters that failed calls may read per character of text, before the reader gives up."""

Span = tuple[int, int]


class ParsedAction(NamedTuple):
    """An action in grid cells, and where it stands: ``text[span[0]:span[1]]``.

    ``span_name`` covers the action's name (the *type*), ``span_args`` what is between the
    brackets, ``span`` the whole call with its brackets.
    """

    action: Action
    span_name: Span
    span_args: Span
    span: Span


class _Value:
    """The tokens of one argument: numbers, strings, and where it starts and ends."""

    __slots__ = ("end", "numbers", "start", "strings", "words")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.numbers: list[float] = []
        self.strings: list[str] = []
        self.words: list[str] = []

    def take(self, token: re.Match[str]) -> None:
        """Add a token that is no string."""
        if token.lastgroup == "number":
            self.numbers.append(float(token[0]))
        elif token.lastgroup == "word":
            self.words.append(token[0])
        self.end = token.end()


def _call_pattern() -> re.Pattern[str]:
    """Finds ``Name(``, any case, ``_`` or ``-`` allowed between the words of a name."""
    names = sorted(ACTION_BY_NAME, key=lambda name: (-len(name), name))
    spelled = "|".join(re.sub(r"(?<=[a-z])(?=[A-Z])", "[_-]?", name) for name in names)
    return re.compile(
        rf"(?<![A-Za-z0-9_])({spelled})[ \t]{{0,8}}[(\uff08]", re.IGNORECASE | re.ASCII
    )


_CALL = _call_pattern()
_TYPE_BY_KEY = {name.lower(): cls for name, cls in ACTION_BY_NAME.items()}
_CLOSES = r"(?=\s{0,8}(?:[,)\]}\uff0c\uff09]|\Z))"
_BODY = rf"((?:[^\\]|\\.){{0,{2 * MAX_CONTENT_CHARS}}}?)"
_QUOTED = {quote: re.compile(rf"{quote}{_BODY}{quote}{_CLOSES}", re.DOTALL) for quote in ("'", '"')}
"""A string ends at the first quote that a comma, a bracket or the end follows, so that a bare
apostrophe does not end it."""
_TOKEN = re.compile(
    r"(?P<number>[-+]?(?:[0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12}))"
    r"|(?P<word>[A-Za-z_]\w{0,40})"
    r"|(?P<open>[(\[{\uff08])|(?P<close>[)\]}\uff09])"
    r"|(?P<comma>[,\uff0c;])|(?P<assign>[=:\uff1a])|(?P<space>\s)|(?P<other>.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?")
_POINT_ALIASES = {
    "point": ("point", "box", "start_box", "start_point", "position", "coordinate", "bbox"),
    "start": ("start", "start_box", "start_point", "from"),
    "end": ("end", "end_box", "end_point", "to"),
}
_TEXT_ALIASES = ("content", "text", "app", "app_name", "url", "value", "message")
_KEYS_ALIASES = ("keys", "key")
_INDEX_ALIASES = ("index", "option")
_KNOWN_NAMES = {
    *(name for names in _POINT_ALIASES.values() for name in names),
    *_TEXT_ALIASES, *_KEYS_ALIASES, *_INDEX_ALIASES, "direction", "x", "y",
}  # fmt: skip
_OPTIONAL_TEXT = (Finished, CallUser)
"""Actions that models often write with empty brackets."""


class _Call:
    """The arguments of one call, scanned up to its closing bracket."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.named: dict[str, _Value] = {}
        self.pool = _Value(start)
        self.close = -1
        self.after = start
        self._scan(text, start, end)

    def _scan(self, text: str, start: int, end: int) -> None:
        depth, value, at = 1, self.pool, start
        open_ended = ""  # quotes that nothing closes: not tried again, or the scan is quadratic
        while at < end:
            char = text[at]
            if char in _QUOTED and char not in open_ended:
                quoted = _QUOTED[char].match(text, at, end)
                if quoted is not None:
                    value.strings.append(unquote(quoted[1]))
                    at = value.end = quoted.end()
                    continue
                open_ended += char
            token = _TOKEN.match(text, at, end)
            if token is None:
                break
            at, kind = token.end(), token.lastgroup
            depth += (kind == "open") - (kind == "close")
            if depth == 0:
                self.close = token.start()
                break
            if kind == "assign" and _names_argument(value, token.start()):
                name = value.words.pop()
                value.end -= len(name)
                value = self.named.setdefault(name.lower(), _Value(at))
            elif kind == "comma" and depth == 1:
                value = self.pool
            elif kind != "space":
                value.take(token)
        self.after = at if self.close >= 0 else end
        if self.close < 0 and end == len(text):
            self.close = end


def _names_argument(value: _Value, at: int) -> bool:
    """Whether the word that ends at ``at`` is the name of an argument."""
    return bool(value.words) and value.end == at and value.words[-1].lower() in _KNOWN_NAMES


def _first(call: _Call, names: Sequence[str]) -> _Value | None:
    """The first argument present under any of the names."""
    return next((call.named[name] for name in names if name in call.named), None)


def _pair(numbers: Sequence[float]) -> Point | None:
    """Two numbers, or the centre of four, as a grid cell; 1000 counts as the last cell."""
    if len(numbers) == 4:
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    if len(numbers) != 2 or not all(0 <= n <= GRID for n in numbers):
        return None
    x, y = (min(GRID - 1, math.floor(n + 0.5)) for n in numbers)
    return Point(x, y)


def _point(call: _Call, argument: Argument, alone: bool) -> Point | None:
    """A point from its own argument, or from the numbers that have no name."""
    value = _first(call, _POINT_ALIASES[argument.name])
    if value is not None:
        quoted = (n for s in value.strings for n in _NUMBER.findall(s[:200]))
        return _pair(value.numbers or [float(n) for n in quoted][:5])
    xy = [n for name in ("x", "y") if name in call.named for n in call.named[name].numbers]
    if xy:
        return _pair(xy)
    numbers = call.pool.numbers
    taken = numbers[:4] if alone and len(numbers) == 4 else numbers[:2]
    del numbers[: len(taken)]
    return _pair(taken)


def _text(call: _Call, text: str, action_type: type[ActionBase]) -> str | None:
    """A string argument: quoted, or the bare words of the argument."""
    value = _first(call, _TEXT_ALIASES) or call.pool
    if value.strings:
        found = value.strings[0]
    else:
        found = text[value.start : value.end].strip(" \t\r\n'\"")
        if not found:
            return "" if action_type in _OPTIONAL_TEXT else None
    return found if len(found) <= MAX_CONTENT_CHARS else None


def _keys(call: _Call) -> tuple[str, ...] | None:
    """The keys of a hotkey: several strings, or one like ``ctrl+c``, or bare words."""
    value = _first(call, _KEYS_ALIASES) or call.pool
    keys = value.strings or value.words
    if len(keys) == 1:
        keys = [key for key in re.split(r"[+, ]", keys[0]) if key] or keys
    return tuple(keys) if 1 <= len(keys) <= MAX_KEYS and all(map(len, keys)) else None


def _direction(call: _Call) -> str | None:
    value = _first(call, ("direction",)) or call.pool
    words = [word.lower().strip() for word in (*value.strings, *value.words)]
    return next((word for word in words if word in DIRECTIONS), None)


def _index(call: _Call) -> int | None:
    value = _first(call, _INDEX_ALIASES) or call.pool
    quoted = (float(n) for s in value.strings for n in _NUMBER.findall(s[:20]))
    number = next(iter(value.numbers or quoted), -1.0)
    return int(number) if 0 <= number <= MAX_INDEX and number == int(number) else None


def _read(text: str, start: int, end: int, action_type: type[ActionBase]) -> tuple[object, _Call]:
    """The action whose arguments start at ``start``, or None, and the call as scanned."""
    call = _Call(text, start, min(end, start + MAX_CALL_CHARS))
    arguments = ARGUMENTS[action_type]
    values: dict[str, Any] = {}
    for argument in arguments if call.close >= 0 else ():
        if argument.kind == "point":
            alone = sum(a.kind == "point" for a in arguments) == 1
            values[argument.name] = _point(call, argument, alone)
        elif argument.kind == "text":
            values[argument.name] = _text(call, text, action_type)
        elif argument.kind == "keys":
            values[argument.name] = _keys(call)
        elif argument.kind == "direction":
            values[argument.name] = _direction(call)
        else:
            values[argument.name] = _index(call)
    empty = not arguments and call.close >= 0 and text[start : call.close].strip()
    if call.close < 0 or empty or any(value is None for value in values.values()):
        return None, call
    return action_type(**values), call


def parse_tolerant(text: object) -> list[ParsedAction]:
    """Every action that can be made out in ``text``, in order; never raises, anything goes in.

    Where there is an ``<action>`` block only the last one is read, else what follows
    ``</think>``, else everything; spans count from the start of ``text``.
    """
    if not isinstance(text, str):
        return []
    at, end = split_tolerant(text).action_span
    body = text if end == len(text) else text[:end]
    budget = BUDGET_PER_CHAR * (end - at) + MAX_CALL_CHARS
    found: list[ParsedAction] = []
    while len(found) < MAX_ACTIONS and budget > 0:
        match = _CALL.search(body, at)
        if match is None:
            break
        key = match[1].lower().replace("_", "").replace("-", "")
        start = match.end()
        action, call = _read(body, start, end, _TYPE_BY_KEY[key])
        if action is None:
            budget -= call.after - start
            at = start
            continue
        whole = (match.start(1), min(call.close + 1, end))
        args = (start, call.close)
        found.append(ParsedAction(cast("Action", action), match.span(1), args, whole))
        at = whole[1]
    return found
