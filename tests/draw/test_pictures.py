"""Pictures have one upright pose, look unlike each other, and belong to one split."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import skia
from PIL import Image

from factory.core.errors import DependencyMissing, InvalidOptions
from factory.core.geometry import Box
from factory.core.rng import SPLITS, Stream
from factory.draw import assets, pictures
from factory.draw.measure import turn_margin
from factory.draw.pictures import emoji, icon
from factory.draw.pictures.folders import normalised
from factory.draw.pictures.props import beside, crescent
from factory.draw.pictures.spec import partition, seeded_asset
from factory.draw.pictures.upright import EMOJI, ICONS

SCENES = ("landscape", "street", "room", "sea", "garden")
DEFAULT_MIX = (*SCENES, "emoji3d", "icon")
ALL = (*DEFAULT_MIX, "photo")
SIDE = 96


@pytest.fixture(autouse=True, scope="module")
def _assets_are_set_up() -> None:
    """Without the packages these tests fail, with the line that brings them."""
    for package in (emoji.PACKAGE, icon.PACKAGE):
        try:
            assets.npm_package(package)
        except DependencyMissing as missing:
            pytest.fail(str(missing))


@pytest.fixture
def no_folders() -> Iterator[None]:
    """User folders of one test are gone in the next."""
    yield
    pictures.use_folders(())


def drawn(spec: pictures.PictureSpec, side: int = SIDE, turn_deg: float = 0.0) -> Any:
    """The picture as BGR ``(side, side, 3)``, turned clockwise about its centre."""
    pixels = np.zeros((side, side, 4), np.uint8)
    info = skia.ImageInfo.Make(side, side, skia.kBGRA_8888_ColorType, skia.kUnpremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        canvas.translate(side / 2, side / 2)
        canvas.rotate(turn_deg)
        canvas.translate(-side / 2, -side / 2)
        pictures.draw(canvas, spec, side)
    return pixels


def chosen(kind: str, name: str, split: str = "train") -> pictures.PictureSpec:
    stream = Stream(f"test-pictures|{kind}|{name}")
    return pictures.choose(kind, stream, split, stream.random())


def disc(side: int) -> Any:
    offsets = np.arange(side) + 0.5 - side / 2
    return offsets[:, None] ** 2 + offsets[None, :] ** 2 < (side / 2 - 1) ** 2


def fingerprint(pixels: Any) -> Any:
    """A 64-bit perceptual hash: the signs of the lowest 8 x 8 cosine terms about their median."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGRA2GRAY)
    small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    terms = cv2.dct(small)[:8, :8].ravel()
    return terms > np.median(terms)


# ------------------------------------------------------------------ what a picture is


def test_every_kind_but_the_users_is_installed() -> None:
    assert pictures.kinds() == ALL


@pytest.mark.parametrize("kind", ALL)
def test_same_stream_gives_the_same_bytes_and_another_gives_others(kind: str) -> None:
    first, again, other = chosen(kind, "a"), chosen(kind, "a"), chosen(kind, "b")
    assert first == again
    assert drawn(first).tobytes() == drawn(again).tobytes()
    assert drawn(first).tobytes() != drawn(other).tobytes()


def test_bytes_are_the_same_in_a_fresh_process_with_another_hash_seed() -> None:
    specs = [chosen(kind, "process").as_dict() for kind in DEFAULT_MIX]
    code = (
        "import sys, json, hashlib, numpy as np, skia\n"
        "from factory.draw import pictures\n"
        "total = hashlib.blake2b(digest_size=16)\n"
        "for data in json.load(sys.stdin):\n"
        f"    pixels = np.zeros(({SIDE}, {SIDE}, 4), np.uint8)\n"
        f"    info = skia.ImageInfo.Make({SIDE}, {SIDE}, skia.kBGRA_8888_ColorType, "
        "skia.kUnpremul_AlphaType)\n"
        "    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:\n"
        f"        pictures.draw(canvas, pictures.PictureSpec.from_dict(data), {SIDE})\n"
        "    total.update(pixels.tobytes())\n"
        "print(total.hexdigest())\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(specs[::-1]),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONHASHSEED": "77", "FACTORY_HOME": str(assets.home()), "PATH": ""},
    ).stdout.strip()
    here = blake2b(digest_size=16)
    for data in specs[::-1]:
        here.update(drawn(pictures.PictureSpec.from_dict(data)).tobytes())
    assert here.hexdigest() == there


