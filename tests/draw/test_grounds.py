"""Grounds keep their promise of tone, inks read on their px, and scenes look distinct."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import skia

from factory.core.errors import InvalidOptions, Rejected
from factory.core.geometry import Box
from factory.core.puzzle import Bitmap, Seen
from factory.core.rng import SPLITS, Stream
from factory.draw import glyphs, grounds, inkmasks, layout, styles
from factory.draw.clutter import choose_clutter, clutter_mask, draw_clutter
from factory.draw.colours import contrast, luminance
from factory.draw.tones import LARGE_GLYPHS, Tone, choose_ink, rim_for, shade
from factory.engine.make import perceptual_hash

SLOT = Box(0, 0, 300, 200)

LEVELS = 0.02
"""Luminance by which a px may pass its bound: colours are whole levels, and so are mixtures."""

MEDIAN_BITS, NEAREST_BITS = 24, 6
"""Gate i of the design: median distance of pairs, first percentile of nearest neighbours."""


def drawn(ground: grounds.Ground, specs: list[glyphs.GlyphSpec] | None = None) -> Bitmap:
    pixels = np.zeros((200, 300, 4), np.uint8)
    info = skia.ImageInfo.Make(300, 200, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType)
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        grounds.draw_ground(canvas, ground, SLOT)
        glyphs.draw_glyphs(canvas, specs or [])
    return np.ascontiguousarray(pixels[..., :3])


def some(kind: str, mood: str, count: int = 8) -> list[grounds.Ground]:
    return [
        grounds.compose(kind, number, Stream(f"g{number}"), "train", moods=(mood,))
        for number in range(count)
    ]


@pytest.mark.parametrize("mood", ["light", "dark"])
@pytest.mark.parametrize("kind", grounds.SHARES)
def test_luminance_keeps_the_bounds_of_the_tone(kind: str, mood: str) -> None:
    for ground in some(kind, mood):
        seen = inkmasks.luminances(drawn(ground))
        assert seen.min() >= ground.tone.low - LEVELS
        assert seen.max() <= ground.tone.high + LEVELS


@pytest.mark.parametrize("kind", grounds.SHARES)
def test_grounds_fill_their_box_and_nothing_else(kind: str) -> None:
    box = Box(30.0, 20.0, 250.0, 170.0)
    for scale in (1.0, 1.5, 2.0):
        pixels = np.full((round(200 * scale), round(300 * scale), 4), 9, np.uint8)
        info = skia.ImageInfo.Make(
            pixels.shape[1], pixels.shape[0], skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType
        )
        with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
            canvas.scale(scale, scale)
            grounds.draw_ground(canvas, some(kind, "light", 1)[0], box)
        inside = np.zeros(pixels.shape[:2], bool)
        x0, y0, x1, y1 = (round(edge * scale) for edge in box.as_list())
        inside[y0:y1, x0:x1] = True
        assert (pixels[~inside] == 9).all()
        assert (pixels[inside][:, :3].min(axis=1) > 100).all()


@pytest.mark.parametrize("kind", grounds.SHARES)
def test_inks_keep_their_contrast_to_every_px_under_the_glyph(kind: str) -> None:
    for number, ground in enumerate(some(kind, "light", 5) + some(kind, "dark", 5)):
        stream = Stream(f"ink-{number}")
        style = styles.choose_style(stream, ground.tone, 44.0)
        at = stream.uniform(40, 260), stream.uniform(40, 160)
        spec = glyphs.GlyphSpec("R", "lilita-one", 44.0, *at, style)
        under = inkmasks.mask(glyphs.ink(spec).path, SLOT)
        inks = [style.ink, style.second] if style.kind in ("gradient", "two_tone") else [style.ink]
        for ink in inks:
            assert inkmasks.least_contrast(drawn(ground), under, ink) >= LARGE_GLYPHS


def test_rich_grounds_get_a_rim_that_stands_out() -> None:
    for number in range(60):
        style = styles.choose_style(Stream(f"rich-{number}"), Tone(0.0, 1.0), 40.0)
        assert style.kind == "rim"
        assert contrast(style.ink, style.second) >= LARGE_GLYPHS
        assert 1.5 < style.width < 5.0


def test_no_flat_ink_reads_where_everything_is() -> None:
    with pytest.raises(Rejected, match="no flat ink reads"):
        choose_ink(Stream("none"), Tone(0.0, 1.0))
    with pytest.raises(Rejected, match="no rim stands out"):
        rim_for("#ffffff", 21.5)


@pytest.mark.parametrize("target", [0.02, 0.1, 0.3, 0.6, 0.9])
def test_shades_have_the_luminance_that_was_asked(target: float) -> None:
    for hue in range(0, 360, 30):
        assert luminance(shade(hue, 0.7, target)) == pytest.approx(target, abs=0.012)


def test_style_kinds_follow_the_stroke() -> None:
    assert "outline" not in styles.kinds_for(glyphs.stroke("zcool-xiaowei"))
    assert "outline" in styles.kinds_for(glyphs.stroke("alfa-slab-one"))
    assert "fill" in styles.kinds_for(0.0)
    with pytest.raises(InvalidOptions, match="no style"):
        styles.Style("neon", "#ffffff")


def test_seeds_belong_to_one_split_and_numbers_own_them() -> None:
    seeds = [
        {grounds.compose("facets", n, Stream("s"), split).seed for n in range(300)}
        for split in SPLITS
    ]
    assert not any(a & b for a, b in combinations(seeds, 2))
    assert all(len(found) == 300 for found in seeds)
    with pytest.raises(InvalidOptions, match="no ground 'lava'"):
        grounds.compose("lava", 0, Stream("s"), "train")
    with pytest.raises(InvalidOptions, match="there is no number"):
        grounds.compose("facets", grounds.CAPACITY, Stream("s"), "train")


def test_shares_are_many_and_none_is_large() -> None:
    shares = [content.share for content in grounds.contents()]
    assert sum(shares) == pytest.approx(1.0)
    assert len(shares) >= 5
    assert max(shares) <= 0.3


def test_the_same_ground_is_drawn_the_same() -> None:
    for kind in grounds.SHARES:
        ground = some(kind, "rich", 1)[0]
        assert np.array_equal(drawn(ground), drawn(ground))


def glyph_scene(number: int) -> Bitmap:
    """Four to eight letters scattered on a ground of the default mix."""
    stream = Stream(f"scene-{number}")
    ground = grounds.choose(stream, "train")
    face = stream.choice(glyphs.faces("train", "latin", plain=True)).name
    chars = stream.sample(glyphs.safe_alphabet("upper"), stream.integer(4, 9))
    sizes = [stream.uniform(32, 46) for _ in chars]
    radii = [glyphs.reach(face, c, size) for c, size in zip(chars, sizes, strict=True)]
    at = layout.scatter(stream, SLOT.grown(-4), radii, 4.0)
    specs = [
        glyphs.GlyphSpec(c, face, size, p.x, p.y, styles.choose_style(stream, ground.tone, size),
                         turn_deg=stream.uniform(-40, 40))
        for c, size, p in zip(chars, sizes, at, strict=True)
    ]  # fmt: skip
    return drawn(ground, specs)


def test_distinct_scenes_look_distinct() -> None:
    hashes = []
    for number in range(300):
        pixels = glyph_scene(number)
        hashes.append(perceptual_hash(Seen(pixels, pixels, SLOT, 1.0)))
    bits = np.unpackbits(np.array(hashes, ">u8")[:, None].view(np.uint8), axis=1).astype(int)
    apart = (bits[:, None] != bits[None]).sum(axis=2)
    assert np.median(apart[np.triu_indices(300, 1)]) >= MEDIAN_BITS
    np.fill_diagonal(apart, 64)
    assert np.percentile(apart.min(axis=1), 1) >= NEAREST_BITS


def test_clutter_grows_with_its_amount_and_is_seen() -> None:
    covered = []
    for amount in (0.0, 0.4, 1.0):
        clutter = choose_clutter(Stream("clutter"), Tone(0.42, 1.0), amount)
        covered.append(float((clutter_mask(clutter, SLOT) > 127).mean()))
        assert all(contrast(colour, "#ffffff") >= 1.5 for colour in clutter.colours)
    assert covered[0] == 0.0 < covered[1] < covered[2] < 0.12


def test_clutter_stays_inside_its_box() -> None:
    clutter = choose_clutter(Stream("inside"), Tone(0.0, 1.0), 1.0)
    pixels = np.zeros((200, 300, 4), np.uint8)
    info = skia.ImageInfo.Make(300, 200, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    with skia.Surface.MakeRasterDirect(info, pixels) as canvas:
        draw_clutter(canvas, clutter, Box(50, 40, 250, 160))
    assert pixels[40:160, 50:250].any()
    pixels[40:160, 50:250] = 0
    assert not pixels.any()
