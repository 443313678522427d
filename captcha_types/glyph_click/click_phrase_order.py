"""Characters scattered over a picture, to be tapped in the order that makes them a phrase.

Rule
    Tap the characters so that they form a word, an idiom, a line of verse or a saying; the
    panel says which and of how many characters, but not the order. Characters that are left
    over are not tapped.
Answer
    One tap on each character of the phrase, in its order; where the panel has a button, a
    click on it.
Validity
    The phrase is in the list of the family, holds no character twice and none that may be
    read as another; of the characters shown no other phrase of that length can be made, and
    no other order of them is in common use. Ink is half a character apart or more, inside the
    picture, and keeps a contrast of 3 to the ground or to its own rim.
Source
    Ours. A tap counts in the hull of a character's ink, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.glyph_click import _kit as kit
from captcha_types.glyph_click import _phrases as lexicon
from captcha_types.glyph_click._scenes import GlyphPuzzle, GlyphState
from factory.core import tapping
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.ordered_points import OrderedPoints
from factory.core.puzzle import Choice, Label, Options, Placement, Scene, State, WrongResponse
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng

LENGTHS: Mapping[kit.Script, Sequence[tuple[int, float]]] = {
    "latin": ((4, 0.25), (5, 0.50), (6, 0.75), (7, 1.01)),
    "han": ((3, 0.15), (4, 0.70), (5, 0.90), (6, 1.01)),
}
"""Lengths, each with the difficulty at which the next one begins."""

RARE_FROM = 0.5
"""Difficulty from which the phrases are those met less often."""

LEFT_OVER: Mapping[kit.Script, tuple[int, int]] = {"latin": (0, 1), "han": (0, 2)}
"""Characters left over, at the easy and at the hard end; none beside a word of three."""

SIZES: Mapping[kit.Script, tuple[float, float]] = {"latin": (46.0, 38.0), "han": (42.0, 34.0)}
"""Size of the characters in CSS px, at the easy and at the hard end; less where room is short."""

TURNS_DEG: Mapping[kit.Script, tuple[float, float]] = {
    "latin": (10.0, kit.ITSELF_DEG), "han": (12.0, 55.0),
}  # fmt: skip
GAPS = (0.8, kit.LEAST_GAP)

KINDS: Mapping[kit.Script, Mapping[str, tuple[str, str]]] = {
    "latin": {"word": ("{}-letter word", "{}个字母的单词")},
    "han": {
        "word": ("{}-character word", "{}字词语"),
        "idiom": ("{}-character idiom", "{}字成语"),
        "line": ("line of verse of {} characters", "{}言诗句"),
        "saying": ("saying of {} characters", "{}字俗语"),
    },
}
COUNTS: Mapping[int, tuple[str, str]] = {
    3: ("three", "三"), 4: ("four", "四"), 5: ("five", "五"), 6: ("six", "六"), 7: ("seven", "七"),
}  # fmt: skip
REST: Sequence[tuple[str, str]] = (
    ("every letter is needed", "每个字都要用到"),
    ("one letter is left over", "有一个字用不到"),
    ("two letters are left over", "有两个字用不到"),
)


class PhraseState(GlyphState):
    """``targets`` in the order of ``phrase``."""

    phrase: str


class PhraseOptions(Options):
    """Each knob follows ``difficulty`` when it is not set; ``gap`` by the characters' height.

    ``length`` counts characters of the phrase, words of letters having 4 to 7 and Chinese
    phrases 3 to 6; ``left_over`` how many stand beside it, beside words at most one.
    """

    length: int | None = Knob(default=None, ge=4, le=6)
    left_over: int | None = Knob(default=None, ge=0, le=2)
    tier: lexicon.Tier | None = None
    turn_deg: float | None = Knob(default=None, ge=0.0, le=kit.ITSELF_DEG)
    gap: float | None = Knob(default=None, ge=kit.LEAST_GAP, le=1.0)
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_phrase_order", version=1, family="glyph_click")
class ClickPhraseOrder(GlyphPuzzle[PhraseState, PhraseOptions]):
    """See the module."""

    State: ClassVar[type[State]] = PhraseState
    Options: ClassVar[type[Options]] = PhraseOptions
    mechanics = ("ordered_points",)
    answer_kind = "click_order"
    small_model_reach = False  # it would have to know the phrases

    def alike(self, a: str, b: str) -> bool:
        return lexicon.alike(a, b)

    def _pool(self, scene: Scene) -> tuple[lexicon.Phrase, ...]:
        """The phrases of a key's language, length and tier."""
        script: kit.Script = "han" if scene.placement.lang == "zh" else "latin"
        hard, knob = scene.difficulty, self.options
        length = knob.length or next(n for n, end in LENGTHS[script] if hard < end)
        tier = knob.tier or ("rare" if hard >= RARE_FROM else "common")
        return lexicon.phrases(scene.split, script, length, tier)

    def _left_over(self, scene: Scene, phrase: lexicon.Phrase) -> list[str]:
        """Characters beside the phrase, fixed for a key."""
        low, high = LEFT_OVER[phrase.script]
        count = kit.stepped((low, high), scene.difficulty)
        if self.options.left_over is not None:
            count = min(self.options.left_over, high)
        count = count if len(phrase.text) > 3 else 0
        return lexicon.left_over(scene.rng.fixed("left over"), phrase, scene.split, count)

    def sample(self, scene: Scene) -> PhraseState:
        rng, slot, knob = scene.rng, scene.placement.boxes["slot"], self.options
        hard = scene.difficulty
        phrase = rng.fixed("phrase").choice(self._pool(scene))
        script, length = phrase.script, len(phrase.text)
        chars = [*phrase.text, *self._left_over(scene, phrase)]
        ground = self.ground(scene)
        turn = kit.between(TURNS_DEG[script], hard) if knob.turn_deg is None else knob.turn_deg
        found = kit.scatter_glyphs(
            rng.fresh("glyphs"),
            chars,
            rng.fixed("order").shuffled(range(len(chars))),
            kit.whole(slot),
            script=script,
            split=scene.split,
            tone=ground.tone,
            size=kit.between(SIZES[script], hard),
            gap=kit.between(GAPS, hard) if knob.gap is None else knob.gap,
            turn_deg=turn,
        )
        return PhraseState(
            phrase=phrase.text,
            script=script,
            ground=ground,
            targets=tuple(found[:length]),
            others=tuple(found[length:]),
            clutter=self.clutter(scene, ground, knob.clutter),
            size=(slot.width, slot.height),
        )

    def check(self, state: PhraseState) -> None:
        phrase, shown = lexicon.named(state.phrase), [spec.char for spec in state.scene]
        if phrase is None or not lexicon.distinct(state.phrase):
            raise Rejected("no phrase of the list")
        if "".join(shown[: len(state.targets)]) != state.phrase:
            raise Rejected("phrase and characters disagree")
        if phrase.barred.intersection(shown[len(state.targets) :]):
            raise Rejected("another phrase can be made")
        found = lexicon.ways(shown, len(state.phrase))
        if len(found) != 1:
            raise Rejected("another phrase can be made", value=len(found), limit=1)
        self.check_scene(state)

    def mechanic(self, state: PhraseState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        return OrderedPoints(
            targets=self.zones(state.targets, slot),
            others=self.zones(state.others, slot),
            area=slot,
            submit=placement.submit,
        )

    def goal_slots(self, state: PhraseState, lang: str) -> dict[str, str]:
        return {"phrase": _asked(state, lang), "rest": REST[len(state.others)][lang == "zh"]}

    def reason_slots(
        self, state: PhraseState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "shown": self.shown_slot(state, lang),
            "kind": Slot("name", _asked(state, lang)),
            "phrase": Slot("name", state.phrase),
        }

    def reason_names(self, state: PhraseState, lang: str) -> Sequence[str]:
        return state.phrase

    def identity(self, state: PhraseState) -> Json:
        return self.arranged(state)

    def wrong_responses(
        self, state: PhraseState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, OrderedPoints)
        return tapping.wrong_orders(mechanic, rng.fresh("wrong"))

    def bad_states(self, state: PhraseState) -> Iterator[tuple[str, PhraseState]]:
        def changed(**more: Any) -> PhraseState:
            return state.model_copy(update=more)

        first, second, *rest = state.targets
        yield "no phrase of the list", changed(phrase=state.phrase[::-1])
        yield "phrase and characters disagree", changed(targets=(second, first, *rest))
        yield "another phrase can be made", changed(others=(first,))
        yield from self.bad_scenes(state)

    def solutions(self, state: PhraseState, mechanic: AnyMechanic) -> list[tuple[int, ...]]:
        """All phrases of the list that the characters of the picture can make."""
        return lexicon.ways([spec.char for spec in state.scene], len(state.phrase))

    def labels(self, state: PhraseState, scene: Scene) -> Mapping[str, Label]:
        own, pool = lexicon.named(state.phrase), [p.text for p in self._pool(scene)]
        assert own is not None
        sort, count = f"{own.tier} phrase of {len(own.text)} {own.script}", len(state.scene)
        left = sorted((spec.x, spec.y) for spec in state.scene)
        ends = {"first": state.targets[0], "last": state.targets[-1]}
        return {
            sort: Choice(pool.index(state.phrase), len(pool)),
            **{
                f"place of the {name} of {count}": Choice(left.index((spec.x, spec.y)), count)
                for name, spec in ends.items()
            },
        }


def _asked(state: PhraseState, lang: str) -> str:
    """What is asked for in words, without an article: ``five-letter word``."""
    phrase = lexicon.named(state.phrase)
    assert phrase is not None
    count = COUNTS[len(state.phrase)][lang == "zh"]
    return KINDS[phrase.script][phrase.kind][lang == "zh"].format(count)
