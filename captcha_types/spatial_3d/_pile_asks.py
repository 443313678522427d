"""What is asked of piles: who lies where, said in words, built into a pile, read off one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

from captcha_types.spatial_3d import _piles as piles
from captcha_types.spatial_3d._piles import Layer
from factory.core.errors import Rejected
from factory.core.rng import Stream
from factory.draw.colour_names import TELL_APART, distance

Ask = Literal["back", "front", "over", "place"]
ASKS: Mapping[Ask, float] = {"back": 0.3, "front": 0.2, "over": 0.28, "place": 0.22}

NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {name: name for name in piles.SHAPES},
    "zh": {"circle": "圆形", "square": "正方形", "triangle": "三角形", "star": "五角星",
           "heart": "心形", "cross": "十字"},
}  # fmt: skip
ORDINALS: Mapping[str, Sequence[str]] = {
    "en": ("first", "second", "third", "fourth", "fifth"),
    "zh": ("一", "二", "三", "四", "五"),
}
WHERE: Mapping[str, Mapping[Ask, str]] = {
    "en": {
        "back": "where the {a} lies at the very back",
        "front": "where the {a} lies on top of all",
        "over": "where the {a} lies over the {b}",
        "place": "where the {a} is {nth} from the back",
    },
    "zh": {
        "back": "{a}在最底层",
        "front": "{a}在最上层",
        "over": "{a}压在{b}上面",
        "place": "{a}是从底层数第{nth}个",
    },
}


@dataclass(frozen=True)
class Question:
    """What is asked: of the first of ``shapes``, against the second where one lies over another;
    ``place`` counts from the back, from 0. JSON-able."""

    ask: Ask
    shapes: tuple[str, str]
    place: int
    layers: int

    def words(self, lang: str) -> str:
        """Which tiles are meant: ``where the star lies over the heart``."""
        a, b = (NAMES[lang][shape] for shape in self.shapes)
        return WHERE[lang][self.ask].format(a=a, b=b, nth=ORDINALS[lang][self.place])

    def met(self, order: Sequence[str]) -> bool:
        """Whether shapes, lowest first, are as asked."""
        at = order.index(self.shapes[0])
        if self.ask == "over":
            return at > order.index(self.shapes[1])
        return at == {"back": 0, "front": len(order) - 1}.get(self.ask, self.place)


def choose_question(stream: Stream, ask: Ask, layers: int) -> Question:
    """Two shapes and a place that is neither the lowest nor the highest."""
    a, b = stream.sample(piles.SHAPES, 2)
    return Question(ask, (a, b), stream.integer(1, layers - 1), layers)


def build_pile(
    stream: Stream, question: Question, palette: Sequence[str], *, right: bool, mixed: bool
) -> tuple[Layer, ...]:
    """A pile that is as asked, or is not; ``mixed``: colours dealt anew."""
    needed = question.shapes if question.ask == "over" else question.shapes[:1]
    rest = [shape for shape in piles.SHAPES if shape not in needed]
    shapes = [*needed, *stream.sample(rest, question.layers - len(needed))]
    orders = [stream.shuffled(shapes)]
    while question.met(orders[-1]) != right:
        orders.append(stream.shuffled(shapes))
    colours = stream.shuffled(palette) if mixed else palette
    dealt = dict(zip(piles.SHAPES, colours, strict=True))
    pair = question.shapes if question.ask == "over" else None
    return piles.build(stream, orders[-1], dealt, pair)


@lru_cache(maxsize=1024)
def _apart(a: str, b: str) -> float:
    return distance(a, b)


def check_pile(question: Question, pile: Sequence[Layer]) -> None:
    """``Rejected`` unless the pile's order and shapes can be seen."""
    names = [layer.shape for layer in pile]
    if len(set(names)) < len(names) or question.shapes[0] not in names:
        raise Rejected("not the shapes that are asked for", value=len(set(names)), limit=len(names))
    for layer in pile:
        if max(abs(layer.x), abs(layer.y)) + 0.56 * layer.size > piles.UNITS / 2:
            raise Rejected("a shape leaves its tile", value=layer.x, limit=piles.UNITS / 2)
    far = min(_apart(one.colour, other.colour) for one, other in combinations(pile, 2))
    if far < TELL_APART:
        raise Rejected("two colours alike", value=far, limit=TELL_APART)
    masks = [piles.mask_of(layer) for layer in pile]
    sight = piles.sight(masks)
    if min(sight.seen) < piles.LEAST_SEEN or min(sight.rims) < piles.LEAST_RIM:
        raise Rejected("a shape too hidden", value=min(sight.seen), limit=piles.LEAST_SEEN)
    if min(sight.evidence) < piles.LEAST_EVIDENCE:
        raise Rejected("order does not show", value=min(sight.evidence),
                       limit=piles.LEAST_EVIDENCE)  # fmt: skip
    if question.ask == "over":
        low, high = sorted(names.index(shape) for shape in question.shapes)
        meet = piles.over(masks, high, low)
        if meet < piles.LEAST_EVIDENCE:
            raise Rejected("the two do not meet", value=meet, limit=piles.LEAST_EVIDENCE)


def order_seen(pile: Sequence[Layer]) -> list[str]:
    """The shapes, lowest first, by who is seen to cover whom.

    Each place of the picture shows its uppermost shape; where that covers another one in
    enough places it lies higher. Shapes are ranked by how many lie below them so.
    """
    masks = {layer.shape: piles.mask_of(layer) for layer in pile}
    shown, painted = dict.fromkeys(masks, 0), 0
    for layer in reversed(pile):
        shown[layer.shape] = masks[layer.shape] & ~painted
        painted |= masks[layer.shape]
    least = piles.LEAST_EVIDENCE
    below = {
        a: {b for b in masks if a != b and (shown[a] & masks[b]).bit_count() >= least}
        for a in masks
    }
    for middle in masks:  # what lies below what lies below lies below
        for a in masks:
            if middle in below[a]:
                below[a] |= below[middle]
    return sorted(masks, key=lambda shape: (len(below[shape]), shape))