@pytest.mark.parametrize("kind", ALL)
def test_spec_survives_json_with_rounded_floats(kind: str) -> None:
    for name in range(20):
        spec = chosen(kind, str(name))
        data = json.loads(json.dumps(spec.as_dict()))
        assert pictures.PictureSpec.from_dict(data) == spec
        floats = [value for value in spec.params.values() if isinstance(value, float)]
        assert all(value == round(value, 6) for value in floats)
        assert json.loads(json.dumps(spec.identity())) == spec.identity()


@pytest.mark.parametrize("kind", ALL)
def test_picture_fills_its_square_at_every_size(kind: str) -> None:
    for name, side in (("s", 41), ("m", 96), ("l", 300)):
        assert (drawn(chosen(kind, name), side)[..., 3] == 255).all()


@pytest.mark.parametrize("kind", ALL)
def test_picture_is_the_same_at_twice_the_size(kind: str) -> None:
    for name in "abc":
        small, large = drawn(chosen(kind, name), 96), drawn(chosen(kind, name), 192)
        shrunk = cv2.resize(large, (96, 96), interpolation=cv2.INTER_AREA)
        assert np.abs(shrunk.astype(int) - small).mean() < 6.0


def test_dress_does_not_touch_identity() -> None:
    for kind in DEFAULT_MIX:
        plain = pictures.compose(kind, 7, Stream("one dress"), "train", 0.0)
        other = pictures.compose(kind, 7, Stream("another dress"), "train", 1.0)
        assert plain.identity() == other.identity()
        assert plain != other


@pytest.mark.parametrize("kind", ALL)
def test_numbered_contents_are_distinct_and_end_at_the_capacity(kind: str) -> None:
    for split in SPLITS:
        count = pictures.capacity(kind, split)
        numbers = {*range(150), *range(count // 2, count // 2 + 150), *range(count - 150, count)}
        made = [pictures.compose(kind, n, Stream("n"), split, 0.5).identity() for n in numbers]
        assert len({json.dumps(identity) for identity in made}) == len(numbers)
        with pytest.raises(InvalidOptions, match=str(count)):
            pictures.compose(kind, count, Stream("n"), split, 0.5)


# ------------------------------------------------------------------ who owns what


@pytest.mark.parametrize("kind", DEFAULT_MIX)
def test_pictures_come_from_their_own_splits_assets(kind: str) -> None:
    for split in SPLITS:
        assert {partition(chosen(kind, str(n), split).asset) for n in range(40)} == {split}


def test_photographs_are_split_by_photograph() -> None:
    seen = {s: {chosen("photo", str(n), s).asset for n in range(60)} for s in SPLITS}
    assert not seen["train"] & seen["val"]
    assert not seen["train"] & seen["test"]
    assert not seen["val"] & seen["test"]
    assert all(len(seen[split]) >= 2 for split in SPLITS)


@pytest.mark.parametrize(("kind", "names"), [("emoji3d", EMOJI), ("icon", ICONS)])
def test_every_split_has_a_handful_of_curated_assets(kind: str, names: tuple[str, ...]) -> None:
    assert len(set(names)) == len(names)
    owners = [partition(f"{kind}/{name}") for name in names]
    assert owners.count("val") >= 5
    assert owners.count("test") >= 5
    assert 0.85 < owners.count("train") / len(owners) < 0.95


def test_partition_keeps_its_shares_over_scene_seeds() -> None:
    owners = [partition(f"landscape-{n:07x}-0") for n in range(4000)]
    assert 0.035 < owners.count("val") / 4000 < 0.065
    assert 0.035 < owners.count("test") / 4000 < 0.065
    assert seeded_asset("sea", 5, "val") != seeded_asset("sea", 6, "val")


def test_every_curated_emoji_is_there_and_has_ink() -> None:
    assert len(EMOJI) >= 150
    for code in EMOJI:
        art = emoji.emoji_sprite(code)
        assert min(art.width, art.height) >= 60, code


def test_every_curated_icon_is_there_and_lies_in_its_square() -> None:
    assert len(ICONS) >= 120
    for name in ICONS:
        bounds = icon.icon_outline(name).computeTightBounds()
        assert not bounds.isEmpty(), name
        assert min(bounds.left(), bounds.top()) >= 0.9, name
        assert max(bounds.right(), bounds.bottom()) <= 23.1, name


def test_missing_package_names_setup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path))
    with pytest.raises(DependencyMissing, match="factory setup"):
        pictures.contents("train")
    with pytest.raises(DependencyMissing, match="factory setup"):
        assets.npm_package("lucide-static")


