"""From the words of ``factory gen`` to a config, and what it prints about one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from factory.config import read_toml
from factory.core.errors import InvalidOptions
from factory.engine.batch import Batch, Workshops, batch_of


def build(
    fields: dict[str, Any],
    *,
    config: Path | None,
    difficulty: str | None,
    lang: tuple[str, ...],
    viewport: tuple[str, ...],
    theme: tuple[str, ...],
    context: tuple[str, ...],
    option: tuple[str, ...],
    assets: tuple[str, ...],
) -> Batch:
    """The batch of a request; what the command line leaves out comes from ``config``."""
    values = read_toml(config) if config else {}
    values |= {name: value for name, value in fields.items() if value is not None}
    if not isinstance(values.get("type", ""), str):
        raise InvalidOptions(f"type: {values['type']!r} is not the name of a class")
    if not values.get("type"):
        raise InvalidOptions("no class given; add --type, for example --type rotate")
    if difficulty is not None:
        values["difficulty"] = span(difficulty)
    for name, words in (("langs", lang), ("viewports", viewport), ("themes", theme)):
        if words:
            values[name] = weights(words)
    if context:
        values["contexts"] = context
    if option:
        table = values.get("options", {})
        if not isinstance(table, dict):
            raise InvalidOptions(f"options: {table!r} is not a table")
        values["options"] = {**table, **dict(map(knob, option))}
    if assets:
        values["assets"] = assets
    return batch_of(values.pop("type"), values)


def span(text: str) -> tuple[float, float]:
    """``0.5`` or ``0.3-0.7`` as a pair."""
    low, dash, high = text.partition("-")
    try:
        return float(low), float(high if dash else low)
    except ValueError as error:
        raise InvalidOptions(
            f"--difficulty {text!r} is neither a number in 0..1 nor a range such as 0.3-0.7"
        ) from error


def weights(words: tuple[str, ...]) -> dict[str, float]:
    """``("en=0.8", "zh")`` as weights; a bare word weighs 1."""
    result: dict[str, float] = {}
    for word in words:
        name, equals, weight = word.partition("=")
        try:
            result[name] = float(weight) if equals else 1.0
        except ValueError as error:
            raise InvalidOptions(f"the weight in {word!r} is not a number") from error
    return result


def knob(text: str) -> tuple[str, Any]:
    """``name=value`` with the value read as TOML, or kept as text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InvalidOptions(f"--option {text!r} is not name=value")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def worker_count(text: str) -> int:
    """``auto`` as 0, else a positive number."""
    if text == "auto":
        return 0
    if not text.isdecimal() or int(text) < 1:
        raise InvalidOptions(f"--workers {text!r} is neither auto nor a positive number")
    return int(text)


def portion(text: str) -> tuple[int, int]:
    """``2/5`` as (1, 5): the second of five."""
    part, slash, parts = text.partition("/")
    if not (slash and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise InvalidOptions(f"--shard {text!r} is not i/n with 1 <= i <= n")
    return int(part) - 1, int(parts)


def dry_run(batch: Batch, out: Path) -> dict[str, Any]:
    """What a run would make."""
    from factory.engine.generate import plan

    work = plan(batch)
    classes = {
        workshop.config.type: {
            "generator": workshop.generator,
            "samples": workshop.config.n,
            "shards": sum(shard.type == workshop.config.type for shard in work.plans),
            "samples_per_shard": max(
                shard.count for shard in work.plans if shard.type == workshop.config.type
            ),
            "capacity": {
                split: workshop.capacity(split) for split in workshop.config.split_sizes()
            },
            "first_key": str(workshop.key(work.plans[0].split, 0)),
        }
        for workshop in Workshops(batch.configs, work.bank)
    }
    sizes = (config.n * work.bytes_per_sample[config.type] for config in batch.configs)
    whole = {
        "out": str(out),
        "samples": batch.n,
        "shards": len(work.plans),
        "bytes_at_most": int(sum(sizes)),
    }
    return whole | (next(iter(classes.values())) if len(classes) == 1 else {"classes": classes})


def write_preview(batch: Batch, out: Path, count: int) -> Path:
    """A sheet of the first samples, class by class, beside the run's folder."""
    import cv2
    import numpy as np

    from factory.engine.preview import contact_sheet, first_image
    from factory.engine.workshop import only

    each = -(-count // len(batch.configs))
    pictures = [
        np.asarray(cv2.imdecode(np.frombuffer(first_image(made.parts), np.uint8), cv2.IMREAD_COLOR))
        for workshop in Workshops(batch.configs)
        for made in (
            only(workshop, workshop.key(batch.splits()[0], index)) for index in range(each)
        )
    ]
    path = out.with_name(out.name + "-preview.jpg")
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), contact_sheet(pictures))
    return path


def summary(manifest: dict[str, Any], out: Path) -> dict[str, Any]:
    """What ``gen`` prints at its end."""
    if not manifest:
        return {"out": str(out), "portion": "made; finish with a plain --resume"}
    return {
        "out": str(out),
        "classes": {name: one["samples"] for name, one in manifest["classes"].items()},
        "samples": manifest["samples"],
        "shards": len(manifest["shards"]),
        "bytes": sum(shard["bytes"] for shard in manifest["shards"]),
        "holes": len(manifest["holes"]),
        "duplicates": manifest["duplicates"],
        "preview": str(out / "preview.jpg"),
    }
