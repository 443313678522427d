"""The small model's eyes: a residual net of 0.4 million weights that reads its goal as words.

A panel of 192 px is looked at in patches of 4 px, which is what makes hundreds of
pictures a second possible on one core.
"""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTHS = (16, 32, 64, 128)
"""Features at strides 4, 8, 16 and 32."""

FINE = 32
"""Features of the map at stride 4 that sees the whole picture."""

WORDS = 2048
"""Words are told apart by a hash of this many values."""

WORD_WIDTH = 32
"""Features of a goal text."""

MEAN, SPREAD = 112.0, 64.0
"""Grey level and contrast of panels, roughly: the first layer's numbers are then near one."""

SHADE = 0.2
"""Spread of the changes of contrast and colour that pictures go through in training."""

_TOKEN = re.compile(r"[\u3400-\u9fff]|\w+")


class Maps(NamedTuple):
    """What was seen: ``fine`` at stride 4, ``coarse`` at stride 32, ``whole`` a vector."""

    fine: Tensor
    coarse: Tensor
    whole: Tensor


def words_of(goals: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Word numbers of all goals in a row, and where each goal begins; Chinese by the sign."""
    words: list[int] = []
    begins: list[int] = []
    for goal in goals:
        begins.append(len(words))
        for token in _TOKEN.findall(goal.casefold()):
            digest = blake2b(token.encode(), digest_size=4).digest()
            words.append(int.from_bytes(digest, "big") % WORDS)
    return torch.tensor(words, dtype=torch.long), torch.tensor(begins, dtype=torch.long)


class Block(nn.Module):
    """Two convolutions and a way round them; halves the resolution."""

    def __init__(self, given: int, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(given, width, 3, 2, 1, bias=False)
        self.second = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(width), nn.BatchNorm2d(width)])
        self.round = nn.Sequential(nn.AvgPool2d(2), nn.Conv2d(given, width, 1, bias=False))

    def forward(self, seen: Tensor) -> Tensor:
        inner = functional.relu(self.norms[0](self.first(seen)))
        return functional.relu(self.norms[1](self.second(inner)) + self.round(seen))


class Eyes(nn.Module):
    """Pictures ``(n, channels, height, width)`` in 0..255 and goals to ``Maps``.

    With ``fine=False`` the map at stride 4 is not made, which saves a third of the time.
    """

    def __init__(self, channels: int = 3, *, fine: bool = True) -> None:
        super().__init__()
        self.patches = nn.Sequential(
            nn.Conv2d(channels, WIDTHS[0], 5, 4, 2, bias=False),
            nn.BatchNorm2d(WIDTHS[0]),
            nn.ReLU(),
        )
        self.blocks = nn.ModuleList([Block(given, width) for given, width in pairwise(WIDTHS)])
        self.words = nn.EmbeddingBag(WORDS, WORD_WIDTH, mode="mean")
        self.told = nn.ModuleList([nn.Linear(WORD_WIDTH, 2 * width) for width in WIDTHS[2:]])
        self.whole = nn.Linear(WIDTHS[-1] + WORD_WIDTH, WIDTHS[-1])
        self.sides = nn.ModuleList([nn.Conv2d(width, FINE, 1) for width in WIDTHS] if fine else [])
        self.mix = nn.Conv2d(FINE + 2, FINE, 3, 1, 1) if fine else None
        self.everywhere = nn.Linear(WIDTHS[-1], FINE) if fine else None

    def forward(self, pictures: Tensor, words: Tensor, begins: Tensor) -> Maps:
        goal = self.words(words, begins)
        seen = self.patches(self._levels(pictures))
        stages = [seen]
        for number, block in enumerate(self.blocks):
            seen = block(seen)
            if number > 0:
                gain, shift = self.told[number - 1](goal)[:, :, None, None].chunk(2, 1)
                seen = seen * (1 + gain) + shift
            stages.append(seen)
        whole = functional.relu(self.whole(torch.cat([seen.mean((2, 3)), goal], 1)))
        return Maps(self._fine(stages, whole), seen, whole)

    def _levels(self, pictures: Tensor) -> Tensor:
        """Pictures as numbers near one, in training with other contrasts and colours each time."""
        n, channels = pictures.shape[:2]
        spread = SHADE if self.training else 0.0
        gain = (1 + spread * torch.randn(n, 1, 1, 1)) / SPREAD
        shift = spread * torch.randn(n, channels, 1, 1) - MEAN * gain
        levels = pictures.contiguous(memory_format=torch.channels_last).float()
        return levels.mul_(gain).add_(shift)  # in place: full-size passes are dear

    def _fine(self, stages: list[Tensor], whole: Tensor) -> Tensor:
        if self.mix is None or self.everywhere is None:
            return stages[0]
        fine = self.sides[-1](stages[-1])
        for side, stage in zip(reversed(self.sides[:-1]), reversed(stages[:-1]), strict=True):
            fine = functional.interpolate(fine, size=stage.shape[2:], mode="nearest") + side(stage)
        fine = functional.relu(fine + self.everywhere(whole)[:, :, None, None])
        return functional.relu(self.mix(torch.cat([fine, places(fine)], 1)))


def places(like: Tensor) -> Tensor:
    """Two channels that say where on the map they are, -1 to 1: convolutions cannot know."""
    n, _, height, width = like.shape
    y = torch.linspace(-1, 1, height)[None, None, :, None].expand(n, 1, height, width)
    x = torch.linspace(-1, 1, width)[None, None, None, :].expand(n, 1, height, width)
    return torch.cat([x, y], 1)
