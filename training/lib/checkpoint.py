"""A folder of safetensors as names and tensors, each read on its own."""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from safetensors import safe_open
from torch import Tensor

from factory.core.errors import InvalidOptions

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
HEADS = ("lm_head.weight",)
"""Names of the output layer, which with tied weights is the input embedding once more."""


class Checkpoint:
    """The tensors of a model's folder; files are opened as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places = _places(path)
        self.tied = _tied(path)

    @property
    def names(self) -> list[str]:
        """The names of all stored tensors."""
        return list(self.places)

    def tied_names(self) -> list[str]:
        """The names of tensors that need not be stored, since they are others once more."""
        return [name for name in {*self.places, *HEADS} if name.endswith(HEADS)]

    def tensor(self, name: str) -> Tensor:
        """One tensor, on the CPU."""
        with safe_open(self.places[name], framework="pt") as file:
            return file.get_tensor(name)


def _places(path: Path) -> dict[str, Path]:
    """The file of each tensor; ``InvalidOptions`` when the folder holds no whole model."""
    if (path / INDEX).is_file():
        index: dict[str, Any] = orjson.loads((path / INDEX).read_bytes())
        return {name: path / file for name, file in index["weight_map"].items()}
    if (path / WEIGHTS).is_file():
        with safe_open(path / WEIGHTS, framework="pt") as file:
            return dict.fromkeys(file.keys(), path / WEIGHTS)
    if (path / "adapter_config.json").is_file():
        raise InvalidOptions(
            f"{path} holds an adapter and not a model: merge it into its model first "
            "(`merge_and_unload` of peft), which training does when it saves"
        )
    raise InvalidOptions(f"{path} has neither {WEIGHTS} nor {INDEX}: is it a model's folder?")


def _tied(path: Path) -> bool:
    """Whether the config says that the output layer is the input embedding."""
    file = path / "config.json"
    config: dict[str, Any] = orjson.loads(file.read_bytes()) if file.is_file() else {}
    text = config.get("text_config")
    inner = text.get("tie_word_embeddings") if isinstance(text, dict) else None
    return bool(config.get("tie_word_embeddings", inner))
