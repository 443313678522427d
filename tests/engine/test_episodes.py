"""Episodes and frames go through record, shards, show, verify and the film strip."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from episodic_classes import FRAMES, ArrowCount, BlinkingLamp, LampOnStrip
from runs import make_run

from exporters.shard_reader import iter_samples
from factory.config import RunConfig
from factory.core import record as records
from factory.core import registry
from factory.core.errors import VerificationFailed
from factory.core.geometry import Box
from factory.core.mechanics import from_payload, judge, replay
from factory.draw.compose import opaque, paint_state
from factory.engine.film import film_strip
from factory.engine.generate import complete
from factory.engine.make import draft, make_record
from factory.engine.show import show
from factory.engine.stats import rows
from factory.engine.studio import Studio
from factory.engine.verify import verify

N = 6
EPISODES = 12
"""Of each class: golds of most lengths are among them."""

EPISODIC = ["arrow_count", *(n for n in registry.names() if not registry.get(n).single_shot)]

STEPPERS = ["arrow_count", *(n for n in EPISODIC[1:] if "stepper" in registry.get(n).mechanics)]


@pytest.fixture(scope="module", autouse=True)
def known():
    with pytest.MonkeyPatch.context() as patch:
        registry.names()
        for cls in (ArrowCount, BlinkingLamp, LampOnStrip):
            patch.setitem(registry._registered, cls.id, cls)
        yield


@pytest.fixture(scope="module", params=[ArrowCount, BlinkingLamp], ids=lambda cls: cls.id)
def run(request, tmp_path_factory, known):
    out = tmp_path_factory.mktemp(request.param.id) / "run"
    return make_run(out, type=request.param.id, n=N, shard_samples=4)


def samples(run):
    for row in rows(run, ["key", "shard"]):
        found = {key: parts for key, parts, _ in iter_samples(run / row["shard"])}
        yield row, found[row["key"]]


def pictures(parts):
    names = sorted(part for part in parts if part.startswith("i"))
    return [cv2.imdecode(np.frombuffer(parts[name], np.uint8), 1) for name in names]


def made_of(name, count):
    studio = Studio.open(complete(RunConfig.build(type=name, n=count)))
    return [make_record(studio.key("train", index), studio) for index in range(count)]


def region(record, name):
    return Box(*next(r.box for r in record.regions if r.name == name)).outer_pixels()


def slots(record, found):
    x0, y0, x1, y1 = region(record, "picture")
    return [picture[y0:y1, x0:x1] for picture in found]


def drawn_slot(drawn, record, pose):
    """The picture's pixels in a state, marks included."""
    bare = drawn.plate.bare
    x0, y0, x1, y1 = region(record, "picture")
    whole = opaque(paint_state(drawn.plate, drawn.artwork, pose, drawn.goal))
    return whole[y0 - bare.y : y1 - bare.y, x0 - bare.x : x1 - bare.x]


TELLING = 40
"""Levels of 255, more than encoding adds."""


def likest(picture, candidates):
    """Which candidate differs least from a picture of its size, where candidates differ at all.

    Elsewhere there is only the noise of two encodings, which may outweigh a small thing that moved.
    """
    shown = np.stack(candidates).astype(int)
    telling = np.ptp(shown, axis=0) > TELLING
    return int(np.argmin([np.abs(picture - one)[telling].mean() for one in shown]))


def record_of(parts):
    return records.record_of(records.decode(parts["json"]))


def test_samples_lie_in_the_group_of_their_image_count(run):
    count = registry.get(next(rows(run, ["type"]))["type"]).images
    for row, parts in samples(run):
        assert row["shard"].startswith(f"frames/i{count:02d}/train/")
        assert sorted(parts) == sorted(
            [*(f"i{k:02d}.jpg" for k in range(count)), "json", "sheet.jpg", "txt"]
        )


def test_the_run_verifies_and_is_made_again(run):
    report = verify(run)
    assert report.ok, report.problems
    for row in rows(run, ["key"]):
        assert show(row["key"], run=run).equal


