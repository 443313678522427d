"""Mid-training and supervised fine-tuning: TRL's trainer on streamed shards.

The trainer is TRL's ``SFTTrainer``; the data loader is ours, since the shards are split by rank
and worker already and the cursor must be exact.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import datasets
import torch
from torch.utils.data import DataLoader, IterableDataset
from transformers import PreTrainedModel, TrainerCallback
from trl.trainer.sft_config import SFTConfig as TrlConfig
from trl.trainer.sft_trainer import SFTTrainer

from training.collate import ChatForm, SftCollator, longest_of
from training.config import OptimConfig, SftConfig, StageConfig
from training.models import count_parameters, load_policy, save_policy
from training.packing import PackedBatches
from training.plots import write_plot
from training.run_folder import RunFolder
from training.sources import digests, open_sources, static_steps
from training.stream import Cursor, Reader, ShardStream


def train_sft(config: SftConfig, *, resume: bool = False) -> RunFolder:
    """Train and save; returns the run folder. Resumes exactly: same losses as without a stop."""
    sources = open_sources(config.data)
    rank, world = process()
    folder = RunFolder.open(config, config.out, digests(sources), resume=resume, main=rank == 0)
    if folder.done:
        return folder
    model, processor = load_policy(config.model)
    form = ChatForm.of(processor)
    stream = ShardStream(config.data, seed=config.optim.seed, reader=Reader.of(rank, world))
    collate = SftCollator(form, longest_of(model))
    batches = (
        PackedBatches(stream, collate, model, config.data.packing)
        if config.data.packing
        else BatchStream(stream, collate, config.optim.batch)
    )
    keeper = Keeper(folder, batches, main=rank == 0)
    each_step = config.optim.batch * config.optim.accumulation * world
    steps = steps_of(config.optim, static_steps(sources, config.optim.epochs or 1, each_step))
    trainer = StreamTrainer(
        batches,
        model=model,
        args=trainer_args(
            TrlConfig,
            config,
            folder,
            steps,
            max_length=None,
            dataset_kwargs={"skip_prepare_dataset": True},
        ),
        train_dataset=a_look_at(batches.stream),
        data_collator=batches.collate,
        processing_class=processor,
        callbacks=[keeper],
    )
    run_trainer(trainer, keeper, folder, processor, resume=resume)
    return folder


def steps_of(optim: OptimConfig, counted: int) -> int:
    """The number of steps, the same in every process: as given, or as the manifests have it."""
    return optim.steps if optim.epochs is None else counted


def process() -> tuple[int, int]:
    """Rank and number of processes, as torchrun and accelerate tell them."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


class BatchStream(IterableDataset[Any]):
    """Collated batches of a stream; ``cursor`` is where the stream stood after the last one."""

    def __init__(self, stream: ShardStream, collate: Any, batch: int) -> None:
        self.stream, self.collate, self.batch = stream, collate, batch

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield self.collate([next(self.stream) for _ in range(self.batch)])

    @property
    def cursor(self) -> Cursor:
        return self.stream.state()


class ExactResume:
    """Mixed into a trainer: weights of a checkpoint are read by the names they were saved under.

    transformers saves some families (LLaVA among them) under the names of older versions. Its
    trainer reads them back as they are, finds none of them, and goes on from the weights that the
    stage began with, with a warning only.
    """

    model: Any

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        own: Any = model or self.model
        if not isinstance(own, PreTrainedModel):  # adapters and sharded models have their own way
            super()._load_from_checkpoint(resume_from_checkpoint, model)  # pyright: ignore[reportAttributeAccessIssue]
            return
        saved = type(own).from_pretrained(resume_from_checkpoint, dtype=own.dtype)
        own.load_state_dict(saved.state_dict())


class StreamTrainer(ExactResume, SFTTrainer):
    """TRL's trainer with our batches: they are collated, and this process's own, already."""

    def __init__(self, batches: BatchStream | PackedBatches, **kwargs: Any) -> None:
        self.batches = batches
        super().__init__(**kwargs)

    def get_train_dataloader(self) -> DataLoader[Any]:
        return own_loader(self.batches)


