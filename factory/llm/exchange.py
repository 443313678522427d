"""A request to a language model and its answer; the digest that names an exchange."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

import msgspec
import orjson

VERSION = 1
"""Of the digest: raised when equal digests would no longer mean equal requests."""

Shape = Literal["text", "object", "loose", "strict"]
"""What the server is told of the answer's form: nothing, "a JSON object", a JSON schema without
limits of length, or the whole schema."""

STOP, LENGTH, REFUSED, EMPTY = "stop", "length", "refused", "empty"
"""Ways an answer ends: whole, cut off, not given for a fault of the request, without content."""


class Image(msgspec.Struct, frozen=True):
    """A picture shown to the model; ``media`` is its MIME type."""

    media: str
    data: bytes

    def address(self) -> str:
        """The picture as a ``data:`` address."""
        return f"data:{self.media};base64,{base64.b64encode(self.data).decode()}"


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[Image, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The turn with digests in the place of pictures."""
        shown = [sha256(image.data).hexdigest() for image in self.images]
        return {"role": self.role, "text": self.text, "images": shown}


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an answer depends on. ``prompt`` is the version of our wording."""

    model: str
    messages: tuple[Message, ...]
    shape: Shape = "text"
    schema: Mapping[str, Any] = {}
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int = 0
    prompt: int = 1

    def plain(self) -> dict[str, Any]:
        """The request as JSON-able builtins; no address, no key, no picture in it."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {**fields, "messages": [one.plain() for one in self.messages], "version": VERSION}

    def digest(self) -> str:
        """64 hex digits that name the exchange."""
        return sha256(orjson.dumps(self.plain(), option=orjson.OPT_SORT_KEYS)).hexdigest()

    def most_tokens(self) -> tuple[int, int]:
        """Tokens in and out at most: no tokenizer makes more than one of a byte."""
        said = sum(len(one.text.encode()) + TURN_TOKENS for one in self.messages)
        shown = sum(PICTURE_TOKENS * len(one.images) for one in self.messages)
        return said + shown + len(orjson.dumps(self.schema)), self.max_tokens


TURN_TOKENS = 8
"""Marks that a chat template puts around a turn."""
PICTURE_TOKENS = 4096
"""More than vision models take for a picture of 1024 px."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the model said; ``finish`` is one of the ways above."""

    text: str
    finish: str = STOP
    tokens_in: int = 0
    tokens_out: int = 0
