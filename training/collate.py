"""Examples to tensors: chat messages, image tokens as the processor sets them, labels.

A row is ``padding | prompt | answer | padding``. The prompt comes from the processor, which
knows how many tokens a picture takes; the answer is tokenised by itself, as it will be when the
model writes it. Nothing is ever cut: what does not fit is an error. The loss is on the answer.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image

from factory.core.errors import InvalidOptions, ShardCorrupt
from training.samples import Example

IGNORED = -100
"""The label of a token that no loss is taken on."""

_SENTINEL = "\u2402answer\u2403"
"""Stands for the answer while a template is read for what ends a turn."""

THINK = "<think>"
_ZERO_WIDTH = "\u200b"

DONE = {"en": "Done so far: ", "zh": "已完成的操作："}
"""What introduces the steps of an episode that are older than its pictures."""


def messages(example: Example) -> list[dict[str, Any]]:
    """The conversation up to the answer, pictures as parts of type ``image``."""
    turns: list[dict[str, Any]] = []
    if example.system:
        turns.append({"role": "system", "content": [_text(example.system)]})
    pictured = len(example.images) - 1 if example.history else 0
    older = example.history[: len(example.history) - pictured]
    asked = example.prompt
    if older:
        asked += "\n" + DONE["zh" if example.lang == "zh" else "en"] + " ".join(older)
    first = 1 if example.history else len(example.images)
    turns.append({"role": "user", "content": [{"type": "image"}] * first + [_text(asked)]})
    for said in example.history[len(older) :]:
        turns.append({"role": "assistant", "content": [_text(said)]})
        turns.append({"role": "user", "content": [{"type": "image"}]})
    return turns


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


@dataclass(frozen=True)
class ChatForm:
    """What a model's template does with a conversation.

    ``ending`` are the tokens after an answer, up to the one that ends the turn. Where the
    template opens the thinking itself (``opens_thinking``), answers go on from there.
    """

    processor: Any
    ending: tuple[int, ...]
    opens_thinking: bool
    image_tokens: frozenset[int]
    special: tuple[str, ...]

    @classmethod
    def of(cls, processor: Any) -> ChatForm:
        """Read off the processor's template; ``InvalidOptions`` when it has none."""
        if not getattr(processor, "chat_template", None):
            raise InvalidOptions("the processor has no chat template; an instruct model has one")
        user = [{"role": "user", "content": [_text("?")]}]
        answered = [*user, {"role": "assistant", "content": [_text(_SENTINEL)]}]
        prompt = processor.apply_chat_template(user, tokenize=False, add_generation_prompt=True)
        whole = processor.apply_chat_template(answered, tokenize=False)
        tokenizer = processor.tokenizer
        return cls(
            processor,
            ending=_ending(tokenizer, whole.rpartition(_SENTINEL)[2]),
            opens_thinking=prompt.rstrip().endswith(THINK),
            image_tokens=_image_tokens(processor),
            special=tuple(sorted(set(tokenizer.all_special_tokens), key=len, reverse=True)),
        )

    def turns(self, example: Example) -> list[dict[str, Any]]:
        """``messages`` without special tokens in their words.

        They are taken apart: written out they would be read as a picture or as the end of a turn.
        """
        turns = messages(example)
        for turn in turns:
            turn["content"] = [self._harmless(part) for part in turn["content"]]
        return turns

    def prompt(self, example: Example) -> str:
        """The conversation as text, up to where the model goes on."""
        return self.processor.apply_chat_template(
            self.turns(example), tokenize=False, add_generation_prompt=True
        )

    def _harmless(self, part: dict[str, Any]) -> dict[str, Any]:
        text = part.get("text", "")
        for token in self.special:
            if token in text:
                text = text.replace(token, token[0] + _ZERO_WIDTH + token[1:])
        return part if part["type"] != "text" else _text(text)

    def answer_ids(self, text: str) -> list[int]:
        """The tokens of an answer and of the end of its turn; special tokens in it are words."""
        if self.opens_thinking:
            text = text.removeprefix(THINK)
        tokenizer = self.processor.tokenizer
        ids = tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        return [*ids, *self.ending]

    def said(self, ids: Sequence[int]) -> str:
        """What sampled tokens say, with the thinking opened where the prompt opened it."""
        text = self.processor.tokenizer.decode(list(ids), skip_special_tokens=True)
        return THINK + text if self.opens_thinking else text


