"""One reused page at one viewport and DPR: show a body, measure it, shoot it.

The shell page loads style sheet and fonts once; each picture only swaps the
body and the tokens. Nothing but ``file:`` and ``data:`` may be asked for.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray

from factory.core.errors import RenderFailed
from factory.draw.tokens import CHINESE_FAMILY, CHINESE_FILES, FONTS, Tokens, chinese_font
from templates import BASE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Viewport:
    """A window: size in CSS px and device pixels per CSS px."""

    width: int
    height: int
    dpr: int = 1

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) of its screenshot in device px."""
        return self.width * self.dpr, self.height * self.dpr

    @property
    def name(self) -> str:
        """``375x812@2``."""
        return f"{self.width}x{self.height}@{self.dpr}"


def decode_png(data: bytes) -> Pixels:
    """The pixels of a PNG, HxWx3 BGR or HxWx4 BGRA (straight alpha)."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise RenderFailed("a PNG could not be decoded")
    return pixels.astype(np.uint8, copy=False)


@dataclass
class Painter:
    """A page that paints bodies. Make one with ``open_painter``."""

    page: Page
    cdp: CDPSession
    viewport: Viewport
    requests: list[str] = field(default_factory=list)
    """Every address the page asked for since it was opened."""
    _see_through: bool = False

    def show(self, body: str, tokens: Tokens, **attributes: str) -> None:
        """Put ``body`` (inner HTML) under the tokens and wait until its fonts are drawn.

        ``attributes`` become ``data-*`` attributes of the root element.
        """
        attributes = {"mode": tokens.mode, **attributes}
        self.page.evaluate(
            "([body, css, data]) => window.factoryShow(body, css, data)",
            [body, tokens.as_css(), attributes],
        )
        foreign = [url for url in self.requests if not url.startswith(("file:", "data:"))]
        if foreign:
            raise RenderFailed(f"the page asked for {foreign[0]}; pages may use local files only")
        inner = self.ask("[window.innerWidth, window.innerHeight]")
        if inner != [self.viewport.width, self.viewport.height]:
            raise RenderFailed(f"the window is {inner}, not {self.viewport.name}")

    def ask(self, expression: str) -> Any:
        """A JSON-able value of a JavaScript expression, as one string over the wire."""
        return orjson.loads(self.page.evaluate(f"JSON.stringify({expression})"))

    def shoot(self, *, opaque: bool = True, part: tuple[int, int] | None = None) -> bytes:
        """The viewport as PNG, or its top-left ``part`` (width, height in CSS px).

        With ``opaque=False`` nothing is painted behind the page's own elements.
        """
        width, height = part or (self.viewport.width, self.viewport.height)
        if opaque == self._see_through:
            colour = {} if opaque else {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
            self.cdp.send("Emulation.setDefaultBackgroundColorOverride", colour)
            self._see_through = not opaque
        options: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if part:
            options["clip"] = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        data = base64.b64decode(self.cdp.send("Page.captureScreenshot", options)["data"])
        # Width and height stand big-endian in the PNG's first chunk.
        size = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        wanted = width * self.viewport.dpr, height * self.viewport.dpr
        if size != wanted:
            raise RenderFailed(f"the screenshot is {size}, not {wanted}")
        return data

    def fonts_used(self) -> dict[str, int]:
        """Glyphs drawn per font family, all of the page's text together."""
        self.cdp.send("DOM.enable")
        self.cdp.send("CSS.enable")
        root = self.cdp.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        nodes = self.cdp.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body *"})
        counts: dict[str, int] = {}
        for node in nodes["nodeIds"]:
            reply = self.cdp.send("CSS.getPlatformFontsForNode", {"nodeId": node})
            for font in reply["fonts"]:
                ours = "" if font["isCustomFont"] else "system:"
                name = ours + font["familyName"]
                counts[name] = counts.get(name, 0) + int(font["glyphCount"])
        return counts


def font_faces() -> str:
    """``@font-face`` rules with ``file:`` addresses for every family of the token sets."""
    rules = [(font.css, "200 900", font.path()) for font in FONTS.values()]
    rules += [(CHINESE_FAMILY, str(weight), chinese_font(weight)) for weight in CHINESE_FILES]
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-display: block; '
        f'src: url("{path.as_uri()}"); }}'
        for family, weight, path in rules
    )


def _shell_page(folder: Path) -> Path:
    """The shell with its style sheets inline, written to ``folder``."""
    shell = (BASE / "shell.html").read_text(encoding="utf-8")
    sheets = [(BASE / "page.css").read_text(encoding="utf-8")]
    path = folder / "shell.html"
    path.write_text(shell.replace("/*STYLES*/", "\n".join([font_faces(), *sheets])), "utf-8")
    return path


@contextmanager
def open_painter(browser: Browser, viewport: Viewport) -> Iterator[Painter]:
    """A painter for one viewport; its page and context are closed on every way out."""
    context = browser.new_context(
        viewport={"width": viewport.width, "height": viewport.height},
        device_scale_factor=viewport.dpr,
        offline=True,
        reduced_motion="reduce",
    )
    try:
        with TemporaryDirectory(prefix="factory-shell-") as folder:
            page = context.new_page()
            cdp = context.new_cdp_session(page)
            # A CDP session has emulation of its own: without this, DPR 2 is shot at 1.
            cdp.send(
                "Emulation.setDeviceMetricsOverride",
                {
                    "width": viewport.width,
                    "height": viewport.height,
                    "deviceScaleFactor": viewport.dpr,
                    "mobile": False,
                },
            )
            painter = Painter(page, cdp, viewport)
            page.on("request", lambda request: painter.requests.append(request.url))
            page.goto(_shell_page(Path(folder)).as_uri())
            yield painter
    finally:
        context.close()
