"""Heads: one for each kind of answer, with its loss and the way back to answers.

Amounts and signs are here, places and boxes in ``place_heads``. A head is made from the
train split's targets, which tell how many spots, boxes or signs there are. ``encode`` makes
tensors of targets; ``forward`` takes what was seen and the boxes to choose from; ``answers``
reads predictions.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.lib.answers import Amount, Answer, Text
from training.lib.net import FINE, WIDTHS, Maps

BINS = 72
"""Bins of a turn or a travel: 5 degrees, or 4 px on a usual track; answers lie between bins."""

FLAT = 32
"""Features a place when the coarse map is laid out flat."""

HIDDEN = 192
"""Features between the coarse map and the bins."""


class Head(nn.Module):
    """Base: encoded targets in, loss and answers out."""

    def encode(self, targets: Sequence[Answer]) -> Tensor:
        """Targets as one tensor, a row each."""
        raise NotImplementedError

    def forward(self, maps: Maps, boxes: Tensor) -> Tensor:
        """Predictions as one tensor, a row each."""
        raise NotImplementedError

    def loss(self, predicted: Tensor, wanted: Tensor) -> Tensor:
        """The loss of a batch."""
        raise NotImplementedError

    def answers(self, predicted: Tensor) -> list[Answer]:
        """The most likely answers."""
        raise NotImplementedError


class AmountHead(Head):
    """Which bin of a turn (``wraps``) or a travel, as a soft target of about three bins."""

    def __init__(self, places: int, *, wraps: bool) -> None:
        super().__init__()
        self.wraps = wraps
        self.thin = nn.Conv2d(WIDTHS[-1], FLAT, 1)
        self.flat = nn.Linear(FLAT * places + WIDTHS[-1], HIDDEN)
        self.bins = nn.Sequential(nn.ReLU(), nn.Dropout(0.1), nn.Linear(HIDDEN, BINS))

    def encode(self, targets: Sequence[Answer]) -> Tensor:
        return torch.tensor([target.value for target in targets if isinstance(target, Amount)])

    def forward(self, maps: Maps, boxes: Tensor) -> Tensor:
        thin = functional.relu(self.thin(maps.coarse)).flatten(1)
        return self.bins(self.flat(torch.cat([thin, maps.whole], 1)))

    def loss(self, predicted: Tensor, wanted: Tensor) -> Tensor:
        middles = (torch.arange(BINS) + 0.5) / BINS
        off = middles[None] - wanted[:, None]
        if self.wraps:
            off = (off + 0.5) % 1.0 - 0.5
        soft = torch.softmax(-0.5 * (off * BINS) ** 2, 1)
        return -(soft * functional.log_softmax(predicted, 1)).sum(1).mean()

    def answers(self, predicted: Tensor) -> list[Answer]:
        """The likeliest bin, moved by the weights of two neighbours on each side."""
        likely = torch.softmax(predicted, 1)
        best = likely.argmax(1)
        steps = torch.arange(-2, 3)
        near = best[:, None] + steps
        inside = torch.ones_like(near, dtype=torch.bool)
        if not self.wraps:
            inside = (near >= 0) & (near < BINS)
        weights = likely.gather(1, near % BINS) * inside
        value = (best + 0.5 + (weights * steps).sum(1) / weights.sum(1)) / BINS
        return [Amount(v % 1.0 if self.wraps else min(max(v, 0.0), 1.0)) for v in value.tolist()]


class TextHead(Head):
    """One sign for each of ``most`` slots; every slot looks at places of its own choice."""

    def __init__(self, signs: str, most: int) -> None:
        super().__init__()
        self.signs, self.most = signs, most
        self.look = nn.Conv2d(FINE, most, 1)
        self.slots = nn.Parameter(torch.zeros(most, FINE))
        self.sign = nn.Sequential(
            nn.Linear(FINE + WIDTHS[-1], 128), nn.ReLU(), nn.Linear(128, len(signs) + 1)
        )

    def encode(self, targets: Sequence[Answer]) -> Tensor:
        """Numbers of signs from 1; 0 is no sign, or one that the train split does not have."""
        rows = torch.zeros(len(targets), self.most, dtype=torch.long)
        for row, target in zip(rows, targets, strict=True):
            text = target.text if isinstance(target, Text) else ""
            for place, sign in enumerate(text[: self.most]):
                row[place] = self.signs.find(sign) + 1
        return rows

    def forward(self, maps: Maps, boxes: Tensor) -> Tensor:
        looks = torch.softmax(self.look(maps.fine).flatten(2), 2)
        found = looks @ maps.fine.flatten(2).transpose(1, 2) + self.slots
        whole = maps.whole[:, None].expand(-1, self.most, -1)
        return self.sign(torch.cat([found, whole], 2)).flatten(1)

    def loss(self, predicted: Tensor, wanted: Tensor) -> Tensor:
        signs = predicted.view(-1, len(self.signs) + 1)
        return functional.cross_entropy(signs, wanted.flatten())

    def answers(self, predicted: Tensor) -> list[Answer]:
        best = predicted.view(len(predicted), self.most, -1).argmax(2).tolist()
        return [Text("".join(self.signs[n - 1] for n in row if n)) for row in best]


def coarse_places(height: int, width: int) -> int:
    """Places of the coarse map for an input of that size in px."""
    return math.ceil(height / 32) * math.ceil(width / 32)
