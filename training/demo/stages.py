"""The stages of the demonstration as plain loops over the functions of ``training``.

TRL's trainers, which ``factory train rl`` and ``mopd`` use, take longer for a batch of this
model than the batch itself; objectives, rewards, statuses, weights and merges are the same code.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from factory.core.errors import InvalidOptions
from training.demo.net import PixelNet, Tower, spread
from training.demo.play import answered, chosen, golds, logps_of, mask_of, questions
from training.demo.words import offsets, said
from training.group_stats import group_counts
from training.mopd.hint import hinted
from training.mopd.loss import LossOptions, distances, mopd_loss
from training.mopd.spans import tokens
from training.mopd.status import Status, classify, worst
from training.mopd.weights import token_weights
from training.rewards import refused, score
from training.samples import Example

HINTED = 0.25
"""Share of questions that carry the hint in SFT and RL: as a teacher the model is asked with it."""
CLIP = 1.0
"""Bound of the gradient's norm."""
WARM = 0.1
"""Share of steps over which the rate rises in the supervised stage, before it falls to 0."""
SLIP = 0.2
"""GRPO's clip of the ratio; each batch of answers is used once, so it binds at rounding only."""


@dataclass(frozen=True)
class Plan:
    """Sizes of the stages. ``prompts`` x ``group`` answers a step of RL and distillation."""

    tower_steps: int = 1200
    tower_batch: int = 32
    tower_lr: float = 3e-3
    sft_steps: int = 160
    sft_batch: int = 96
    sft_lr: float = 3e-3
    rl_steps: int = 120
    rl_lr: float = 1e-3
    mopd_steps: int = 180
    mopd_lr: float = 2e-3
    prompts: int = 32
    group: int = 8
    warmup: int = 10


def planned(changes: Sequence[str]) -> Plan:
    """The plan with other sizes, each as NAME=VALUE; ``InvalidOptions`` for what is none."""
    known = {one.name: one.default for one in fields(Plan)}
    found: dict[str, Any] = {}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            found[name] = type(known[name])(value)
        except (KeyError, ValueError):
            raise InvalidOptions(f"--set {change!r} is none of {', '.join(known)}") from None
    return Plan(**found)


Row = dict[str, Any]


