"""Maximum bipartite matching: who can have whom, one to one."""

from __future__ import annotations

from collections.abc import Sequence


def matching(wanted: Sequence[Sequence[int]]) -> list[int | None]:
    """For each left node, the right node that it gets out of ``wanted[left]``, or ``None``.

    As many get one as possible (augmenting paths); the first of equals gets the first it wants.
    """
    owner: dict[int, int] = {}

    def settle(left: int, tried: set[int]) -> bool:
        for right in wanted[left]:
            if right in tried:
                continue
            tried.add(right)
            if right not in owner or settle(owner[right], tried):
                owner[right] = left
                return True
        return False

    for left in range(len(wanted)):
        settle(left, set())
    result: list[int | None] = [None] * len(wanted)
    for right, left in owner.items():
        result[left] = right
    return result


def matches_all(wanted: Sequence[Sequence[int]]) -> bool:
    """Whether each left node gets a right node of its own."""
    return None not in matching(wanted)
