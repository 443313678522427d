"""Plates out of the bank: which there are, and how page, panel and handle become one.

The bank on disk holds pages without panels and panels without pages. A plate
is one page with its panel at a keyed place; nothing here needs a browser once
the bank is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path

from factory.config import RunConfig, Viewport
from factory.core.errors import DependencyMissing, InvalidOptions, RenderFailed
from factory.core.puzzle import PanelRequest, Placement
from factory.core.rng import Stream
from factory.draw import assets
from factory.draw.compose import Plate, canvas_map, over
from factory.draw.text import Face, GoalStyle
from factory.draw.tokens import Tokens, chinese_font
from factory.web.backdrops import CONTEXTS, VIEWPORTS, fits, recipes
from factory.web.backdrops import Viewport as Window
from factory.web.bank import Bank, BankBackdrop, build_bank
from factory.web.panels import GOAL_FONT_PX, PanelLayout

SLOT_MARGIN = 6
"""CSS px kept free around a panel inside its region."""

HINT_FONT_PX = 13.0
"""Size of a goal's second line."""

EXTRA_PAGES_PER_CELL = 16
"""Pages painted for each (viewport, context) that the bank at hand does not have."""

HANDLE_WORDS = {
    "en": ("slider", "knob", "drag ", "slide ", "upright"),
    "zh": ("滑块", "拖动", "转正", "摆正"),
}
"""Words of goals: a page whose own texts use one has two readings of the goal."""


@dataclass(frozen=True)
class PlateRef:
    """A plate by name: one backdrop of the bank with its panel."""

    backdrop: str
    panel: str

    @property
    def id(self) -> str:
        """``<backdrop>+<panel>``, both hex digests."""
        return f"{self.backdrop}+{self.panel}"


def context_fits(context: str, viewport: Viewport) -> bool:
    """Whether a context exists at a viewport."""
    return fits(context, Window(viewport.width, viewport.height, viewport.dpr))


class PlateBank:
    """The plates that a config may show."""

    def __init__(self, request: PanelRequest, config: RunConfig, bank: Bank) -> None:
        self.request, self.config, self.bank = request, config, bank
        self._entries = {entry.id: entry for entry in bank.entries}

    @classmethod
    def open(cls, request: PanelRequest, config: RunConfig, folder: Path | None) -> PlateBank:
        """The bank that the config names, from ``folder`` or from the home."""
        bank = Bank.open(folder or _folder(config.bank_digest))
        if bank.recipe_digest != config.bank_digest:
            raise InvalidOptions(
                f"the bank in {bank.folder} is {bank.recipe_digest}, the config names "
                f"{config.bank_digest}"
            )
        return cls(request, config, bank)

    @staticmethod
    def prepare(request: PanelRequest, config: RunConfig, echo: Callable[[str], None]) -> str:
        """The digest of the bank for a config, painting one for viewports that none has.

        A digest that the config names already is kept; ``DependencyMissing``
        when there is no such bank here.
        """
        if config.bank_digest:
            Bank.open(_folder(config.bank_digest))
            return config.bank_digest
        windows = [_window(text) for text in config.viewports]
        if all(window in VIEWPORTS for window in windows):
            bank = Bank.open()
        else:
            cells = [(w, c) for w in windows for c in config.contexts if fits(c, w)]
            echo(f"painting pages for {', '.join(window.name for window in windows)}")
            wanted = recipes(
                EXTRA_PAGES_PER_CELL * len(cells), contexts=config.contexts, viewports=windows
            )
            try:
                bank = build_bank(0, kinds=(request.wording,), wanted=wanted)
            except RenderFailed as error:
                raise InvalidOptions(
                    f"no pages can be painted for {', '.join(config.viewports)} ({error}); "
                    "give a larger --viewport"
                ) from error
        if bank.painter == "plain":
            echo("the pages of this bank are plain, for no browser painted them; `factory setup`")
        return bank.recipe_digest

    @property
    def path(self) -> Path:
        """The bank's folder."""
        return self.bank.folder

    def digests(self) -> dict[str, str]:
        """For the provenance: what painted the bank."""
        return {"bank": self.bank.recipe_digest, "chromium": self.bank.chromium or "plain"}

    def contexts(self, viewport: str) -> tuple[str, ...]:
        """The contexts that a viewport can have under this config."""
        found = _contexts(self.config.contexts, viewport)
        if not found:
            raise InvalidOptions(
                f"none of the contexts {', '.join(self.config.contexts)} exists at {viewport}"
            )
        return found

    def check(self, splits: Iterable[str]) -> None:
        """Raise now what ``contexts`` or ``refs`` would raise for some sample of these splits."""
        config = self.config
        for split, viewport, lang in product(splits, config.viewports, config.langs):
            context, theme = self.contexts(viewport)[0], next(iter(config.themes))
            self.refs(split, viewport, context, theme, lang)

    def refs(
        self, split: str, viewport: str, context: str, theme: str, lang: str
    ) -> tuple[PlateRef, ...]:
        """The plates of a cell in a fixed order.

        A small bank has too few pages of val and test for every cell; then the
        context gives way first and the theme next. Language and split never do.
        """
        for wanted in ((context, theme), (None, theme), (context, None), (None, None)):
            found = _select(self, split, viewport, *wanted, lang)
            if found:
                return found
        raise DependencyMissing(
            f"the bank of {len(self.bank.entries)} pages has none for {split}, {viewport}, {lang}; "
            "run `factory setup --backdrops 1500`"
        )

    def build(self, ref: PlateRef, *, format: str, quality: int) -> Plate:
        """Compose page, panel and handle, and encode them."""
        entry = self._entries[ref.backdrop]
        recipe = entry.recipe
        art = self.bank.load_panel(ref.panel)
        page = self.bank.load_png(ref.backdrop)
        layout = art.layout
        x_css, y_css = origin(entry, layout)
        x, y = x_css * recipe.dpr, y_css * recipe.dpr
        over(page, art.bgra, x - art.origin_px[0], y - art.origin_px[1])
        handle = art.sprites["rest"]
        over(page, handle.bgra, x + handle.offset_px[0], y + handle.offset_px[1])
        placement = Placement(
            boxes=layout.boxes,
            canvas_from_panel=canvas_map((x_css, y_css), recipe.dpr),
            width_px=page.shape[1],
            height_px=page.shape[0],
            dpr=float(recipe.dpr),
            touch=layout.touch,
        )
        facts = {
            "id": ref.id,
            "template": recipe.template,
            "viewport": recipe.viewport.name,
            "tokens": recipe.tokens,
            "panel_origin_css": [x_css, y_css],
            "painter": self.bank.painter,
        }
        return Plate.build(
            page,
            placement,
            goal_style=goal_style(layout),
            facts=facts,
            lang=recipe.lang,
            theme=recipe.look.mode,
            context=recipe.context,
            format=format,
            quality=quality,
        )

    @cached_property
    def _files(self) -> list[Path]:
        return [path for path in sorted(self.bank.folder.rglob("*")) if path.is_file()]

    def files(self, ids: set[str]) -> list[Path]:
        """The bank's index and the files of the plates ``ids``, below the bank's folder."""
        wanted = {part for plate in ids for part in plate.split("+")} | {"bank"}
        return [path for path in self._files if path.name.split(".")[0] in wanted]


