"""Sample keys and keyed random streams.

Every random number in a data set comes from a stream named by
``(type, split, seed, config digest, index, purpose, attempt)``. A stream is
seeded by a blake2b digest of that name, so two streams never share state, a
sample can be made without its neighbours, and adding a draw to one purpose
cannot move the draws of another. Integers, choices and shuffles are derived
here from ``random.Random.random()`` alone, the one method whose sequence
CPython promises to keep.
"""

from __future__ import annotations

import math
import random
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TypeVar

from factory.core.errors import InvalidOptions

T = TypeVar("T")

SPLITS = ("train", "val", "test")
_KEY_PATTERN = re.compile(
    r"(?P<type>[a-z0-9][a-z0-9_]*)-(?P<split>train|val|test)-s(?P<seed>\d+)"
    r"-c(?P<digest>[0-9a-f]{8})-(?P<index>\d{8,})"
)


@dataclass(frozen=True, order=True)
class SampleKey:
    """Identity, replay command and RNG root of one sample.

    The text form is ``rotate-train-s0-c3f9a1b2d-00000123``: lower-case ASCII,
    no dots, and nothing of the answer in it. ``digest`` is the first 8 hex
    digits of the digest of every option that affects data.
    """

    type: str
    split: str
    seed: int
    digest: str
    index: int

    def __str__(self) -> str:
        return f"{self.type}-{self.split}-s{self.seed}-c{self.digest}-{self.index:08d}"

    @classmethod
    def parse(cls, text: str) -> SampleKey:
        """Read the text form; ``InvalidOptions`` when it is not one."""
        match = _KEY_PATTERN.fullmatch(text)
        if match is None:
            raise InvalidOptions(
                f"{text!r} is not a sample key; a key looks like rotate-train-s0-c3f9a1b2d-00000123"
            )
        return cls(
            type=match["type"],
            split=match["split"],
            seed=int(match["seed"]),
            digest=match["digest"],
            index=int(match["index"]),
        )


def digest_int(text: str, bits: int = 64) -> int:
    """The first ``bits`` bits of the blake2b digest of ``text`` as an unsigned integer."""
    return int.from_bytes(blake2b(text.encode(), digest_size=bits // 8).digest(), "big")


class Stream:
    """One random stream; cheap to make, seeded on the first draw."""

    __slots__ = ("_first", "name", "random")

    random: Callable[[], float]
    """Draw a float in [0, 1)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._first: list[float] = []
        self.random = self._begin

    # The first eight draws come straight from the digest of the name, for most streams draw no
    # more and seeding a Mersenne Twister costs more than that; the rest come from one.

    def _begin(self) -> float:
        words = struct.unpack(">8Q", blake2b(self.name.encode()).digest())
        self._first = [(word >> 11) * 2.0**-53 for word in words]
        self.random = self._early
        return self._first.pop()

    def _early(self) -> float:
        if self._first:
            return self._first.pop()
        self.random = random.Random(digest_int(self.name)).random
        return self.random()

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high), as ranges go in Python."""
        if high <= low:
            raise InvalidOptions(f"empty range [{low}, {high}) in stream {self.name}")
        return low + int(self.random() * (high - low))

    def uniform(self, low: float, high: float) -> float:
        """A float in [low, high)."""
        return low + self.random() * (high - low)

    def normal(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """A normal variate by Box and Muller."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return mean + sd * radius * math.cos(2.0 * math.pi * self.random())

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability

    def choice(self, items: Sequence[T]) -> T:
        """One item, each as likely as the other."""
        return items[self.integer(0, len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One item, as likely as its weight says."""
        mark = self.random() * math.fsum(weights)
        for item, weight in zip(items, weights, strict=True):
            mark -= weight
            if mark < 0:
                return item
        return items[-1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list in random order (Fisher-Yates)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.integer(0, last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """``count`` different items in random order."""
        if count > len(items):
            raise InvalidOptions(f"cannot draw {count} different items out of {len(items)}")
        return self.shuffled(items)[:count]

    def child(self, name: str) -> Stream:
        """A stream of its own below this one."""
        return Stream(f"{self.name}/{name}")


@dataclass(frozen=True)
class Rng:
    """The named streams of one sample.

    ``fixed(name)`` ignores the attempt number: labels come from it, so no
    rejection can move a label. ``fresh(name)`` depends on it: everything that
    a rejection may re-draw comes from there.
    """

    root: str
    attempt: int = 0

    @classmethod
    def of(cls, key: SampleKey) -> Rng:
        """The streams of a sample key."""
        return cls(root=str(key))

    def retry(self, attempt: int) -> Rng:
        """The same streams, with ``fresh`` ones for another attempt."""
        return replace(self, attempt=attempt)

    def fixed(self, name: str) -> Stream:
        """The stream ``name``, the same in every attempt."""
        return Stream(f"{self.root}:{name}")

    def fresh(self, name: str) -> Stream:
        """The stream ``name`` of this attempt."""
        return Stream(f"{self.root}:{name}#{self.attempt}")


def permuted_index(index: int, size: int, name: str, rounds: int = 6) -> int:
    """Where ``index`` goes under a keyed permutation of ``range(size)``.

    A Feistel network over the next power of four with cycle walking: random
    access, no table, and a bijection for every size (Black and Rogaway 2002).
    """
    if not 0 <= index < size:
        raise InvalidOptions(f"index {index} is outside range({size})")
    half_bits = max(1, (max(1, size - 1).bit_length() + 1) // 2)
    mask = (1 << half_bits) - 1
    value = index
    while True:
        left, right = value >> half_bits, value & mask
        for step in range(rounds):
            left, right = right, left ^ (digest_int(f"{name}|{step}|{right}") & mask)
        value = (left << half_bits) | right
        if value < size:
            return value
