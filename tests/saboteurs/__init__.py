"""Broken classes: each proves that one check of the contract suite bites.

Every saboteur is the healthy ``rotate`` with one fault, the check that has to
catch it (``caught_by``) and words that its evidence has to hold (``because``).
When a bug escapes the suite, its saboteur comes here before its fix.
"""

from __future__ import annotations

from captcha_types.rotate.rotate import Rotate
from saboteurs import drawing, judging, streams, telling

SABOTEURS: tuple[type[Rotate], ...] = (
    *streams.SABOTEURS, *judging.SABOTEURS, *drawing.SABOTEURS, *telling.SABOTEURS,
)  # fmt: skip
