"""Pages of a model go through shards, verify, show, resume and the gallery as all pages do."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest
from author import page
from fake_server import Fake, Reply, serving
from runs import factory, started

from exporters.shard_reader import iter_samples
from factory.core import record as records
from factory.core.errors import InvalidOptions
from factory.engine.batch import config_of, groups_of, resolve
from factory.engine.show import show
from factory.engine.stats import run_stats
from factory.engine.verify import verify
from factory.llm.store import Store
from factory.llm_config import LLM_TYPES, LlmConfig

PAGES, PER_SHARD = 4, 2
SCENARIOS = ("A tool library of a neighbourhood", "The loans of a club of sailors")
KEY = "sk-never-to-be-seen-9876543210"
ENV = {"SECRET_OF_TESTS": KEY}


def words(
    out: Path, url: str, cache: Path, *more: object, way: str = "layout", n: int = PAGES
) -> list[object]:
    prompts = [word for text in SCENARIOS for word in ("--prompt", text)]
    usual = {"--workers": 1, "--shard-samples": PER_SHARD}
    left = [word for name, value in usual.items() if name not in more for word in (name, value)]
    return [
        "gen", "grounding", *prompts, "--way", way, "--llm-base-url", url, "--model", "able",
        "--llm-key-env", "SECRET_OF_TESTS", "--llm-cache", cache, "--n", n,
        "--viewport", "1280x800", "--platform", "web", "--out", out, *left, *more,
    ]  # fmt: skip


def made(*asked: object) -> Path:
    done = factory(*asked, env=ENV)
    assert done.returncode == 0, done.stderr
    assert KEY not in done.stdout + done.stderr
    return Path(str(asked[asked.index("--out") + 1]))


@pytest.fixture(scope="module")
def server() -> Iterator[Fake]:
    with serving() as fake:
        yield fake


@pytest.fixture(scope="module", params=["layout", "html"])
def run(request: Any, server: Fake, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    return made(*words(folder / "run", server.url, folder / "c.sqlite", way=request.param))


def samples(run: Path) -> dict[str, dict[str, bytes]]:
    return {
        key: dict(parts)
        for shard in sorted(run.rglob("*.tar"))
        for key, parts, _ in iter_samples(shard)
    }


def record(parts: dict[str, bytes]) -> records.Record:
    return records.record_of(records.decode(parts["json"]))


def digests(run: Path) -> dict[str, str]:
    """Of everything that must not depend on who asked, how often and in which order."""
    paths = [*run.rglob("*.tar"), *(run / "llm").iterdir(), run / "manifest.parquet"]
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(paths)
    }


def summary(run: Path) -> dict[str, Any]:
    return orjson.loads((run / "llm" / "summary.json").read_bytes())


def test_records_are_those_of_every_page(run: Path) -> None:
    found = samples(run)
    assert len(found) == PAGES and verify(run).ok
    for parts in found.values():
        assert sorted(parts) == ["html", "jpg", "json", "txt"]
        one = record(parts)
        assert one.family == "grounding" and one.type in LLM_TYPES
        kinds = [task.kind for task in one.tasks]
        assert "ground" in kinds and len(kinds) > 5
        told = one.state["llm"]
        assert told["scenario"] in SCENARIOS and told["persona"] and told["model"] == "able"
        assert one.state["elements"] and one.state["asked"]


def test_scenarios_take_turns(run: Path) -> None:
    told = [record(parts).state["llm"]["scenario"] for parts in samples(run).values()]
    assert sorted(told) == sorted([*SCENARIOS] * (PAGES // 2))


def test_a_run_is_made_again_without_model_and_record(run: Path) -> None:
    """The server is another one here, and the cache is not named: the run's own answers do."""
    for key, stored in samples(run).items():
        again = show(key, run=run)
        assert again.equal and dict(again.parts) == stored


