"""Evaluation: golds score all, junk nothing, constants are beside it, failures have names."""

# pyright: reportMissingImports=false

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import orjson
import pytest
from PIL import Image

from factory.core.errors import DependencyMissing, InvalidOptions
from tests.training.runs_for_training import SAMPLES, data, examples, source
from tests.training.test_train_collate import example
from training.config import BenchmarkConfig, EndpointConfig, EvalConfig, SampleConfig, build_config

pytestmark = [
    pytest.mark.train,
    pytest.mark.skipif(not find_spec("torch"), reason="run `make train-extra`"),
]


def scores(given: Any, text: Callable[[Any], str]) -> dict[str, Any]:
    from training.evaluate import scored, summarise

    return summarise([scored(one, text(one)) for one in given])


def test_golds_are_right_and_junk_is_not(rotate_run: Path, frames_run: Path) -> None:
    given = [*examples(rotate_run), *examples(frames_run)]
    gold = scores(given, lambda one: one.response)
    assert gold["micro"]["rate"] == gold["macro"]["rate"] == gold["format"] == 1.0
    assert set(gold["domains"]) == {"rotate", "temporal_frames"}
    for junk in ("", "no idea", "<think></think><action></action>"):
        found = scores(given, lambda one, junk=junk: junk)
        assert found["micro"]["passed"] == 0


def test_micro_counts_items_and_macro_classes() -> None:
    from training.evaluate import scored, summarise

    many = [example(type="a") for _ in range(9)]
    few = [example(type="b")]
    right = [scored(one, "[12,345]") for one in many] + [scored(one, "[900,900]") for one in few]
    found = summarise(right)
    assert found["micro"]["rate"] == 0.9
    assert found["macro"]["rate"] == 0.5
    assert found["micro"]["low"] < 0.9 < found["micro"]["high"]
    assert found["classes"]["b"]["passed"] == 0


def test_refusals_are_counted_where_they_are_right_and_where_not() -> None:
    absent = example(payload={**example().payload,
                              "mechanic": {"mechanic": "place", "boxes": []}})  # fmt: skip
    given = [example(), example(), example(), absent, absent]
    always = scores(given, lambda one: "[-1,-1]")
    assert always["refused"]["rate"] == always["over_refused"]["rate"] == 1.0
    assert always["micro"]["rate"] == 0.4
    never = scores(given, lambda one: "[12,345]")
    assert never["refused"]["rate"] == never["over_refused"]["rate"] == 0.0
    assert never["present"]["rate"] == 1.0


def test_the_constant_is_the_gold_that_fits_most() -> None:
    from training.evaluate import Held, constant_answers, summarise

    boxes = [[0, 30, 10, 40]] * 6 + [[100, 30, 110, 40]] * 4
    given = [
        example(
            payload={"size": [160, 96], "actions": [],
                     "mechanic": {"mechanic": "place", "boxes": [box]}},
            response="[12,345]" if box[0] == 0 else "[650,345]",
        )
        for box in boxes
    ]  # fmt: skip
    constant = summarise(constant_answers([Held.of(one) for one in given]))
    assert constant["micro"]["passed"] == 6


def config(out: Path, **values: Any) -> EvalConfig:
    values = {"out": out, "sample": {"max_new_tokens": 8, "temperature": 0.0}, **values}
    return build_config(EvalConfig, values)


def test_a_whole_evaluation_leaves_scores_answers_and_failures(
    rotate_run: Path, tmp_path: Path
) -> None:
    from training.evaluate import evaluate, read_failures, table

    settings = config(
        tmp_path / "out",
        model={"name": "tiny:qwen3-vl", "max_pixels": 4096},
        data=data(source(rotate_run), prompt="short"),
        batch=5,
    )
    summary = evaluate(settings)
    assert summary["items"] == SAMPLES
    answers = (tmp_path / "out" / "answers.jsonl").read_bytes().splitlines()
    assert len(answers) == SAMPLES
    failed = read_failures(tmp_path / "out")
    assert len(failed) == SAMPLES - summary["micro"]["passed"]
    assert all(key.startswith("rotate-train-") and "#" not in key for key in failed)
    assert "rotate" in table(summary)
    assert summary["constant"]["rotate"]["items"] == SAMPLES