def test_home_follows_its_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FACTORY_HOME", str(tmp_path / "own"))
    assert assets.home() == tmp_path / "own"
    monkeypatch.delenv("FACTORY_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert assets.home() == tmp_path / "gui-data-factory"


# ------------------------------------------------------------------ how they look


def test_default_mix_has_five_kinds_and_none_dominates() -> None:
    for split in SPLITS:
        mix = pictures.contents(split)
        total = sum(content.share for content in mix)
        assert len(mix) >= 5
        assert max(content.share for content in mix) / total <= 0.3
    wider = pictures.contents("train", photographs=True)
    assert {content.kind for content in wider} == set(ALL)


@pytest.mark.parametrize("kind", ALL)
def test_no_turned_copy_comes_near_the_upright_picture(kind: str) -> None:
    """Disc-masked mean difference to each turn of 30..330 degrees, and the puzzle's own margin."""
    mask = disc(SIDE)
    for name in range(40):
        spec = chosen(kind, f"pose{name}")
        upright = np.ascontiguousarray(drawn(spec)[..., :3])
        grey: Any = cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY)
        assert turn_margin(grey, Box(0, 0, SIDE, SIDE), 30.0) > 0.2, spec
        for turn_deg in range(30, 331, 15):
            map_turned = cv2.getRotationMatrix2D((SIDE / 2 - 0.5, SIDE / 2 - 0.5), turn_deg, 1)
            turned = cv2.warpAffine(upright, map_turned, (SIDE, SIDE))
            assert np.abs(turned[mask].astype(int) - upright[mask]).mean() > 6.0, (spec, turn_deg)


@pytest.mark.parametrize("turned", [False, True])
def test_pictures_of_the_default_mix_look_distinct(turned: bool) -> None:
    mix = pictures.contents("train")
    hashes = []
    for index in range(500):
        stream = Stream(f"distinct|{index}")
        kind = stream.weighted([c.kind for c in mix], [c.share for c in mix])
        spec = pictures.choose(kind, stream, "train", stream.random())
        pixels = drawn(spec, 64, stream.uniform(0, 360) if turned else 0.0)
        if turned:
            pixels[~disc(64)] = 255
        hashes.append(fingerprint(pixels))
    bits = np.array(hashes)
    apart = (bits[:, None] != bits[None]).sum(axis=-1)
    assert np.median(apart[np.triu_indices(500, 1)]) >= 24
    nearest = (apart + 64 * np.eye(500, dtype=int)).min(axis=1)
    assert np.percentile(nearest, 1) >= 6


def test_a_tenth_of_more_detail_never_changes_which_picture_it_is() -> None:
    for kind in SCENES:
        calm = pictures.compose(kind, 3, Stream("d"), "train", 0.2)
        busy = pictures.compose(kind, 3, Stream("d"), "train", 0.3)
        assert calm.asset == busy.asset


