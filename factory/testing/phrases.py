"""C13, the wording: enough phrases, in both languages, that say what has to be said."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.stages import Stages
from factory.core.mechanics.text_entry import TextEntry
from factory.testing.subject import Draw, Subject

LANGS = ("en", "zh")
LEAST_GOALS = 8
LEAST_FORMS = 12
"""Composed forms of the reasoning, so that none is more than 15 % of them."""

POINTER_WORDS = re.compile(r"\b(click|mouse|cursor)\w*", re.IGNORECASE)
"""What nobody does on a phone."""

CASE_WORDS = re.compile(
    r"\b(case|capitals?|upper|lower|small letters?)\b|大小写|大写|小写", re.IGNORECASE
)
"""Words that tell which case counts, or that none does."""


def unsaid(subject: Subject, draws: Sequence[Draw]) -> Iterator[str]:
    """What the wording of a class lacks."""
    wording = subject.puzzle.wording
    for lang in LANGS:
        if lang not in wording.goals or lang not in wording.reasoning:
            yield f"there is no wording in '{lang}'"
            continue
        goals = wording.goals[lang]
        if len(set(goals)) < LEAST_GOALS:
            yield f"{len(set(goals))} goal phrases in '{lang}', {LEAST_GOALS} are due"
        forms = math.prod(len(set(lines)) for lines in wording.reasoning[lang].values())
        if forms < LEAST_FORMS:
            yield f"{forms} forms of reasoning in '{lang}', {LEAST_FORMS} are due"
        yield from _unfilled(subject, draws, lang)
        if any(_case_counts(draw.mechanic) for draw in draws):
            silent = [goal for goal in (*goals, *wording.touch_goals[lang])
                      if not CASE_WORDS.search(goal)]  # fmt: skip
            if silent:
                yield f"which case counts is not said: {silent[0]!r}"
    for goal in wording.touch_goals.get("en", ()):
        if POINTER_WORDS.search(goal):
            yield f"on phones one taps: {goal!r}; give touch_goals"
            break


def _unfilled(subject: Subject, draws: Sequence[Draw], lang: str) -> Iterator[str]:
    """Goal phrases with a slot that the class does not fill."""
    wording = subject.puzzle.wording
    for goal in (*wording.goals[lang], *wording.touch_goals[lang]):
        for draw in draws[:3]:
            try:
                goal.format_map(subject.puzzle.goal_slots(draw.state, lang))
            except (KeyError, IndexError, ValueError) as error:
                yield f"the goal {goal!r} cannot be filled: {error!r}"
                return


def _case_counts(mechanic: AnyMechanic) -> bool:
    """Whether letters that come in two cases are typed."""
    if isinstance(mechanic, Stages):
        return any(_case_counts(part) for part in mechanic.parts)
    return isinstance(mechanic, TextEntry) and any(
        answer.upper() != answer.lower()
        for field in mechanic.fields
        if field.kind == "text"
        for answer in field.answers
    )
