"""From records to examples: every gold passes its own judge, and nothing gives it away."""

from __future__ import annotations

import io
from pathlib import Path

import orjson
import pytest
from PIL import Image

from exporters.shard_reader import iter_samples
from factory.core import reward
from factory.core.action_text import format_grounding
from factory.core.errors import ShardCorrupt
from factory.core.record import Observation, Record, Step, Task, encode, flatten
from tests.training.runs_for_training import data, examples, shards, source
from training.samples import examples_of


@pytest.mark.parametrize("crop", ["canvas", "panel"])
@pytest.mark.parametrize("name", ["rotate_run", "frames_run", "episode_run"])
def test_every_gold_earns_the_whole_reward(
    name: str, crop: str, request: pytest.FixtureRequest
) -> None:
    run = request.getfixturevalue(name)
    found = list(examples(run, data(source(run), crop=crop)))
    assert found
    for example in found:
        assert example.kind == "captcha"
        scored = reward.captcha_reward(example.payload, example.response)
        assert scored.total == 1.0, (example.key, scored)


def test_without_thinking_the_answer_is_the_same(rotate_run: Path) -> None:
    for example in examples(rotate_run, data(source(rotate_run), thinking=False)):
        assert example.response.startswith("<think></think><action>")
        assert reward.captcha_reward(example.payload, example.response).total == 1.0


def test_a_cropped_panel_is_the_picture_that_the_payload_measures(rotate_run: Path) -> None:
    for example in examples(rotate_run, data(source(rotate_run), crop="panel")):
        with Image.open(io.BytesIO(example.images[0])) as picture:
            assert list(picture.size) == example.payload["size"]
            assert picture.width < 1280


def test_frames_come_all_and_in_order(frames_run: Path) -> None:
    counts = {len(example.images) for example in examples(frames_run)}
    assert counts == {1, 8}


def test_an_episode_at_once_is_seen_from_its_start_and_its_film_strip(episode_run: Path) -> None:
    parts_of = {
        key: parts for shard in shards(episode_run) for key, parts, _ in iter_samples(shard)
    }
    for example in examples(episode_run):
        parts = parts_of[example.key]
        assert example.images == (parts["i00.jpg"], parts["sheet.jpg"])


@pytest.mark.parametrize("history", [0, 2])
def test_an_episode_in_steps_shows_the_last_pictures_and_says_what_was_done(
    episode_run: Path, history: int
) -> None:
    config = data(source(episode_run), episodes="steps", history=history)
    number = 0
    for example in examples(episode_run, config):
        number = 0 if example.key.endswith("#s00") else number + 1
        assert example.key.endswith(f"#s{number:02d}")
        assert len(example.images) == min(number, history) + 1
        assert len(example.history) == number
        assert example.kind == "action" and len(example.payload["actions"]) == 1
        # No step but the last knows the answer of the whole; nobody sees their own.
        assert example.response.partition("</think>")[2] not in example.prompt
    assert number > 0


def test_a_page_gives_one_example_a_task() -> None:
    size = 1000
    tasks = tuple(_task(f"t{n:02d}", box) for n, box in enumerate(([10, 20, 30, 40], None)))
    parts = _page(tasks, size)
    config = data(source(Path("run"), domain="pages"))
    found = examples_of(parts, config.sources[0], config)
    assert [one.key for one in found] == ["page-train-s0-c0-0#t00", "page-train-s0-c0-0#t01"]
    assert [one.refuses for one in found] == [False, True]
    assert [one.response for one in found] == ["[20,30]", "[-1,-1]"]
    assert all(reward.verdict(one.payload, one.response).passed for one in found)
    assert {one.domain for one in found} == {"pages"}
    only = replace_kinds(config, ("captcha",))
    assert examples_of(parts, only.sources[0], only) == []


def test_families_and_types_are_filters(rotate_run: Path) -> None:
    assert not list(examples(rotate_run, data(source(rotate_run, types=["hold_button"]))))
    assert list(examples(rotate_run, data(source(rotate_run, families=["rotate"]))))


def test_a_missing_picture_is_one_clear_message(rotate_run: Path) -> None:
    _, parts, _ = next(iter_samples(shards(rotate_run)[0]))
    config = data(source(rotate_run))
    with pytest.raises(ShardCorrupt, match=r"names the picture 'jpg', which its shard does not"):
        examples_of({"json": parts["json"]}, config.sources[0], config)
    broken = {**parts, "jpg": parts["jpg"][:100]}
    cut = data(source(rotate_run), crop="panel")
    with pytest.raises(ShardCorrupt, match="cannot be read"):
        examples_of(broken, cut.sources[0], cut)


def test_a_short_prompt_is_the_goal_alone(rotate_run: Path) -> None:
    for example in examples(rotate_run, data(source(rotate_run), prompt="short")):
        assert example.system == ""
        assert 0 < len(example.prompt) < 100


def replace_kinds(config, kinds):
    first = config.sources[0].model_copy(update={"kinds": kinds})
    return config.model_copy(update={"sources": (first,)})


def _task(name: str, box: list[float] | None) -> Task:
    from factory.core import answers
    from factory.core.actions import Click
    from factory.core.geometry import Box

    boxes = [] if box is None else [Box(*box)]
    actions = () if box is None else (Click(point=boxes[0].center),)
    return Task(
        id=name, kind="ground", platform="grounding", instruction_mode="goal", goal=f"find {name}",
        instruction=f"Locate: {name}", system="Answer.", steps=(Step(0, actions),),
        mechanic=answers.place(boxes),
    )  # fmt: skip


def _page(tasks: tuple[Task, ...], side: int) -> dict[str, bytes]:
    record = Record(
        key="page-train-s0-c0-0", type="page", family="grounding", generator="page@1",
        split="train", lang="en", theme="light", context="web", difficulty=0.0,
        observations=(Observation("png", side, side, 1.0),), tasks=tasks, regions=(), maps={},
        state={}, plate={}, checks={}, parity={}, fingerprint="", attempts=1, provenance="",
    )  # fmt: skip
    picture = io.BytesIO()
    Image.new("RGB", (side, side)).save(picture, "PNG")
    flat = flatten(record, response=format_grounding(None))
    assert orjson.loads(flat.payload)["size"] == [side, side]
    return {"json": encode(flat), "png": picture.getvalue(), "txt": b""}
