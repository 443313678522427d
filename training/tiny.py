"""Small random models of real families, with an offline tokenizer, template and processor.

``tiny:llava``, ``tiny:qwen3-vl``, ``tiny:qwen2.5-vl`` and ``tiny:idefics3`` are the classes of
transformers with configs of about half a million weights. They stand where a trainer wants a
model: in tests, and in the demonstration on a CPU. The tokenizer has a token for each byte, so
every language works, and one for each fixed piece of the answer form, so answers are short.
"""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Idefics3Config,
    Idefics3ForConditionalGeneration,
    LlavaForConditionalGeneration,
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)
from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil
from transformers.models.idefics3.processing_idefics3 import Idefics3Processor
from transformers.models.qwen2_5_vl.processing_qwen2_5_vl import Qwen2_5_VLProcessor
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from transformers.models.qwen3_vl.processing_qwen3_vl import Qwen3VLProcessor

from factory.core.errors import InvalidOptions
from training.processors import image_only
from training.tiny_model import CHAT_TEMPLATE, llava_config, llava_processor

PREFIX = "tiny:"
PAD, START, END = "<|pad|>", "<|im_start|>", "<|im_end|>"
PIECES = (
    "<think>", "</think>", "<think></think><action>", "<action>", "</action>", "Click(point=(",
    "Drag(start=(", "), end=(", "LongPress(point=(", "Type(content='", "')", "))", ", ",
)  # fmt: skip
"""Pieces of answers that are one token each; digits are bytes, so near numbers share tokens."""

WIDTH, HEADS = 128, 4
VISION_WIDTH, VISION_LAYERS, LAYERS = 96, 3, 3
MOST_POSITIONS = 8192
QWEN_PIXELS = 256 * 256
"""A picture is scaled to no more; a panel of 340 x 300 CSS px keeps three quarters of its side."""
IDEFICS_SIDE_PX, IDEFICS_PATCH_PX = 224, 14

_TEMPLATE = CHAT_TEMPLATE.replace("<image>", "IMAGE")
"""What stands for a picture differs by family."""

_QWEN_IMAGE = "<|vision_start|><|image_pad|><|vision_end|>"
_QWEN_SPECIALS = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
_IDEFICS_SPECIALS = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>")


def build_tiny(name: str) -> tuple[Any, Any]:
    """Model and processor of ``tiny:NAME``; the same weights every time.

    ``InvalidOptions`` for a name that is not there.
    """
    builder = _BUILDERS.get(name.removeprefix(PREFIX))
    if builder is None:
        raise InvalidOptions(
            f"there is no {name}; there are {', '.join(PREFIX + one for one in _BUILDERS)}"
        )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return builder()