def test_each_picture_is_an_observation_of_one_size(run):
    for _, parts in samples(run):
        record = record_of(parts)
        found = pictures(parts)
        assert [o.part for o in record.observations] == [f"i{k:02d}.jpg" for k in range(len(found))]
        assert {(o.height, o.width) for o in record.observations} == {p.shape[:2] for p in found}


def test_frames_are_seen_before_the_one_answer_and_differ_where_the_lamp_is():
    (made,) = made_of("blinking_lamp", 1)
    (step,) = made.record.tasks[0].steps
    assert step.observation == FRAMES - 1
    dark, lit = pictures(made.parts)[1:3]
    changed = np.argwhere(np.abs(dark.astype(int) - lit).max(axis=2) > 60)
    top, left, foot, right = *changed.min(axis=0), *changed.max(axis=0)
    x, y = step.actions[0].point
    assert left <= x <= right and top <= y <= foot


def test_an_episode_shows_the_state_that_its_actions_lead_to():
    (made,) = made_of("arrow_count", 1)
    steps = made.record.tasks[0].steps
    reds = [
        int((p[..., 2].astype(int) - p[..., 0] > 80).sum())
        for p in slots(made.record, pictures(made.parts))
    ]
    mechanic = from_payload(made.record.tasks[0].mechanic)
    done = []
    for step, red in zip(steps, reds, strict=False):
        on_target = mechanic.pose(replay(mechanic, done)).page == made.record.state["target"]
        assert (red > 1000) == on_target
        done += step.actions
    assert judge(mechanic, done).passed and not judge(mechanic, done[:-1]).passed
    assert min(reds[len(steps) - 1 :]) > 1000  # what is left over shows the end


@pytest.mark.parametrize("name", EPISODIC)
def test_every_episode_can_be_solved_from_its_own_pictures(name):
    """Each action has the picture of the moment before it, and what is confirmed is seen."""
    studio = Studio.open(complete(RunConfig.build(type=name, n=EPISODES)))
    for index in range(EPISODES):
        made = make_record(studio.key("train", index), studio)
        steps, drawn = made.record.tasks[0].steps, draft(made.key, studio, made.record.attempts - 1)
        assert [step.observation for step in steps] == list(range(len(drawn.gold)))
        assert [action for step in steps for action in step.actions] == drawn.gold
        *poses, end = (
            drawn.mechanic.pose(replay(drawn.mechanic, drawn.gold[:done]))
            for done in range(len(steps) + 1)
        )
        moments = [drawn_slot(drawn, made.record, pose) for pose in poses]
        seen = slots(made.record, pictures(made.parts))
        for step, pose in zip(steps, poses, strict=True):
            assert poses[likest(seen[step.observation], moments)] == pose
        assert getattr(drawn.mechanic, "submit", None) is None or poses[-1] == end


def test_samples_of_two_forms_take_turns_and_have_shards_of_their_own(tmp_path):
    run = make_run(tmp_path / "run", type="lamp_on_strip", n=9, split="train", shard_samples=4)
    found = {int(row["key"][-8:]): (row["shard"], parts) for row, parts in samples(run)}
    assert sorted(found) == list(range(9))
    for index, (shard, parts) in found.items():
        several = index % 2 == 0
        assert shard.startswith(f"frames/i{FRAMES:02d}/train/" if several else "train/")
        assert ("jpg" in parts, "sheet.jpg" in parts) == (not several, several)
        record = record_of(parts)
        assert record.state["number"] == len(record.observations) == (FRAMES if several else 1)
        assert record.tasks[0].steps[0].observation == len(record.observations) - 1


def test_a_run_of_two_forms_verifies_is_made_again_and_names_both_on_its_card(tmp_path):
    run = make_run(tmp_path / "run", type="lamp_on_strip", n=5, split="train", shard_samples=2)
    report = verify(run)
    assert report.ok, report.problems
    assert all(show(row["key"], run=run).equal for row in rows(run, ["key"]))
    card = (run / "README.md").read_text()
    assert "path: train/*.tar" in card and f"path: frames/i{FRAMES:02d}/train/*.tar" in card


