"""Models by hub name, by folder, or ``tiny:*``: loaded to be trained, saved to be used anywhere.

What is saved loads with plain transformers: adapters are merged into the weights, tied weights
are stored once, and every tensor of the vision part is there.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from huggingface_hub.errors import HFValidationError
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForImageTextToText

from factory.core.errors import InvalidOptions
from training.config import ModelConfig
from training.processors import bound_pixels, load_processor
from training.tiny import PREFIX, build_tiny

FINAL = "model"
"""The folder below a run folder that holds the stage's model."""


def load_policy(config: ModelConfig, *, adapters: bool = True) -> tuple[Any, Any]:
    """The model and its processor, on the CPU; with fresh adapters where the config asks for them.

    The tokenizer pads on the left, as generation wants it. ``InvalidOptions`` when there is no
    such model, or when its processor and weights do not fit.
    """
    model, processor = _loaded(config)
    processor.tokenizer.padding_side = "left"
    if processor.tokenizer.pad_token_id is None:
        processor.tokenizer.pad_token = processor.tokenizer.eos_token
    _check_vocabulary(model, processor, config.name)
    if config.freeze_vision:
        _freeze_vision(model)
    if config.gradient_checkpointing:
        model.gradient_checkpointing_enable()
    if config.lora is not None and adapters:
        model = _with_adapters(model, config)
    return model, processor


def model_folder(name: str) -> str:
    """``name``, or the model inside it when it is the run folder of a stage."""
    inside = Path(name) / FINAL
    return str(inside) if (inside / "config.json").is_file() else name


def _loaded(config: ModelConfig) -> tuple[Any, Any]:
    if config.name.startswith(PREFIX):
        model, processor = build_tiny(config.name)
        bound_pixels(processor, config.max_pixels)
        return model.to(_dtype(config.dtype) or torch.float32), processor
    name = model_folder(config.name)
    try:
        processor = load_processor(name, config.max_pixels)
        model = AutoModelForImageTextToText.from_pretrained(name, dtype=config.dtype)
    except (OSError, ValueError, HFValidationError, json.JSONDecodeError) as error:
        first_line = str(error).strip().splitlines()[0]
        raise InvalidOptions(f"the model {config.name!r} cannot be loaded: {first_line}") from error
    return model, processor


def _dtype(name: str) -> torch.dtype | None:
    return None if name == "auto" else getattr(torch, name)


def _check_vocabulary(model: Any, processor: Any, name: str) -> None:
    """The tokenizer may not name a token for which the model has no weights."""
    rows = model.get_input_embeddings().weight.shape[0]
    highest = max(processor.tokenizer.get_vocab().values())
    if highest >= rows:
        raise InvalidOptions(
            f"{name}: the tokenizer has a token {highest} and the model {rows} rows of embeddings"
        )


def same_vocabulary(student: Any, teacher: Any, domain: str) -> None:
    """``InvalidOptions`` unless both processors give the same tokens the same numbers."""
    mine, theirs = student.tokenizer.get_vocab(), teacher.tokenizer.get_vocab()
    if mine == theirs:
        return
    differing = sorted(
        token for token in mine.keys() | theirs.keys() if mine.get(token) != theirs.get(token)
    )
    raise InvalidOptions(
        f"the teacher of {domain} has another vocabulary than the student: {len(theirs)} tokens "
        f"against {len(mine)}, {len(differing)} differ, the first is {differing[0]!r}"
    )


def _freeze_vision(model: Any) -> None:
    """No gradient for what looks at pixels; the projector that follows it learns on."""
    inner = getattr(model, "model", model)
    for name in ("visual", "vision_tower", "vision_model"):
        tower = getattr(inner, name, None)
        if tower is not None:
            tower.requires_grad_(False)
            return
    raise InvalidOptions(f"{type(model).__name__} has no vision tower of a known name to freeze")


def _with_adapters(model: Any, config: ModelConfig) -> Any:
    lora = config.lora
    assert lora is not None
    targets = lora.targets if isinstance(lora.targets, str) else list(lora.targets)
    settings = LoraConfig(
        r=lora.rank,
        lora_alpha=int(lora.alpha) if float(lora.alpha).is_integer() else lora.alpha,  # pyright: ignore[reportArgumentType]
        lora_dropout=lora.dropout,
        target_modules=targets,
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, settings)


def save_policy(model: Any, processor: Any, folder: Path) -> None:
    """Weights (safetensors), processor and template; adapters merged, the model left as it was."""
    if isinstance(model, PeftModel):
        _save_merged(model, folder)
    else:
        model.save_pretrained(folder)
    processor.save_pretrained(folder)


def _save_merged(model: Any, folder: Path) -> None:
    model.merge_adapter()
    try:
        merged = {
            name.removeprefix("base_model.model.").replace(".base_layer", ""): tensor
            for name, tensor in model.state_dict().items()
            if "lora_" not in name
        }
        model.get_base_model().save_pretrained(folder, state_dict=merged)
    finally:
        model.unmerge_adapter()


def count_parameters(model: Any) -> tuple[int, int]:
    """``(all, trained)``."""
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]
    return sum(n for n, _ in sizes), sum(n for n, trained in sizes if trained)
