"""C3, C4, C5, C10, C11: what is right passes, nothing else does, and it is for the reason given."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np

from factory.core.action_text import format_response
from factory.core.actions import ActionBase, Click, Drag, point_names, to_grid
from factory.core.errors import Rejected
from factory.core.geometry import Point
from factory.core.geometry import to_grid as cell_of
from factory.core.mechanics import Verdict, judge, perturbations, to_payload
from factory.core.reward import verdict
from factory.core.wording import Space, render_reasoning
from factory.testing.answers import answers
from factory.testing.statistics import binomial_ceiling
from factory.testing.subject import ALPHA, Budget, Draw, Outcome, Subject, View, outcome

NEAR_SHARE = 0.99
"""Share of samples on which the independent judge has to be close, not merely right."""

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
        faults += _perturbed_faults(subject, draw)
    for draw in draws[:3]:
        faults += _junk_faults(draw)
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


def _junk_faults(draw: Draw) -> Iterator[str]:
    payload = _payload(draw)
    for junk in JUNK_ACTIONS:
        yield from _unpaid(f"actions {junk!r:.60}", lambda junk=junk: judge(draw.mechanic, junk))
    for junk in JUNK_TEXTS:
        yield from _unpaid(f"text {junk!r:.60}", lambda junk=junk: verdict(payload, junk))


def _unpaid(name: str, decide: Callable[[], Verdict]) -> Iterator[str]:
    """A fault when the decision raises or pays."""
    try:
        passed = decide().passed
    except Exception as error:  # whatever it raises is the fault we look for
        yield f"{name} raise {type(error).__name__}: {error}"
        return
    if passed:
        yield f"{name} pass"


def _transplants(subject: Subject, draws: Sequence[Draw]) -> tuple[float, int, int, str]:
    """``(chance, passes, most by chance, in words)`` for the answer of the next sample."""
    passes = chance = 0.0
    for draw, other in zip(draws, [*draws[1:], draws[0]], strict=True):
        line, low_high = answers(draw.mechanic), subject.puzzle.label_range(draw.scene)
        chance += line.window / (low_high[1] - low_high[0])
        theirs = answers(other.mechanic).of(other.gold)
        passes += judge(draw.mechanic, line.at(theirs, draw.gold)).passed
    rate = chance / len(draws)
    ceiling = binomial_ceiling(len(draws), rate, ALPHA)
    return rate, int(passes), ceiling, f"{passes / len(draws):.1%}, chance {rate:.1%}"


def unique(subject: Subject, budget: Budget) -> Outcome:
    """C4: one run of right answers along the whole line, where ``solutions`` and gold say."""
    faults: list[str] = []
    widest = 0.0
    for draw in subject.draws(budget.judged):
        line = answers(draw.mechanic)
        runs = _right_runs(draw)
        if len(runs) != 1:
            faults.append(f"{draw.key}: {len(runs)} separate answers pass")
            continue
        step, centre = 1.0 / line.steps(), (runs[0][0] + runs[0][1]) / 2
        widest = max(widest, (runs[0][1] - runs[0][0]) * line.length)
        if not runs[0][0] - step <= line.of(draw.gold) <= runs[0][1] + step:
            faults.append(f"{draw.key}: the gold is not the answer that passes")
        found = subject.puzzle.solutions(draw.state, draw.mechanic)
        if len(found) != 1 or abs(line.of_solution(found[0]) - centre) > 4 * step:
            faults.append(f"{draw.key}: solutions() gives {found}, the sweep {centre:.4f}")
    return outcome(faults, f"{budget.judged} sweeps with one answer", widest=round(widest, 2))


def _right_runs(draw: Draw) -> list[tuple[float, float]]:
    """Maximal runs ``(first, last)`` of passing answers on the line."""
    line = answers(draw.mechanic)
    runs: list[tuple[float, float]] = []
    before = False
    for step in range(line.steps() + 1):
        share = step / line.steps()
        passed = judge(draw.mechanic, line.at(share, draw.gold)).passed
        if passed:
            runs.append((runs.pop()[0], share) if before else (share, share))
        before = passed
    return runs


def agreed(subject: Subject, budget: Budget) -> Outcome:
    """C5: a judge that sees only the decoded picture and the printed goal solves it too."""
    solver = subject.judge
    if solver is None:
        return Outcome(True, "no independent judge lies here", skipped=True)
    faults, errors = [], []
    for made in subject.made(budget.renders):
        data = np.frombuffer(made.parts[subject.studio.config.format], np.uint8)
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        draw = subject.draw(made.key)
        state = type(draw.state)(**made.record.state)
        actions = solver.solve(View(picture=picture, record=made.record, state=state))
        errors.append(solver.error(draw.mechanic, actions))
        if not judge(draw.mechanic, actions).passed:
            faults.append(f"{made.key}: the independent answer is off by {errors[-1]:.1f}")
    near = sum(error <= solver.CLOSE for error in errors)
    if near < NEAR_SHARE * len(errors):
        faults.append(f"the independent judge is close on {near} of {len(errors)} only")
    return outcome(
        faults,
        f"{near} of {len(errors)} within {solver.CLOSE:g}, worst {max(errors):.2f}",
        worst=round(max(errors), 3),
        mean=round(math.fsum(errors) / len(errors), 3),
    )


def stated(subject: Subject, budget: Budget) -> Outcome:
    """C10: every number in the reasoning is one of the state, the gold or the panel."""
    faults: list[str] = []
    numbers = 0
    spaces: tuple[Space, ...] = ("grid999", "px")
    for draw in subject.draws(budget.states):
        width, height = draw.placement.width_px, draw.placement.height_px
        for lang in sorted(subject.puzzle.wording.reasoning):
            steps = subject.puzzle.explain(
                draw.state, draw.mechanic, draw.gold, draw.scene.rng, lang
            )
            for space in spaces:
                text = render_reasoning(steps, lang=lang, width=width, height=height, space=space)
                found = [int(number) for number in re.findall(r"\d+", text)]
                numbers += len(found)
                stale = set(found) - _true_numbers(draw, space)
                if stale:
                    faults.append(f"{draw.key}: {sorted(stale)} in {text!r} is true of nothing")
    return outcome(faults, f"{numbers} numbers, each with its value", numbers=numbers)


def _true_numbers(draw: Draw, space: Space) -> set[int]:
    """Whole numbers that a reasoning may state: of the state, the gold and the answers' line."""
    width, height = draw.placement.width_px, draw.placement.height_px
    line = answers(draw.mechanic)
    true = {round(value) for value in _numbers(draw.state.model_dump(mode="json"))}
    share = line.of(draw.gold)
    whole, part = round(line.length), round(share * line.length)
    # A percentage may also be that of the whole numbers which the text shows.
    true |= {whole, part, round(100 * share), math.floor(100 * part / whole + 0.5)}
    for action in draw.gold:
        points = [getattr(action, name) for name in point_names(type(action))]
        cells = [
            (cell_of(x, width), cell_of(y, height)) if space == "grid999" else (round(x), round(y))
            for x, y in points
        ]
        true |= {value for cell in cells for value in cell}
        if len(cells) == 2:
            true |= {abs(a - b) for a, b in zip(*cells, strict=True)}
    return true


def _numbers(value: Any) -> Iterator[float]:
    """The numbers at the top of a state: what is nested describes art, not the answer."""
    for inner in value.values():
        if isinstance(inner, int | float) and not isinstance(inner, bool) and math.isfinite(inner):
            yield inner


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
