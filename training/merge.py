"""Merge models of one architecture into one: the mean of their weights, or TIES.

TIES (arXiv 2306.01708) works on what each model changed in the base: small changes are trimmed,
the sign with the larger mass wins, and the mean is over the models that have that sign. One tensor
is in memory at a time, of all models, and the output is written in shards, so memory
depends on the largest tensor and the shard size, not on the model.
"""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import orjson
import torch
from safetensors.torch import save_file
from torch import Tensor

from factory.core.errors import InvalidOptions
from training.config import MergeConfig
from training.lib.checkpoint import INDEX, WEIGHTS, Checkpoint
from training.models import model_folder
from training.run_folder import RunFolder

Method = Literal["linear", "ties"]
Rule = Callable[[str, Sequence[Tensor], "Tensor | None"], Tensor]
"""Name, the models' tensors and the base's, to the merged tensor, all in a wide type."""

SHARD_BYTES = 2 << 30
"""Bytes of tensors that an output file holds, and so what waits in memory to be written."""

_NOT_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".safetensors.index.json")


def train_merge(config: MergeConfig, *, resume: bool = False) -> RunFolder:
    """Merge as a stage; returns the run folder, whose model is the merged one.

    What an interrupted merge left is written anew.
    """
    folder = RunFolder.open(config, config.out, resume=resume)
    if not folder.done:
        shutil.rmtree(folder.model, ignore_errors=True)
        merge(
            [Path(model_folder(name)) for name in config.models],
            folder.model,
            method=config.method,
            weights=config.weights,
            base=Path(model_folder(config.base)) if config.base else None,
            density=config.density,
            scale=config.scale,
        )
        folder.finish({"method": config.method, "models": list(config.models)})
    return folder


def linear(tensors: Sequence[Tensor], weights: Sequence[float]) -> Tensor:
    """The weighted mean; the weights need not sum to 1."""
    total = sum(weights)
    return sum((w / total * t for w, t in zip(weights, tensors, strict=True)), torch.tensor(0.0))


def trim(delta: Tensor, density: float) -> Tensor:
    """The ``density`` share of entries that are largest in size; the rest is 0.

    At least one entry of a tensor is kept, and of ties exactly as many as the share allows.
    """
    keep = max(1, round(density * delta.numel()))
    if keep >= delta.numel():
        return delta
    flat = delta.flatten()
    order = flat.abs().topk(keep, sorted=False).indices
    kept = torch.zeros_like(flat)
    kept[order] = flat[order]
    return kept.view_as(delta)


def ties(
    base: Tensor,
    tensors: Sequence[Tensor],
    weights: Sequence[float],
    *,
    density: float = 0.5,
    scale: float = 1.0,
) -> Tensor:
    """``base + scale * disjoint mean`` of the trimmed changes; 0 where signs cancel exactly."""
    deltas = [w * trim(t - base, density) for w, t in zip(weights, tensors, strict=True)]
    elected = torch.stack(deltas).sum(dim=0).sign()
    total, mass = torch.zeros_like(base), torch.zeros_like(base)
    for weight, delta in zip(weights, deltas, strict=True):
        agrees = (delta.sign() == elected) & (elected != 0)
        total += torch.where(agrees, delta, 0.0)
        mass += weight * agrees
    return base + scale * torch.where(mass > 0, total / mass.clamp(min=1e-30), 0.0)


def merge(
    models: Sequence[Path],
    out: Path,
    *,
    method: Method = "linear",
    weights: Sequence[float] = (),
    base: Path | None = None,
    density: float = 0.5,
    scale: float = 1.0,
    shard_bytes: int = SHARD_BYTES,
) -> Path:
    """Write the merged checkpoint to ``out``, with config and tokenizer of the first model.

    ``InvalidOptions`` when tensors differ in names or shapes, when TIES has no base, or when a
    folder holds an adapter or no safetensors. Integer tensors must be equal in all models.
    """
    weights = [float(w) for w in weights] or [1.0] * len(models)
    if not models or len(weights) != len(models):
        raise InvalidOptions(f"{len(weights)} weights for {len(models)} models")
    if any(w <= 0 for w in weights):
        raise InvalidOptions(f"weights {weights} must be positive")
    if method == "ties" and base is None:
        raise InvalidOptions("ties needs `base`, the model that the others were trained from")
    opened = [Checkpoint(path) for path in models]
    origin = Checkpoint(base) if base is not None and method == "ties" else None
    names = _common_names([*opened, *([origin] if origin else [])])

    def rule(tensors: Sequence[Tensor], before: Tensor | None) -> Tensor:
        if before is None:
            return linear(tensors, weights)
        return ties(before, tensors, weights, density=density, scale=scale)

    out.mkdir(parents=True, exist_ok=True)
    writer = _Writer(out, shard_bytes)
    for name in names:
        writer.add(name, _merged(name, opened, origin, rule))
    writer.close()
    _copy_rest(models[0], out)
    return out


