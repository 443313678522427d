"""What figures are: kind, fill, colour and size; who agrees with what is asked, and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from factory.core.rng import Stream
from factory.draw.colour_names import called, named_palette
from factory.draw.figure_outlines import NAMES
from factory.draw.tones import Tone

ATTRIBUTES = ("size", "fill", "colour", "kind")
"""In the order in which English and Chinese name them."""

KINDS = tuple(NAMES)
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white")
SHOWN_KINDS, SHOWN_COLOURS = 4, 3

WORDS: Mapping[str, tuple[str, str]] = {
    "large": ("large", "大号"), "small": ("small", "小号"),
    "solid": ("solid", "实心"), "hollow": ("hollow", "空心"),
}  # fmt: skip

NOUN = ("shape", "图形")


@dataclass(frozen=True)
class Profile:
    """What a figure is, or what is asked for: empty strings where it does not matter."""

    size: str = ""
    fill: str = ""
    colour: str = ""
    kind: str = ""

    def meets(self, asked: Profile) -> bool:
        """Whether it is all that is asked for."""
        return all(getattr(asked, a) in ("", getattr(self, a)) for a in ATTRIBUTES)

    def called(self, lang: str) -> str:
        """``small hollow red star``."""
        zh = lang == "zh"
        words = [WORDS[w][zh] for w in (self.size, self.fill) if w]
        words += [called(self.colour, lang)] if self.colour else []
        words.append(NAMES[self.kind][zh] if self.kind else NOUN[zh])
        return ("" if zh else " ").join(words)


@dataclass(frozen=True)
class Cast:
    """What occurs in a picture; ``colours`` by name."""

    kinds: tuple[str, ...]
    colours: Mapping[str, str]

    def values(self, attribute: str) -> tuple[str, ...]:
        """The values of an attribute that occur."""
        return {
            "size": ("large", "small"),
            "fill": ("solid", "hollow"),
            "colour": tuple(self.colours),
            "kind": self.kinds,
        }[attribute]


def sets_of(level: int) -> list[tuple[str, ...]]:
    """Which attributes may be asked for together; a size is never asked for alone."""
    found = [one for one in combinations(ATTRIBUTES, level)]
    return [one for one in found if one != ("size",)]


def choose_cast(stream: Stream, kind: str, tone: Tone) -> Cast:
    """A kind with three others, and three colours that read on a ground."""
    others = [other for other in KINDS if other != kind]
    kinds = (kind, *stream.sample(others, SHOWN_KINDS - 1))
    colours = named_palette(stream, SHOWN_COLOURS, tone, names=COLOURS)
    return Cast(kinds, colours)


def deal(
    stream: Stream, cast: Cast, names: Sequence[str], kind: str, shown: int, count: int
) -> tuple[Profile, list[Profile]]:
    """What is asked for, and ``shown`` profiles of which the first ``count`` meet it.

    Of the others, as many as can be differ in one attribute only, each in its turn.
    """
    whole = replace(_any(stream, cast), kind=kind)
    asked = Profile(**{name: getattr(whole, name) for name in names})
    right = [replace(_any(stream, cast), **_only(asked)) for _ in range(count)]
    near = [_near(stream, cast, asked, names[k % len(names)]) for k in range(shown - count)]
    return asked, [*right, *near]


def counted(asked: Profile) -> tuple[str, ...]:
    """The attributes that count."""
    return tuple(name for name in ATTRIBUTES if getattr(asked, name))


def _any(stream: Stream, cast: Cast) -> Profile:
    return Profile(**{name: stream.choice(cast.values(name)) for name in ATTRIBUTES})


def _only(asked: Profile) -> dict[str, str]:
    return {name: getattr(asked, name) for name in counted(asked)}


def _near(stream: Stream, cast: Cast, asked: Profile, differs: str) -> Profile:
    """A profile that meets what is asked for but for one attribute."""
    other = [value for value in cast.values(differs) if value != getattr(asked, differs)]
    return replace(_any(stream, cast), **{**_only(asked), differs: stream.choice(other)})
