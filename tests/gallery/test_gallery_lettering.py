"""Chinese texts are shown on systems that have no Chinese font."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from fontTools.ttLib import TTFont
from gallery_visits import Visit

from factory.draw.tokens import chinese_font
from factory.gallery.lettering import FAMILY, FILE, LICENCE, cut, foreign, write_lettering


def written(gallery: Path) -> set[int]:
    pages = [*gallery.rglob("*.html"), *gallery.rglob("*.js")]
    return foreign(page.read_text(encoding="utf-8") for page in pages)


def test_a_cut_font_holds_what_was_asked_for_and_nothing_else() -> None:
    data, terms = cut(chinese_font(), foreign(["验证 A。"]))
    font = TTFont(BytesIO(data))
    assert set(font.getBestCmap() or ()) == set(map(ord, "验证。"))
    assert "SIL Open Font License" in terms
    assert font.flavor == "woff"


def test_a_gallery_brings_a_font_for_every_character_of_its_pages(gallery: Path) -> None:
    assert written(gallery)
    font = TTFont(gallery / "static" / FILE)
    assert set(font.getBestCmap() or ()) >= written(gallery)
    assert "Open Font" in (gallery / "static" / LICENCE).read_text(encoding="utf-8")


def test_a_browser_loads_the_font(gallery: Path, visit: Visit) -> None:
    with visit(gallery, "samples.html") as page:
        loaded = page.evaluate(
            f"document.fonts.load('13px \"{FAMILY}\"', '验').then(f => f.length)"
        )
        assert loaded == 1


def test_english_alone_needs_no_font(tmp_path: Path) -> None:
    (tmp_path / "gallery.css").write_text("", encoding="utf-8")
    write_lettering(tmp_path, foreign(["Click the icons → in order", "“quoted”"]))
    assert [path.name for path in tmp_path.iterdir()] == ["gallery.css"]
    assert (tmp_path / "gallery.css").read_text(encoding="utf-8") == ""
