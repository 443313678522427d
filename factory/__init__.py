"""A synthetic GUI-grounding and CAPTCHA data factory.

>>> import factory
>>> for record in factory.stream("rotate", n=2):
...     print(record.key)                                              # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from factory.api import make, stream, verdict

__version__ = "0.1.0"

__all__ = ["__version__", "make", "stream", "verdict"]


def __getattr__(name: str) -> Any:
    """Load the Python API on first use, so that ``import factory`` stays cheap."""
    if name in ("make", "stream", "verdict"):
        from factory import api

        return getattr(api, name)
    raise AttributeError(f"module 'factory' has no attribute {name!r}")
