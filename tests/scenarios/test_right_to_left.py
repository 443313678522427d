"""Arabic pages before a browser: whole vocabularies, mirrored icons, words that lead nowhere."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from factory.core.errors import InvalidOptions
from factory.core.rng import Stream
from factory.engine.scene_workshop import SceneWorkshop
from factory.scenarios import catalog, grammar, kits
from factory.scenarios.asks import Ask, View
from factory.scenarios.elements import Element
from factory.scenarios.mirror import drawn_as, icon_from_the_right
from factory.scenarios.near_names import near_names
from factory.scenarios.page import PLATFORMS, Platform
from factory.scenarios.phrases import wording_of
from factory.scenarios.query import Query, found
from factory.scenarios.screen_tasks import in_reading_order
from factory.scenarios.table import Table
from factory.scenarios.vocabulary import filled
from factory.scenarios.wording import icon_kind
from factory.scene_config import RTL_SHARE, SceneConfig
from factory.web.content import icon
from factory.web.verdict.alike import normal
from templates import SCENARIOS

ARABIC = [name for name in catalog.apps() if "ar" in catalog.app(name).langs]
FEWEST_APPS = 10
LATIN = re.compile(r"[A-Za-z]")
LETTER = re.compile("[\u0600-\u06ff]")
PLAIN = re.compile(r"[a-z0-9-]+|[\d x]+|[SMLX]+|PDF|kB|MB|GB|index\.html|styles\.css")
"""What is the same in every language: names of icons, sizes, kinds and names of files."""


def _leaves(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [text for one in value for text in _leaves(one)]


def _shape(value: Any) -> Any:
    """The lengths of a pool and of the rows in it, however its words differ."""
    return None if isinstance(value, str) else [_shape(one) for one in value]


# -------------------------------------------------------------------------- vocabulary


def test_enough_apps_have_arabic() -> None:
    assert len(ARABIC) >= FEWEST_APPS


@pytest.mark.parametrize("app", ARABIC)
def test_what_english_pages_draw_arabic_pages_can_draw(app: str) -> None:
    for function in catalog.app(app).fn.values():
        drawn = function.label["ar"]
        assert bool(drawn) == bool(function.label["en"]), function.key
        assert all(LETTER.search(one) and not LATIN.search(one) for one in drawn), function.key


@pytest.mark.parametrize("app", ARABIC)
def test_arabic_pools_have_the_shape_of_english_ones(app: str) -> None:
    english, arabic = (catalog.app(app).words[lang] for lang in ("en", "ar"))
    loose = {n for n in english if english[n] and all(isinstance(v, str) for v in english[n])}
    assert set(english) == set(arabic)
    for name in english:
        if name in loose:
            assert len(arabic[name]) == len(english[name]), name
        else:
            assert _shape(arabic[name]) == _shape(english[name]), name


@pytest.mark.parametrize("app", ARABIC)
def test_arabic_words_are_arabic(app: str) -> None:
    for name, pool in catalog.app(app).words["ar"].items():
        wrong = [one for one in _leaves(pool) if not LETTER.search(one)]
        assert [one for one in wrong if not PLAIN.fullmatch(one)] == [], name


@pytest.mark.parametrize("app", ARABIC)
def test_arabic_files_hold_nothing_that_the_app_lacks(app: str) -> None:
    given = tomllib.loads((SCENARIOS / app / "ar.toml").read_text(encoding="utf-8"))
    assert set(given) == {"name", "fn", "words"}
    assert set(given["fn"]) <= set(catalog.app(app).fn)


# ------------------------------------------------------------------------ who offers it


def test_app_without_arabic_refuses_it_by_its_name() -> None:
    assert "ar" not in catalog.app("photo").langs
    with pytest.raises(InvalidOptions, match="no lang 'ar' here; there are en, zh"):
        grammar.scene_of("photo", "k", {"lang": "ar"})
    with pytest.raises(InvalidOptions, match=r"photo has no pages in 'ar'.*mail"):
        SceneWorkshop(SceneConfig(type="photo", langs={"ar": 1.0})).check()
    SceneWorkshop(SceneConfig(type="mail", langs={"ar": 1.0})).check()


def test_runs_give_arabic_its_share_where_the_app_has_it() -> None:
    assert SceneConfig(type="mail").langs["ar"] == RTL_SHARE
    assert sum(SceneConfig(type="mail").langs.values()) == pytest.approx(1.0, abs=1e-5)
    assert SceneConfig(type="photo").langs == {"en": 0.7, "zh": 0.3}


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("theme", grammar.THEMES)
def test_every_platform_has_kits_from_the_right(platform: Platform, theme: str) -> None:
    turned = kits.kits_for(platform, theme, rtl=True)
    assert turned
    assert set(turned) <= set(kits.kits_for(platform, theme))


def test_only_arabic_pages_say_that_they_run_from_the_right() -> None:
    for lang, said in (("ar", 'lang="ar" dir="rtl"'), ("en", 'lang="en" style'), ("zh", "zh")):
        page = grammar.compose(grammar.scene_of("bank", "k", {"lang": lang}))
        assert said in page.body.split(">", 1)[0]
        assert (kits.ARABIC_FAMILY in page.body) == (lang == "ar") == ("dir=" in page.body)


# ------------------------------------------------------------------------------- icons


def test_icons_are_called_by_what_they_show() -> None:
    assert drawn_as("arrow-left") == "arrow-right"
    assert icon_from_the_right("chevron-right") == icon("chevron-left")
    assert icon_kind(drawn_as("arrow-up-right")) == "arrow_left"
    assert icon_from_the_right("skip-forward") == icon("skip-forward")
    assert "scaleX(-1)" in icon_from_the_right("send")


def test_back_points_to_the_right_and_says_so() -> None:
    scene = grammar.scene_of("forms", "k", {"lang": "ar", "platform": "ios", "screen": "signin"})
    (back,) = [i for i in grammar.compose(scene).items.values() if i.fn == "back"]
    assert back.icon in ("arrow-right", "chevron-right")


# ------------------------------------------------------------------------ instructions


def _table(*boxes: tuple[float, float, float, float], **same: Any) -> Table:
    rows = [
        Element(
            id=f"#x{k}", role="tab", text=f"لسان {k}", words=(normal(f"لسان {k}"),), box=box,
            state={"disabled": "false"}, effect=f"e{k}", **same,
        )
        for k, box in enumerate(boxes)
    ]  # fmt: skip
    return Table(elements=tuple(rows), size=(1000, 700), lang="ar")


ROW = ((700, 10, 780, 40), (600, 10, 680, 40), (500, 10, 580, 40))
COLUMN = ((700, 10, 780, 40), (700, 50, 780, 80), (700, 90, 780, 120))


def test_rows_from_the_right_are_not_counted_and_columns_are() -> None:
    second = Query(role="tab", ordinal=2)
    assert found(second, _table(*ROW)).sure == ()
    assert [e.id for e in found(second, _table(*COLUMN)).sure] == ["#x1"]


def test_lists_are_read_from_the_right() -> None:
    elements = _table(*ROW).elements[::-1]
    assert [e.id for e in in_reading_order(elements, rtl=True)] == ["#x0", "#x1", "#x2"]
    assert [e.id for e in in_reading_order(elements)] == ["#x2", "#x1", "#x0"]


def _said(query: Query, spoken: dict[str, str]) -> str | None:
    view = View(_table(*ROW), catalog.app("mail"), "en")
    made = wording_of(Ask(style="text", query=query, spoken=spoken), view, Stream("words"))
    return made.instruction if made else None


def test_instructions_are_english_and_quote_the_arabic_label() -> None:
    said = _said(Query(role="tab", text=normal("المهمة")), {"text": "المهمة"}) or ""
    assert re.search(r"[“\"']المهمة[”\"']", said)
    assert re.search(r"tab\b", said)


def test_bent_arrows_are_not_named_since_back_may_be_either_side() -> None:
    assert _said(Query(icon="redo-2"), {}) is None
    assert "left arrow" in (_said(Query(icon="arrow-left"), {}) or "").lower()


def test_arabic_words_in_an_english_phrase_stand_in_quotes() -> None:
    assert filled("open {name}", {"name": "المطبخ"}) == "open “المطبخ”"
    assert filled("read “{name}”", {"name": "المطبخ"}) == "read “المطبخ”"
    assert filled("open {name}", {"name": "Kitchen"}) == "open Kitchen"


def test_near_names_of_arabic_are_arabic() -> None:
    made = near_names("إيجار شهر مايو", (), "ar", Stream("near"))
    assert "إيجار شهر يونيو" in made
    assert all(LETTER.search(one) for one in made)
