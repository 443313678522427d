"""One picture and two to four labelled fields, each with a question of its own.

Rule
    Answer every field: how many figures of a shape there are, how many of a colour, or the
    number on the paper tag. What a field asks stands above it.
Answer
    For each field, in any order, a click on it and its number; where the panel has a button,
    a click on it at the end.
Validity
    No two fields ask the same. Each count is between one and five and is taken off the
    figures that are drawn; colours have names that nobody disputes, shapes none that is
    another one turned. Figures stand apart from each other and from the tag, all have a rim
    that stands out from the ground, which is measured on the decoded picture.
Source
    Ours: the form of several answers that a panel may ask for. Whole numbers are compared by
    value, the tag's number as text. Drop-down lists of the design are left out: no browser
    draws them inside its page, so a picture could not show them open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field as Knob

from captcha_types.composite import _counted as kit
from captcha_types.composite import _form as forms
from captcha_types.composite._counted import Ask, Tag
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.puzzle import (
    Artwork,
    Choice,
    Content,
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
from factory.core.record import Json, ReasonStep, Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.draw import figures, glyphs, grounds
from factory.draw.colour_names import colour_name
from factory.draw.figures import Figure
from factory.draw.measure import grey_step, pixel_fidelity

FIELDS = (2, 4)
LABEL_GAP_CSS = (1.0, 6.0)
DIGITS = (3, 4)
LEAST_STEP = 40.0
"""Levels of grey between the tag's paper and its print, after decoding."""

LEAST_INK = 12.0
"""Levels of the best channel between a figure and its rim, after decoding."""

FIDELITY_DB = 18.0
"""Encoding may not blur figures beyond this."""


class FormState(State):
    """Things in CSS px from the picture's corner, which is the slot's; ``answers`` by field."""

    asks: tuple[Ask, ...]
    answers: tuple[str, ...]
    things: tuple[Figure, ...]
    tag: Tag
    label_gap: float
    rim: str
    ground: grounds.Ground
    size: tuple[float, float]
    lang: str

    @property
    def form(self) -> forms.Form:
        """Picture, labels and fields."""
        return forms.lay_out(self.size, len(self.asks), self.label_gap)

    @property
    def labels(self) -> list[str]:
        """What stands above the fields."""
        return [ask.label(self.lang) for ask in self.asks]


class FormOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    fields: int | None = Knob(default=None, ge=FIELDS[0], le=FIELDS[1])
    label_gap: float | None = Knob(default=None, ge=LABEL_GAP_CSS[0], le=LABEL_GAP_CSS[1])
    digits: int | None = Knob(default=None, ge=DIGITS[0], le=DIGITS[1])


