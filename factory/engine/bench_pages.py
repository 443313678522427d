"""How fast pages with tasks are made, beside the bare loop that swaps a body and takes a picture.

Both ways deal with the same pages and take turns, chunk after chunk, in one process. The whole
way composes a page, judges it, asks about it, encodes picture and record and writes the shard;
the bare one is given the composed bodies and open shells, and keeps nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from exporters.shards import ShardWriter
from factory.core.rng import SampleKey
from factory.engine.made import Made
from factory.engine.scene_workshop import SceneWorkshop
from factory.scenarios import kits
from factory.scenarios.page import ScenePage
from factory.scene_config import SceneConfig
from factory.web.verdict import open_desk
from factory.web.verdict.page import Page

SCENARIOS = ("mail", "shop", "sheet", "settings")
"""A dense, a pictured, a professional and a plain one."""

CHUNK = 20
"""Pages of a scenario in a turn."""


def bench_pages(rounds: int = 3) -> dict[str, Any]:
    """Medians over turns: bare_pages_per_s, and the ratios of the whole way to it.

    ``DependencyMissing`` without a browser.
    """
    seconds: dict[str, list[float]] = {"bare": [], "no_proof": [], "proof": []}
    with TemporaryDirectory(prefix="factory-bench-") as folder, open_desk() as desk:
        browser = desk.browser()
        for name in SCENARIOS:
            shops = {
                "no_proof": SceneWorkshop(SceneConfig(type=name, proof=False)),
                "proof": SceneWorkshop(SceneConfig(type=name, proof=True)),
            }
            for turn in range(rounds + 1):
                indices = range(turn * CHUNK, turn * CHUNK + (CHUNK if turn else 1))
                taken = {"bare": _bare(browser, shops["proof"], indices, Path(folder))}
                for way, shop in shops.items():
                    taken[way] = _whole(shop, indices, Path(folder) / f"{name}-{way}-{turn}.tar")
                if turn:  # the first turn warms up
                    for way, spent in taken.items():
                        seconds[way].append(spent / len(indices))
    return _figures(seconds)


def _bare(browser: Any, shop: SceneWorkshop, indices: Sequence[int], folder: Path) -> float:
    """Seconds to swap in and shoot composed pages, in shells that are open and have the window."""
    pages = [shop.page(shop.key("train", index)) for index in indices]

    def place(page: ScenePage) -> tuple[str, str]:
        return page.scene.kit, repr(page.scene.window)

    spent = 0.0
    for (kit, _), alike in groupby(sorted(pages, key=place), key=place):
        own = list(alike)
        stage = Page(browser, own[0].scene.window)
        stage.open(kits.write_shell(kit, folder))
        start = time.perf_counter()
        for page in own:
            stage.forget()
            stage.swap(page.body)
            stage.shoot()
        spent += time.perf_counter() - start
        stage.close()
    return spent


def _whole(shop: SceneWorkshop, indices: Sequence[int], path: Path) -> float:
    """Seconds to make and write the samples of the same pages."""
    keys: list[SampleKey] = [shop.key("train", index) for index in indices]
    start = time.perf_counter()
    with ShardWriter(path) as shard:
        for key, made in zip(keys, shop.make(keys), strict=True):
            if isinstance(made, Made):
                shard.add(str(key), made.parts)
    return time.perf_counter() - start


def _figures(seconds: dict[str, list[float]]) -> dict[str, Any]:
    """Rates and ratios; a ratio is the median over turns of what both ways took in one."""
    pairs = {way: list(zip(seconds["bare"], seconds[way], strict=True)) for way in seconds}
    return {
        "bare_pages_per_s": round(1 / median(seconds["bare"]), 2),
        "pages_per_s": round(1 / median(seconds["proof"]), 2),
        "ratio_no_proof": round(median(bare / own for bare, own in pairs["no_proof"]), 3),
        "ratio_proof": round(median(bare / own for bare, own in pairs["proof"]), 3),
    }