def test_answers_are_counted(run: Path) -> None:
    told = summary(run)
    stages = {"content", "layout"} if "layout" in str(run) else {"html"}
    assert told["outcomes"] == {stage: {"ok": PAGES} for stage in stages}
    assert told["answers"] == PAGES * len(stages) + 1, "and the question what the server can do"
    assert (told["tokens_in"], told["tokens_out"]) == (100 * told["answers"], 50 * told["answers"])
    assert told["pages_rejected"] == {}


def test_nothing_of_this_machine_is_in_a_run(run: Path, server: Fake) -> None:
    port = server.url.rsplit(":", 1)[1].split("/")[0]
    for path in (one for one in run.rglob("*") if one.is_file()):
        data = path.read_bytes()
        for secret in (KEY, "SECRET_OF_TESTS", f"127.0.0.1:{port}", "c.sqlite"):
            assert secret.encode() not in data, (path.name, secret)
    for path in run.parent.glob("c.sqlite*"):  # the record of answers and its journals
        assert KEY.encode() not in path.read_bytes(), path.name
    assert "Bearer " + KEY in server.headers[0].values()


def test_the_same_record_gives_the_same_bytes_whoever_works(run: Path, tmp_path: Path) -> None:
    way = run.parent.name.rstrip("0123456789")
    cache, dead = run.parent / "c.sqlite", "http://127.0.0.1:9/v1"
    more = ("--llm-mode", "replay", "--workers", 2, "--llm-parallel", 1)
    again = made(*words(tmp_path / "run", dead, cache, *more, way=way))
    assert digests(again) == digests(run)


def test_statistics_and_gallery_read_them(run: Path, tmp_path: Path) -> None:
    assert run_stats(run)["samples"] == PAGES
    done = factory("gallery", "export", run, tmp_path / "gallery", "--n", 2)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "gallery" / "s").glob("*.html"))) >= 2


def test_a_killed_run_asks_for_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_TESTS", KEY)
    with serving(lambda number, asked: Reply(wait_s=0.15)) as fake:
        whole = made(*words(tmp_path / "whole", fake.url, tmp_path / "whole.sqlite"))
        first = len(fake.calls)
        out = tmp_path / "run"
        asked = words(out, fake.url, tmp_path / "c.sqlite", "--llm-parallel", 1)
        with started(*asked) as process:
            until = time.monotonic() + 60
            while len(fake.calls) < first + 5 and time.monotonic() < until:
                time.sleep(0.02)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(20)
        assert not (out / "manifest.json").is_file()
        killed = len(fake.calls)
        made(*asked, "--resume")
        told = [json.dumps(call, sort_keys=True) for call in fake.calls[first:]]
    assert killed < len(fake.calls)
    assert len(told) - len(set(told)) <= 1, "but for the call that was killed"
    assert digests(out) == digests(whole)


def test_a_run_that_waits_for_an_answer_ends_when_it_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_TESTS", KEY)
    with serving(lambda number, asked: Reply(wait_s=60.0)) as fake:
        with started(*words(tmp_path / "run", fake.url, tmp_path / "c.sqlite")) as process:
            until = time.monotonic() + 60
            while not fake.calls and time.monotonic() < until:
                time.sleep(0.02)
            process.terminate()
            start = time.monotonic()
            assert process.wait(40) == 143
        assert fake.calls and time.monotonic() - start < 20, "and not after the minute"


HOSTILE = {
    "script_network": "<script>fetch('https://x.example')</script>",
    "meta_refresh": "<meta http-equiv=refresh content='0;url=https://x.example'>",
    "embedded_page": "<iframe src='https://x.example'></iframe>",
    "css_address": "<style>p{background:url(https://x.example)}</style>",
}