def test_the_layout_of_an_emoji_chooses_its_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """With chance held still, every stage gives another picture."""
    monkeypatch.setattr(emoji, "Stream", lambda _: Stream("same"))
    spec = pictures.compose("emoji3d", 0, Stream("stage"), "train", 0.5)
    looks = [
        drawn(replace(spec, params={**spec.params, "layout": layout}))[..., :3].astype(int)
        for layout in range(len(emoji.STAGES))
    ]
    assert len(looks) >= 8
    for first, second in combinations(looks, 2):
        assert np.abs(first - second).mean() > 5.0


def test_clouds_and_birds_are_pushed_off_the_sun_and_stay_in_the_picture() -> None:
    stream = Stream("beside")
    for _ in range(500):
        sun = (stream.uniform(20, 80), stream.uniform(14, 40), stream.uniform(4.5, 9.5))
        x, half, top = stream.uniform(8, 92), stream.uniform(4, 10), stream.uniform(5, 50)
        placed = beside(sun, x, half, top, top + 6)
        assert 8 <= placed <= 92
        far = abs(placed - sun[0]) - half > sun[2]
        assert far or top > sun[1] + sun[2] or top + 6 < sun[1] - sun[2]
        if abs(x - sun[0]) - half > sun[2] * 1.15:
            assert placed == x


def test_a_crescent_is_the_moon_less_a_shifted_disc() -> None:
    moon, cut = skia.Path(), skia.Path()
    moon.addCircle(50, 50, 40)
    cut.addCircle(50 + 40 * 0.4, 50 - 40 * 0.25, 40 * 0.86)
    true = skia.Op(moon, cut, skia.PathOp.kDifference_PathOp)
    drawn = crescent(50, 50, 40)
    points = [(x + 0.5, y + 0.5) for x in range(100) for y in range(100)]
    inside = [drawn.contains(*point) for point in points]
    assert sum(a != true.contains(*point) for a, point in zip(inside, points, strict=True)) < 25
    assert 1500 < sum(inside) < 3500


# ------------------------------------------------------------------ the user's folders


