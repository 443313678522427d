"""What an address in a page leads to: this page, a file, another machine, a script."""

from __future__ import annotations

import re
from typing import Literal

from factory.llm.reasons import Bad, BadAnswer

Place = Literal["page", "beside", "person", "picture"]
"""A place in the page; a file beside it; a mail address or number; a picture in the address."""

_SCHEME = re.compile(r"^([a-z][a-z0-9+.\-]*):")
_PICTURE = re.compile(r"^data:image/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$", re.IGNORECASE)
SCRIPTS = {"javascript", "vbscript", "livescript", "mocha"}
PERSONS = {"mailto", "tel", "sms"}
LONGEST_PICTURE = 64_000
SHOWN = 60


def bare_address(address: str) -> str:
    """An address as a browser reads it: without control letters and blanks, in small letters."""
    return "".join(letter for letter in address if letter > " " and letter != "\x7f").casefold()


def place_of(address: str) -> Place:
    """Where an address leads; ``BadAnswer`` for every place but those four."""
    bare = bare_address(address).replace("\\", "/")
    scheme = _SCHEME.match(bare)
    if bare.startswith("//"):
        raise BadAnswer(Bad.EXTERNAL_ADDRESS, f"{_cut(address)!r} is on another machine")
    if scheme is None:
        return "page" if not bare or bare.startswith("#") else "beside"
    name = scheme[1]
    if name in SCRIPTS:
        raise BadAnswer(Bad.SCRIPT_LINK, f"{_cut(address)!r} runs a script")
    if name == "file" or len(name) == 1:  # a letter of a drive
        raise BadAnswer(Bad.LOCAL_FILE, f"{_cut(address)!r} is a file of this machine")
    if name == "data":
        if _PICTURE.match(bare) and len(bare) <= LONGEST_PICTURE:
            return "picture"
        raise BadAnswer(Bad.DATA_ADDRESS, f"{_cut(address)!r} holds a document of its own")
    if name in PERSONS:
        return "person"
    raise BadAnswer(Bad.EXTERNAL_ADDRESS, f"{_cut(address)!r} is outside of the page")


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
