"""Small apps and made-up tables for tests of tasks: no browser, no grammar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from factory.scenarios.elements import Element, with_effects
from factory.scenarios.table import Table
from factory.web.verdict.alike import normal

Phrases = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class TinyFunction:
    label: Phrases
    do: Phrases
    icon: Sequence[str] = ()
    role: str = "button"


@dataclass(frozen=True)
class TinyApp:
    name: str
    fn: Mapping[str, TinyFunction]
    absent: Phrases = field(default_factory=dict)
    questions: Mapping[str, Phrases] = field(default_factory=dict)


def fn(label: str, do: str, icon: str, zh: tuple[str, str]) -> TinyFunction:
    return TinyFunction(
        {"en": [label], "zh": [zh[0]]}, {"en": [do], "zh": [zh[1]]}, [icon] if icon else []
    )


MAIL = TinyApp(
    "mail",
    {
        "compose": fn("Compose", "write a new message", "pencil", ("写信", "写一封新邮件")),
        "archive": fn("Archive", "put the message away", "archive", ("归档", "把邮件归档")),
        "delete": fn("Delete", "throw the message away", "trash-2", ("删除", "删除这封邮件")),
        "reply": fn("Reply", "answer the sender", "reply", ("回复", "回复发件人")),
        "print": fn("Print", "get this on paper", "printer", ("打印", "把邮件打印出来")),
        "settings": fn("Settings", "change how the app works", "settings", ("设置", "调整应用")),
        "open": fn("Open {who}", "read the letter from {who}", "", ("{who}", "查看{who}的来信")),
    },
    {"en": ["translate the letter", "snooze it until evening"], "zh": ["翻译来信", "稍后再提醒我"]},
    {"unread": {"en": ["How many letters are unread?"], "zh": ["有几封未读邮件？"]}},
)  # fmt: skip

SHOP = TinyApp(
    "shop",
    {
        "pay": fn("Pay now", "settle the bill", "credit-card", ("立即支付", "支付账单")),
        "wish": fn("Wish list", "keep the item for later", "heart", ("心愿单", "加入心愿单")),
        "print": fn("Print", "get the invoice on paper", "printer", ("打印", "打印发票")),
    },
)

TEXTS = (
    "Compose", "Archive", "Delete", "Reply", "Invoice 12", "Invoice 31", "Export PDF", "Anna Kerr",
    "Next week", "Wi-Fi", "Sync", "Remember", "写信", "打开设置", "第 3 页", "",
)  # fmt: skip
ROLES = ("button", "link", "tab", "checkbox", "switch", "field", "row", "text")
ICONS = ("", "pencil", "trash-2", "archive", "settings", "cog", "bell")
COLOURS = (None, "red", "blue", "green")
SECTIONS = ("", "toolbar", "sidebar")


@st.composite
def elements(draw: st.DrawFn, index: int) -> Element:
    """One element in the cell of its index in a grid of five columns, a little off its corner."""
    role, text = draw(st.sampled_from(ROLES)), draw(st.sampled_from(TEXTS))
    marked = draw(st.integers(0, 9)) > 0
    seen = draw(st.sampled_from(["yes"] * 7 + ["doubt", "no"]))
    shut = seen == "yes" and draw(st.integers(0, 7)) == 0
    x = 10.0 + 155 * (index % 5) + draw(st.integers(0, 30))
    y = 10.0 + 90 * (index // 5) + draw(st.integers(0, 30))
    box = (x, y, x + 90.0, y + 30.0)
    target = seen == "yes" and not shut and role != "text"
    colour = draw(st.sampled_from(COLOURS))
    near = tuple({colour, draw(st.sampled_from(COLOURS))} - {None})
    state = {"disabled": str(shut).lower()}
    if role in ("checkbox", "switch"):
        state["checked"] = draw(st.sampled_from(["true", "false"]))
    if role == "tab":
        state["selected"] = draw(st.sampled_from(["true", "false"]))
    hidden = draw(st.sampled_from(["scroll", "cover", "menu", "blank"])) if seen == "no" else ""
    reasons = {"scroll": "scrolled_out", "cover": "occluded", "menu": "no_box", "blank": "no_ink"}
    reason = reasons[hidden] if hidden else "disabled" if shut else "" if target else "partly_hit"
    known = draw(st.sampled_from(["", *(k for k in MAIL.fn if k != "open")])) if marked else ""
    return Element(
        id=f"#x{index}", role=role, kind="text" if role == "text" else "control", marked=marked,
        fn=known, icon=draw(st.sampled_from(ICONS)) if marked else "",
        section=draw(st.sampled_from(SECTIONS)) if marked else "", hidden=hidden, text=text,
        name=text, words=tuple(w for w in (normal(text),) if w), seen=seen, target=target,
        reason=reason, box=box if seen != "no" else None, hit_box=box, click=(x + 45, y + 15),
        state=state, unsure=("checked",) if draw(st.integers(0, 15)) == 0 else (),
        colour=colour, near=near, quotable=draw(st.integers(0, 5)) > 0,
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A screen of up to 25 elements."""
    count = draw(st.integers(3, 25))
    rows = with_effects([draw(elements(i)) for i in range(count)])
    return Table(
        elements=rows, size=(800, 600), app="mail", facts={"unread": "12"},
        platform=draw(st.sampled_from(["web", "ios"])),
    )  # fmt: skip


