"""The steps of ``factory setup``, each of which may be repeated at no cost."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from factory.core.errors import DependencyMissing
from factory.draw.assets import home
from factory.setup.browser import ensure_browser
from factory.setup.npm import ensure_assets, ensure_kits
from factory.setup.system import apt_command, ensure_skia

NO_BROWSER = (
    "no Chromium starts on this machine, so pages are PLAIN: drawn backdrops and no "
    f"grounding scenarios. Bring one (`{apt_command('chromium')}`, or name one in "
    "FACTORY_BROWSER) and run `factory setup` again, or accept it with --allow-plain"
)


def run(backdrops: int, *, allow_plain: bool = False, echo: Callable[[str], None] = print) -> None:
    """Bring everything that a run needs, and paint a bank of ``backdrops`` pages.

    ``DependencyMissing`` (exit code 3) when something cannot be brought. A
    missing browser is reported last, after a bank of plain pages is drawn,
    unless ``allow_plain`` accepts those.
    """
    with _one_at_a_time(home(), echo):
        ensure_skia(echo)
        ensure_assets(echo)
        ensure_kits(echo)
        painted = ensure_browser(echo)
        if not painted:
            echo("browser: NONE, so pages will be PLAIN")
        _fill_bank(backdrops, painted, echo)
    if not painted and not allow_plain:
        raise DependencyMissing(NO_BROWSER)


def _fill_bank(backdrops: int, painted: bool, echo: Callable[[str], None]) -> None:
    from factory.web.bank import build_bank

    echo(f"backdrops: a bank of {backdrops}")
    bank = build_bank(
        backdrops,
        painter="chromium" if painted else "plain",
        progress=_quarters(lambda percent: echo(f"backdrops: {percent} %")),
    )
    echo(f"backdrops: ready in {bank.folder}")


def _quarters(tell: Callable[[int], None]) -> Callable[[int, int], None]:
    """A progress callback that speaks at 25, 50, 75 and 100 %."""

    def progress(done: int, total: int) -> None:
        quarter = 4 * done // total
        if done and quarter > 4 * (done - 1) // total:
            tell(25 * quarter)

    return progress


@contextmanager
def _one_at_a_time(folder: Path, echo: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock of the factory's home; a second set-up waits for the first."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".setup-lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            echo("another `factory setup` is at work: waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
