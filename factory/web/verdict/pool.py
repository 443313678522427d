"""The desk: a browser that is there when it is needed, renewed by count, memory and mishap."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from factory.core.errors import ConfigError, InvalidOptions
from factory.web.verdict.devtools import BrowserGone, Chromium, Refused, Silence
from factory.web.verdict.judge import Judged, judge
from factory.web.verdict.lanes import Lanes, Look
from factory.web.verdict.page import Page
from factory.web.verdict.types import PageFault, PageReason, Window

PAGES_A_BROWSER = 2000
"""Pages after which the browser is started afresh: half a second in many minutes."""
PAGES_A_STAGE = 500
"""Bodies swapped into one page before the page is made anew."""
STAGES = 4
"""Pages that are kept open for bodies: 40 MB each, of their own."""
AHEAD = 40
"""Looks that are taken at once, to find those that go with an open page."""
MAX_RSS_BYTES = 1_500_000_000
RSS_EVERY = 50
"""Pages between two looks at the browser's memory: a look costs some ms."""
ATTEMPTS = 2
"""A page that takes the browser down is tried once more in a fresh one."""
FATAL = {PageReason.HUNG, PageReason.CRASHED}
"""Faults after which the browser is not trusted with another page."""


def address_of(source: str, *, network: bool) -> str:
    """The URL of a file name or address. ``ConfigError`` when there is no such file."""
    if source.startswith(("file:", "data:", "about:")):
        return source
    if source.startswith(("http://", "https://")):
        if not network:
            raise InvalidOptions(f"{source} needs the network; add --network to allow it")
        return source
    path = Path(source)
    if not path.is_file():
        raise ConfigError(f"{source} is neither a file nor an address")
    return path.resolve().as_uri()


class Desk:
    """Verdicts on pages. Make one with ``open_desk``; one desk, one browser, one process."""

    def __init__(self, *, network: bool = False, max_rss_bytes: int = MAX_RSS_BYTES) -> None:
        self.network = network
        self.max_rss_bytes = max_rss_bytes
        self.starts = 0
        self._browser: Chromium | None = None
        self._pages = 0
        self._walking = False
        self._stages: dict[tuple[str, float, int], tuple[Page, int]] = {}

    def browser(self) -> Chromium:
        """The running browser, started or renewed when due."""
        if self.due():
            self.restart()
        if self._browser is None:
            self._browser = Chromium(network=self.network)
            self.starts += 1
            self._pages = 0
        return self._browser

    def due(self) -> bool:
        """Whether the running browser has to be renewed before the next page."""
        if self._browser is None:
            return False
        if self._pages >= PAGES_A_BROWSER:
            return True
        return self._pages % RSS_EVERY == RSS_EVERY - 1 and (
            self._browser.rss_bytes() > self.max_rss_bytes
        )

    def restart(self) -> None:
        """End the browser; the next page starts another."""
        self._stages.clear()
        if self._browser is not None:
            browser, self._browser = self._browser, None
            browser.close()

    def check(
        self,
        url: str,
        window: Window,
        *,
        proof: bool = True,
        static: bool = False,
        prepare: str = "",
    ) -> Judged:
        """The verdict on the page at an address, in a context of its own.

        ``prepare`` is a script run in the page before it is frozen. ``PageFault``
        when the page can have no verdict.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._check(url, window, proof=proof, static=static, prepare=prepare)
            except (BrowserGone, Silence) as gone:
                self.restart()
                if attempt == ATTEMPTS:
                    raise PageFault(PageReason.CRASHED, str(gone)) from gone
        raise AssertionError("unreachable")

    def _check(
        self, url: str, window: Window, *, proof: bool, static: bool, prepare: str
    ) -> Judged:
        page = Page(self.browser(), window)
        self._pages += 1
        try:
            page.open(url, prepare=prepare)
            judged = page.finish(judge(page, url, proof=proof, static=static, scripted=True))
            page.close()
            return judged
        except PageFault as fault:
            self._drop(page, fault)
            raise
        except BaseException:
            self.restart()
            raise

    def _drop(self, page: Page, fault: PageFault) -> None:
        if fault.reason in FATAL:
            self.restart()
            return
        with suppress(BrowserGone, Refused, Silence):
            page.close()

    def check_body(
        self, shell: str, body: str, window: Window, *, proof: bool = True, static: bool = False
    ) -> Judged:
        """The verdict on ``body`` (inner HTML) inside the page at the address ``shell``.

        Scripts of the body do not run. The shell, with its styles and fonts, is
        loaded once and reused. ``PageFault`` when the page can have no verdict.
        """
        (found,) = self.check_bodies(shell, [body], window, proof=proof, static=static)
        if isinstance(found, PageFault):
            raise found
        return found

    def check_bodies(
        self,
        shell: str,
        bodies: Iterable[str],
        window: Window,
        *,
        proof: bool = True,
        static: bool = False,
    ) -> Generator[Judged | PageFault, None, None]:
        """The verdict on each of ``bodies``, or why it has none, in their order.

        This is the fast way for pages of our own: two are in work at once, so up
        to two bodies more than verdicts are taken from ``bodies``. One such walk at
        a time: ``InvalidOptions`` when another has not come to its end.
        """
        look = Look(shell, window, proof, static)
        yield from self._walk(((look, body) for body in bodies), 1)

    def check_looks(
        self, looks: Iterable[tuple[Look, str]]
    ) -> Generator[Judged | PageFault, None, None]:
        """As ``check_bodies``, for bodies of several shells and windows.

        Up to ``AHEAD`` are taken at once, and those of one shell and DPR are looked at one after
        the other: their page stays open, and takes windows of any size.
        """
        yield from self._walk(looks, AHEAD)

    def _walk(
        self, looks: Iterable[tuple[Look, str]], ahead: int
    ) -> Generator[Judged | PageFault, None, None]:
        if self._walking:
            raise InvalidOptions("bodies are in work at this desk; end that walk first")
        self._walking = True
        try:
            lanes = Lanes(self, looks, ahead)
            index, left = 0, True
            while left:
                left = lanes.step()
                while index in lanes.done:
                    yield lanes.done.pop(index)
                    index += 1
        finally:
            self._walking = False

    def has_stage(self, shell: str, window: Window, place: int) -> bool:
        """Whether a page is open that ``stage`` could give."""
        return (shell, window.dpr, place) in self._stages

    def stage(self, shell: str, window: Window, place: int = 0) -> Page:
        """The page that bodies are swapped into; each ``place`` has one of its own."""
        browser = self.browser()
        self._pages += 1
        own = shell, window.dpr, place
        page, used = self._stages.pop(own, (None, 0))
        if page is not None and used >= PAGES_A_STAGE:
            page.close()
            page, used = None, 0
        if page is None:
            if len(self._stages) >= STAGES:
                oldest = next(iter(self._stages))
                self._stages.pop(oldest)[0].close()
            page = Page(browser, window)
            page.open(shell)
        elif page.window != window:
            page.resize(window)
        self._stages[own] = page, used + 1
        return page

    def close(self) -> None:
        """End the browser."""
        self.restart()


@contextmanager
def open_desk(*, network: bool = False) -> Iterator[Desk]:
    """A desk whose browser is ended on every way out."""
    desk = Desk(network=network)
    try:
        yield desk
    finally:
        desk.close()
