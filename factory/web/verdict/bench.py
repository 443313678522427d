"""How fast verdicts are, beside the bare loop that only swaps a body and takes a picture.

Every figure of a run comes from the same machine under the same load: the ways
take turns, round after round, and both processes are in the same one at once.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from queue import Empty
from statistics import median
from threading import Thread
from typing import Any, TypeAlias
from urllib.parse import quote

from factory.core.errors import FactoryError
from factory.web.browser import open_browser
from factory.web.verdict.page import Page
from factory.web.verdict.pool import Desk, open_desk
from factory.web.verdict.types import PageFault, Window

WINDOW = Window(1280, 800)
CARDS = 45
PAGES = {"bare": 24, "no_proof": 24, "proof": 12, "per_locator": 1}
"""Pages a process and round; the per-locator way needs about a second for one."""
WAIT_S = 300.0
END_S = 10.0
"""Seconds a process gets to close its browsers; killed ones end with their pipes."""

SHELL = """<!doctype html><html lang="en"><meta charset="utf-8"><style>
body { margin: 0; font: 13px/1.4 sans-serif; color: #223; background: #f6f7fa; }
header { display: flex; gap: 18px; padding: 10px 16px; background: #fff; }
main { display: grid; grid-template-columns: repeat(9, 1fr); gap: 10px; padding: 14px; }
section { padding: 8px; background: #fff; border: 1px solid #dde; border-radius: 8px; }
h2 { margin: 0 0 4px; font-size: 13px; } p { margin: 0 0 6px; color: #667; font-size: 11px; }
button { padding: 3px 9px; border: 0; border-radius: 5px; background: #35c; color: #fff; }
button:hover { background: #24a; } a { color: #35c; } label { display: block; margin-top: 4px; }
input[type=text] { width: 90%; border: 1px solid #ccd; border-radius: 4px; }
</style><body></body></html>"""
ADDRESS = f"data:text/html;charset=utf-8,{quote(SHELL)}"
CONTROLS = "a, button, input"

Way: TypeAlias = Callable[[Sequence[int]], object]
"""Deals with the pages of these numbers, one after another."""

PER_LOCATOR = """(el) => { const r = el.getBoundingClientRect(); let hits = 0;
for (const v of [.15, .5, .85]) for (const u of [.15, .5, .85]) {
  const at = document.elementFromPoint(r.left + u * r.width, r.top + v * r.height);
  if (at && (at === el || el.contains(at))) hits++; }
return [r.left, r.top, r.right, r.bottom, hits]; }"""


def body_of(number: int) -> str:
    """A page of 181 controls, about 17 kB, another one for each number."""
    cards = "".join(
        f"<section><h2>Order {number}-{i}</h2><p>Placed {i % 28 + 1} May, due in {i % 9 + 1} days"
        f"</p><button type='button'>Open {i}</button> <a href='#order-{number}-{i}'>Details</a>"
        f"<label><input type='checkbox'> Mark {i}</label>"
        f"<input type='text' aria-label='Note {i}' value='Note {i}'></section>"
        for i in range(CARDS)
    )
    return f"<header><b>Orders</b><a href='#help'>Help {number}</a></header><main>{cards}</main>"


def _bare(page: Page, numbers: Sequence[int]) -> None:
    for number in numbers:
        page.forget()
        page.swap(body_of(number))
        page.shoot()


def _judged(desk: Desk, numbers: Sequence[int], *, proof: bool) -> None:
    for judged in desk.check_bodies(ADDRESS, map(body_of, numbers), WINDOW, proof=proof):
        if isinstance(judged, PageFault):
            raise judged


def _per_locator(page: Any, numbers: Sequence[int]) -> None:
    for number in numbers:
        page.evaluate("(html) => { document.body.innerHTML = html; }", body_of(number))
        found = page.locator(CONTROLS)
        for place in range(found.count()):
            found.nth(place).evaluate(PER_LOCATOR)
        page.screenshot(type="png")


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)  # the browsers end with the pipes


def _work(worker: int, workers: int, rounds: int, barrier: Barrier, out: Any) -> None:
    """One process: all ways in turn, each begun by all processes together."""
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        with open_desk() as desk, open_browser() as browser:
            bare = Page(desk.browser(), WINDOW)
            bare.open(ADDRESS)
            bare.send("Accessibility.disable")
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            locators = context.new_page()
            locators.goto(ADDRESS)
            ways: dict[str, Way] = {
                "bare": lambda ns: _bare(bare, ns),
                "no_proof": lambda ns: _judged(desk, ns, proof=False),
                "proof": lambda ns: _judged(desk, ns, proof=True),
                "per_locator": lambda ns: _per_locator(locators, ns),
            }
            out.put((worker, _rounds(ways, rounds, workers, worker, barrier), _hits(desk)))
    except BaseException:
        barrier.abort()
        raise


def _rounds(
    ways: dict[str, Way],
    rounds: int,
    workers: int,
    worker: int,
    barrier: Barrier,
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = defaultdict(list)
    for turn in range(rounds + 1):
        for way, run in ways.items():
            pages = PAGES[way] if turn else 1  # the first round warms up
            barrier.wait(WAIT_S)
            start = time.perf_counter()
            run([(turn * 100 + i) * workers + worker for i in range(pages)])
            barrier.wait(WAIT_S)
            if turn:
                seconds[way].append((time.perf_counter() - start) / pages)
    return seconds


def _hits(desk: Desk) -> list[float]:
    """Seconds of one pass of boxes and nine points over all candidates, again and again."""
    judged = desk.check_body(ADDRESS, body_of(0), WINDOW, proof=False)
    page = desk.stage(ADDRESS, WINDOW)
    page.show(body_of(0))
    page.measure(static=False)
    taken: list[float] = []
    for _ in range(9):
        start = time.perf_counter()
        page.evaluate("verdict.changed().length")
        taken.append(time.perf_counter() - start)
    candidates = len(judged.verdict.accepted) + len(judged.verdict.rejected)
    return [seconds / candidates for seconds in taken]


def bench(*, workers: int = 2, rounds: int = 5) -> dict[str, Any]:
    """Medians over rounds: bare_pages_per_s, the ratios to it, and ms a candidate.

    ``DependencyMissing`` without a browser, ``FactoryError`` when a process ends early.
    """
    with open_desk() as desk:
        desk.browser()  # one clear message, not one from each process
    start = multiprocessing.get_context("spawn")
    barrier, out = start.Barrier(workers), start.Queue()
    arguments = [(w, workers, rounds, barrier, out) for w in range(workers)]
    processes = [start.Process(target=_work, args=a, daemon=True) for a in arguments]
    for process in processes:
        process.start()
    try:
        found = [_found_by(out, processes) for _ in processes]
        for process in processes:
            process.join(END_S)
    finally:
        for process in processes:
            process.kill()
            process.join()
    return _figures([seconds for _, seconds, _ in found], [hits for _, _, hits in found], workers)


def _found_by(out: Any, processes: Sequence[BaseProcess]) -> Any:
    """What one process found; an error as soon as one has failed."""
    while True:
        try:
            return out.get(timeout=1)
        except Empty:
            if any(process.exitcode for process in processes):
                raise FactoryError("a process of the bench ended early; see above") from None


def _figures(
    seconds: list[dict[str, list[float]]], hits: list[list[float]], workers: int
) -> dict[str, Any]:
    rates = {
        way: [workers / max(turn) for turn in zip(*(one[way] for one in seconds), strict=True)]
        for way in PAGES
    }

    def ratio(way: str, to: str) -> float:
        pairs = zip(rates[way], rates[to], strict=True)
        return round(median(a / b for a, b in pairs), 3)

    return {
        "workers": workers,
        "candidates": 4 * CARDS + 1,
        "bare_pages_per_s": round(median(rates["bare"]), 2),
        "no_proof_pages_per_s": round(median(rates["no_proof"]), 2),
        "proof_pages_per_s": round(median(rates["proof"]), 2),
        "ratio_no_proof": ratio("no_proof", "bare"),
        "ratio_proof": ratio("proof", "bare"),
        "ratio_per_locator": ratio("no_proof", "per_locator"),
        "hit_ms_per_candidate": round(1000 * median(h for one in hits for h in one), 4),
    }