def test_greedy_answers_are_the_same_every_time_and_drawn_ones_by_seed(rotate_run: Path) -> None:
    from training.collate import ChatForm
    from training.config import ModelConfig
    from training.generate import generate
    from training.models import load_policy

    model, processor = load_policy(
        build_config(ModelConfig, {"name": "tiny:qwen3-vl", "max_pixels": 4096})
    )
    form, given = ChatForm.of(processor), list(examples(rotate_run))[:3]
    drawn = SampleConfig(max_new_tokens=6)
    first = generate(model, form, given, drawn, times=4, seed=1)
    assert first == generate(model, form, given, drawn, times=4, seed=1)
    assert first != generate(model, form, given, drawn, times=4, seed=2)
    assert [len(one) for one in first] == [4, 4, 4]
    greedy = SampleConfig(max_new_tokens=6, temperature=0.0)
    alone = [generate(model, form, [one], greedy)[0][0].text for one in given]
    assert alone == [one.text for (one,) in generate(model, form, given, greedy)]


def test_no_image_token_is_ever_sampled(rotate_run: Path) -> None:
    """A model that wants nothing else is made to say something else."""
    import torch

    from training.collate import ChatForm
    from training.config import ModelConfig
    from training.generate import generate
    from training.models import load_policy

    model, processor = load_policy(
        build_config(ModelConfig, {"name": "tiny:qwen3-vl", "max_pixels": 4096})
    )
    form = ChatForm.of(processor)
    weights = model.get_output_embeddings().weight
    with torch.no_grad():
        for token in form.image_tokens:
            weights[token] *= 50.0
    drawn = generate(model, form, list(examples(rotate_run))[:2], SampleConfig(max_new_tokens=20))
    for (one,) in drawn:
        assert not set(one.ids) & form.image_tokens


class _Endpoint(BaseHTTPRequestHandler):
    """Answers with what it is told to, after failing so often."""

    failures: ClassVar = 0
    seen: ClassVar[list[dict[str, Any]]] = []
    reply: ClassVar[Any] = {"choices": [{"message": {"content": "[12,345]"}}]}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).seen.append(orjson.loads(body))
        failing = type(self).failures > 0
        type(self).failures -= failing
        self.send_response(503 if failing else 200)
        self.end_headers()
        self.wfile.write(orjson.dumps(type(self).reply))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[EndpointConfig]:
    _Endpoint.failures, _Endpoint.seen = 0, []
    _Endpoint.reply = {"choices": [{"message": {"content": "[12,345]"}}]}
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    yield build_config(EndpointConfig, {"url": url, "model": "some", "retries": 1})
    server.shutdown()
    server.server_close()


def test_an_endpoint_is_asked_with_the_pictures_and_asked_again(endpoint: EndpointConfig) -> None:
    from training.respond import endpoint_responder

    _Endpoint.failures = 1
    assert endpoint_responder(endpoint, SampleConfig())([example()]) == ["[12,345]"]
    assert len(_Endpoint.seen) == 2
    content = _Endpoint.seen[0]["messages"][-1]["content"]
    assert content[0]["image_url"]["url"].startswith("data:image/png;base64,")
    assert content[1] == {"type": "text", "text": "Where is it?"}


@pytest.mark.parametrize("reply", [{"choices": []}, [], {"choices": [{"message": None}]}])
def test_an_endpoint_that_says_nothing_sensible_is_one_message(
    endpoint: EndpointConfig, reply: Any
) -> None:
    from training.respond import endpoint_responder

    _Endpoint.reply = reply
    respond = endpoint_responder(endpoint, SampleConfig())
    with pytest.raises(DependencyMissing, match="that is no chat completion"):
        respond([example()])


def test_an_endpoint_that_is_not_there_is_one_message() -> None:
    from training.respond import endpoint_responder

    gone = build_config(EndpointConfig, {"url": "http://127.0.0.1:9", "model": "m", "retries": 0})
    with pytest.raises(DependencyMissing, match="cannot be reached"):
        endpoint_responder(gone, SampleConfig())([example()])


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    Image.new("RGB", (450, 850)).save(tmp_path / "a.png")
    return tmp_path


def benchmark(pictures: Path, format: str, rows: Any) -> list[Any]:
    from training.benchmarks import read_benchmark

    (pictures / "rows.json").write_bytes(orjson.dumps(rows))
    values = {"format": format, "file": pictures / "rows.json", "images": pictures}
    return list(read_benchmark(build_config(BenchmarkConfig, values)))


def test_screenspot_rows_are_places_and_refusals(pictures: Path) -> None:
    rows = [
        {"img_filename": "a.png", "bbox": [10, 20, 30, 40], "instruction": "the bell",
         "ui_type": "icon", "platform": "web"},
        {"img_filename": "a.png", "bbox": None, "instruction": "a whale"},
    ]  # fmt: skip
    first, second = benchmark(pictures, "screenspot", rows)
    assert (first.domain, first.type) == ("web", "icon")
    assert "the bell" in first.prompt
    assert scores([first, second], lambda one: one.response)["micro"]["rate"] == 1.0
    assert second.response == "[-1,-1]"


