"""A window with buttons, or with boxes to tick: the one with a certain label is tapped, no other.

Rule
    Tap the button that bears the label which the panel quotes, or the box beside that label.
    The others are decoys, some of which nearly say the same.
Answer
    One tap on that button or box. The panel has no button of its own: the control is in the
    picture.
Validity
    No label stands twice, none is one of the panel's own, and labels read at a contrast of
    4.5. Which button is coloured says nothing. Controls keep 5 CSS px or more apart and lie
    inside the window.
Source
    One-click sign-in of VenusBench-CAPTCHA, Misleading_Click of Open CaptchaWorld. A tap counts
    on the button or the box itself, grown by 2 CSS px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import Field as Knob

from captcha_types.icon_shape_click import _scenes as scenes
from captcha_types.icon_shape_click import _widgets as widgets
from captcha_types.icon_shape_click._widgets import Sort, Widget
from factory.core.actions import ActionBase
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.puzzle import Choice, Label, Options, PanelRequest, Scene, Seen, State
from factory.core.record import Json, Slot
from factory.core.registry import register
from factory.draw.tokens import tokens_named

SORTS: tuple[Sort, ...] = ("button", "box")
NEAR = (0.3, 1.0)
"""How likely each label of the group stands beside the one asked for."""

LEAST_STEP = 40.0
"""Levels of grey between a label and what it stands on: a contrast of 4.5 is 100 and more."""


INK_SHARE = 0.08
"""Share of a label's box that surely is ink."""


class WindowState(scenes.TapState):
    """``controls`` in reading order; the label that is asked for stands at ``answer``."""

    sort: Sort
    group: int
    member: int
    label: str
    controls: tuple[Widget, ...]
    answer: int
    text_px: float
    tokens: str

    @property
    def wanted(self) -> Sequence[Widget]:
        return (self.controls[self.answer],)

    @property
    def rest(self) -> Sequence[Widget]:
        return (*self.controls[: self.answer], *self.controls[self.answer + 1 :])


class WindowOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    controls: int | None = Knob(default=None, ge=3, le=6)
    near: float | None = Knob(default=None, ge=0.0, le=1.0)


@register("click_confirm_safe", version=1, family="icon_shape_click")
class ClickConfirmSafe(scenes.TapPuzzle[WindowState, WindowOptions]):
    """See the module."""

    State: ClassVar[type[State]] = WindowState
    Options: ClassVar[type[Options]] = WindowOptions
    hull = staticmethod(widgets.hull)
    seen_in_grey = True
    seen_side = 170
    pictorial = False

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(frame="rect", ratio=(0.64, 0.78), width=(244, 300), submit="never")

    def sample(self, scene: Scene) -> WindowState:
        rng, knob, hard = scene.rng, self.options, scene.difficulty
        slot, lang = scene.placement.boxes["slot"], scene.placement.lang
        look = tokens_named(scene.placement.tokens)
        sort = rng.fixed("sort").choice(SORTS)
        counts = [*widgets.SHAPES[sort]]
        shown = counts[min(len(counts) - 1, int(hard * len(counts)))]
        if knob.controls:
            shown = min(counts, key=lambda count: abs(count - (knob.controls or count)))
        groups = widgets.labels(sort, lang)
        group = rng.fixed("group").integer(0, len(groups))
        member = rng.fixed("member").integer(0, len(groups[group]))
        near = NEAR[0] + (NEAR[1] - NEAR[0]) * hard if knob.near is None else knob.near
        stream = rng.fresh("controls")
        texts = widgets.choose_labels(stream, sort, lang, group, member, shown, near)
        order = rng.fixed("order").shuffled(range(shown))
        size = (slot.width, slot.height)
        text_px, made = widgets.place(stream, sort, texts, order, size, look)
        return WindowState(
            ground=scenes.flat_ground(scene, rng.fresh("ground")),
            size=size,
            sort=sort,
            group=group,
            member=member,
            label=texts[0],
            controls=tuple(widget for _, widget in sorted(zip(order, made, strict=True))),
            answer=order[0],
            text_px=text_px,
            tokens=look.name,
        )

    def is_right(self, state: WindowState, thing: Widget) -> bool:
        return thing.text == state.label

    def check(self, state: WindowState) -> None:
        widgets.refuse_widgets(state.controls, state.area)
        self.check_lot(state, 1)

    def paint(self, canvas: Any, state: WindowState) -> None:
        look = tokens_named(state.tokens)
        widgets.paint_window(canvas, state.controls, state.size, state.text_px, look)

    def more_regions(self, state: WindowState, slot: Box) -> dict[str, Box]:
        boxes = [widgets.text_box(widget, state.size) for widget in state.controls]
        return {f"label.{k}": box.moved(slot.x0, slot.y0) for k, box in enumerate(boxes)}

    def names(self, state: WindowState, things: Sequence[Any], lang: str) -> Sequence[str]:
        return [widget.text for widget in things]

    def goal_slots(self, state: WindowState, lang: str) -> dict[str, str]:
        return {"what": WORDS[state.sort][lang == "zh"].format(state.label)}

    def reason_slots(
        self, state: WindowState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        return {
            "what": Slot("name", WORDS[state.sort][lang == "zh"].format(state.label)),
            "count": Slot("count", len(state.controls)),
        }

    def margins(self, state: WindowState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        look = tokens_named(state.tokens)
        boxes = [widgets.ink_box(w, state.size, state.text_px, look) for w in state.controls]
        steps = [_ink_step(seen, box) for box in boxes]
        return {"step of label and control": (min(steps), LEAST_STEP)}

    def identity(self, state: WindowState) -> Json:
        return {
            "ground": [state.ground.kind, state.ground.seed],
            "label": state.label,
            "controls": [widget.text for widget in state.controls],
        }

    def bad_states(self, state: WindowState) -> Iterator[tuple[str, WindowState]]:
        first, *rest = state.controls

        def changed(widget: Widget) -> WindowState:
            return state.model_copy(update={"controls": (widget, *rest)})

        yield "a label stands twice", changed(replace(first, text=rest[0].text))
        yield "a control leaves the window", changed(replace(first, x=0.0))
        yield "a label does not read", changed(replace(first, ink=first.fill))
        yield "controls too close", changed(replace(first, x=rest[0].x, y=rest[0].y))
        other = (state.answer + 1) % len(state.controls)
        yield "targets and rule disagree", state.model_copy(update={"answer": other})

    def labels(self, state: WindowState, scene: Scene) -> Mapping[str, Label]:
        groups = widgets.labels(state.sort, scene.placement.lang)
        count = len(state.controls)
        return {
            "sort": Choice(SORTS.index(state.sort), len(SORTS)),
            f"place of {count} of sort {state.sort}": Choice(state.answer, count),
            f"group of {len(groups)}": Choice(state.group, len(groups)),
            "member": Choice(state.member, len(groups[state.group])),
        }


WORDS: Mapping[Sort, tuple[str, str]] = {
    "button": ("the button “{}”", "“{}”按钮"),
    "box": ("the box beside “{}”", "“{}”旁的方框"),
}


def _ink_step(seen: Seen, box: Box) -> float:
    """Levels of grey by which the part of a label's box that is ink differs from the rest."""
    x0, y0, x1, y1 = seen.box(box).outer_pixels()
    levels = seen.decoded[y0:y1, x0:x1].astype(float)
    return float(np.percentile(np.abs(levels - np.median(levels)), 100.0 * (1.0 - INK_SHARE)))
