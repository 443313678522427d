"""What a CAPTCHA class is: the interface and the values that pass through it.

A class samples a latent state, refuses the bad ones, draws the state as
artwork, names the mechanic that judges it and explains the answer. Everything
else (pages, coordinates, records, shards, tests, documentation) follows.
"""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
import orjson
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from factory.core.actions import ActionBase
from factory.core.errors import PluginBroken
from factory.core.geometry import Box, PlaneMap
from factory.core.mechanics import AnyMechanic
from factory.core.record import Json, ReasonStep, Slot
from factory.core.rng import Rng

if TYPE_CHECKING:
    from factory.core.mechanics.zones import Zone

StateT = TypeVar("StateT", bound="State")
OptionsT = TypeVar("OptionsT", bound="Options")

Bitmap = NDArray[np.uint8]
"""Pixels ``(height, width, 3)`` in BGR order, ``(..., 4)`` in BGRA, ``(height, width)`` grey."""


class State(BaseModel):
    """The latent truth of one puzzle: JSON-able, frozen, without pixels."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Options(BaseModel):
    """The knobs of a class. ``difficulty`` in [0, 1] moves them all; each can be set alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Control:
    """One control of a panel. ``words`` is the set of words on it, in the panels' wording.

    ``slider`` gives the boxes ``track``, ``handle`` and ``label``; ``field`` a text
    field ``<name>``; ``stepper`` the buttons ``prev`` and ``next`` with the area
    ``counter`` between them; ``hold`` a wide button ``hold``; ``options`` the areas
    ``option0`` ... of ``count`` choices that the class draws itself.
    """

    kind: Literal["slider", "field", "stepper", "hold", "options"]
    words: str = ""
    name: str = "field"
    count: int = 0


@dataclass(frozen=True)
class PanelRequest:
    """The panel that a class needs around its content; lengths in CSS px.

    ``frame`` is the shape around the content: ``circle``, ``rect`` (rounded corners)
    or ``none`` (the content stands on the panel's own ground). ``ratio`` and ``width``
    are the ranges of the content's height over width and of its width; the layout
    takes the largest keyed size that fits the page. ``strip`` is the height of a
    reference strip between goal and content, an area that the class draws (0: none).
    ``goal_lines`` is the room for the goal in lines of its title; hints are smaller.
    ``submit`` says whether a button confirms the answer, ``skip`` whether a second
    one says that there is nothing to select.
    """

    frame: Literal["circle", "rect", "none"] = "rect"
    ratio: tuple[float, float] = (0.56, 0.68)
    width: tuple[int, int] = (220, 300)
    controls: tuple[Control, ...] = ()
    strip: int = 0
    goal_lines: int = 2
    submit: Literal["never", "always", "either"] = "never"
    skip: bool = False


@dataclass(frozen=True)
class Placement:
    """Where the puzzle will stand; drawn before the label, so the label's range may use it.

    ``boxes`` are the panel's parts in panel CSS px; ``canvas_from_panel``
    scales and moves them onto the final canvas of ``width_px`` x ``height_px``.
    ``tokens`` names the token set of page and panel, ``corner_css`` is the radius
    of the content's corners.
    """

    boxes: Mapping[str, Box]
    canvas_from_panel: PlaneMap
    width_px: int
    height_px: int
    dpr: float
    touch: bool
    tokens: str
    lang: str
    corner_css: float = 0.0
    ground: str = "surface"
    """The colour role of the panel under a content without a frame."""

    @property
    def px_per_css(self) -> float:
        """Canvas px of one CSS px of the panel."""
        return self.canvas_from_panel.m[0]

    @property
    def submit(self) -> Box | None:
        """The submit button, where this panel has one."""
        return self.boxes.get("submit")


CONTENT_LANES = 4
"""Alternative contents per index, for draws whose picture is refused."""


@dataclass(frozen=True)
class Scene:
    """What ``sample`` works from: the streams, the placement, and the share of content.

    ``difficulty`` in [0, 1]; ``split`` selects the partition of assets;
    ``content_kind`` and ``content_number`` come from the engine's exact quotas
    and keyed walk, so that contents do not repeat inside a run.
    """

    rng: Rng
    placement: Placement
    split: str
    difficulty: float
    content_kind: str
    content_number: int
    pictures: int = 1
    """Pictures that the sample will have: one of the class's ``forms``."""

    @property
    def content_place(self) -> int:
        """The index's own place among the contents of its kind, the same at every attempt.

        Below the kind's capacity over ``CONTENT_LANES``, and no other index of the run has it.
        """
        return self.content_number // CONTENT_LANES


