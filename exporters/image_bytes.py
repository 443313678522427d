"""What an image file says about itself, read from its bytes without decoding.

Three formats, by part name: ``png``, ``jpg``, ``webp``. The checks are that the
bytes begin and end as the format demands and carry nothing but the picture:
no EXIF, text, colour profile or time, where an answer could hide and where two
decoders could differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from exporters.problems import Code

_MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff", "webp": b"RIFF"}
_PNG_EXTRAS = {b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"iCCP", b"tIME"}
_WEBP_EXTRAS = {b"EXIF", b"XMP ", b"ICCP"}
# APP1 is EXIF or XMP, APP2 a colour profile, APP13 Photoshop, FE a comment.
_JPEG_EXTRAS = {0xE1: "APP1", 0xE2: "APP2", 0xED: "APP13", 0xFE: "comment"}
_JPEG_SCAN = 0xDA
Fault = tuple[Code, str]


def image_format(part: str) -> str:
    """``png``, ``jpg`` or ``webp`` for an image part (``jpg``, ``i03.jpg``), else ""."""
    extension = part.rpartition(".")[2]
    return extension if extension in _MAGIC else ""


def image_faults(kind: str, data: bytes) -> Iterator[Fault]:
    """Everything wrong with an image of format ``kind`` that its bytes show."""
    if not _has_magic(kind, data):
        yield Code.IMAGE_MAGIC, f"not {kind}: begins with {data[:12].hex(' ') or 'nothing'}"
        return
    walk = {"png": _png_faults, "jpg": _jpeg_faults, "webp": _webp_faults}[kind]
    yield from walk(data)


def _has_magic(kind: str, data: bytes) -> bool:
    return data.startswith(_MAGIC[kind]) and (kind != "webp" or data[8:12] == b"WEBP")


def _png_faults(data: bytes) -> Iterator[Fault]:
    position, name = 8, b""
    while name != b"IEND" and position + 12 <= len(data):
        name = data[position + 4 : position + 8]
        if name in _PNG_EXTRAS:
            yield Code.IMAGE_METADATA, f"PNG chunk {name.decode()}"
        position += 12 + int.from_bytes(data[position : position + 4], "big")
    if name != b"IEND" or position != len(data):
        yield Code.IMAGE_BROKEN, f"PNG of {len(data)} bytes does not end with IEND"


def _jpeg_faults(data: bytes) -> Iterator[Fault]:
    position = 2
    while position + 4 <= len(data) and data[position] == 0xFF and data[position + 1] != _JPEG_SCAN:
        marker = data[position + 1]
        if marker in _JPEG_EXTRAS:
            yield Code.IMAGE_METADATA, f"JPEG segment {_JPEG_EXTRAS[marker]}"
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    if data[position : position + 2] != b"\xff\xda" or data[-2:] != b"\xff\xd9":
        yield Code.IMAGE_BROKEN, f"JPEG of {len(data)} bytes does not end with its end marker"


def _webp_faults(data: bytes) -> Iterator[Fault]:
    if int.from_bytes(data[4:8], "little") + 8 != len(data):
        yield Code.IMAGE_BROKEN, f"WebP of {len(data)} bytes states another length"
    position = 12
    while position + 8 <= len(data):
        name = data[position : position + 4]
        if name in _WEBP_EXTRAS:
            yield Code.IMAGE_METADATA, f"WebP chunk {name.decode().strip()}"
        nbytes = int.from_bytes(data[position + 4 : position + 8], "little")
        position += 8 + nbytes + nbytes % 2
