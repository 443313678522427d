"""An answer in a form: the strictest way that a server knows, then asking again with its fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from author import content
from fake_server import Reply, serving
from pydantic import BaseModel, ConfigDict, Field

from factory.core.errors import NotRecorded
from factory.llm.checks import check_content
from factory.llm.exchange import Answer, Message, Request
from factory.llm.ladder import RUNGS, Asker, Manner, Ticket
from factory.llm.loose_json import json_in
from factory.llm.plan import Content, Layout
from factory.llm.reasons import Bad, BadAnswer
from factory.llm.recorded import Recorded
from factory.llm.schemas import LIMITS, schema_of, without_limits
from factory.llm.settings import Settings
from factory.llm.store import Store

TICKET = Ticket("sample", 0, "content")


class Pair(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=2, max_length=9)
    size: int


class Said:
    """A model that gives prepared answers in turn and keeps what it was asked."""

    def __init__(self, *answers: str | Answer) -> None:
        self.answers = [a if isinstance(a, Answer) else Answer(text=a) for a in answers]
        self.asked: list[Request] = []

    def complete(self, request: Request) -> Answer:
        self.asked.append(request)
        return self.answers[len(self.asked) - 1]


def asker(model: Said, shape: str = "text", repairs: int = 2) -> tuple[Asker, list[Any]]:
    notes: list[Any] = []
    return Asker(model, Manner("m", repairs=repairs, shape=shape), notes.append), notes


def pair(model: Said, **more: Any) -> Pair:
    made, _ = asker(model, **more)
    return made.structured([Message("user", "A pair, please.")], Pair, TICKET)


# ---------------------------------------------------------------------- rungs


def capable_of(*kinds: str) -> Callable[[int, dict[str, Any]], Reply | None]:
    """A server that refuses the forms of answers that it does not know."""

    def script(number: int, asked: dict[str, Any]) -> Reply | None:
        form = asked.get("response_format", {}).get("type", "text")
        if form == "json_schema" and LIMITS & set(json.dumps(asked["response_format"]).split('"')):
            form = "json_schema with limits"
        return None if form in (*kinds, "text") else Reply(status=400, text=f"no {form}")

    return script


@pytest.mark.parametrize(
    ("kinds", "rung"),
    [
        (("json_schema with limits", "json_schema", "json_object"), "strict"),
        (("json_schema", "json_object"), "loose"),
        (("json_object",), "object"),
        ((), "text"),
    ],
)
def test_the_strictest_form_that_a_server_knows_is_used(
    kinds: tuple[str, ...], rung: str, tmp_path: Path
) -> None:
    with serving(capable_of(*kinds)) as fake:
        settings = Settings(scope="run", base_url=fake.url, cache=str(tmp_path / "c"))
        model = Recorded(settings, Store(settings.cache_path()))
        made = Asker(model, Manner("m"))
        asked = Message("user", "Write the content of one screen as JSON")
        found = made.structured([Message("system", "s"), asked], Content, TICKET)
        calls = len(fake.calls)
        again = Asker(model, Manner("m"))
        assert made.rung == again.rung == rung
        assert len(fake.calls) == calls, "what a server can do is recorded, too"
    assert found.app_name == "Shelfshare"
    assert calls == RUNGS.index(made.rung) + (2 if rung != "text" else 1)


def test_a_server_that_takes_a_form_and_ignores_it_is_found_out() -> None:
    model = Said("Sure!", "I would say yes.", "{}", '{"name": "ox", "size": 3}')
    assert pair(model, shape="auto").size == 3
    assert [one.shape for one in model.asked] == ["strict", "loose", "object", "text"]


def test_the_schema_is_told_in_words_where_the_server_does_not_take_it() -> None:
    model = Said('{"name": "ox", "size": 3}')
    pair(model)
    assert '"maxLength":9' in model.asked[0].messages[-1].text and not model.asked[0].schema


@pytest.mark.parametrize("kind", [Content, Layout, Pair])
def test_schemas_require_every_field_and_hold_no_reference(kind: type[BaseModel]) -> None:
    def walk(node: Any) -> None:
        if isinstance(node, list):
            for one in node:
                walk(one)
        if isinstance(node, Mapping):
            assert "$ref" not in node
            if node.get("type") == "object":
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False
            for one in node.values():
                walk(one)

    walk(schema_of(kind))
    assert not LIMITS & set(json.dumps(without_limits(schema_of(kind))).split('"'))


# ---------------------------------------------------------------------- mending


def test_a_bad_answer_is_shown_again_with_its_fault() -> None:
    model = Said('{"name": "o", "size": "big"}', '{"name": "ox", "size": 3}')
    made, notes = asker(model)
    assert made.structured([Message("user", "A pair.")], Pair, TICKET).name == "ox"
    roles = [one.role for one in model.asked[1].messages]
    assert roles == ["user", "assistant", "user"]
    told = model.asked[1].messages[-1].text
    assert "schema" in told and "size" in told and "name" in told
    assert [row["outcome"] for row in notes] == ["schema", "ok"]
    assert model.asked[0].seed != model.asked[1].seed


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("no braces here", Bad.NOT_JSON),
        ('{"name": "ox", "size": 3', Bad.NOT_JSON),
        ('["name"]', Bad.NOT_JSON),
        ('{"name": "ox", "size": NaN}', Bad.NOT_JSON),
        ("[" * 100_000, Bad.NOT_JSON),
        ('{"name": "ox", "size": 3, "more": 1}', Bad.SCHEMA),
        ('{"name": "much too long a name", "size": 3}', Bad.SCHEMA),
        ('{"size": 3}', Bad.SCHEMA),
        (Answer(text='{"name": "ox", "size": 3}', finish="length"), Bad.TRUNCATED),
        (Answer(text=" ", finish="empty"), Bad.EMPTY),
        (Answer(text="too long", finish="refused"), Bad.REFUSED),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(answer: str | Answer, reason: Bad) -> None:
    model = Said(*([answer] * 3))
    made, notes = asker(model)
    with pytest.raises(BadAnswer) as caught:
        made.structured([Message("user", "A pair.")], Pair, TICKET)
    assert caught.value.reason is reason
    turns = 1 if reason is Bad.REFUSED else 3
    assert [row["outcome"] for row in notes] == [str(reason)] * turns
    assert len({row["digest"] for row in notes}) == turns


def test_without_repairs_the_first_answer_counts() -> None:
    model = Said("nothing", '{"name": "ox", "size": 3}')
    with pytest.raises(BadAnswer, match="not_json"):
        pair(model, repairs=0)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "text",
    [
        'Here:\n```json\n{"a": [1, 2]}\n```\nDone {it}',
        'I think {"a": [1, 2]} is right',
        '{"a": [1, 2,],}',
        '```\n{"a": [1, 2]}\n```',
        '{"a": [1, 2]} {"b": 3}',
    ],
)
def test_json_is_found_in_what_is_said_around_it(text: str) -> None:
    assert json_in(text) == {"a": [1, 2]}


def test_braces_and_commas_inside_of_texts_are_left_alone() -> None:
    assert json_in('so: {"a": "x, }", "b": "\\"{"}') == {"a": "x, }", "b": '"{'}


def test_every_fault_at_once_is_booked_to_the_token(tmp_path: Path) -> None:
    """Seven mishaps are tried again, two bad answers are mended, and the sums are exact."""
    faults = [
        Reply(status=429), Reply(status=500), Reply(text="x" * 500, cut_at=150),
        Reply(body=b"{no json"), Reply(text="late", wait_s=1.5), Reply(status=503),
        Reply(status=408), Reply(text='{"name": "ox", "size"', finish="length"),
        Reply(text="I would rather not."), Reply(text='{"name": "ox", "size": 3}'),
    ]  # fmt: skip
    with serving(lambda number, asked: faults[number - 1]) as fake:
        settings = Settings(
            scope="run", base_url=fake.url, cache=str(tmp_path / "c"), timeout_s=0.5, retries=7,
            first_wait_s=0.01, price=(1.0, 2.0),
        )  # fmt: skip
        store = Store(settings.cache_path())
        model = Recorded(settings, store)
        notes: list[Any] = []

        def note(row: Mapping[str, Any]) -> None:
            notes.append(row)
            store.note("run", row)

        made = Asker(model, Manner("m", shape="text", max_tokens=200), note)
        first = [Message("user", "A pair, please.")]
        assert made.structured(first, Pair, TICKET).size == 3
    own = store.ledger()["run"]
    free = {"http_429": 1, "http_500": 1, "http_503": 1, "http_408": 1}
    assert own["calls"] == {
        **free, "cut_off": 1, "broken_answer": 1, "timeout": 1, "length": 1, "stop": 2,
    }  # fmt: skip
    assert own["answers"] == {"content": {"truncated": 1, "not_json": 1, "ok": 1}}
    assert len(fake.calls) == len(faults) and [n["turn"] for n in notes] == [0, 1, 2]
    most_in, most_out = made._request(
        [Message("user", fake.calls[0]["messages"][0]["content"])],
        "text",
        {},
        seed=0,
    ).most_tokens()
    unknown = 3  # answers that never came whole are booked at the most they can have cost
    assert own["tokens_in"] == 3 * 100 + unknown * most_in
    assert own["tokens_out"] == 3 * 50 + unknown * most_out
    assert own["cost"] == pytest.approx((own["tokens_in"] + 2 * own["tokens_out"]) / 1e6)


# ---------------------------------------------------------------------- the record


def recorded(folder: Path, mode: Any, model: Any) -> Recorded:
    settings = Settings(scope="run", mode=mode, cache=str(folder / "cache.sqlite"))
    return Recorded(settings, Store(settings.cache_path()), model)


def asked(seed: int) -> Request:
    return Request(model="m", messages=(Message("user", "hello"),), seed=seed)


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    first, second = Said("one"), Said("two")
    assert recorded(tmp_path, "record", first).complete(asked(1)).text == "one"
    assert recorded(tmp_path, "record", second).complete(asked(1)).text == "one"
    assert not second.asked


def test_a_replay_asks_nobody(tmp_path: Path) -> None:
    recorded(tmp_path, "record", Said("one")).complete(asked(1))
    model = Said("two")
    replay = recorded(tmp_path, "replay", model)
    assert replay.complete(asked(1)).text == "one"
    with pytest.raises(NotRecorded, match="--llm-mode record"):
        replay.complete(asked(2))
    assert not model.asked


def test_without_a_record_every_process_asks(tmp_path: Path) -> None:
    assert recorded(tmp_path, "off", Said("one")).complete(asked(1)).text == "one"
    other = recorded(tmp_path, "off", Said("two"))
    assert other.complete(asked(1)).text == "two" == other.complete(asked(1)).text
    with pytest.raises(NotRecorded):
        recorded(tmp_path, "replay", Said()).complete(asked(1))


def test_of_two_that_ask_the_same_both_get_the_first_answer(tmp_path: Path) -> None:
    late = recorded(tmp_path, "record", None)

    class Late:
        def complete(self, request: Request) -> Answer:
            recorded(tmp_path, "record", Said("early")).complete(request)
            return Answer(text="late")

    late.model = Late()
    assert late.complete(asked(1)).text == "early"


def test_everything_that_an_answer_depends_on_is_in_its_digest() -> None:
    plain = asked(1)
    others = [
        asked(2),
        Request(model="n", messages=plain.messages, seed=1),
        Request(model="m", messages=(Message("system", "hello"),), seed=1),
        Request(model="m", messages=plain.messages, seed=1, temperature=0.5),
        Request(model="m", messages=plain.messages, seed=1, max_tokens=1),
        Request(model="m", messages=plain.messages, seed=1, shape="object"),
        Request(model="m", messages=plain.messages, seed=1, schema={"type": "object"}),
        Request(model="m", messages=plain.messages, seed=1, prompt=2),
    ]
    assert len({one.digest() for one in (plain, *others)}) == 9
    assert plain.digest() == asked(1).digest()


def test_the_author_of_the_tests_is_a_good_one() -> None:
    for seed in range(9):
        for lang in ("en", "zh"):
            check_content(Content.model_validate(content(seed, lang)), lang)
