"""Fit a small model to examples within a budget of processor time, the same way each time.

The learning rate rises and falls once over the planned steps. The plan is a number of
rounds over the data; after the first one it is cut to what the budget allows. A tenth of the
examples, at most, is kept aside to tell when nothing more is gained.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from factory.core.actions import ActionBase
from training.lib.answers import Answer, Picks, Spots, Text
from training.lib.examples import SIDE_PX, Example
from training.lib.heads import AmountHead, Head, TextHead, coarse_places
from training.lib.net import Eyes, Maps, words_of
from training.lib.place_heads import PATCH_PX, PicksHead, SpotsHead
from training.lib.readers import Reader, reader_of

BATCH = 32
ROUNDS = 16
"""Rounds over the train examples: with 6,000 of them the loss has levelled out on `rotate`."""
PEAK_RATE = 3e-3
WARM_SHARE = 0.2
"""Share of the steps in which the learning rate rises."""
DECAY = 0.02
ASIDE = 400
"""Examples kept aside, at most a tenth of them."""
PATIENCE = 5
"""Rounds without a better loss aside after which nothing more is expected."""
STRIDE = 32
"""Sides of inputs are multiples of this, the coarsest map's stride."""
HALF = any(torch.cpu.get_capabilities().get(name, False) for name in ("avx512_bf16", "amx_bf16"))
"""Whether the processor multiplies numbers of half the size: the eyes then take 0.6 of the time."""
THREADS = 1
"""Two take half as much processor time again on nets as small as these."""


@dataclass(frozen=True)
class Fitted:
    """A trained model, and how it was trained."""

    net: nn.Module
    rounds: int
    parameters: int
    cpu_s: float
    answers: Callable[[Sequence[Example]], list[Answer]]

    def actions(self, examples: Sequence[Example]) -> list[list[ActionBase]]:
        """What the model does in each example."""
        found = zip(examples, self.answers(examples), strict=True)
        return [reader_of(example).actions(example, answer) for example, answer in found]


class Model(nn.Module):
    """Eyes and a head."""

    def __init__(self, eyes: Eyes, head: Head) -> None:
        super().__init__()
        self.eyes, self.head = eyes, head

    def forward(self, batch: Batch) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            seen = self.eyes(batch.pictures, batch.words, batch.begins)
        return self.head(Maps(*(one.float() for one in seen)), batch.boxes)


@dataclass(frozen=True)
class Batch:
    """What the model reads of some examples."""

    pictures: Tensor
    words: Tensor
    begins: Tensor
    boxes: Tensor


class Intake:
    """Turns examples into batches of one shape, fixed by the train split."""

    def __init__(self, train: Sequence[Example], reader: Reader) -> None:
        self.reader = reader
        seen = np.maximum.reduce([example.picture for example in train]).max(axis=2)
        self.height, self.width = (_padded(seen.any(axis=1 - axis)) for axis in (0, 1))
        self.channels = train[0].picture.shape[2]
        self.most_boxes = max(len(reader.boxes(example.mechanic)) for example in train)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as tensors."""
        pixels = np.stack([example.picture[: self.height, : self.width] for example in examples])
        words, begins = words_of([example.goal for example in examples])
        boxes = torch.zeros(len(examples), self.most_boxes, 4)
        for row, example in zip(boxes, examples, strict=True):
            found = [self._shares(example, box) for box in self.reader.boxes(example.mechanic)]
            for place, box in enumerate(found[: self.most_boxes]):
                row[place] = torch.tensor(box)
        return Batch(torch.from_numpy(pixels).permute(0, 3, 1, 2), words, begins, boxes)

    def _shares(self, example: Example, box: Any) -> tuple[float, ...]:
        """A canvas box as shares of the input's width and height."""
        x0, y0, x1, y1 = example.input_from_canvas.box(box).as_list()
        return x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height


