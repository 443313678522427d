"""Broken classes: each proves that one check of the contract suite bites.

Every saboteur is a healthy class (``rotate``, or one of ``plain``) with one fault, the
check that has to catch it (``caught_by``) and words that its evidence has to hold
(``because``). When a bug escapes the suite, its saboteur comes here before its fix.
"""

from __future__ import annotations

from typing import Any

from saboteurs import drawing, judging, leaking, plain_faults, streams, telling

SABOTEURS: tuple[Any, ...] = (
    *streams.SABOTEURS, *judging.SABOTEURS, *drawing.SABOTEURS, *telling.SABOTEURS,
    *plain_faults.SABOTEURS, *leaking.SABOTEURS,
)  # fmt: skip