def control(id: str, x: float, y: float, role: str, text: str = "", **more: object) -> Element:
    """A control of 90 x 30 CSS px that can be pressed; ``more`` has other fields."""
    facts = {
        "words": tuple(w for w in (normal(text),) if w), "box": (x, y, x + 90, y + 30),
        "hit_box": (x, y, x + 90, y + 30), "click": (x + 45, y + 15), "name": text,
        "state": {"disabled": "false", **more.pop("state", {})}, **more,  # type: ignore[dict-item]
    }  # fmt: skip
    return Element(id=id, role=role, text=text, **facts)  # type: ignore[arg-type]


def away(id: str, role: str, text: str, hidden: str, reason: str, **more: object) -> Element:
    """A control that is in the page but not in view."""
    facts = {"seen": "no", "target": False, "box": None, "click": None, "quotable": False, **more}
    return control(id, 0, 0, role, text, hidden=hidden, reason=reason, **facts)


BOXES = ("Sync", "Wi-Fi")


def inbox(*more: Element) -> Table:
    """A screen on which every kind of task is possible."""
    rows = [
        control("#a", 10, 10, "button", "Compose", fn="compose", icon="pencil", colour="blue",
                near=("blue",), section="toolbar"),
        control("#b", 110, 10, "button", "Reply", fn="reply", icon="reply", section="toolbar",
                colour="green", near=("green",)),
        control("#c", 210, 10, "button", "", fn="delete", icon="trash-2", section="toolbar"),
        control("#d", 310, 10, "button", "Archive", fn="archive", icon="archive",
                state={"disabled": "true"}, seen="yes", target=False, reason="disabled"),
        *(control(f"#t{i}", 10 + 100 * i, 100, "tab", f"Folder {i + 1}", section="nav",
                  state={"selected": str(i == 1).lower()}) for i in range(4)),
        *(control(f"#k{i}", 10, 200 + 60 * i, "checkbox", name, section="form",
                  state={"checked": str(i == 0).lower()}) for i, name in enumerate(BOXES)),
        control("#r", 600, 500, "link", "Export PDF", icon="download", section="footer"),
        away("#h1", "button", "Older mail", "scroll", "scrolled_out"),
        away("#h2", "button", "Address book", "cover", "occluded"),
        away("#h3", "button", "Print", "menu", "no_box", fn="print"),
        away("#h4", "button", "Ghost", "blank", "no_ink", ink=0.0),
        *more,
    ]  # fmt: skip
    return Table(elements=with_effects(rows), size=(800, 600), app="mail", facts={"unread": "3"})
