"""One page under one window: load it, let it come to rest, freeze it, ask the probe, shoot it.

Time is virtual: a page's timers of the first seconds run at once and then
stand still, so a page looks the same on any machine. Its scripts are switched
off before the first measurement; the probe lives in an isolated world.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Generator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias, TypeVar

import orjson

from factory.web.verdict.devtools import Chromium, Refused
from factory.web.verdict.tab import ASK_S, Tab
from factory.web.verdict.types import PageFault, PageReason, Window

VIRTUAL_MS = 3000
"""Time that a page gets to build itself: timers within it have run when it is measured."""
EPOCH_S = 1_750_000_000
"""The clock of every page at its start, so that dates on it repeat."""
LOAD_S = 20.0
SETTLE_S = 5.0
NEEDS = '{"need":'
"""How a first pass ends that must know quads."""
PRESSES = {
    "click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend",
}  # fmt: skip
METRICS = "Emulation.setDeviceMetricsOverride"
SEEDED = "seeded.js"
"""Run in every document before its own scripts: its random numbers repeat."""

T = TypeVar("T")
Steps: TypeAlias = Generator[int, bytes, T]
"""Work on a page that hands out the number of each picture it ordered, and gets the picture."""


def _here() -> Traversable:
    return resources.files("factory.web.verdict")


@cache
def probe_source() -> str:
    """The probe as one expression that leaves its functions in the world's ``verdict``."""
    folder = _here() / "probe"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".js")), key=lambda f: f.name)
    body = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return f'globalThis.verdict = (() => {{ "use strict";\n{body}\n}})(); 1'