def test_a_form_that_no_sample_has_is_not_on_the_card(tmp_path):
    run = make_run(tmp_path / "run", type="lamp_on_strip", n=1, split="train")
    assert "path: train/*.tar" not in (run / "README.md").read_text()


def test_a_gold_longer_than_its_pictures_is_refused(monkeypatch):
    monkeypatch.setattr(ArrowCount, "images", 2)
    with pytest.raises(VerificationFailed, match="actions for 2 pictures"):
        made_of("arrow_count", N)


def test_the_sheet_shows_each_panel_of_an_episode_once_in_order():
    (made,) = made_of("composite_two_stage", 1)
    x0, y0, x1, y1 = region(made.record, "panel")
    files = [made.parts[o.part] for o in made.record.observations]
    panels = [p[y0:y1, x0:x1] for p in pictures(made.parts)]
    sheet = cv2.imdecode(np.frombuffer(made.parts["sheet.jpg"], np.uint8), 1)
    states = len(set(files))
    assert states == len(made.record.tasks[0].steps) + 1
    columns = math.ceil(math.sqrt(states))
    high, wide = y1 - y0, x1 - x0
    assert sheet.shape[:2] == (-(-states // columns) * high, columns * wide)
    for turn in range(states):
        row, column = divmod(turn, columns)
        tile = sheet[row * high :, column * wide :][:high, :wide]
        assert likest(tile, panels[:states]) == turn


def test_the_film_of_frames_is_played_on_the_last_of_them(monkeypatch):
    studio = Studio.open(complete(RunConfig.build(type="blinking_lamp", n=1)))
    lit = []
    for frame in (0, FRAMES - 1):
        monkeypatch.setattr(BlinkingLamp, "lit_in", frame)
        film = film_strip(studio.key("train", 0), studio)
        lit.append([int((f.image[..., 2].astype(int) - f.image[..., 0] > 120).sum()) for f in film])
    # A panel's own red, such as that of a button, is in both.
    assert min(lit[1]) > 4 * max(1, max(lit[0]))


def test_every_state_of_the_gold_can_be_drawn(known):
    studio = Studio.open(complete(RunConfig.build(type="arrow_count", n=N)))
    film = film_strip(studio.key("train", 1), studio)
    assert [frame.verdict.passed for frame in film] == [False] * (len(film) - 1) + [True]
    assert len({frame.image.tobytes() for frame in film}) >= len(film) - 1


@pytest.mark.parametrize("name", STEPPERS)
def test_the_sheet_of_a_stepper_shows_every_page_and_hides_the_answer(name):
    """As many panels as there are pages; where the gold ends is not seen from their number."""
    for made in made_of(name, EPISODES):
        mechanic = from_payload(made.record.tasks[0].mechanic)
        (axis,) = mechanic.axes
        sheet = cv2.imdecode(np.frombuffer(made.parts["sheet.jpg"], np.uint8), 1)
        columns = math.ceil(math.sqrt(axis.count))
        x0, y0, x1, y1 = region(made.record, "panel")
        height, width = sheet.shape[0] // -(-axis.count // columns), sheet.shape[1] // columns
        assert width <= x1 - x0 + 1 and height <= y1 - y0 + 1
        cells = [
            sheet[r * height : (r + 1) * height, c * width : (c + 1) * width]
            for r in range(sheet.shape[0] // height)
            for c in range(columns)
        ]
        shown = cells[: axis.count]
        first = pictures(made.parts)[0][max(0, y0) :, max(0, x0) :][:height, :width]
        assert likest(first, shown) == 0
        assert all(cell.std() > 5 for cell in shown), "a page is missing"
        assert all(cell.std() < 5 for cell in cells[axis.count :])
        taps = len(made.record.tasks[0].steps) - (mechanic.submit is not None)
        ended = pictures(made.parts)[taps][max(0, y0) :, max(0, x0) :][:height, :width]
        assert likest(ended, shown) in ((taps, axis.count - taps) if axis.wrap else (taps,))
