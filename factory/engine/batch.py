"""What one run makes: one config per class, each with its own number of samples.

A run of one class is a batch of one. In a file, a batch of several is the fields that
all classes share, a table ``[classes]`` of weights (class ids, families or ``all``) and
tables ``[class.ID]`` of what a class has otherwise. A scenario counts as a class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from exporters.shards import PAGES, group_name
from factory.config import RunConfig
from factory.core import registry
from factory.core.errors import InvalidOptions
from factory.engine.llm_workshop import LlmWorkshop
from factory.engine.mixture import quotas
from factory.engine.scene_workshop import SceneWorkshop
from factory.engine.studio import Studio, puzzle_of
from factory.engine.workshop import Workshop
from factory.llm_config import LLM_TYPES, LlmConfig
from factory.scenarios import catalog
from factory.scene_config import SceneConfig

DEFAULT_N = 1000


@dataclass(frozen=True)
class Batch:
    """Configs of different classes that share seed, split, format and pages."""

    configs: tuple[RunConfig, ...]
    name: str
    """How it was asked for: a class, a family, ``all`` or ``mix``."""

    def __post_init__(self) -> None:
        """Refuse what cannot lie in one folder."""
        shared = {(c.seed, c.split, c.format, c.bank_digest, c.keep_rejected) for c in self.configs}
        types = [config.type for config in self.configs]
        if len(shared) != 1 or len(set(types)) != len(types):
            raise InvalidOptions(
                f"the classes of one run ({', '.join(types)}) differ from each other and share "
                "seed, split, format, pages and keep_rejected"
            )

    @property
    def first(self) -> RunConfig:
        """One of them, for what all share."""
        return self.configs[0]

    @property
    def n(self) -> int:
        """Samples in all."""
        return sum(config.n for config in self.configs)

    @property
    def digest(self) -> str:
        """8 hex digits of everything that affects data; a single class's own."""
        if len(self.configs) == 1:
            return self.first.data_digest()
        text = "|".join(f"{c.type} {c.n} {c.data_digest()}" for c in self.configs)
        return blake2b(text.encode(), digest_size=4).hexdigest()

    def splits(self) -> list[str]:
        """The splits that hold samples."""
        sizes = [config.split_sizes() for config in self.configs]
        return [split for split in sizes[0] if any(size[split] for size in sizes)]


def open_workshop(config: RunConfig, bank: Path | None = None) -> Workshop:
    """What makes the samples of a completed config; ``bank`` is where its pages lie."""
    if isinstance(config, LlmConfig):
        return LlmWorkshop(config)
    if isinstance(config, SceneConfig):
        return SceneWorkshop(config)
    return Studio.open(config, bank=bank)


def groups_of(config: RunConfig) -> tuple[str, ...]:
    """The shard groups of a config's samples, without opening its workshop."""
    if isinstance(config, SceneConfig):
        return (PAGES,)
    return tuple(map(group_name, puzzle_of(config).forms()))


class Workshops:
    """The workshops of a batch, one open at a time: each keeps pages in memory."""

    def __init__(self, configs: tuple[RunConfig, ...], bank: Path | None = None) -> None:
        self._configs = {config.type: config for config in configs}
        self._bank = bank
        self._open: Workshop | None = None

    def of(self, type_name: str) -> Workshop:
        """The workshop of a class."""
        if self._open is None or self._open.config.type != type_name:
            self._open = None
            self._open = open_workshop(self._configs[type_name], self._bank)
        return self._open

    def __iter__(self) -> Iterator[Workshop]:
        for type_name in self._configs:
            yield self.of(type_name)


SCENARIOS = "scenarios"
"""Names all scenarios, as ``all`` names all classes."""


def resolve(named: str) -> list[str]:
    """The classes of a class, a family or ``all``; a scenario, or those of ``scenarios``."""
    if named == SCENARIOS:
        return list(catalog.apps())
    return [named] if named in (*catalog.apps(), *LLM_TYPES) else registry.resolve(named)


def config_of(values: Mapping[str, Any]) -> RunConfig:
    """The config of a class or of a scenario."""
    if values.get("type") in LLM_TYPES:
        return LlmConfig.build(**values)
    kind = SceneConfig if values.get("type") in catalog.apps() else RunConfig
    return kind.build(**values)


def batch_of(named: str, values: Mapping[str, Any]) -> Batch:
    """The batch of a class, a family or ``all``: ``values`` for each, ``n`` in equal parts."""
    types = resolve(named)
    if len(types) == 1:
        return Batch((config_of({**values, "type": types[0]}),), types[0])
    if values.get("options"):
        raise InvalidOptions(
            f"options belong to one class and {named} names {len(types)}; give them in a file "
            "under [class.ID.options] and run `factory gen mix FILE`"
        )
    return mix_of({**values, "classes": dict.fromkeys(types, 1.0)}, name=named)


def mix_of(values: Mapping[str, Any], *, name: str = "mix") -> Batch:
    """The batch of a mix file's fields; ``InvalidOptions`` for anything it cannot mean."""
    shared = dict(values)
    weights = _weights(shared.pop("classes", None))
    own = _tables(shared.pop("class", {}), weights)
    n = shared.pop("n", DEFAULT_N)
    if type(n) is not int or n < len(weights):
        raise InvalidOptions(
            f"n: {n!r} is less than one for each of the {len(weights)} classes, or no number"
        )
    return Batch(
        tuple(
            config_of({**shared, **own.get(type_name, {}), "type": type_name, "n": count})
            for type_name, count in quotas(weights, n).items()
            if count
        ),
        name,
    )


def _weights(table: Any) -> dict[str, float]:
    """Weights by class id, sorted; a family's or ``all``'s weight is shared by its classes."""
    if not isinstance(table, dict) or not table:
        raise InvalidOptions("a mix has a table [classes] of weights: a class, a family or all")
    found: dict[str, float] = {}
    for named, weight in table.items():
        if not isinstance(weight, int | float) or not 0 < weight < 1e9:
            raise InvalidOptions(f"classes.{named}: {weight!r} is no positive weight")
        types = resolve(named)
        for type_name in types:
            found[type_name] = found.get(type_name, 0.0) + weight / len(types)
    return dict(sorted(found.items()))


def _tables(tables: Any, weights: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
        raise InvalidOptions("[class.ID] is a table of fields of that class")
    unknown = sorted(tables.keys() - weights.keys())
    if unknown:
        raise InvalidOptions(f"[class.{unknown[0]}] is for a class that [classes] does not name")
    return tables
