"""Heads that point: heat maps for spots, scores for boxes."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from factory.core.geometry import Point
from training.lib.answers import Answer, Picks, Spots
from training.lib.heads import Head
from training.lib.net import FINE, WIDTHS, Maps

PATCH_PX = 4
"""Px of the input for one place of the fine map."""


class SpotsHead(Head):
    """Heat maps at stride 4, and how many spots there are.

    ``ordered``: one map a spot. Otherwise one map for all of them, whose peaks are taken.
    Rows of targets: the number of spots, then x and y of each in shares of the side.
    """

    def __init__(self, most: int, shape: tuple[int, int], side_px: int, *, ordered: bool) -> None:
        super().__init__()
        self.most, self.shape, self.side_px, self.ordered = most, shape, side_px, ordered
        self.count = nn.Linear(WIDTHS[-1], most + 1)
        self.heat = nn.Conv2d(FINE, most if ordered else 1, 1)

    def encode(self, targets: Sequence[Answer]) -> Tensor:
        rows = torch.zeros(len(targets), 1 + 2 * self.most)
        for row, target in zip(rows, targets, strict=True):
            points = target.points if isinstance(target, Spots) else ()
            row[0] = len(points)
            row[1 : 1 + 2 * len(points)] = torch.tensor([v for point in points for v in point])
        return rows

    def forward(self, maps: Maps, boxes: Tensor) -> Tensor:
        return torch.cat([self.count(maps.whole), self.heat(maps.fine).flatten(1)], 1)

    def loss(self, predicted: Tensor, wanted: Tensor) -> Tensor:
        counts, heat = self._split(predicted)
        number = wanted[:, 0].long()
        is_there = (torch.arange(self.most)[None] < number[:, None]).float()
        soft = self._soft(wanted[:, 1:].view(len(wanted), self.most, 2))
        if not self.ordered:
            total = is_there.sum(1).clamp(min=1)
            soft = ((soft * is_there[:, :, None]).sum(1) / total[:, None])[:, None]
            is_there = (number[:, None] > 0).float()
        surprise = -(soft * functional.log_softmax(heat, 2)).sum(2)
        places = (surprise * is_there).sum() / is_there.sum().clamp(min=1)
        return places + functional.cross_entropy(counts, number)

    def _split(self, predicted: Tensor) -> tuple[Tensor, Tensor]:
        counts, heat = predicted.split([self.most + 1, predicted.shape[1] - self.most - 1], 1)
        return counts, heat.view(len(heat), -1, self.shape[0] * self.shape[1])

    def _soft(self, points: Tensor) -> Tensor:
        """A bell of one place round each point ``(n, k, 2)``: ``(n, k, height * width)``."""
        height, width = self.shape
        at = points * self.side_px / PATCH_PX
        x = torch.arange(width) + 0.5 - at[:, :, 0, None]
        y = torch.arange(height) + 0.5 - at[:, :, 1, None]
        square = (y**2)[:, :, :, None] + (x**2)[:, :, None, :]
        return torch.softmax(-0.5 * square.flatten(2), 2)

    def answers(self, predicted: Tensor) -> list[Answer]:
        counts, heat = self._split(predicted)
        numbers = counts.argmax(1).tolist()
        maps = torch.softmax(heat, 2).view(*heat.shape[:2], *self.shape)
        if self.ordered:
            peaks = maps.flatten(2).argmax(2)
        else:
            highest = functional.max_pool2d(maps, 3, 1, 1)
            peaks = (maps * (maps == highest)).flatten(2).topk(self.most, 2).indices[:, 0]
            maps = maps.expand(-1, self.most, -1, -1)
        return [
            Spots(tuple(self._place(maps[row, k], int(peaks[row, k])) for k in range(number)))
            for row, number in enumerate(numbers)
        ]

    def _place(self, heat: Tensor, peak: int) -> Point:
        """The mean place of the nine places round a peak, in shares of the side."""
        height, width = self.shape
        y, x = divmod(peak, width)
        total = mean_x = mean_y = 0.0
        for v in range(max(0, y - 1), min(height, y + 2)):
            for u in range(max(0, x - 1), min(width, x + 2)):
                weight = float(heat[v, u])
                total += weight
                mean_x += weight * (u + 0.5)
                mean_y += weight * (v + 0.5)
        share = PATCH_PX / self.side_px / max(total, 1e-12)
        return Point(mean_x * share, mean_y * share)


SAMPLED = 5
"""Places a side at which a box is looked at."""


class PicksHead(Head):
    """A score for each box, from what is in it, beside what is in all of them.

    ``exclusive``: one box is chosen; otherwise those that are likelier than not.
    ``boxes`` is ``(n, most, 4)`` in shares of the map, empty rows zero.
    """

    def __init__(self, most: int, *, exclusive: bool) -> None:
        super().__init__()
        self.most, self.exclusive = most, exclusive
        self.score = nn.Sequential(
            nn.Linear(4 * FINE + WIDTHS[-1], 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 1)
        )

    def encode(self, targets: Sequence[Answer]) -> Tensor:
        rows = torch.zeros(len(targets), self.most)
        for row, target in zip(rows, targets, strict=True):
            if isinstance(target, Picks):
                row[list(target.chosen)] = 1.0
        return rows

    def forward(self, maps: Maps, boxes: Tensor) -> Tensor:
        inside = self._inside(maps.fine, boxes)
        real = (boxes[:, :, 2] > boxes[:, :, 0]).float()
        others = (inside * real[:, :, None]).sum(1, keepdim=True)
        others = others / real.sum(1).clamp(min=1)[:, None, None]
        whole = maps.whole[:, None].expand(-1, self.most, -1)
        scores = self.score(torch.cat([inside, inside - others, whole], 2))[:, :, 0]
        return scores.masked_fill(real == 0, -30.0)

    def _inside(self, fine: Tensor, boxes: Tensor) -> Tensor:
        """Mean and greatest feature of every box: ``(n, most, 2 * FINE)``."""
        steps = (torch.arange(SAMPLED) + 0.5) / SAMPLED
        x = boxes[:, :, 0, None] + (boxes[:, :, 2] - boxes[:, :, 0])[:, :, None] * steps
        y = boxes[:, :, 1, None] + (boxes[:, :, 3] - boxes[:, :, 1])[:, :, None] * steps
        n, side = len(boxes), (SAMPLED, SAMPLED)
        grid = torch.stack(
            [x[:, :, None, :].expand(-1, -1, *side), y[:, :, :, None].expand(-1, -1, *side)], 4
        )
        sampled = functional.grid_sample(
            fine, grid.view(n, self.most, -1, 2) * 2 - 1, align_corners=False
        )
        return torch.cat([sampled.mean(3), sampled.amax(3)], 1).transpose(1, 2)

    def loss(self, predicted: Tensor, wanted: Tensor) -> Tensor:
        if self.exclusive:
            return functional.cross_entropy(predicted, wanted)
        return functional.binary_cross_entropy_with_logits(predicted, wanted)

    def answers(self, predicted: Tensor) -> list[Answer]:
        """The boxes above even odds, or the best one."""
        best = predicted.argmax(1).tolist()
        likely = [[] if self.exclusive else row.nonzero()[:, 0].tolist() for row in predicted > 0]
        return [Picks(tuple(chosen) or (one,)) for chosen, one in zip(likely, best, strict=True)]
