"""A wrong request costs one line that says what to do, and its documented exit code."""

from __future__ import annotations

import resource
import subprocess
import sys
from contextlib import suppress

import pytest
from runs import factory, gen, journalled, key_of, ours, started, sums, wait_for

from factory.cli import app as cli
from factory.draw import assets

BASE = ("gen", "captcha", "--type", "rotate", "--n", "2")
GEN = ("gen", "captcha")
ROTATE = ("--type", "rotate")


def refused(done, code, *parts):
    """One line on stderr with all ``parts``, nothing on stdout, this exit code."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("factory: ") and done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr and "pydantic" not in done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr


WRONG = {
    "wrong type": ((*GEN, "--type", "rotat"), ["no class 'rotat'", "did you mean 'rotate'?"]),
    "a scenario as puzzle": ((*GEN, "--type", "mail"), ["gen grounding --scenario mail"]),
    "a puzzle as scenario": (
        ("gen", "grounding", "--scenario", "rotate"), ["no scenario 'rotate'"],
    ),
    "wrong scenario": (("gen", "grounding", "--scenario", "contact"), ["did you mean 'contacts'?"]),
    "scenario beside a prompt": (
        ("gen", "grounding", "--scenario", "mail", "--prompt", "a shop"), ["leave it out"],
    ),
    "prompt without a model": (
        ("gen", "grounding", "--prompt", "a shop", "--n", "1"), ["model: has to be given"],
    ),
    "theme of no page": (
        ("gen", "grounding", "--scenario", "mail", "--theme", "pink", "--n", "1"), ["pink"],
    ),
    "negative n": ((*GEN, *ROTATE, "--n", "-5"), ["n: ", "greater than or equal to 1, not -5"]),
    "no samples": ((*GEN, *ROTATE, "--n", "0"), ["n: ", "not 0"]),
    "n in words": ((*GEN, *ROTATE, "--n", "many"), ["--n", '"many"']),
    "difficulty too high": ((*BASE, "--difficulty", "2"), ["2.0..2.0", "within 0..1"]),
    "negative difficulty": ((*BASE, "--difficulty", "-1"), ["--difficulty '-1'", "0.3-0.7"]),
    "difficulty backwards": ((*BASE, "--difficulty", "0.7-0.2"), ["low end first"]),
    "viewport": ((*BASE, "--viewport", "12"), ["'12'", "1280x800"]),
    "knob without value": ((*BASE, "--option", "nonsense"), ["'nonsense' is not name=value"]),
    "unknown lang": ((*BASE, "--lang", "fr"), ["fr is not one of en, zh"]),
    "unknown theme": ((*BASE, "--theme", "blue"), ["blue is not one of light, dark"]),
    "unknown context": ((*BASE, "--context", "x"), ["embedded, modal"]),
    "context of no viewport": (
        (*BASE, "--viewport", "1280x800", "--context", "sheet"), ["sheet", "1280x800"],
    ),
    "negative weight": ((*BASE, "--lang", "en=-1"), ["positive"]),
    "weight in words": ((*BASE, "--lang", "en=much"), ["'en=much'"]),
    "negative seed": ((*BASE, "--seed", "-1"), ["seed: ", "not -1"]),
    "quality": ((*BASE, "--quality", "1000"), ["quality: ", "not 1000"]),
    "format": ((*BASE, "--format", "gif"), ["'jpg' or 'png'"]),
    "split": ((*BASE, "--split", "dev"), ["'train', 'val', 'test' or 'all'"]),
    "start method": ((*BASE, "--start-method", "thread"), ["fork, spawn, forkserver"]),
    "no workers": ((*BASE, "--workers", "0"), ["'0'", "auto"]),
    "portion": ((*BASE, "--shard", "3/2"), ["'3/2'"]),
    "unknown option": ((*BASE, "--numbr", "3"), ["--numbr"]),
    "value left out": ((*BASE, "--config"), ["--config", "requires an argument"]),
}  # fmt: skip


@pytest.mark.parametrize(("words", "parts"), WRONG.values(), ids=WRONG)
def test_a_wrong_request_is_refused_before_anything_is_written(tmp_path, words, parts):
    out = tmp_path / "run"
    refused(factory(*words[:2], "--out", out, *words[2:]), 2, *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_viewport_without_room_for_a_panel_is_refused(tmp_path):
    done = factory(*BASE, "--out", tmp_path / "run", "--viewport", "40x40")
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert (
        said.startswith("factory: no page") and "40x40@1" in said and "the smallest needs" in said
    )
    assert not (tmp_path / "run").exists()


def test_an_unknown_knob_names_those_there_are(tmp_path):
    done = factory(*BASE, "--out", tmp_path / "run", "--option", "nonsense=3")
    assert done.returncode == 2 and "nonsense" in done.stderr
    assert "track_turn_deg" in done.stderr and "Traceback" not in done.stderr


def test_more_samples_than_there_are_pictures_are_refused_with_ways_out(tmp_path):
    out = tmp_path / "run"
    done = factory(
        "gen", "captcha", "--type", "rotate", "--n", "100000000", "--out", out, "--dry-run"
    )
    refused(done, 2, "holds ", "100000000", "--allow-repeats")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("n = [", "is not TOML"),
        ("numbr = 3", "numbr: there is no such field"),
        ("type = 3", "not the name of a class"),
        ("options = 3", "options"),
        ('viewports = ["1280x800"]', "viewports: "),
        ('n = "many"', "n: "),
    ],
)
def test_a_broken_config_names_its_fault(tmp_path, text, part):
    path = tmp_path / "config.toml"
    path.write_text(text)
    named = () if "type" in text else ROTATE
    refused(factory(*GEN, "--config", path, *named), 2, part)


def test_an_absent_config_is_named():
    refused(factory("gen", "captcha", "--config", "/nowhere.toml"), 2, "/nowhere.toml")


def test_no_class_at_all_asks_for_one():
    refused(factory("gen", "captcha", "--n", "3"), 2, "--type rotate")


def test_an_unknown_command_is_refused():
    refused(factory("gne"), 2, "gne")


def test_a_used_folder_is_refused_and_its_advice_works(small_run):
    refused(gen(small_run), 5, str(small_run), "--resume", "another --out")
    done = gen(small_run, "--resume")
    assert done.returncode == 0, done.stderr


def test_another_request_is_refused_with_the_difference(small_run):
    refused(gen(small_run, "--resume", "--seed", "4"), 5, "seed: here 4, there 0")


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_file_in_the_way_is_named(tmp_path, place):
    (tmp_path / "file").write_text("mine")
    refused(factory(*BASE, "--out", tmp_path / place), 5, "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_run_that_is_being_written_is_refused_with_its_process(tmp_path):
    out = tmp_path / "run"
    words = ("gen", "captcha", "--type", "rotate", "--n", "2000", "--out", out, "--workers", "1")
    with started(*words) as process:
        wait_for(lambda: (out / "request.json").exists())
        refused(factory(*words, "--resume"), 5, str(process.pid), "--steal")
        process.kill()


def test_without_a_bank_the_line_that_brings_one_is_named(tmp_path):
    done = factory(*BASE, "--out", tmp_path / "run", env={"FACTORY_HOME": str(tmp_path / "home")})
    refused(done, 3, "factory setup")


@pytest.mark.parametrize("workers", [1, 2])
def test_without_a_font_the_line_that_brings_it_is_named(tmp_path, workers):
    home, modules = tmp_path / "home", tmp_path / "home" / "npm" / "node_modules"
    modules.mkdir(parents=True)
    (home / "bank").symlink_to(assets.home() / "bank")
    for package in (assets.home() / "npm" / "node_modules").iterdir():
        if package.name != "@expo-google-fonts":
            (modules / package.name).symlink_to(package)
    words = ("--out", tmp_path / "run", "--shard-samples", 1, "--workers", workers)
    done = factory(*BASE, *words, env={"FACTORY_HOME": str(home)})
    refused(done, 3, "noto-sans-sc", "factory setup")


@pytest.mark.parametrize("command", ["verify", "stats"])
def test_a_folder_that_is_not_there_is_named(command):
    refused(factory(command, "/nowhere"), 5, "/nowhere")


def test_show_refuses_what_the_run_does_not_have(small_run):
    refused(factory("show", "nonsense", "--run", small_run), 2, "rotate-train-s0-c")
    refused(factory("show", key_of(small_run, 99), "--run", small_run), 2, "has no sample")
    refused(factory("show", key_of(small_run, 0), "--run", "/nowhere"), 2, "/nowhere")
    foreign = "rotate-train-s0-cdeadbeef-00000000"
    refused(factory("show", foreign, "--run", small_run), 2, "deadbeef", "--run")


# A disk that fills while a run is written.


def small_disk(folder):
    """Mount 120 MB at ``folder``; False where this user may not."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=120m", "none", str(folder)], capture_output=True
    )
    return done.returncode == 0


