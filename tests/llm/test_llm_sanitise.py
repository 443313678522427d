"""Hostile HTML is refused by name; harmless HTML is written anew with nothing else in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from author import page
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from factory.llm.css import scoped
from factory.llm.markup import ATTRIBUTES, KEPT
from factory.llm.reasons import Bad, BadAnswer
from factory.llm.sanitise import MOST_HIDDEN, Clean, html_in, sanitise


@pytest.mark.parametrize(("reason", "html"), HOSTILE, ids=[f"{r}-{h[:40]}" for r, h in HOSTILE])
def test_hostile_html_is_refused_by_name(reason: Bad, html: str) -> None:
    for wrapped in (html, f"<main><p>Hello</p>{html}</main>", f"<p>An open one {html}"):
        with pytest.raises(BadAnswer) as caught:
            sanitise(wrapped)
        assert caught.value.reason is reason and caught.value.detail


def drawn(clean: Clean) -> str:
    made = clean.drawn(lambda name, width, height: f"[{width}x{height}]")
    return made.css + made.html


@pytest.mark.parametrize(
    ("html", "there"),
    [
        ("<p>Hello", "<p>Hello</p>"),
        ("<a href='#top' class=k>Up</a>", '<a class="k" href="#u-top">Up</a>'),
        ("<a href='/a b/c.html'>x</a>", 'href="#/a-b/c.html"'),
        ("<label for=n>Name</label><input id=n>", '<label for="u-n">Name</label><input id="u-n">'),
        ("<i data-icon=search data-size=20></i>", '<svg width="20" height="20"'),
        ("<img src=cat.png alt=cat width=90 height=60>", "[90x60]"),
        ("<span data-art=sea></span>", "[320x160]"),
        ("<div onclick='this.hidden=true'>Open</div>", 'role="button" tabindex="0"'),
        ("<textarea>a <b>b</b></textarea>", "<textarea>a b</textarea>"),
        ("<p>1 < 2 & 3 > 2</p>", "<p>1 &lt; 2 &amp; 3 &gt; 2</p>"),
        ("<input value='a\" onfocus=\"b'>", 'value="a&quot; onfocus=&quot;b"'),
        ("<svg><path d='M0 0h9'/></svg>", '<path d="M0 0h9">'),
        ("<p style='color:red'>x</p>", 'style="color:red"'),
        ("<form action='/send'><button>Go</button></form>", '<form><button type="button">'),
        ("<body class=dark>x</body>", '<div class="llm-body dark"'),
        ("<img src='data:image/png;base64,iVBORw0='>", 'src="data:image/png;base64,iVBORw0="'),
        ("<script>let a = 1</script><p>x</p>", "<p>x</p>"),
        ("<a href='mailto:a@b.example'>x</a>", 'href="#/mailto-a-b.example"'),
        ("<table><tr><td>1<td>2</table>", "<td>2</td>"),
    ],
)  # fmt: skip
def test_harmless_html_is_kept(html: str, there: str) -> None:
    made = re.sub(r' id="u-n-\d+"', "", drawn(sanitise(html)))
    assert there in made


def test_what_is_left_out_is_counted() -> None:
    clean = sanitise("<script>let a=1</script><!-- note --><canvas></canvas><blink>x</blink>")
    assert clean.dropped == {"script": 1, "comment": 1, "canvas": 1, "blink": 1}


def test_short_hidden_texts_are_those_of_menus() -> None:
    menu = f"<ul hidden><li><button>{'x' * (MOST_HIDDEN - 10)}</button></li></ul>"
    assert sanitise(menu).letters


def test_a_sheet_reaches_only_its_own_part_of_the_page() -> None:
    css = scoped(
        "body.dark{color:red} html,:root{--a:1} #menu .tbody{x:y} @media (width<9px){body{a:b}}"
        "@keyframes spin{to{rotate:1turn}} @font-face{font-family:x} b{content:'}'} i{c:d"
    )
    outside, inside = css.split("@scope (.llm) {")
    assert outside.strip() == "@keyframes spin {to{rotate:1turn}}"
    assert ".llm-body.dark {color:red}" in inside and ":scope,:scope {--a:1}" in inside
    assert "#u-menu .tbody {x:y}" in inside and "@media (width<9px) { .llm-body {a:b} }" in inside
    assert "font-face" not in css and "b {content:'}'}" in inside and "c:d" not in css


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Here:\n```html\n<p>x</p>\n```\nBye", "<p>x</p>"),
        ("```\n<p>x</p>\n```", "<p>x</p>"),
        ("<p>x</p>", "<p>x</p>"),
        ("```css\na{}\n```\n```html\n<p>longer</p>\n```", "<p>longer</p>"),
        ("```html\n<p>never closed", "<p>never closed"),
    ],
)
def test_html_is_found_in_an_answer(text: str, html: str) -> None:
    assert html_in(text) == html


@pytest.mark.parametrize("text", ["I cannot do that.", "", "```\nplain\n```", "<|im_start|>"])
def test_an_answer_without_html_says_so(text: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        html_in(text)
    assert caught.value.reason is Bad.NO_HTML


def test_a_whole_page_goes_through() -> None:
    clean = sanitise(html_in(page(3)))
    assert clean.title == "Shelfshare" and "Lend item" in drawn(clean) and "@scope" in drawn(clean)


# ---------------------------------------------------------------------- whatever is said


class Written(HTMLParser):
    """What stands in HTML, as another reader sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.values: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values += [value or "" for name, value in attrs if name in ("href", "src")]


PIECES = st.sampled_from([
    "<p>", "</p>", "<script>", "</script>", "<style>", "</style>", "<svg>", "</svg>", "<!--", "-->",
    "<math>", "<mtext>", "<title>", "</title>", "<textarea>", "</textarea>", "<noscript>",
    "</noscript>", "<img src=x onerror=1>", "<a href=", "'", '"', ">", "<", "/", "=", "javascript:",
    "<template>", "<select>", "<option>", "<table>", "<tr>", "<td>", "<plaintext>", "<xmp>",
    "]]>", "<![CDATA[", "<?x", "\x00", "&lt;", "&#60;", "<foreignObject>", "<desc>", "onclick=",
    "text", "<iframe>", "<annotation-xml encoding=text/html>", "<b/", "<\n", "</", "\\",
])  # fmt: skip


@given(st.lists(PIECES, max_size=25))
def test_whatever_is_said_nothing_unlisted_is_written(pieces: list[str]) -> None:
    try:
        html = drawn(sanitise("".join(pieces)))
    except BadAnswer:
        return
    seen = Written()
    seen.feed(html)
    own = {"style", "path", "circle"}  # our sheet, and what our icons are made of
    assert seen.tags <= KEPT | own, seen.tags - KEPT
    named = {name for name in seen.attributes if not name.startswith(("aria-", "data-"))}
    assert named <= ATTRIBUTES | {"href", "src"}
    assert all(v.startswith(("#", "data:image/")) for v in seen.values)
    assert "<script" not in html.casefold() and "<iframe" not in html.casefold()
