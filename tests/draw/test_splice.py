"""Claims of factory.draw.splice: splicing equals encoding everything, byte for byte."""

from __future__ import annotations

import io
import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from factory.core.errors import InvalidOptions
from factory.draw.splice import Patch, SplicedCanvas, decode_crop, encode_whole
from factory.draw.splice_jpeg import restart_interval
from factory.draw.splice_png import combine_adlers

FORMATS = ("jpg", "png")
SCREENS = [
    (1280, 800),
    (1920, 1080),
    (375, 812),
    (750, 1624),
    (1125, 2436),
    (1366, 768),
    (333, 217),
]
TINY = [(1, 1), (7, 3), (8, 8), (9, 33), (48, 64), (90, 31), (161, 65), (250, 100)]
ANOTHER_CODEC_LEVELS = 2
"""Pillow brings its own build of libjpeg-turbo. The two agreed exactly when this was written;
the standard lets decoders differ by rounding, so a level or two would be no bug of ours."""

quick = settings(derandomize=True, deadline=None, max_examples=150)


def page(width: int, height: int, seed: int = 0) -> np.ndarray:
    """A BGR picture with flat areas, coloured text and noise, so that all coders have work."""
    rng = np.random.default_rng(seed)
    out = np.full((height, width, 3), rng.integers(180, 256, 3), np.uint8)
    for _ in range(40):
        at = (int(rng.integers(-20, width)), int(rng.integers(0, height + 10)))
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.putText(out, "Verify you", at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    bottom, right = height // 2 + 1, width // 3 + 1
    out[:bottom, :right] = rng.integers(0, 256, (bottom, right, 3))
    return out


def rects_of(width: int, height: int) -> dict[str, list[tuple[int, int, int, int]]]:
    """Rectangles to repaint, by what is special about them."""
    w, h = max(width // 4, 1), max(height // 4, 1)
    x, y = width // 2, height // 2
    return {
        "none": [],
        "centre": [(x - w // 2, y - h // 2, x + w // 2 + 1, y + 1)],
        "top left": [(0, 0, w, h)],
        "top right": [(width - w, 0, width, h)],
        "bottom left": [(0, height - h, w, height)],
        "bottom right": [(width - w, height - h, width, height)],
        "everything": [(0, 0, width, height)],
        "hanging over": [(-5, -5, 3, 3)],
    }  # fmt: skip


def overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def repaint(
    canvas: SplicedCanvas, backdrop: np.ndarray, rects: list[tuple[int, int, int, int]]
) -> tuple[list[Patch], np.ndarray]:
    """(patches on the grid, the composed picture): other pixels in each rectangle that is free."""
    other = page(canvas.width, canvas.height, seed=1)
    composed = backdrop.copy()
    taken: list[tuple[int, int, int, int]] = []
    for rect in (canvas.align(*rect) for rect in rects):
        if not any(overlap(rect, earlier) for earlier in taken):
            taken.append(rect)
    for x0, y0, x1, y1 in taken:
        composed[y0:y1, x0:x1] = other[y0:y1, x0:x1]
    return [(x0, y0, other[y0:y1, x0:x1]) for x0, y0, x1, y1 in taken], composed


def decode(data: bytes) -> np.ndarray:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return pixels


def decode_with_pillow(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "RGB"
        return np.asarray(picture)[:, :, ::-1]


def png_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """(kind, body) of each chunk, after checking its CRC."""
    at, chunks = 8, []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        typed = data[at + 4 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(typed)
        chunks.append((typed[:4], typed[4:]))
        at += 12 + size
    return chunks


def jpeg_markers(data: bytes) -> list[int]:
    """Codes of all markers, in order, those of the scan included."""
    at, codes = 2, [0xD8]
    while codes[-1] != 0xDA:
        codes.append(data[at + 1])
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    scan = np.frombuffer(data, np.uint8)[at:]
    after = scan[1:][scan[:-1] == 0xFF]
    return codes + after[after != 0].tolist()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("size", SCREENS + TINY, ids=lambda size: f"{size[0]}x{size[1]}")
def test_splicing_equals_encoding_everything(size, format):
    backdrop = page(*size)
    canvas = SplicedCanvas(backdrop, format=format)
    cases = rects_of(*size)
    cases["four corners"] = [
        rect for name in ("top left", "top right", "bottom left", "bottom right", "centre")
        for rect in cases[name]
    ]  # fmt: skip
    for name, rects in cases.items():
        patches, composed = repaint(canvas, backdrop, rects)
        spliced = canvas.encode(patches)
        assert spliced == encode_whole(composed, format=format), name


@quick
@given(
    width=st.integers(1, 400),
    height=st.integers(1, 120),
    format=st.sampled_from(FORMATS),
    quality=st.sampled_from([1, 60, 90, 100]),
    corners=st.lists(st.tuples(*[st.floats(0, 1)] * 4), max_size=4),
)
def test_splicing_equals_encoding_everything_for_any_size_and_patches(
    width, height, format, quality, corners
):
    rects = []
    for a, b, c, d in corners:
        x0, y0 = int(min(a, b) * (width - 1)), int(min(c, d) * (height - 1))
        rects.append((x0, y0, int(max(a, b) * width) + 1, int(max(c, d) * height) + 1))
    backdrop = page(width, height)
    canvas = SplicedCanvas(backdrop, format=format, quality=quality)
    patches, composed = repaint(canvas, backdrop, rects)
    data, crops = canvas.encode_with_crops(patches)
    assert data == encode_whole(composed, format=format, quality=quality)
    whole = decode(data)
    for (x0, y0, pixels), crop in zip(patches, crops, strict=True):
        region = whole[y0 : y0 + pixels.shape[0], x0 : x0 + pixels.shape[1]]
        np.testing.assert_array_equal(decode_crop(crop), region)


@pytest.mark.parametrize("size", SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("format", FORMATS)
def test_decoded_crop_is_the_region_of_the_decoded_whole(size, format):
    backdrop = page(*size)
    canvas = SplicedCanvas(backdrop, format=format)
    for rects in rects_of(*size).values():
        patches, _ = repaint(canvas, backdrop, rects)
        data, crops = canvas.encode_with_crops(patches)
        for (x0, y0, pixels), crop in zip(patches, crops, strict=True):
            region = decode(data)[y0 : y0 + pixels.shape[0], x0 : x0 + pixels.shape[1]]
            np.testing.assert_array_equal(decode_crop(crop), region)


@pytest.mark.parametrize("size", SCREENS + TINY, ids=lambda size: f"{size[0]}x{size[1]}")
def test_png_is_lossless_in_cv2_and_pillow(size):
    backdrop = page(*size)
    canvas = SplicedCanvas(backdrop, format="png")
    patches, composed = repaint(canvas, backdrop, rects_of(*size)["centre"])
    data = canvas.encode(patches)
    np.testing.assert_array_equal(decode(data), composed)
    np.testing.assert_array_equal(decode_with_pillow(data), composed)


@pytest.mark.parametrize("size", SCREENS + TINY, ids=lambda size: f"{size[0]}x{size[1]}")
def test_jpeg_reads_the_same_in_cv2_and_pillow_and_is_the_plain_encoding(size):
    backdrop = page(*size)
    canvas = SplicedCanvas(backdrop, format="jpg")
    patches, composed = repaint(canvas, backdrop, rects_of(*size)["centre"])
    seen = decode(canvas.encode(patches))
    pillow = decode_with_pillow(canvas.encode(patches))
    assert np.abs(seen.astype(int) - pillow.astype(int)).max() <= ANOTHER_CODEC_LEVELS
    sampling = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
    _, plain = cv2.imencode(".jpg", composed, (cv2.IMWRITE_JPEG_QUALITY, 90, *sampling))
    np.testing.assert_array_equal(seen, decode(plain.tobytes()))


def test_jpeg_has_no_metadata_and_counts_its_restart_markers():
    backdrop = page(1280, 800)
    canvas = SplicedCanvas(backdrop, format="jpg")
    patches, _ = repaint(canvas, backdrop, [(480, 200, 800, 488), (480, 500, 800, 524)])
    data = canvas.encode(patches)
    assert data[:3] == b"\xff\xd8\xff" and data[6:11] == b"JFIF\0"
    codes = jpeg_markers(data)
    scan = codes.index(0xDA) + 1
    soi, app0, dqt, frame, huffman, restart = 0xD8, 0xE0, 0xDB, 0xC0, 0xC4, 0xDD
    assert set(codes[:scan]) == {soi, app0, dqt, frame, huffman, restart, 0xDA}
    segments = 16 * 100
    assert codes[scan:] == [0xD0 + n % 8 for n in range(segments - 1)] + [0xD9]


def test_png_has_only_the_chunks_a_picture_needs():
    backdrop = page(1280, 800)
    canvas = SplicedCanvas(backdrop, format="png")
    patches, composed = repaint(canvas, backdrop, [(480, 200, 800, 488)])
    data = canvas.encode(patches)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks = png_chunks(data)
    kinds = [kind for kind, _ in chunks]
    assert kinds == [b"IHDR", *[b"IDAT"] * (len(kinds) - 2), b"IEND"]
    stream = b"".join(body for kind, body in chunks if kind == b"IDAT")
    rows = zlib.decompress(stream)  # checks the combined Adler-32 as well
    assert len(rows) == composed.shape[0] * (1 + 3 * composed.shape[1])


@quick
@given(st.lists(st.binary(max_size=300), max_size=8))
def test_combined_adler_is_that_of_the_concatenation(parts):
    combined = combine_adlers((zlib.adler32(part), len(part)) for part in parts)
    assert combined == zlib.adler32(b"".join(parts))


def test_combined_adler_wraps_at_its_base():
    part = b"\xff" * 200_000
    assert combine_adlers([(zlib.adler32(part), len(part))] * 9) == zlib.adler32(part * 9)


@given(st.integers(1, 8192))
@quick
def test_restart_interval_divides_the_row_and_is_never_tiny(width):
    row = -(-width // 8)
    interval = restart_interval(width)
    assert row % interval == 0
    assert interval >= 6 or interval == row


@pytest.mark.parametrize(
    ("width", "interval"), [(1280, 10), (1920, 10), (375, 47), (750, 47), (1125, 47), (40, 5)]
)
def test_restart_interval_of_common_screens(width, interval):
    assert restart_interval(width) == interval


@quick
@given(
    width=st.integers(1, 2000),
    height=st.integers(1, 64),
    format=st.sampled_from(FORMATS),
    at=st.tuples(st.integers(0, 1999), st.integers(0, 63)),
    size=st.tuples(st.integers(1, 300), st.integers(1, 40)),
)
def test_aligned_rectangle_covers_and_is_a_fixed_point(width, height, format, at, size):
    canvas = SplicedCanvas(np.zeros((height, width, 3), np.uint8), format=format)
    x0, y0 = at[0] % width, at[1] % height
    x1, y1 = min(x0 + size[0], width), min(y0 + size[1], height)
    rect = canvas.align(x0, y0, x1, y1)
    assert 0 <= rect[0] <= x0 and x1 <= rect[2] <= width
    assert 0 <= rect[1] <= y0 and y1 <= rect[3] <= height
    assert canvas.align(*rect) == rect
    if format == "png":
        assert rect == (x0, y0, x1, y1)


@pytest.mark.parametrize("format", FORMATS)
def test_encoding_leaves_the_canvas_and_the_patches_as_they_were(format):
    backdrop = page(640, 400)
    canvas = SplicedCanvas(backdrop, format=format)
    untouched = canvas.encode(())
    patches, composed = repaint(canvas, backdrop, [(100, 100, 300, 300)])
    kept = patches[0][2].copy()
    first = canvas.encode(patches)
    backdrop[:] = 0  # the caller may reuse its buffer
    assert canvas.encode(patches) == first == encode_whole(composed, format=format)
    assert canvas.encode(()) == untouched
    np.testing.assert_array_equal(patches[0][2], kept)


def test_order_of_patches_does_not_matter():
    backdrop = page(1280, 800)
    for format in FORMATS:
        canvas = SplicedCanvas(backdrop, format=format)
        rects = [(0, 96, 80, 200), (80, 104, 240, 300), (640, 0, 720, 800)]
        patches, composed = repaint(canvas, backdrop, rects)
        assert len(patches) == 3
        assert canvas.encode(patches[::-1]) == encode_whole(composed, format=format)


def test_nbytes_is_the_file_for_jpeg_and_file_and_pixels_for_png():
    backdrop = page(1280, 800)
    jpg, png = (SplicedCanvas(backdrop, format=format) for format in FORMATS)
    assert len(jpg.encode(())) <= jpg.nbytes <= 1.1 * len(jpg.encode(()))
    assert backdrop.nbytes < png.nbytes <= backdrop.nbytes + len(png.encode(()))


def test_same_interval_and_quality_make_the_reference_and_other_quality_does_not():
    backdrop = page(320, 240)
    assert encode_whole(backdrop, format="jpg", quality=80) != encode_whole(backdrop, format="jpg")
    assert SplicedCanvas(backdrop, format="jpg", quality=80).encode(()) == encode_whole(
        backdrop, format="jpg", quality=80
    )


def test_wrong_requests_are_refused_with_their_values():
    pixels = page(640, 400)
    with pytest.raises(InvalidOptions, match="'webp'"):
        SplicedCanvas(pixels, format="webp")
    with pytest.raises(InvalidOptions, match="quality 0"):
        encode_whole(pixels, format="jpg", quality=0)
    for bad in (
        pixels[:, :, 0],
        pixels.astype(np.float32),
        pixels[:0],
        np.dstack([pixels, pixels]),
    ):
        with pytest.raises(InvalidOptions, match="BGR uint8"):
            encode_whole(bad, format="png")


@pytest.mark.parametrize("format", FORMATS)
def test_wrong_patches_are_refused(format):
    canvas = SplicedCanvas(page(640, 400), format=format)
    patch = np.zeros((80, 80, 3), np.uint8)
    with pytest.raises(InvalidOptions, match="off the splice grid; cut it at"):
        canvas.encode([(600, 0, patch)])
    with pytest.raises(InvalidOptions, match="covers nothing"):
        canvas.encode([(640, 0, patch)])
    with pytest.raises(InvalidOptions, match="overlap"):
        canvas.encode([(80, 80, patch), (80, 152, patch)])
    if format == "jpg":
        with pytest.raises(InvalidOptions, match="off the splice grid"):
            canvas.encode([(81, 80, patch)])


@pytest.mark.parametrize("format", FORMATS)
def test_a_prepared_patch_gives_the_bytes_of_the_patch_itself(format):
    rng = np.random.default_rng(5)
    page = rng.integers(0, 255, (220, 330, 3)).astype(np.uint8)
    canvas = SplicedCanvas(page, format=format)
    first, second = canvas.align(10, 8, 90, 40), canvas.align(10, 120, 200, 180)
    patches = [
        (x0, y0, rng.integers(0, 255, (y1 - y0, x1 - x0, 3)).astype(np.uint8))
        for x0, y0, x1, y1 in (first, second)
    ]
    plain, crops = canvas.encode_with_crops(patches)
    ready = canvas.prepare(patches[0])
    for _ in range(2):
        data, one = canvas.encode_with_crops(patches[1:], [ready])
        assert data == plain
        assert np.array_equal(decode_crop(one[0]), decode_crop(crops[1]))
    with pytest.raises(InvalidOptions, match="overlap"):
        canvas.encode_with_crops(patches, [ready])
