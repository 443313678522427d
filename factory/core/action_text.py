"""Actions as text: the dialects, the strict reader, the response form.

One canonical action, several spellings. Coordinates in text are grid cells,
integers 0..999, and so are those of the actions read here; ``actions.from_grid``
turns them into canvas px. ``parse_strict`` takes exactly what the grammar allows::

    actions  := action ("," action)*            white space between tokens is free
    action   := NAME "(" [NAME "=" value ("," NAME "=" value)*] ")"
    point    := "(" INT "," INT ")"             INT is 0..999, no sign, no leading zero
    string   := in ' or ", escapes \\\\ \\' \\" \\n \\r \\t \\uXXXX, no raw control characters
    keys     := "[" string ("," string)* "]" or the same in round brackets

with the arguments in the order of ``actions.ARGUMENTS`` and ``box`` allowed for
``point``. The tolerant reader is ``action_scan.parse_tolerant``; neither evaluates anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, NoReturn, cast

from factory.core.actions import (
    ACTION_BY_NAME,
    ARGUMENTS,
    DIRECTIONS,
    Action,
    ActionBase,
    Argument,
    RightClick,
)
from factory.core.errors import ConfigError, InvalidOptions
from factory.core.geometry import GRID, Point

Dialect = Literal["point", "box"]
DIALECTS: tuple[Dialect, ...] = ("point", "box")
"""How a lone point is spelled: Table 7 writes ``point=``, CAPTCHA and mobile prompts ``box=``."""

MAX_TEXT_CHARS = 65_536
"""A strict text is no longer: the longest traces need about 6,000 characters."""
MAX_ACTIONS = 1024
"""A strict text holds no more actions, like ``mechanics.MAX_ACTIONS``."""
MAX_CONTENT_CHARS = 4_000
"""No string argument is longer."""
MAX_KEYS = 5
"""No hotkey has more keys (Table 7: up to three on the web)."""
MAX_INDEX = 9_999
"""No list has more options."""

REFUSAL = (-1, -1)
"""The grounding answer for a target that is not there."""


class ActionSyntaxError(ConfigError, ValueError):
    """A text is not in the grammar; ``position`` is the character where that shows."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(f"{message} at character {position}")
        self.position = position


_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNESCAPES = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_NEEDS_ESCAPE = re.compile(r"[\\'\x00-\x1f\x7f\ud800-\udfff]|<(?=/?(?:think|action)>)")
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)


def quote(text: str) -> str:
    """The text as a quoted literal; tags of the response form inside it are escaped."""
    return "'" + _NEEDS_ESCAPE.sub(lambda m: _escape(m[0]), text) + "'"


def _escape(char: str) -> str:
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"


def unquote(body: str) -> str:
    """The text of a literal's inside; an unknown escape stands for its character."""
    if "\\" not in body:
        return body
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)) if m[1] else _UNESCAPES.get(m[2], m[2]), body)


def _cell(value: float) -> int:
    """A coordinate as it is written; ``InvalidOptions`` when it is no grid cell."""
    if not 0 <= value < GRID or value != int(value):
        raise InvalidOptions(f"{value!r} is not a grid cell 0..{GRID - 1}: use actions.to_grid")
    return int(value)


def _written(argument: Argument, action: ActionBase, dialect: Dialect, platform: str) -> str:
    """One ``name=value``."""
    name, kind = argument
    value = getattr(action, name)
    if kind == "point":
        boxed = name == "point" and (dialect == "box" or isinstance(action, RightClick))
        return f"{'box' if boxed else name}=({_cell(value[0])}, {_cell(value[1])})"
    if kind == "index":
        return f"{name}={value}"
    if kind == "keys":
        listing = ", ".join(quote(key) for key in value)
        return f"{name}=({listing})" if platform == "web" else f"{name}=[{listing}]"
    return f"{name}={quote(value)}"


def format_actions(
    actions: Sequence[ActionBase], dialect: Dialect = "point", *, platform: str = ""
) -> str:
    """Grid actions as text, separated by ``", "``; ``parse_strict`` reads it back.

    ``platform="web"`` writes hotkeys in round brackets, as Table 7 does there.
    """
    if dialect not in DIALECTS:
        raise InvalidOptions(f"unknown dialect {dialect!r}; known: {', '.join(DIALECTS)}")
    return ", ".join(
        f"{type(action).__name__}("
        + ", ".join(_written(a, action, dialect, platform) for a in ARGUMENTS[type(action)])
        + ")"
        for action in actions
    )