def captcha(**changes: Any) -> dict[str, Any]:
    row = {
        "images": ["a.png"], "image_size": [450, 850], "captcha_type": "slider", "inorder": False,
        "messages": [
            {"role": "system", "content": "Solve."}, {"role": "user", "content": "<image>"},
        ],
        "action_raw": "Drag(start=(86, 351), end=(245, 351))",
        "action_raw_rect": [[65.4, 331.1, 107.4, 372.5]],
    }  # fmt: skip
    return {**row, **changes}


CLICKS = captcha(
    action_raw="Click(box=(100, 100)),Click(box=(300, 800))",
    action_raw_rect=[[90, 90, 110, 110], [290, 790, 310, 810]],
)
TEXT = captcha(
    action_raw="Click(box=(100, 100)),Type(content='aB3')", action_raw_rect=[[90, 90, 110, 110]]
)
EITHER = captcha(
    action_raw="Click(box=(100, 100)),Click(box=(300, 800))",
    action_raw_rect=[
        [[90, 90, 110, 110], [290, 790, 310, 810]],
        [[0, 0, 20, 20], [30, 30, 40, 40]],
    ],
)


@pytest.mark.parametrize(
    ("row", "text", "right"),
    [
        (captcha(), "Drag(start=(191, 413), end=(544, 413))", True),
        (captcha(), "Drag(start=(191, 413), end=(560, 413))", True),
        (captcha(), "Drag(start=(191, 413), end=(570, 413))", False),
        (captcha(), "Drag(start=(191, 413), end=(544, 420))", False),
        (captcha(), "Drag(start=(291, 413), end=(644, 413))", False),
        (captcha(), "Drag(start=(191, 413), end=(10, 413))", False),
        (captcha(), "Click(box=(191, 413))", False),
        (CLICKS, "Click(box=(222, 117)), Click(box=(666, 940))", True),
        (CLICKS, "Click(box=(666, 940)), Click(box=(222, 117))", True),
        ({**CLICKS, "inorder": True}, "Click(box=(666, 940)), Click(box=(222, 117))", False),
        (CLICKS, "Click(box=(222, 117)), Click(box=(222, 117))", False),
        (CLICKS, "Click(box=(222, 117))", False),
        (TEXT, "Click(box=(222, 117)), Type(content='aB3 ')", True),
        (TEXT, "Click(box=(222, 117)), Type(content='ab3')", False),
        (TEXT, "Click(box=(222, 117))", False),
        (EITHER, "Click(box=(22, 11)), Click(box=(77, 41))", True),
        (EITHER, "Click(box=(22, 11)), Click(box=(666, 940))", False),
    ],
)
def test_venusbench_captcha_rows_are_judged_by_its_rules(
    pictures: Path, row: dict[str, Any], text: str, right: bool
) -> None:
    from training.evaluate import scored

    (one,) = benchmark(pictures, "venusbench-captcha", [row])
    assert scored(one, f"<think>so</think><action>{text}</action>").passed is right
    assert scored(one, text).reason == "no_single_action_block"
    assert (one.system, one.prompt) == ("Solve.", "")


@pytest.mark.parametrize(
    ("format", "row"),
    [
        ("screenspot", {"img_filename": "a.png"}),
        ("screenspot", {"img_filename": "none.png", "bbox": None, "instruction": ""}),
        ("venusbench-captcha", captcha(action_raw="Think()")),
        ("venusbench-captcha", captcha(images=["none.png"])),
    ],
)
def test_a_row_of_another_format_is_named(pictures: Path, format: str, row: Any) -> None:
    with pytest.raises(InvalidOptions, match="row 0, is not of the format"):
        benchmark(pictures, format, [row])


def test_a_benchmark_of_ours_goes_through_the_whole_evaluation(pictures: Path) -> None:
    from training.evaluate import evaluate

    (pictures / "rows.json").write_bytes(orjson.dumps([captcha(), TEXT]))
    summary = evaluate(
        config(
            pictures / "out",
            model={"name": "tiny:qwen3-vl", "max_pixels": 4096},
            benchmark={"format": "venusbench-captcha", "file": pictures / "rows.json",
                       "images": pictures},
        )
    )  # fmt: skip
    assert summary["domains"]["venusbench-captcha"]["items"] == 2
