"""MOPD as a trainer: TRL's GRPO, with teachers in the place of group advantages.

TRL samples the answers. Then each answer is classified and weighed, and the teacher of its domain
scores the same tokens behind its own prompt, which has the hint. The loss is
``mopd.loss.mopd_loss``. Two private methods of TRL are used, ``_generate_and_score_completions``
and ``_compute_loss``; tests hold them to what is expected here.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from training.collate import THINK, ChatForm, prompt_batch, with_answers
from training.config import MopdConfig
from training.models import load_policy
from training.mopd.hint import hinted
from training.mopd.loss import LossOptions, Whole, advantages, distances, mopd_loss
from training.mopd.routing import known, routed
from training.mopd.spans import token_offsets, tokens
from training.mopd.status import Status, classify, worst
from training.mopd.teachers import Teachers
from training.mopd.weights import Lambdas, token_weights
from training.rewards import options_of
from training.rl import (
    Payment,
    RolloutTrainer,
    grpo_args,
    no_rows,
    rollout_steps,
    rollouts_of,
    stop_at_turns,
)
from training.rollouts import DomainPrompts, Row, by_domain
from training.run_folder import RunFolder
from training.samples import Example
from training.sft import Keeper, process, run_trainer
from training.sources import Source, digests, open_sources
from training.stream import Reader

PASSED_ON = (
    "pixel_values", "image_grid_thw", "pixel_attention_mask", "image_sizes", "token_type_ids",
    "mm_token_type_ids",
)  # fmt: skip
"""Inputs of a forward pass beside ids and mask, for the families of ``training.tiny`` and their
like."""


def train_mopd(config: MopdConfig, *, resume: bool = False) -> RunFolder:
    """Train and save; returns the run folder. Resumes exactly: same losses as without a stop."""
    rank, _ = process()
    sources = open_sources(config.data)
    known(list(by_domain(config.data.sources)), config.teachers)
    folder = RunFolder.open(config, config.out, digests(sources), resume=resume, main=rank == 0)
    if not folder.done:
        trainer, keeper = mopd_trainer(config, folder, sources)
        run_trainer(trainer, keeper, folder, trainer.processing_class, resume=resume)
    return folder


def mopd_trainer(
    config: MopdConfig, folder: RunFolder, sources: Sequence[Source]
) -> tuple[MopdTrainer, Keeper]:
    """The trainer of a run folder, and what keeps its metrics and cursors."""
    rank, world = process()
    model, processor = load_policy(config.model)
    teachers = Teachers.load(config, processor)
    form = ChatForm.of(processor)
    stop_at_turns(model, form)
    reader = Reader.of(rank, world)
    prompts = DomainPrompts(config.data, seed=config.optim.seed, reader=reader)
    rollouts = rollouts_of(config, prompts, form)
    keeper = Keeper(folder, rollouts, main=rank == 0)
    trainer = MopdTrainer(
        config,
        teachers,
        rollouts,
        model=model,
        reward_funcs=[Payment(form, options_of(config.reward.model_dump()), config.group)],
        args=grpo_args(config, folder, form, rollout_steps(config, sources, world), beta=0.0),
        train_dataset=no_rows(),
        processing_class=processor,
        callbacks=[keeper],
    )
    return trainer, keeper


class MopdTrainer(RolloutTrainer):
    """GRPO's sampling; the gradient comes from the teachers."""

    def __init__(
        self, config: MopdConfig, teachers: Teachers, rollouts: Any, **kwargs: Any
    ) -> None:
        self.config, self.teachers = config, teachers
        low, high = config.window
        self.lambdas = Lambdas(
            correct=config.lam_correct, span=config.lam_span,
            type=config.lam_type, think=config.lam_think,
        )  # fmt: skip
        self.loss_options = LossOptions(
            clip=config.advantage_clip, low=low, high=high, alpha=config.outcome_alpha,
            normaliser=config.normaliser,
        )  # fmt: skip
        super().__init__(rollouts, **kwargs)

    @property
    def form(self) -> ChatForm:
        """The chat form of the student, which is that of its teachers."""
        return self.rollouts.form

    def _generate_and_score_completions(self, inputs: list[Row]) -> dict[str, Any]:
        output = super()._generate_and_score_completions(inputs)
        examples = [row["example"] for row in inputs]
        lengths = output["completion_mask"].sum(dim=1).tolist()
        answers = [
            ids[:length] for ids, length in
            zip(output["completion_ids"].tolist(), lengths, strict=True)
        ]  # fmt: skip
        weights = [self._weights(e, a) for e, a in zip(examples, answers, strict=True)]
        like = output["completion_mask"]
        output["token_weights"] = padded(weights, like)
        scored = routed(
            [example.domain for example in examples],
            lambda domain, rows: self._scored(
                domain, [examples[k] for k in rows], [answers[k] for k in rows]
            ),
        )
        output["teacher_logps"] = padded(scored, like)
        return output

    def _weights(self, example: Example, answer: Sequence[int]) -> list[float]:
        """The lambdas of an answer's tokens, the end token included."""
        text, offsets = token_offsets(self.form.processor.tokenizer, answer)
        if self.form.opens_thinking:
            shift = len(THINK)
            offsets = [o and (o[0] + shift, o[1] + shift) for o in offsets]
            text = THINK + text
        slots = classify(example, text)
        self._count(worst(slots))
        return token_weights(tokens(offsets, slots), self.lambdas, structure=self.config.structure)

    def _count(self, status: Status) -> None:
        for one in Status:
            self._metrics["train"][f"status/{one.value}"].append(float(one is status))

    def _scored(
        self, domain: str, examples: Sequence[Example], answers: Sequence[Sequence[int]]
    ) -> list[Tensor]:
        """Log-probabilities of the answers' tokens by the teacher, behind its hinted prompts."""
        if self.config.hint:
            examples = [replace(one, prompt=hinted(one.prompt, one, one.lang)) for one in examples]
        size = self.args.per_device_train_batch_size
        found: list[Tensor] = []
        with self.teachers.resident(domain, self.accelerator.device) as teacher:
            for start in range(0, len(examples), size):
                chunk = slice(start, start + size)
                found += self._by(teacher, examples[chunk], answers[chunk])
        return found

    def _by(
        self, teacher: Any, examples: Sequence[Example], answers: Sequence[Sequence[int]]
    ) -> list[Tensor]:
        pad = self.form.processor.tokenizer.pad_token_id
        batch = with_answers(prompt_batch(self.form, examples), answers, pad)
        batch = {name: t.to(self.accelerator.device) for name, t in batch.items()}
        logps, _, _ = self._get_per_token_logps_and_entropies(
            teacher,
            batch["input_ids"],
            batch["attention_mask"],
            max(map(len, answers)),
            num_images=[len(one.images) for one in examples],
            **{name: batch[name] for name in PASSED_ON if name in batch},
        )
        return [row[: len(answer)] for row, answer in zip(logps, answers, strict=True)]

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Tensor:
        mask = inputs["completion_mask"]
        logps, entropies, _ = self._get_per_token_logps_and_entropies(
            model,
            torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1),
            torch.cat([inputs["prompt_mask"], mask], dim=1),
            mask.shape[1],
            compute_entropy=True,
            num_images=inputs.get("num_images"),
            num_tiles=inputs.get("num_tiles"),
            **{name: inputs[name] for name in PASSED_ON if name in inputs},
        )
        teacher = inputs["teacher_logps"].to(logps.dtype)
        loss = mopd_loss(
            logps,
            teacher,
            inputs["token_weights"].to(logps.dtype),
            mask,
            sampled=inputs.get("old_per_token_logps"),
            outcome=inputs["advantages"].to(logps.dtype),
            options=self.loss_options,
            whole=self._whole(inputs),
        )
        self._log_gaps(logps.detach(), teacher, entropies, mask)
        return loss

    def _whole(self, inputs: dict[str, Any]) -> Whole:
        """What one optimiser step covers in this process; gradients are means over processes."""
        optim = self.config.optim
        world = self.accelerator.num_processes
        return Whole(
            rows=float(optim.batch * optim.accumulation),
            tokens=float(inputs["num_items_in_batch"]) / world,
        )

    def _log_gaps(self, logps: Tensor, teacher: Tensor, entropies: Tensor, mask: Tensor) -> None:
        kept = mask.bool()
        clip = self.config.advantage_clip
        gains = advantages(teacher, logps, clip)[kept]
        found = {
            "teacher_gap": distances(logps, teacher, mask),
            "advantage/mean_size": gains.abs().mean(),
            "advantage/clipped": (gains.abs() >= clip).float().mean(),
            "entropy": entropies[kept].mean(),
        }
        for name, value in found.items():
            gathered: Any = self.accelerator.gather(value.float().reshape(1))
            self._metrics["train"][name].append(gathered.mean().item())


def padded(rows: Sequence[Any], like: Tensor) -> Tensor:
    """Rows of unlike length as float32, padded with 0 to the shape of ``like``."""
    whole = torch.zeros(like.shape, dtype=torch.float32, device=like.device)
    for row, values in zip(whole, rows, strict=True):
        row[: len(values)] = torch.as_tensor(values, dtype=torch.float32, device=like.device)
    return whole