_SPACE = re.compile(r"[ \t\r\n]*")
_NAME = re.compile(r"[A-Za-z_]{1,40}")
_INT = re.compile(r"(?:0|[1-9][0-9]{0,3})(?![0-9.])")
_STRING = re.compile(
    r"'([^'\\\x00-\x1f\x7f]*(?:\\(?:[\\'\"nrt]|u[0-9a-fA-F]{4})[^'\\\x00-\x1f\x7f]*)*)'"
    r'|"([^"\\\x00-\x1f\x7f]*(?:\\(?:[\\\'"nrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f\x7f]*)*)"'
)


class _Reader:
    """A cursor over the text; every method either advances or raises."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.space()

    def fail(self, expected: str) -> NoReturn:
        raise ActionSyntaxError(f"expected {expected}, got {self.text[self.at : self.at + 12]!r}",
                                self.at)  # fmt: skip

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        if match is None:
            self.fail(expected)
        self.at = match.end()
        self.space()
        return match

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def expect(self, char: str) -> None:
        if self.peek() != char:
            self.fail(repr(char))
        self.at += 1
        self.space()

    def integer(self, limit: int) -> int:
        value = int(self.match(_INT, "an integer")[0])
        if value > limit:
            self.fail(f"an integer up to {limit}, not {value}")
        return value

    def string(self) -> str:
        match = self.match(_STRING, "a quoted string")
        body = match[1] if match[1] is not None else match[2]
        value = unquote(body)
        if len(value) > MAX_CONTENT_CHARS:
            self.fail(f"at most {MAX_CONTENT_CHARS} characters of text")
        return value

    def point(self) -> Point:
        self.expect("(")
        x = self.integer(GRID - 1)
        self.expect(",")
        y = self.integer(GRID - 1)
        self.expect(")")
        return Point(x, y)

    def keys(self) -> tuple[str, ...]:
        close = {"[": "]", "(": ")"}.get(self.peek())
        if close is None:
            self.fail("a list of keys")
        self.expect(self.peek())
        keys = [self.string()]
        while self.peek() == ",":
            self.expect(",")
            keys.append(self.string())
        self.expect(close)
        if len(keys) > MAX_KEYS:
            self.fail(f"at most {MAX_KEYS} keys")
        return tuple(keys)

    def value(self, argument: Argument) -> object:
        readers = {
            "point": self.point,
            "keys": self.keys,
            "text": self.string,
            "direction": self.direction,
            "index": lambda: self.integer(MAX_INDEX),
        }
        return readers[argument.kind]()

    def direction(self) -> str:
        value = self.string()
        if value not in DIRECTIONS:
            self.fail(f"one of {', '.join(DIRECTIONS)}")
        return value

    def action(self) -> Action:
        name = self.match(_NAME, "the name of an action")[0]
        action_type = ACTION_BY_NAME.get(name)
        if action_type is None:
            self.fail(f"an action of the action space, not {name}")
        self.expect("(")
        values: dict[str, Any] = {}
        for argument in ARGUMENTS[action_type]:
            if values:
                self.expect(",")
            written = self.match(_NAME, "the name of an argument")[0]
            if written not in (argument.name, "box" if argument.name == "point" else ""):
                self.fail(f"{argument.name}=, not {written}=")
            self.expect("=")
            values[argument.name] = self.value(argument)
        self.expect(")")
        return cast("Action", action_type(**values))


def parse_strict(text: str) -> list[Action]:
    """The grid actions of a text that is all grammar; ``ActionSyntaxError`` otherwise."""
    if len(text) > MAX_TEXT_CHARS:
        raise ActionSyntaxError(f"more than {MAX_TEXT_CHARS} characters", MAX_TEXT_CHARS)
    reader = _Reader(text)
    actions = [reader.action()]
    while reader.peek() == ",":
        reader.expect(",")
        actions.append(reader.action())
        if len(actions) > MAX_ACTIONS:
            reader.fail(f"at most {MAX_ACTIONS} actions")
    if reader.at != len(text):
        reader.fail("',' or the end")
    return actions


class Response(NamedTuple):
    """The two blocks of a response with their character spans; absent blocks are empty."""

    think: str
    action_text: str
    think_span: tuple[int, int]
    action_span: tuple[int, int]


_TAG = re.compile(r"</?(?:think|action)>")
_STRICT_FORM = ["<think>", "</think>", "<action>", "</action>"]


def format_response(
    think: str, actions: Sequence[ActionBase], dialect: Dialect = "point", *, platform: str = ""
) -> str:
    """``<think>...</think><action>...</action>``; ``InvalidOptions`` when ``think`` has a tag."""
    if _TAG.search(think):
        raise InvalidOptions("the reasoning contains a tag of the response form")
    written = format_actions(actions, dialect, platform=platform)
    return f"<think>{think}</think><action>{written}</action>"


def split_response(text: str) -> Response:
    """The blocks of a response in exactly the output form; ``ActionSyntaxError`` otherwise.

    White space is free before, between and after the blocks; nothing else is.
    """
    tags = list(_TAG.finditer(text))
    if [tag[0] for tag in tags] != _STRICT_FORM:
        raise ActionSyntaxError("expected <think>...</think><action>...</action>")
    think, action = (tags[0].end(), tags[1].start()), (tags[2].end(), tags[3].start())
    for start, end in ((0, tags[0].start()), (tags[1].end(), tags[2].start()),
                       (tags[3].end(), len(text))):  # fmt: skip
        if text[start:end].strip():
            raise ActionSyntaxError("text outside the blocks", start)
    return Response(text[slice(*think)], text[slice(*action)], think, action)


def split_tolerant(text: str) -> Response:
    """The blocks as well as they can be told; never raises.

    The action block is the last ``<action>`` up to its end tag or the end of the text, else what
    follows the last ``</think>``, else everything. The thinking is what stands before it.
    """
    opened = text.rfind("<action>")
    think_end = text.rfind("</think>", 0, opened if opened >= 0 else len(text))
    if opened >= 0:
        start = opened + len("<action>")
        end = text.find("</action>", start)
        end = len(text) if end < 0 else end
    else:
        start, end = (think_end + len("</think>") if think_end >= 0 else 0), len(text)
    think_start = text.find("<think>", 0, start)
    think_start = think_start + len("<think>") if think_start >= 0 else 0
    think_stop = think_end if think_end >= think_start else max(opened, think_start)
    if opened < 0 and think_end < 0:
        think_start = think_stop = 0
    think, action = (think_start, think_stop), (start, end)
    return Response(text[slice(*think)], text[slice(*action)], think, action)


_GROUNDING_STRICT = re.compile(r"\s*\[ ?(-1|0|[1-9][0-9]{0,2}), ?(-1|0|[1-9][0-9]{0,2}) ?\]\s*")
_GROUNDING_LOOSE = re.compile(
    r"[\[(]\s{0,8}(-?[0-9]{1,4}(?:\.[0-9]{1,8})?)\s{0,8}[,\s]\s{0,8}"
    r"(-?[0-9]{1,4}(?:\.[0-9]{1,8})?)\s{0,8}[\])]"
)


def format_grounding(point: tuple[float, float] | None) -> str:
    """``[x,y]`` in grid cells, or the refusal ``[-1,-1]`` for None."""
    return "[-1,-1]" if point is None else f"[{_cell(point[0])},{_cell(point[1])}]"


def parse_grounding(text: str) -> tuple[int, int]:
    """The cells of ``[x,y]``, or ``REFUSAL``, from a text that is nothing else.

    ``ActionSyntaxError`` for anything else, half refusals such as ``[-1,5]`` included.
    """
    match = _GROUNDING_STRICT.fullmatch(text) if len(text) <= MAX_TEXT_CHARS else None
    if match is None:
        raise ActionSyntaxError("expected [x,y] with integers 0..999, or [-1,-1]")
    answer = (int(match[1]), int(match[2]))
    if answer != REFUSAL and -1 in answer:
        raise ActionSyntaxError("only both coordinates together are -1")
    return answer


def parse_grounding_tolerant(text: str) -> tuple[float, float] | None:
    """The last pair of numbers in brackets, decimals allowed; None when there is none in range.

    A refusal counts only when it is spelled ``-1, -1`` exactly; never raises.
    """
    found: tuple[float, float] | None = None
    for match in _GROUNDING_LOOSE.finditer(text[-MAX_TEXT_CHARS:]):
        x, y = float(match[1]), float(match[2])
        refused = (match[1], match[2]) == ("-1", "-1")
        found = (x, y) if refused or (0 <= x < GRID and 0 <= y < GRID) else None
    return found
