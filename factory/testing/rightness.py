"""C3, C4, C5, C10, C11: what is right passes, nothing else does, and it is for the reason given."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from factory.core.action_text import format_response
from factory.core.actions import ActionBase, Click, Drag, to_grid
from factory.core.errors import Rejected
from factory.core.geometry import Point
from factory.core.mechanics import judge, perturbations, to_payload
from factory.core.reward import verdict
from factory.core.rng import Stream
from factory.testing.answers import AnswerSpace
from factory.testing.outcome import ALPHA, EXCESS, Budget, Outcome, outcome
from factory.testing.sight import pictures_of
from factory.testing.statistics import binomial_ceiling
from factory.testing.subject import Draw, Subject, View, by_mechanic

FAR_SHARE = 0.01
"""Share of samples on which the independent judge may be merely right, not close."""

MOST_MISREADS = 0.05
"""What a judge may own to: one that misreads more is none."""

JUDGED_JUNK = 3
"""Draws on which junk is judged."""

NAN, INF = float("nan"), float("inf")

ILL_TYPED: tuple[Any, ...] = (None, "ab", (1, 2, 3), Point(10**400, 1), {}, [1, 2])
"""Points that are none: actions check nothing when they are made."""

JUNK_ACTIONS: tuple[object, ...] = (
    None, NAN, INF, 10**400, 3, "prose", b"bytes", {}, [], (), [None], [NAN], [[]], ["Click"],
    [Click(point=Point(NAN, NAN))], [Click(point=Point(INF, 0))], [Click(point=Point(1e300, 5))],
    *([Click(point=point)] for point in ILL_TYPED),
    *([Drag(start=point, end=Point(5, 5))] for point in ILL_TYPED),
    [Drag(start=Point(5, 5), end=Point(NAN, 5))],
    [Drag(start=Point(0, 0), end=Point(0, 0))], [Click(point=Point(1, 1))] * 5000,
    [Click(point=Point(1, 1), duration_ms=-5)], [Click(point=Point(1, 1), t_ms=NAN)],
)  # fmt: skip
"""Answers that are none."""

JUNK_TEXTS: tuple[object, ...] = (
    None, NAN, INF, 7, b"Click", [], {}, "", " ", "\x00", "I do not know.", "nan", "Click()",
    "Click(point=(nan, nan))", "Drag(start=(1, 2))", "Drag(start=(1e400, 2), end=(3, 4))",
    "[[[[" * 500, "<think>" * 200, '{"action": "Drag"}', "Finished(content='')",
    "Drag(start=(0, 0), end=(999, 999))", "Drag(start=(500, 500), end=(500, 500))", "9" * 5000,
)  # fmt: skip
"""Responses that answer nothing."""


def judged(subject: Subject, budget: Budget) -> Outcome:
    """C3: gold passes, near misses and junk fail, other samples' golds pass by chance only."""
    draws = subject.draws(budget.states)
    faults: list[str] = []
    for draw in draws[: budget.judged]:
        faults += _gold_faults(draw)
        faults += _unsent_faults(draw)
        faults += _perturbed_faults(subject, draw)
    faults += _junk_faults(draws[:JUDGED_JUNK])
    by_chance, passes, ceiling, figures = _transplants(subject, draws)
    if passes > ceiling:
        faults.append(
            f"{passes} of {len(draws)} answers of other samples pass, chance allows {ceiling}"
        )
    good = f"{min(len(draws), budget.judged)} golds judged; other golds pass {figures}"
    return outcome(faults, good, chance=round(by_chance, 4), others=round(passes / len(draws), 4))


def _payload(draw: Draw) -> dict[str, Any]:
    size = [draw.placement.width_px, draw.placement.height_px]
    return {"mechanic": to_payload(draw.mechanic), "size": size}


def _response(draw: Draw, actions: Sequence[ActionBase]) -> str:
    place = draw.placement
    cells = [to_grid(action, place.width_px, place.height_px) for action in actions]
    return format_response("", cells, "point")


