"""Characters in noise that show only while the grains move, to be typed into a field.

Rule
    Type the characters that move through the noise. Upper and lower case are the same.
Answer
    A click on the field and the text; where the panel has a button, a click on it.
Validity
    Each frame alone is fair coin flips, in the characters as around them. From frame to frame
    the grains of the characters follow a step that those around them do not, by a floor; the
    map of these steps reads as the text, letter by letter. No two characters of the alphabet
    are taken for each other, and strokes are some grains wide.
Source
    Spooky_Text of NextGen-CAPTCHAs; random dot kinematograms (Julesz 1971); compared after
    stripping and without case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import skia
from pydantic import Field as Knob

from captcha_types.temporal_frames import _kit as kit
from captcha_types.temporal_frames import _lettering as lettering
from captcha_types.temporal_frames import _letters as letters
from captcha_types.temporal_frames._lettering import Lettering
from captcha_types.temporal_frames._spooks import WAYS
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
from factory.core.tapping import send
from factory.draw.measure import grey_step, pixel_fidelity
from factory.draw.panels.paint import ink
from factory.draw.pictures.spec import seeded_asset
from factory.draw.tiles import paint_gaps

GRAIN: Mapping[kit.Form, int] = {"frames": 3, "sheet": 2}
"""Side of a grain, CSS px."""

LENGTHS: Mapping[kit.Form, tuple[int, int]] = {"frames": (3, 5), "sheet": (3, 4)}

CAPACITY = 1 << 28
NOISE = (0.03, 0.2)
"""Share of grains that each frame draws anew, from easy to hard."""

LEAST_TELL = 0.14
MOST_GIVEN = 4.5
"""Standard deviations by which a single frame may tell inside and outside apart by chance."""

LEAST_STEP = 60.0
FIDELITY_DB = 14.0


class TextOptions(kit.FrameOptions):
    """Each knob follows ``difficulty`` when it is not set."""

    length: int | None = Knob(default=None, ge=3, le=5)
    noise: float | None = Knob(default=None, ge=0.0, le=NOISE[1])


@register("motion_text", version=1, family="temporal_frames")
class MotionText(PuzzleType[Lettering, TextOptions]):
    """See the module."""

    State: ClassVar[type[State]] = Lettering
    Options: ClassVar[type[Options]] = TextOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    images = 6
    seen_in_grey = True
    seen_side = 120
    pictorial = False
    small_model_reach = False  # a single picture says nothing

    @classmethod
    def panel(cls) -> PanelRequest:
        field = Control("field", words="characters")
        return PanelRequest(
            frame="none", ratio=(0.64, 0.76), width=(268, 300), controls=(field,), submit="either"
        )

    def forms(self) -> tuple[int, ...]:
        return kit.forms(self.options)

    def contents(self, split: str) -> Sequence[Content]:
        return [Content("noise", 1.0, CAPACITY)]

    def sample(self, scene: Scene) -> Lettering:
        rng, hard, knob = scene.rng, scene.difficulty, self.options
        frame = kit.framing(knob, scene)
        low, high = LENGTHS[frame["form"]]
        length = knob.length or low + min(high - low, int(hard * (high - low + 1)))
        chars = rng.fixed("text")
        dress = rng.fresh("dress")
        way, other = dress.sample(tuple(WAYS), 2)
        face = dress.choice(letters.faces(scene.split))
        around = other if dress.random() < hard else "still"
        noise = NOISE[0] + hard * (NOISE[1] - NOISE[0]) if knob.noise is None else knob.noise
        grain = GRAIN[frame["form"]]
        window = lettering.windows(frame["form"], frame["frames"], frame["size"], grain)[0]
        size, cell, corners = lettering.set_out(
            dress, length, face, round(window.height / grain), round(window.width / grain)
        )
        return Lettering(
            **frame,
            grain=grain,
            text="".join(chars.choice(letters.ALPHABET) for _ in range(length)),
            face=face,
            letter_size=size,
            cell=cell,
            corners=corners,
            way=way,
            around=around,
            noise=round(noise, 6),
            seed=seeded_asset("grain", scene.content_number, scene.split),
            colours=kit.choose_grain(dress),
        )

    def check(self, state: Lettering) -> None:
        if len(state.text) != len(state.corners):
            raise Rejected(
                "characters and places disagree", value=len(state.text), limit=len(state.corners)
            )
        if any(char not in letters.ALPHABET for char in state.text):
            raise Rejected("character outside its alphabet")
        (rows, columns), (wide, high) = state.shape, state.cell
        if not all(0 <= x <= columns - wide and 0 <= y <= rows - high for x, y in state.corners):
            raise Rejected("a character leaves the frame")
        found, inside = lettering.field(state), lettering.mask(state)
        own = kit.followed(found, state.steps[0]).mean(axis=0)
        tell = float(own[inside].mean() - own[~inside].mean())
        if tell < LEAST_TELL or lettering.read(state) != state.text:
            raise Rejected("motion is too weak", value=tell, limit=LEAST_TELL)
        given = np.abs(found[:, inside].mean(axis=1) - found[:, ~inside].mean(axis=1)).max()
        given = float(given / np.sqrt(0.25 / inside.sum() + 0.25 / (~inside).sum()))
        if given > MOST_GIVEN:
            raise Rejected("a single frame shows it", value=given, limit=MOST_GIVEN)

    def draw(self, state: Lettering, placement: Placement) -> Artwork:
        boxes, look = state.windows, kit.look_of(placement)

        def paint(canvas: Any, shown: Sequence[int]) -> None:
            whole = Box(0, 0, *state.size)
            canvas.drawRect(skia.Rect.MakeWH(*state.size), ink(kit.FILM))
            for frame, window in zip(shown, boxes, strict=True):
                kit.paint_cells(canvas, lettering.field(state)[frame], window, state.colours)
                if len(shown) > 1:
                    kit.paint_number(canvas, frame + 1, window, look, kit.ON_FILM[0])
            if len(shown) == 1:
                bar = Box(0, 0, whole.width, kit.BAR_CSS)
                kit.paint_bar(canvas, bar, shown[0], state.frames, kit.ON_FILM)
            paint_gaps(canvas, whole, [whole], look.rgb(placement.ground))

        regions = {f"frame.{k}": box for k, box in enumerate(boxes)}
        regions |= {f"glyph.{k}": box for k, box in enumerate(state.glyph_boxes)}
        return kit.artwork(state, placement, regions, paint)

    def mechanic(self, state: Lettering, placement: Placement) -> AnyMechanic:
        own = Field(placement.boxes["field"], (state.text,), "text")
        return TextEntry((own,), case_sensitive=False, submit=placement.submit)

    def solutions(self, state: Lettering, mechanic: AnyMechanic) -> list[str]:
        """What the map of motion reads as."""
        return [lettering.read(state)]

    def labels(self, state: Lettering, scene: Scene) -> Mapping[str, Label]:
        known = letters.ALPHABET
        return {
            f"character {k}": Choice(known.index(char), len(known))
            for k, char in enumerate(state.text[:3])
        }

    def reason_slots(
        self,
        state: Lettering,
        mechanic: AnyMechanic,
        gold: Sequence[ActionBase],
        lang: str,
    ) -> Mapping[str, Slot]:
        first = gold[0]
        assert isinstance(first, Click)
        return {
            "frames": Slot("count", state.frames),
            "spelled": Slot("name", (", " if lang == "en" else "、").join(state.text)),
            "text": Slot("name", state.text),
            "field": Slot("point", list(first.point)),
        }

    def margins(self, state: Lettering, seen: Seen) -> Mapping[str, tuple[float, float]]:
        box = seen.box(state.windows[0].grown(-4))
        return {
            "step of grains": (grey_step(seen.decoded, box), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: Lettering) -> Json:
        return {"text": state.text, "seed": state.seed, "face": state.face, "way": state.way}

    def wrong_responses(
        self, state: Lettering, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        stream, text = rng.fresh("wrong"), state.text
        at = stream.integer(0, len(text))
        other = stream.choice(letters.ALPHABET.replace(text[at], ""))
        found = {
            "one wrong": text[:at] + other + text[at + 1 :],
            "one short": text[:-1],
            "one more": text + other,
            "backwards": text[::-1],
        }
        click = Click(mechanic.fields[0].box.center)
        return [
            WrongResponse(name, (click, Type(typed), *send(mechanic.submit)))
            for name, typed in found.items()
            if typed != text
        ]

    def bad_states(self, state: Lettering) -> Iterator[tuple[str, Lettering]]:
        def changed(**more: Any) -> Lettering:
            return state.model_copy(update=more)

        yield "characters and places disagree", changed(text=state.text + "A")
        yield "character outside its alphabet", changed(text="O" + state.text[1:])
        yield "a character leaves the frame", changed(corners=((-9, 0), *state.corners[1:]))
        yield "motion is too weak", changed(around=state.way)
