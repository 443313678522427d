"""Several classes in one run: exact parts, one folder, one schema, and each key re-derivable."""

from __future__ import annotations

import pytest
from runs import COMMAND, factory, manifest_of, sums

from factory.core import registry
from factory.core.errors import InvalidOptions, UnknownType
from factory.engine.batch import batch_of, mix_of
from factory.engine.card import data_files
from factory.engine.generate import complete_batch, generate
from factory.engine.run import RunOptions
from factory.engine.show import show
from factory.engine.stats import rows
from factory.engine.verify import verify

TWO = {"classes": {"rotate": 2.0, "slider_jigsaw_gap": 1.0}, "n": 12, "shard_samples": 5}


def made(out, **changes):
    generate(complete_batch(mix_of({**TWO, **changes})), out, RunOptions(workers=1))
    return out


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return made(tmp_path_factory.mktemp("two") / "run")


def test_weights_are_met_exactly(two):
    assert {n: c["samples"] for n, c in manifest_of(two)["classes"].items()} == {
        "rotate": 8,
        "slider_jigsaw_gap": 4,
    }


def test_the_run_verifies_and_any_key_is_made_again(two):
    assert verify(two).ok
    for row in list(rows(two, ["key"]))[::5]:
        assert show(row["key"], run=two).equal


def test_workers_change_nothing(two, tmp_path):
    batch = complete_batch(mix_of(TWO))
    generate(batch, tmp_path / "run", RunOptions(workers=2))
    assert sums(tmp_path / "run") == sums(two)


def test_a_class_in_a_mix_has_the_samples_that_it_has_alone(two, tmp_path):
    generate(complete_batch(batch_of("rotate", {"n": 3})), tmp_path / "run", RunOptions(workers=1))
    alone = {
        row["key"]: row["fingerprint"] for row in rows(tmp_path / "run", ["key", "fingerprint"])
    }
    mixed = {row["key"]: row["fingerprint"] for row in rows(two, ["key", "fingerprint"])}
    assert alone.items() <= mixed.items()


def test_the_config_of_a_mix_makes_the_mix_again(two, tmp_path):
    done = factory("gen", "mix", two / "config.toml", "--out", tmp_path / "run", "--workers", 1)
    assert done.returncode == 0, (COMMAND, done.stderr)
    assert sums(tmp_path / "run") == sums(two)


def test_tables_of_a_class_win_over_what_all_share():
    batch = mix_of({**TWO, "difficulty": (0.1, 0.2), "class": {"rotate": {"difficulty": (0.9, 1)}}})
    assert [config.difficulty for config in batch.configs] == [(0.9, 1.0), (0.1, 0.2)]


def test_a_family_and_all_name_their_classes():
    assert [c.type for c in batch_of("all", {"n": 100}).configs] == registry.names()
    family = batch_of("slider_drag", {"n": 100})
    assert {registry.get(c.type).family for c in family.configs} == {"slider_drag"}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"classes": {}}, "table \\[classes\\]"),
        ({"classes": {"rotate": -1}}, "no positive weight"),
        ({"n": 1}, "one for each of the 2 classes"),
        ({"class": {"text_qa": {}}}, "does not name"),
        ({"class": {"rotate": {"seed": 5}}}, "share"),
    ],
)
def test_what_a_mix_cannot_mean_is_refused(fields, says):
    with pytest.raises(InvalidOptions, match=says):
        mix_of({**TWO, **fields})


def test_an_unknown_class_in_a_mix_is_named():
    with pytest.raises(UnknownType, match="rotat"):
        mix_of({"classes": {"rotat": 1}})


def test_options_of_several_classes_need_a_file():
    with pytest.raises(InvalidOptions, match="gen mix"):
        batch_of("all", {"options": {"detail": 1}})


def test_the_card_names_the_shards_of_every_group():
    """Samples of several pictures have shards of their own, which a reader would miss."""
    both = mix_of({"n": 4, "classes": {"rotate": 1.0, "pager_image_match": 1.0}})
    said = "\n".join(data_files(both))
    assert "config_name: default" in said and "path: train/*.tar" in said
    assert "config_name: i08" in said and "path: frames/i08/train/*.tar" in said
    alone = "\n".join(data_files(mix_of({"n": 4, "classes": {"pager_image_match": 1.0}})))
    assert "path: train/*.tar" not in alone and "frames/i08" in alone
