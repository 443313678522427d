"""What of HTML may be in a page of ours: elements, attributes, and a tree that is written anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

VOID = {"br", "col", "hr", "img", "input", "wbr"}
SVG = {
    "svg", "g", "path", "circle", "rect", "line", "polyline", "polygon", "ellipse", "defs",
    "lineargradient", "radialgradient", "stop", "text", "tspan", "clippath",
}  # fmt: skip
KEPT = VOID | SVG | {
    "a", "article", "aside", "b", "blockquote", "button", "caption", "cite", "code", "colgroup",
    "dd", "del", "details", "dialog", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "i", "ins", "kbd",
    "label", "legend", "li", "main", "mark", "menu", "meter", "nav", "ol", "optgroup", "option",
    "output", "p", "pre", "progress", "q", "s", "search", "section", "select", "small", "span",
    "strong", "sub", "summary", "sup", "table", "tbody", "td", "textarea", "tfoot", "th", "thead",
    "time", "tr", "u", "ul", "var",
}  # fmt: skip
"""Elements that are written into the page; of others only what they hold."""
SILENT = {
    "script", "style", "noscript", "template", "title", "canvas", "audio", "video", "map",
    "picture-source", "datalist", "math", "head-title", "slot",
}  # fmt: skip
"""Elements of which nothing is kept, not even the text."""
EMBEDDED = {
    "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "webview",
}  # fmt: skip
ATTRIBUTES = {
    "alt", "checked", "class", "cols", "colspan", "contenteditable", "dir", "disabled", "for",
    "height", "hidden", "id", "inputmode", "label", "lang", "list-style", "max", "maxlength", "min",
    "multiple", "name", "open", "optimum", "high", "low", "placeholder", "readonly", "required",
    "role", "rows", "rowspan", "scope", "selected", "size", "span", "start", "step", "style",
    "tabindex", "title", "type", "value", "width", "wrap",
    # of drawings
    "cx", "cy", "d", "dx", "dy", "fill", "fill-opacity", "fill-rule", "font-size", "font-weight",
    "gradientunits", "offset", "opacity", "points", "preserveaspectratio", "r", "rx", "ry",
    "stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "stroke-opacity", "stroke-width", "text-anchor", "transform", "viewbox",
    "x", "x1", "x2", "y", "y1", "y2", "clip-path",
}  # fmt: skip
REFERENCES = {"for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"}
"""Attributes that name ids."""
INPUTS = {
    "text", "search", "email", "tel", "url", "number", "password", "checkbox", "radio", "range",
    "submit", "button", "reset", "date", "time", "month", "week", "datetime-local", "color", "file",
}  # fmt: skip
TEXT_ONLY = {"textarea", "option"}
"""Elements that hold letters and nothing else."""


@dataclass
class Node:
    """An element that is kept; children are nodes and texts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)
    hidden: bool = False


Drawing = Callable[[Node], str]
"""What stands for an icon or a picture that a node asks for; empty for neither."""


def written(node: Node | str, drawing: Drawing) -> str:
    """A tree as HTML: every letter escaped, every value quoted, nothing raw."""
    if isinstance(node, str):
        return escape(node, quote=False)
    if drawn := drawing(node):
        return drawn
    values = "".join(
        f' {name}="{escape(value, quote=True)}"' for name, value in node.attributes.items()
    )
    if node.tag in VOID:
        return f"<{node.tag}{values}>"
    inner = text_of(node) if node.tag in TEXT_ONLY else ""
    inner = escape(inner, quote=False) or "".join(written(one, drawing) for one in node.children)
    return f"<{node.tag}{values}>{inner}</{node.tag}>"


def text_of(node: Node | str) -> str:
    """The letters in a tree."""
    return node if isinstance(node, str) else "".join(text_of(one) for one in node.children)


INLINE = {
    "a", "b", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small", "span",
    "strong", "sub", "sup", "time", "u", "var",
}  # fmt: skip
"""Elements that do not part words."""


def lines_of(node: Node | str) -> str:
    """The letters in a tree as they are read: other elements part them."""
    if isinstance(node, str):
        return node
    inner = "".join(lines_of(one) for one in node.children)
    return inner if node.tag in INLINE else f" {inner} "


def numbered(root: Node, prefix: str) -> dict[str, int]:
    """Give every element that holds letters of its own an id; how many letters, by id."""
    found: dict[str, int] = {}
    left = [root]
    while left:
        node = left.pop()
        own = len("".join(one for one in node.children if isinstance(one, str)).strip())
        if own and node.tag not in TEXT_ONLY:
            found[node.attributes.setdefault("id", f"{prefix}{len(found)}")] = own
        left += [one for one in node.children if isinstance(one, Node)]
    return found
