"""Whether hard puzzles of a class are harder than easy ones, by measures that need no person.

The class's independent judge solves easy and hard samples with its sight impaired step by
step: pictures are reduced to so many px a CSS px and brought back to their size. What it
still solves is its score. Beside it stand what a solver has to do, to look at and to work out:
the gold's actions, the named regions, the smallest of them, what the reasoning states, by how
much the gold may be off, and how likely another sample's answer is right by luck.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import cv2
import msgspec
import orjson

from factory.config import RunConfig
from factory.core.actions import point_names
from factory.core.errors import InvalidOptions
from factory.core.geometry import Box, Point
from factory.core.mechanics import judge
from factory.engine.generate import complete
from factory.engine.made import Made
from factory.engine.studio import Studio
from factory.testing.sight import pictures_of
from factory.testing.subject import Draw, Judge, Subject, View, by_mechanic
from factory.testing.suite import TESTS, load_judge

EASY, HARD = 0.1, 0.9
SIGHTS = (0.7, 0.5, 0.35, 0.25, 0.17)
"""What is left of a picture, px a CSS px, in steps; where the judge fails, it sees no more."""

APART = 3.0
"""Standard errors between two means that differ: one in 700 differs so by luck."""

LESS_LUCK = 0.9
"""Luck at the hard end, by that at the easy end, from which on guessing is harder."""

VIEWPORT = "1280x800"


MOST_SLACK = 64.0
"""CSS px; an answer that may be off by more is as good as anywhere."""

HALVINGS = 8
"""Slack is found to a quarter of a CSS px."""

WAYS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))


@dataclass(frozen=True)
class Effort:
    """Figures of each sample at one difficulty; ``luck`` is their mean chance."""

    sight: list[float]
    moves: list[float]
    things: list[float]
    facts: list[float]
    smallest: list[float]
    slack: list[float]
    luck: float


def impaired(picture: Any, px_per_css: float, left: float) -> Any:
    """A picture as it is left by ``left`` px a CSS px, at its own size."""
    if left >= px_per_css:
        return picture
    height, width = picture.shape[:2]
    scale = left / px_per_css
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def solves(solver: Judge, subject: Subject, made: Made, left: float) -> bool:
    """Whether the judge solves a sample with its sight impaired; giving up is not solving."""
    draw = subject.draw_of(made)
    scale = draw.placement.px_per_css
    shown = tuple(impaired(picture, scale, left) for picture in pictures_of(made))
    try:
        actions = solver.solve(View(shown[0], shown, made.record, draw.state))
        return judge(draw.mechanic, actions).passed
    except Exception:  # whatever a judge raises on what it cannot see
        return False


def score(solver: Judge, subject: Subject, made: Made) -> float:
    """The share of ``SIGHTS`` down to which the judge solves a sample without a miss."""
    seen = takewhile(lambda left: solves(solver, subject, made, left), SIGHTS)
    return len(list(seen)) / len(SIGHTS)


def facts(made: Made) -> int:
    """How many values the worked reasoning states; a list counts as many as it names."""
    steps = (step for task in made.record.tasks for step in task.steps)
    slots = (slot for step in steps for part in step.reasoning for slot in part.slots.values())
    return sum(
        len(re.split("[,、，]", slot.value)) if isinstance(slot.value, str) else 1 for slot in slots
    )


def smallest(made: Made) -> float:
    """The shorter side of the smallest named region, CSS px."""
    boxes = [Box(*region.box) for region in made.record.regions]
    return min(min(box.width, box.height) for box in boxes) / made.record.observations[0].dpr


def slack(draw: Draw) -> float:
    """By how many CSS px the point of the gold that may be off least may be off, at least."""
    found = MOST_SLACK
    for place, action in enumerate(draw.gold):
        for name in point_names(type(action)):
            for way in WAYS:
                found = _slack(draw, place, name, way, found)
    return found


def _slack(draw: Draw, place: int, name: str, way: tuple[float, float], most: float) -> float:
    """How far one point may be off one way, and no more than ``most``."""
    point, scale = getattr(draw.gold[place], name), draw.placement.px_per_css

    def passes(off: float) -> bool:
        there = Point(point[0] + off * scale * way[0], point[1] + off * scale * way[1])
        moved = msgspec.structs.replace(draw.gold[place], **{name: there})
        actions = [*draw.gold[:place], moved, *draw.gold[place + 1 :]]
        return judge(draw.mechanic, actions).passed

    if passes(most):
        return most
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if passes(middle) else (low, middle)
    return low


def effort(name: str, difficulty: float, samples: int) -> Effort:
    """The figures of a class at one difficulty; ``InvalidOptions`` where it has no judge."""
    config = RunConfig.build(
        type=name, n=samples, difficulty=(difficulty, difficulty), viewports={VIEWPORT: 1.0},
        allow_repeats=True,
    )  # fmt: skip
    solver = load_judge(name, TESTS / "solvers")
    if solver is None:
        raise InvalidOptions(f"{name} has no judge in {TESTS / 'solvers'}")
    subject = Subject(Studio.open(complete(config)), judge=solver)
    made = subject.made(samples)
    draws = [subject.draw_of(one) for one in made]
    luck = [
        draw.space.chance(room)
        for own in by_mechanic(draws)
        for room in [subject.room(own)]
        for draw in own
    ]
    return Effort(
        sight=[score(solver, subject, one) for one in made],
        moves=[float(len(draw.gold)) for draw in draws],
        things=[float(len(one.record.regions)) for one in made],
        facts=[float(facts(one)) for one in made],
        smallest=[smallest(one) for one in made],
        slack=[slack(draw) for draw in draws],
        luck=statistics.fmean(luck),
    )


def standard_errors(low: Sequence[float], high: Sequence[float]) -> float:
    """By how many standard errors the mean of ``high`` lies above that of ``low``."""
    step = statistics.fmean(high) - statistics.fmean(low)
    spread = statistics.pvariance(low) / len(low) + statistics.pvariance(high) / len(high)
    return step / math.sqrt(spread) if spread else math.copysign(math.inf, step) if step else 0.0


def compared(name: str, easy: Effort, hard: Effort) -> dict[str, Any]:
    """The report: means at both ends, by what hard ones are harder, and by what easier."""
    signs = {
        "sight": -1.0, "moves": 1.0, "things": 1.0, "facts": 1.0, "smallest": -1.0, "slack": -1.0,
    }  # fmt: skip
    apart = {
        measure: sign * standard_errors(getattr(easy, measure), getattr(hard, measure))
        for measure, sign in signs.items()
    }
    harder = [measure for measure, errors in apart.items() if errors > APART]
    if hard.luck < LESS_LUCK * easy.luck:
        harder.append("luck")
    return {
        "class": name,
        "samples": len(easy.sight),
        "easy": _means(easy),
        "hard": _means(hard),
        "harder_by": harder,
        "easier_by": [measure for measure, errors in apart.items() if errors < -APART],
        "ok": bool(harder) and apart["sight"] > -APART,
    }


def _means(found: Effort) -> Mapping[str, float]:
    return {
        "sight": round(statistics.fmean(found.sight), 3),
        "moves": round(statistics.fmean(found.moves), 2),
        "things": round(statistics.fmean(found.things), 1),
        "facts": round(statistics.fmean(found.facts), 1),
        "smallest": round(statistics.fmean(found.smallest), 1),
        "slack": round(statistics.fmean(found.slack), 2),
        "luck": float(f"{found.luck:.3g}"),
    }


def report(name: str, samples: int) -> dict[str, Any]:
    """What ``factory check NAME --difficulty`` finds: see ``compared``."""
    return compared(name, effort(name, EASY, samples), effort(name, HARD, samples))


REPORTS = Path(__file__).parents[2] / "docs" / "difficulty"
"""Where ``--write`` puts the figures for the documentation."""

MEASURES = {
    "sight": "share of the steps of worse sight at which the judge still solves it",
    "moves": "actions of the gold",
    "things": "named regions of the picture",
    "facts": "values that the worked reasoning states",
    "smallest": "shorter side of the smallest named region, CSS px",
    "slack": "CSS px by which every point of the gold may be off",
    "luck": "chance that another sample's answer is right",
}
"""What the figures are."""


def table(found: Mapping[str, Any]) -> list[str]:
    """A report as lines for a terminal."""
    word = "harder" if found["ok"] else "NOT HARDER"
    by = ", ".join(found["harder_by"]) or "nothing"
    lines = [f"{found['class']}: {word} at {HARD} than at {EASY}, by {by}"]
    if found["easier_by"]:
        lines.append(f"  but easier by {', '.join(found['easier_by'])}")
    return lines + [
        f"  {name:<7} {found['easy'][name]:>9g} {found['hard'][name]:>9g}  {meaning}"
        for name, meaning in MEASURES.items()
    ]


def write_report(found: Mapping[str, Any], folder: Path = REPORTS) -> Path:
    """The figures as ``<class>.json``; ``InvalidOptions`` outside a source checkout."""
    if not folder.parent.is_dir():
        raise InvalidOptions(f"{folder.parent} is not there; --write needs the source checkout")
    folder.mkdir(exist_ok=True)
    path = folder / f"{found['class']}.json"
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    path.write_bytes(orjson.dumps(dict(found), option=options))
    return path
