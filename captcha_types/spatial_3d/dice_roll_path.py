"""A die that rolls along a path over a board; what does it show at the end?

Rule
    Roll the die in thought from cell to cell along the arrows, always over its lower edge,
    and type the number that is on the side asked for when it stands on the ring: on top, or
    on the side towards the edge of the board that is marked as the front.
Answer
    A click on the field and a number from 1 to 6; where the panel has a button, a click on it.
Validity
    Three faces of the die are seen, opposite ones add up to seven as the panel says, so that
    all six are known. The path meets no cell twice, the die hides none of its cells, and
    every face that is seen is large enough to be read.
Source
    Dice rolled over a grid as in NextGen-CAPTCHAs (Dice_Roll_Path); compared as whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.spatial_3d import _roll as kit
from captcha_types.spatial_3d._kit import moved_zone
from factory.core.actions import ActionBase, Click, Type
from factory.core.errors import Rejected
from factory.core.geometry import Box
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.text_entry import Field, TextEntry
from factory.core.mechanics.zones import Zone
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
from factory.core.rng import Rng, Stream
from factory.draw import grounds, solid
from factory.draw.measure import pixel_fidelity
from factory.draw.solid.dress import Dress, choose_dress
from factory.draw.solid.measure import mark_step
from factory.draw.text import Face
from factory.draw.tokens import chinese_font, tokens_named

Ask = Literal["top", "front"]
ASKS: tuple[Ask, ...] = ("top", "front")
ASK_SHARES = (0.65, 0.35)
OUT: Mapping[Ask, tuple[float, float, float]] = {"top": (0.0, 0.0, 1.0), "front": (0.0, -1.0, 0.0)}

STEPS = (2, 9)
SHORT = 4
BOARDS = (((3, 3), (4, 2), (3, 2)), ((4, 3), (3, 4), (4, 4)))
"""Columns and rows of boards for short and long paths."""

LEAST_FACE_PX = 11.0
"""Across the most slanted face of the die, CSS px: its pips are then told apart."""

LEAST_STEP = 26.0
"""Levels of grey between marks and their face, after decoding."""

FIDELITY_DB = 20.0
"""Encoding may not blur the marks beyond this."""

WORDS = {
    "en": {"top": "top", "front": "front", "mark": "FRONT"},
    "zh": {"top": "顶面", "front": "正面", "mark": "正面"},
}
WAY_WORDS = {
    "en": {(1, 0): "right", (-1, 0): "left", (0, 1): "back", (0, -1): "to the front"},
    "zh": {(1, 0): "右", (-1, 0): "左", (0, 1): "后", (0, -1): "前"},
}


class RollState(State):
    """``path`` in (column, row) from the front left; ``shown`` is what the side asked for shows
    at each cell of it; ``start`` the values on top, in front and at the side that is seen."""

    answer: int
    ask: Ask
    path: tuple[tuple[int, int], ...]
    board: tuple[int, int]
    pose: int
    dress: Dress
    shown: tuple[int, ...]
    start: tuple[int, int, int]
    look: kit.BoardLook
    camera: solid.Camera
    light: solid.Light
    ground: grounds.Ground
    size: tuple[float, float]


class RollOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    steps: int | None = Knob(default=None, ge=STEPS[0], le=STEPS[1])


@register("dice_roll_path", version=1, family="spatial_3d")
class DiceRollPath(PuzzleType[RollState, RollOptions]):
    """See the module."""

    State: ClassVar[type[State]] = RollState
    Options: ClassVar[type[Options]] = RollOptions
    mechanics = ("text_entry",)
    answer_kind = "click_type"
    seen_in_grey = True
    seen_side = 180

    @classmethod
    def panel(cls) -> PanelRequest:
        return PanelRequest(
            frame="rect",
            ratio=(0.68, 0.78),
            width=(256, 300),
            controls=(Control("field"),),
            submit="either",
        )

    def contents(self, split: str) -> Sequence[Content]:
        return grounds.contents()

    def steps(self, difficulty: float) -> int:
        """How often the die rolls."""
        low, high = STEPS
        return self.options.steps or low + min(high - low, int(difficulty * (high - low + 1)))

    def sample(self, scene: Scene) -> RollState:
        rng, slot = scene.rng, scene.placement.boxes["slot"]
        answer = rng.fixed("answer").integer(1, 7)
        ask = rng.fixed("ask").weighted(ASKS, ASK_SHARES)
        steps, view = self.steps(scene.difficulty), rng.fresh("view")
        board = view.choice(BOARDS[steps > SHORT])
        aside = view.choice((-1, 1)) * view.uniform(28.0, 40.0)
        camera = kit.look_at(*board, -90.0 + aside, view.uniform(46.0, 53.0), _room(view, slot))
        path = kit.walk(
            rng.fresh("path"), *board, steps, lambda start, cell: kit.hidden(camera, start, cell)
        )
        dress = choose_dress(
            rng.fresh("dress"), 1, scene.split, unrest=0.0, kinds=("pips", "numerals")
        )[0]
        last = self._last_pose(rng.fresh("pose").integer(0, 4), dress, ask, answer)
        pose = kit.unrolled(last, path)
        return RollState(
            answer=answer,
            ask=ask,
            path=path,
            board=board,
            pose=pose,
            dress=dress,
            shown=tuple(_value(p, dress, OUT[ask]) for p in kit.rolled(pose, path)),
            start=_start(pose, dress, camera),
            look=kit.choose_board(view),
            camera=camera,
            light=solid.Light(-90.0 + aside + view.choice((-1, 1)) * view.uniform(100.0, 150.0),
                              view.uniform(48.0, 60.0)),
            ground=grounds.compose(scene.content_kind, scene.content_number, rng.fresh("ground"),
                                   scene.split),
            size=(slot.width, slot.height),
        )  # fmt: skip

    def _last_pose(self, which: int, dress: Dress, ask: Ask, answer: int) -> int:
        """One of the four poses that show the answer where it is asked for."""
        fits = [pose for pose in range(24) if _value(pose, dress, OUT[ask]) == answer]
        return fits[which]

    def check(self, state: RollState) -> None:
        columns, rows = state.board
        if not all(0 <= x < columns and 0 <= y < rows for x, y in state.path):
            raise Rejected("the path leaves the board")
        ways = kit.ways_of(state.path)
        if len(set(state.path)) < len(state.path) or any(w not in kit.WAYS for w in ways):
            raise Rejected("the path meets a cell twice or jumps")
        start = _start(state.pose, state.dress, state.camera)
        if state.start != start or _followed(state) != list(state.shown):
            raise Rejected("faces and pose disagree")
        if state.shown[-1] != state.answer:
            raise Rejected("answer and roll disagree", value=state.answer, limit=state.shown[-1])
        die = kit.die_at(state.path[0], state.pose, state.dress.body)
        faces = die.shown(state.camera)
        if len(faces) != 3:
            raise Rejected("not three faces are seen", value=len(faces), limit=3)
        least = min(kit.side_of(die.face_zone(state.camera, face)) for face in faces)
        if least < LEAST_FACE_PX:
            raise Rejected("a face too small to read", value=least, limit=LEAST_FACE_PX)
        if any(kit.hidden(state.camera, state.path[0], cell) for cell in state.path[1:]):
            raise Rejected("the die hides a step")
        room = Box(0, 0, *state.size).grown(-1)
        if not all(room.contains(p) for p in solid.cube_outline(state.camera, die)):
            raise Rejected("the die leaves the picture")

    def draw(self, state: RollState, placement: Placement) -> Artwork:
        slot = placement.boxes["slot"]
        die = kit.die_at(state.path[0], state.pose, state.dress.body)
        font = tokens_named(placement.tokens).font
        faces = (Face(str(font.path()), 700), Face(str(chinese_font(700)), 400))
        word = WORDS[placement.lang]["mark"]

        def paint(canvas: Any) -> None:
            canvas.translate(slot.x0, slot.y0)
            grounds.draw_ground(canvas, state.ground, Box(0, 0, *state.size))
            kit.paint_board(canvas, state.camera, state.light, state.look, state.board, state.path)
            solid.paint_shadows(canvas, solid.cube_shadows(state.camera, state.light, [die]))
            kit.paint_word(canvas, state.camera, state.look, state.board[0], word, faces)
            solid.paint_cube(canvas, state.camera, state.light, die, state.dress.art)

        regions: dict[str, Box | Zone] = {"picture": slot}
        for face in die.shown(state.camera):
            regions[f"face.{face}"] = moved_zone(die.face_zone(state.camera, face), slot)
        return Artwork(parts=(Part("board", slot, paint),), regions=regions)

    def mechanic(self, state: RollState, placement: Placement) -> AnyMechanic:
        field = Field(placement.boxes["field"], (str(state.answer),), kind="number")
        return TextEntry(fields=(field,), submit=placement.submit)

    def goal_slots(self, state: RollState, lang: str) -> dict[str, str]:
        return {"side": WORDS[lang][state.ask]}

    def reason_slots(
        self, state: RollState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        click = gold[0]
        assert isinstance(click, Click)
        comma = ", " if lang == "en" else "、"
        ways = [WAY_WORDS[lang][way] for way in kit.ways_of(state.path)]
        right = state.camera.eye[0] > state.camera.target[0]
        sides = ("right", "left") if lang == "en" else ("右", "左")
        return {
            "ways": Slot("name", comma.join(ways)),
            "side": Slot("name", WORDS[lang][state.ask]),
            "top": Slot("count", state.start[0]),
            "front": Slot("count", state.start[1]),
            "aside": Slot("count", state.start[2]),
            "hand": Slot("name", sides[not right]),
            "shown": Slot("name", comma.join(map(str, state.shown[1:]))),
            "answer": Slot("count", state.answer),
            "field": Slot("point", list(click.point)),
        }

    def margins(self, state: RollState, seen: Seen) -> Mapping[str, tuple[float, float]]:
        die = kit.die_at(state.path[0], state.pose, state.dress.body)
        zones = [die.face_zone(state.camera, face) for face in die.shown(state.camera)]
        steps = [mark_step(seen, zone) for zone in zones]
        return {
            "step of marks and face": (min(steps), LEAST_STEP),
            "fidelity in dB": (pixel_fidelity(seen.decoded, seen.drawn), FIDELITY_DB),
        }

    def identity(self, state: RollState) -> Json:
        return {
            "path": [list(cell) for cell in state.path],
            "pose": [state.pose, state.dress.hand, state.dress.marks],
            "ask": state.ask,
            "ground": state.ground.seed,
        }

    def wrong_responses(
        self, state: RollState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, TextEntry)
        poses = kit.rolled(state.pose, state.path)
        other: Ask = "front" if state.ask == "top" else "top"
        numbers = {
            "what it shows at the start": state.shown[0],
            "one roll short": state.shown[-2],
            "the opposite face": 7 - state.answer,
            "the other side": _value(poses[-1], state.dress, OUT[other]),
            "the path": len(state.path),
        }
        field = Click(mechanic.fields[0].box.center)
        confirm = [] if mechanic.submit is None else [Click(mechanic.submit.center)]
        return [
            WrongResponse(name, (field, Type(str(number)), *confirm))
            for name, number in numbers.items()
            if number != state.answer
        ]

    def bad_states(self, state: RollState) -> Iterator[tuple[str, RollState]]:
        def changed(**more: Any) -> RollState:
            return state.model_copy(update=more)

        wrong = state.answer % 6 + 1
        yield "answer and roll disagree", changed(answer=wrong)
        yield "faces and pose disagree", changed(shown=(*state.shown[:-1], wrong), answer=wrong)
        off = tuple((x + state.board[0], y) for x, y in state.path)
        yield "the path leaves the board", changed(path=off)
        back = (*state.path[:-1], state.path[-3])
        yield "the path meets a cell twice or jumps", changed(path=back)
        far = replace(state.camera, focus=state.camera.focus / 4)
        yield "a face too small to read", changed(camera=far)
        yield "the die leaves the picture", changed(size=(8.0, 8.0))

    def solutions(self, state: RollState, mechanic: AnyMechanic) -> list[str]:
        """By turning the die as a body at every step, not by following its faces."""
        last = kit.rolled(state.pose, state.path)[-1]
        return [str(_value(last, state.dress, OUT[state.ask]))]

    def labels(self, state: RollState, scene: Scene) -> Mapping[str, Label]:
        return {"answer": Choice(state.answer - 1, 6)}


def _room(stream: Stream, slot: Box) -> Box:
    """Where in the picture the board lies: not always in its middle."""
    width, height = (side * stream.uniform(0.9, 1.0) for side in (slot.width, slot.height))
    x, y = (slot.width - width) * stream.random(), (slot.height - height) * stream.random()
    return Box.sized(x, y, width, height)


def _value(pose: int, dress: Dress, way: tuple[float, float, float]) -> int:
    """What a die shows on the side that looks a way."""
    return dress.values[solid.facing(pose, way)]


def _start(pose: int, dress: Dress, camera: solid.Camera) -> tuple[int, int, int]:
    """The values on top, in front, and at the side that the camera sees."""
    aside = 1.0 if camera.eye[0] > camera.target[0] else -1.0
    return (
        _value(pose, dress, OUT["top"]),
        _value(pose, dress, OUT["front"]),
        _value(pose, dress, (aside, 0.0, 0.0)),
    )


def _followed(state: RollState) -> list[int]:
    """What the side asked for shows at each cell, by following three faces of the die."""
    top, front, aside = state.start
    right = aside if state.camera.eye[0] > state.camera.target[0] else 7 - aside
    found = [top if state.ask == "top" else front]
    for dx, dy in kit.ways_of(state.path):
        if dx:
            top, right = (7 - right, top) if dx > 0 else (right, 7 - top)
        else:
            top, front = (front, 7 - top) if dy > 0 else (7 - front, top)
        found.append(top if state.ask == "top" else front)
    return found
