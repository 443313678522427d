"""A full board of pieces, one swap short of a line.

Rule
    Swap two pieces, so that a row, a column or a long diagonal holds one kind only. The panel
    says whether the two have to be neighbours (side by side or one above the other) or may
    be any.
Answer
    One swap, either way round, as a drag or as two clicks; where the panel has a button, a
    click on it.
Validity
    All allowed swaps that complete a line are found by enumeration and accepted: one on
    easier boards, up to three on some of the others. No line stands at first. Kinds differ
    from each other, measured on the decoded board.
Source
    Boards as in Open CaptchaWorld (Bingo), Halligan (geetest_iconcrush) and CAPTCHA-X
    (iconcrush); the two have to be one of the accepted swaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, Literal

from pydantic import Field as Knob

from captcha_types.board_patch import _crowds as crowds
from captcha_types.board_patch import _kit as kit
from captcha_types.board_patch import _lines as lines
from captcha_types.board_patch import _pieces as pieces
from captcha_types.board_patch._piece_puzzle import WAYS, PiecePuzzle, PieceState
from factory.core.actions import ActionBase
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic
from factory.core.mechanics.pairs import Pairs
from factory.core.puzzle import Choice, Label, Options, Placement, Scene, State, WrongResponse
from factory.core.record import Slot
from factory.core.registry import register
from factory.core.rng import Rng
from factory.core.wording import class_words

MOST_ACCEPTED = 3
"""Swaps that may complete a line."""

MANY_FROM = 0.6
"""Difficulty from which more than one swap may do."""

FOUR_FROM = 0.45
"""Difficulty from which boards are four squares wide, three below."""

Rule = Literal["near", "any"]
RULES: tuple[Rule, ...] = ("near", "any")


class CrowdState(PieceState):
    """``rule`` says which two may be swapped."""

    rule: Rule

    @property
    def allowed(self) -> list[lines.Move]:
        """Every swap that the panel allows, lower square first."""
        side = self.board.side
        return lines.neighbours(side) if self.rule == "near" else list(
            combinations(range(side * side), 2)
        )  # fmt: skip


class CrowdOptions(Options):
    """Each knob follows ``difficulty`` when it is not set."""

    side: Literal[3, 4] | None = None
    rule: Rule | None = None
    near_lines: float | None = Knob(default=None, ge=0.0, le=1.0)
    accepted: int | None = Knob(default=None, ge=1, le=MOST_ACCEPTED)


@register("board_swap_to_line", version=1, family="board_patch")
class BoardSwapToLine(PiecePuzzle[CrowdState, CrowdOptions]):
    """See the module."""

    State: ClassVar[type[State]] = CrowdState
    Options: ClassVar[type[Options]] = CrowdOptions

    def sample(self, scene: Scene) -> CrowdState:
        rng, hard, knob = scene.rng, scene.difficulty, self.options
        side = knob.side or (4 if hard >= FOUR_FROM else 3)
        rule = knob.rule or rng.fixed("rule").choice(RULES)
        near = rule == "near"
        pairs = lines.neighbours(side) if near else list(combinations(range(side * side), 2))
        swap, fill = rng.fixed("swap").choice(pairs), rng.fresh("fill")
        kinds = side + 1 + (side == 3 and fill.chance(0.4))
        many = fill.integer(1, MOST_ACCEPTED + 1) if hard >= MANY_FROM else 1
        chance = hard if knob.near_lines is None else knob.near_lines
        crowd = crowds.Crowd(side, kinds, knob.accepted or many, near, chance)
        return CrowdState(
            move=swap,
            long=side,
            squares=crowds.fill(fill, crowd, swap),
            rule=rule,
            way=rng.fresh("way").choice(WAYS),
            board=self.board(scene, side, kinds),
        )

    def check(self, state: CrowdState) -> None:
        self.check_board(state)
        if lines.EMPTY in state.squares:
            raise Rejected("a square is empty", value=state.squares.index(lines.EMPTY), limit=0)
        winning = _winning(state)
        if state.move not in winning:
            raise Rejected("the swap completes no line", value=len(winning), limit=1)
        if len(winning) > MOST_ACCEPTED:
            raise Rejected("too many swaps complete one", value=len(winning), limit=MOST_ACCEPTED)

    def mechanic(self, state: CrowdState, placement: Placement) -> AnyMechanic:
        others = [swap for swap in _winning(state) if swap != state.move]
        return Pairs(
            items=self.items(state, placement),
            moves=tuple((swap,) for swap in (state.move, *others)),
            drag=state.way == "drag",
            parts=self.parts_on(state),
            submit=placement.submit,
            grow_css_px=0.0,
        )

    def goal_slots(self, state: CrowdState, lang: str) -> dict[str, str]:
        words = class_words(__file__, lang)
        return {"two": words[state.rule], "how": words[f"{state.way}_{state.rule}"]}

    def reason_slots(
        self, state: CrowdState, mechanic: AnyMechanic, gold: Sequence[ActionBase], lang: str
    ) -> Mapping[str, Slot]:
        (a, b), side = state.move, state.board.side
        after = lines.moved(state.squares, a, b)
        line = lines.line_through(after, side, side)
        gap, piece = (a, b) if a in line else (b, a)
        first, second = kit.first_ends(gold)
        return {
            "kind": Slot("name", state.board.pieces[after[gap]].called(lang)),
            "two": Slot("name", class_words(__file__, lang)[state.rule]),
            "piece": Slot("name", kit.place_name(piece, side, lang)),
            "gap": Slot("name", kit.place_name(gap, side, lang)),
            "first": Slot("point", list(first)),
            "second": Slot("point", list(second)),
        }

    def wrong_responses(
        self, state: CrowdState, mechanic: AnyMechanic, rng: Rng
    ) -> list[WrongResponse]:
        assert isinstance(mechanic, Pairs)
        (a, b), stream, winning = state.move, rng.fresh("wrong"), set(_winning(state))
        every = list(combinations(range(len(state.squares)), 2))
        answers = {
            "another two": [stream.choice([p for p in every if p not in winning])],
            "another partner": [
                next(p for p in stream.shuffled(every) if a in p and p not in winning)
            ],
            "one swap too many": [(a, b), stream.choice([p for p in every if a not in p])],
            "swapped back": [(a, b), (a, b)],
        }
        return kit.misses(mechanic, answers)

    def bad_states(self, state: CrowdState) -> Iterator[tuple[str, CrowdState]]:
        def changed(squares: Sequence[int], **more: object) -> CrowdState:
            return state.model_copy(update={"squares": tuple(squares), **more})

        (a, b), squares, board = state.move, state.squares, state.board
        yield "squares and pieces disagree", changed(squares[1:])
        alike = state.model_copy(update={"board": pieces.with_alike(board)})
        yield "two kinds look the same", alike
        after = lines.moved(squares, a, b)
        yield "a line stands already", changed(after)
        line = lines.line_through(after, board.side, board.side)
        own, outside = after[line[0]], [k for k in range(len(squares)) if k not in line]
        hole = next(k for k in outside if squares[k] != own)
        yield "a square is empty", changed([*squares[:hole], lines.EMPTY, *squares[hole + 1 :]])
        dull = next(p for p in state.allowed if p not in _winning(state))
        yield "the swap completes no line", state.model_copy(update={"move": dull})
        if state.rule == "any":
            more = [own if k in outside[:5] else kind for k, kind in enumerate(squares)]
            if not lines.has_line(more, board.side, board.side):
                yield "too many swaps complete one", changed(more)

    def solutions(self, state: CrowdState, mechanic: AnyMechanic) -> list[tuple[lines.Move, ...]]:
        """Every allowed swap after which a line stands, by making all of them."""
        squares, side, found = state.squares, state.board.side, list[tuple[lines.Move, ...]]()
        for a, b in state.allowed:
            after = lines.moved(squares, a, b)
            if any(lines.stands_at(after, at, side, side) for at in (a, b)):
                found.append(((a, b),))
        return found

    def labels(self, state: CrowdState, scene: Scene) -> Mapping[str, Label]:
        allowed = state.allowed
        name = f"{state.rule} two of {len(state.squares)}"
        return {name: Choice(allowed.index(state.move), len(allowed))}


def _winning(state: CrowdState) -> list[lines.Move]:
    side = state.board.side
    return lines.winning_swaps(state.squares, side, side, adjacent=state.rule == "near")
