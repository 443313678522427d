"""``make_record``: one key in, one sample out, and nothing else touched.

Placement and labels are drawn first and once. Then, within a bound on
attempts, the rest of the state is drawn until the class's check, the gate of
its mechanic, the uniqueness search and the margins on the decoded picture all
accept. There is no fallback item.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import cv2
import numpy as np
import orjson

from factory.core import record as records
from factory.core.action_text import Dialect, format_response
from factory.core.actions import Action, ActionBase, to_grid
from factory.core.errors import (
    AttemptsExhausted,
    FactoryError,
    Rejected,
    RenderFailed,
    VerificationFailed,
)
from factory.core.geometry import Box, PlaneMap
from factory.core.mechanics import AnyMechanic, gate, to_payload
from factory.core.mechanics.zones import Zone
from factory.core.prompts import InstructionMode, Lang, prompt_for
from factory.core.puzzle import Artwork, Bitmap, Scene, Seen
from factory.core.record import Observation, Record, Region, Step, Task
from factory.core.rng import Rng, SampleKey
from factory.core.wording import render_reasoning
from factory.draw.compose import Plate, Rendered, misplaced, render
from factory.draw.text import spoken
from factory.engine.made import Made
from factory.engine.pictures import contact_sheet, encode_poses, picture_parts, poses_of
from factory.engine.studio import Plan, Studio

MAX_ATTEMPTS = 64
"""Draws per sample; a class at default difficulty needs 8 or fewer in 99 of 100."""

GOAL_MARGIN_CSS = 1.0
"""How far the goal's ink may reach past its area: half-pixel rounding of glyphs, no more."""


@dataclass(frozen=True)
class Draft:
    """A sample before its pixels: an accepted state, mechanic and gold in canvas px, artwork."""

    key: SampleKey
    plan: Plan
    rng: Rng
    state: Any
    mechanic: AnyMechanic
    gold: list[ActionBase]
    artwork: Artwork
    goal: str

    @property
    def plate(self) -> Plate:
        """The page with its panel."""
        return self.plan.plate


def make_record(key: SampleKey, studio: Studio) -> Made:
    """Make the sample of ``key``; pure in both arguments.

    Raises ``AttemptsExhausted`` when the bound is reached, ``VerificationFailed``
    when the class contradicts itself.
    """
    plan = studio.plan(key)
    rejected: list[Rejected] = []
    for attempt in range(MAX_ATTEMPTS):
        try:
            return _sample(studio, draft(key, studio, attempt, plan), rejected)
        except Rejected as reason:
            rejected.append(reason)
        except VerificationFailed as error:
            error.key = str(key)
            raise
        except RenderFailed as error:
            error.key = str(key)
            raise
        except FactoryError:
            raise
        except Exception as error:
            raise VerificationFailed(
                f"{key}: the class raised {type(error).__name__}: {error}", key=str(key)
            ) from error
    raise AttemptsExhausted(MAX_ATTEMPTS, Counter(r.reason for r in rejected), key=str(key))


def draft(key: SampleKey, studio: Studio, attempt: int, plan: Plan | None = None) -> Draft:
    """The draw of a key at an attempt, without pixels; ``Rejected`` when a gate refuses it."""
    plan = plan or studio.plan(key)
    puzzle, placement, rng = studio.puzzle, plan.plate.placement, Rng.of(key).retry(attempt)
    scene = Scene(
        rng=rng,
        placement=placement,
        split=key.split,
        difficulty=plan.difficulty,
        content_kind=plan.content_kind,
        content_number=studio.content_number(key, plan, attempt),
        pictures=plan.pictures,
    )
    state = puzzle.sample(scene)
    puzzle.check(state)
    mechanic = puzzle.mechanic(state, placement).mapped(placement.canvas_from_panel)
    gold = mechanic.gold(rng.fresh("gold"))
    _check_mechanics(studio, key, state, mechanic, gold, placement.width_px, placement.height_px)
    return Draft(
        key=key,
        plan=plan,
        rng=rng,
        state=state,
        mechanic=mechanic,
        gold=gold,
        artwork=puzzle.draw(state, placement),
        goal=studio.goal(key, plan, puzzle.goal_slots(state, plan.plate.lang)),
    )


