"""The tasks of one screen: what to find, what is not there, and what the screen says.

Every positive's query has one answer on the table and every refusal's has none, by construction
and checked; each refusal comes with the positive from which it differs by one clause.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from factory.core.rng import Stream
from factory.scenarios.asks import Positive, View, positives
from factory.scenarios.elements import Element
from factory.scenarios.negatives import IN_VIEW, Negative, refusals_of
from factory.scenarios.phrases import Wording, wording_of
from factory.scenarios.query import found, only
from factory.scenarios.screen_tasks import screen_tasks
from factory.scenarios.table import Table
from factory.scenarios.task_spec import REFUSED, TaskSpec, point_at
from factory.scenarios.vocabulary import Vocabulary

USUAL = 1.5
"""Lean at which targets are about as large as those of public benchmarks: a page holds many small
controls, and people ask for the larger ones."""
SMALL = -1.0
"""Lean towards small icons."""
WORDED = 0.2
"""Share of tasks with words for an answer."""
SAID_IN_VIEW = 0.08
"""Of positives that say that only the view counts although nothing hides: so that the words alone
do not give a refusal away."""
HARD = ("function", "position", "relation", "state", "ordinal")
"""Styles for which it is not enough to find a word or a picture."""


def tasks_of(
    table: Table,
    app: Vocabulary,
    stream: Stream,
    lang: str,
    most: int = 12,
    negatives: float = 0.15,
    others: Sequence[Vocabulary] = (),
    lean: float = USUAL,
) -> tuple[TaskSpec, ...]:
    """Up to ``most`` tasks of a screen in ``lang``; ``others`` are apps of which N9 asks.

    ``negatives`` of them are refusals, rounded by a draw, where the screen allows so many.
    ``lean`` says how much larger targets are asked for more often.
    """
    view = View(table, app, lang, lean)
    pool = positives(view, stream.child("positives"))
    wanted = min(most // 2, _rounded(most * negatives, stream))
    refused = _worded(
        view, refusals_of(view, pool, stream.child("negatives"), wanted, others), stream
    )
    parents = _unique([n.refusal.parent for n, _ in refused])
    spare = min(_rounded(most * WORDED, stream), most - len(refused) - len(parents))
    worded = screen_tasks(view, pool, stream.child("screen"))[:spare]
    room = most - len(refused) - len(worded)
    chosen = _balanced(view, pool, parents, room)
    return _numbered(view, chosen, refused, worded, stream)


def _rounded(count: float, stream: Stream) -> int:
    """The count, its fraction decided by a draw, so that shares hold over many screens."""
    return int(count) + stream.chance(count - int(count))


def _worded(
    view: View, found: Sequence[Negative], stream: Stream
) -> list[tuple[Negative, Wording]]:
    """Refusals that can be said, of which the parents can be said too."""
    out: list[tuple[Negative, Wording]] = []
    for index, negative in enumerate(found):
        code = negative.refusal.code
        said = wording_of(
            negative.refusal.ask, view, stream.child(f"no{index}"),
            in_view=code in IN_VIEW, pressing=code == "N7",
        )  # fmt: skip
        if said and wording_of(negative.refusal.parent.ask, view, stream.child("parent")):
            out.append((negative, said))
    return out


def _unique(parents: Sequence[Positive]) -> list[Positive]:
    out: list[Positive] = []
    for parent in parents:
        if parent not in out:
            out.append(parent)
    return out


def _balanced(
    view: View, pool: Sequence[Positive], parents: list[Positive], room: int
) -> list[Positive]:
    """The parents, then the styles in turns, elements that were not asked for first."""
    chosen, left = list(parents), [p for p in pool if p not in parents]
    while left and len(chosen) < room:
        counts = {p.ask.style: sum(c.ask.style == p.ask.style for c in chosen) for p in left}
        asked = {c.element.id for c in chosen}
        best = min(left, key=lambda p: (counts[p.ask.style], p.element.id in asked))
        left.remove(best)
        chosen.append(best)
    return chosen


def _numbered(
    view: View,
    chosen: Sequence[Positive],
    refused: Sequence[tuple[Negative, Wording]],
    worded: Sequence[TaskSpec],
    stream: Stream,
) -> tuple[TaskSpec, ...]:
    """All tasks in a drawn order, so that an id tells nothing; refusals name their parents' ids."""
    hidden = [n.refusal.parent for n, _ in refused if n.refusal.code in IN_VIEW]
    made: list[tuple[object, TaskSpec]] = []
    for index, positive in enumerate(chosen):
        draw = stream.child(f"yes{index}")
        task = _ground(view, positive, draw, positive in hidden or draw.chance(SAID_IN_VIEW))
        if task is not None:
            made.append((positive, task))
    made += [(negative, _refuse(view, negative, said)) for negative, said in refused]
    made += [(task, task) for task in worded]
    order = stream.child("order").shuffled(made)
    ids = [(source, f"t{i:02d}") for i, (source, _) in enumerate(order)]
    out = [
        msgspec.structs.replace(task, id=id, parent=_parent_id(source, ids))
        for (source, task), (_, id) in zip(order, ids, strict=True)
    ]
    return tuple(out)


def _parent_id(source: object, ids: Sequence[tuple[object, str]]) -> str:
    if not isinstance(source, Negative):
        return ""
    return next(id for other, id in ids if other == source.refusal.parent)


def _ground(view: View, positive: Positive, stream: Stream, in_view: bool) -> TaskSpec | None:
    ask = positive.ask
    said = wording_of(ask, view, stream, in_view=in_view)
    meant = only(ask.query, view.table)
    if said is None or meant is None:
        return None
    return TaskSpec(
        id="", kind="ground", lang=view.lang, style=ask.style, instruction=said.instruction,
        alternatives=said.alternatives, query=ask.query.to_json(), element=meant.id,
        answer=point_at(meant, _twins(view, positive, meant)),
        level="hard" if ask.style in HARD else "easy",
    )  # fmt: skip


def _twins(view: View, positive: Positive, meant: Element) -> tuple[Element, ...]:
    """Elements of the same effect: all for what is asked by its effect or its words, else those
    that the query finds."""
    if positive.ask.style in ("text", "name", "function"):
        return tuple(e for e in view.table.targets if e.effect == meant.effect)
    return found(positive.ask.query, view.table).sure


def _refuse(view: View, negative: Negative, said: Wording) -> TaskSpec:
    no = negative.refusal
    return TaskSpec(
        id="", kind="refuse", lang=view.lang, style=no.ask.style, instruction=said.instruction,
        alternatives=said.alternatives, query=no.ask.query.to_json(), answer=REFUSED,
        level=negative.level, negative=no.code, slot=no.slot, proofs=negative.proofs,
    )  # fmt: skip
