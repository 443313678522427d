"""Questions with answers that follow from them: numbered without repeats, put into words, solved.

A question is its kind and its facts, whole numbers by name; words come from ``questions.toml``
by their places. ``answers`` finds what is right from the facts.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from factory.core.rng import Stream

SHARES: Mapping[str, float] = {
    "story": 0.2, "order": 0.2, "calendar": 0.18, "odd": 0.22, "parts": 0.2,
}  # fmt: skip
KINDS = tuple(SHARES)
NUMERIC = ("story", "parts")
"""Kinds that are answered by a number."""

WHO, THINGS, DAYS, EVENTS, PAIRS, GROUPS, WORDS = 24, 12, 7, 6, 5, 8, 8
"""How many entries the lists of a language have; words in each group."""

VALUES = range(21, 81)
"""Numbers that may be the answer."""

SMALL, TENS, DAYS_ON = range(2, 10), range(11, 20), range(2, 21)
STRAY = range(30, 60)
"""Numbers of other people's things: over those of the question."""

Facts = dict[str, int]


@cache
def bank() -> Mapping[str, Any]:
    """The lists and forms by language."""
    text = (Path(__file__).parent / "questions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


_AXES: Mapping[str, Mapping[str, Sequence[int]]] = {
    "story": {"value": VALUES, "b": SMALL, "c": TENS, "things": range(THINGS)},
    "order": {"first": range(WHO), "second": range(WHO - 1), "third": range(WHO - 2),
              "pair": range(PAIRS), "last": range(2)},
    "calendar": {"day": range(DAYS), "a": DAYS_ON, "b": DAYS_ON, "event": range(EVENTS)},
    "odd": {"group": range(GROUPS), "word": range(WORDS), "other": range(GROUPS - 1),
            "left": range(WORDS), "place": range(4)},
    "parts": {"value": VALUES, "m": SMALL, "k": SMALL, "things": range(THINGS)},
}  # fmt: skip
"""What a number of each kind names. ``value``, ``day``, the first person and the odd word are
the answer, and evenly drawn."""


def axis(kind: str, name: str) -> Sequence[int]:
    """The values that a fact may have."""
    return _AXES[kind][name]


def size(kind: str) -> int:
    """How many questions of a kind there are."""
    return math.prod(map(len, _AXES[kind].values()))


def numbered(number: int, kind: str, stream: Stream, hard: bool) -> Facts:
    """Question ``number`` of a kind; what does not tell it from others is drawn."""
    facts: Facts = {}
    for name, values in _AXES[kind].items():
        number, at = divmod(number, len(values))
        facts[name] = values[at]
    facts["who"], facts["hard"] = stream.integer(0, WHO), int(hard)
    facts["form"], facts["turn"] = stream.integer(0, 6), stream.integer(0, 64)
    facts["d"] = stream.choice(STRAY)
    return facts


def people(facts: Mapping[str, int]) -> list[int]:
    """Three different people, the answer first."""
    rest = list(range(WHO))
    return [rest.pop(facts[name]) for name in ("first", "second", "third")]


def words(facts: Mapping[str, int]) -> list[tuple[int, int]]:
    """Group and place in it of the four words, in their order."""
    groups = [group for group in range(GROUPS) if group != facts["group"]]
    home = groups[facts["other"]]
    alike = [(home, (facts["left"] + step * (1 + facts["turn"] % 2)) % WORDS) for step in range(3)]
    alike.insert(facts["place"], (facts["group"], facts["word"]))
    return alike


def named(kind: str, facts: Mapping[str, int], lang: str) -> list[str]:
    """What a question that is not answered by a number names: the answer is one of them."""
    lists = bank()[lang]
    if kind == "order":
        return [lists["who"][place] for place in people(facts)]
    if kind == "odd":
        return [lists["groups"][group].split()[place] for group, place in words(facts)]
    return list(lists["days"])


def answers(kind: str, facts: Mapping[str, int], lang: str) -> list[str]:
    """Everything that is right, the first as the question would write it."""
    if kind in NUMERIC:
        return [str(facts["value"])]
    places = {"order": 0, "odd": facts.get("place", 0), "calendar": facts.get("day", 0)}
    return spellings(named(kind, facts, lang)[places[kind]], lang)


def spellings(answer: str, lang: str) -> list[str]:
    """An answer in every usual way to write it: days of the week have several in Chinese."""
    if lang != "zh" or "星期" not in answer:
        return [answer]
    forms = [answer.replace("星期", name) for name in ("星期", "周", "礼拜")]
    return list(dict.fromkeys([*forms, *(form.replace("日", "天") for form in forms)]))


def asked(kind: str, facts: Mapping[str, int], lang: str) -> str:
    """The question in words."""
    lists = bank()[lang]
    slots: dict[str, Any] = {name: str(value) for name, value in facts.items()}
    slots |= {"who": lists["who"][facts["who"]]}
    if "things" in facts:
        slots["things"] = lists["things"][facts["things"]]
    form, stray = kind, ""
    if kind == "story":
        slots["a"] = str(facts["value"] - facts["b"] + facts["c"])
    elif kind == "parts":
        rest = facts["value"] - facts["m"] * facts["k"]
        form, slots["r"] = "more" if rest > 0 else "less" if rest else "same", str(abs(rest))
    elif kind == "order":
        slots |= _ordered(facts, lists)
    elif kind == "calendar":
        events, at = lists["events"], facts["event"]
        before = (facts["day"] - facts["a"] - facts["b"]) % DAYS
        slots |= {"day": lists["days"][before], "event": events[at]}
        slots |= {"later": events[(at + 1 + facts["turn"] % (EVENTS - 1)) % EVENTS]}
    else:
        named = [lists["groups"][group].split()[place] for group, place in words(facts)]
        slots["words"] = lists["comma"].join(named)
    if kind in NUMERIC and facts["hard"]:
        other = lists["who"][(facts["who"] + 1 + facts["turn"] % (WHO - 1)) % WHO]
        # Of other things than the question: none of them is to be counted.
        things = (facts["things"] + 1 + facts["turn"] % (THINGS - 1)) % THINGS
        stray = lists["stray"].format(other=other, d=slots["d"], things=lists["things"][things])
    forms = lists["forms"][form]
    text = forms[facts["form"] % len(forms)].format(**slots)
    return f"{stray} {text}".strip() if lang == "en" else stray + text


def _ordered(facts: Mapping[str, int], lists: Mapping[str, Any]) -> dict[str, str]:
    """Two facts about three people, told in either direction and order, and who is asked for."""
    first, second, third = (lists["who"][place] for place in people(facts))
    more, less = lists["pairs"][facts["pair"]]
    if facts["last"]:
        more, less = less, more
    told: list[str] = []
    for bit, (x, y) in enumerate(((first, second), (second, third))):
        turned = facts["turn"] >> bit & 1
        ends = {"x": y, "y": x, "more": less} if turned else {"x": x, "y": y, "more": more}
        told.append(lists["fact"].format(**ends))
    told = told[::-1] if facts["turn"] >> 2 & 1 else told
    glue = " " if " " in lists["fact"] else ""
    return {"facts": glue.join(told), "most": lists["most"][facts["pair"]][facts["last"]]}


GIVEN_AWAY = re.compile("taking out|away|拿走|送人")


def solved(question: str, kind: str, lang: str) -> str:
    """The answer by reading the question as it is written."""
    lists, numbers = bank()[lang], [int(n) for n in re.findall(r"\d+", question)]
    if kind == "story":
        a, b, c = numbers[-3:]
        return str(a + b - c)
    if kind == "parts":
        m, k, *rest = numbers if numbers[0] < SMALL.stop else numbers[1:]
        less = GIVEN_AWAY.search(question)
        return str(m * k + (-1 if less else 1) * sum(rest))
    if kind == "calendar":
        days = lists["days"]
        today = min((question.find(d), at) for at, d in enumerate(days) if d in question)[1]
        return days[(today + sum(numbers)) % DAYS]
    return _extreme(question, lists) if kind == "order" else _odd_one(question, lists)


def _odd_one(question: str, lists: Mapping[str, Any]) -> str:
    """The word alone of its group, among those after the colon."""
    listed = re.split("[?？.。]", re.split("[:：]", question)[1])[0]
    found = [word.strip() for word in re.split("[,、]", listed)]
    groups = [next(g for g in lists["groups"] if word in g.split()) for word in found]
    return next(w for w, group in zip(found, groups, strict=True) if groups.count(group) == 1)


def _extreme(question: str, lists: Mapping[str, Any]) -> str:
    """Whoever exceeds the others in what is asked for, of the people in the facts."""
    fact = re.escape(lists["fact"])
    names = "|".join(lists["who"])
    greater: set[tuple[str, str]] = set()
    for more, less in lists["pairs"]:
        for word, step in ((more, 1), (less, -1)):
            made = fact.replace(r"\{x\}", f"({names})").replace(r"\{y\}", f"({names})")
            for pair in re.findall(made.replace(r"\{more\}", word), question):
                greater.add(pair[::step])
    (up, down) = next(
        (top in question, low in question) for top, low in lists["most"]
        if top in question or low in question
    )  # fmt: skip
    people_ = sorted({name for pair in greater for name in pair})
    side = 1 if up and not down else 0
    return next(name for name in people_ if name not in {pair[side] for pair in greater})
