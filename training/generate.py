"""Responses sampled from a model, in batches; greedy or at a temperature, never an image token."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from training.collate import ChatForm, prompt_batch
from training.config import SampleConfig
from training.samples import Example


@dataclass(frozen=True)
class Sampled:
    """One response: its text as judges read it, its tokens, and whether it ended by itself.

    ``ids`` hold the token that ended the turn, and no padding.
    """

    text: str
    ids: tuple[int, ...]
    finished: bool


def generate(
    model: Any,
    form: ChatForm,
    examples: Sequence[Example],
    sample: SampleConfig,
    *,
    times: int = 1,
    seed: int | None = None,
) -> list[list[Sampled]]:
    """``times`` responses for each example, in one batch; the model's mode is as it was after.

    With a ``seed`` the draws are that seed's and the caller's generator stays where it was.
    """
    prompts = {k: v.to(model.device) for k, v in prompt_batch(form, examples).items()}
    with answering(model), seeded(seed):
        out = model.generate(**prompts, num_return_sequences=times, **_options(form, sample))
    width = prompts["input_ids"].shape[1]
    rows = [_sampled(form, row) for row in out[:, width:].tolist()]
    return [rows[k * times : (k + 1) * times] for k in range(len(examples))]


def _options(form: ChatForm, sample: SampleConfig) -> dict[str, Any]:
    tokenizer = form.processor.tokenizer
    drawn = sample.temperature > 0
    sampling = {"temperature": sample.temperature, "top_p": sample.top_p, "top_k": 0}
    return {
        "max_new_tokens": sample.max_new_tokens,
        "do_sample": drawn,
        "suppress_tokens": sorted(form.image_tokens),
        "eos_token_id": form.ending[-1],
        "pad_token_id": tokenizer.pad_token_id,
        **(sampling if drawn else {"temperature": None, "top_p": None, "top_k": None}),
    }


def _sampled(form: ChatForm, row: list[int]) -> Sampled:
    end = form.ending[-1]
    finished = end in row
    ids = row[: row.index(end) + 1] if finished else row
    return Sampled(form.said(ids), tuple(ids), finished)


@contextmanager
def answering(model: Any) -> Iterator[None]:
    """Evaluation mode without gradients, and the mode of before afterwards."""
    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)


@contextmanager
def seeded(seed: int | None) -> Iterator[None]:
    """Draws from ``seed`` inside; the generator outside does not notice."""
    if seed is None:
        yield
        return
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