def _gold_faults(draw: Draw) -> Iterator[str]:
    found = judge(draw.mechanic, draw.gold)
    if not found.passed:
        yield f"{draw.key}: the gold fails with {found.reason}"
    found = verdict(_payload(draw), _response(draw, draw.gold))
    if not found.passed:
        yield f"{draw.key}: the gold's text fails with {found.reason}"


def _unsent_faults(draw: Draw) -> Iterator[str]:
    """A submit button that is drawn is part of the gold, and nothing passes without it."""
    button = draw.placement.submit
    if button is None:
        return
    last, to_canvas = draw.gold[-1], draw.placement.canvas_from_panel
    ends = [to_canvas.box(box) for box in (button, draw.placement.boxes.get("skip")) if box]
    if not (isinstance(last, Click) and any(box.contains(last.point) for box in ends)):
        yield f"{draw.key}: the panel has a submit button and the gold does not end on it"
    elif judge(draw.mechanic, draw.gold[:-1]).passed:
        yield f"{draw.key}: the gold passes without the submit button of its panel"


def _perturbed_faults(subject: Subject, draw: Draw) -> Iterator[str]:
    place = draw.placement
    for wrong in subject.puzzle.wrong_responses(draw.state, draw.mechanic, draw.scene.rng):
        if judge(draw.mechanic, list(wrong.actions)).passed:
            yield f"{draw.key}: the wrong response '{wrong.name}' passes"
    for changed in perturbations(draw.mechanic, draw.gold, place.width_px, place.height_px):
        passed = judge(draw.mechanic, changed.actions).passed
        if passed is not changed.passes:
            said, is_ = ("pass", "fails") if changed.passes else ("fail", "passes")
            yield f"{draw.key}: '{changed.name}' should {said} and {is_}"


def _junk_faults(draws: Sequence[Draw]) -> Iterator[str]:
    """Junk that raises, or passes more than once: a tap in the middle may be right by luck."""
    passed: Counter[str] = Counter()
    for draw in draws:
        payload = _payload(draw)
        decisions = [
            *((f"actions {junk!r:.60}", judge, draw.mechanic, junk) for junk in JUNK_ACTIONS),
            *((f"text {junk!r:.60}", verdict, payload, junk) for junk in JUNK_TEXTS),
        ]
        for name, decide, subject, junk in decisions:
            try:
                passed[name] += decide(subject, junk).passed
            except Exception as error:  # whatever it raises is the fault we look for
                yield f"{name} raise {type(error).__name__}: {error}"
    yield from (f"{name} pass" for name, count in passed.items() if count > 1)


def _transplants(subject: Subject, draws: Sequence[Draw]) -> tuple[float, int, int, str]:
    """``(chance, passes, most by chance, in words)`` for the answer of the next sample."""
    passes, chance, count = 0, 0.0, 0
    for own in by_mechanic(draws):
        spaces = [draw.space for draw in own]
        room = subject.room(own)
        for space, other in zip(spaces, [*spaces[1:], spaces[0]], strict=True):
            chance += space.chance(room)
            answer = space.carried(other.solved, other)
            passes += answer is not None and space.passes(answer)
            count += 1
    rate = min(1.0, EXCESS * chance / count)
    ceiling = binomial_ceiling(count, rate, ALPHA)
    return chance / count, passes, ceiling, f"{passes / count:.2%}, chance {chance / count:.2%}"


def unique(subject: Subject, budget: Budget) -> Outcome:
    """C4: exactly what ``solutions`` lists passes, and nothing else that might."""
    faults: list[str] = []
    tried = 0
    for draw in subject.draws(budget.judged):
        space = draw.space
        found = subject.puzzle.solutions(draw.state, draw.mechanic)
        right = [space.of_solution(one) for one in found]
        faults += [f"{draw.key}: {fault}" for fault in _listed(subject, draw, right)]
        stream = Stream(f"{draw.key}:candidates")
        for answer in space.candidates(stream, right):
            tried += 1
            said = _is_right(space, answer, right)
            if said is not None and space.passes(answer) is not said:
                kind = "that solutions() lists fails" if said else "beside solutions() passes"
                faults.append(f"{draw.key}: an answer {kind}: {answer!r:.80}")
                break
    per = tried / max(1, budget.judged)
    return outcome(faults, f"{per:.0f} answers a draw told apart", tried=tried)


