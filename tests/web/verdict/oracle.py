"""The oracle: trusted presses, a fresh page for each element, a picture difference of its own.

It shares no code with the verdict: Playwright drives it, its candidates come
from a listener shim, its differences from Pillow and ``visibility``.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from factory.web.browser import open_browser

EARS = (Path(__file__).parent / "oracle.js").read_text("utf-8")
VIRTUAL_MS = 3000
STEP = 8
"""Of 255: what the eye may see."""
MIN_SEEN_PX = 12
MIN_SIDE = 8
FIVE = [(0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
"""Where an element is pressed to learn whether it can be pressed: three of five must arrive."""
ENOUGH = 3


@dataclass(frozen=True)
class Element:
    """One element that something happens on."""

    index: int
    box: list[float] | None
    off: bool
    mark: str

    @property
    def big_enough(self) -> bool:
        """Whether its largest line box has 8 CSS px on each side in view."""
        return (
            self.box is not None
            and min(self.box[2] - self.box[0], self.box[3] - self.box[1]) >= MIN_SIDE
        )


class Oracle:
    """Presses and looks. Make one with ``open_oracle``."""

    def __init__(self, page: Any, cdp: Any) -> None:
        self.page, self.cdp = page, cdp
        self._expired = False
        cdp.on("Emulation.virtualTimeBudgetExpired", self._on_expired)

    def _on_expired(self, event: object) -> None:
        self._expired = True

    def load(self, url: str, prepare: str) -> list[Element]:
        """A fresh page, at the same age as the verdict's: ``prepare`` at 3 s, still at 6 s."""
        start = {"policy": "pause", "initialVirtualTime": 1_750_000_000}
        self.cdp.send("Emulation.setVirtualTimePolicy", start)
        self.cdp.send("Page.navigate", {"url": url})
        self._run()
        if prepare:
            self.cdp.send("Runtime.evaluate", {"expression": prepare})
            self._run()
        found = self.ask("oracle.collect()")
        return [Element(i, row["box"], row["off"], row["mark"]) for i, row in enumerate(found)]

    def _run(self) -> None:
        self._expired = False
        asked = {"policy": "pauseIfNetworkFetchesPending", "budget": VIRTUAL_MS}
        self.cdp.send("Emulation.setVirtualTimePolicy", asked)
        while not self._expired:
            self.page.wait_for_timeout(2)

    def ask(self, expression: str) -> Any:
        """A JSON-able value from the page."""
        asked = {"expression": expression, "returnByValue": True}
        return self.cdp.send("Runtime.evaluate", asked)["result"].get("value")

    def press(self, x: float, y: float) -> int:
        """The index of the element that a trusted press at a point is for, or -1."""
        self.ask("oracle.path = null")
        base = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.cdp.send("Input.dispatchMouseEvent", {**base, "type": "mousePressed"})
        self.cdp.send("Input.dispatchMouseEvent", {**base, "type": "mouseReleased"})
        return self.ask("oracle.owner()")

    def arrives(self, element: Element) -> bool:
        """Whether at least three of five presses on its largest line box are for it."""
        assert element.box is not None
        x0, y0, x1, y1 = element.box
        points = [(x0 + u * (x1 - x0), y0 + v * (y1 - y0)) for u, v in FIVE]
        return sum(self.press(*point) == element.index for point in points) >= ENOUGH

    def is_seen(self, index: int, box: list[float]) -> bool:
        """Whether the picture inside ``box`` changes when the element is made invisible."""
        before = self._look(box)
        self.ask(f"oracle.cover({index}, true)")
        after = self._look(box)
        self.ask(f"oracle.cover({index}, false)")
        apart = np.abs(before.astype(int) - after.astype(int)).max(axis=2)
        return int((apart > STEP).sum()) >= MIN_SEEN_PX

    def _look(self, box: list[float]) -> np.ndarray[Any, Any]:
        data = self.cdp.send("Page.captureScreenshot", {"format": "png"})["data"]
        whole = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
        x0, y0, x1, y1 = (round(v) for v in box)
        return np.asarray(whole)[y0:y1, x0:x1]


@contextmanager
def open_oracle(width: int, height: int) -> Iterator[Oracle]:
    """An oracle with a page of this size; closed on every way out."""
    with open_browser() as browser:
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, reduced_motion="reduce"
        )
        page = context.new_page()
        page.add_init_script(EARS)
        cdp = context.new_cdp_session(page)
        cdp.send("Page.enable")
        yield Oracle(page, cdp)
        context.close()
