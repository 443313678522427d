"""Path data and shapes of SVG icons, as skia paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import skia

_TOKEN = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS = (3, 4)
"""Places of an arc's two flags, which may be written without space after them."""


def icon_path(nodes: list[tuple[str, Mapping[str, str]]]) -> skia.Path:
    """The outline of an icon given as (element, attributes) pairs, in its own units."""
    path = skia.Path()
    for element, attributes in nodes:
        _add(path, element, attributes)
    return path


def _add(path: skia.Path, element: str, attributes: Mapping[str, str]) -> None:
    def number(name: str) -> float:
        return float(attributes.get(name, 0))

    if element == "path":
        add_path_data(path, attributes["d"])
    elif element == "circle":
        path.addCircle(number("cx"), number("cy"), number("r"))
    elif element == "ellipse":
        x, y, rx, ry = number("cx"), number("cy"), number("rx"), number("ry")
        path.addOval(skia.Rect(x - rx, y - ry, x + rx, y + ry))
    elif element == "line":
        path.moveTo(number("x1"), number("y1"))
        path.lineTo(number("x2"), number("y2"))
    elif element == "rect":
        rect = skia.Rect.MakeXYWH(number("x"), number("y"), number("width"), number("height"))
        path.addRoundRect(rect, number("rx") or number("ry"), number("ry") or number("rx"))
    else:  # polyline, polygon
        values = [float(v) for v in attributes["points"].replace(",", " ").split()]
        points = [skia.Point(*values[i : i + 2]) for i in range(0, len(values), 2)]
        path.addPoly(points, element == "polygon")


def add_path_data(path: skia.Path, data: str) -> None:
    """Append the ``d`` attribute of an SVG path."""
    x = y = start_x = start_y = 0.0
    control: tuple[float, float] | None = None
    for command, raw in _commands(data):
        upper = command.upper()
        args = _absolute(upper, raw, x, y) if command.islower() else raw
        if upper in "ST":
            mirror = (2 * x - control[0], 2 * y - control[1]) if control else (x, y)
            args = [*mirror, *args]
        control = None
        if upper == "Z":
            path.close()
            x, y = start_x, start_y
            continue
        if upper == "H":
            args = [args[0], y]
        elif upper == "V":
            args = [x, args[0]]
        if upper == "M":
            path.moveTo(*args)
            start_x, start_y = args[-2:]
        elif upper in "LHV":
            path.lineTo(*args)
        elif upper in "CS":
            path.cubicTo(*args)
            control = (args[2], args[3])
        elif upper in "QT":
            path.quadTo(*args)
            control = (args[0], args[1])
        else:
            size = skia.Path.ArcSize.kLarge_ArcSize if args[3] else skia.Path.ArcSize.kSmall_ArcSize
            way = skia.PathDirection.kCW if args[4] else skia.PathDirection.kCCW
            path.arcTo(args[0], args[1], args[2], size, way, args[5], args[6])
        x, y = args[-2:]


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Commands with their numbers; repeated ones are spelt out, a second M is an L."""
    pending, place, command = data.replace(",", " "), 0, ""
    while True:
        while place < len(pending) and pending[place].isspace():
            place += 1
        if place >= len(pending):
            return
        if pending[place].isalpha():
            command, place = pending[place], place + 1
        args: list[float] = []
        for index in range(_COUNTS[command.upper()]):
            while pending[place].isspace():
                place += 1
            if command in "aA" and index in _FLAGS:
                args.append(float(pending[place]))
                place += 1
                continue
            match = _TOKEN.match(pending, place)
            if match is None or match.group(2) is None:
                raise ValueError(f"bad path data at {place}: {data!r}")
            args.append(float(match.group(2)))
            place = match.end()
        yield command, args
        command = {"M": "L", "m": "l"}.get(command, command)


def _absolute(upper: str, args: list[float], x: float, y: float) -> list[float]:
    if upper == "A":
        return [*args[:5], args[5] + x, args[6] + y]
    if upper == "H":
        return [args[0] + x]
    if upper == "V":
        return [args[0] + y]
    return [value + (y if i % 2 else x) for i, value in enumerate(args)]
