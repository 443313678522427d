"""Models by name: built offline, seeing pictures, and saved so that anybody can load them."""

# pyright: reportMissingImports=false

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from factory.core.errors import InvalidOptions
from training.config import ModelConfig, build_config

pytestmark = [
    pytest.mark.train,
    pytest.mark.skipif(not find_spec("torch"), reason="run `make train-extra`"),
]

NAMES = ("qwen3-vl", "qwen2.5-vl", "idefics3", "llava")
ROUNDING = 1e-5
"""Logits of order 1 in float32, whose sums are taken in another order after a merge."""

CHAT = [
    {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Where? 哪里"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "<think></think>[1,23]"}]},
]


def loaded(name: str, **values: Any) -> tuple[Any, Any]:
    from training.models import load_policy

    return load_policy(build_config(ModelConfig, {"name": name, **values}))


def batch(processor: Any, colours: tuple[str, ...] = ("red", "blue")) -> Any:
    text = processor.apply_chat_template(CHAT, tokenize=False)
    pictures = [[Image.new("RGB", (340, 300), colour)] for colour in colours]
    return processor(text=[text] * len(pictures), images=pictures, return_tensors="pt")


def logits(model: Any, processor: Any) -> Any:
    import torch

    model.eval()
    with torch.no_grad():
        return model(**batch(processor)).logits


@pytest.mark.parametrize("name", NAMES)
def test_a_tiny_model_sees_its_picture(name: str) -> None:
    import torch

    model, processor = loaded(f"tiny:{name}")
    first, second = logits(model, processor)
    assert torch.isfinite(first).all()
    assert not torch.allclose(first[-1], second[-1], atol=1e-7)
    assert 1e5 < sum(p.numel() for p in model.parameters()) < 2e6


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_model_loads_with_plain_transformers(name: str, tmp_path: Path) -> None:
    import torch
    from safetensors import safe_open
    from transformers import AutoImageProcessor, AutoModelForImageTextToText, AutoTokenizer

    from training.models import save_policy

    model, processor = loaded(f"tiny:{name}")
    save_policy(model, processor, tmp_path)
    plain = AutoModelForImageTextToText.from_pretrained(tmp_path)
    assert torch.equal(logits(plain, processor), logits(model, processor))
    again = loaded(str(tmp_path))[1]
    for part, tensor in batch(processor).items():
        assert torch.equal(tensor, batch(again)[part]), part
    assert AutoTokenizer.from_pretrained(tmp_path).get_vocab() == processor.tokenizer.get_vocab()
    AutoImageProcessor.from_pretrained(tmp_path, backend="pil")
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        stored = set(file.keys())
    tied = {key for key in stored if key.endswith(("lm_head.weight", "embed_tokens.weight"))}
    if model.config.get_text_config().tie_word_embeddings:
        assert len(tied) == 1, tied


@pytest.mark.parametrize("name", NAMES)
def test_adapters_are_merged_when_saved_and_stay_apart_in_training(
    name: str, tmp_path: Path
) -> None:
    import torch

    from training.models import count_parameters, save_policy

    model, processor = loaded(f"tiny:{name}", lora={"rank": 4, "alpha": 8})
    everything, trained = count_parameters(model)
    assert 0 < trained < everything / 5
    for parameter in model.parameters():
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.05, generator=torch.Generator().manual_seed(1))
    before = logits(model, processor)
    untouched = logits(loaded(f"tiny:{name}")[0], processor)
    assert not torch.allclose(before, untouched, atol=0.01)
    save_policy(model, processor, tmp_path)
    assert torch.allclose(logits(loaded(str(tmp_path))[0], processor), before, atol=ROUNDING)
    assert torch.allclose(logits(model, processor), before, atol=ROUNDING)
    assert "adapter" not in json.dumps([path.name for path in tmp_path.iterdir()])


def test_numbers_and_pieces_of_the_answer_form_come_back_as_written() -> None:
    _, processor = loaded("tiny:qwen3-vl")
    tokenizer = processor.tokenizer
    text = "<think></think><action>Drag(start=(12, 345), end=(7, 999)), Type(content='a')</action>"
    numbers = tokenizer(text)["input_ids"]
    assert tokenizer.decode(numbers) == text
    assert len(numbers) < len(text) / 2
    assert tokenizer.decode(tokenizer("点击 1280")["input_ids"]) == "点击 1280"


def test_the_bound_on_pixels_holds() -> None:
    small = batch(loaded("tiny:qwen3-vl", max_pixels=64 * 64)[1])["image_grid_thw"]
    assert int(small[0].prod()) * 16 * 16 <= 64 * 64


def test_a_frozen_vision_tower_has_no_gradient() -> None:
    from training.models import count_parameters

    everything, trained = count_parameters(loaded("tiny:qwen3-vl", freeze_vision=True)[0])
    assert trained < everything


@pytest.mark.parametrize("name", ["tiny:nothing", "/no/such/folder", "no such name"])
def test_a_model_that_is_not_there_is_one_clear_message(name: str) -> None:
    with pytest.raises(InvalidOptions, match=name.removeprefix("tiny:")):
        loaded(name)


def test_a_teacher_of_another_vocabulary_is_refused() -> None:
    from training.models import same_vocabulary

    student, teacher = (loaded(f"tiny:{name}")[1] for name in ("qwen3-vl", "llava"))
    same_vocabulary(student, student, "captcha")
    with pytest.raises(InvalidOptions, match="teacher of captcha has another vocabulary"):
        same_vocabulary(student, teacher, "captcha")
