"""Style sheets of a model: refused when they reach out, else kept inside their part of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factory.llm.reasons import Bad, BadAnswer

SCOPE = ".llm"
"""The element that a model's HTML stands in; its own body is ``.llm-body`` inside of it."""
LONGEST = 60_000
DEEPEST = 8
ID = "u-"
"""Before every id of a model, apart from those of marked items."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(\n)|(.))", re.DOTALL)
_ADDRESS = re.compile(
    r"(?:^|[^a-z-])(?:url|src)\(\s*+[\"']?+(?!#)|image-set\(|cross-fade\(|[^a-z-]image\("
)
_SCRIPT = re.compile(r"expression\s*\(|behavior\s*:|-moz-binding|javascript:|vbscript:")
_TAG = re.compile(r"<\s*[a-z!/?]", re.IGNORECASE)
_HASH = re.compile(r"#(?=[A-Za-z_])")
_ROOTS = re.compile(r"(?<![\w.#-])(?:html|:root)(?![\w-])")
_BODY = re.compile(r"(?<![\w.#-])body(?![\w-])")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
GROUPS = ("@media", "@supports", "@container", "@layer")
MOTION = ("@keyframes", "@-webkit-keyframes")


def read_as(text: str) -> str:
    """CSS as a browser reads it: no comments, escapes undone, in small letters."""
    return _ESCAPE.sub(_letter, _COMMENT.sub("", text)).casefold()


def _letter(match: re.Match[str]) -> str:
    if match[1]:
        code = int(match[1], 16)
        return chr(code) if 0 < code < 0x110000 else "\ufffd"
    return match[3] or ""


def check_css(text: str) -> None:
    """``BadAnswer`` for addresses, imports, scripts and markup in CSS."""
    if len(text) > LONGEST:
        raise BadAnswer(Bad.TOO_LARGE, f"{len(text)} letters of CSS; {LONGEST} at most")
    for read in (read_as(text), _COMMENT.sub("", text).casefold()):
        if "@import" in read or "@namespace" in read:
            raise BadAnswer(Bad.CSS_IMPORT, "@import brings another sheet")
        if _ADDRESS.search(read):
            raise BadAnswer(Bad.CSS_ADDRESS, "url() and the like bring something from outside")
        if _SCRIPT.search(read):
            raise BadAnswer(Bad.CSS_SCRIPT, "it runs a script")
    if _TAG.search(text) or _TAG.search(read_as(text)):
        raise BadAnswer(Bad.MARKUP, "markup in a style sheet")


def strings_in(text: str) -> list[str]:
    """What a sheet may draw by ``content``."""
    return [match[0][1:-1] for match in _STRING.finditer(_COMMENT.sub("", text))]


def scoped(text: str) -> str:
    """A checked sheet as one that reaches only what stands in ``SCOPE``."""
    inside: list[str] = []
    outside: list[str] = []
    for prelude, block in rules(_COMMENT.sub("", text)):
        own = outside if prelude.casefold().startswith(MOTION) else inside
        if line := _scoped_rule(prelude, block, 0):
            own.append(line)
    joined = "\n".join(inside).replace("url(#", f"url(#{ID}")
    return "\n".join([*outside, f"@scope ({SCOPE}) {{\n{joined}\n}}"])


def _scoped_rule(prelude: str, block: str, depth: int) -> str:
    """A rule with its selectors rewritten; empty for those that mean nothing here."""
    folded = prelude.casefold()
    if folded.startswith(MOTION):
        return f"{prelude} {{{block}}}"
    if folded.startswith(GROUPS):
        if depth > DEEPEST:
            raise BadAnswer(Bad.TOO_DEEP, f"rules of CSS more than {DEEPEST} deep")
        inner = [_scoped_rule(p, b, depth + 1) for p, b in rules(block)]
        return f"{prelude} {{ {' '.join(inner)} }}"
    if folded.startswith("@"):
        return ""
    return f"{_selector(prelude)} {{{block}}}"


def _selector(text: str) -> str:
    own = _BODY.sub(f"{SCOPE}-body", _ROOTS.sub(":scope", text))
    return _HASH.sub(f"#{ID}", own)


def rules(text: str) -> Iterator[tuple[str, str]]:
    """``(prelude, block)`` of each rule; statements and unclosed rules are left out."""
    at = start = 0
    while at < len(text):
        letter = text[at]
        if letter in "\"'":
            found = _STRING.match(text, at)
            at = found.end() if found else len(text)
            continue
        if letter == ";" or letter == "}":
            start = at + 1
        elif letter == "{":
            end = _closing(text, at)
            if end < 0:
                return
            yield text[start:at].strip(), text[at + 1 : end]
            at, start = end, end + 1
        at += 1


def _closing(text: str, at: int) -> int:
    """The place of the brace that closes the one at ``at``; -1 for none."""
    depth = 0
    while at < len(text):
        if text[at] in "\"'":
            found = _STRING.match(text, at)
            at = found.end() if found else len(text)
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1
    return -1