@dataclass(frozen=True)
class Part:
    """A piece of artwork.

    ``draw`` paints it in panel CSS px on a skia canvas that carries the pose
    and the scale; ``home`` is its box at rest, about whose centre it turns.
    ``area`` is the box of the panel that it belongs to and is clipped to:
    ``slot``, ``strip``, ``counter`` or ``option0`` ... With ``clip="circle"`` the
    part is an opaque disc inscribed in its home.
    """

    name: str
    home: Box
    draw: Callable[[Any], None]
    clip: Literal["area", "circle"] = "area"
    area: str = "slot"


@dataclass(frozen=True)
class Artwork:
    """The display list of a puzzle: parts in paint order, and named regions in panel px.

    A region is a box or a polygon; the part of its name before a dot is its role:
    ``target.0``, ``distractor.2``, ``cell.4``. Panel controls are added by the engine.
    ``pages`` are added to them by the page that the mechanic is on, and ``frames`` by
    the moment of a sequence that the model sees as several pictures.
    """

    parts: tuple[Part, ...]
    regions: Mapping[str, Box | Zone]
    pages: tuple[tuple[Part, ...], ...] = ()
    frames: tuple[tuple[Part, ...], ...] = ()

    def parts_at(self, page: int, frame: int) -> tuple[Part, ...]:
        """What is painted on a page and in a frame, in paint order."""
        own = self.parts
        for sequence, index in ((self.pages, page), (self.frames, frame)):
            if sequence:
                own = (*own, *sequence[index % len(sequence)])
        return own


@dataclass(frozen=True)
class Seen:
    """The surroundings of the slot as a reader decodes them and as they were drawn.

    Both of one size, reduced alike, BGR or (``seen_in_grey``) grey; ``slot`` is
    the slot's box in their px, ``px_per_css`` their px in a CSS px of the panel.
    """

    decoded: Bitmap
    drawn: Bitmap
    slot: Box
    px_per_css: float

    def box(self, box: Box) -> Box:
        """A box in CSS px from the slot's corner, in px of the pictures."""
        s, x, y = self.px_per_css, self.slot.x0, self.slot.y0
        return Box(x + s * box.x0, y + s * box.y0, x + s * box.x1, y + s * box.y1)


@dataclass(frozen=True)
class Content:
    """A source of content: its share of a run and how many distinct ones it holds."""

    kind: str
    share: float
    capacity: int


@dataclass(frozen=True)
class Uniform:
    """A label that is drawn evenly from ``[low, high]``.

    ``fixed`` labels are drawn once for a key: no rejection may move them.
    """

    value: float
    low: float
    high: float
    fixed: bool = True


@dataclass(frozen=True)
class Choice:
    """A label that is one of ``len(weights)`` options, or evenly of ``options``; from 0 on."""

    value: int
    options: int
    weights: tuple[float, ...] = ()
    fixed: bool = True


Label = Uniform | Choice
"""One value that the answer consists of, with the distribution that the class declares."""


@dataclass(frozen=True)
class WrongResponse:
    """A near miss: a name and the actions, which the verdict must refuse."""

    name: str
    actions: tuple[ActionBase, ...]


