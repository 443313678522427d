"""A vision-language model of one megabyte, made from nothing and always the same.

It stands where a trainer wants the name of a model, so that a training recipe runs
to its end on a CPU in seconds and without a download::

    folder = build_tiny_vlm(Path("tiny"))
    SFTTrainer(str(folder), args, train_dataset=data).train()

It can learn four answers by heart and nothing more. Its parts are those of a real
one: LLaVA's class with a CLIP vision tower, a projector and a Llama, a processor
that puts image tokens into the prompt, and a chat template in ChatML. The tokenizer
has one token per byte, so every language works and nothing is learned from a corpus.
The image processor is the one that needs Pillow only, not torchvision.
"""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.llava.image_processing_pil_llava import LlavaImageProcessorPil

IMAGE_SIDE_PX = 224
PATCH_SIDE_PX = 14
"""256 patches. The picture is squeezed to a square, since nobody has to read it."""

WIDTH = 64
"""Features of a token, in the vision tower and in the language model."""

MOST_POSITIONS = 8192
"""A prompt has about 2,000 bytes, which are as many tokens; three bytes a Chinese sign."""

PAD, START, END, IMAGE = "<|pad|>", "<|im_start|>", "<|im_end|>", "<image>"

CHAT_TEMPLATE = """\
{%- for message in messages -%}
{{ '<|im_start|>' + message['role'] + '\\n' }}
{%- if message['content'] is string -%}
{{ message['content'] }}
{%- else -%}
{%- for part in message['content'] -%}
{{ '<image>' if part['type'] == 'image' else part['text'] }}
{%- endfor -%}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|im_start|>assistant\\n' }}
{%- endif -%}
"""
"""ChatML; contents are text, or a list of parts of the types ``image`` and ``text``."""


def build_tiny_vlm(folder: Path) -> Path:
    """Save the model, its processor and its tokenizer in ``folder``, and return the folder.

    Every call writes the same weights; the generator of the caller is left as it was.
    """
    processor = llava_processor()
    tokens = processor.tokenizer.get_vocab()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = LlavaForConditionalGeneration(llava_config(tokens))
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def llava_processor() -> LlavaProcessor:
    """Pictures and text to what the model eats."""
    side = {"height": IMAGE_SIDE_PX, "width": IMAGE_SIDE_PX}
    return LlavaProcessor(
        image_processor=LlavaImageProcessorPil(size=side, do_center_crop=False),
        tokenizer=_tokenizer(),
        patch_size=PATCH_SIDE_PX,
        # CLIP puts a class token before the patches and "default" leaves it out again.
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token=IMAGE,
        chat_template=CHAT_TEMPLATE,
    )


def _tokenizer() -> PreTrainedTokenizerFast:
    """One token for each of the 256 bytes, and four special ones."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_only = Tokenizer(
        models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[])
    )
    bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytes_only.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=bytes_only,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[START, IMAGE],
        model_max_length=MOST_POSITIONS,
    )


def llava_config(tokens: dict[str, int]) -> LlavaConfig:
    """Two layers each for seeing and for writing."""
    return LlavaConfig(
        vision_config=CLIPVisionConfig(
            hidden_size=WIDTH,
            intermediate_size=2 * WIDTH,
            num_hidden_layers=2,
            num_attention_heads=4,
            image_size=IMAGE_SIDE_PX,
            patch_size=PATCH_SIDE_PX,
        ),
        text_config=LlamaConfig(
            vocab_size=len(tokens),
            hidden_size=WIDTH,
            intermediate_size=2 * WIDTH,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=MOST_POSITIONS,
            pad_token_id=tokens[PAD],
            bos_token_id=None,
            eos_token_id=tokens[END],
        ),
        image_token_index=tokens[IMAGE],
        image_seq_length=(IMAGE_SIDE_PX // PATCH_SIDE_PX) ** 2,
        vision_feature_select_strategy="default",
        vision_feature_layer=-1,
    )