def _listed(subject: Subject, draw: Draw, right: Sequence[Any]) -> Iterator[str]:
    """Faults of the list itself: none or too many, the gold not in it, one that fails."""
    if not right or (len(right) > 1 and not subject.puzzle.accepts_many):
        yield f"solutions() gives {len(right)} answers"
    space = draw.space
    for answer in right:
        if not space.passes(answer):
            yield f"an answer that solutions() lists fails: {answer!r:.80}"
    if _is_right(space, space.solved, right) is False:
        yield f"the gold {space.solved!r:.80} is none of solutions() {right!r:.80}"


def _is_right(space: AnswerSpace[Any, Any], answer: Any, right: Sequence[Any]) -> bool | None:
    """Whether an answer comes to the same as one of the right ones; None on a border."""
    found = [space.same(answer, one) for one in right]
    return True if True in found else None if None in found else False


def agreed(subject: Subject, budget: Budget) -> Outcome:
    """C5: a judge that sees only the decoded picture and the printed goal solves it too."""
    solver = subject.judge
    if solver is None:
        return Outcome(True, "no independent judge lies here", skipped=True)
    error, close = getattr(solver, "error", None), getattr(solver, "CLOSE", 0.0)
    misses, errors, spent = [], [], 0.0
    for made in subject.made(budget.renders):
        draw = subject.draw_of(made)
        shown = pictures_of(made)
        start = time.process_time()
        actions = solver.solve(View(shown[0], shown, made.record, draw.state))
        spent += time.process_time() - start
        passed = judge(draw.mechanic, actions).passed
        errors.append(error(draw.mechanic, actions) if error else 0.0 if passed else math.inf)
        if not passed:
            off = f" by {errors[-1]:.1f}" if error else f": {draw.space.shown(actions)}"
            misses.append(f"{made.key}: the independent answer is off{off}")
    near = sum(error <= close for error in errors)
    misread = float(getattr(solver, "MISREADS", 0.0))
    worst = max(errors)
    return outcome(
        judge_faults(misses, len(errors), near, misread),
        f"{near} of {len(errors)} agree"
        + (f" within {close:g}, worst {worst:.2f}" if error else "")
        + f"; {spent / len(errors):.1f} s each"
        + (f"; misread: {'; '.join(miss.split(':')[0] for miss in misses)}" if misses else ""),
        worst=round(worst, 3),
        misread=len(misses),
        judge_seconds=round(spent / len(errors), 2),
        mean=round(math.fsum(errors) / len(errors), 3),
    )


def judge_faults(misses: list[str], tried: int, near: int, misread: float) -> Iterator[str]:
    """Faults of a judge that is off more often than the share that it owns to, and luck."""
    if misread > MOST_MISREADS:
        yield f"the independent judge owns to {misread:.0%} of misreadings"
    if len(misses) > binomial_ceiling(tried, misread, ALPHA):
        yield from misses
    if tried - near > binomial_ceiling(tried, max(FAR_SHARE, misread), ALPHA):
        yield f"the independent judge is close on {near} of {tried} only"


def refused(subject: Subject, budget: Budget) -> Outcome:
    """C11: ``check`` refuses every bad state for the reason that it should."""
    faults: list[str] = []
    reasons: set[str] = set()
    for draw in subject.draws(min(20, budget.judged)):
        for reason, bad in subject.puzzle.bad_states(draw.state):
            reasons.add(reason)
            try:
                subject.puzzle.check(bad)
                faults.append(f"{draw.key}: a state with '{reason}' is accepted")
            except Rejected as rejected:
                if rejected.reason != reason:
                    faults.append(f"{draw.key}: '{rejected.reason}' instead of '{reason}'")
    if not reasons:
        faults.append("bad_states yields nothing")
    return outcome(faults, f"{len(reasons)} kinds of bad states refused", kinds=len(reasons))