def _ending(tokenizer: Any, tail: str) -> tuple[int, ...]:
    """The tokens that follow an answer, up to the first special one: what stops generation."""
    ids = tokenizer(tail, add_special_tokens=False)["input_ids"]
    special = set(tokenizer.all_special_ids)
    for number, token in enumerate(ids):
        if token in special:
            return tuple(ids[: number + 1])
    return (tokenizer.eos_token_id,)


def _image_tokens(processor: Any) -> frozenset[int]:
    """The tokens that stand for pixels, which no answer may hold."""
    named = [getattr(processor, f"{kind}_token_id", None) for kind in ("image", "video")]
    named += [getattr(processor, f"vision_{end}_token_id", None) for end in ("start", "end")]
    named.append(getattr(processor, "fake_image_token_id", None))
    return frozenset(token for token in named if token is not None)


def pictures(example: Example) -> list[Image.Image]:
    """The decoded pictures; ``ShardCorrupt`` when one cannot be read."""
    decoded: list[Image.Image] = []
    for number, data in enumerate(example.images):
        try:
            with Image.open(io.BytesIO(data)) as picture:
                decoded.append(picture.convert("RGB"))
        except (OSError, SyntaxError, ValueError) as error:
            raise ShardCorrupt(
                f"picture {number} of {example.key} cannot be read: {error}; run `factory verify`"
            ) from error
    return decoded


def prompt_batch(form: ChatForm, examples: Sequence[Example]) -> dict[str, torch.Tensor]:
    """The prompts of a batch as the model's inputs, padded on the left."""
    return dict(
        form.processor(
            text=[form.prompt(example) for example in examples],
            images=[pictures(example) for example in examples],
            padding=True,
            padding_side="left",
            return_tensors="pt",
        )
    )


def with_answers(
    prompts: dict[str, torch.Tensor], answers: Sequence[Sequence[int]], pad: int
) -> dict[str, torch.Tensor]:
    """The batch with the answers appended and padded on the right, and ``labels``.

    Every input that has a column for each token grows along; what belongs to pixels stays.
    """
    width = prompts["input_ids"].shape[1]
    longest = max(map(len, answers))
    ids = torch.tensor([[*one, *[pad] * (longest - len(one))] for one in answers])
    lengths = torch.tensor([len(one) for one in answers])
    mask = (torch.arange(longest)[None] < lengths[:, None]).to(prompts["attention_mask"].dtype)
    added = {"input_ids": ids, "attention_mask": mask}
    grown = {
        name: torch.cat([tensor, added.get(name, torch.zeros_like(ids, dtype=tensor.dtype))], 1)
        if tensor.shape == prompts["input_ids"].shape and name != "pixel_values"
        else tensor
        for name, tensor in prompts.items()
    }
    labels = grown["input_ids"].clone()
    labels[:, :width] = IGNORED
    labels[:, width:][mask == 0] = IGNORED
    return {**grown, "labels": labels}


class SftCollator:
    """Batches of examples for supervised training."""

    def __init__(self, form: ChatForm, longest: int | None = None) -> None:
        self.form, self.longest = form, longest

    def __call__(self, examples: Sequence[Example]) -> dict[str, torch.Tensor]:
        answers = [self._answer(example) for example in examples]
        prompts = prompt_batch(self.form, examples)
        batch = with_answers(prompts, answers, self.form.processor.tokenizer.pad_token_id)
        self._check(batch, examples)
        return batch

    def _answer(self, example: Example) -> list[int]:
        ids = self.form.answer_ids(example.response)
        if len(ids) <= len(self.form.ending):
            raise InvalidOptions(f"{example.key} has an empty answer: no token to learn")
        return ids

    def _check(self, batch: dict[str, torch.Tensor], examples: Sequence[Example]) -> None:
        """Nothing masked whole, nothing too long; pictures in an answer cannot happen."""
        if not (batch["labels"] != IGNORED).any(dim=1).all():
            raise InvalidOptions("a row of the batch has no label: nothing would be learned")
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        for example, length in zip(examples, lengths, strict=True):
            if self.longest is not None and length > self.longest:
                raise InvalidOptions(
                    f"{example.key} takes {length} tokens and the model holds {self.longest}; "
                    "lower model.max_pixels, or take prompt = 'short'"
                )


def longest_of(model: Any) -> int | None:
    """How many positions a model has, where it says so."""
    return getattr(model.config.get_text_config(), "max_position_embeddings", None)