@lru_cache(maxsize=4096)
def _select(
    plates: PlateBank,
    split: str,
    viewport: str,
    context: str | None,
    theme: str | None,
    lang: str,
) -> tuple[PlateRef, ...]:
    window = _window(viewport)
    entries = plates.bank.backdrops(
        split,
        viewport=(window.width, window.height),
        dpr=window.dpr,
        context=context,
        lang=lang,
        theme=theme,
    )
    allowed = set(plates.contexts(viewport))
    return tuple(
        PlateRef(backdrop=entry.id, panel=entry.panels[plates.request.wording])
        for entry in entries
        if entry.recipe.context in allowed and not rival_words(entry)
    )


@lru_cache(maxsize=256)
def _contexts(wanted: tuple[str, ...], viewport: str) -> tuple[str, ...]:
    return tuple(c for c in CONTEXTS if c in wanted and fits(c, _window(viewport)))


def rival_words(entry: BankBackdrop) -> list[str]:
    """Texts of the page that speak of a slider too."""
    words = HANDLE_WORDS[entry.recipe.lang]
    return [text for text in entry.texts if any(word in text.lower() for word in words)]


def origin(entry: BankBackdrop, layout: PanelLayout) -> tuple[int, int]:
    """The panel's top-left corner on the page, whole CSS px, jittered by the page's id."""
    box, stream = entry.slot.box, Stream(f"place/{entry.id}/{layout.digest(entry.recipe.dpr)}")
    if entry.slot.anchor == "bottom":
        return int(box.x0), int(box.y1) - layout.height
    if entry.slot.anchor == "centre":
        x = stream.uniform(box.x0, box.x1) - layout.width / 2
        y = stream.uniform(box.y0, box.y1) - layout.height / 2
        return round(x), round(y)
    return (
        _between(stream.child("x"), box.x0, box.x1 - layout.width),
        _between(stream.child("y"), box.y0, box.y1 - layout.height),
    )


def _between(stream: Stream, low: float, high: float) -> int:
    """A whole number in [low, high], off the edges where there is room."""
    margin = min(SLOT_MARGIN, (high - low) / 2)
    return round(stream.uniform(low + margin, high - margin))


def goal_style(layout: PanelLayout) -> GoalStyle:
    """How the panel's goal is written, from its tokens."""
    look: Tokens = layout.look
    latin, medium, regular = str(look.font.path()), str(chinese_font(500)), str(chinese_font(400))
    return GoalStyle(
        title_faces=(Face(latin, 600), Face(medium, 400)),
        hint_faces=(Face(latin, 400), Face(regular, 400)),
        title_size=float(GOAL_FONT_PX),
        hint_size=HINT_FONT_PX,
        title_colour=look.rgb("text"),
        hint_colour=look.rgb("muted"),
        centred=layout.style.align == "center",
    )


@lru_cache(maxsize=64)
def _window(text: str) -> Window:
    view = Viewport.parse(text)
    return Window(view.width, view.height, view.dpr)


def _folder(digest: str) -> Path:
    if not digest:
        raise InvalidOptions("the config names no bank; `complete` it first")
    return assets.home() / "bank" / digest
