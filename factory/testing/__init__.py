"""The contract suite: what every CAPTCHA class promises, as checks that can be imported.

``CHECKS`` names them in order; ``look(name, subject, budget)`` runs one.
``factory check CLASS`` prints them for an installed class.
"""

from __future__ import annotations

from factory.testing.outcome import LONG, QUICK, Budget, Outcome
from factory.testing.subject import Judge, Subject, View
from factory.testing.suite import CHECKS, Check, load_judge, look, subject_of

__all__ = [
    "CHECKS", "LONG", "QUICK", "Budget", "Check", "Judge", "Outcome", "Subject", "View",
    "load_judge", "look", "subject_of",
]  # fmt: skip
