"""A model's HTML made harmless, or refused by name.

What is hostile is refused, not mended: a page that wanted out is not one of ours. What is merely of
no use (comments, classes of scripts that do nothing outside) is left out. The page is written
anew from a tree that can hold nothing but listed elements, listed attributes and escaped letters,
so however a browser reads it, there is nothing else in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser

from factory.core.errors import DependencyMissing
from factory.llm.addresses import place_of
from factory.llm.css import ID, check_css, scoped, strings_in
from factory.llm.markup import (
    ATTRIBUTES,
    EMBEDDED,
    INPUTS,
    KEPT,
    REFERENCES,
    SILENT,
    SVG,
    VOID,
    Node,
    lines_of,
    numbered,
    text_of,
    written,
)
from factory.llm.reasons import Bad, BadAnswer
from factory.llm.scripts import check_handler, check_script
from factory.llm.words import check_hidden, check_real, squeezed
from factory.web.content import icon

LONGEST, MOST_ELEMENTS, DEEPEST = 200_000, 2_500, 48
MOST_HIDDEN = 160
"""Letters that nobody sees: a closed menu has so many, an essay has more."""
LONGEST_NAME = 200
"""Letters of a name or hint that is not drawn."""
RAW = ("script", "style")
PAINTED = {"fill", "stroke", "clip-path", "filter", "mask", "transform", "cursor", "marker-end"}
"""Attributes of drawings that are read as CSS."""
ART_SIDE = (16, 1200)
DEFAULT_ART = (320, 160)
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)(?:```|$)", re.DOTALL)
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|opacity\s*:\s*0?\.0"
    r"|font-size\s*:\s*[01](?:px|pt|em|rem)?\s*(?:;|$|!)|text-indent\s*:\s*-\d{3}"
    r"|(?:left|top|right|margin-left)\s*:\s*-\d{3,}|color\s*:\s*transparent|clip\s*:\s*rect"
    r"|(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$|!)|scale\(0",
    re.IGNORECASE,
)
ADDRESSES = {
    "href", "src", "xlink:href", "poster", "background", "cite", "longdesc", "manifest", "data",
    "codebase", "classid", "profile", "archive", "icon", "usemap", "lowsrc", "dynsrc",
    "attributionsrc",
}  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """What templates take: the HTML, and a ``<style>`` element or nothing."""

    html: str
    css: str


@dataclass(frozen=True)
class Clean:
    """Harmless HTML. ``dropped`` counts what was left out, by its name; ``letters`` counts those of
    each text by its id."""

    root: Node
    sheet: str
    title: str
    dropped: Counter[str]
    letters: dict[str, int]

    def texts(self) -> list[str]:
        """The letters that the page shows."""
        return [text_of(self.root)]

    def drawn(self, art: Callable[[str, int, int], str]) -> Drawn:
        """The HTML with icons and pictures drawn; ``art`` draws one by name and size."""
        css = f"<style>{scoped(self.sheet)}</style>" if self.sheet.strip() else ""
        return Drawn(written(self.root, lambda node: _drawing(node, art)), css)


def html_in(text: str) -> str:
    """The HTML in what a model says: its fenced block, or all of it where it begins with a tag."""
    blocks = [one for one in _FENCE.findall(text) if "<" in one]
    if blocks:
        return max(blocks, key=len).strip()
    bare = text.strip()
    if bare.startswith("<") and not bare.startswith("<|"):
        return bare
    raise BadAnswer(Bad.NO_HTML, "there is no ```html block in it")


def sanitise(html: str) -> Clean:
    """The harmless form of a model's HTML; ``BadAnswer`` names what is hostile in it."""
    if len(html) > LONGEST:
        raise BadAnswer(Bad.TOO_LARGE, f"{len(html)} letters; {LONGEST} at most")
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end()
    letters = numbered(reader.root, f"{ID}n-")
    return Clean(reader.root, "\n".join(reader.sheets), reader.title, reader.dropped, letters)


