"""The objective of MOPD on tensors: advantages, the importance window, the loss.

Shapes: ``(B, T)`` for rows of completions and their tokens, right-padded; masks are 1 on what the
student sampled, its end token included, and 0 on padding. What stands under padding never counts,
whatever it is.
"""

# The train extra is optional, and types are checked without it too.
# pyright: reportMissingImports=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

Normaliser = Literal["sequence", "token"]


@dataclass(frozen=True)
class LossOptions:
    """``clip`` bounds the size of A, ``low`` and ``high`` the importance ratio, both ends inside.

    ``alpha`` weighs the outcome's advantage beside the teacher's. ``normaliser`` "sequence" is
    the mean over rows of each row's mean over its tokens, "token" the mean over all tokens.
    """

    clip: float = 5.0
    low: float = 0.5
    high: float = 2.0
    alpha: float = 0.0
    normaliser: Normaliser = "sequence"


DEFAULTS = LossOptions()


@dataclass(frozen=True)
class Whole:
    """The whole batch that a micro-batch is part of, over all ranks and accumulation steps."""

    rows: float
    tokens: float

    @classmethod
    def of(cls, mask: Tensor) -> Whole:
        """A batch that is not split."""
        return cls(rows=float(mask.shape[0]), tokens=float(mask.sum()))


def advantages(teacher: Tensor, student: Tensor, clip: float = DEFAULTS.clip) -> Tensor:
    """``log pi_T - log pi_theta`` of the sampled tokens, clipped, without gradient."""
    return (teacher - student).detach().clamp(-clip, clip)


def importance(student: Tensor, sampled: Tensor, low: float, high: float) -> Tensor:
    """``pi_theta / mu`` inside ``[low, high]``, else 0; without gradient."""
    ratio = (student - sampled).detach().exp()
    return torch.where((ratio >= low) & (ratio <= high), ratio, torch.zeros_like(ratio))


def mopd_loss(
    student: Tensor,
    teacher: Tensor,
    weights: Tensor,
    mask: Tensor,
    *,
    sampled: Tensor | None = None,
    outcome: Tensor | None = None,
    options: LossOptions = DEFAULTS,
    whole: Whole | None = None,
) -> Tensor:
    """``-E[1/|y| sum_t w_t lam_t A_t log pi_theta]``, a scalar.

    ``student`` has the gradient; ``teacher`` and ``sampled`` (mu, the student's when absent) are
    log-probabilities of the same tokens, ``weights`` the lambdas. ``outcome`` is ``(B,)``, added
    to A as ``alpha * outcome``. With ``whole`` the losses of micro-batches add up to the loss of
    the batch that they were cut from.
    """
    kept = mask.bool()
    zero = torch.zeros_like(student)
    student = torch.where(kept, student, zero)
    gain = advantages(torch.where(kept, teacher, zero), student, options.clip)
    if options.alpha and outcome is not None:
        gain = gain + options.alpha * outcome.detach().unsqueeze(1)
    behind = student.detach() if sampled is None else torch.where(kept, sampled, zero)
    ratio = importance(student, behind, options.low, options.high)
    per_token = torch.where(kept, ratio * weights * gain * student, zero)
    return -_mean(per_token, kept, options.normaliser, whole or Whole.of(kept))


def _mean(per_token: Tensor, kept: Tensor, normaliser: Normaliser, whole: Whole) -> Tensor:
    if normaliser == "token":
        return per_token.sum() / max(1.0, whole.tokens)
    lengths = kept.sum(dim=1).clamp(min=1)
    return (per_token.sum(dim=1) / lengths).sum() / max(1.0, whole.rows)


def distances(student: Tensor, teacher: Tensor, mask: Tensor) -> Tensor:
    """The mean of ``log pi_theta - log pi_T`` over sampled tokens: the reverse KL, estimated."""
    kept = mask.bool()
    gap = torch.where(kept, (student - teacher).detach(), torch.zeros_like(student))
    return gap.sum() / kept.sum().clamp(min=1)
