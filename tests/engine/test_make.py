"""``make_record`` is a pure function of key and config."""

from __future__ import annotations

import random

import cv2
import numpy as np
import orjson
import pytest
from runs import N, small_config

from factory.core import record as records
from factory.core.errors import InvalidOptions
from factory.core.rng import SampleKey
from factory.engine.make import make_record
from factory.engine.mixture import BLOCK
from factory.engine.studio import Studio
from factory.engine.verify import record_fault


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio.open(small_config())


def test_neither_order_nor_neighbours_nor_caches_change_a_sample(studio):
    keys = [studio.key("train", index) for index in range(N)]
    first = [make_record(key, studio).parts for key in keys]
    fresh = Studio.open(small_config())
    for key in reversed(keys):
        assert make_record(key, fresh).parts == first[key.index]
    assert make_record(keys[3], studio).parts == first[3]


def test_global_randomness_changes_nothing_and_is_left_alone(studio):
    key = studio.key("train", 5)
    once = make_record(key, studio).parts
    random.seed(99)
    np.random.seed(99)
    expected = (random.Random(99).random(), np.random.RandomState(99).random())
    assert make_record(key, studio).parts == once
    assert (random.random(), np.random.random()) == expected


def test_every_record_stands_on_its_own(studio):
    for index in range(N):
        made = make_record(studio.key("train", index), studio)
        assert record_fault(str(made.key), made.parts) == ""
        flat = records.decode(made.parts["json"])
        image = cv2.imdecode(np.frombuffer(made.parts["jpg"], np.uint8), cv2.IMREAD_COLOR)
        assert image.shape == (flat.height, flat.width, 3)
        for region in made.record.regions:
            x0, y0, x1, y1 = region.box
            assert 0 <= x0 < x1 <= flat.width and 0 <= y0 < y1 <= flat.height
        assert made.row["fingerprint"] == made.record.fingerprint
        assert orjson.loads(flat.payload)["provenance"] == studio.provenance_id


def test_png_runs_hold_the_pixels_that_were_drawn():
    studio = Studio.open(small_config(format="png"))
    made = make_record(studio.key("train", 1), studio)
    assert set(made.parts) == {"json", "png", "txt"}
    assert cv2.imdecode(np.frombuffer(made.parts["png"], np.uint8), cv2.IMREAD_COLOR) is not None


def test_a_key_of_another_config_is_refused(studio):
    with pytest.raises(InvalidOptions, match="--run"):
        make_record(SampleKey("rotate", "train", 0, "00000000", 1), studio)


def test_no_picture_comes_twice(studio):
    prints = {make_record(studio.key("train", i), studio).row["fingerprint"] for i in range(N)}
    assert len(prints) == N


@pytest.mark.parametrize("split", ["train", "val"])
def test_a_split_filled_to_its_capacity_shows_each_content_once(split):
    studio = Studio.open(small_config(type="slider_calibration"))
    room = studio.capacity(split)
    assert room % BLOCK  # the last block of the mixture is begun and not ended
    last = range(max(0, room - 2 * BLOCK), room)
    keys = [studio.key(split, index) for index in last]
    numbers = {studio.content_number(key, studio.plan(key), 0) for key in keys}
    assert len(numbers) == len(keys)


def test_difficulty_stays_in_its_range():
    studio = Studio.open(small_config(difficulty=(0.4, 0.6)))
    for index in range(N):
        assert 0.4 <= make_record(studio.key("train", index), studio).record.difficulty <= 0.6