class Bench:
    """Questions of some domains, and what the tower says of their panels."""

    def __init__(self, every: Sequence[Example], seen: Tensor) -> None:
        self.every, self.panels = every, seen
        self.asked = questions([one.prompt for one in every])
        self.hints = questions([hinted(one.prompt, one, one.lang) for one in every])
        self.golds = golds([one.response for one in every])
        self.by_domain: dict[str, list[int]] = {}
        for number, one in enumerate(every):
            self.by_domain.setdefault(one.domain, []).append(number)

    def seen(self, rows: Tensor) -> Tensor:
        """What is seen of the rows' panels; two questions follow each other for each."""
        return self.panels[rows // 2]

    def examples(self, rows: Tensor) -> list[Example]:
        return [self.every[k] for k in rows.tolist()]


def rising(optimiser: torch.optim.Optimizer, lr: float, steps: int) -> Any:
    """The rate of the supervised stages: up over ``WARM`` of the steps, then down to nothing."""
    return torch.optim.lr_scheduler.OneCycleLR(optimiser, lr, steps, pct_start=WARM)


def towered(plan: Plan, pixels: Tensor, aims: Tensor, seed: int) -> Iterator[tuple[Tower, Row]]:
    """Train the tower on where the parts of panels are."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        tower = Tower().to(memory_format=torch.channels_last)  # pyright: ignore[reportCallIssue]
    draws = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(tower.parameters(), plan.tower_lr, betas=(0.9, 0.98))
    rise = rising(optimiser, plan.tower_lr, plan.tower_steps)
    for step in range(plan.tower_steps):
        rows = torch.randint(len(pixels), (plan.tower_batch,), generator=draws)
        loss = aim_loss(tower.heats(pixels[rows]), aims[rows])
        _step(optimiser, loss, tower)
        rise.step()
        yield tower, {"step": step + 1, "loss": loss.item()}


def aim_loss(heats: Tensor, aims: Tensor) -> Tensor:
    """Cross-entropy of the heat maps against the centres of parts; even heat for absent parts."""
    absent = aims[..., :1].isnan()
    even = torch.full((), 1.0 / heats.shape[-1])
    wanted = torch.where(absent, even, spread(aims.nan_to_num()))
    return -(wanted * heats.log_softmax(dim=-1)).sum(dim=-1).mean()


def supervised(plan: Plan, bench: Bench, seed: int) -> Iterator[tuple[PixelNet, Row]]:
    """Train on gold answers; yields the model and the loss of each step."""
    net, draws = PixelNet(seed), torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(net.parameters(), plan.sft_lr, betas=(0.9, 0.98))
    rise = rising(optimiser, plan.sft_lr, plan.sft_steps)
    for step in range(plan.sft_steps):
        rows = torch.randint(len(bench.golds), (plan.sft_batch,), generator=draws)
        asked = _partly_hinted(bench, rows, draws)
        answers = bench.golds[rows]
        logps = chosen(logps_of(net, bench.seen(rows), asked, answers), answers)
        mask = mask_of(answers)
        loss = -(logps * mask).sum() / mask.sum()
        _step(optimiser, loss, net)
        rise.step()
        yield net, {"step": step + 1, "loss": loss.item()}


def _partly_hinted(bench: Bench, rows: Tensor, draws: torch.Generator) -> Tensor:
    """The questions, a share of them with the hint, at the width of the hinted ones."""
    asked = bench.asked[rows]
    plain = functional.pad(asked, (0, bench.hints.shape[1] - asked.shape[1]))
    told = torch.rand(len(rows), generator=draws) < HINTED
    return torch.where(told[:, None], bench.hints[rows], plain)


def _step(optimiser: torch.optim.Optimizer, loss: Tensor, net: torch.nn.Module) -> None:
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), CLIP)
    optimiser.step()


class _Warmed:
    """An optimiser whose rate rises over the first steps and then falls to nothing at the end."""

    def __init__(self, net: PixelNet, lr: float, warmup: int, last: int) -> None:
        self.net, self.lr, self.warmup, self.last, self.steps = net, lr, warmup, last, 0
        self.adam = torch.optim.AdamW(net.parameters(), lr, betas=(0.9, 0.98))

    def step(self, loss: Tensor) -> None:
        left = 1 - self.steps / self.last
        self.steps += 1
        for group in self.adam.param_groups:
            group["lr"] = self.lr * min(left, self.steps / max(1, self.warmup))
        _step(self.adam, loss, self.net)


def reinforced(
    plan: Plan, net: PixelNet, bench: Bench, domains: Sequence[str], seed: int
) -> Iterator[tuple[PixelNet, Row]]:
    """GRPO on some domains: ``training.rewards`` pays, groups are normalised by themselves."""
    draws = torch.Generator().manual_seed(seed)
    optimiser = _Warmed(net, plan.rl_lr, plan.warmup, plan.rl_steps)
    pool = torch.tensor([k for name in domains for k in bench.by_domain[name]])
    for step in range(plan.rl_steps):
        rows = pool[torch.randint(len(pool), (plan.prompts,), generator=draws)]
        seen, asked = bench.seen(rows), _partly_hinted(bench, rows, draws)
        answers = answered(net, seen, asked, times=plan.group, draws=draws)
        examples = [one for one in bench.examples(rows) for _ in range(plan.group)]
        worth = paid(examples, answers)
        gains = normalised(torch.tensor([one.total for one in worth]), plan.group)
        logps = chosen(logps_of(net, seen, asked, answers, plan.group), answers)
        mask = mask_of(answers)
        optimiser.step(grpo_loss(logps, logps.detach(), gains, mask))
        counts = group_counts(
            [one.total for one in worth], [one.outcome for one in worth], plan.group
        )
        yield net, {
            "step": step + 1,
            "reward": _mean([one.total for one in worth]),
            "outcome": _mean([one.outcome for one in worth]),
            "format": _mean([one.format for one in worth]),
            "refused": _mean([refused(e, said(a)) for e, a in zip(examples, answers.tolist(),
                                                                  strict=True)]),
            "zero_variance": counts.zero_variance / counts.groups,
            "length": mask.sum(1).mean().item(),
        }  # fmt: skip


def paid(examples: Sequence[Example], answers: Tensor) -> list[Any]:
    """The rewards of answers."""
    return [
        score(example, said(ids)) for example, ids in zip(examples, answers.tolist(), strict=True)
    ]


def normalised(totals: Tensor, group: int) -> Tensor:
    """Each reward against its group's mean, by its spread; 0 where a group is all the same."""
    groups = totals.view(-1, group)
    centred = groups - groups.mean(dim=1, keepdim=True)
    return (centred / (groups.std(dim=1, keepdim=True) + 1e-4)).flatten()


def grpo_loss(logps: Tensor, sampled: Tensor, gains: Tensor, mask: Tensor) -> Tensor:
    """The clipped objective, a mean over answers of the mean over their tokens."""
    ratio = (logps - sampled).exp()
    held = ratio.clamp(1 - SLIP, 1 + SLIP)
    worth = torch.minimum(ratio * gains[:, None], held * gains[:, None]) * mask
    return -(worth.sum(dim=1) / mask.sum(dim=1).clamp(min=1)).mean()


def distilled(
    plan: Plan,
    net: PixelNet,
    teachers: Mapping[str, PixelNet],
    bench: Bench,
    seed: int,
    *,
    hint: bool = True,
    structure: bool = True,
) -> Iterator[tuple[PixelNet, Row]]:
    """MOPD: answers of the student, scored by the teacher of each batch's domain."""
    draws = torch.Generator().manual_seed(seed)
    optimiser = _Warmed(net, plan.mopd_lr, plan.warmup, plan.mopd_steps)
    names = sorted(teachers)
    for step in range(plan.mopd_steps):
        domain = names[step % len(names)]
        pool = torch.tensor(bench.by_domain[domain])
        rows = pool[torch.randint(len(pool), (plan.prompts,), generator=draws)]
        seen, asked = bench.seen(rows), bench.asked[rows]
        answers = answered(net, seen, asked, times=plan.group, draws=draws)
        examples = [one for one in bench.examples(rows) for _ in range(plan.group)]
        told = bench.hints[rows] if hint else asked
        with torch.no_grad():
            teacher = logps_of(teachers[domain], seen, told, answers, plan.group)
        weights, statuses = _weights(examples, answers, structure)
        logps = chosen(logps_of(net, seen, asked, answers, plan.group), answers)
        mask = mask_of(answers)
        wanted = chosen(teacher, answers)
        optimiser.step(mopd_loss(logps, wanted, weights, mask, options=LossOptions()))
        yield (
            net,
            {
                "step": step + 1,
                "domain": domain,
                "outcome": _mean([one is Status.CORRECT for one in statuses]),
                "gap": float(distances(logps.detach(), wanted, mask)),
            },
        )


def _weights(
    examples: Sequence[Example], answers: Tensor, structure: bool
) -> tuple[Tensor, list[Status]]:
    """The lambdas of each token, and the worst status of each answer."""
    weights = torch.zeros(answers.shape)
    statuses: list[Status] = []
    for number, (example, ids) in enumerate(zip(examples, answers.tolist(), strict=True)):
        slots = classify(example, said(ids))
        statuses.append(worst(slots))
        found = token_weights(tokens(offsets(ids), slots), structure=structure)
        weights[number, : len(found)] = torch.tensor(found)
    return weights, statuses


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
