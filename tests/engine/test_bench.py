"""The benchmark times every form of a class against the encoding of all its pictures."""

from __future__ import annotations

import pytest

from factory.config import Viewport
from factory.engine import bench
from factory.engine.bench import bench_class
from factory.engine.shard_task import ShardPlan

VIEWPORT = Viewport(width=1280, height=800)


@pytest.mark.parametrize("name", ["moving_target_click", "pager_image_match", "rotate"])
def test_every_form_has_its_rounds_and_every_picture_is_encoded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "ROUND", 16)
    plans: list[ShardPlan] = []
    encoded: list[int] = []
    real_shard, real_encode = bench.make_shard, bench.encode_only

    def make_shard(workshop, plan, out, count):
        plans.append(plan)
        return real_shard(workshop, plan, out, count)

    def encode_only(canvas, quality):
        encoded.append(1)
        return real_encode(canvas, quality)

    monkeypatch.setattr(bench, "make_shard", make_shard)
    monkeypatch.setattr(bench, "encode_only", encode_only)
    found = bench_class(name, VIEWPORT, "embedded", rounds=2, warm_up=4, echo=print)
    assert found.per_s > 0 and found.encode_only_per_s > 0 and found.ratio > 0
    forms = sorted({plan.group for plan in plans})
    assert forms == {"moving_target_click": ["", "i06"], "pager_image_match": ["i08"]}.get(
        name, [""]
    )
    assert len({(plan.group, plan.first) for plan in plans}) == len(plans) == 3 * len(forms)
    pictures = {"": 1, "i06": 6, "i08": 8}
    timed = plans[len(forms) :]
    assert len(encoded) == sum(plan.count * pictures[plan.group] for plan in timed)
