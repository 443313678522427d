"""Pages go through shards, verify, show, resume and mixes as puzzles do."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest
from runs import factory, started

import factory as package
from exporters.shard_reader import iter_samples
from factory.core import answers, registry
from factory.core import record as records
from factory.core.errors import InvalidOptions, ShardCorrupt
from factory.engine.batch import batch_of, config_of, groups_of, mix_of, open_workshop, resolve
from factory.engine.diversity import page_diversity
from factory.engine.made import Made
from factory.engine.scene_workshop import SceneWorkshop
from factory.engine.show import show
from factory.engine.stats import rows
from factory.engine.verify import verify
from factory.scenarios import catalog, kits
from factory.scene_config import SceneConfig
from factory.web.verdict.types import PageFault, PageReason

PAGES, PER_SHARD = 6, 3
WORDS = ("--scenario", "mail", "--n", PAGES, "--shard-samples", PER_SHARD)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages") / "run"
    done = factory("gen", "grounding", *WORDS, "--out", out, "--workers", 1)
    assert done.returncode == 0, done.stderr
    return out


def samples(run: Path) -> dict[str, dict[str, bytes]]:
    return {
        key: dict(parts)
        for shard in sorted(run.rglob("*.tar"))
        for key, parts, _ in iter_samples(shard)
    }


def record(parts: dict[str, bytes]) -> records.Record:
    return records.record_of(records.decode(parts["json"]))


def digests(run: Path) -> dict[str, str]:
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(run.rglob("*.tar"))
    }


def test_a_page_has_html_picture_record_and_a_line_for_each_task(run: Path) -> None:
    found = samples(run)
    assert len(found) == PAGES
    for parts in found.values():
        assert sorted(parts) == ["html", "jpg", "json", "txt"]
        asked = parts["txt"].decode().splitlines()
        assert len(asked) == len(record(parts).tasks) > 3
        assert not {"[-1,-1]", "response"} & set(asked)


def test_boxes_lie_on_the_picture_and_every_answer_is_right(run: Path) -> None:
    for parts in samples(run).values():
        one = record(parts)
        pixels = np.asarray(cv2.imdecode(np.frombuffer(parts["jpg"], np.uint8), 1))
        height, width = pixels.shape[:2]
        seen = one.observations[0]
        assert (seen.width, seen.height) == (width, height)
        for task in one.tasks:
            actions = [action for step in task.steps for action in step.actions]
            said = answers.spoken(actions, (width, height))
            assert answers.verdict(task.mechanic, said, (width, height)).passed
            for x0, y0, x1, y1 in task.mechanic.get("boxes", []):
                assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height


def test_refusals_are_paired_with_a_positive_on_the_same_page(run: Path) -> None:
    refused = 0
    for parts in samples(run).values():
        one = record(parts)
        asked = {spec["id"]: spec for spec in one.state["asked"]}
        for task in one.tasks:
            if task.kind == "refuse":
                refused += 1
                parent = asked[asked[task.id]["parent"]]
                assert parent["kind"] == "ground" and asked[task.id]["negative"]
                assert task.mechanic["boxes"] == [] and not task.steps[0].actions
    assert refused >= PAGES // 2


def test_the_first_task_is_what_flat_readers_train_on(run: Path) -> None:
    for parts in samples(run).values():
        flat = records.decode(parts["json"])
        assert flat.prompt == record(parts).tasks[0].instruction
        assert package.verdict(flat.payload, flat.response).passed
        assert not package.verdict(flat.payload, "[1,1]").passed


def test_the_run_verifies_and_is_made_again(run: Path) -> None:
    report = verify(run)
    assert report.ok, report.problems
    row = next(iter(rows(run, ["key", "family", "context", "answer_kind"])))
    assert row["family"] == "grounding"
    again = show(row["key"], run=run)
    stored = samples(run)[row["key"]]
    assert again.parts["json"] == stored["json"] and again.parts["html"] == stored["html"]


def test_the_card_names_the_style_sheets_that_pages_show(run: Path) -> None:
    card, listed = (run / "README.md").read_text(), (run / "LICENSES" / "SOURCES.txt").read_text()
    assert kits.licences()
    for name, licence in kits.licences().items():
        assert f"{name} ({licence})" in card and f"{name}: {licence}" in listed
    assert (run / "LICENSES" / "bootstrap.txt").is_file()


def test_a_false_answer_is_named_by_verify(run: Path) -> None:
    from factory.engine.verify import record_fault

    key, parts = next(iter(samples(run).items()))
    flat = orjson.loads(parts["json"])
    payload = orjson.loads(flat["payload"])
    place = next(t for t in payload["tasks"] if t["kind"] == "ground")
    place["mechanic"]["boxes"] = [[0, 0, 1, 1]]
    flat["payload"] = orjson.dumps(payload).decode()
    assert "is not what is right" in record_fault(key, {**parts, "json": orjson.dumps(flat)})
    assert record_fault(key, parts) == ""


def test_a_killed_run_resumes_to_the_same_shards(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("gen", "grounding", *WORDS, "--out", out, "--workers", 2)
    with started(*words) as process:
        until = time.monotonic() + 120
        while not list(out.rglob("*.tar")) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    assert not (out / "manifest.json").is_file()
    done = factory(*words, "--resume")
    assert done.returncode == 0, done.stderr
    assert digests(out) == digests(run)


def test_no_page_asks_for_anything_outside(run: Path) -> None:
    for parts in samples(run).values():
        html = parts["html"].decode().replace("http://www.w3.org", "")
        assert "http:" not in html and "https:" not in html and "//cdn" not in html
        assert "<script" not in html and "onclick" not in html


def test_scenarios_and_classes_share_no_name() -> None:
    assert not set(catalog.apps()) & {*registry.names(), *registry.families(), "all", "scenarios"}
    assert resolve("scenarios") == list(catalog.apps())
    assert isinstance(config_of({"type": "mail"}), SceneConfig)
    assert groups_of(config_of({"type": "mail"})) == ("pages",)
    with pytest.raises(InvalidOptions, match="themes"):
        config_of({"type": "mail", "themes": {"contrast": 1.0}})
    with pytest.raises(InvalidOptions, match="platforms"):
        config_of({"type": "mail", "platforms": {"amiga": 1.0}})


def test_a_run_that_no_window_suits_is_refused() -> None:
    config = config_of({"type": "mail", "platforms": {"ios": 1.0}, "viewports": {"1280x800": 1.0}})
    with pytest.raises(InvalidOptions, match="mail exists on"):
        open_workshop(config).check()


def test_pages_and_puzzles_lie_in_one_run(tmp_path: Path) -> None:
    mix = tmp_path / "mix.toml"
    mix.write_text(
        'n = 6\n[classes]\nrotate = 1\nmail = 1\n[class.mail]\nviewports = { "1280x800" = 1 }\n'
        'platforms = { web = 1 }\n[class.rotate]\nviewports = { "1280x800" = 1 }\n'
    )
    out = tmp_path / "run"
    done = factory("gen", "mix", mix, "--out", out, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert verify(out).ok
    kinds = {row["type"]: row["shard"] for row in rows(out, ["type", "shard"])}
    assert kinds["mail"].startswith("pages/train/") and kinds["rotate"].startswith("train/")
    card = (out / "README.md").read_text()
    assert "path: pages/train/*.tar" in card and "path: train/*.tar" in card


def test_the_batch_of_all_scenarios_has_each_once() -> None:
    batch = batch_of("scenarios", {"n": 40 * len(catalog.apps())})
    assert [config.type for config in batch.configs] == list(catalog.apps())
    assert {config.n for config in batch.configs} == {40}
    mixed: Any = mix_of({"classes": {"scenarios": 1.0, "rotate": 1.0}, "n": 400})
    assert "rotate" in {config.type for config in mixed.configs}


def test_scenarios_are_listed() -> None:
    listed = json.loads(factory("list", "--scenarios", "--json").stdout)
    assert [row["id"] for row in listed] == list(catalog.apps())
    assert all(row["platforms"] and row["screens"] for row in listed)
    assert len(factory("list", "--scenarios").stdout.splitlines()) == len(listed)


def test_diversity_counts_every_page_or_says_which_are_gone(run: Path, tmp_path: Path) -> None:
    whole = page_diversity(run)
    assert whole["pages"] == PAGES
    part = Path(shutil.copytree(run, tmp_path / "part"))
    next(iter(sorted(part.rglob("*.tar")))).unlink()
    with pytest.raises(ShardCorrupt, match=f"holds {PAGES - PER_SHARD} of {PAGES} pages"):
        page_diversity(part)
    (part / "manifest.parquet").unlink()
    with pytest.raises(ShardCorrupt, match=r"manifest\.parquet is not there"):
        page_diversity(part)


def test_what_the_machine_does_to_a_page_does_not_decide_what_its_key_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop = SceneWorkshop(SceneConfig(type="mail"))
    key = shop.key("train", 3)
    (calm,) = shop.make([key])
    look_at, moved = SceneWorkshop._looked_at, [PageReason.UNSTABLE, PageReason.HUNG] * 4

    def shaken(self: SceneWorkshop, pages: Any) -> Any:
        for one, found in look_at(self, pages):
            yield one, PageFault(moved.pop(), "shaken") if moved else found

    monkeypatch.setattr(SceneWorkshop, "_looked_at", shaken)
    (busy,) = shop.make([key])
    assert not moved
    assert isinstance(calm, Made) and isinstance(busy, Made)
    assert busy.parts == calm.parts