@dataclass(frozen=True)
class Wording:
    """Goal phrases and reasoning sentences of a class, by language."""

    goals: Mapping[str, tuple[str, ...]]
    touch_goals: Mapping[str, tuple[str, ...]]
    reasoning: Mapping[str, Mapping[str, tuple[str, ...]]]
    rivals: Mapping[str, tuple[str, ...]]
    """Words of the goals that no control of the page behind the panel may use."""

    @classmethod
    def load(cls, path: Path) -> Wording:
        """Read ``<class>.toml``; ``PluginBroken`` when it is missing or malformed."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls(
                goals={lang: tuple(block["goals"]) for lang, block in data.items()},
                touch_goals={
                    lang: tuple(block.get("touch_goals", block["goals"]))
                    for lang, block in data.items()
                },
                reasoning={
                    lang: {slot: tuple(lines) for slot, lines in block["reasoning"].items()}
                    for lang, block in data.items()
                },
                rivals={lang: tuple(block.get("rivals", ())) for lang, block in data.items()},
            )
        except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
            raise PluginBroken(f"the wording file {path.name} cannot be used: {error!r}") from error


class PuzzleType(ABC, Generic[StateT, OptionsT]):
    """One CAPTCHA class. Instances are stateless; options come with each call's instance."""

    id: ClassVar[str]
    family: ClassVar[str]
    version: ClassVar[int]
    source_file: ClassVar[Path]
    State: ClassVar[type[State]]
    Options: ClassVar[type[Options]]
    mechanics: ClassVar[tuple[str, ...]]
    answer_kind: ClassVar[str]
    seen_in_grey: ClassVar[bool] = False
    """Whether ``margins`` needs no colour, which makes looking faster."""
    seen_side: ClassVar[int] = 44
    """``margins`` looks at a copy that is reduced while its slot stays this wide and high, px."""
    single_shot: ClassVar[bool] = True
    """Whether what is seen at first suffices to answer; else the sample is an episode."""
    images: ClassVar[int] = 1
    """Pictures in a sample: frames seen one after another, or the observations of an episode.

    The gold of an episode has at most so many actions: one is decided on each observation, and
    those after the last action show how it ends.
    """
    accepts_many: ClassVar[bool] = False
    """Whether several answers may be right, all of which ``solutions`` lists."""
    pictorial: ClassVar[bool] = True
    """Whether its slots show pictures, which then have to come from many sources and differ."""
    small_model_reach: ClassVar[bool] = True
    """Whether a small convolutional model can be expected to learn the class."""

    def __init__(self, options: OptionsT) -> None:
        self.options = options

    @classmethod
    def wording_of_class(cls) -> Wording:
        """The wording file beside the class, read anew."""
        return Wording.load(cls.source_file.with_suffix(".toml"))

    @cached_property
    def wording(self) -> Wording:
        """The wording file beside the class."""
        return self.wording_of_class()

    @classmethod
    @abstractmethod
    def panel(cls) -> PanelRequest:
        """The panel this class wants around its content."""

    @abstractmethod
    def contents(self, split: str) -> Sequence[Content]:
        """The content sources of a split, with shares that sum to 1."""

    @abstractmethod
    def sample(self, scene: Scene) -> StateT:
        """Draw a state: labels from ``fixed`` streams, all else from ``fresh``."""

    @abstractmethod
    def check(self, state: StateT) -> None:
        """Raise ``Rejected`` when the puzzle is ambiguous or cannot be solved."""

    @abstractmethod
    def draw(self, state: StateT, placement: Placement) -> Artwork:
        """The artwork of a state in panel CSS px."""

    @abstractmethod
    def mechanic(self, state: StateT, placement: Placement) -> AnyMechanic:
        """The state machine that judges the puzzle, in panel CSS px."""

    def forms(self) -> tuple[int, ...]:
        """Counts of pictures that samples have, taken in turn by their index.

        A class whose frames can also be shown on one picture has two. Each count has shards of
        its own.
        """
        return (self.images,)

    def goal_slots(self, state: StateT, lang: str) -> dict[str, str]:
        """What goes into the ``{slots}`` of the goal phrases, in words of ``lang``."""
        return {}

    @abstractmethod
    def reason_slots(
        self, state: StateT, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        """Typed slots that the reasoning templates may use; points and lengths in canvas px."""

    @abstractmethod
    def margins(self, state: StateT, seen: Seen) -> Mapping[str, tuple[float, float]]:
        """``{name: (value, floor)}`` measured on the decoded picture, beside the drawn one."""

    @abstractmethod
    def identity(self, state: StateT) -> Json:
        """What makes the puzzle this puzzle: asset ids, label and arrangement, binned."""

    @abstractmethod
    def wrong_responses(
        self, state: StateT, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        """Near misses in canvas px: for the contract suite and as negatives in training."""

    @abstractmethod
    def bad_states(self, state: StateT) -> Iterator[tuple[str, StateT]]:
        """States near a good one, each with the reject reason that ``check`` must give."""

    @abstractmethod
    def solutions(self, state: StateT, mechanic: AnyMechanic) -> Sequence[Any]:
        """All right answers by another route than the sampler's, for the uniqueness gate.

        In the terms of the mechanic: displacements in CSS px for a slide, index tuples for
        clicks and cells, strings for text.
        """

    @abstractmethod
    def labels(self, state: StateT, scene: Scene) -> Mapping[str, Label]:
        """The answer as named values of declared distributions, for the tests of their prior."""

    def reason_parts(self, state: StateT) -> Sequence[str]:
        """Which parts of the reasoning a state takes, in order; nothing for all of the file."""
        return ()

    def explain(
        self,
        state: StateT,
        mechanic: AnyMechanic,
        gold: Sequence[ActionBase],
        rng: Rng,
        lang: str,
    ) -> tuple[ReasonStep, ...]:
        """Reasoning composed from one sentence per part of the wording file, in file order."""
        slots = self.reason_slots(state, mechanic, gold, lang)
        stream = rng.fresh("reasoning")
        steps: list[ReasonStep] = []
        parts = self.wording.reasoning[lang]
        for name in self.reason_parts(state) or parts:
            template = stream.choice(parts[name])
            used = {name: slot for name, slot in slots.items() if "{" + name + "}" in template}
            steps.append(ReasonStep(template=template, slots=used))
        return tuple(steps)

    def fingerprint(self, state: StateT) -> str:
        """128-bit blake2b of the canonical JSON of ``identity``, 32 hex digits."""
        text = orjson.dumps([self.id, self.identity(state)], option=orjson.OPT_SORT_KEYS)
        return blake2b(text, digest_size=16).hexdigest()
