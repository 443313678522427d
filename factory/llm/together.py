"""Several questions at once, in threads that nobody has to wait for when a run is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def together(work: Callable[[T], R], items: Sequence[T], threads: int) -> list[R]:
    """``work`` of every item, in their order. The first error ends it.

    What is being asked then is still heard to its end, for it is paid for; but an interruption is
    raised at once: the threads are daemons, and a server may take minutes.
    """
    left: SimpleQueue[tuple[int, T]] = SimpleQueue()
    done: SimpleQueue[tuple[int, R | None, BaseException | None]] = SimpleQueue()
    for place in enumerate(items):
        left.put(place)

    def run() -> None:
        with suppress(Empty):
            while True:
                index, item = left.get_nowait()
                try:
                    done.put((index, work(item), None))
                except BaseException as error:  # raised where it is waited for
                    _drain(left)
                    done.put((index, None, error))
                    return

    running = [Thread(target=run, daemon=True) for _ in range(min(threads, len(items)))]
    for thread in running:
        thread.start()
    found: dict[int, R] = {}
    for _ in items:
        index, value, error = done.get()
        if error is not None:
            for thread in running:
                thread.join()
            raise error
        found[index] = value  # pyright: ignore[reportArgumentType]
    return [found[index] for index in range(len(items))]


def _drain(left: SimpleQueue[tuple[int, T]]) -> None:
    with suppress(Empty):
        while True:
            left.get_nowait()