class _Reader(HTMLParser):
    """Reads tags in their order, checks all of them, and keeps what may be kept."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("div", {"class": "llm-body"})
        self.sheets: list[str] = []
        self.title = ""
        self.dropped: Counter[str] = Counter()
        self._open: list[tuple[str, Node | None]] = []
        self._count = self._hidden = 0
        self._texts: list[str] = []
        self._script_kind = ""
        self._raw: list[str] = []

    # ------------------------------------------------------------------ tags

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise BadAnswer(Bad.TOO_LARGE, f"more than {MOST_ELEMENTS} elements")
        _check_tag(tag, values)
        for name, value in values.items():
            _check_attribute(tag, name, value)
            self._remember(name, value)
        self._script_kind = f"{values.get('type', '')} " if tag == "script" else ""
        if tag == "body":
            self._take_body(values)
            return
        node = self._node(tag, values)
        if tag not in VOID | {"meta", "link", "base", "area", "source", "track", "param"}:
            self._open.append((tag, node))
            if len(self._open) > DEEPEST:
                raise BadAnswer(Bad.TOO_DEEP, f"elements more than {DEEPEST} deep")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        closed = tag in SVG or any(name in ("data-icon", "data-art") for name, _ in attrs)
        if closed and self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in RAW:
            self._take_raw(tag)
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def _take_raw(self, tag: str) -> None:
        """Check what stands in a script or style element, all of it together."""
        text = "".join(self._raw)
        self._raw.clear()
        if tag == "script":
            check_script(text, self._script_kind)
            return
        check_css(text)
        self._texts += strings_in(text)
        self.sheets.append(text)

    def _take_body(self, values: dict[str, str]) -> None:
        """The body's own class and style go to the element in its place."""
        kept = _kept("div", values)
        own = kept.pop("class", "")
        self.root.attributes |= kept | {"class": f"llm-body {own}".strip()}

    def _node(self, tag: str, values: dict[str, str]) -> Node | None:
        """The node of an element, put where it belongs; None for one that is left out."""
        if any(name in SILENT for name, _ in self._open) or tag in SILENT:
            self._drop(tag)
            return None
        if tag not in KEPT:
            if tag not in ("html", "head", "body"):
                self._drop(tag)
            return None
        node = Node(tag, _kept(tag, values))
        style = values.get("style", "")
        node.hidden = "hidden" in values or bool(_UNSEEN.search(style)) or self._unseen()
        self._into().children.append(node)
        return node

    def _drop(self, name: str) -> None:
        if name not in ("style", "title"):
            self.dropped[name] += 1

    def _into(self) -> Node:
        return next((node for _, node in reversed(self._open) if node is not None), self.root)

    def _unseen(self) -> bool:
        return any(node is not None and node.hidden for _, node in self._open)

    # ------------------------------------------------------------------ texts

    def handle_data(self, data: str) -> None:
        within = self._open[-1][0] if self._open else ""
        if within in RAW:
            self._raw.append(data)
            return
        self._texts.append(data)
        if within == "title":
            self.title = self.title or squeezed(data)
        if any(name in SILENT for name, _ in self._open):
            return
        if self._unseen():
            self._hidden += len(squeezed(data))
        self._into().children.append(data)

    def handle_comment(self, data: str) -> None:
        self._texts.append(data)
        self._drop("comment")
        if re.match(r"\s*\[if\b", data, re.IGNORECASE):
            sanitise(re.sub(r"^\s*\[if[^\]]*\]>|<!\[endif\]\s*$", "", data, flags=re.IGNORECASE))

    def unknown_decl(self, data: str) -> None:
        self._texts.append(data)
        self._drop("declaration")

    def handle_pi(self, data: str) -> None:
        self._texts.append(data)
        self._drop("instruction")

    def _remember(self, name: str, value: str) -> None:
        """Texts that a reader of the page may get to hear."""
        if name in ("alt", "title", "placeholder", "value", "content", "label") or name.startswith(
            ("aria-", "data-")
        ):
            self._texts.append(value)
            if len(squeezed(value)) > LONGEST_NAME:
                raise BadAnswer(Bad.HIDDEN_TEXT, f"{name} has {len(value)} letters")

    def end(self) -> None:
        """Checks of all texts together, when everything is read."""
        unclosed = next((name for name, _ in reversed(self._open) if name in RAW), "")
        if unclosed:
            self._raw.append(self.rawdata)  # some versions of the parser keep it to themselves
            self._take_raw(unclosed)
        check_hidden(" ".join(self._texts))
        for text in self._texts:
            check_hidden(text)
            check_real(text)
        if self._hidden > MOST_HIDDEN:
            raise BadAnswer(
                Bad.HIDDEN_TEXT, f"{self._hidden} letters that nobody sees; {MOST_HIDDEN} at most"
            )
        check_hidden(lines_of(self.root))


def _check_tag(tag: str, values: dict[str, str]) -> None:
    """``BadAnswer`` for elements that bring, are or lead to another page."""
    if tag in EMBEDDED:
        raise BadAnswer(Bad.EMBEDDED_PAGE, f"<{tag}> holds another page")
    if tag == "meta" and "refresh" in values.get("http-equiv", "").casefold():
        raise BadAnswer(Bad.META_REFRESH, "<meta http-equiv=refresh> leads to another page")
    if tag == "base":
        raise BadAnswer(Bad.BASE_ADDRESS, "<base> moves every address of the page")
    if tag == "script" and "src" in values:
        raise BadAnswer(Bad.SCRIPT_SOURCE, f"<script src={values['src'][:60]!r}>")
    if tag == "link":
        _check_link(values)
    if tag in ("foreignobject", "animate", "set", "animatetransform", "animatemotion"):
        aim = values.get("attributename", "").casefold()
        if "href" in aim or aim.startswith("on"):
            raise BadAnswer(Bad.SCRIPT_LINK, f"<{tag}> changes {aim}")


