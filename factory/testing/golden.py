"""C14: what a class version draws, written down.

A golden file holds, per key, a digest of everything that is promised to be the
same everywhere (state, label, mechanic, actions, texts), and digests of the
painted parts for the processors and package versions that it names. Placements
are the written ones, so no bank of pages and no browser takes part.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import orjson

from factory.core.action_text import format_response
from factory.core.actions import to_builtins, to_grid
from factory.core.errors import Rejected
from factory.core.mechanics import AnyMechanic, to_payload
from factory.core.puzzle import Placement, PuzzleType, Scene
from factory.core.rng import Rng, SampleKey, Stream
from factory.core.wording import render_reasoning
from factory.engine.provenance import PIXEL_PACKAGES, provenance
from factory.testing.outcome import Budget, Outcome, outcome
from factory.testing.painting import painted
from factory.testing.placements import placements
from factory.testing.subject import Subject

KEYS = 12
"""Keys in a golden file."""

RASTERS = 4
"""Keys whose painted parts are digested too."""

ATTEMPTS = 64
"""Draws until a state is accepted, as in the engine."""

Golden = dict[str, Any]


def golden_path(folder: Path, puzzle: PuzzleType[Any, Any]) -> Path:
    """Where the golden of a class version lies."""
    return folder / f"{puzzle.id}@{puzzle.version}.json"


def unchanged(subject: Subject, budget: Budget) -> Outcome:
    """C14: the class draws what its version drew when it was written down."""
    puzzle = subject.puzzle
    if subject.golden is None:
        return Outcome(True, "no golden files lie here", skipped=True)
    path = golden_path(subject.golden, puzzle)
    if not path.is_file():
        return Outcome(False, f"{path.name} is missing; write it with --update-golden", {})
    known, now = orjson.loads(path.read_bytes()), golden(puzzle)
    faults = [
        f"{key} draws something else than {puzzle.id}@{puzzle.version} did: raise the version"
        for key in known["samples"]
        if known["samples"][key] != now["samples"].get(key)
    ]
    if known["state_schema"] != now["state_schema"]:
        faults.append("the state has other fields: raise the version")
    comparable = known["made_by"] == now["made_by"]
    if comparable:
        faults += [
            f"{key} is painted otherwise: raise the version"
            for key in known["rasters"]
            if known["rasters"][key] != now["rasters"][key]
        ]
    painted = "rasters too" if comparable else "rasters are of other versions or processors"
    return outcome(
        faults, f"{len(known['samples'])} keys as written; {painted}", rasters=comparable
    )


def write_golden(folder: Path, puzzle: PuzzleType[Any, Any]) -> Path:
    """Write down what the class draws now; returns the file."""
    path = golden_path(folder, puzzle)
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(golden(puzzle), option=orjson.OPT_INDENT_2) + b"\n")
    return path


def golden(puzzle: PuzzleType[Any, Any]) -> Golden:
    """The content of a golden file."""
    places, forms = list(placements(type(puzzle).panel())), puzzle.forms()
    samples: dict[str, str] = {}
    rasters: dict[str, str] = {}
    for index in range(KEYS):
        key = SampleKey(puzzle.id, "train", 0, "00000000", index)
        scene, state = _accepted(
            puzzle, key, places[index % len(places)], forms[index % len(forms)]
        )
        mechanic = puzzle.mechanic(state, scene.placement).mapped(scene.placement.canvas_from_panel)
        facts = _facts(puzzle, scene, state, mechanic)
        samples[str(key)] = _digest(orjson.dumps(facts, option=orjson.OPT_SORT_KEYS))
        if index < RASTERS:
            rasters[str(key)] = _digest(_painted(puzzle, state, scene.placement, mechanic))
    return {
        "generator": f"{puzzle.id}@{puzzle.version}",
        "samples": samples,
        "state_schema": _digest(
            orjson.dumps(type(puzzle).State.model_json_schema(), option=orjson.OPT_SORT_KEYS)
        ),
        "made_by": _made_by(),
        "rasters": rasters,
    }


def _made_by() -> dict[str, str]:
    """What painted bytes depend on besides the class."""
    facts = provenance("", {})
    names = ["machine", "cpu", *(f"package:{name}" for name in PIXEL_PACKAGES)]
    return {name: facts[name] for name in names if name != "package:gui-data-factory"}


def _accepted(
    puzzle: PuzzleType[Any, Any], key: SampleKey, placement: Placement, pictures: int
) -> tuple[Scene, Any]:
    """The first scene and state of a key that ``check`` accepts."""
    choose = Stream(f"{key}:golden")
    contents = puzzle.contents(key.split)
    content = choose.weighted(contents, [c.share for c in contents])
    difficulty = round(choose.random(), 4)
    first = choose.integer(0, max(1, content.capacity - ATTEMPTS))
    for attempt in range(ATTEMPTS):
        scene = Scene(
            rng=Rng.of(key).retry(attempt), placement=placement, split=key.split,
            difficulty=difficulty, content_kind=content.kind,
            content_number=(first + attempt) % content.capacity, pictures=pictures,
        )  # fmt: skip
        try:
            state = puzzle.sample(scene)
            puzzle.check(state)
        except Rejected:
            continue
        return scene, state
    raise Rejected("no state for the golden", value=ATTEMPTS, limit=ATTEMPTS)


def _facts(
    puzzle: PuzzleType[Any, Any], scene: Scene, state: Any, mechanic: AnyMechanic
) -> dict[str, Any]:
    """Everything promised to be the same everywhere."""
    place = scene.placement
    gold = mechanic.gold(scene.rng.fresh("gold"))
    cells = [to_grid(action, place.width_px, place.height_px) for action in gold]
    return {
        "state": state.model_dump(mode="json"),
        "labels": {
            name: dataclasses.astuple(label) for name, label in puzzle.labels(state, scene).items()
        },
        "fingerprint": puzzle.fingerprint(state),
        "mechanic": to_payload(mechanic),
        "gold": to_builtins(gold),
        "response": format_response("", cells, "point"),
        "texts": list(_texts(puzzle, scene, state, mechanic)),
        "wrong": {
            wrong.name: to_builtins(wrong.actions)
            for wrong in puzzle.wrong_responses(state, mechanic, scene.rng)
        },
    }


def _texts(
    puzzle: PuzzleType[Any, Any], scene: Scene, state: Any, mechanic: AnyMechanic
) -> Iterator[str]:
    place, gold = scene.placement, mechanic.gold(scene.rng.fresh("gold"))
    for lang, goals in sorted(puzzle.wording.goals.items()):
        phrases = puzzle.wording.touch_goals[lang] if place.touch else goals
        yield from (phrase.format_map(puzzle.goal_slots(state, lang)) for phrase in phrases)
        steps = puzzle.explain(state, mechanic, gold, scene.rng, lang)
        yield render_reasoning(steps, lang=lang, width=place.width_px, height=place.height_px)


def _painted(
    puzzle: PuzzleType[Any, Any], state: Any, placement: Placement, mechanic: AnyMechanic
) -> bytes:
    """All areas in the first pose on a blank canvas, as bytes."""
    pose = mechanic.pose(mechanic.start())
    sheet, _ = painted(puzzle.draw(state, placement), pose, placement)
    return cast("bytes", sheet.tobytes())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
