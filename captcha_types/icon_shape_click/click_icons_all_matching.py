"""Icons scattered over a ground, of which all are tapped that are of a kind, one thing or a colour.

Rule
    Tap every icon that is what the panel says: something of a kind (an animal), the same
    thing however it is dressed (a cat), or anything of a colour.
Answer
    One tap on each such icon, in any order; where the panel has a button, a click on it.
Validity
    Every icon is one thing of one kind, by the table of icons. Beside a kind stands none that
    is near to it, and nothing of which people disagree what it is; beside a thing, nothing
    that looks alike, turned or not, or shares a word of its name; colours have undisputed
    names and are told apart at a glance. Icons keep apart and lie inside the picture; lines
    keep a contrast of 3 to their ground, rim or tile.
Source
    Icon selection as in VenusBench-CAPTCHA, ReCAP and Halligan. A tap counts in the hull of
    an icon, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.icon_shape_click import _kit as kit
from captcha_types.icon_shape_click import _lots as lots
from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click._lots import MODES, Mode
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw import grounds, icons
from factory.draw.clutter import Clutter, choose_clutter, draw_clutter
from factory.draw.colour_names import TELL_APART, called, colour_name, distance
from factory.draw.icons import IconSpec, kinds

SHOWN = (6, 12)
"""How many icons stand in a picture, at the easy and at the hard end."""

MOST = 4
"""Of icons to be tapped; two at least, for one alone is another puzzle."""

SIZES = (48.0, 38.0)
TURNS_DEG = (5.0, 15.0)
"""How far icons are turned at most; further, a table looks like none."""

GAPS = (0.4, kit.LEAST_GAP)
CLUTTER, CLUTTER_CSS = (0.0, 0.4), 1.0
LEAST_STEP = 40.0
"""Levels of the best channel between the light and the dark px of an icon with its ground."""

ANYTHING = ("anything {}", "{}的图标")


class MatchState(scenes.TapState):
    """``query`` is a kind, an asset or the name of a colour, by the mode."""

    mode: Mode
    query: str
    targets: tuple[IconSpec, ...]
    others: tuple[IconSpec, ...]
    clutter: Clutter

    @property
    def wanted(self) -> Sequence[IconSpec]:
        return self.targets

    @property
    def rest(self) -> Sequence[IconSpec]:
        return self.others


class MatchOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    icons: int | None = Knob(default=None, ge=4, le=14)
    turn_deg: float | None = Knob(default=None, ge=0.0, le=TURNS_DEG[1])
    clutter: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_icons_all_matching", version=1, family="icon_shape_click")
class ClickIconsAllMatching(scenes.TapPuzzle[MatchState, MatchOptions]):
    """See the module."""

    State: ClassVar[type[State]] = MatchState
    Options: ClassVar[type[Options]] = MatchOptions
    hull = staticmethod(kit.hull)
    seen_side = 70

    def sample(self, scene: Scene) -> MatchState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        slot = scene.placement.boxes["slot"]
        mode = rng.fixed("mode").weighted(tuple(MODES), tuple(MODES.values()))
        shown = knob.icons or kit.stepped(SHOWN, hard)
        count = rng.fixed("count").integer(2, _most(shown) + 1)
        order = rng.fixed("order").shuffled(range(shown))
        moods = scenes.FLAT_MOODS if mode == "colour" else tuple(grounds.MOODS)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split, moods=moods
        )
        stream = rng.fresh("icons")
        query, chosen = lots.choose(scene, stream, mode, shown, count)
        found = kit.scatter_icons(
            stream,
            chosen,
            order,
            Box(0, 0, slot.width, slot.height),
            tone=ground.tone,
            size=kit.between(SIZES, hard),
            gap=kit.between(GAPS, hard),
            turn_deg=kit.between(TURNS_DEG, hard) if knob.turn_deg is None else knob.turn_deg,
        )
        if mode == "colour":
            query, found = lots.coloured(stream, found, count, ground)
        amount = kit.between(CLUTTER, hard) if knob.clutter is None else knob.clutter
        return MatchState(
            ground=ground,
            size=(slot.width, slot.height),
            mode=mode,
            query=query,
            targets=tuple(found[:count]),
            others=tuple(found[count:]),
            clutter=choose_clutter(rng.fresh("clutter"), ground.tone, amount, width=CLUTTER_CSS),
        )

    def is_right(self, state: MatchState, thing: IconSpec) -> bool:
        return (
            state.query
            == {
                "kind": icons.icon_info(thing.asset).category,
                "thing": thing.asset,
                "colour": colour_name(thing.style.ink) if state.mode == "colour" else "",
            }[state.mode]
        )

    def check(self, state: MatchState) -> None:
        self.check_lot(state, _most(len(state.things)))
        for spec in state.others:
            if state.mode == "thing" and lots.mistaken(state.query, spec.asset):
                raise Rejected("one icon is taken for another")
            kind = icons.icon_info(spec.asset).category
            if state.mode == "kind" and kind in kinds.QUERIES[state.query].near:
                raise Rejected("a kind too near to the one asked for")
        if state.mode == "colour":
            first = state.targets[0].style.ink
            far = min(distance(first, spec.style.ink) for spec in state.others)
            if far < TELL_APART:
                raise Rejected("colours too near", value=far, limit=TELL_APART)
        elif any(icons.icon_info(spec.asset).en in kinds.BORDERLINE for spec in state.things):
            raise Rejected("a thing of no clear kind")
        kit.refuse_crowd(state.things, state.area, state.ground.tone)

    def paint(self, canvas: Any, state: MatchState) -> None:
        draw_clutter(canvas, state.clutter, state.area)
        icons.draw_icons(canvas, state.things)

    def names(self, state: MatchState, things: Sequence[Any], lang: str) -> Sequence[str]:
        return [icons.icon_info(spec.asset).called(lang) for spec in things]

    def goal_slots(self, state: MatchState, lang: str) -> dict[str, str]:
        return {"what": _what(state, lang)}

    def reason_slots(
        self, state: MatchState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", _what(state, lang)),
            "count": Slot("count", len(state.targets)),
            "rest": Slot("count", len(state.others)),
        }

    def margins(self, state: MatchState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        steps = [kit.colour_step(seen, icons.icon_ink(spec).painted) for spec in state.things]
        return {"step of icon and ground": (min(steps), LEAST_STEP)}

    def identity(self, state: MatchState) -> Json:
        return {
            **scenes.lot_of(state),
            "query": [state.mode, state.query],
            "all": sorted(spec.asset for spec in state.things),
        }

    def bad_states(self, state: MatchState) -> Iterator[tuple[str, MatchState]]:
        first, *rest = state.targets
        other, *more = state.others

        def changed(spec: IconSpec, **also: Any) -> MatchState:
            return state.model_copy(update={"targets": (spec, *rest), **also})

        yield "targets and rule disagree", changed(first, targets=(*state.targets, other))
        for reason, spec in kit.bad_icons(first, other):
            if reason != "an icon does not stand out" or state.mode != "colour":
                yield reason, changed(spec)
        if state.mode == "kind":
            near = kinds.pool("train", "", kinds.QUERIES[state.query].near[0])[0].asset
            odd = replace(other, asset=near)
            yield "a kind too near to the one asked for", changed(first, others=(odd, *more))

    def labels(self, state: MatchState, scene: Scene) -> Mapping[str, Label]:
        shown = len(state.things)
        queries = kinds.queries(scene.split)
        found = self.lot_labels(state, 1)
        found[f"count of {shown}"] = Choice(len(state.targets) - 2, _most(shown) - 1)
        found["mode"] = Choice([*MODES].index(state.mode), len(MODES), tuple(MODES.values()))
        if state.mode == "kind":
            found["query"] = Choice(queries.index(state.query), len(queries))
        return found


def _most(shown: int) -> int:
    """How many of so many icons may be asked for."""
    return min(MOST, shown // 2)


def _what(state: MatchState, lang: str) -> str:
    """What is asked for, in words."""
    zh = lang == "zh"
    if state.mode == "kind":
        return kinds.QUERIES[state.query].zh if zh else kinds.QUERIES[state.query].en
    if state.mode == "thing":
        return icons.icon_info(state.query).called(lang)
    return ANYTHING[zh].format(called(state.query, lang))
