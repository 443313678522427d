"""Where everything in a panel stands, from top to bottom, in whole CSS px."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from factory.core.errors import RenderFailed
from factory.core.geometry import Box
from factory.core.puzzle import Control, PanelRequest
from factory.core.rng import Stream
from factory.draw.panels.style import FootItem, PanelStyle, foot_items, words
from factory.draw.text import Face, GoalStyle, text_width
from factory.draw.tokens import Tokens, chinese_font, tokens_named

Surface = Literal["card", "sheet", "flat"]

GOAL_FONT_PX, GOAL_LINE_PX = 16, 22
"""The goal area holds lines of 16 px text, two unless a class asks for more."""

HINT_FONT_PX = 13.0
"""Size of a goal's second line."""

CONTROL_FONT_PX = 14.0
"""Size of the words on tracks, fields and buttons."""

LEAST_WIDTH = 300
"""A narrower panel has no room for two lines of goal beside its padding."""

RING_PX = {"circle": 6, "rect": 1, "none": 0}
"""How far the content's frame reaches beyond the content."""

SHEET_PAD_PX = 20
"""Padding where the panel is as wide as the phone's screen: the page's own margin."""

STEP_PX = 4
"""Sizes of contents are tried in these steps."""

OPTIONS_PER_ROW = 4


@dataclass(frozen=True)
class PanelLayout:
    """A panel before it is painted. ``boxes`` are whole CSS px from its top-left corner.

    ``panel``, ``goal`` and ``slot`` always; the boxes of its controls; ``grip``,
    ``title``, ``divider`` and ``footer`` where surface and style have them. ``words``
    are the texts on the controls by box.
    """

    request: PanelRequest
    boxes: dict[str, Box]
    style: PanelStyle
    surface: Surface
    tokens: str
    lang: str
    touch: bool
    words: dict[str, str]
    foot: tuple[FootItem, ...]

    @property
    def width(self) -> int:
        return round(self.boxes["panel"].width)

    @property
    def height(self) -> int:
        return round(self.boxes["panel"].height)

    @cached_property
    def look(self) -> Tokens:
        """Its token set."""
        return tokens_named(self.tokens)

    @property
    def ground(self) -> str:
        """The colour role behind the goal text."""
        return "page_bg" if self.surface == "flat" else "surface"

    @property
    def areas(self) -> tuple[str, ...]:
        """The boxes that samples repaint, beside the goal."""
        names = ("slot", "strip", "counter", "prev", "next")
        return tuple(n for n in self.boxes if n in names or n.startswith("option"))

    @property
    def corner_css(self) -> float:
        """Radius of the content's corners."""
        frame = self.request.frame
        if frame == "circle":
            return self.boxes["slot"].width / 2
        return float(self.look.control_radius_px) if frame == "rect" else 0.0

    def faces(self, weight: int) -> tuple[Face, ...]:
        """The panel's Latin face and its Chinese companion."""
        chinese = chinese_font(500 if weight > 400 else 400)
        return Face(str(self.look.font.path()), weight), Face(str(chinese), 400)

    @cached_property
    def goal_style(self) -> GoalStyle:
        """How the panel's goal is written."""
        return GoalStyle(
            title_faces=self.faces(600),
            hint_faces=self.faces(400),
            title_size=float(GOAL_FONT_PX),
            hint_size=HINT_FONT_PX,
            title_colour=self.look.rgb("text"),
            hint_colour=self.look.rgb("muted"),
            centred=self.style.align == "center",
        )


