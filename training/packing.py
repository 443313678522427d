"""Several examples in one row, each blind to the others: no padding, and fewer passes.

A packed row has no attention mask. Positions begin anew with each example, from which the models
of transformers see where one ends and the next begins; of the Qwen family they also hold the
places of patches. Whole examples only: nothing is cut to fill a row.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import IterableDataset

from factory.core.errors import InvalidOptions
from training.stream import Cursor, ShardStream

Batch = dict[str, Tensor]


def positions_of(model: Any, batch: Batch) -> Tensor:
    """(1, T), or (4, 1, T) where patches have places: order, time, row, column."""
    order = torch.arange(batch["input_ids"].shape[1])[None]
    placed = getattr(getattr(model, "model", None), "get_rope_index", None)
    if placed is None:
        return order
    places, _ = placed(
        input_ids=batch["input_ids"],
        mm_token_type_ids=batch["mm_token_type_ids"],
        image_grid_thw=batch.get("image_grid_thw"),
    )
    return torch.cat([order[None], places])


def packed(batches: Sequence[Batch], positions: Sequence[Tensor]) -> Batch:
    """Batches of one example each as one row."""
    row = {name: _joined(name, [one[name] for one in batches], batches) for name in batches[0]}
    row.pop("attention_mask")
    return {**row, "position_ids": torch.cat(list(positions), dim=-1)}


def _joined(name: str, tensors: Sequence[Tensor], batches: Sequence[Batch]) -> Tensor:
    """By tokens what has a column a token; pictures as the models list them."""
    by_token = all(
        t.shape == one["input_ids"].shape for t, one in zip(tensors, batches, strict=True)
    )
    # Idefics lists pictures in the second dimension, behind that of the rows.
    of_rows = name.startswith("pixel") and batches[0]["pixel_values"].dim() == 5
    return torch.cat(list(tensors), dim=1 if by_token or of_rows else 0)


class PackedBatches(IterableDataset[Any]):
    """Rows of up to ``limit`` tokens; ``cursor`` is where the stream stood behind the last row.

    An example that no longer fits begins the next row, and is read again when resumed.
    """

    def __init__(self, stream: ShardStream, collate: Any, model: Any, limit: int) -> None:
        self.stream, self.collate, self.model, self.limit = stream, collate, model, limit
        self.cursor: Cursor = stream.state()

    def __iter__(self) -> Iterator[Batch]:
        held = self._next()
        while True:
            row: list[Batch] = []
            while sum(map(_length, [*row, held])) <= self.limit:
                row.append(held)
                self.cursor = self.stream.state()
                held = self._next()
            yield packed(row, [positions_of(self.model, one) for one in row])

    def _next(self) -> Batch:
        example = next(self.stream)
        batch = self.collate([example])
        if _length(batch) > self.limit:
            raise InvalidOptions(
                f"{example.key} takes {_length(batch)} tokens and a row holds data.packing = "
                f"{self.limit}"
            )
        return batch


def _length(batch: Batch) -> int:
    return batch["input_ids"].shape[1]
