"""Offline RL of one domain: GRPO on sampled answers, paid by the rules of the factory.

TRL's ``GRPOTrainer`` does the work. Ours are the batches, which come from streamed shards with an
exact cursor, the reward, and what is logged of it.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
from torch.utils.data import DataLoader
from trl.trainer.grpo_config import GRPOConfig
from trl.trainer.grpo_trainer import GRPOTrainer

from training.collate import ChatForm
from training.config import RlConfig, RolloutConfig
from training.group_stats import group_counts, measures
from training.models import load_policy, save_policy
from training.rewards import RewardOptions, options_of, refused, score
from training.rollouts import MixedPrompts, Prompts, Rollouts
from training.run_folder import RunFolder
from training.samples import Example
from training.sft import (
    ExactResume,
    Keeper,
    own_loader,
    process,
    run_trainer,
    steps_of,
    trainer_args,
)
from training.sources import Source, digests, open_sources, static_steps
from training.stream import Reader


def train_rl(config: RlConfig, *, resume: bool = False) -> RunFolder:
    """Train and save; returns the run folder. Resumes exactly: same losses as without a stop."""
    rank, _ = process()
    sources = open_sources(config.data)
    folder = RunFolder.open(config, config.out, digests(sources), resume=resume, main=rank == 0)
    if not folder.done:
        trainer, keeper = rl_trainer(config, folder, sources)
        run_trainer(trainer, keeper, folder, trainer.processing_class, resume=resume)
    return folder


def rl_trainer(
    config: RlConfig, folder: RunFolder, sources: Sequence[Source]
) -> tuple[RolloutTrainer, Keeper]:
    """The trainer of a run folder, and what keeps its metrics and cursors."""
    rank, world = process()
    model, processor = load_policy(config.model)
    if config.beta and config.model.lora is None:
        _keep_reference(model, processor, folder)
    form = ChatForm.of(processor)
    stop_at_turns(model, form)
    reader = Reader.of(rank, world)
    prompts = MixedPrompts(config.data, seed=config.optim.seed, reader=reader)
    rollouts = rollouts_of(config, prompts, form)
    keeper = Keeper(folder, rollouts, main=rank == 0)
    args = grpo_args(
        config, folder, form, rollout_steps(config, sources, world),
        beta=config.beta,
        epsilon=config.epsilon,
        scale_rewards=config.scale_rewards,
        use_vllm=config.use_vllm,
    )  # fmt: skip
    trainer = RolloutTrainer(
        rollouts,
        model=model,
        reward_funcs=[Payment(form, options_of(config.reward.model_dump()), config.group)],
        args=args,
        train_dataset=no_rows(),
        processing_class=processor,
        callbacks=[keeper],
    )
    return trainer, keeper


def _keep_reference(model: Any, processor: Any, folder: RunFolder) -> None:
    """Save the policy as it starts: TRL loads the reference of the KL from where a model lies."""
    reference = folder.path / "reference"
    if not (reference / "config.json").is_file():
        save_policy(model, processor, reference)
    model.config._name_or_path = str(reference)


def stop_at_turns(model: Any, form: ChatForm) -> None:
    """An answer ends where the template ends a turn, whatever else the model's own config says."""
    own = model.generation_config.eos_token_id
    known = own if isinstance(own, list) else [own] if own is not None else []
    model.generation_config.eos_token_id = sorted({*known, form.ending[-1]})


def rollout_steps(config: RolloutConfig, sources: Sequence[Source], world: int) -> int:
    """The number of optimiser steps; with ``epochs`` each sample is a prompt so many times."""
    optim = config.optim
    prompts = optim.batch * optim.accumulation * world // config.group
    counted = static_steps(sources, optim.epochs or 1, prompts) * config.iterations
    return steps_of(optim, counted)


def rollouts_of(config: RolloutConfig, prompts: Prompts, form: ChatForm) -> Rollouts:
    """Batches for one optimiser step, each used ``iterations`` times."""
    optim = config.optim
    return Rollouts(
        prompts,
        form,
        size=optim.batch * optim.accumulation,
        group=config.group,
        repeats=optim.accumulation * config.iterations,
    )


def grpo_args(
    config: RolloutConfig, folder: RunFolder, form: ChatForm, steps: int, **more: Any
) -> GRPOConfig:
    """TRL's arguments: answers are sampled once a step, and used for ``iterations`` steps."""
    optim, sample = config.optim, config.sample
    # A checkpoint between the steps of one batch of answers could not be resumed exactly.
    save_every = -(-optim.save_every // config.iterations) * config.iterations
    args = trainer_args(
        GRPOConfig, config, folder, steps,
        num_generations=max(2, config.group),  # TRL has no less; groups of one are distillation's
        max_completion_length=sample.max_new_tokens,
        temperature=sample.temperature,
        top_p=sample.top_p,
        num_iterations=config.iterations,
        steps_per_generation=optim.accumulation,
        shuffle_dataset=False,
        loss_type="grpo",
        disable_dropout=True,
        generation_kwargs={"suppress_tokens": sorted(form.image_tokens)},
        **more,
    )  # fmt: skip
    args.save_steps = save_every
    return args


def no_rows() -> datasets.IterableDataset:
    """TRL wants a data set at hand; ours come from ``Rollouts``."""
    return datasets.Dataset.from_dict({"prompt": [""]}).to_iterable_dataset()


class RolloutTrainer(ExactResume, GRPOTrainer):
    """TRL's trainer on our generation batches, which are this process's own already."""

    def __init__(self, rollouts: Rollouts, **kwargs: Any) -> None:
        self.rollouts = rollouts
        super().__init__(**kwargs)

    def get_train_dataloader(self) -> DataLoader[Any]:
        return own_loader(self.rollouts)


class Payment:
    """The reward of sampled answers, as TRL calls it; its parts go to the log."""

    __name__ = "total"

    def __init__(self, form: ChatForm, options: RewardOptions, group: int) -> None:
        self.form, self.options, self.group = form, options, group

    def __call__(
        self,
        completion_ids: Sequence[Sequence[int]],
        example: Sequence[Example],
        log_metric: Any,
        **_: Any,
    ) -> list[float]:
        texts = [self.form.said(ids) for ids in completion_ids]
        scored = [score(one, text, self.options) for one, text in zip(example, texts, strict=True)]
        said = [refused(one, text) for one, text in zip(example, texts, strict=True)]
        for name, value in measures(example, scored, said).items():
            log_metric(name, value)
        totals = [one.total for one in scored]
        counts = group_counts(totals, [one.outcome for one in scored], self.group)
        for name, value in counts._asdict().items():
            log_metric(f"groups/{name}", float(value))
        return totals
