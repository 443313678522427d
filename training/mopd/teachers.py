"""Frozen teachers, one a domain, of which one at a time is where the student is."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from trl.trainer.utils import add_fused_lm_head

from training.config import ModelConfig, MopdConfig
from training.models import load_policy, same_vocabulary


class Teachers:
    """The models by domain. With ``offload`` they wait on the CPU and come when they score.

    Two domains that name the same model share it.
    """

    def __init__(self, models: Mapping[str, Any], *, offload: bool = True) -> None:
        self.models = dict(models)
        self.offload = offload
        for model in self.models.values():
            model.eval().requires_grad_(False)

    @classmethod
    def load(cls, config: MopdConfig, processor: Any) -> Teachers:
        """Load every model; ``InvalidOptions`` when one counts its tokens otherwise."""
        loaded: dict[str, Any] = {}
        for domain, name in config.teachers.items():
            if name not in loaded:
                parts = ModelConfig(
                    name=name, dtype=config.model.dtype, max_pixels=config.model.max_pixels
                )
                model, theirs = load_policy(parts)
                same_vocabulary(processor, theirs, domain)
                add_fused_lm_head(model, temperature=config.sample.temperature)
                loaded[name] = model
        models = {domain: loaded[name] for domain, name in config.teachers.items()}
        return cls(models, offload=config.offload)

    @contextmanager
    def resident(self, domain: str, device: torch.device) -> Iterator[Any]:
        """The teacher of a domain on ``device``, without gradient."""
        model = self.models[domain]
        model.to(device)
        try:
            with torch.no_grad():
                yield model
        finally:
            if self.offload and device.type != "cpu":
                model.to("cpu")
                torch.cuda.empty_cache()