def _padded(used: Any) -> int:
    """The used length of a side, rounded up to the stride."""
    longest = int(np.flatnonzero(used).max(initial=0)) + 1
    return min(SIDE_PX, -(-longest // STRIDE) * STRIDE)


def head_for(reader: Reader, targets: Sequence[Answer], intake: Intake) -> Head:
    """The head of a reader's kind, large enough for the targets."""
    height, width = intake.height, intake.width
    if reader.kind in ("turn", "share"):
        return AmountHead(coarse_places(height, width), wraps=reader.kind == "turn")
    if reader.kind == "spots":
        most = max(len(t.points) for t in targets if isinstance(t, Spots))
        shape = (height // PATCH_PX, width // PATCH_PX)
        return SpotsHead(most, shape, SIDE_PX, ordered=reader.ordered)
    if reader.kind == "picks":
        single = all(len(t.chosen) == 1 for t in targets if isinstance(t, Picks))
        return PicksHead(intake.most_boxes, exclusive=single)
    texts = [t.text for t in targets if isinstance(t, Text)]
    return TextHead("".join(sorted(set("".join(texts)))), max(map(len, texts)))


def fit(
    train: Sequence[Example],
    *,
    seed: int = 0,
    cpu_s: float = 180.0,
    rounds: int = ROUNDS,
    threads: int = THREADS,
) -> Fitted:
    """Fit a model to the examples; two calls with the same rounds give the same weights."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return _fit(train, cpu_s, rounds)
    finally:
        torch.set_num_threads(before)


def _fit(train: Sequence[Example], cpu_s: float, rounds: int) -> Fitted:
    begun = time.process_time()
    reader = reader_of(train[0])
    intake = Intake(train, reader)
    targets = [reader.target(example) for example in train]
    fine = reader.kind not in ("turn", "share")
    model = Model(Eyes(intake.channels, fine=fine), head_for(reader, targets, intake))
    wanted = model.head.encode(targets)
    aside = min(ASIDE, len(train) // 10)
    done = _Rounds(model, intake, train, wanted, aside).run(rounds, begun + cpu_s)

    def answers(examples: Sequence[Example]) -> list[Answer]:
        return model.head.answers(_predicted(model, intake, examples))

    return Fitted(
        net=model,
        rounds=done,
        parameters=sum(p.numel() for p in model.parameters()),
        cpu_s=time.process_time() - begun,
        answers=answers,
    )


class _Rounds:
    """Rounds over the train examples behind the first ``aside``, which only measure."""

    def __init__(
        self, model: Model, intake: Intake, train: Sequence[Example], wanted: Tensor, aside: int
    ) -> None:
        self.model, self.intake, self.train, self.wanted = model, intake, train, wanted
        self.aside = aside
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=DECAY)
        self.step = 0

    def run(self, rounds: int, until_cpu_s: float) -> int:
        """Up to ``rounds`` rounds, until the process has used so much time; keeps the best."""
        per_round = max(1, (len(self.train) - self.aside) // BATCH)
        best, kept, since = float("inf"), copy.deepcopy(self.model.state_dict()), 0
        begun, number, planned = time.process_time(), 0, rounds
        while number < planned and since < PATIENCE:
            self._round(planned * per_round)
            number += 1
            now = time.process_time()
            planned = min(rounds, number + int((until_cpu_s - now) * number / (now - begun)))
            loss = self._loss_aside()
            since = 0 if loss < best else since + 1
            if loss < best:
                best, kept = loss, copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(kept)
        return number

    def _round(self, steps: int) -> None:
        self.model.train()
        order = self.aside + torch.randperm(len(self.train) - self.aside)
        for places in order.split(BATCH):
            if len(places) == BATCH or self.step == 0:
                for group in self.optimizer.param_groups:
                    group["lr"] = PEAK_RATE * one_cycle(self.step / steps)
                self._learn(places)
                self.step += 1

    def _learn(self, places: Tensor) -> None:
        batch = self.intake.batch([self.train[place] for place in places.tolist()])
        self.optimizer.zero_grad(set_to_none=True)
        self.model.head.loss(self.model(batch), self.wanted[places]).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()

    def _loss_aside(self) -> float:
        predicted = _predicted(self.model, self.intake, self.train[: self.aside])
        return float(self.model.head.loss(predicted, self.wanted[: self.aside]))


def one_cycle(done: float) -> float:
    """The learning rate at a share of the steps, against its peak: up by a cosine, then down."""
    if done < WARM_SHARE:
        return 0.04 + 0.96 * (0.5 - 0.5 * float(np.cos(np.pi * done / WARM_SHARE)))
    rest = min(1.0, (done - WARM_SHARE) / (1 - WARM_SHARE))
    return 1e-4 + 0.5 + 0.5 * float(np.cos(np.pi * rest))


@torch.no_grad()
def _predicted(model: Model, intake: Intake, examples: Sequence[Example]) -> Tensor:
    """Predictions of the model at rest."""
    model.eval()
    parts = [examples[at : at + 8 * BATCH] for at in range(0, len(examples), 8 * BATCH)]
    return torch.cat([model(intake.batch(part)) for part in parts])
