"""A map of stops and coloured lines, on which routes are counted.

Rule
    Count the ways from A to B that keep the rule about colours and pass no stop twice, and
    type their number.
Answer
    A click on the field and the number; where the panel has a button, a click on it. The
    number is drawn first and the map is made to have it.
Validity
    Routes are counted by exhaustive search, and again set by set. Lines join neighbouring
    stops, cross nowhere, fork at 20 degrees or more and pass other stops at 14 CSS px or
    more. Two colours are told apart at a glance and read on the ground. Without the rule
    there are more routes.
Source
    Routes to be counted on small networks as Subway_Paths of NextGen-CAPTCHAs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.path_trace import _kit as kit
from captcha_types.path_trace import _map as maps
from captcha_types.path_trace import _map_art as art
from captcha_types.path_trace._map import Net
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
    Control,
    Label,
    Options,
    PanelRequest,
    Part,
    Placement,
    PuzzleType,
    Scene,
    Seen,
    State,
    WrongResponse,
)
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.wording import class_words
from factory.draw import grounds
from factory.draw.colour_names import TELL_APART, called, distance, named_palette
from factory.draw.tones import LARGE_GLYPHS

Rule = Literal["avoid", "only"]
RULES: tuple[Rule, ...] = ("avoid", "only")

SHAPES = ((2, 3), (2, 4), (3, 3), (3, 4))
MOST = (3, 4, 6, 8)
"""Rows and columns of stops from easy to hard, and the most routes."""

COLOURS = (3, 4)
"""Three where nothing else is set: of more not all read on every ground."""

INKS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white")
LEAST_STEP = 34.0
"""Levels between a line and what is beside it, after decoding."""


class RouteState(State):
    """``start`` and ``end`` are stops; ``names`` the colours that the net's indices mean, of
    which the first is the one that the rule names. ``usable``: which links the rule allows."""

    net: Net
    start: int
    end: int
    rule: Rule
    names: tuple[str, ...]
    inks: tuple[str, ...]
    usable: tuple[int, ...]
    routes: int
    most: int
    letter_face: str
    ground: grounds.Ground
    size: tuple[float, float]

    @property
    def ends(self) -> tuple[int, int]:
        """A and B."""
        return self.start, self.end

    @property
    def allowed(self) -> set[int]:
        """Indices of the colours that may be used."""
        return {0} if self.rule == "only" else set(range(1, len(self.names)))


class RouteOptions(Options):
    """Each knob follows ``difficulty`` when it is not set. ``stops``: a place in the shapes."""

    stops: int | None = Knob(default=None, ge=0, le=len(SHAPES) - 1)
    colours: int | None = Knob(default=None, ge=COLOURS[0], le=COLOURS[1])


@register("route_rule_count", version=1, family="path_trace")
class RouteRuleCount(PuzzleType[RouteState, RouteOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RouteState
    Options: ClassVar[type[Options]] = RouteOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_side = 130

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.64, 0.74),
            width=(252, 300),
            controls=(Control("field"),),
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return kit.contents()

    def sample(self, scene: Scene) -> RouteState:
        rng, slot, hard = scene.rng, scene.placement.boxes["slot"], scene.difficulty
        at = self.options.stops
        at = kit.stepped((0, len(SHAPES) - 1), hard) if at is None else at
        wanted = rng.fixed("routes").integer(1, MOST[at] + 1)
        area, stream = Box(0, 0, slot.width, slot.height).grown(-maps.EDGE_CSS), rng.fresh("map")
        ground = kit.flat_ground(scene, rng.fresh("ground"))
        count = self.options.colours or COLOURS[0]
        palette = named_palette(rng.fresh("inks"), count, ground.tone, names=INKS)
        stops = maps.lattice(stream, area, *SHAPES[at])
        start, end = maps.far_ends(stream, stops, slot.width)
        links = maps.neighbours(stream, *SHAPES[at])
        free = maps.opened(stream, links, start, end, wanted)
        rule = rng.fresh("rule").choice(RULES)
        colours = tuple(
            0 if (rule == "only") == on else stream.integer(1, count) for on in free
        )  # fmt: skip
        return RouteState(
            net=Net(stops, tuple(links), colours),
            start=start,
            end=end,
            rule=rule,
            names=tuple(palette),
            inks=tuple(palette.values()),
            usable=tuple(k for k, on in enumerate(free) if on),
            routes=wanted,
            most=MOST[at],
            letter_face=rng.fresh("letters").choice(art.letter_faces(scene.split)),
            ground=ground,
            size=(slot.width, slot.height),
        )

    def check(self, state: RouteState) -> None:
        net = state.net
        usable = net.usable(state.allowed)
        if [net.links[k] for k in state.usable] != usable:
            raise Rejected("rule and lines disagree", value=len(usable), limit=len(state.usable))
        found = maps.routes(usable, state.start, state.end)
        if found != state.routes or not 1 <= found <= state.most:
            raise Rejected("map and number disagree", value=found, limit=state.routes)
        if maps.routes(net.links, state.start, state.end) == found:
            raise Rejected("the rule changes nothing", value=found, limit=found)
        maps.refuse_net(net, state.size)
        for k, ink in enumerate(state.inks):
            if not state.ground.tone.reads(ink, LARGE_GLYPHS):
                raise Rejected("a colour does not stand out")
            near = min((distance(ink, other) for other in state.inks[:k]), default=100.0)
            if near < TELL_APART:
                raise Rejected("colours too alike", value=near, limit=TELL_APART)

    def draw(self, state: RouteState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
            art.paint_net(
                canvas, state.net, state.inks, state.ground, state.ends, state.letter_face
            )

        regions = {
            f"stop.{k}": Box(x, y, x, y).grown(art.reach(k, state.ends)).moved(slot.x0, slot.y0)
            for k, (x, y) in enumerate(state.net.stops)
        }
        return Artwork(parts=(Part("map", slot, paint),), regions={"picture": slot, **regions})

    def mechanic(self, state: RouteState, placement: Placement) -> AnyMechanic:
        field = Field(placement.boxes["field"], (str(state.routes),), kind="number")
        return TextEntry(fields=(field,), submit=placement.submit)

    def goal_slots(self, state: RouteState, lang: str) -> dict[str, str]:
        return {"rule": self._rule(state, lang)}

    def _rule(self, state: RouteState, lang: str) -> str:
        return class_words(__file__, lang)[state.rule].format(called(state.names[0], lang))

    def reason_slots(
        self, state: RouteState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        return {
            "stops": Slot("count", len(state.net.stops)),
            "lines": Slot("count", len(state.net.links)),
            "usable": Slot("count", len(state.usable)),
            "colour": Slot("colour", called(state.names[0], lang)),
            "count": Slot("count", state.routes),
            "field": Slot("point", list(click.point)),
        }

    def reason_parts(self, state: RouteState) -> Sequence[str]:
        return ("seen", state.rule, "implies", "act")

    def margins(self, state: RouteState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        on, beside = art.beside(state.net)
        return {"step of line and ground": (kit.line_step(seen, on, beside), LEAST_STEP)}

    def identity(self, state: RouteState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "ends": [state.start, state.end],
            "links": [list(link) for link in state.net.links],
            "usable": list(state.usable),
        }

    def wrong_responses(
        self, state: RouteState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        numbers = {
            "one more": state.routes + 1,
            "one less": state.routes - 1,
            "without the rule": maps.routes(state.net.links, state.start, state.end),
            "the lines": len(state.usable),
        }
        field = Click(mechanic.fields[0].box.center)
        confirm = [] if mechanic.submit is None else [Click(mechanic.submit.center)]
        return [
            WrongResponse(name, (field, Type(str(number)), *confirm))
            for name, number in numbers.items()
            if number != state.routes
        ]

    def bad_states(self, state: RouteState) -> Iterator[tuple[str, RouteState]]:
        def changed(**more: Any) -> RouteState:
            return state.model_copy(update=more)

        net = state.net
        yield "rule and lines disagree", changed(usable=state.usable[1:])
        yield "map and number disagree", changed(routes=state.routes + 1)
        plain = 0 if state.rule == "only" else 1
        every = replace(net, colours=tuple(plain for _ in net.links))
        number = maps.routes(net.links, state.start, state.end)
        yield (
            "the rule changes nothing",
            changed(net=every, usable=tuple(range(len(net.links))), routes=number, most=maps.MANY),
        )
        for reason, bad in maps.bad_nets(net, state.size):
            yield reason, changed(net=bad)
        yield "colours too alike", changed(inks=(state.inks[0], *state.inks[:-1]))
        yield (
            "a colour does not stand out",
            changed(inks=(state.ground.colours[0], *state.inks[1:])),
        )

    def solutions(self, state: RouteState, mechanic: AnyMechanic) -> list[str]:
        """The number by another count."""
        usable = state.net.usable(state.allowed)
        return [str(maps.routes_by_sets(usable, state.start, state.end))]

    def labels(self, state: RouteState, scene: Scene) -> Mapping[str, Label]:
        return {f"routes of {state.most}": Choice(state.routes - 1, state.most)}
