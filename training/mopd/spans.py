"""Which sampled tokens spell which characters, and so which are type, argument or neither.

Tokens are taken as the student sampled them: encoding its text again might cut it elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from training.mopd.status import Slot, Status

Offset = tuple[int, int]
"""Characters ``text[start:end]`` of a token; empty for tokens that finish no character."""


class Tokenizer(Protocol):
    """The part of a tokenizer that is needed."""

    @property
    def all_special_ids(self) -> Sequence[int]:
        """Ids that are no text."""
        ...

    def decode(self, token_ids: Any, **kwargs: Any) -> Any:
        """The text of ids."""
        ...


class Role(IntEnum):
    """What a token is for."""

    OTHER = 0
    TYPE = 1
    ARGUMENT = 2


@dataclass(frozen=True)
class Token:
    """The role of one token, and the status of the slot that it belongs to (None for none)."""

    role: Role
    status: Status | None = None


def token_offsets(tokenizer: Tokenizer, ids: Sequence[int]) -> tuple[str, list[Offset | None]]:
    """The text of sampled ids and the characters of each; None for special tokens.

    Where a character is spelled by several tokens it belongs to the first of them.
    """
    special = set(tokenizer.all_special_ids)
    plain = [k for k in ids if k not in special]
    text = _decoded(tokenizer, plain)
    ends = iter(_ends(tokenizer, plain, text))
    offsets: list[Offset | None] = []
    at = 0
    for one in ids:
        if one in special:
            offsets.append(None)
            continue
        end = next(ends)
        offsets.append((at, end))
        at = end
    return text, offsets


def _decoded(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    return tokenizer.decode(
        list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False
    )


def _ends(tokenizer: Tokenizer, ids: Sequence[int], text: str) -> list[int]:
    """Where each token's characters end: by adding up, or prefix by prefix where that differs."""
    pieces = [_decoded(tokenizer, [one]) for one in ids]
    if "".join(pieces) == text:
        ends, at = list[int](), 0
        for piece in pieces:
            at += len(piece)
            ends.append(at)
        return ends
    ends, at = [], 0
    for k in range(1, len(ids) + 1):
        # A prefix that stops within a character decodes it as one replacement character.
        at = max(at, min(len(text), len(_decoded(tokenizer, ids[:k]))))
        ends.append(at)
    return ends


def tokens(offsets: Sequence[Offset | None], slots: Sequence[Slot]) -> list[Token]:
    """The role and status of every token; a token is what its first character is.

    So one that straddles the border of a type is type. After the start of what cannot be read,
    special tokens are type as well: all from there on is wrong.
    """
    found: list[Token] = []
    lost = next((s.type_span[0] for s in slots if s.status is Status.UNPARSABLE), None)
    at = 0
    for offset in offsets:
        if offset is None:
            wrong = lost is not None and at >= lost
            found.append(Token(Role.TYPE, Status.UNPARSABLE) if wrong else Token(Role.OTHER))
            continue
        start, end = offset
        # A token that finishes no character continues the one before it.
        found.append(_role(start if end > start else max(0, start - 1), slots))
        at = end
    return found


def _role(char: int, slots: Sequence[Slot]) -> Token:
    for slot in slots:
        if slot.type_span[0] <= char < slot.type_span[1]:
            return Token(Role.TYPE, slot.status)
        if any(start <= char < end for start, end in slot.argument_spans):
            return Token(Role.ARGUMENT, slot.status)
    return Token(Role.OTHER)
