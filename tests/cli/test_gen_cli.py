"""``factory gen`` and the commands that read a run, as a person or a script uses them."""

from __future__ import annotations

import re
import subprocess

import cv2
import orjson
import pytest
from runs import COMMAND, PER_SHARD, SMALL, N, environment, factory, gen, key_of, sums


def result_of(done):
    """The last line of ``--json``, after checking that each line is an event."""
    assert done.returncode == 0, done.stderr
    events = [orjson.loads(line) for line in done.stdout.splitlines()]
    assert all(event["event"] in ("note", "progress", "result") for event in events)
    assert [event["event"] for event in events].index("result") == len(events) - 1
    return events[-1]


def test_json_lines_tell_the_progress_and_end_with_the_result(small_run, tmp_path):
    done = gen(tmp_path / "run", "--workers", 2, "--json")
    result = result_of(done)
    assert result == {
        "event": "result", "out": str(tmp_path / "run"), "samples": N, "shards": N // PER_SHARD,
        "bytes": result["bytes"], "holes": 0, "duplicates": 0, "classes": {"rotate": N},
        "preview": str(tmp_path / "run" / "preview.jpg"),
    }  # fmt: skip
    progress = [e for e in map(orjson.loads, done.stdout.splitlines()) if e["event"] == "progress"]
    assert progress[-1]["done"] == progress[-1]["total"] == N
    assert {"per_s", "reject_rate", "bytes"} <= progress[-1].keys()
    assert sums(tmp_path / "run") == sums(small_run)


def test_portions_of_the_command_line_add_up(small_run, tmp_path):
    out = tmp_path / "run"
    for part in (1, 2):
        done = gen(out, "--shard", f"{part}/2", "--resume", "--workers", 1)
        assert done.returncode == 0, done.stderr
        assert "plain --resume" in done.stdout
    result_of(gen(out, "--resume", "--json"))
    assert sums(out) == sums(small_run)


def test_a_dry_run_says_what_would_be_made_and_writes_nothing(tmp_path):
    result = result_of(gen(tmp_path / "run", "--dry-run", "--json"))
    assert (result["samples"], result["shards"], result["samples_per_shard"]) == (
        N, N // PER_SHARD, PER_SHARD,
    )  # fmt: skip
    assert result["first_key"].startswith("rotate-train-s0-c")
    assert result["capacity"]["train"] > N
    assert list(tmp_path.iterdir()) == []


def test_a_preview_is_a_picture_beside_the_run(tmp_path):
    done = factory(
        "gen", "captcha", "--type", "rotate", "--n", 2, "--out", tmp_path / "run", "--preview", 2
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / "run-preview.jpg"
    assert str(path) in done.stderr
    assert cv2.imread(str(path)).shape[2] == 3
    assert cv2.imread(str(tmp_path / "run" / "preview.jpg")) is not None


def test_the_config_of_a_run_gives_the_same_run(small_run, tmp_path):
    done = factory("gen", "captcha", "--config", small_run / "config.toml", "--out", tmp_path / "x")
    assert done.returncode == 0, done.stderr
    assert sums(tmp_path / "x") == sums(small_run)


def test_the_command_line_wins_over_the_config(small_run):
    words = ("gen", "captcha", "--config", small_run / "config.toml", "--dry-run", "--json")
    result = result_of(factory(*words, "--n", 7, "--seed", 3))
    assert result["samples"] == 7
    assert result["first_key"].startswith("rotate-train-s3-c")
    assert result["first_key"].split("-c")[1] == key_of(small_run, 0).split("-c")[1]


def test_every_option_reaches_the_samples(tmp_path):
    words = (
        "--type", "rotate", "--n", 4, "--lang", "zh", "--theme", "dark", "--viewport", "1280x800",
        "--context", "modal", "--difficulty", "0.3-0.4", "--format", "png", "--seed", 9,
        "--option", "track_turn_deg=300",
    )  # fmt: skip
    done = factory("gen", "captcha", *words, "--out", tmp_path / "run", "--workers", 1)
    assert done.returncode == 0, done.stderr
    stats = orjson.loads(factory("stats", tmp_path / "run", "--json").stdout)
    assert stats["lang"] == {"zh": 4} and stats["theme"] == {"dark": 4}
    assert stats["canvas"] == {"1280x800@1": 4} and stats["context"] == {"modal": 4}
    assert stats["difficulty"] == {"0.2-0.4": 4}


def test_verify_stats_show_and_list_speak_json(small_run):
    report = orjson.loads(factory("verify", small_run, "--json").stdout)
    assert report == {
        "ok": True, "shards": N // PER_SHARD, "samples": N, "holes": 0, "problems": []
    }  # fmt: skip
    stats = orjson.loads(factory("stats", small_run, "--json").stdout)
    assert stats["samples"] == N and stats["type"] == {"rotate": N}
    shown = orjson.loads(factory("show", key_of(small_run, 1), "--run", small_run, "--json").stdout)
    assert shown["equal"] is True and shown["record"]["key"] == key_of(small_run, 1)
    assert {"sha256", "differences", "versions"} == shown["proof"].keys()
    classes = {row["id"]: row for row in orjson.loads(factory("list", "--json").stdout)}
    assert classes["rotate"]["mechanics"] == ["slide"]
    told = {"id", "family", "mechanics", "version", "single_shot", "covers"}
    assert classes["rotate"].keys() == told


def test_verify_names_a_problem_and_ends_with_one(tmp_path):
    (tmp_path / "run").mkdir()
    done = factory("verify", tmp_path / "run", "--json")
    assert done.returncode == 1
    report = orjson.loads(done.stdout)
    assert report["ok"] is False
    assert report["problems"] == [
        {
            "code": "manifest-missing", "shard": "manifest.json", "key": "",
            "message": "the run is not complete: --resume it",
        }
    ]  # fmt: skip


def test_show_writes_the_parts_of_a_sample(small_run, tmp_path):
    key = key_of(small_run, 2)
    assert factory("show", key, "--run", small_run, "--out", tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{key}.{part}" for part in ("jpg", "json", "txt")
    ]


def test_people_read_tables(small_run):
    assert "slide" in factory("list").stdout
    assert re.search(rf"^samples +{N}$", factory("stats", small_run).stdout, re.MULTILINE)
    said = factory("verify", small_run).stdout
    assert f"ok; {N // PER_SHARD} shards, {N} samples, 0 holes" in said


@pytest.mark.parametrize("words", [("--help",), ("gen", "captcha", "--help"), ("show", "--help")])
def test_help_is_help(words):
    done = factory(*words)
    assert done.returncode == 0 and "Usage: factory" in done.stdout and not done.stderr


def test_a_closed_pipe_is_no_error(small_run):
    with subprocess.Popen(
        [*COMMAND, "stats", str(small_run)],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 0


def test_the_default_folder_names_the_request(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = result_of(factory("gen", "captcha", *SMALL, "--dry-run", "--json"))
    assert result["out"] == f"runs/rotate-train-s0-c{result['first_key'].split('-c')[1][:8]}"
