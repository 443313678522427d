"""Many bodies, two in work at once, get the verdicts that they get one by one, in their order."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from factory.core.errors import InvalidOptions
from factory.web.verdict import Desk, PageFault, PageVerdict, Window
from factory.web.verdict.devtools import Chromium, Silence

WINDOW = Window(400, 300)
SHELL = "data:text/html,<!doctype html><body>"
BROKEN = "<img src='data:image/png,no' width=20 height=20 alt=x>"
COVERED = "<button>Covered</button><p style='position:fixed;inset:0'></p>"
CROWDED = "<a href=#x style='margin:9px'>Over <button style='margin:-9px'>Under</button></a>"


def bodies() -> list[str]:
    """Plain ones, and some that take more pictures than their neighbours."""
    plain = [f"<button style='margin-left:{9 * n}px'>{n}</button>" for n in range(5)]
    return [plain[0], CROWDED, plain[1], COVERED, plain[2], CROWDED, plain[3], plain[4]]


def verdicts(desk: Desk, given: list[str]) -> list[PageVerdict | PageFault]:
    found = desk.check_bodies(SHELL, given, WINDOW)
    return [one if isinstance(one, PageFault) else one.verdict for one in found]


def test_bodies_get_the_verdicts_that_they_get_one_by_one(desk: Desk) -> None:
    alone = [desk.check_body(SHELL, body, WINDOW).verdict for body in bodies()]
    assert len({verdict.proof_shots for verdict in alone}) > 1
    assert verdicts(desk, bodies()) == alone


def test_body_without_a_verdict_takes_no_other_with_it(desk: Desk) -> None:
    alone = desk.check_body(SHELL, bodies()[0], WINDOW).verdict
    found = verdicts(desk, [bodies()[0], BROKEN, bodies()[0], bodies()[0]])
    assert [isinstance(one, PageFault) for one in found] == [False, True, False, False]
    assert found[0] == found[2] == found[3] == alone


def test_bodies_in_work_when_the_browser_is_killed_are_tried_again(desk: Desk) -> None:
    alone = [desk.check_body(SHELL, body, WINDOW).verdict for body in bodies()]

    def killing() -> Iterator[str]:
        for number, body in enumerate(bodies()):
            if number == 4:
                os.killpg(desk.browser().process.pid, signal.SIGKILL)
            yield body

    found = desk.check_bodies(SHELL, killing(), WINDOW)
    assert [None if isinstance(one, PageFault) else one.verdict for one in found] == alone


def test_a_browser_that_does_not_answer_is_ended_like_one_that_is_gone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [desk.check_body(SHELL, body, WINDOW).verdict for body in bodies()]
    talk, silent = Chromium.__call__, [True]

    def starved(self: Chromium, method: str, *args: Any, **named: Any) -> Any:
        if method == "Target.createTarget" and silent:
            silent.clear()
            raise Silence("no answer in 20 s")
        return talk(self, method, *args, **named)

    desk.restart()
    starts = desk.starts
    monkeypatch.setattr(Chromium, "__call__", starved)
    assert verdicts(desk, bodies()) == alone
    assert desk.starts == starts + 2


def test_browser_is_renewed_between_bodies(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factory.web.verdict.pool.PAGES_A_BROWSER", 3)
    starts = desk.starts
    assert not [one for one in verdicts(desk, bodies()) if isinstance(one, PageFault)]
    assert desk.starts >= starts + 2


def test_second_walk_is_refused_until_the_first_has_ended(desk: Desk) -> None:
    walk = desk.check_bodies(SHELL, bodies(), WINDOW)
    next(walk)
    with pytest.raises(InvalidOptions, match="end that walk first"):
        desk.check_body(SHELL, bodies()[0], WINDOW)
    walk.close()
    assert desk.check_body(SHELL, bodies()[0], WINDOW).verdict.accepted
