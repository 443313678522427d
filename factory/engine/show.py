"""Re-derive one sample, and say under which versions its bytes are equal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from exporters.shard_reader import read_sample
from factory.config import read_toml
from factory.core import record as records
from factory.core.errors import InvalidOptions
from factory.core.rng import SampleKey
from factory.draw import assets
from factory.engine.batch import config_of, open_workshop
from factory.engine.generate import complete
from factory.engine.provenance import differences
from factory.engine.stats import rows
from factory.engine.workshop import Workshop, only
from factory.llm_config import LlmConfig


@dataclass(frozen=True)
class Shown:
    """A sample made again. ``equal`` is None where there is no run to compare with."""

    parts: Mapping[str, bytes]
    record: dict[str, Any]
    response: str
    prompt: str
    equal: bool | None
    proof: dict[str, Any]

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"key       {self.record['key']}"
        yield f"class     {self.record['generator']}, difficulty {self.record['difficulty']}"
        yield f"canvas    {self.record['plate']['viewport']}, {self.record['context']}, " + (
            f"{self.record['theme']}, {self.record['lang']}"
        )
        yield f"prompt    {self.prompt}"
        yield f"response  {self.response}"
        state = {True: "equal to the run's", False: "NOT the run's", None: "no run to compare with"}
        yield f"bytes     {state[self.equal]}"
        for name, digest in self.proof["sha256"].items():
            yield f"sha256    {name} {digest}"
        for line in self.proof["differences"]:
            yield f"differs   {line}"
        versions = self.proof["versions"]
        listed = " ".join(f"{name.removeprefix('package:')}={v}" for name, v in versions.items())
        yield f"versions  {listed}"


def show(
    key_text: str,
    *,
    run: Path | None = None,
    config: Path | None = None,
    folders: tuple[str, ...] = (),
) -> Shown:
    """Make the sample of ``key_text`` again.

    The config comes from the run, from a file, or is the default one;
    ``InvalidOptions`` when its digest is not the key's. ``folders`` are the
    user's own pictures, which a run names by digest only.
    """
    key = SampleKey.parse(key_text)
    workshop = workshop_for(key, run, config, folders)
    stored = _stored(run, key_text) if run else None
    made = only(workshop, key)
    theirs = _provenance_of(run, key.type) if run else {}
    proof = {
        "sha256": {part: hashlib.sha256(data).hexdigest() for part, data in made.parts.items()},
        "differences": differences(workshop.provenance, theirs) if run else [],
        "versions": workshop.provenance,
    }
    flat = records.decode(made.parts["json"])
    return Shown(
        parts=made.parts,
        record=orjson.loads(flat.payload),
        response=flat.response,
        prompt=flat.prompt,
        equal=None if stored is None else dict(stored) == dict(made.parts),
        proof=proof,
    )


def workshop_for(
    key: SampleKey, run: Path | None, file: Path | None, folders: tuple[str, ...]
) -> Workshop:
    """The workshop that made a key, by its run, by a config file, or by the default options.

    A run brings its config, which is complete, and its pages where this home has no such bank.
    """
    bank = None
    if run is not None:
        if not run.is_dir():
            raise InvalidOptions(f"{run} is not a folder; give the --out of a run")
        config = config_of(fields_of(read_toml(run / "config.toml"), key.type, folders))
        if isinstance(config, LlmConfig):
            config = config.replayed(run)
        if config.assets_digest and not folders:
            raise InvalidOptions(f"{run} shows pictures of your own; name their folder by --assets")
        banked = assets.home() / "bank" / config.bank_digest / "bank.json"
        if config.bank_digest and not banked.is_file():
            bank = run / "assets"
    else:
        values = fields_of(read_toml(file) if file else {}, key.type, folders)
        config = complete(config_of({**values, "seed": key.seed}))
    if config.data_digest() != key.digest or config.seed != key.seed:
        where = f"{run}" if run else f"{file}" if file else "the default options"
        raise InvalidOptions(
            f"{key} has seed {key.seed} and config digest {key.digest}, {where} gives "
            f"{config.seed} and {config.data_digest()}; "
            "name its run by --run, or its config by --config"
        )
    return open_workshop(config, bank)


def _stored(run: Path, key: str) -> Mapping[str, bytes] | None:
    """The sample in the run; None for a hole, which has no bytes to compare."""
    for row in rows(run, ["key", "shard", "offset"]):
        if row["key"] == key:
            return read_sample(run / row["shard"], row["offset"], key)
    if key in orjson.loads((run / "manifest.json").read_bytes())["holes"]:
        return None
    raise InvalidOptions(f"{run} has no sample {key}; `factory stats {run}` shows what it holds")


def fields_of(
    values: Mapping[str, Any], type_name: str, folders: tuple[str, ...]
) -> dict[str, Any]:
    """The fields of one class in a config file, which may be that of a mix."""
    shared = {name: value for name, value in values.items() if name not in ("classes", "class")}
    own = values.get("class", {}).get(type_name, {})
    return {**shared, **own, "type": type_name, "assets": folders}


def _provenance_of(run: Path, type_name: str) -> dict[str, str]:
    facts = orjson.loads((run / "provenance.json").read_bytes())
    generators = facts.pop("generators")
    return {**facts, "generator": generators.get(type_name, "absent")}
