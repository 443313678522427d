"""A server's mishaps are tried again and booked; only faults of a request are answers."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from fake_server import Fake, Reply, serving

from factory.core.errors import BudgetSpent, InvalidOptions, ModelUnreachable
from factory.llm.client import Server
from factory.llm.exchange import EMPTY, LENGTH, REFUSED, STOP, Message, Request
from factory.llm.settings import Caps, Settings
from factory.llm.store import Store
from factory.llm.together import together

KEY = "sk-very-secret-key-123456"


def request(text: str = "hello", seed: int = 1) -> Request:
    return Request(model="m", messages=(Message("user", text),), seed=seed, max_tokens=200)


class Bench:
    """A server under test, its store, and how long it was told to sleep."""

    def __init__(self, url: str, folder: Path, **settings: Any) -> None:
        self.naps: list[float] = []
        self.store = Store(folder / "cache.sqlite")
        fields = {"scope": "run", "base_url": url, "first_wait_s": 0.01, "timeout_s": 5.0}
        self.settings = Settings(**{**fields, **settings})
        self.server = Server(self.settings, self.store, self.naps.append)

    def outcomes(self) -> dict[str, int]:
        return self.store.ledger()["run"]["calls"]


def script_of(*replies: Reply) -> Any:
    """The replies in their order, then plain ones."""
    return lambda number, asked: (
        replies[number - 1] if number <= len(replies) else Reply(text="done")
    )


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Reply(status=429), "http_429"),
        (Reply(status=500), "http_500"),
        (Reply(status=503), "http_503"),
        (Reply(body=b"{not json"), "broken_answer"),
        (Reply(body=b"[1]"), "broken_answer"),
        (Reply(body=b'{"choices": []}'), "broken_answer"),
        (Reply(text="x" * 400, cut_at=120), "cut_off"),
    ],
)
def test_a_mishap_is_tried_again_and_booked(fault: Reply, outcome: str, tmp_path: Path) -> None:
    with serving(script_of(fault, fault)) as fake:
        bench = Bench(fake.url, tmp_path)
        assert bench.server.complete(request()).text == "done"
    assert bench.outcomes() == {outcome: 2, STOP: 1}
    assert len(fake.calls) == 3 and len(bench.naps) == 2


def test_pauses_grow_and_heed_what_the_server_asks(tmp_path: Path) -> None:
    busy = Reply(status=429)
    with serving(script_of(busy, busy, Reply(status=429, headers={"Retry-After": "7"}))) as fake:
        bench = Bench(fake.url, tmp_path, first_wait_s=1.0)
        bench.server.complete(request())
    first, second, asked = bench.naps
    assert 0.5 <= first <= 1.5 and 1.0 <= second <= 3.0 and asked == 7.0


@pytest.mark.parametrize("fault", [Reply(text="late", wait_s=3.0), Reply(text="late", drip_s=0.05)])
def test_a_slow_answer_is_a_timeout(fault: Reply, tmp_path: Path) -> None:
    with serving(script_of(fault)) as fake:
        bench = Bench(fake.url, tmp_path, timeout_s=0.5)
        assert bench.server.complete(request()).text == "done"
    assert bench.outcomes() == {"timeout": 1, STOP: 1}


def test_a_server_that_stays_broken_stops_the_run(tmp_path: Path) -> None:
    with serving(lambda number, asked: Reply(status=500, text="on fire")) as fake:
        bench = Bench(fake.url, tmp_path, retries=2)
        with pytest.raises(ModelUnreachable, match=r"3 times in a row.*on fire.*--resume"):
            bench.server.complete(request())
    assert bench.outcomes() == {"http_500": 3}


def test_no_server_at_all_stops_the_run(tmp_path: Path) -> None:
    bench = Bench("http://127.0.0.1:9/v1", tmp_path, retries=1)
    with pytest.raises(ModelUnreachable, match="no_connection"):
        bench.server.complete(request())
    assert bench.outcomes() == {"no_connection": 2}


def test_a_refused_key_is_not_tried_again_and_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with serving(lambda number, asked: Reply(status=401, text=f"bad key {KEY}")) as fake:
        bench = Bench(fake.url, tmp_path, key_env="MY_KEY")
        with pytest.raises(ModelUnreachable) as caught:
            bench.server.complete(request())
    assert len(fake.calls) == 1 and "MY_KEY" in str(caught.value)
    assert KEY not in str(caught.value) and caught.value.__cause__ is None
    assert fake.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_key_is_written_nowhere_even_if_the_model_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with serving(lambda number, asked: Reply(text=f"the key is {KEY}")) as fake:
        bench = Bench(fake.url, tmp_path, key_env="MY_KEY")
        answer = bench.server.complete(request())
        bench.store.keep(request(), answer)
        bench.store.close()
    assert answer.text == "the key is [key]"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not any(KEY.encode() in path.read_bytes() for path in files)


def test_a_key_that_is_missing_is_asked_for_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    settings = Settings(scope="run", base_url="https://models.example/v1", key_env="MY_KEY")
    with pytest.raises(InvalidOptions, match="MY_KEY"):
        settings.check()
    Settings(scope="run", base_url="http://127.0.0.1:1/v1", key_env="MY_KEY").check()


def test_a_fault_of_the_request_is_an_answer(tmp_path: Path) -> None:
    with serving(lambda number, asked: Reply(status=400, text="too long")) as fake:
        bench = Bench(fake.url, tmp_path)
        answer = bench.server.complete(request())
    assert answer.finish == REFUSED and "too long" in answer.text and len(fake.calls) == 1


def test_the_newer_name_of_the_limit_is_used_when_asked_for(tmp_path: Path) -> None:
    def script(number: int, asked: dict[str, Any]) -> Reply | None:
        old = "max_tokens" in asked
        said = "use max_completion_tokens instead" if old else "fine"
        return Reply(status=400 if old else 200, text=said)

    with serving(script) as fake:
        bench = Bench(fake.url, tmp_path)
        assert bench.server.complete(request()).text == "fine"
        assert bench.server.complete(request(seed=2)).text == "fine"
    assert [("max_tokens" in call) for call in fake.calls] == [True, False, False]


def test_ways_to_end_are_told_apart(tmp_path: Path) -> None:
    with serving(script_of(Reply(text="half", finish="length"), Reply(text="  "))) as fake:
        bench = Bench(fake.url, tmp_path)
        ends = [bench.server.complete(request(seed=seed)).finish for seed in range(3)]
    assert ends == [LENGTH, EMPTY, STOP]


def test_tokens_and_cost_are_booked_from_what_the_server_counts(tmp_path: Path) -> None:
    with serving(script_of()) as fake:
        bench = Bench(fake.url, tmp_path, price=(2.0, 10.0))
        for seed in range(4):
            bench.server.complete(request(seed=seed))
    own = bench.store.ledger()["run"]
    assert (own["tokens_in"], own["tokens_out"]) == (400, 200)
    assert own["cost"] == pytest.approx(4 * (100 * 2 + 50 * 10) / 1e6)


def test_tokens_that_nobody_counted_are_estimated(tmp_path: Path) -> None:
    with serving(lambda number, asked: Reply(text="z" * 300, usage=False)) as fake:
        answer = Bench(fake.url, tmp_path).server.complete(request("y" * 600))
    assert answer.tokens_in >= 200 and answer.tokens_out == 101


def test_a_cap_of_calls_is_hard(tmp_path: Path) -> None:
    with serving(lambda number, asked: Reply(status=500)) as fake:
        bench = Bench(fake.url, tmp_path, caps=Caps(calls=3), retries=9)
        with pytest.raises(BudgetSpent, match=r"3 of 3 calls.*--llm-max-calls"):
            bench.server.complete(request())
    assert len(fake.calls) == 3, "failed calls count, too"


def test_a_cap_of_tokens_is_hard_before_a_call_is_made(tmp_path: Path) -> None:
    most = sum(request().most_tokens())
    with serving(script_of()) as fake:
        bench = Bench(fake.url, tmp_path, caps=Caps(tokens=150 + most - 1))
        bench.server.complete(request())  # books what it used: 150
        with pytest.raises(BudgetSpent, match="tokens"):
            bench.server.complete(request(seed=2))
    assert len(fake.calls) == 1


def test_a_cap_of_cost_is_hard(tmp_path: Path) -> None:
    with serving(script_of()) as fake:
        bench = Bench(fake.url, tmp_path, caps=Caps(cost=0.004), price=(0.0, 20.0))
        bench.server.complete(request())  # 50 tokens out: 0.001; the next may take 0.004
        with pytest.raises(BudgetSpent, match="cost"):
            bench.server.complete(request(seed=2))
    assert len(fake.calls) == 1


def test_a_call_that_was_killed_counts_at_the_most_it_can_cost(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache.sqlite")
    store.begin("run", request(), Caps(), (100, 200), 0.5)
    own = store.ledger()["run"]
    assert own["calls"] == {"open": 1} and own["tokens_out"] == 200 and own["cost"] == 0.5


def test_caps_are_those_of_one_run(tmp_path: Path) -> None:
    store = Store(tmp_path / "cache.sqlite")
    store.begin("one", request(), Caps(calls=1), (1, 1), 0.0)
    store.begin("other", request(), Caps(calls=1), (1, 1), 0.0)
    with pytest.raises(BudgetSpent):
        store.begin("one", request(), Caps(calls=1), (1, 1), 0.0)


def test_no_address_is_in_the_record(tmp_path: Path) -> None:
    with serving(script_of()) as fake:
        bench = Bench(fake.url, tmp_path)
        bench.store.keep(request(), bench.server.complete(request()))
        rows = sqlite3.connect(bench.store.path).iterdump()
    assert not any(fake.url in row for row in rows)
    assert isinstance(fake, Fake)


def test_questions_asked_at_once_are_answered_in_their_order() -> None:
    slow = {0: 0.05, 1: 0.0, 2: 0.02}
    found = together(lambda n: (time.sleep(slow[n]), n * n)[1], [0, 1, 2], 3)
    assert found == [0, 1, 4] and together(lambda n: n, [], 3) == []


def test_the_first_error_is_raised_when_all_that_was_asked_is_heard() -> None:
    heard: list[int] = []

    def work(number: int) -> int:
        if number == 0:
            raise BudgetSpent("no more")
        time.sleep(0.1)
        heard.append(number)
        return number

    with pytest.raises(BudgetSpent, match="no more"):
        together(work, list(range(20)), 2)
    assert heard in ([], [1]), "what was under way, and nothing after it"
