"""The small model: a vision tower finds the parts of a panel, a causal decoder writes the answer.

The tower is trained once on where the parts are and frozen, as is usual for towers; what it says
of a panel is five places with how sure it is. A projector and a decoder make the answer of them
and of the question. They are what SFT, RL, distillation and merges work on.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.demo.items import AIMS, HEIGHT_PX, WIDTH_PX
from training.demo.words import HASHED, LONGEST_ANSWER, LONGEST_QUESTION, VOCABULARY

WIDTH, HEADS, LAYERS = 64, 4, 2
CHANNELS = 32
POINTS = len(AIMS)
DERIVED = 12
"""Sums of coordinates that the projector makes: a drag is such a sum."""
TOKENS = POINTS + DERIVED
"""What the decoder looks at."""
WAVES = (0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)
"""Cycles over a panel's side in which a coordinate is told: its digits are periodic in it."""
NEAR = 1
"""Cells around the hottest one that have a say in where exactly the place is."""
BLOCK_PX = 4
"""Pixels that the first convolution takes at a time, along each side."""


class Tower(nn.Module):
    """(B, 3, H, W) bytes to (B, POINTS, 3): x and y as shares of the sides, and the highest heat.

    Each heat map's place is the mean of the cells around its hottest one, by their heat: exact to
    a fraction of a cell, which an answer on a grid of 1,000 needs.
    """

    fine: Tensor
    coarse: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(5, CHANNELS, BLOCK_PX, BLOCK_PX)  # colours and coordinates
        self.steps = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 3, 1, 1) for _ in range(3))
        self.heat = nn.Conv2d(CHANNELS, POINTS, 1)
        self.register_buffer("fine", _grid(HEIGHT_PX, WIDTH_PX), persistent=False)
        coarse = _grid(HEIGHT_PX // BLOCK_PX, WIDTH_PX // BLOCK_PX)
        self.register_buffer("coarse", coarse.flatten(1).T, persistent=False)

    def heats(self, pixels: Tensor) -> Tensor:
        """(B, POINTS, cells) logits of each place over the cells."""
        seen = pixels.float() / 127.5 - 1.0
        seen = torch.cat([seen, self.fine.expand(len(seen), -1, -1, -1)], dim=1)
        seen = functional.gelu(self.first(seen))
        for step in self.steps:
            seen = seen + functional.gelu(step(seen))
        return 4.0 * self.heat(seen).flatten(2)

    def forward(self, pixels: Tensor) -> Tensor:
        heat = self.heats(pixels).softmax(dim=-1)
        hottest, cell = heat.max(dim=-1)
        columns = WIDTH_PX // BLOCK_PX
        number = torch.arange(heat.shape[-1])
        across = (number % columns - (cell % columns)[..., None]).abs()
        down = (number // columns - (cell // columns)[..., None]).abs()
        near = heat * ((across <= NEAR) & (down <= NEAR))
        place = near @ self.coarse / near.sum(dim=-1, keepdim=True)
        return torch.cat([place, hottest[..., None]], dim=-1)


class Projector(nn.Module):
    """(B, POINTS, 3) to (B, TOKENS, WIDTH)."""

    def __init__(self) -> None:
        super().__init__()
        self.sums = nn.Sequential(nn.Linear(3 * POINTS, 64), nn.GELU(), nn.Linear(64, 2 * DERIVED))
        self.direct = nn.Linear(3 * POINTS, 2 * DERIVED)
        self.sure = nn.Linear(POINTS, WIDTH)
        self.out = nn.Linear(4 * len(WAVES) + 2, WIDTH)
        self.names = nn.Parameter(torch.randn(TOKENS, WIDTH) * 0.2)

    def forward(self, seen: Tensor) -> Tensor:
        flat = seen.flatten(1)
        derived = (self.direct(flat) + self.sums(flat)).unflatten(1, (DERIVED, 2))
        places = torch.cat([seen[..., :2], derived], dim=1)
        told = torch.cat([places, in_waves(places).flatten(2)], dim=-1)
        return self.out(told) + self.names + self.sure(seen[..., 2])[:, None]


def in_waves(shares: Tensor) -> Tensor:
    """Coordinates, shares of a side, as sines and cosines: (...,) to (..., 2 waves)."""
    turns = shares[..., None] * (torch.tensor(WAVES) * 2 * torch.pi)
    return torch.cat([turns.sin(), turns.cos()], dim=-1)


def spread(aims: Tensor) -> Tensor:
    """(B, N, cells) weights on the four cells around each aim, whose mean place is the aim.

    ``aims`` (B, N, 2) are shares of the sides; outside the outermost centres they are moved in.
    """
    rows, columns = HEIGHT_PX // BLOCK_PX, WIDTH_PX // BLOCK_PX
    x = (aims[..., 0] * columns - 0.5).clamp(0, columns - 1)
    y = (aims[..., 1] * rows - 0.5).clamp(0, rows - 1)
    across = (1 - (torch.arange(columns) - x[..., None]).abs()).clamp(min=0)
    down = (1 - (torch.arange(rows) - y[..., None]).abs()).clamp(min=0)
    return (down[..., :, None] * across[..., None, :]).flatten(-2)


def _grid(height: int, width: int) -> Tensor:
    """(2, H, W): x and y of the cells' centres, in 0..1."""
    y = (torch.arange(height) + 0.5) / height
    x = (torch.arange(width) + 0.5) / width
    return torch.stack([x.expand(height, width), y[:, None].expand(height, width)])


@dataclass
class Cache:
    """Keys and values of a layer: of the text so far, and of the panel."""

    text: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    panel: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    mask: Tensor | None = None


class Layer(nn.Module):
    """Attention to the text before, attention to the panel, and a step of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.self_in, self.self_out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.panel_q, self.panel_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.panel_kv = nn.Linear(WIDTH, 2 * WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(3 * WIDTH, WIDTH)

    def panel(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the panel, (B, heads, TOKENS, width of a head)."""
        key, value = self.panel_kv(features).chunk(2, dim=-1)
        return heads(key), heads(value)

    def forward(
        self,
        x: Tensor,
        mask: Tensor,
        panel: tuple[Tensor, Tensor],
        before: tuple[Tensor, Tensor] | None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        query, key, value = (heads(t) for t in self.self_in(self.norms[0](x)).chunk(3, dim=-1))
        if before is not None:
            key, value = torch.cat([before[0], key], 2), torch.cat([before[1], value], 2)
        told = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = x + self.self_out(joined(told))
        asked = heads(self.panel_q(self.norms[1](x)))
        x = x + self.panel_out(joined(functional.scaled_dot_product_attention(asked, *panel)))
        x = x + self.down(functional.gelu(self.up(self.norms[2](x))))
        return x, (key, value)


def heads(x: Tensor) -> Tensor:
    """(B, T, WIDTH) to (B, heads, T, width of a head)."""
    return x.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


def joined(x: Tensor) -> Tensor:
    """The other way."""
    return x.transpose(1, 2).flatten(2)


class PixelNet(nn.Module):
    """What the tower saw and a question in, the next piece of the answer out."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.projector = Projector()
            self.words = nn.Embedding(HASHED + 1, WIDTH)
            self.pieces = nn.Embedding(VOCABULARY, WIDTH)
            self.places = nn.Embedding(LONGEST_QUESTION + LONGEST_ANSWER, WIDTH)
            self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
            self.norm = nn.LayerNorm(WIDTH)
            for table in (self.words, self.pieces, self.places):
                nn.init.normal_(table.weight, std=0.05)

    def begin(self, seen: Tensor, questions: Tensor, times: int = 1) -> Cache:
        """Read the questions (B, Q; 0 is padding) of panels; ``times`` answers of each follow.

        ``seen`` (B, POINTS, 3) is what the tower says of the panels.
        """
        features = self.projector(seen)
        positions = torch.arange(questions.shape[1])
        x = self.words(questions) + self.places(positions)
        known = questions > 0
        causal = torch.ones(len(positions), len(positions), dtype=torch.bool).tril()
        # A padding position sees itself, or its softmax would be of nothing.
        mask = causal & known[:, None, None, :] | torch.eye(len(positions), dtype=torch.bool)
        cache = Cache()
        for layer in cast("list[Layer]", self.layers):
            panel = layer.panel(features)
            x, text = layer(x, mask, panel, None)
            cache.panel.append(repeated(panel, times))
            cache.text.append(repeated(text, times))
        cache.mask = known.repeat_interleave(times, 0)
        return cache

    def logits(self, cache: Cache, answers: Tensor, at: int = 0, *, keep: bool = False) -> Tensor:
        """(B, T, VOCABULARY) behind each of ``answers`` (B, T), the first of which stands ``at``.

        With ``keep`` the cache grows by them, so that the next call goes on behind.
        """
        count = answers.shape[1]
        assert cache.mask is not None
        x = self.pieces(answers) + self.places(LONGEST_QUESTION + torch.arange(at, at + count))
        behind = torch.ones(count, at + count, dtype=torch.bool).tril(at)
        known = cache.mask[:, None, None, :].expand(-1, 1, count, -1)
        mask = torch.cat([known, behind.expand(len(answers), 1, -1, -1)], dim=-1)
        for number, layer in enumerate(self.layers):
            x, text = layer(x, mask, cache.panel[number], cache.text[number])
            if keep:
                cache.text[number] = text
        return functional.linear(self.norm(x), self.pieces.weight)


def repeated(pair: tuple[Tensor, Tensor], times: int) -> tuple[Tensor, Tensor]:
    """Each row so many times."""
    if times == 1:
        return pair
    return pair[0].repeat_interleave(times, 0), pair[1].repeat_interleave(times, 0)
