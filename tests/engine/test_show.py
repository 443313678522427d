"""``show`` makes a sample again and proves it, with and without the bank of pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import orjson
import pytest
from runs import (
    N,
    factory,
    key_of,
    make_run,
    manifest_of,
    refusing,
    register_variant,
    small_config,
)

from exporters.shard_reader import read_sample
from factory.core.errors import InvalidOptions, VerificationFailed
from factory.draw import assets
from factory.engine.finish import config_toml
from factory.engine.generate import complete
from factory.engine.show import show
from factory.engine.stats import rows


@pytest.mark.parametrize("index", [0, 7, N - 1])
def test_a_sample_is_made_again_to_the_same_bytes(small_run, index):
    key = key_of(small_run, index)
    shown = show(key, run=small_run)
    row = next(row for row in rows(small_run, ["key", "shard", "offset"]) if row["key"] == key)
    stored = read_sample(small_run / row["shard"], row["offset"], key)
    assert shown.equal is True
    assert dict(shown.parts) == stored
    assert shown.proof["differences"] == []
    assert shown.record["key"] == key


def test_the_proof_names_versions_and_digests(small_run):
    said = "\n".join(show(key_of(small_run, 0), run=small_run).lines())
    assert "bytes     equal to the run's" in said
    for name in ("numpy=", "opencv-python-headless=", "skia-python=", "python=", "asset:bank="):
        assert name in said
    assert said.count("sha256 ") == 3


@pytest.fixture
def home_without_bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with fonts and icons, and no bank of pages."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "npm").symlink_to(assets.home() / "npm")
    monkeypatch.setenv("FACTORY_HOME", str(home))
    return home


def test_a_copied_run_is_enough_where_there_is_no_bank(small_run, tmp_path, home_without_bank):
    copy = shutil.copytree(small_run, tmp_path / "copied")
    for index in (1, 8, 15):
        assert show(key_of(copy, index), run=copy).equal is True


def test_every_sample_of_a_copied_run_can_be_made_where_there_is_no_bank(
    small_run, tmp_path, home_without_bank
):
    copy = shutil.copytree(small_run, tmp_path / "copied")
    done = factory("show", key_of(copy, 5), "--run", copy)
    assert done.returncode == 0, done.stderr
    assert "equal to the run's" in done.stdout


def test_under_other_versions_it_says_what_differs(small_run, tmp_path):
    copy = shutil.copytree(small_run, tmp_path / "copied")
    facts = orjson.loads((copy / "provenance.json").read_bytes())
    facts |= {"package:numpy": "1.0.0", "cpu": "SSE", "asset:chromium": "99"}
    (copy / "provenance.json").write_bytes(orjson.dumps(facts))
    shown = show(key_of(copy, 0), run=copy)
    assert shown.equal is True
    names = [line.partition(":")[0] for line in shown.proof["differences"]]
    assert len(names) == 3
    said = list(shown.lines())
    assert any(line.startswith("differs   package:numpy: here ") for line in said)
    assert any(line.endswith("there 1.0.0") for line in said)


def test_other_bytes_are_said_and_end_with_one(small_run, tmp_path):
    copy = shutil.copytree(small_run, tmp_path / "copied")
    shard = copy / manifest_of(copy)["shards"][0]["name"]
    data = bytearray(shard.read_bytes())
    place = data.index(b"\xff\xd8\xff")
    data[place + 5000] ^= 1
    shard.write_bytes(data)
    done = factory("show", key_of(copy, 0), "--run", copy)
    assert done.returncode == 1
    assert "NOT the run's" in done.stdout


def test_a_config_file_is_enough_without_a_run(small_run, tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(config_toml(small_config()))
    shown = show(key_of(small_run, 2), config=path)
    assert shown.equal is None
    assert shown.parts == show(key_of(small_run, 2), run=small_run).parts


@pytest.fixture(scope="module")
def own_pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty smooth pictures with a dark top."""
    folder = tmp_path_factory.mktemp("pictures")
    numbers = np.random.default_rng(0)
    for index in range(40):
        small = numbers.integers(0, 255, (9, 9, 3), dtype=np.uint8)
        picture = cv2.resize(small, (600, 400), interpolation=cv2.INTER_CUBIC)
        picture[:150] //= 3
        cv2.imwrite(str(folder / f"{index}.jpg"), picture)
    return folder


def test_a_run_with_own_pictures_asks_for_their_folder(tmp_path, own_pictures):
    run = make_run(tmp_path / "run", assets=(str(own_pictures),))
    mine = [row["key"] for row in rows(run, ["key", "picture"]) if row["picture"] == "user"]
    assert show(mine[0], run=run, folders=(str(own_pictures),)).equal is True
    with pytest.raises(InvalidOptions, match="--assets"):
        show(mine[0], run=run)
    text = "".join(path.read_text() for path in (run / "config.toml", run / "request.json"))
    assert str(own_pictures) not in text


def test_the_config_of_a_run_with_own_pictures_gives_no_other_run(tmp_path, own_pictures):
    config = small_config(assets=(str(own_pictures),))
    with pytest.raises(InvalidOptions, match=config.assets_digest):
        complete(config.model_copy(update={"assets": ()}))


def test_a_key_that_the_run_lacks_is_refused(small_run):
    with pytest.raises(InvalidOptions, match=r"has no sample .* `factory stats"):
        show(key_of(small_run, N), run=small_run)


def test_a_key_of_another_digest_or_seed_is_refused_with_both(small_run):
    digest = manifest_of(small_run)["config_digest"]
    for key in (f"rotate-train-s0-c00000000-{0:08d}", f"rotate-train-s5-c{digest}-{0:08d}"):
        with pytest.raises(InvalidOptions, match=rf"gives 0 and {digest}.*--run"):
            show(key, run=small_run)


@pytest.mark.parametrize("text", ["nonsense", "", "rotate-train-s0", "../../etc/passwd"])
def test_what_is_not_a_key_is_refused_with_an_example(small_run, text):
    with pytest.raises(InvalidOptions, match="rotate-train-s0-c"):
        show(text, run=small_run)


def test_a_folder_that_is_no_run_is_refused(small_run, tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(InvalidOptions, match=str(folder)):
            show(key_of(small_run, 0), run=folder)


def test_the_replay_of_a_quarantined_key_shows_the_same_error(tmp_path, monkeypatch):
    def odd(state):
        return int(state.need_deg * 1e6) % 5 == 0

    register_variant(monkeypatch, "torn", check=refusing(odd, VerificationFailed))
    run = make_run(tmp_path / "run", type="torn")
    key = manifest_of(run)["holes"][0]
    with pytest.raises(VerificationFailed, match="contradiction"):
        show(key, run=run)