def _sample(studio: Studio, made: Draft, rejected: list[Rejected]) -> Made:
    """Paint a draft, measure it and write its record."""
    puzzle, plate = studio.puzzle, made.plate
    poses = poses_of(puzzle, made.mechanic, made.gold, made.plan.pictures)
    rendered = render(
        plate, made.artwork, poses[0], made.goal, grey=puzzle.seen_in_grey, side=puzzle.seen_side
    )
    checks = _check_pixels(studio, made.state, rendered, plate)
    images, panels = [rendered.data], list[Bitmap]()
    if len(poses) > 1:
        images, panels = encode_poses(
            plate, made.artwork, poses, made.goal, rendered.data, made.mechanic.candidates()
        )
    record = _record(studio, made, rendered, checks, len(rejected) + 1)
    return _finish(studio, made, record, rendered, images, panels, tuple(rejected))


def _steps(studio: Studio, made: Draft) -> tuple[Step, ...]:
    """What is done on seeing which picture; the reasoning comes with the first of an episode."""
    puzzle, lang = studio.puzzle, made.plate.lang
    reasoning = puzzle.explain(made.state, made.mechanic, made.gold, made.rng, lang)
    actions = cast("tuple[Action, ...]", tuple(made.gold))
    if puzzle.single_shot:
        return (Step(made.plan.pictures - 1, actions, reasoning),)
    return tuple(
        Step(turn, (action,), reasoning if turn == 0 else ()) for turn, action in enumerate(actions)
    )


def _record(
    studio: Studio, made: Draft, rendered: Rendered, checks: dict[str, float], attempts: int
) -> Record:
    puzzle, plan, plate, key = studio.puzzle, made.plan, made.plate, made.key
    placement = plate.placement
    prompt = prompt_for(
        platform="captcha",
        dialect="point",
        instruction_mode=cast("InstructionMode", plan.instruction_mode),
        goal=spoken(made.goal),
        generic_index=made.rng.fixed("generic").integer(0, 1_000_000),
        lang=cast("Lang", plate.lang),
    )
    return Record(
        key=str(key),
        type=key.type,
        family=puzzle.family,
        generator=f"{puzzle.id}@{puzzle.version}",
        split=key.split,
        lang=plate.lang,
        theme=plate.theme,
        context=plate.context,
        difficulty=plan.difficulty,
        observations=tuple(
            Observation(
                part=part,
                width=placement.width_px,
                height=placement.height_px,
                dpr=placement.dpr,
            )
            for part in picture_parts(plan.pictures, studio.config.format)
        ),
        tasks=(
            Task(
                id="t00",
                kind="captcha",
                platform="mobile" if placement.touch else "web",
                instruction_mode=plan.instruction_mode,
                goal=spoken(made.goal),
                instruction=prompt.user,
                system=prompt.system,
                steps=_steps(studio, made),
                mechanic=to_payload(made.mechanic),
            ),
        ),
        regions=_regions(made.artwork, plate, rendered),
        maps={"canvas_from_panel": placement.canvas_from_panel.as_list()},
        state=made.state.model_dump(mode="json"),
        plate=plate.facts,
        checks=checks,
        parity=made.mechanic.parity(made.gold, placement.width_px, placement.height_px),
        fingerprint=puzzle.fingerprint(made.state),
        attempts=attempts,
        provenance=studio.provenance_id,
        tags=(f"picture:{plan.content_kind}", f"mode:{plan.instruction_mode}"),
    )


def _check_mechanics(
    studio: Studio,
    key: SampleKey,
    state: Any,
    mechanic: AnyMechanic,
    gold: list[ActionBase],
    width: int,
    height: int,
) -> None:
    """Gates a, c and h: unique, replayed, perturbed, and alive on the grid."""
    report = gate(mechanic, gold, width, height)
    if report.broken == "grid":
        raise Rejected("gold does not survive the grid")
    if not report.ok:
        raise VerificationFailed(f"{key}: the mechanic contradicts itself on '{report.broken}'")
    found = studio.puzzle.solutions(state, mechanic)
    if not found or (len(found) > 1 and not studio.puzzle.accepts_many):
        raise Rejected("answer is not unique", value=len(found), limit=1)


def _check_pixels(studio: Studio, state: Any, rendered: Rendered, plate: Plate) -> dict[str, float]:
    """Gate d and e: everything on the canvas, the deciding attribute visible as encoded."""
    area = plate.placement.boxes["goal"]
    if not area.grown(GOAL_MARGIN_CSS).holds(rendered.goal_ink):
        raise RenderFailed(f"goal text leaves its area: {rendered.goal_ink} in {area}")
    margins = studio.puzzle.margins(state, rendered.seen)
    for name, (value, floor) in margins.items():
        if not value >= floor:
            raise Rejected(name, value=value, limit=floor)
    return {name: round(value, 4) for name, (value, _) in margins.items()}