def _common_names(checkpoints: Sequence[Checkpoint]) -> list[str]:
    """The tensors that all have, sorted; a tied head that only some store is left out.

    ``InvalidOptions`` for any other difference.
    """
    first = checkpoints[0]
    tied = {name for one in checkpoints if one.tied for name in one.tied_names()}
    for other in checkpoints[1:]:
        differ = sorted((set(first.names) ^ set(other.names)) - tied)
        if differ:
            raise InvalidOptions(
                f"{first.path} and {other.path} are not of one architecture: {len(differ)} tensors "
                f"are in one of them only, the first is {differ[0]}"
            )
    shared = set.intersection(*(set(one.names) for one in checkpoints))
    return sorted(shared)


def _merged(
    name: str,
    models: Sequence[Checkpoint],
    origin: Checkpoint | None,
    rule: Callable[[Sequence[Tensor], Tensor | None], Tensor],
) -> Tensor:
    tensors = [one.tensor(name) for one in models]
    before = origin.tensor(name) if origin else None
    every = [*tensors, *([] if before is None else [before])]
    shapes = {tuple(t.shape) for t in every}
    if len(shapes) > 1:
        listed = ", ".join(str(list(shape)) for shape in sorted(shapes))
        raise InvalidOptions(f"{name} has the shapes {listed}: these models cannot be merged")
    kind = tensors[0].dtype
    if not kind.is_floating_point:
        if not all(torch.equal(tensors[0], t) for t in every):
            raise InvalidOptions(f"{name} holds whole numbers that differ between the models")
        return tensors[0]
    wide = torch.float32 if kind in (torch.bfloat16, torch.float16) else torch.float64
    mixed = rule([t.to(wide) for t in tensors], None if before is None else before.to(wide))
    return mixed.to(kind).contiguous()


class _Writer:
    """Tensors into one file, or into several with an index when they are more than a shard."""

    def __init__(self, folder: Path, shard_bytes: int) -> None:
        self.folder, self.shard_bytes = folder, shard_bytes
        self.waiting: dict[str, Tensor] = {}
        self.files: list[tuple[Path, list[str]]] = []
        self.total = 0
        self.held = 0

    def add(self, name: str, tensor: Tensor) -> None:
        nbytes = tensor.numel() * tensor.element_size()
        if self.waiting and self.held + nbytes > self.shard_bytes:
            self._flush()
        self.waiting[name] = tensor
        self.held += nbytes
        self.total += nbytes

    def _flush(self) -> None:
        path = self.folder / f"part-{len(self.files):05d}.safetensors"
        save_file(self.waiting, path, metadata={"format": "pt"})
        self.files.append((path, list(self.waiting)))
        self.waiting, self.held = {}, 0

    def close(self) -> None:
        """Give the files the names that transformers looks for."""
        self._flush()
        if len(self.files) == 1:
            self.files[0][0].rename(self.folder / WEIGHTS)
            return
        places: dict[str, str] = {}
        for number, (path, names) in enumerate(self.files, start=1):
            final = f"model-{number:05d}-of-{len(self.files):05d}.safetensors"
            path.rename(self.folder / final)
            places.update(dict.fromkeys(names, final))
        index = {"metadata": {"total_size": self.total}, "weight_map": places}
        (self.folder / INDEX).write_bytes(orjson.dumps(index, option=orjson.OPT_INDENT_2))


def _copy_rest(model: Path, out: Path) -> None:
    """Config, tokenizer and processor files of a model: everything but weights and checkpoints."""
    for path in sorted(model.iterdir()):
        if path.is_file() and not path.name.endswith(_NOT_WEIGHTS):
            shutil.copyfile(path, out / path.name)
