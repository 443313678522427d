"""What commands print: a progress bar for people, JSON lines for machines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from factory.engine.run import Progress

EVENT_EVERY_S = 2.0
"""Seconds between two progress events of ``--json``."""


class Echo:
    """Lines and results, on stdout as JSON or as text."""

    def __init__(self, *, json: bool) -> None:
        self.json = json

    def line(self, text: str) -> None:
        """A remark: to stderr, so that stdout holds results only."""
        if self.json:
            print_json({"event": "note", "text": text})
        else:
            print(text, file=sys.stderr)

    def result(self, values: dict[str, Any]) -> None:
        """The result of a command."""
        if self.json:
            print_json({"event": "result", **values})
            return
        width = max(map(len, values))
        for name, value in values.items():
            print(f"{name.ljust(width)}  {value}")


def print_json(values: Any) -> None:
    """One JSON value on a line of stdout."""
    print(orjson.dumps(values).decode(), flush=True)


@contextmanager
def progress(*, json: bool) -> Iterator[Callable[[Progress], None]]:
    """A reporter of ``Progress``: rate, time left, reject rate and bytes."""
    if json or not sys.stderr.isatty():
        yield _events if json else (lambda progress: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(), TextColumn("{task.fields[more]}"),
    )  # fmt: skip
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None, rate="", more="")

        def show(moment: Progress) -> None:
            bar.update(
                task,
                completed=moment.done,
                total=moment.total,
                rate=f"{moment.per_s:.0f}/s",
                more=f"rejects {moment.reject_rate:.1%}, {moment.nbytes / 1e6:.0f} MB",
            )

        yield show


_last_event = -EVENT_EVERY_S


def _events(moment: Progress) -> None:
    global _last_event
    now = time.monotonic()
    if now - _last_event < EVENT_EVERY_S and moment.done < moment.total:
        return
    _last_event = now
    print_json(
        {
            "event": "progress",
            "done": moment.done,
            "total": moment.total,
            "per_s": round(moment.per_s, 1),
            "reject_rate": round(moment.reject_rate, 4),
            "bytes": moment.nbytes,
        }
    )