def test_hostile_answers_are_refused_by_name_and_mended(tmp_path: Path) -> None:
    """Each sample's first answer is hostile in a way of its own; the second is good."""
    parts = list(HOSTILE.values())
    met: list[str] = []

    def script(number: int, asked: dict[str, Any]) -> Reply | None:
        said = asked["messages"][-1]["content"]
        if "Write this screen as HTML" not in said:
            return None
        met.append(said)
        return Reply(text=page(3).replace("<main>", "<main>" + parts[(len(met) - 1) % 4]))

    with serving(script) as fake:
        more = ("--llm-parallel", 1)
        run = made(*words(tmp_path / "r", fake.url, tmp_path / "c", *more, way="html"))
        mended = [c["messages"][-1]["content"] for c in fake.calls if len(c["messages"]) > 2]
    assert summary(run)["outcomes"]["html"] == {"ok": PAGES, **dict.fromkeys(HOSTILE, 1)}
    assert all(any(name in told for told in mended) for name in HOSTILE)
    for parts_of in samples(run).values():
        assert b"x.example" not in parts_of["html"] and b"<script" not in parts_of["html"]
    assert verify(run).ok


def test_a_model_that_is_hostile_throughout_makes_no_run(tmp_path: Path) -> None:
    cache = tmp_path / "c.sqlite"
    bad = page(1).replace("<main>", "<main>" + HOSTILE["script_network"])
    with serving(lambda number, asked: Reply(text=bad)) as fake:
        asked = words(
            tmp_path / "r", fake.url, cache, "--llm-repairs", 1, "--llm-attempts", 2,
            "--llm-shape", "text", "--shard-samples", PAGES, way="html",
        )  # fmt: skip
        done = factory(*asked, env=ENV)
    assert done.returncode == 4 and "script_network x2" in done.stderr
    assert "docs/llm.md" in done.stderr and "--difficulty" not in done.stderr
    (own,) = Store(cache).ledger().values()
    assert own["answers"] == {"html": {"script_network": PAGES * 2 * 2}}
    assert own["calls"] == {"stop": PAGES * 2 * 2}
    shown = factory("llm", "ledger", "--llm-cache", cache).stdout
    assert f"script_network {PAGES * 4}" in shown


@pytest.mark.long
def test_a_cap_ends_the_run_and_a_higher_one_goes_on(tmp_path: Path, server: Fake) -> None:
    out, cache = tmp_path / "run", tmp_path / "c.sqlite"
    calls = len(server.calls)
    done = factory(*words(out, server.url, cache, "--llm-max-calls", 3, n=2), env=ENV)
    assert done.returncode == 8 and "--llm-max-calls" in done.stderr
    assert len(server.calls) - calls == 3
    made(*words(out, server.url, cache, "--llm-max-calls", 100, "--resume", n=2))
    assert len(server.calls) - calls == 2 * 2 + 1


@pytest.mark.long
def test_a_server_that_fails_ends_the_run_and_resume_goes_on(tmp_path: Path) -> None:
    out, cache = tmp_path / "run", tmp_path / "c.sqlite"
    broken = [True]

    def script(number: int, asked: dict[str, Any]) -> Reply | None:
        return Reply(status=500) if broken[0] and number > 4 else None

    with serving(script) as fake:
        done = factory(*words(out, fake.url, cache, "--llm-retries", 1), env=ENV)
        assert done.returncode == 8 and "http_500" in done.stderr and KEY not in done.stderr
        broken[0] = False
        made(*words(out, fake.url, cache, "--resume"))
        whole = made(*words(tmp_path / "whole", fake.url, tmp_path / "other.sqlite"))
    assert digests(out) == digests(whole)


@pytest.mark.long
def test_busy_servers_change_nothing(tmp_path: Path, server: Fake) -> None:
    plain = made(*words(tmp_path / "a", server.url, tmp_path / "a.sqlite"))

    def busy(number: int, asked: object) -> Reply | None:
        return Reply(status=429) if number % 3 == 1 else None

    with serving(busy) as fake:
        other = made(*words(tmp_path / "b", fake.url, tmp_path / "b.sqlite"))
    assert digests(plain) == digests(other)


