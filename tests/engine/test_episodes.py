"""Episodes and frames go through record, shards, show, verify and the film strip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from episodic_classes import FRAMES, ArrowCount, BlinkingLamp
from runs import make_run

from exporters.shard_reader import iter_samples
from factory.config import RunConfig
from factory.core import record as records
from factory.core import registry
from factory.core.mechanics import from_payload, judge, replay
from factory.engine.film import film_strip
from factory.engine.generate import complete
from factory.engine.show import show
from factory.engine.stats import rows
from factory.engine.studio import Studio
from factory.engine.verify import verify

N = 6


@pytest.fixture(scope="module", autouse=True)
def known():
    with pytest.MonkeyPatch.context() as patch:
        registry.names()
        for cls in (ArrowCount, BlinkingLamp):
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
    studio = Studio.open(complete(RunConfig.build(type="blinking_lamp", n=N)))
    from factory.engine.make import make_record

    made = make_record(studio.key("train", 0), studio)
    (step,) = made.record.tasks[0].steps
    assert step.observation == FRAMES - 1
    dark, lit = pictures(made.parts)[1:3]
    changed = np.argwhere(np.abs(dark.astype(int) - lit).max(axis=2) > 60)
    top, left, foot, right = *changed.min(axis=0), *changed.max(axis=0)
    x, y = step.actions[0].point
    assert left <= x <= right and top <= y <= foot


def test_an_episode_shows_the_state_that_its_actions_lead_to():
    studio = Studio.open(complete(RunConfig.build(type="arrow_count", n=N)))
    from factory.engine.make import make_record

    made = make_record(studio.key("train", 0), studio)
    steps = made.record.tasks[0].steps
    assert [step.observation for step in steps] == list(range(ArrowCount.images))
    slot = next(r.box for r in made.record.regions if r.name == "picture")
    x0, y0, x1, y1 = (round(v) for v in slot)
    reds = [
        int((p[y0:y1, x0:x1, 2].astype(int) - p[y0:y1, x0:x1, 0] > 80).sum())
        for p in pictures(made.parts)
    ]
    mechanic = from_payload(made.record.tasks[0].mechanic)
    done = []
    for step, red in zip(steps, reds, strict=True):
        on_target = mechanic.pose(replay(mechanic, done)).page == made.record.state["target"]
        assert (red > 1000) == on_target
        done += step.actions
    assert judge(mechanic, done).passed and not judge(mechanic, done[:-1]).passed


def test_every_state_of_the_gold_can_be_drawn(known):
    studio = Studio.open(complete(RunConfig.build(type="arrow_count", n=N)))
    film = film_strip(studio.key("train", 1), studio)
    assert [frame.verdict.passed for frame in film] == [False] * (len(film) - 1) + [True]
    assert len({frame.image.tobytes() for frame in film}) >= len(film) - 1