def _check_link(values: dict[str, str]) -> None:
    rel = values.get("rel", "").casefold()
    if "serviceworker" in rel:
        raise BadAnswer(Bad.SERVICE_WORKER, "<link rel=serviceworker>")
    if place_of(values.get("href", "")) == "beside" and "icon" not in rel:
        raise BadAnswer(Bad.LOCAL_FILE, f"{values['href'][:60]!r} is a file beside the page")


def _check_attribute(tag: str, name: str, value: str) -> None:
    """``BadAnswer`` for an attribute that reaches out, on whatever element it stands."""
    if name.startswith("on"):
        check_handler(name, value)
    elif name in ("action", "formaction"):
        _check_form(name, value)
    elif name == "srcdoc":
        raise BadAnswer(Bad.EMBEDDED_PAGE, "srcdoc holds another page")
    elif name in ("srcset", "imagesrcset", "ping"):
        for part in value.replace(",", " ").split():
            place_of(part)
    elif name in ADDRESSES:
        where = place_of(value)
        if where == "picture" and not (tag == "img" and name == "src"):
            raise BadAnswer(Bad.DATA_ADDRESS, f"{name} of <{tag}> holds a document of its own")
    elif name == "style" or name in PAINTED:
        check_css(value)


def _check_form(name: str, value: str) -> None:
    try:
        where = place_of(value)
    except BadAnswer as bad:
        if bad.reason is Bad.SCRIPT_LINK:
            raise
        raise BadAnswer(Bad.FORM_ELSEWHERE, f"{name}={value[:60]!r} sends a form away") from bad
    if where == "person":
        raise BadAnswer(Bad.FORM_ELSEWHERE, f"{name}={value[:60]!r} sends a form away")


def _kept(tag: str, values: dict[str, str]) -> dict[str, str]:
    """The attributes of an element that may be kept, addresses and ids made ours."""
    out = {
        name: value for name, value in values.items()
        if name in ATTRIBUTES or name.startswith("aria-") or name in ("data-icon", "data-art",
        "data-size", "data-width", "data-height")
    }  # fmt: skip
    if "id" in out:
        out["id"] = ID + out["id"]
    for name in REFERENCES & out.keys():
        out[name] = " ".join(ID + one for one in out[name].split())
    for name in PAINTED & out.keys():
        out[name] = out[name].replace("url(#", f"url(#{ID}")
    if tag == "a" and "href" in values:
        out["href"] = _own_link(values["href"])
    if tag == "input" and out.get("type", "text").casefold() not in INPUTS:
        out["type"] = "text"
    if tag == "button":
        out["type"] = "button"
    if tag == "img" and place_of(values.get("src", "")) == "picture":
        out["src"] = values["src"]
    if "onclick" in values and tag in ("div", "span", "li", "tr", "td", "p", "section", "article"):
        out.setdefault("role", "button")
        out.setdefault("tabindex", "0")
    return out


def _own_link(address: str) -> str:
    """A link as a place in the page: equal addresses stay equal."""
    bare = address.strip()
    if place_of(bare) == "page":
        return f"#{ID}{bare.lstrip('#')}" if bare.strip("#") else "#"
    return "#/" + re.sub(r"[^\w./-]+", "-", bare).strip("/")


# ---------------------------------------------------------------------- pictures


def _drawing(node: Node, art: Callable[[str, int, int], str]) -> str:
    """The icon or picture that a node asks for."""
    own = node.attributes
    if "data-icon" in own:
        return _icon(own["data-icon"], _side(own.get("data-size", ""), 18))
    if "data-art" in own or (node.tag == "img" and "src" not in own):
        width = _side(own.get("data-width") or own.get("width", ""), DEFAULT_ART[0])
        height = _side(own.get("data-height") or own.get("height", ""), DEFAULT_ART[1])
        drawn = art(f"llm {own.get('data-art', '')} {own.get('alt', '')}", width, height)
        return (
            f'<span style="display:block;overflow:hidden;max-width:100%;width:{width}px;'
            f'height:{height}px">{drawn}</span>'
        )
    return ""


def _icon(name: str, size: int) -> str:
    """An icon of the package; a blank of its size for a name that it does not have."""
    blank = f'<i style="display:inline-block;width:{size}px;height:{size}px"></i>'
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        return blank
    try:
        return icon(name, size)
    except DependencyMissing:
        return blank


def _side(text: str, default: int) -> int:
    found = re.match(r"\d{1,4}", text.strip())
    low, high = ART_SIDE
    return min(high, max(low if default > low else 8, int(found[0]))) if found else default
