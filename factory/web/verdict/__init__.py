"""The verdict: which elements of any page can be pressed and seen, and where.

``open_desk`` starts a browser; ``Desk.check`` gives the verdict on a page,
``Desk.check_bodies`` those on many bodies, ``Desk.check_looks`` also in several shells and
windows. docs/grounding.md tells how it is reached.
"""

from factory.web.verdict.lanes import Look
from factory.web.verdict.pool import Desk, open_desk
from factory.web.verdict.types import (
    HitReport,
    PageFault,
    PageVerdict,
    Reason,
    Rejection,
    Target,
    Window,
)

__all__ = [
    "Desk",
    "HitReport",
    "Look",
    "PageFault",
    "PageVerdict",
    "Reason",
    "Rejection",
    "Target",
    "Window",
    "open_desk",
]
