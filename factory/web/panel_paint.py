"""Panel chrome painted by Chromium on nothing, and checked against its layout.

The handle is painted in each of its states below the panel and cut out as
sprites; the panel itself is painted without it. Slot and goal area stay empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from factory.core.errors import RenderFailed
from factory.core.geometry import Box
from factory.web.content import environment, icon
from factory.web.paint import Painter, Pixels, Viewport, decode_png
from factory.web.panels import RING_PX, PanelLayout

AGREEMENT_PX = 0.02
"""Largest distance between a DOM edge and the layout's; the DOM rounds to 1/64 px."""

HANDLE_MARGIN = 12
"""CSS px around the handle that its shadow may reach."""

PANEL_VIEWPORT = (600, 880)
"""The window that panels are painted in, CSS px: the largest panel with its shadow and sprites."""

STATES = ("rest", "held")
"""The handle's sprites."""


@dataclass(frozen=True)
class Sprite:
    """A movable part: straight-alpha BGRA, and its top-left from the panel's, in device px."""

    bgra: Pixels
    offset_px: tuple[int, int]


@dataclass(frozen=True)
class PanelArt:
    """A painted panel without its handle, HxWx4 BGRA with *straight* alpha.

    ``origin_px`` is the panel's top-left corner inside the picture (its shadow
    lies around it), in device px. ``sprites`` holds the handle: ``rest`` and
    ``held``. ``controls`` boxes are CSS px from the panel's corner.
    """

    layout: PanelLayout
    dpr: int
    bgra: Pixels
    origin_px: tuple[int, int]
    sprites: dict[str, Sprite]
    texts: tuple[str, ...]
    controls: tuple[dict[str, Any], ...]


_PROBE = """(() => {
  const home = document.querySelector('[data-box="panel"]').getBoundingClientRect();
  const box = (node) => { const r = node.getBoundingClientRect();
    return [r.left - home.left, r.top - home.top, r.right - home.left, r.bottom - home.top]; };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    home: [home.left, home.top],
    boxes: Object.fromEntries(all('[data-box]').map((n) => [n.dataset.box, box(n)])),
    texts: all('.panel span, .panel a').map((n) => ({ text: n.innerText, box: box(n) })),
    controls: all('.panel-foot [role]').map((n) =>
      ({ role: n.getAttribute('role'), name: n.innerText, box: box(n) })),
  };
})()"""


def _css(box: Box) -> str:
    return f"left:{box.x0:g}px;top:{box.y0:g}px;width:{box.width:g}px;height:{box.height:g}px"


def panel_html(layout: PanelLayout) -> str:
    """The panel's HTML, placed so that its shadow fits the window."""
    left, top, _, _ = layout.margins

    def at(name: str, dx: int = 0, dy: int = 0) -> str:
        return _css(layout.boxes[name].moved(dx, dy))

    style = layout.style
    top_foot = style.footer_place == "top"
    many = len(layout.foot) > 1
    return (
        environment()
        .get_template("panels/slider.html")
        .render(
            at=at,
            around=lambda name, reach: _css(layout.boxes[name].grown(reach)),
            sprite_at=lambda state: _css(_sprite_box(layout, state).grown(-HANDLE_MARGIN)),
            icon=icon,
            boxes=layout.boxes,
            surface=layout.surface,
            shape=layout.shape,
            ring=RING_PX[layout.shape],
            margin_left=left,
            margin_top=top,
            title=layout.title,
            title_icon="shield-check" if style.align == "left" and not top_foot else "",
            head_align=style.align,
            label=layout.label,
            handle_shape=style.handle,
            handle_icon=style.handle_icon,
            foot_align="right" if top_foot else "spread" if many else style.footer_align,
            foot_items=layout.foot,
        )
    )


def paint_panel(painter: Painter, layout: PanelLayout) -> PanelArt:
    """Paint a panel and its handle; ``RenderFailed`` when the page disagrees with the layout."""
    dpr = painter.viewport.dpr
    left, top, right, bottom = layout.margins
    if layout.width + left + right > painter.viewport.width or (
        _sprite_box(layout, STATES[0]).y1 > painter.viewport.height
    ):
        raise RenderFailed(f"a panel of {layout.width}x{layout.height} leaves the window")
    painter.show(panel_html(layout), layout.look, lang=layout.lang, layer="panel")
    found = painter.ask(_PROBE)
    _agree(layout, found)
    wide, tall = layout.width + left + right, layout.height + top + bottom
    lowest = _sprite_box(layout, STATES[-1])
    shot = decode_png(painter.shoot(opaque=False, part=(max(wide, int(lowest.x1)), int(lowest.y1))))
    return PanelArt(
        layout=layout,
        dpr=dpr,
        bgra=shot[: tall * dpr, : wide * dpr].copy(),
        origin_px=(left * dpr, top * dpr),
        sprites={state: _cut_handle(shot, layout, state, dpr) for state in STATES},
        texts=tuple(item["text"] for item in found["texts"]),
        controls=tuple(found["controls"]),
    )


def _sprite_box(layout: PanelLayout, state: str) -> Box:
    """Where a state of the handle is painted, with its shadow: below the panel, in CSS px."""
    _, top, _, bottom = layout.margins
    near = layout.boxes["handle"].grown(HANDLE_MARGIN)
    x = STATES.index(state) * near.width
    return Box.sized(x, top + layout.height + bottom, near.width, near.height)


def _cut_handle(shot: Pixels, layout: PanelLayout, state: str, dpr: int) -> Sprite:
    x0, y0, x1, y1 = (int(edge) * dpr for edge in _sprite_box(layout, state).outer_pixels())
    home = layout.boxes["handle"].grown(HANDLE_MARGIN)
    return Sprite(shot[y0:y1, x0:x1].copy(), (int(home.x0) * dpr, int(home.y0) * dpr))


def _agree(layout: PanelLayout, found: dict[str, Any]) -> None:
    """DOM against layout: every box at its place, every text inside its box."""
    home = list(map(float, layout.margins[:2]))
    if not _same(found["home"], home):
        raise RenderFailed(f"the panel stands at {found['home']}, the layout says {home}")
    for name, edges in found["boxes"].items():
        if not _same(edges, layout.boxes[name].as_list()):
            raise RenderFailed(
                f"the page has {name!r} at {edges}, the layout at {layout.boxes[name].as_list()}"
            )
    absent = set(layout.boxes) - set(found["boxes"]) - {"label"}
    if absent:
        raise RenderFailed(f"the page lacks {sorted(absent)}")
    holders = [layout.boxes[name] for name in ("title", "label", "footer") if name in layout.boxes]
    for item in found["texts"]:
        box = Box(*item["box"])
        if not any(holder.grown(AGREEMENT_PX).holds(box) for holder in holders):
            raise RenderFailed(f"the text {item['text']!r} at {item['box']} leaves its box")


def _same(a: Sequence[float], b: Sequence[float]) -> bool:
    return all(abs(x - y) <= AGREEMENT_PX for x, y in zip(a, b, strict=True))


def panel_viewport(dpr: int) -> Viewport:
    """The window that panels of this DPR are painted in."""
    return Viewport(*PANEL_VIEWPORT, dpr)
