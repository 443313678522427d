"""Refusals: each made from a positive of the same screen by one edit, and proven.

N1 absent, N2 attribute, N3 near name, N4 wrong state, N5 scrolled out, N6 covered, N7 disabled,
N8 contradicted place, N9 of another app, N10 a function that the app does not have, N11 in a closed
menu, N12 two things in one, N13 in the page but not painted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from factory.core.rng import Stream
from factory.scenarios.asks import Positive, View
from factory.scenarios.edits import MAKERS, foreign
from factory.scenarios.proofs import Proof, Refusal, level, proofs_of
from factory.scenarios.vocabulary import Vocabulary

TRIES = 16
"""Refusals of one kind that are tried before the kind is left."""
COMMON, RARER = ("N1", "N2", "N3", "N8", "N9", "N10"), 4.0
"""Kinds that nearly every screen allows, and how much sooner the others come."""
IN_VIEW = ("N5", "N6", "N11", "N13")
"""Kinds that exist in the page, so that the instruction must say that only the view counts."""


class Negative(msgspec.Struct, frozen=True):
    """A refusal with its proofs; ``level`` is ``hard`` or ``easy``."""

    refusal: Refusal
    proofs: tuple[Proof, ...]
    level: str


def refusals_of(
    view: View,
    positives: Sequence[Positive],
    stream: Stream,
    most: int,
    others: Sequence[Vocabulary] = (),
) -> list[Negative]:
    """Up to ``most`` proven refusals, the kinds in turns; ``others`` are apps for N9."""
    makers = {"N9": lambda v, p, s: foreign(v, p, s, others), **MAKERS}
    lines = {
        code: _proven(make(view, positives, stream.child(code)), view)
        for code, make in makers.items()
    }
    out: list[Negative] = []
    order = _turns(tuple(lines), stream)
    while order and len(out) < most:
        code = order.pop(0)
        made = next(lines[code], None)
        if made is not None:
            out.append(made)
            order.append(code)
    return out


def _turns(codes: Sequence[str], stream: Stream) -> list[str]:
    """The kinds in a drawn order, those that few screens allow ``RARER`` times as likely first."""
    left, out = list(codes), []
    while left:
        code = stream.weighted(left, [1.0 if c in COMMON else RARER for c in left])
        left.remove(code)
        out.append(code)
    return out


def _proven(refusals: Iterator[Refusal], view: View) -> Iterator[Negative]:
    for refusal, _ in zip(refusals, range(TRIES), strict=False):
        proofs = proofs_of(refusal, view)
        if proofs is not None:
            yield Negative(refusal, proofs, level(refusal, view))
