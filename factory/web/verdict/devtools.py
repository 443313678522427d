"""A Chromium of our own, spoken to through two pipes: no Node between, no port open.

The browser ends itself when the pipes close, so not even a kill of this
process leaves one behind; its profile's folder is swept by the next start.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import psutil

from factory.core.errors import DependencyMissing
from factory.web.browser import ENV_BROWSER, FLAGS, find_browser

PROFILE = "factory-browser-"
ALWAYS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-hang-monitor",
    "--block-new-web-contents",
    "--mute-audio",
    # What the main thread says is what is painted: no animation, scroll or decoding of its own.
    "--disable-threaded-animation",
    "--disable-threaded-scrolling",
    "--disable-checker-imaging",
    "--disable-image-animation-resync",
    # One process and one world for all frames; pictures that do not move; names from Chromium.
    "--disable-site-isolation-trials",
    "--blink-settings=imageAnimationPolicy=2",
    "--enable-blink-features=ComputedAccessibilityInfo",
)
OFFLINE_ONLY = (
    # Frames of other origins become readable. Never with a network: a page could send files away.
    "--disable-web-security",
    # Addresses by number pass the resolver's rule; nobody listens at this proxy.
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
)
ONLINE_DROPS = ("--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files")
CHUNK = 1 << 18
END_S = 3.0
"""Seconds a browser gets to close before it is killed."""


class BrowserGone(Exception):
    """The browser process has ended or its pipe broke."""


class Refused(Exception):
    """DevTools answered a command with an error."""


class Silence(Exception):
    """No answer within the time given."""


def _executable() -> str:
    choice = find_browser()
    if choice.executable is not None:
        return str(choice.executable)
    from playwright.sync_api import sync_playwright

    from factory.web.driver import choose_node

    choose_node()
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _sweep() -> None:
    """Remove profiles whose process is no more: a killed process cannot do it itself."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PROFILE}*"):
        owner = folder.name.removeprefix(PROFILE).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


class Chromium:
    """A running browser. ``close`` it; it also ends with this process, however that ends."""

    def __init__(self, *, network: bool = False) -> None:
        _sweep()
        self.network = network
        self.events: deque[dict[str, Any]] = deque()
        self._answers: dict[int, dict[str, Any]] = {}
        self._buffer = bytearray()
        self._last = 0
        self._profile = tempfile.mkdtemp(prefix=f"{PROFILE}{os.getpid()}-")
        self._start(_executable())
        try:
            self.product = str(self("Browser.getVersion", timeout_s=30)["product"])
        except (BrowserGone, Silence) as error:
            self.close()
            raise DependencyMissing(
                f"the Chromium found by {find_browser().source} does not start; "
                f"run `factory setup` or set {ENV_BROWSER}"
            ) from error

    def _start(self, executable: str) -> None:
        flags = [flag for flag in FLAGS if not (self.network and flag in ONLINE_DROPS)]
        flags += [*ALWAYS, *(() if self.network else OFFLINE_ONLY)]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")
        theirs_in, self._write_fd = os.pipe()
        self._read_fd, theirs_out = os.pipe()
        # Chromium reads from 3 and writes to 4. Copies above both keep the moves from colliding.
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (theirs_in, theirs_out)]
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
        ends = [(os.POSIX_SPAWN_DUP2, fd, end) for fd, end in zip(moved, (3, 4), strict=True)]
        line = [executable, *flags, f"--user-data-dir={self._profile}", "about:blank"]
        try:
            # A group of its own: Ctrl-C is for us, and the end is for all of it.
            pid = os.posix_spawn(
                executable, line, os.environ, file_actions=[*quiet, *ends], setpgroup=0
            )
        finally:
            for fd in (theirs_in, theirs_out, *moved):
                os.close(fd)
        self.process = psutil.Process(pid)
        os.set_blocking(self._read_fd, False)

    # ------------------------------------------------------------------ talking

    def post(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> int:
        """Send a command; its answer is fetched by ``answer``."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = memoryview(orjson.dumps(message) + b"\0")
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except OSError as error:
            raise BrowserGone(f"the browser took no command ({error})") from error
        return self._last

    def answer(
        self, number: int, timeout_s: float = 20.0, react: Callable[[], None] | None = None
    ) -> dict[str, Any]:
        """The answer to a posted command; ``react`` may deal with events that come before it."""
        end = time.monotonic() + timeout_s
        while number not in self._answers:
            self.pump(end - time.monotonic())
            if react is not None:
                react()
            if time.monotonic() > end and number not in self._answers:
                raise Silence(f"no answer in {timeout_s:g} s")
        reply = self._answers.pop(number)
        if "error" in reply:
            raise Refused(str(reply["error"].get("message", reply["error"])))
        return reply["result"]

    def __call__(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session: str = "",
        timeout_s: float = 20.0,
    ) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        return self.answer(self.post(method, params, session), timeout_s)

    def pump(self, timeout_s: float) -> None:
        """Read what the browser says, for at most ``timeout_s`` or until something came."""
        ready, _, _ = select.select([self._read_fd], [], [], max(0.0, timeout_s))
        if not ready:
            return
        data = os.read(self._read_fd, CHUNK)
        if not data:
            raise BrowserGone("the browser has ended")
        self._buffer += data
        if b"\0" not in data:
            return
        *messages, rest = self._buffer.split(b"\0")
        self._buffer = bytearray(rest)
        for message in messages:
            self._sort(orjson.loads(message))

    def _sort(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
        else:
            self.events.append(message)

    def forget(self, session: str) -> None:
        """Drop a tab's events and the answers nobody waits for; those of other tabs stay."""
        dropped = (None, session)
        self._answers = {
            n: a for n, a in self._answers.items() if a.get("sessionId") not in dropped
        }
        self.events = deque(e for e in self.events if e.get("sessionId") not in dropped)

    # ------------------------------------------------------------------ process

    def rss_bytes(self) -> int:
        """Memory of the browser and of all its processes."""
        total = 0
        with contextlib.suppress(psutil.Error):
            for one in [self.process, *self.process.children(recursive=True)]:
                with contextlib.suppress(psutil.Error):
                    total += one.memory_info().rss
        return total

    def close(self) -> None:
        """End the browser with all its processes and remove its profile."""
        for descriptor in (self._write_fd, self._read_fd):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        try:
            with contextlib.suppress(psutil.TimeoutExpired):
                self.process.wait(END_S)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            shutil.rmtree(self._profile, ignore_errors=True)