def fill(path):
    """Write until there is no space."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass


def short_files():
    """In a child before exec, where no disk can be mounted: no file may pass 200 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def test_a_disk_that_fills_ends_with_six_and_resume_completes_the_run(small_run, tmp_path):
    disk = tmp_path / "disk"
    mounted = small_disk(disk)
    try:
        out, balloon = disk / "run", disk / "balloon"
        words = ("gen", "captcha", "--type", "rotate", "--n", "240", "--shard-samples", "12")
        if mounted:
            with started(*words, "--out", out, "--workers", "2") as process:
                wait_for(lambda: journalled(out) >= 1)
                fill(balloon)
                said = ours(process.stderr.read().decode())
            assert process.returncode == 6, said
            assert said.count("\n") == 1 and "--resume" in said
            refused(factory(*words, "--out", out, "--resume"), 6, "GB free")
            balloon.unlink()
        else:
            assert factory(*words, "--out", out, before=short_files).returncode == 5
        done = factory(*words, "--out", out, "--resume")
        assert done.returncode == 0, done.stderr
        assert factory("verify", out).returncode == 0
        assert len(sums(out)) > 20
    finally:
        if mounted:
            subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize(
    ("words", "hint"), [(GEN, "; --resume continues the run"), (("list",), "")]
)
def test_only_commands_that_resume_say_so_when_they_are_interrupted(
    monkeypatch, capsys, words, hint
):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    monkeypatch.setattr(sys, "argv", ["factory", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130
    assert ours(capsys.readouterr().err) == f"factory: interrupted{hint}\n"