CONTROLS = ("track", "handle", "field", "submit", "skip", "prev", "next", "hold", "strip")
"""Boxes of a panel that become regions of the record, beside panel, goal and the class's own."""


def _regions(artwork: Artwork, plate: Plate, rendered: Rendered) -> tuple[Region, ...]:
    placement = plate.placement
    to_canvas = placement.canvas_from_panel
    shapes: dict[str, Box | Zone] = {
        name: box for name, box in placement.boxes.items() if name in (*CONTROLS, "panel")
    }
    shapes.update(artwork.regions)
    regions = [_region(name, shape, to_canvas) for name, shape in shapes.items()]
    boxes = {region.name: Box(*region.box) for region in regions}
    lost = misplaced(boxes, placement.width_px, placement.height_px)
    if lost:
        raise VerificationFailed(f"regions {lost} leave the canvas or are under 8 px")
    regions.append(_region("goal", rendered.goal_ink, to_canvas))
    return tuple(sorted(regions, key=lambda region: region.name))


@lru_cache(maxsize=4096)
def _region(name: str, shape: Box | Zone, to_canvas: PlaneMap) -> Region:
    if isinstance(shape, Zone):
        polygon = to_canvas.outline(shape.corners)
        box = to_canvas.box(shape.box)
    else:
        box = to_canvas.box(shape)
        polygon = _corners(box)
    return Region(name=name, role=_role(name), polygon=polygon, box=box.as_list())


def _role(name: str) -> str:
    """The role of a region: what its name says before the dot, or what the panel knows of it."""
    known = {"panel": "panel", "goal": "text", "strip": "reference", "picture": "picture"}
    return known.get(name) or ("control" if name in CONTROLS else name.partition(".")[0])


def _corners(box: Box) -> list[float]:
    x0, y0, x1, y1 = box.as_list()
    return [x0, y0, x1, y0, x1, y1, x0, y1]


def response_text(record: Record, *, dialect: Dialect = "point") -> str:
    """The canonical answer of a record's first task: thinking and grid actions."""
    task, first = record.tasks[0], record.observations[0]
    steps = task.steps
    think = render_reasoning(
        [reason for step in steps for reason in step.reasoning],
        lang=record.lang,
        width=first.width,
        height=first.height,
    )
    actions = [to_grid(a, first.width, first.height) for step in steps for a in step.actions]
    return format_response(think, actions, dialect)


def _finish(
    studio: Studio,
    made: Draft,
    record: Record,
    rendered: Rendered,
    images: list[bytes],
    panels: list[Bitmap],
    rejected: tuple[Rejected, ...],
) -> Made:
    flat = records.flatten(record, response=response_text(record))
    parts = {"json": records.encode(flat), "txt": flat.prompt.encode()}
    config = studio.config
    parts |= zip(picture_parts(len(images), config.format), images, strict=True)
    if panels:
        sheet = contact_sheet(panels, config.format, config.quality)
        parts[f"sheet.{config.format}"] = sheet
    task = record.tasks[0]
    row = {
        "key": record.key,
        "type": record.type,
        "family": record.family,
        "split": record.split,
        "lang": record.lang,
        "theme": record.theme,
        "context": record.context,
        "difficulty": record.difficulty,
        "width": flat.width,
        "height": flat.height,
        "dpr": flat.dpr,
        "answer_kind": studio.puzzle.answer_kind,
        "instruction_mode": task.instruction_mode,
        "image_bytes": sum(map(len, images)),
        "phash": perceptual_hash(rendered.seen),
        "fingerprint": record.fingerprint,
        "attempts": record.attempts,
        "picture": record.tags[0].partition(":")[2],
        "flags": orjson.dumps(
            {**record.parity, "plate": record.plate["id"]}, option=orjson.OPT_SORT_KEYS
        ).decode(),
    }
    parts = dict(sorted(parts.items()))
    return Made(key=made.key, record=record, parts=parts, row=row, rejected=rejected)


def perceptual_hash(seen: Seen) -> int:
    """The hash of the slot."""
    x0, y0, x1, y1 = (round(edge) for edge in seen.slot.as_list())
    return picture_hash(seen.decoded[y0:y1, x0:x1])


def picture_hash(window: Bitmap) -> int:
    """64-bit DCT hash of a picture: 8 x 8 low frequencies of 32 x 32 px against their median."""
    grey = window if window.ndim == 2 else cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    low = cv2.dct(small)[:8, :8].ravel()
    bits = low > np.partition(low, low.size // 2)[low.size // 2]
    return int(np.packbits(bits).view(">u8")[0])