def picture(width: int = 200, height: int = 140) -> Image.Image:
    """Red above blue, with a slope, so that turns and losses show."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, :, 0] = 220
    pixels[height // 2 :, :, 2] = 220
    pixels[..., 1] = np.linspace(0, 120, width).astype(np.uint8)
    return Image.fromarray(pixels)


def test_folder_pictures_are_known_by_content_not_by_name(tmp_path: Path, no_folders: None) -> None:
    picture().save(tmp_path / "b.png")
    (tmp_path / "a.png").write_bytes((tmp_path / "b.png").read_bytes())
    (tmp_path / "notes.txt").write_text("not a picture")
    folder = pictures.UserFolder(tmp_path)
    assert [path.name for path in folder.files.values()] == ["a.png"]
    digest = pictures.use_folders([tmp_path])
    (tmp_path / "a.png").unlink()
    assert pictures.use_folders([tmp_path], expected_digest=digest) == digest
    assert "user" in pictures.kinds()
    assert pictures.use_folders(()) == ""
    assert "user" not in pictures.kinds()


def test_folder_pictures_are_drawn_and_split_by_content(tmp_path: Path, no_folders: None) -> None:
    for number in range(60):
        picture(200 + number, 140).save(tmp_path / f"{number}.png")
    pictures.use_folders([tmp_path])
    seen = {}
    for split in SPLITS:
        if pictures.capacity("user", split):
            seen[split] = {chosen("user", str(n), split).asset for n in range(200)}
            assert {partition(asset) for asset in seen[split]} == {split}
    assert len(seen["train"]) > 30
    pixels = drawn(chosen("user", "0"))
    assert (pixels[5, 48, 2], pixels[90, 48, 0]) == (220, 220)
    assert {c.kind for c in pictures.contents("train")} == {*DEFAULT_MIX, "user"}


def test_folder_that_changed_is_refused(tmp_path: Path, no_folders: None) -> None:
    picture().save(tmp_path / "a.png")
    digest = pictures.use_folders([tmp_path])
    picture(300).save(tmp_path / "b.png")
    with pytest.raises(InvalidOptions, match=digest):
        pictures.use_folders([tmp_path], expected_digest=digest)


def test_exif_turn_is_applied(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held a quarter turn: shown turned clockwise by 90 degrees
    picture().save(tmp_path / "turned.jpg", exif=exif, quality=95)
    pixels = normalised(tmp_path / "turned.jpg")
    assert pixels.shape == (200, 140, 3)
    assert pixels[100, 130, 2] > 150 > pixels[100, 10, 2]  # red, once above, is on the right


SAVED: dict[str, Callable[[Path], None]] = {
    "sixteen.png": lambda p: Image.fromarray(
        np.linspace(0, 65535, 120 * 120).reshape(120, 120).astype(np.uint16)
    ).save(p),
    "cmyk.jpg": lambda p: picture().convert("CMYK").save(p, quality=95),
    "palette.png": lambda p: picture().quantize(16).save(p),
    "grey.png": lambda p: picture().convert("L").save(p),
    "bitmap.png": lambda p: picture().convert("1").save(p),
    "greyalpha.png": lambda p: picture().convert("LA").save(p),
    "animated.gif": lambda p: picture().save(p, save_all=True, append_images=[picture(200, 140)]),
    "plain.webp": lambda p: picture().save(p, lossless=True),
    "plain.tiff": lambda p: picture().save(p),
}


@pytest.mark.parametrize("name", SAVED)
def test_odd_formats_become_eight_bit_bgr(tmp_path: Path, name: str) -> None:
    SAVED[name](tmp_path / name)
    pixels = normalised(tmp_path / name)
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert pixels.shape[2] == 3
    assert int(pixels.max()) - int(pixels.min()) > 60


def test_sixteen_bit_keeps_its_tones(tmp_path: Path) -> None:
    SAVED["sixteen.png"](tmp_path / "sixteen.png")
    pixels = normalised(tmp_path / "sixteen.png")
    assert pixels[0, 0, 0] == 0
    assert abs(int(pixels[60, 60, 0]) - 128) <= 2
    assert pixels[-1, -1, 0] == 255


def test_cmyk_keeps_its_colours(tmp_path: Path) -> None:
    SAVED["cmyk.jpg"](tmp_path / "cmyk.jpg")
    pixels = normalised(tmp_path / "cmyk.jpg")
    assert pixels[20, 20, 2] > 150 > pixels[20, 20, 0]
    assert pixels[120, 20, 0] > 150 > pixels[120, 20, 2]


def test_transparency_turns_white(tmp_path: Path) -> None:
    clear = picture().convert("RGBA")
    clear.putalpha(0)
    clear.save(tmp_path / "clear.png")
    assert (normalised(tmp_path / "clear.png") == 255).all()


def test_large_picture_is_reduced(tmp_path: Path) -> None:
    picture(2400, 1800).save(tmp_path / "large.png")
    assert normalised(tmp_path / "large.png").shape == (900, 1200, 3)


def test_broken_small_and_float_pictures_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"junk" * 50)
    picture(60, 60).save(tmp_path / "small.png")
    Image.fromarray(np.ones((120, 120), np.float32)).save(tmp_path / "float.tiff")
    whole = tmp_path / "whole.jpg"
    picture().save(whole)
    (tmp_path / "cut.jpg").write_bytes(whole.read_bytes()[:1500])
    for name in ("broken.png", "small.png", "float.tiff", "cut.jpg"):
        with pytest.raises(InvalidOptions, match=name):
            normalised(tmp_path / name)
    with pytest.raises(InvalidOptions, match=r"broken\.png|cut\.jpg|float\.tiff|small\.png"):
        pictures.use_folders([tmp_path])


def test_folder_without_pictures_and_file_for_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptions, match="holds no picture"):
        pictures.UserFolder(tmp_path)
    with pytest.raises(InvalidOptions, match="is not a folder"):
        pictures.UserFolder(tmp_path / "absent")


def test_unknown_kind_is_named() -> None:
    with pytest.raises(InvalidOptions, match="landscape"):
        pictures.capacity("watercolour", "train")
    with pytest.raises(InvalidOptions, match="user has no pictures"):
        pictures.choose("user", Stream("u"), "train", 0.5)