def lay_out_panel(
    request: PanelRequest,
    *,
    tokens: Tokens,
    lang: str,
    stream: Stream,
    surface: Surface,
    touch: bool,
    room: tuple[float, float],
    width: int | None,
) -> PanelLayout:
    """The panel with the largest keyed content that fits ``room`` (width, height; CSS px).

    Footer and title give way before the content gets too small. ``width`` fixes the
    panel's width (sheets, full screens, phone cards).
    ``RenderFailed`` when not even the smallest content fits.
    """
    style = PanelStyle.draw(stream.child("style"), tokens)
    low, high = request.width
    # Phones give the content more of their screen than pages do.
    wanted = stream.child("size").integer(low + (high - low) // 3 if touch else low, high + 1)
    ratio = stream.child("ratio").uniform(*request.ratio)
    submit = request.submit == "always" or (
        request.submit == "either" and stream.child("submit").chance(0.5)
    )
    footless = replace(style, footer="none")
    for plainer in (style, footless, replace(footless, title=False)):
        for content_w in range(wanted // STEP_PX * STEP_PX, low - 1, -STEP_PX):
            size = (content_w, 2 * round(content_w * ratio / 2))
            stack = _Stack(request, plainer, surface, tokens, lang, stream, size, width, submit)
            layout = stack.layout(touch)
            if layout is not None and layout.width <= room[0] and layout.height <= room[1]:
                return layout
    raise RenderFailed(f"no panel of {request} fits {room[0]:g}x{room[1]:g} CSS px")


class _Stack:
    """The boxes from top to bottom."""

    def __init__(
        self,
        request: PanelRequest,
        style: PanelStyle,
        surface: Surface,
        tokens: Tokens,
        lang: str,
        stream: Stream,
        size: tuple[int, int],
        width: int | None,
        submit: bool,
    ) -> None:
        if style.footer_place == "top":  # beside the title there is room for one thing only
            style = replace(style, title=True, align="left", footer=style.footer.split("+")[-1])
        if style.submit_place == "inline" and not _single_field(request):
            style = replace(style, submit_place="full")
        self.request, self.style = request, style
        self.surface: Surface = surface
        self.tokens, self.lang, self.stream, self.size = tokens, lang, stream, size
        self.submit = submit
        self.pad = 2 * tokens.unit_px if surface == "card" else SHEET_PAD_PX
        self.ring = RING_PX[request.frame]
        self.wide = width or max(LEAST_WIDTH, size[0] + 2 * (self.pad + self.ring))
        self.inner = self.wide - 2 * self.pad
        self.gap = self.pad - 2
        self.foot = foot_items(style.footer, lang, stream.child("foot"))
        self.boxes: dict[str, Box] = {}
        self.words: dict[str, str] = {}
        self.y = self.pad

    def layout(self, touch: bool) -> PanelLayout | None:
        """The finished layout; None when the content is wider than the panel."""
        if self.size[0] + 2 * self.ring > self.wide:
            return None
        self._head()
        if self.style.goal_place == "above":
            self._goal()
        self._content()
        if self.style.goal_place == "below":
            self._goal()
        for control in self.request.controls:
            self._control(control)
        self._buttons()
        self._foot()
        height = self.y - self.gap + (self.pad + 10 if self.surface == "sheet" else self.pad)
        self.boxes["panel"] = Box.sized(0, 0, self.wide, height)
        return PanelLayout(
            request=self.request,
            boxes=self.boxes,
            style=self.style,
            surface=self.surface,
            tokens=self.tokens.name,
            lang=self.lang,
            touch=touch,
            words=self.words,
            foot=self.foot,
        )

    def _row(self, name: str, height: int, gap: int | None = None) -> Box:
        """A box over the whole inner width; the next one starts a gap below it."""
        box = Box.sized(self.pad, self.y, self.inner, height)
        self.boxes[name] = box
        self.y += height + (self.gap if gap is None else gap)
        return box

    def _say(self, name: str, key: str, room: float) -> None:
        """Keyed words on a control, the longest that fit; none where nothing does."""
        faces = (Face(str(self.tokens.font.path()), 600), Face(str(chinese_font(500)), 400))
        fitting = [
            text
            for text in words(self.lang)[key]
            if text_width(text, faces, CONTROL_FONT_PX) <= room
        ]
        self.words[name] = self.stream.child(f"say {name}").choice(fitting) if fitting else ""

    def _head(self) -> None:
        if self.surface == "sheet":
            self.boxes["grip"] = Box.sized((self.wide - 40) // 2, 9, 40, 5)
            self.y = 26
        if not self.style.title:
            return
        title = self._row("title", 20, self.gap - 4)
        self.words["title"] = self.stream.child("title").choice(words(self.lang)["title"])
        if self.foot and self.style.footer_place == "top":
            half = self.inner // 2
            self.boxes["title"] = Box.sized(self.pad, title.y0, half, 20)
            self.boxes["footer"] = Box.sized(self.pad + half, title.y0, self.inner - half, 20)

    def _goal(self) -> None:
        self._row("goal", self.request.goal_lines * GOAL_LINE_PX, self.gap - 2)
        if self.request.strip:
            self._row("strip", self.request.strip, self.gap - 2)

    def _content(self) -> None:
        width, height = self.size
        x = (self.wide - width) // 2
        self.boxes["slot"] = Box.sized(x, self.y + self.ring, width, height)
        self.y += height + 2 * self.ring + self.gap

    def _control(self, control: Control) -> None:
        tall = self.style.control_height
        if control.kind == "slider":
            self._slider(control, tall)
        elif control.kind == "field":
            field = self._row(control.name, tall)
            self._say(control.name, control.words or "field", field.width - 24)
        elif control.kind == "hold":
            self._say("hold", "hold", self._row("hold", tall + 4).width - 24)
        elif control.kind == "stepper":
            row = self._row("counter", tall)
            self.boxes["prev"] = Box.sized(row.x0, row.y0, tall, tall)
            self.boxes["next"] = Box.sized(row.x1 - tall, row.y0, tall, tall)
            self.boxes["counter"] = Box(row.x0 + tall + 8, row.y0, row.x1 - tall - 8, row.y1)
        else:
            self._options(control.count, tall)

    def _slider(self, control: Control, tall: int) -> None:
        track, inset = self._row("track", tall), self.style.handle_inset
        high = tall - 2 * inset
        long = {"round": high, "pill": high + 14, "square": high + 6}[self.style.handle]
        handle = Box.sized(track.x0 + inset, track.y0 + inset, long, high)
        self.boxes["handle"] = handle
        self.boxes["label"] = Box(handle.x1 + 4, track.y0, track.x1 - 8, track.y1)
        self._say("label", control.words, self.boxes["label"].width)

    def _options(self, count: int, tall: int) -> None:
        per_row = count if count <= OPTIONS_PER_ROW else (count + 1) // 2
        rows, wide = -(-count // per_row), (self.inner - 8 * (per_row - 1)) // per_row
        for index in range(count):
            row, column = divmod(index, per_row)
            self.boxes[f"option{index}"] = Box.sized(
                self.pad + column * (wide + 8), self.y + row * (tall + 8), wide, tall
            )
        self.y += rows * (tall + 8) - 8 + self.gap

    def _buttons(self) -> None:
        """Submit, beside the field or in a row of its own, with skip to its left."""
        tall = self.style.control_height
        if self.submit and self.style.submit_place == "inline":
            name = self.request.controls[-1].name
            field = self.boxes[name]
            wide = max(84, round(0.3 * self.inner))
            self.boxes["submit"] = Box(field.x1 - wide, field.y0, field.x1, field.y1)
            self.boxes[name] = Box(field.x0, field.y0, field.x1 - wide - 8, field.y1)
            self._say(name, self.request.controls[-1].words or "field", field.width - wide - 32)
        elif self.submit:
            row = self._row("submit", tall)
            if self.style.submit_place == "right":
                wide = max(104, self.inner // 3)
                self.boxes["submit"] = Box(row.x1 - wide, row.y0, row.x1, row.y1)
            elif self.request.skip:
                self.boxes["submit"] = Box(row.center.x + 4, row.y0, row.x1, row.y1)
        elif self.request.skip:
            self._row("skip", tall)
        if self.submit and self.request.skip:
            button = self.boxes["submit"]
            right = min(button.x0 - 8, self.pad + self.inner // 2 - 4)
            self.boxes["skip"] = Box(self.pad, button.y0, right, button.y1)
        for name in ("submit", "skip"):
            if name in self.boxes:
                self.boxes[name] = Box(*(float(round(edge)) for edge in self.boxes[name].as_list()))
                self._say(name, name, self.boxes[name].width - 16)

    def _foot(self) -> None:
        if not self.foot or self.style.footer_place == "top":
            return
        if self.style.divider:
            self._row("divider", 1, self.gap - 4)
        self._row("footer", 24, self.gap - 4)


def _single_field(request: PanelRequest) -> bool:
    """Whether the last control is a field, which a button can stand beside."""
    return bool(request.controls) and request.controls[-1].kind == "field" and not request.skip
