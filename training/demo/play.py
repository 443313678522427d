"""Batches of the small model: features of panels, answers greedy or drawn, log-probabilities."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from training.demo.net import PixelNet, Tower
from training.demo.words import END, LONGEST_ANSWER, PAD, answer_ids, question_ids

BATCH = 250
"""Panels a batch where no gradient is kept."""


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of unlike length as one tensor, padded with 0 on the right."""
    longest = max(1, *map(len, rows))
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])


def questions(texts: Sequence[str]) -> Tensor:
    """(B, Q) numbers of words."""
    return padded([question_ids(text) for text in texts])


def golds(texts: Sequence[str]) -> Tensor:
    """(B, T) pieces with their end."""
    return padded([answer_ids(text) for text in texts])


@torch.no_grad()
def seen_by(tower: Tower, pixels: Tensor) -> Tensor:
    """(P, POINTS, 3): what the tower says of all panels."""
    tower.eval()
    return torch.cat([tower(part) for part in pixels.split(BATCH)])


def logps_of(
    net: PixelNet, features: Tensor, asked: Tensor, answers: Tensor, times: int = 1
) -> Tensor:
    """(B, T, VOCABULARY) log-probabilities at each token of ``answers`` (B, T).

    ``features`` and ``asked`` are of B / ``times`` panels; the answers to one stand together.
    """
    first = torch.full_like(answers[:, :1], PAD)
    cache = net.begin(features, asked, times)
    logits = net.logits(cache, torch.cat([first, answers[:, :-1]], dim=1))
    return logits.log_softmax(dim=-1)


def chosen(logps: Tensor, answers: Tensor) -> Tensor:
    """(B, T) log-probabilities of the answers' own tokens."""
    return logps.gather(2, answers[..., None])[..., 0]


def mask_of(answers: Tensor) -> Tensor:
    """(B, T) 1 up to the end token, which counts, and 0 behind it."""
    ended = (answers == END).long().cumsum(dim=1)
    return ((ended == 0) | ((answers == END) & (ended == 1))).float()


@torch.no_grad()
def answered(
    net: PixelNet,
    features: Tensor,
    asked: Tensor,
    *,
    times: int = 1,
    draws: torch.Generator | None = None,
) -> Tensor:
    """(B * times, T) pieces: the likeliest, or drawn at temperature 1 with ``draws``."""
    net.eval()
    cache = net.begin(features, asked, times)
    token = torch.full((len(features) * times, 1), PAD)
    done = torch.zeros(len(token), dtype=torch.bool)
    found: list[Tensor] = []
    for at in range(LONGEST_ANSWER):
        scores = net.logits(cache, token, at, keep=True)[:, -1]
        scores[:, PAD] = -torch.inf
        token = (
            scores.argmax(dim=-1, keepdim=True)
            if draws is None
            else torch.multinomial(scores.softmax(dim=-1), 1, generator=draws)
        )
        token[done] = PAD
        found.append(token)
        done |= token[:, 0] == END
        if bool(done.all()):
            break
    return torch.cat(found, dim=1)
