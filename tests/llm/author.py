"""What an able model would answer: contents, layouts and pages that differ by the seed."""

from __future__ import annotations

import json
from typing import Any

THINGS = ("lamp", "kettle", "ladder", "blanket", "anchor", "violin", "basket", "saddle", "mirror")
COLOURS = ("red", "blue", "green", "amber", "grey", "violet", "ivory", "black", "copper")
DEEDS = (
    ("lend_item", "Lend item", "lend the item to a neighbour", "send"),
    ("print_label", "Print label", "print the label of the shelf", "printer"),
    ("scan_code", "Scan code", "scan the code on a box", "camera"),
    ("archive_list", "Archive list", "archive the list of last year", "archive"),
    ("invite_member", "Invite member", "invite a member to the club", "users"),
    ("pay_deposit", "Pay deposit", "pay the deposit of a loan", "wallet"),
    ("show_map", "Show map", "show the map of the depot", "map"),
    ("alert_keeper", "Alert keeper", "alert the keeper on duty", "bell"),
)
DEEDS_ZH = (
    ("lend_item", "借出物品", "把借出物品登记给邻居", "send"),
    ("print_label", "打印标签", "打印标签贴到货架上", "printer"),
    ("scan_code", "扫描条码", "扫描条码核对箱子", "camera"),
    ("archive_list", "归档清单", "归档清单中的旧记录", "archive"),
    ("invite_member", "邀请会员", "邀请会员加入俱乐部", "users"),
    ("pay_deposit", "支付押金", "支付押金以便借用", "wallet"),
)


def content(seed: int, lang: str = "en") -> dict[str, Any]:
    """A first stage; entries and their order come from the seed."""
    turn = seed % 9
    deeds = DEEDS_ZH if lang == "zh" else DEEDS
    zh = lang == "zh"
    return {
        "app_name": "邻里工具库" if zh else "Shelfshare",
        "icon": "package",
        "title": "本周借用" if zh else "Loans of this week",
        "intro": "这里列出本周借出的工具。" if zh else "Things that neighbours lend.",
        "functions": [
            {"key": k, "label": label, "does": does, "icon": icon} for k, label, does, icon in deeds
        ],
        "missing": ["翻译说明书", "预约送货"] if zh
        else ["translate the manual", "schedule a delivery"],
        "entries": [
            {
                "title": f"工具{'甲乙丙丁戊己'[i]}号{seed % 97}" if zh
                else f"{COLOURS[(turn + i) % 9].title()} {THINGS[(2 * turn + i) % 9]}",
                "detail": f"{3 + i}月{1 + turn}日前还" if zh else f"Due {3 + i} June, no. {turn}",
                "value": f"{12 + i * 7 + turn}.50",
            }
            for i in range(6)
        ],
        "fields": [{"caption": "姓名" if zh else "Full name", "value": "",
                    "hint": "谁来取" if zh else "Who collects it"}],
        "choices": [{"caption": "地点" if zh else "Depot",
                     "options": ["北门", "南门"] if zh else ["North gate", "South gate"]}],
        "switches": ["短信提醒", "周末开放"] if zh else ["Remind me by text", "Open at weekends"],
    }  # fmt: skip


def layout(seed: int, lang: str = "en") -> dict[str, Any]:
    """A second stage for that content."""
    kind = ("list", "table", "cards")[seed % 3]
    zh = lang == "zh"
    return {
        "header": ["lend_item", "scan_code"],
        "navigation": ["invite_member"] if zh else ["show_map", "invite_member", "archive_list"],
        "tabs": [],
        "blocks": [
            {"kind": kind, "heading": "借出物品" if zh else "Out on loan",
             "functions": ["print_label"] if kind != "cards" else []},
            {"kind": "form", "heading": "取件" if zh else "Collection",
             "functions": ["pay_deposit"]},
            {"kind": "switches", "heading": "提醒" if zh else "Reminders", "functions": []},
        ],
        "dialog": "none",
        "dialog_function": "lend_item",
    }  # fmt: skip


def page(seed: int, lang: str = "en") -> str:
    """A whole page of HTML in a fence."""
    own = content(seed, lang)
    rows = "".join(
        f"<tr><td>{e['title']}</td><td>{e['value']}</td><td>"
        f'<button aria-label="Renew {e["title"]}">'
        f'<i data-icon="refresh-cw" data-size="16"></i></button></td></tr>'
        for e in own["entries"]
    )
    switches = "".join(f"<label><input type=checkbox> {s}</label> " for s in own["switches"])
    deeds = "".join(f"<button>{d['label']}</button> " for d in own["functions"])
    return (
        "Here is the screen.\n```html\n<style>.top{display:flex;gap:12px;padding:16px;"
        "background:var(--raised)} main{padding:20px} td{padding:8px 14px} body{color:var(--text)}"
        f"</style>\n<title>{own['app_name']}</title><header class=top><h1>{own['title']}</h1>"
        f'<input type=search aria-label="Search" placeholder="Search"></header><main>'
        f"<p>{own['intro']}</p><p>{deeds}</p><table>{rows}</table><p>{switches}</p>"
        f'<a href="#all">Everything</a> <a href="#help">Help</a></main>\n```\nEnjoy.'
    )


def _text(content: Any) -> str:
    return content if isinstance(content, str) else content[0]["text"]


def answer(asked: dict[str, Any]) -> str:
    """The answer to a request of the protocol."""
    told = [_text(one["content"]) for one in asked["messages"]]
    said, first = told[-1], "".join(told[:2])
    lang = "zh" if "Simplified Chinese" in first or "本周借用" in first else "en"
    seed = int(asked["seed"])
    if '"word": "hello"' in said:
        return json.dumps({"word": "hello", "kind": "bird", "names": ["wren"]})
    if "Describe the style of this screenshot" in first:
        return json.dumps({
            "theme": "dark", "background": "#101820", "surface": "#1b2733", "text": "#f0f4f8",
            "accent": "#ffb020", "density": "compact", "corners": "round", "header": True,
            "sidebar": True,
        })  # fmt: skip
    if "Write the content of one screen as JSON" in first:
        return json.dumps(content(seed, lang), ensure_ascii=False)
    if "Decide where it stands" in first:
        return json.dumps(layout(seed, lang), ensure_ascii=False)
    assert "Write this screen as HTML" in first, first[:200]
    return page(seed, lang)