def _tokenizer(specials: tuple[str, ...]) -> PreTrainedTokenizerFast:
    """One token for each of the 256 bytes, each piece of an answer, and the special ones."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    bytes_only = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytes_only.decoder = decoders.ByteLevel()
    bytes_only.add_tokens([AddedToken(piece, normalized=False) for piece in PIECES])
    return PreTrainedTokenizerFast(
        tokenizer_object=bytes_only,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[START, *specials],
        model_max_length=MOST_POSITIONS,
        padding_side="left",
    )


def _text_config(tokenizer: PreTrainedTokenizerFast, **more: Any) -> dict[str, Any]:
    vocabulary = tokenizer.get_vocab()
    return {
        "vocab_size": len(vocabulary),
        "hidden_size": WIDTH,
        "intermediate_size": 3 * WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "max_position_embeddings": MOST_POSITIONS,
        "pad_token_id": vocabulary[PAD],
        "bos_token_id": None,
        "eos_token_id": vocabulary[END],
        "tie_word_embeddings": True,
        **more,
    }


_MROPE = {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [4, 6, 6]}
"""Positions in time, height and width: the sections make up half the width of a head."""


def _qwen_tokens(tokenizer: PreTrainedTokenizerFast) -> dict[str, Any]:
    vocabulary = tokenizer.get_vocab()
    return {
        "image_token_id": vocabulary["<|image_pad|>"],
        "video_token_id": vocabulary["<|video_pad|>"],
        "vision_start_token_id": vocabulary["<|vision_start|>"],
        "vision_end_token_id": vocabulary["<|vision_end|>"],
    }


def _qwen_processor(base: type[Any], tokenizer: PreTrainedTokenizerFast, patch: int) -> Any:
    pictures = Qwen2VLImageProcessorPil(
        patch_size=patch,
        size={"shortest_edge": (2 * patch) ** 2, "longest_edge": QWEN_PIXELS},
    )
    template = _TEMPLATE.replace("IMAGE", _QWEN_IMAGE)
    return image_only(base)(pictures, tokenizer, chat_template=template)


def _qwen3_vl() -> tuple[Any, Any]:
    tokenizer = _tokenizer(_QWEN_SPECIALS)
    config = Qwen3VLConfig(
        vision_config={
            "depth": VISION_LAYERS,
            "hidden_size": VISION_WIDTH,
            "intermediate_size": 2 * VISION_WIDTH,
            "num_heads": HEADS,
            "patch_size": 16,
            "out_hidden_size": WIDTH,
            "num_position_embeddings": 256,
            "deepstack_visual_indexes": [0],
        },
        text_config=_text_config(tokenizer, head_dim=WIDTH // HEADS, rope_parameters=_MROPE),
        tie_word_embeddings=True,
        **_qwen_tokens(tokenizer),
    )
    model = Qwen3VLForConditionalGeneration(config)
    return model, _qwen_processor(Qwen3VLProcessor, tokenizer, 16)


def _qwen2_5_vl() -> tuple[Any, Any]:
    tokenizer = _tokenizer(_QWEN_SPECIALS)
    config = Qwen2_5_VLConfig(
        vision_config={
            "depth": VISION_LAYERS,
            "hidden_size": VISION_WIDTH,
            "intermediate_size": 2 * VISION_WIDTH,
            "num_heads": HEADS,
            "patch_size": 14,
            "out_hidden_size": WIDTH,
            "fullatt_block_indexes": [VISION_LAYERS - 1],
        },
        text_config=_text_config(tokenizer, rope_parameters=_MROPE),
        tie_word_embeddings=True,
        **_qwen_tokens(tokenizer),
    )
    model = Qwen2_5_VLForConditionalGeneration(config)
    return model, _qwen_processor(Qwen2_5_VLProcessor, tokenizer, 14)


def _idefics_tokens(vocabulary: dict[str, int]) -> dict[str, Any]:
    return {"image_token_id": vocabulary["<image>"], "pad_token_id": vocabulary[PAD]}


def _idefics3() -> tuple[Any, Any]:
    tokenizer = _tokenizer(_IDEFICS_SPECIALS)
    vocabulary = tokenizer.get_vocab()
    config = Idefics3Config(
        vision_config={
            "hidden_size": VISION_WIDTH,
            "intermediate_size": 2 * VISION_WIDTH,
            "num_hidden_layers": VISION_LAYERS,
            "num_attention_heads": HEADS,
            "image_size": IDEFICS_SIDE_PX,
            "patch_size": IDEFICS_PATCH_PX,
        },
        text_config={"model_type": "llama", **_text_config(tokenizer)},
        **_idefics_tokens(vocabulary),
        tie_word_embeddings=True,
    )
    longest = {"longest_edge": IDEFICS_SIDE_PX}
    pictures = Idefics3ImageProcessorPil(
        size=longest, max_image_size=longest, do_image_splitting=False
    )
    tokens = (IDEFICS_SIDE_PX // IDEFICS_PATCH_PX // config.scale_factor) ** 2
    template = _TEMPLATE.replace("IMAGE", "<image>")
    processor = Idefics3Processor(pictures, tokenizer, image_seq_len=tokens, chat_template=template)
    return Idefics3ForConditionalGeneration(config), processor


def _llava() -> tuple[Any, Any]:
    processor = llava_processor()
    config = llava_config(processor.tokenizer.get_vocab())
    return LlavaForConditionalGeneration(config), processor


_BUILDERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "qwen3-vl": _qwen3_vl,
    "qwen2.5-vl": _qwen2_5_vl,
    "idefics3": _idefics3,
    "llava": _llava,
}
