"""Icons: named, partitioned, drawn inside their boxes, hit where they are, told apart."""

from __future__ import annotations

from itertools import combinations, pairwise

import cv2
import numpy as np
import pydantic
import pytest
import skia

from factory.core.errors import InvalidOptions, Rejected
from factory.core.geometry import Box
from factory.core.mechanics.zones import Zone
from factory.core.puzzle import Bitmap
from factory.core.rng import SPLITS, Stream
from factory.draw import grounds, icons, pictures
from factory.draw.colours import contrast, luminance
from factory.draw.icons.shapes import is_simple
from factory.draw.pictures.icon import icon_outline
from factory.draw.tones import Tone

SIDE = 120
SCALE = 3.0

EDGE_PX = 0.7
"""CSS px that antialiased ink may reach out of its zone: two px of these pictures."""

MOST_ZONE_CORNERS = 32

EVERY = [info for split in SPLITS for info in icons.icons(split)]


def drawn(spec: icons.IconSpec) -> Bitmap:
    """BGRA on nothing, at SCALE."""
    side = round(SIDE * SCALE)
    pixels = np.zeros((side, side, 4), np.uint8)
    info = skia.ImageInfo.Make(side, side, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        canvas.scale(SCALE, SCALE)
        icons.draw_icon(canvas, spec)
    return pixels


def placed(info: icons.IconInfo, number: int, kind: str = "") -> icons.IconSpec:
    stream = Stream(f"icon-{number}-{info.asset}")
    kinds = icons.LINE_KINDS if info.source == "icon" else icons.EMOJI_KINDS
    style = icons.IconStyle(kind or stream.choice(kinds), "#203040", "#cc8844")
    turn = stream.uniform(-180, 180)
    return icons.IconSpec(info.asset, 56.0, 60.0, 60.0, style, turn, stream.chance(0.5))


def some(count: int) -> list[icons.IconInfo]:
    return Stream("some-icons").sample(EVERY, count)


def test_there_are_many_and_each_says_what_it_is() -> None:
    lines = [info for info in EVERY if info.source == "icon"]
    assert len(lines) >= 400
    assert len(EVERY) - len(lines) >= 200
    for source in ("icon", "emoji3d"):
        for names in ([i.en for i in EVERY if i.source == source],
                      [i.zh for i in EVERY if i.source == source]):  # fmt: skip
            assert len(set(names)) == len(names)
            assert all(name and name == name.strip() for name in names)
    assert {info.category for info in EVERY} == set(icons.CATEGORY_NAMES)


def test_every_icon_has_art_and_a_small_simple_zone() -> None:
    for info in EVERY:
        corners = icons.icon_shape(info.asset).silhouette
        assert 3 <= len(corners) <= 24, info
        assert is_simple(corners), info
        assert Zone(tuple(map(tuple, corners.tolist()))).area > 0.02, info  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("plain", ["line", "duotone", "plain"])
def test_zones_contain_the_ink(plain: str) -> None:
    for number, info in enumerate(some(160)):
        if (plain == "plain") != (info.source == "emoji3d"):
            continue
        spec = placed(info, number, plain)
        found = icons.icon_ink(spec)
        at = np.argwhere(drawn(spec)[..., 3] > 127)
        polygon = (np.array(found.hull) * SCALE).astype(np.float32).reshape(-1, 1, 2)
        outside = [
            cv2.pointPolygonTest(polygon, (float(x) + 0.5, float(y) + 0.5), True) / SCALE
            for y, x in at[:: max(1, len(at) // 300)]
        ]
        assert min(outside) >= -EDGE_PX, (info, min(outside))
        assert found.box.grown(1e-5).holds(Zone(found.hull).box)
        assert len(found.hull) <= MOST_ZONE_CORNERS


def test_everything_painted_lies_in_the_painted_box() -> None:
    for number, info in enumerate(some(120)):
        spec = placed(info, number)
        at = np.argwhere(drawn(spec)[..., 3] > 10)
        y0, x0 = at.min(axis=0) / SCALE
        y1, x1 = (at.max(axis=0) + 1) / SCALE
        assert icons.icon_ink(spec).painted.grown(EDGE_PX).holds(Box(x0, y0, x1, y1)), spec


def test_reach_holds_the_zone_however_turned() -> None:
    for number, info in enumerate(some(60)):
        spec = placed(info, number)
        reach = icons.icon_reach(info.asset, spec.size, spec.style.kind)
        for point in icons.icon_ink(spec).hull:
            assert np.hypot(point.x - spec.x, point.y - spec.y) <= reach + 1e-5


def test_size_is_the_longest_side_of_the_ink() -> None:
    for info in some(60):
        kind = "line" if info.source == "icon" else "plain"
        spec = icons.IconSpec(info.asset, 60.0, 60.0, 60.0, icons.IconStyle(kind))
        at = np.argwhere(drawn(spec)[..., 3] > 100)
        extent = (at.max(axis=0) + 1 - at.min(axis=0)) / SCALE
        assert max(extent) == pytest.approx(60.0, abs=1.5), info


def test_splits_own_disjoint_icons_and_the_same_ones_as_pictures() -> None:
    owned = [{info.asset for info in icons.icons(split)} for split in SPLITS]
    assert not any(a & b for a, b in combinations(owned, 2))
    assert [len(found) > 20 for found in owned] == [True] * 3
    assert len(owned[0]) > 0.85 * len(EVERY)
    for split, found in zip(SPLITS, owned, strict=True):
        assert all(pictures.partition(asset) == split for asset in found)


def test_icons_are_selected_by_source_category_and_pose() -> None:
    animals = icons.icons("train", "icon", category="animal", upright=True)
    assert "cat" in {info.en for info in animals}
    assert all(i.category == "animal" and i.upright and i.source == "icon" for i in animals)
    assert set(icons.categories("train")) == set(icons.CATEGORY_NAMES)
    assert icons.icon_info("emoji3d/1f408").called("zh") == "猫"
    with pytest.raises(InvalidOptions, match="no icon"):
        icons.icon_info("icon/unheard-of")


def test_alike_is_symmetric_and_knows_names_and_groups() -> None:
    for a, b in pairwise(some(300)):
        assert icons.alike(a.asset, b.asset) == icons.alike(b.asset, a.asset)
    assert icons.alike("icon/cat", "icon/cat")
    assert icons.alike("icon/cat", "emoji3d/1f408")
    assert icons.alike("icon/wine", "icon/martini")
    assert not icons.alike("icon/cat", "icon/truck")


def test_likeness_is_high_for_likes_and_low_for_others() -> None:
    assert icons.icon_likeness("icon/cat", "icon/cat") == 1.0
    assert icons.icon_likeness("icon/clock", "icon/chart-pie") > icons.TOO_ALIKE
    assert icons.icon_likeness("icon/cat", "icon/anchor") < 0.4
    assert icons.tell_apart("emoji3d/1f34a", "emoji3d/1f3b1")
    turned = icons.icon_likeness("icon/hammer", "icon/axe", turned=True)
    assert turned >= icons.icon_likeness("icon/hammer", "icon/axe")


def test_distinct_choices_hold_no_two_alike() -> None:
    pool = icons.icons("train")
    for number in range(12):
        chosen = icons.choose_distinct(Stream(f"distinct-{number}"), pool, 8)
        assert len(chosen) == 8
        assert all(icons.distinct(a, b) for a, b in combinations(chosen, 2))
    with pytest.raises(Rejected, match="too few distinct icons"):
        icons.choose_distinct(Stream("few"), [icons.icon_info("icon/cat")], 2)


@pytest.mark.parametrize("source", ["icon", "emoji3d"])
def test_inks_read_on_their_ground_or_tile(source: str) -> None:
    for number in range(150):
        stream = Stream(f"dress-{source}-{number}")
        ground = grounds.choose(stream, "train")
        style = icons.choose_icon_style(stream, ground.tone, source)
        flat = bool(ground.tone.ink_ranges(3.0))
        if style.kind in ("disc", "badge"):
            assert contrast(style.ink, style.second) >= 3.0
        elif source == "icon":
            assert ground.tone.reads(style.ink) if flat else style.kind == "rim"
        elif not flat:
            assert style.kind == "sticker"


def test_tiles_are_seen_where_the_ground_allows() -> None:
    tone = Tone(0.42, 1.0)
    for number in range(60):
        style = icons.choose_icon_style(Stream(f"tile-{number}"), tone, kinds=("disc",))
        assert tone.reads(style.second, 1.6)
        assert 0.0 <= luminance(style.second) <= 1.0


def test_mirrored_icons_are_mirrored() -> None:
    style = icons.IconStyle("line")
    spec = icons.IconSpec("icon/anvil", 60.0, 60.0, 60.0, style)
    other = icons.IconSpec("icon/anvil", 60.0, 60.0, 60.0, style, mirrored=True)
    plain, flipped = (drawn(one)[..., 3].astype(int) for one in (spec, other))
    assert np.abs(plain[:, ::-1] - flipped).mean() < 1.0
    assert np.abs(plain - flipped).mean() > 4.0


def test_specs_survive_json() -> None:
    class State(pydantic.BaseModel):
        icons: tuple[icons.IconSpec, ...]

    state = State(icons=tuple(placed(info, 1) for info in some(4)))
    assert State.model_validate_json(state.model_dump_json()) == state


def test_line_art_is_what_the_package_says() -> None:
    """Every line icon has an outline of its own in the package."""
    seen: dict[bytes, str] = {}
    for info in EVERY:
        if info.source == "icon":
            key = bytes(icon_outline(info.name).serialize())
            assert key not in seen, (info.name, seen.get(key))
            seen[key] = info.name
