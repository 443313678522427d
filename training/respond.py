"""What answers in an evaluation: a local model, or a vision endpoint that speaks OpenAI's chat."""

# pyright: reportMissingImports=false

from __future__ import annotations

import base64
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson

from factory.core.errors import DependencyMissing, InvalidOptions
from training.collate import ChatForm, messages
from training.config import EndpointConfig, EvalConfig, SampleConfig
from training.generate import generate
from training.models import load_policy
from training.samples import Example

Responder = Callable[[Sequence[Example]], list[str]]
"""A batch of examples to as many texts."""

_RETRIED = (408, 409, 425, 429, 500, 502, 503, 504)
_MEDIA = {b"\xff\xd8": "jpeg", b"\x89P": "png", b"RI": "webp"}


def responder(config: EvalConfig) -> Responder:
    """The local model or the endpoint of a config."""
    if config.endpoint is not None:
        return endpoint_responder(config.endpoint, config.sample)
    assert config.model is not None
    model, processor = load_policy(config.model, adapters=False)
    return local_responder(model, ChatForm.of(processor), config.sample, config.seed)


def local_responder(model: Any, form: ChatForm, sample: SampleConfig, seed: int = 0) -> Responder:
    """One response of a loaded model for each example, drawn from ``seed`` and the batch's turn."""
    turn = 0

    def respond(examples: Sequence[Example]) -> list[str]:
        nonlocal turn
        turn += 1
        drawn = generate(model, form, examples, sample, seed=seed + turn)
        return [first.text for first, *_ in drawn]

    return respond


def endpoint_responder(endpoint: EndpointConfig, sample: SampleConfig) -> Responder:
    """One completion of an endpoint for each example, several requests at a time."""

    def respond(examples: Sequence[Example]) -> list[str]:
        with ThreadPoolExecutor(endpoint.parallel) as pool:
            return list(pool.map(lambda one: _completion(endpoint, sample, one), examples))

    return respond


def request_body(model: str, sample: SampleConfig, example: Example) -> dict[str, Any]:
    """A chat request with the pictures of the example inside, as data."""
    images = iter(example.images)
    turns = [
        {"role": turn["role"], "content": [_part(part, images) for part in turn["content"]]}
        for turn in messages(example)
    ]
    return {
        "model": model,
        "messages": turns,
        "max_tokens": sample.max_new_tokens,
        "temperature": sample.temperature,
        "top_p": sample.top_p,
    }


def _part(part: dict[str, Any], images: Any) -> dict[str, Any]:
    if part["type"] != "image":
        return part
    data = next(images)
    kind = _MEDIA.get(data[:2], "jpeg")
    url = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _completion(endpoint: EndpointConfig, sample: SampleConfig, example: Example) -> str:
    """The first choice's text; ``DependencyMissing`` when there is none after the retries."""
    body = orjson.dumps(request_body(endpoint.model, sample, example))
    problem = ""
    for attempt in range(endpoint.retries + 1):
        if attempt:
            time.sleep(min(30.0, 0.5 * 2**attempt))
        try:
            answer = orjson.loads(_post(endpoint, body))
            return str(answer["choices"][0]["message"]["content"] or "")
        except urllib.error.HTTPError as error:
            problem = f"answers {error.code} {error.reason}"
            if error.code not in _RETRIED:
                break
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            problem = f"cannot be reached: {getattr(error, 'reason', error)}"
        except (orjson.JSONDecodeError, LookupError, TypeError):
            problem = "answers something that is no chat completion"
    raise DependencyMissing(f"the endpoint {endpoint.url} {problem} (asked for {example.key})")


def _post(endpoint: EndpointConfig, body: bytes) -> bytes:
    headers = {"Content-Type": "application/json"}
    key = os.environ.get(endpoint.key_env)
    if key:
        headers["Authorization"] = f"Bearer {key}"
    url = endpoint.url.rstrip("/") + "/chat/completions"
    if not url.startswith(("http://", "https://")):
        raise InvalidOptions(f"endpoint.url {endpoint.url!r} is not like http://host:8000/v1")
    request = urllib.request.Request(url, body, headers)
    with urllib.request.urlopen(request, timeout=endpoint.timeout_s) as answer:
        return answer.read()
