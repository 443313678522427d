"""``factory setup``: bring what packages cannot."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def setup_command(
    *,
    backdrops: int = 200,
    allow_plain: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Install fonts, icons, system libraries and a browser, and paint the bank of pages.

    Parameters
    ----------
    backdrops
        Pages in the bank.
    allow_plain
        Succeed without a browser; pages are then drawn plainly.
    """
    from factory import setup

    setup.run(backdrops, allow_plain=allow_plain, echo=print)
