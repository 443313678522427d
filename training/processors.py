"""Processors without their video half, which wants torchvision even where there are no videos.

Qwen's and SmolVLM's processors refuse to be made without a video processor. A subclass that has
only the two parts that pictures need does the same work on them, and carries the name of its
base, so what it saves is read by the full processor as well.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import transformers
from transformers import (
    PROCESSOR_MAPPING,
    AutoConfig,
    AutoImageProcessor,
    AutoProcessor,
    AutoTokenizer,
)
from transformers.utils.hub import cached_file

from factory.core.errors import DependencyMissing

PARTS = ["image_processor", "tokenizer"]
"""What is left of a processor: its pictures and its text."""


@cache
def image_only(base: type[Any]) -> type[Any]:
    """The processor class without its video part."""

    def get_attributes(cls: type[Any]) -> list[str]:
        return list(PARTS)

    return type(
        base.__name__,
        (base,),
        {"__module__": __name__, "get_attributes": classmethod(get_attributes)},
    )


def load_processor(name: str, max_pixels: int | None = None) -> Any:
    """The processor of a model by path or hub name, with torchvision or without.

    ``max_pixels`` bounds the pictures where the image processor counts pixels (Qwen's).
    """
    processor = AutoProcessor.from_pretrained(name) if _whole(name) else _assembled(name)
    bound_pixels(processor, max_pixels)
    return processor


def bound_pixels(processor: Any, max_pixels: int | None) -> None:
    """Scale pictures to at most so many pixels, in place, where the processor counts them."""
    pictures = processor.image_processor
    size = getattr(pictures, "size", None)
    if max_pixels is None or size is None or not hasattr(pictures, "merge_size"):
        return
    least = min(int(size["shortest_edge"]), max_pixels)
    pictures.size = type(size)(shortest_edge=least, longest_edge=max_pixels)


def _whole(name: str) -> bool:
    """Whether the processor can be made as it is."""
    return find_spec("torchvision") is not None or not _wants_videos(_class_of(name))


def _wants_videos(base: type[Any]) -> bool:
    return "video_processor" in base.get_attributes()


def _class_of(name: str) -> type[Any]:
    """The processor's class, by what the files say or by the kind of model."""
    stated = _read(name, "processor_config.json").get("processor_class")
    if stated and hasattr(transformers, stated):
        return getattr(transformers, stated)
    kind = type(AutoConfig.from_pretrained(name))
    if kind in PROCESSOR_MAPPING:
        return cast("type[Any]", PROCESSOR_MAPPING[kind])
    raise DependencyMissing(
        f"{name} does not say what processor belongs to it; this version of transformers is "
        f"{transformers.__version__}"
    )


def _read(name: str, file: str) -> dict[str, Any]:
    path = cached_file(name, file, _raise_exceptions_for_missing_entries=False)
    return json.loads(Path(path).read_text(encoding="utf-8")) if path else {}


def _assembled(name: str) -> Any:
    """The processor without its video part, from its other parts."""
    tokenizer = AutoTokenizer.from_pretrained(name)
    pictures = AutoImageProcessor.from_pretrained(name, backend="pil")
    return image_only(_class_of(name))(
        pictures, tokenizer, chat_template=tokenizer.chat_template or _template(name)
    )


def _template(name: str) -> str | None:
    path = cached_file(name, "chat_template.jinja", _raise_exceptions_for_missing_entries=False)
    if path:
        return Path(path).read_text(encoding="utf-8")
    return _read(name, "chat_template.json").get("chat_template")