@register("composite_multi_field", version=1, family="composite")
class CompositeMultiField(PuzzleType[FormState, FormOptions]):
    """See the module."""

    State: ClassVar[type[State]] = FormState
    Options: ClassVar[type[Options]] = FormOptions
    mechanics = ("text_entry",)
    answer_kind = "click_multi_type"
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="none", ratio=(0.94, 1.02), width=(256, 300), submit="either")

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def sample(self, scene: Scene) -> FormState:
        rng, slot, knob, hard = (
            scene.rng, scene.placement.boxes["slot"], self.options, scene.difficulty,
        )  # fmt: skip
        kinds = kit.choose_asks(rng.fixed("asks"), knob.fields or FIELDS[0] + min(2, int(3 * hard)))
        stream, spread = rng.fresh("figures"), LABEL_GAP_CSS[1] - LABEL_GAP_CSS[0]
        chosen: list[str] = stream.sample(list(kit.KINDS), kinds.count("shape"))
        shapes = dict.fromkeys(chosen, 0)
        for k, name in enumerate(shapes):
            shapes[name] = 1 + rng.fixed(f"shape {k}").integer(0, kit.MOST)
        coloured = 1 + rng.fixed("coloured").integer(0, kit.MOST)
        names, colours, colour = kit.choose_figures(stream, shapes, coloured)
        size, gap = (slot.width, slot.height), round(LABEL_GAP_CSS[0] + spread * hard, 3)
        form = forms.lay_out(size, len(kinds), knob.label_gap or gap)
        things, at = kit.place(rng.fresh("places"), form.picture, names, colours)
        digits = rng.fixed("tag")
        many = knob.digits or DIGITS[0] + (hard >= 0.5)
        number = "".join(digits.choice(kit.DIGITS) for _ in range(many))
        face = stream.choice(glyphs.faces(scene.split, plain=True)).name
        asked = iter(shapes)
        named = {"colour": lambda: colour, "shape": lambda: next(asked), "tag": str}
        asks = tuple(Ask(kind, named[kind]()) for kind in kinds)
        tag = Tag(number, face, at.x, at.y)
        texts = [ask.label(scene.placement.lang) for ask in asks]
        forms.refuse_long(texts, form.labels, scene.placement)
        ground = grounds.compose(
            scene.content_kind, scene.content_number, rng.fresh("ground"), scene.split,
            moods=("light", "dark"),
        )  # fmt: skip
        return FormState(
            asks=asks,
            answers=tuple(kit.answer(ask, things, tag) for ask in asks),
            things=things,
            tag=tag,
            label_gap=knob.label_gap or gap,
            rim=kit.RIMS[ground.mood],
            ground=ground,
            size=size,
            lang=scene.placement.lang,
        )

    def check(self, state: FormState) -> None:
        if len({*state.labels}) < len(state.asks):
            raise Rejected("two fields ask the same")
        answers = tuple(kit.answer(ask, state.things, state.tag) for ask in state.asks)
        if answers != state.answers:
            raise Rejected("answers and picture disagree")
        counts = [int(a) for ask, a in zip(state.asks, answers, strict=True) if ask.kind != "tag"]
        if not all(1 <= count <= kit.MOST for count in counts):
            raise Rejected("nothing or too many to count")
        kit.refuse_picture(state.things, state.tag, state.form.picture)
        if not state.ground.tone.reads(state.rim):
            raise Rejected("figures do not stand out")

    def draw(self, state: FormState, placement: Placement) -> Artwork:
        slot, form = placement.boxes["slot"], state.form

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            forms.paint_form(canvas, form, state.labels, placement)
            forms.clip_picture(canvas, form, placement)
            grounds.draw_ground(canvas, state.ground, form.picture)
            figures.paint_rimmed(canvas, state.things, state.rim, kit.RIM_CSS)
            kit.paint_tag(canvas, state.tag)

        regions: dict[str, Box] = {"picture": form.picture, "tag": state.tag.box}
        regions |= {f"field.{k}": box for k, box in enumerate(form.fields)}
        regions |= {f"label.{k}": box for k, box in enumerate(form.labels)}
        for k, thing in enumerate(state.things):
            reach = Box(thing.x, thing.y, thing.x, thing.y).grown(thing.reach)
            regions[f"thing.{k}"] = reach
        moved = {name: box.moved(slot.x0, slot.y0) for name, box in regions.items()}
        return Artwork(parts=(Part("form", slot, paint),), regions=moved)

    def mechanic(self, state: FormState, placement: Placement) -> AnyMechanic:
        slot = placement.boxes["slot"]
        fields = tuple(
            Field(
                box.moved(slot.x0, slot.y0), (answer,),
                kind="text" if ask.kind == "tag" else "number", name=f"field.{k}",
            )
            for k, (box, ask, answer) in enumerate(
                zip(state.form.fields, state.asks, state.answers, strict=True)
            )
        )  # fmt: skip
        return TextEntry(fields=fields, submit=placement.submit)

    def reason_slots(
        self, state: FormState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {"fields": Slot("count", len(state.asks))}

    def explain(
        self, state: FormState, mechanic: AnyMechanic, gold: Sequence[ActionBase], rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:  # fmt: skip
        """How many fields there are, then for each what is seen and where it is typed."""
        blocks, stream = self.wording.reasoning[lang], rng.fresh("reasoning")
        steps = [
            ReasonStep(stream.choice(blocks["seen"]), {"fields": Slot("count", len(state.asks))})
        ]
        clicks = [action for action in gold if isinstance(action, Click)]
        for ask, answer, label, click in zip(
            state.asks, state.answers, state.labels, clicks, strict=False
        ):
            block = "read" if ask.kind == "tag" else "counted"
            slots = {
                "label": Slot("name", label),
                "value": Slot("name", answer),
                "field": Slot("point", list(click.point)),
            }
            steps.append(ReasonStep(stream.choice(blocks[block]), slots))
        return tuple(steps)

    def margins(self, state: FormState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        least = min(figures.ink_step(seen, thing) for thing in state.things)
        return {
            "step of figure and rim": (least, LEAST_INK),
            "step of paper and print": (
                grey_step(seen.decoded, seen.box(state.tag.box)),
                LEAST_STEP,
            ),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: FormState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "asks": sorted([ask.kind, ask.name] for ask in state.asks),
            "answers": list(state.answers),
            "number": state.tag.number,
        }

    def wrong_responses(
        self, state: FormState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        answers, stream = list(state.answers), rng.fresh("wrong")
        k = stream.integer(0, len(answers))
        off = [*answers[:k], str(int(answers[k]) + 1), *answers[k + 1 :]]
        texts = {"one field off by one": off, "a field left empty": answers[:-1]}
        if answers[0] != answers[1]:
            texts["two fields exchanged"] = [answers[1], answers[0], *answers[2:]]
        texts["everything counted"] = [str(len(state.things))] * len(answers)
        confirm = [] if mechanic.submit is None else [Click(mechanic.submit.center)]
        return [
            WrongResponse(name, (*_typed(mechanic, typed), *confirm))
            for name, typed in texts.items()
        ]

    def bad_states(self, state: FormState) -> Iterator[tuple[str, FormState]]:
        def changed(**more: Any) -> FormState:
            return state.model_copy(update=more)

        first, second, *rest = state.things
        yield "two fields ask the same", changed(asks=(state.asks[0],) * len(state.asks))
        wrong = (str(int(state.answers[0]) + 1), *state.answers[1:])
        yield "answers and picture disagree", changed(answers=wrong)
        near = replace(second, x=first.x + 1, y=first.y)
        yield "figures too close", changed(things=(first, near, *rest))
        under = replace(state.tag, x=first.x, y=first.y)
        yield "the tag covers a figure", changed(tag=under)
        yield "the tag leaves the picture", changed(tag=replace(state.tag, x=-90.0))
        odd = next(rim for rim in kit.RIMS.values() if rim != state.rim)
        yield "figures do not stand out", changed(rim=odd)
        yield "no room for the picture", changed(size=(state.size[0], 150.0))

    def solutions(self, state: FormState, mechanic: AnyMechanic) -> list[tuple[str, ...]]:
        """Tallies of all shapes and of all colours by name, looked up."""
        tally: dict[str, int] = {}
        for thing in state.things:
            for name in (thing.kind, colour_name(thing.colour) or ""):
                tally[name] = tally.get(name, 0) + 1
        return [
            tuple(
                state.tag.number if ask.kind == "tag" else str(tally.get(ask.name, 0))
                for ask in state.asks
            )
        ]

    def labels(self, state: FormState, scene: Scene) -> Mapping[str, Label]:
        found: dict[str, Label] = {}
        for ask, answer in zip(state.asks, state.answers, strict=True):
            if ask.kind == "tag":
                for k, digit in enumerate(answer):
                    found[f"digit {k}"] = Choice(kit.DIGITS.index(digit), len(kit.DIGITS))
            else:
                name = f"{ask.kind} {sum(key.startswith(ask.kind) for key in found)}"
                found[name] = Choice(int(answer) - 1, kit.MOST)
        return found


def _typed(mechanic: TextEntry, texts: Sequence[str]) -> list[ActionBase]:
    """A click and a text for each field, as far as there are texts."""
    actions: list[ActionBase] = []
    for field, text in zip(mechanic.fields, texts, strict=False):
        actions += [Click(field.box.center), Type(text)]
    return actions
