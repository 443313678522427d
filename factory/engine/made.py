"""A finished sample, whatever made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from factory.core.errors import Rejected
from factory.core.record import Record
from factory.core.rng import SampleKey


@dataclass(frozen=True)
class Made:
    """The parts of a sample's shard entry, its manifest row and its rejected draws."""

    key: SampleKey
    record: Record
    parts: Mapping[str, bytes]
    row: Mapping[str, Any]
    rejected: tuple[Rejected, ...]