def own_loader(batches: IterableDataset[Any]) -> DataLoader[Any]:
    """Batches as they come. The generator is the loader's own: it draws a seed when it begins,
    and from the common one that would shift every draw after a resume."""
    return DataLoader(batches, batch_size=None, generator=torch.Generator())


def a_look_at(stream: ShardStream) -> datasets.IterableDataset:
    """What TRL inspects to know that this is a vision data set; nothing is trained from it."""
    columns = {"prompt": [""], "completion": [""], "images": [[]]}
    return datasets.Dataset.from_dict(columns).to_iterable_dataset()


def trainer_args(kind: Any, config: StageConfig, folder: RunFolder, steps: int, **more: Any) -> Any:
    """The trainer's arguments that all stages share; nothing is left to its defaults that matters.

    The loss is in float32 on a CPU; with a GPU, ``model.dtype`` bfloat16 trains in bfloat16.
    """
    optim = config.optim
    schedules = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}
    return kind(
        output_dir=str(folder.checkpoints),
        max_steps=steps,
        learning_rate=optim.lr,
        warmup_steps=optim.warmup,
        lr_scheduler_type=schedules[optim.schedule],
        per_device_train_batch_size=optim.batch,
        gradient_accumulation_steps=optim.accumulation,
        max_grad_norm=optim.clip,
        weight_decay=optim.weight_decay,
        seed=optim.seed,
        data_seed=optim.seed,
        save_steps=optim.save_every,
        save_total_limit=optim.keep,
        logging_steps=optim.log_every,
        logging_first_step=True,
        bf16=config.model.dtype == "bfloat16" and torch.cuda.is_available(),
        use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=config.model.gradient_checkpointing,
        report_to=list(config.report_to) or "none",
        ignore_data_skip=True,  # the cursor restores the stream; nothing is read to be skipped
        remove_unused_columns=False,
        disable_tqdm=True,
        ddp_backend="gloo" if process()[1] > 1 and not torch.cuda.is_available() else None,
        **more,
    )


class Resumable(Protocol):
    """Batches that know where their stream stands, and can be taken back."""

    stream: Any

    @property
    def cursor(self) -> Cursor:
        """Where the stream stands behind the last batch."""
        ...


class Keeper(TrainerCallback):
    """Writes metrics and cursors while a trainer runs."""

    def __init__(self, folder: RunFolder, batches: Resumable, *, main: bool) -> None:
        self.folder, self.batches, self.main = folder, batches, main

    def restore(self, checkpoint: Path) -> None:
        """Take the stream and the metrics back to a checkpoint."""
        rank, _ = process()
        self.batches.stream.restore(self.folder.cursors(checkpoint)[rank])
        if self.main:
            self.folder.forget_after(int(checkpoint.name.rpartition("-")[2]))

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if self.main and logs:
            self.folder.log({"step": state.global_step, **logs})

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        cursors = gathered(self.batches.cursor)
        if self.main:
            checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            self.folder.complete(checkpoint, cursors)


def gathered(cursor: Cursor) -> list[Cursor]:
    """The cursors of all processes, in order of rank."""
    _, world = process()
    if world == 1:
        return [cursor]
    cursors: list[Any] = [None] * world
    torch.distributed.all_gather_object(cursors, cursor)
    return cursors


def run_trainer(
    trainer: Any, keeper: Keeper, folder: RunFolder, processor: Any, *, resume: bool
) -> None:
    """Run to the end, from the last whole checkpoint if asked to; save the result."""
    checkpoint = folder.last_checkpoint() if resume else None
    if checkpoint is not None:
        keeper.restore(checkpoint)
    result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    model = trainer.accelerator.unwrap_model(trainer.model)
    if keeper.main:
        save_policy(model, processor, folder.model)
        everything, trained = count_parameters(model)
        counts = {"parameters": everything, "trained": trained}
        write_plot(folder.metrics(), folder.path / "curves.svg", folder.path.name)
        folder.finish({"step": trainer.state.global_step, **counts, **result.metrics})
