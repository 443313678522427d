"""The benchmark of pages makes the same pages both ways, and reports what the seconds say."""

from __future__ import annotations

from pathlib import Path

import pytest

from factory.engine import bench_pages
from factory.engine.bench_pages import bench_pages as bench


def test_both_ways_deal_with_the_same_pages_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_pages, "SCENARIOS", ("settings",))
    monkeypatch.setattr(bench_pages, "CHUNK", 2)
    shot: list[list[int]] = []
    whole: list[tuple[bool, list[int]]] = []
    real_bare, real_whole = bench_pages._bare, bench_pages._whole

    def bare(browser, shop, indices, folder):
        shot.append(list(indices))
        return real_bare(browser, shop, indices, folder)

    def made(shop, indices, path: Path):
        spent = real_whole(shop, indices, path)
        assert path.stat().st_size > 0
        whole.append((shop.config.proof, list(indices)))
        return spent

    monkeypatch.setattr(bench_pages, "_bare", bare)
    monkeypatch.setattr(bench_pages, "_whole", made)
    found = bench(rounds=1)
    assert shot == [[0], [2, 3]]
    assert whole == [(proof, rows) for rows in shot for proof in (False, True)]
    assert found["bare_pages_per_s"] > found["pages_per_s"] > 0
    assert found["ratio_proof"] > 0


def test_ratios_are_medians_of_turns_and_rates_of_seconds() -> None:
    seconds = {"bare": [0.1, 0.2, 0.1], "no_proof": [0.2, 0.2, 0.4], "proof": [0.4, 0.4, 0.2]}
    assert bench_pages._figures(seconds) == {
        "bare_pages_per_s": 10.0,
        "pages_per_s": 2.5,
        "ratio_no_proof": 0.5,
        "ratio_proof": 0.5,
    }