class Page(Tab):
    """A tab that is loaded and judged. After a ``PageFault`` it is of no more use."""

    def __init__(self, browser: Chromium, window: Window) -> None:
        super().__init__(browser)
        self.window = window
        self._prepare()

    def _prepare(self) -> None:
        reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        seeded = (_here() / SEEDED).read_text(encoding="utf-8")
        wanted: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            # Without it each name builds the whole tree again, and a picture of a page that has
            # been drawn already may never come.
            ("Accessibility.enable", {}),
            (METRICS, self._metrics()),
            ("Emulation.setEmulatedMedia", {"features": reduced}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": seeded}),
        ]
        for number in [self.browser.post(m, p, self.session) for m, p in wanted]:
            self.browser.answer(number)

    def _metrics(self) -> dict[str, Any]:
        size = {"width": self.window.width, "height": self.window.height}
        return {**size, "deviceScaleFactor": self.window.dpr, "mobile": False}

    def resize(self, window: Window) -> None:
        """Give an open page a window of another size; ``NOT_SETTLED`` when it does not take it.

        ``ValueError`` for another DPR: glyphs would keep the hinting of the one before.
        """
        if window.dpr != self.window.dpr:
            raise ValueError(f"from DPR {self.window.dpr:g} to {window.dpr:g}")
        self.window = window
        self.send(METRICS, self._metrics())
        wanted = [window.width, window.height, window.dpr]
        end = time.monotonic() + SETTLE_S
        while (found := self.evaluate("[innerWidth, innerHeight, devicePixelRatio]")) != wanted:
            if time.monotonic() > end:
                raise PageFault(PageReason.NOT_SETTLED, f"a window of {found}, not {wanted}")
            self.browser.pump(0.01)

    def open(self, url: str, *, prepare: str = "") -> None:
        """Load a page and bring it to rest; ``prepare`` is a script of the page's own world."""
        start = {"policy": "pause", "initialVirtualTime": EPOCH_S}
        self.send("Emulation.setVirtualTimePolicy", start)
        try:
            reply = self.send("Page.navigate", {"url": url}, LOAD_S)
        except Refused as error:
            raise PageFault(PageReason.NOT_LOADED, str(error)) from error
        if reply.get("errorText"):
            raise PageFault(PageReason.NOT_LOADED, reply["errorText"])
        self.run_time(VIRTUAL_MS)
        if prepare:
            self.send("Runtime.evaluate", {"expression": prepare})
            self.run_time(VIRTUAL_MS)
        self.send("Emulation.setScriptExecutionDisabled", {"value": True})
        self._enter()
        self.look_inside()
        self.rest()

    def run_time(self, milliseconds: int) -> None:
        """Let the page's clock run, waiting for what it fetches meanwhile."""
        asked = {"policy": "pauseIfNetworkFetchesPending", "budget": milliseconds}
        self.forget()
        self.send("Emulation.setVirtualTimePolicy", asked)
        end = time.monotonic() + LOAD_S
        while not self._heard("Emulation.virtualTimeBudgetExpired"):
            if time.monotonic() > end:
                raise PageFault(PageReason.HUNG, f"{milliseconds} ms took more than {LOAD_S:g} s")
            self.browser.pump(end - time.monotonic())
            self.react()

    def _heard(self, method: str) -> bool:
        return any(
            event["method"] == method and event.get("sessionId") == self.session
            for event in self.browser.events
        )

    def _enter(self) -> None:
        frame = self.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        made = self.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "verdict"})
        self.world = made["executionContextId"]
        self.evaluate(probe_source())

    def rest(self, first: str = "") -> None:
        """Wait for faces and pictures, then freeze; ``NOT_SETTLED`` when they do not come.

        ``first`` is done in the same breath.
        """
        end = time.monotonic() + SETTLE_S
        state = self._settle(first)
        while state["waiting"]:
            kind, what = state["waiting"][0]
            if kind == "broken_image":
                raise PageFault(PageReason.BROKEN_IMAGE, what)
            if time.monotonic() > end:
                raise PageFault(PageReason.NOT_SETTLED, f"{kind} {what} after {SETTLE_S:g} s")
            self.browser.pump(0.01)
            state = self._settle("")
        if state["pictures"]:
            self.evaluate("verdict.decoded()", wait=True)

    def _settle(self, first: str) -> dict[str, Any]:
        return orjson.loads(self.evaluate(f"{first}JSON.stringify(verdict.settle())"))

    def show(self, body: str) -> None:
        """Swap the body's inner HTML; scripts are off, so nothing in it runs."""
        self.forget()
        self.rest(f"verdict.swap({orjson.dumps(body).decode()});")

    def swap(self, body: str) -> None:
        """Only put the body there."""
        self.evaluate(f"verdict.swap({orjson.dumps(body).decode()})")

    def look_inside(self) -> None:
        """Tell the probe what a page's world cannot see: closed shadow roots and listeners."""
        tree = self.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        roots: list[int] = []
        _closed_roots(tree, roots)
        self.call_with("verdict.adoptClosedRoots", self._resolve(roots))
        self.call_with("verdict.listen", self._resolve(self._listening()))
        self.send("DOM.disable")  # or every swapped node would be told of

    def _listening(self) -> list[int]:
        page = self.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        asked = {"objectId": page, "depth": -1, "pierce": True}
        found = self.send("DOMDebugger.getEventListeners", asked)["listeners"]
        nodes = [f["backendNodeId"] for f in found if f["type"] in PRESSES and "backendNodeId" in f]
        return list(dict.fromkeys(nodes))

    def _resolve(self, backend_ids: list[int]) -> list[str]:
        asked = [{"backendNodeId": i, "executionContextId": self.world} for i in backend_ids]
        found = self.send_all("DOM.resolveNode", asked)
        return [reply["object"]["objectId"] for reply in found if reply]

    def measure(self, *, static: bool) -> str:
        """One measurement as JSON; a second pass knows the quads of turned elements."""
        options = orjson.dumps({"dpr": self.window.dpr, "static": static}).decode()
        text = self.evaluate(f"JSON.stringify(verdict.measure({options}))")
        if text.startswith(NEEDS):
            quads = orjson.dumps(self._quads()).decode()
            text = self.evaluate(f"JSON.stringify(verdict.measure({options}, {quads}))")
        return text

    def _quads(self) -> list[list[list[float]]]:
        found = self.objects("verdict.turnedElements()")
        replies = self.send_all("DOM.getContentQuads", [{"objectId": i} for i in found])
        return [reply["quads"] if reply else [] for reply in replies]

    def ask_picture(self) -> int:
        """Order a picture of the viewport; ``picture`` fetches it, and there is time in between."""
        options = {"format": "png", "optimizeForSpeed": True}
        return self.browser.post("Page.captureScreenshot", options, self.session)

    def picture(self, number: int) -> bytes:
        """The viewport as PNG; ``WRONG_SIZE`` unless it is the window times its DPR."""
        data = base64.b64decode(self.answer(number, ASK_S)["data"])
        # Width and height stand big-endian in the PNG's first chunk.
        size = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        wanted = self.window.size_px
        if max(abs(a - b) for a, b in zip(size, wanted, strict=True)) > 1:
            raise PageFault(PageReason.WRONG_SIZE, f"the picture is {size}, not {wanted}")
        return data

    def shoot(self) -> bytes:
        """Order and fetch a picture."""
        return self.picture(self.ask_picture())

    def finish(self, steps: Steps[T]) -> T:
        """Do all the steps, waiting for each picture; what they return."""
        try:
            ordered = next(steps)
            while True:
                ordered = steps.send(self.picture(ordered))
        except StopIteration as end:
            return end.value


def _closed_roots(node: dict[str, Any], out: list[int]) -> None:
    if node.get("shadowRootType") == "closed":
        out.append(node["backendNodeId"])
    for key in ("children", "shadowRoots"):
        for child in node.get(key, ()):
            _closed_roots(child, out)
    if "contentDocument" in node:
        _closed_roots(node["contentDocument"], out)