def test_a_vision_model_tells_the_style_of_a_reference_once(tmp_path: Path, server: Fake) -> None:
    cv2.imwrite(str(tmp_path / "shot.png"), np.full((400, 640, 3), (240, 244, 248), np.uint8))
    more = ("--reference", tmp_path / "shot.png", "--llm-vision")
    asked = words(tmp_path / "run", server.url, tmp_path / "c.sqlite", *more, n=2)
    factory(*asked, "--dry-run", env=ENV)
    run = made(*asked)
    assert '"accent" = "#ffb020"' in (run / "config.toml").read_text()
    for parts in samples(run).values():
        assert record(parts).theme == "dark" and b"--accent: #ffb020" in parts["html"]
    looked = [c for c in server.calls if isinstance(c["messages"][0]["content"], list)]
    assert len(looked) == 1, "one look, recorded"
    drawn = [c for c in server.calls if "Style of the screen" in str(c["messages"])]
    assert len(drawn) == 2 and "accent #ffb020" in str(drawn[0]["messages"])


@pytest.mark.long
def test_files_of_scenarios_and_people_are_read(tmp_path: Path, server: Fake) -> None:
    (tmp_path / "s.txt").write_text(
        '# two\nA choir\'s music stand\n\n{"scenario": "A farm shop"}\n'
    )
    (tmp_path / "p.txt").write_text("an impatient pilot\n")
    run = made(
        "gen", "grounding", "--scenarios", tmp_path / "s.txt", "--persona", tmp_path / "p.txt",
        "--llm-base-url", server.url, "--model", "able", "--llm-cache", tmp_path / "c", "--n", 2,
        "--workers", 1, "--platform", "web", "--out", tmp_path / "run",
    )  # fmt: skip
    told = [record(parts).state["llm"] for parts in samples(run).values()]
    assert {one["scenario"] for one in told} == {"A choir's music stand", "A farm shop"}
    assert {one["persona"] for one in told} == {"an impatient pilot"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--prompt", "x", "--llm-base-url", "http://127.0.0.1:1/v1"], "model"),
        (["--prompt", "x", "--model", "m"], "--llm-base-url"),
        (["--prompt", "x", "--model", "m", "--llm-base-url", "https://m.example/v1",
          "--llm-key-env", "NOT_THERE"], "NOT_THERE"),
        (["--prompt", "x", "--model", "m", "--llm-base-url", "http://127.0.0.1:1/v1",
          "--llm-max-cost", "1"], "--llm-price"),
        (["--prompt", "x", "--model", "m", "--way", "song"], "--way"),
        (["--scenarios", "nowhere.txt", "--model", "m"], "nowhere.txt"),
        (["--prompt", "x", "--model", "m", "--reference", "nowhere.png"], "nowhere.png"),
        (["--persona", "p.txt"], "--prompt"),
        (["--prompt", "x", "--model", "m", "--llm-base-url", "http://a:b@127.0.0.1:1/v1"],
         "password"),
    ],
)  # fmt: skip
def test_a_wrong_request_says_what_to_do(more: list[str], said: str, tmp_path: Path) -> None:
    done = factory("gen", "grounding", *more, "--n", 1, "--out", tmp_path / "run")
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert not (tmp_path / "run").exists()


def test_the_ways_are_classes_of_a_mix() -> None:
    assert all(resolve(name) == [name] and groups_of(_config(name)) == ("pages",)
               for name in LLM_TYPES)  # fmt: skip
    plain = _config("llm_html")
    assert isinstance(plain, LlmConfig)
    for change in ({"base_url": "http://x.example/v1"}, {"max_cost": 3.0}, {"parallel": 9}):
        assert _config("llm_html", **change).data_digest() == plain.data_digest()
    for change in ({"model": "other"}, {"scenarios": ("other",)}, {"temperature": 0.1}):
        assert _config("llm_html", **change).data_digest() != plain.data_digest()
    with pytest.raises(InvalidOptions, match="api_key: there is no such field"):
        _config("llm_html", api_key=KEY)


def _config(name: str, **changes: Any) -> Any:
    return config_of({"type": name, "scenarios": ("A farm shop",), "model": "m", **changes})
