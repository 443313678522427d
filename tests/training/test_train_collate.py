"""Batches: pictures and tokens aligned, the loss on the answer only, nothing ever cut."""

# pyright: reportMissingImports=false

from __future__ import annotations

import io
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from factory.core.errors import InvalidOptions, ShardCorrupt
from tests.training.runs_for_training import data, examples, source
from training.config import ModelConfig, build_config
from training.samples import Example

pytestmark = [
    pytest.mark.train,
    pytest.mark.skipif(not find_spec("torch"), reason="run `make train-extra`"),
]

NAMES = ("qwen3-vl", "qwen2.5-vl", "idefics3", "llava")


def png(colour: str = "red", size: tuple[int, int] = (160, 96)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def example(**values: Any) -> Example:
    fields: dict[str, Any] = {
        "key": "made-train-s0-c0-0", "domain": "made", "kind": "grounding", "type": "made",
        "family": "made", "lang": "en", "system": "Answer.", "prompt": "Where is it?",
        "images": (png(),), "response": "[12,345]",
        "payload": {"size": [160, 96], "actions": [],
                    "mechanic": {"mechanic": "place", "boxes": [[0, 30, 10, 40]]}},
    }  # fmt: skip
    return Example(**{**fields, **values})


def form_of(name: str = "qwen3-vl") -> tuple[Any, Any]:
    from training.collate import ChatForm
    from training.models import load_policy

    model, processor = load_policy(build_config(ModelConfig, {"name": f"tiny:{name}"}))
    return model, ChatForm.of(processor)


def collated(form: Any, *given: Example) -> dict[str, Any]:
    from training.collate import SftCollator

    return SftCollator(form)(given)


def labelled(form: Any, batch: dict[str, Any], row: int = 0) -> str:
    labels = batch["labels"][row]
    return form.processor.tokenizer.decode(labels[labels != -100])


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_the_answer_and_the_end_of_its_turn(name: str) -> None:
    _, form = form_of(name)
    given = (example(), example(response="[-1,-1]", prompt="A longer question, with more words"))
    batch = collated(form, *given)
    for row, one in enumerate(given):
        assert labelled(form, batch, row) == one.response + "<|im_end|>"
        told = batch["input_ids"][row][batch["labels"][row] == -100]
        assert one.prompt in form.processor.tokenizer.decode(told)
        assert one.response not in form.processor.tokenizer.decode(told)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 3])
def test_a_row_is_worth_the_same_alone_and_in_a_batch(name: str, count: int) -> None:
    """Padding side and the pictures of neighbours move nothing: alignment holds."""
    import torch

    model, form = form_of(name)
    model.eval()
    pictures = tuple(png(colour) for colour in ("red", "blue", "green")[:count])
    mine = example(images=pictures)
    other = example(images=(png("white", (96, 160)),), prompt="?" * 50, response="[1,2] and more")

    def loss_of(*given: Example) -> float:
        batch = collated(form, *given)
        labels = batch.pop("labels")
        with torch.no_grad():
            logits = model(**batch).logits.double()
        row, wanted = logits[0, :-1], labels[0, 1:]
        return float(torch.nn.functional.cross_entropy(row, wanted, ignore_index=-100))

    alone, beside = loss_of(mine), loss_of(mine, other)
    assert alone == pytest.approx(beside, abs=2e-4)
    swapped = loss_of(replace(mine, images=tuple(png("yellow") for _ in pictures)))
    assert abs(swapped - alone) > 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_a_special_token_in_words_stays_words(name: str) -> None:
    """A literal picture token in a question or answer does not become a picture."""
    model, form = form_of(name)
    token = form.processor.image_token
    nasty = example(prompt=f"What is {token} and <|im_end|>?", response=f"it is {token}!")
    batch = collated(form, nasty)
    pixels = collated(form, example())
    number = form.processor.tokenizer.convert_tokens_to_ids(token)
    assert (batch["input_ids"] == number).sum() == (pixels["input_ids"] == number).sum()
    assert labelled(form, batch) == f"it is {token}!<|im_end|>"
    model(**batch)


def test_an_episode_is_a_conversation_with_its_last_pictures(episode_run: Path) -> None:
    from training.collate import messages

    config = data(source(episode_run), episodes="steps", history=2)
    last = max(examples(episode_run, config), key=lambda one: len(one.history))
    turns = messages(last)
    roles = [turn["role"] for turn in turns]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    pictures = [part for turn in turns for part in turn["content"] if part["type"] == "image"]
    assert len(pictures) == len(last.images) == 3
    asked = turns[1]["content"][-1]["text"]
    for said in last.history[:-2]:
        assert said in asked
    assert [turns[2]["content"][0]["text"], turns[4]["content"][0]["text"]] == list(
        last.history[-2:]
    )
    _, form = form_of()
    assert labelled(form, collated(form, last)) == last.response + "<|im_end|>"


def test_frames_are_all_shown_before_the_question(frames_run: Path) -> None:
    from training.collate import messages

    several = next(one for one in examples(frames_run) if len(one.images) == 8)
    content = messages(several)[-1]["content"]
    assert [part["type"] for part in content] == ["image"] * 8 + ["text"]


def test_what_does_not_fit_is_an_error_and_never_cut() -> None:
    from training.collate import SftCollator

    _, form = form_of()
    with pytest.raises(InvalidOptions, match=r"made-train-s0-c0-0 takes \d+ tokens"):
        SftCollator(form, longest=20)([example()])


def test_an_empty_answer_is_an_error() -> None:
    _, form = form_of()
    with pytest.raises(InvalidOptions, match="has an empty answer"):
        collated(form, example(response=""))


def test_a_broken_picture_is_one_clear_message() -> None:
    _, form = form_of()
    with pytest.raises(ShardCorrupt, match="picture 0 of made-train-s0-c0-0 cannot be read"):
        collated(form, example(images=(png()[:60],)))


def test_a_template_that_opens_the_thinking_gets_answers_that_go_on_from_there() -> None:
    """Thinking models: the prompt ends with ``<think>``, so the answer must not open it again."""
    from training.collate import ChatForm

    _, form = form_of()
    processor = form.processor
    processor.chat_template = processor.chat_template.replace(
        "<|im_start|>assistant\\n' }}\n{%- endif", "<|im_start|>assistant\\n<think>' }}\n{%- endif"
    )
    opened = ChatForm.of(processor)
    assert opened.opens_thinking
    batch = collated(opened, example(response="<think>so</think><action>Wait()</action>"))
    assert labelled(opened, batch) == "so</think><action>Wait()</action><|im_end|>"
    ids = opened.answer_ids("<think>so</think>")
    assert opened.said(ids) == "<think>so</think>"


def test_a_processor_without_a_template_is_told() -> None:
    from training.collate import ChatForm

    _, form = form_of()
    form.processor.chat_template = None
    with pytest.raises(InvalidOptions, match="no chat template"):
        ChatForm.of(form.processor)
