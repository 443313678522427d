"""A studio: what every sample of a run shares, loaded once per process.

The config, the class, the mixture, the bank of plates and their cache. A
studio changes no sample: two studios of one config give equal bytes.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
from pydantic import ValidationError

from exporters.shards import group_name
from factory.config import DIFFICULTY_BANDS, RunConfig, Viewport, faults
from factory.core import registry
from factory.core.errors import (
    AttemptsExhausted,
    CapacityExceeded,
    InvalidOptions,
    VerificationFailed,
)
from factory.core.puzzle import CONTENT_LANES, Content, PuzzleType
from factory.core.rng import Rng, SampleKey, Stream, permuted_index
from factory.draw import pictures
from factory.draw.compose import Plate
from factory.draw.text import goal_fits
from factory.engine.mixture import BLOCK, Cell, Factor
from factory.engine.plates import PlateBank
from factory.engine.provenance import provenance, provenance_id
from factory.engine.workshop import Outcome

PLATE_CACHE_BYTES = 192 << 20
"""Memory that a worker gives to plates; one takes 0.3 to 3 MB, a block's set some 80 MB."""

TRIM_EVERY = 500
"""Samples between two looks at the cache's size."""

PLATES_PER_BLOCK = 40
"""Different plates that a block of 1,000 samples shows: enough variety, and caches hit."""

PHRASES_PER_PLATE = 4
"""Goal phrases that one plate shows: with few, the written and encoded goals come back soon."""


@dataclass(frozen=True)
class Plan:
    """What is fixed for a key before its label is drawn."""

    plate: Plate
    difficulty: float
    content_kind: str
    content_rank: int
    instruction_mode: str
    pictures: int


class Studio:
    """See the module. Make one with ``Studio.open``."""

    def __init__(self, config: RunConfig, plates: PlateBank) -> None:
        cls = registry.get(config.type)
        self.config = config
        self.plates = plates
        self.puzzle: PuzzleType[Any, Any] = puzzle_of(config)
        self.generator = f"{cls.id}@{cls.version}"
        self.digest = config.data_digest()
        self._cache: OrderedDict[str, Plate] = OrderedDict()
        self._asked = 0
        self._factors: dict[str, dict[str, Factor]] = {}
        self._content: dict[str, dict[str, Content]] = {}

    @classmethod
    def open(cls, config: RunConfig, *, bank: Path | None = None) -> Studio:
        """Load what the config needs; the bank must hold its plates already.

        Sets OpenCV to one thread: a worker is one core.
        """
        cv2.setNumThreads(1)
        pictures.use_folders(config.assets, expected_digest=config.assets_digest)
        return cls(config, PlateBank.open(registry.get(config.type), config, bank))

    def with_puzzle(self, puzzle: PuzzleType[Any, Any]) -> Studio:
        """The same studio with another class in the place of its own; loaded plates are shared."""
        studio = copy.copy(self)
        studio.puzzle = puzzle
        studio._factors, studio._content = {}, {}
        return studio

    @property
    def bank_path(self) -> Path:
        """Where the plates lie, for workers."""
        return self.plates.path

    @property
    def provenance(self) -> dict[str, str]:
        """What the bytes depend on."""
        return self._made_by[0]

    @property
    def provenance_id(self) -> str:
        """Its digest."""
        return self._made_by[1]

    @cached_property
    def _made_by(self) -> tuple[dict[str, str], str]:
        facts = provenance(self.generator, self.plates.digests())
        return facts, provenance_id(facts)

    def key(self, split: str, index: int) -> SampleKey:
        """The key of an index of this run."""
        return SampleKey(self.config.type, split, self.config.seed, self.digest, index)

    @property
    def bytes_per_sample(self) -> float:
        """A generous estimate of a sample's size in a shard, from the canvases of the config."""
        finer = 1.0 + 0.2 * max(0, self.config.quality - 90)
        per_px = 0.45 * finer if self.config.format == "jpg" else 1.2
        total = sum(self.config.viewports.values())
        pixels = sum(
            weight * (view.width * view.height * view.dpr**2) ** 0.9
            for view, weight in (
                (Viewport.parse(text), weight) for text, weight in self.config.viewports.items()
            )
        )
        forms = self.puzzle.forms()
        return sum(forms) / len(forms) * (12_000 + per_px * pixels / total)

    def pictures(self, index: int) -> int:
        """How many pictures the sample of an index has."""
        forms = self.puzzle.forms()
        return forms[index % len(forms)]

    def _factor(self, split: str, name: str) -> Factor:
        factors = self._factors.setdefault(split, {})
        if name not in factors:
            config = self.config
            weights = {
                "viewport": lambda: config.viewports,
                "theme": lambda: config.themes,
                "lang": lambda: config.langs,
                "mode": lambda: config.instruction_modes,
                "difficulty": lambda: {str(band): 1.0 for band in range(DIFFICULTY_BANDS)},
                "content": lambda: {c.kind: c.share for c in self.contents(split).values()},
            }[name]()
            root = f"{config.type}|{split}|{config.seed}|{self.digest}|{name}"
            factors[name] = Factor(root, weights)
        return factors[name]

    def contents(self, split: str) -> dict[str, Content]:
        """The content sources of a split, by kind."""
        if split not in self._content:
            self._content[split] = {c.kind: c for c in self.puzzle.contents(split)}
        return self._content[split]

    def plan(self, key: SampleKey) -> Plan:
        """Everything fixed for a key: its cell of the mixture, its plate, its content's rank."""
        if key != self.key(key.split, key.index):
            raise InvalidOptions(
                f"{key} is no key of this config, whose keys begin "
                f"{str(self.key(key.split, 0)).rpartition('-')[0]}; "
                "give the run's folder by --run, or its config by --config"
            )
        cell = {
            name: self._factor(key.split, name).at(key.index)
            for name in ("viewport", "theme", "lang", "mode", "difficulty", "content")
        }
        content = cell["content"]
        rng = Rng.of(key)
        low, high = self.config.difficulty
        share = (
            int(cell["difficulty"].value) + rng.fixed("difficulty").random()
        ) / DIFFICULTY_BANDS
        ref = self._choose_plate(
            key, cell["viewport"].value, cell["theme"].value, cell["lang"].value
        )
        return Plan(
            plate=self.plate(ref),
            difficulty=round(low + (high - low) * share, 4),
            content_kind=content.value,
            content_rank=self._content_rank(key, content),
            instruction_mode=cell["mode"].value,
            pictures=self.pictures(key.index),
        )

    def _content_rank(self, key: SampleKey, content: Cell) -> int:
        """The rank of a key among those of its content, below ``lanes`` while contents last."""
        factor = self._factor(key.split, "content")
        ends = (key.index // BLOCK + 1) * factor.counts[content.value]
        if ends <= self._lanes(key.split, content.value):
            return content.rank
        return factor.counted(key.index)

    def _lanes(self, split: str, kind: str) -> int:
        """How many indices have contents of a kind of their own."""
        return self.contents(split)[kind].capacity // CONTENT_LANES

    def _choose_plate(self, key: SampleKey, viewport: str, theme: str, lang: str) -> str:
        block = key.index // BLOCK
        stream = Rng.of(key).fixed("plate")
        contexts = self.plates.contexts(viewport)
        context = stream.choice(contexts)
        cells = (
            len(self.config.viewports) * len(self.config.themes)
            * len(self.config.langs) * len(contexts)
        )  # fmt: skip
        refs = self.plates.refs(key.split, viewport, context, theme, lang)
        kept = max(1, round(PLATES_PER_BLOCK / cells))
        name = (
            f"{key.type}|{key.split}|{key.seed}|{key.digest}|plates|"
            f"{viewport}|{theme}|{lang}|{context}|{block}"
        )
        return stream.choice(_block_plates(self.plates, name, refs, kept))

    def plate(self, ref: str) -> Plate:
        """The plate, from the cache or built."""
        self._asked += 1
        if self._asked % TRIM_EVERY == 0:
            self._trim()  # plates grow by the goals they remember
        plate = self._cache.get(ref)
        if plate is None:
            plate = self.plates.build(
                ref,
                format=self.config.format,
                quality=self.config.quality,
                states=max(self.puzzle.forms()) > 1,
            )
            self._cache[ref] = plate
            self._trim()
        else:
            self._cache.move_to_end(ref)
        return plate

    def _trim(self) -> None:
        held = sum(plate.nbytes for plate in self._cache.values())
        while held > PLATE_CACHE_BYTES and len(self._cache) > 1:
            _, dropped = self._cache.popitem(last=False)
            held -= dropped.nbytes

    def content_number(self, key: SampleKey, plan: Plan, attempt: int) -> int:
        """Which content of its kind an attempt of a key shows: a keyed walk, so none repeats.

        Each index owns ``CONTENT_LANES`` contents; attempts go round among them.
        """
        lanes = self._lanes(key.split, plan.content_kind)
        walk = f"{key.type}|{key.split}|{key.seed}|{key.digest}|walk|{plan.content_kind}"
        place = permuted_index(plan.content_rank % lanes, lanes, walk)
        return place * CONTENT_LANES + attempt % CONTENT_LANES

    def capacity(self, split: str) -> int:
        """Samples that a split can hold without repeating a content."""
        room = {kind: self._lanes(split, kind) for kind in self.contents(split)}
        return self._factor(split, "content").fits(room)

    def groups(self) -> tuple[str, ...]:
        """The shard groups of the class's forms."""
        return tuple(map(group_name, self.puzzle.forms()))

    def make(self, keys: Iterable[SampleKey]) -> Iterator[Outcome]:
        """The outcome of each key, in their order."""
        from factory.engine.make import make_record  # which makes samples in a studio

        for key in keys:
            try:
                yield make_record(key, self)
            except (AttemptsExhausted, VerificationFailed) as failure:
                yield failure

    def sources(self) -> dict[str, Any]:
        """Puzzles rest on nothing but their keys."""
        return {}

    def check(self) -> None:
        """Refuse a run that asks for more than there is, or for pages that no bank has."""
        self.check_capacity()
        self.plates.check(split for split, n in self.config.split_sizes().items() if n)

    def check_capacity(self) -> None:
        """``CapacityExceeded`` when a split is asked for more than it holds."""
        if self.config.allow_repeats:
            return
        for split, n in self.config.split_sizes().items():
            room = self.capacity(split)
            if n > room:
                raise CapacityExceeded(
                    f"{self.config.type} holds {room} distinct samples in split {split} at these "
                    f"options and {n} were asked for; lower --n, give picture folders by --assets, "
                    "or allow repeats by --allow-repeats"
                )

    def goal(self, key: SampleKey, plan: Plan, slots: Mapping[str, str]) -> str:
        """The goal phrase of a sample: the first that fits the panel, from a keyed one on.

        ``InvalidOptions`` when none does.
        """
        placement = plan.plate.placement
        wording = self.puzzle.wording
        phrases = (wording.touch_goals if placement.touch else wording.goals)[plan.plate.lang]
        box, style = placement.boxes["goal"], plan.plate.goal_style
        wanted = _phrases_of(plan.plate.facts["id"], phrases)
        first = Rng.of(key).fixed("goal").integer(0, PHRASES_PER_PLATE)
        for phrase in (*wanted[first:PHRASES_PER_PLATE], *wanted):
            filled = phrase.format_map(slots)
            if goal_fits(filled, style, box):
                return filled
        raise InvalidOptions(
            f"no goal phrase of {key.type} fits a goal area of {box.width:.0f} x "
            f"{box.height:.0f} CSS px; shorten phrases or widen the panel"
        )


def puzzle_of(config: RunConfig) -> PuzzleType[Any, Any]:
    """The class of a config with its options; ``InvalidOptions`` for those it has not."""
    cls = registry.get(config.type)
    try:
        return cls(cls.Options(**config.options))
    except ValidationError as error:
        names = ", ".join(cls.Options.model_fields)
        raise InvalidOptions(f"options of {cls.id}: {faults(error)}; it has: {names}") from error


@lru_cache(maxsize=4096)
def _phrases_of(plate: str, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """All phrases in an order of the plate's own; samples use the first few."""
    return tuple(Stream(f"phrases|{plate}").shuffled(phrases))


@lru_cache(maxsize=4096)
def _block_plates(
    plates: PlateBank, name: str, refs: tuple[str, ...], count: int
) -> tuple[str, ...]:
    """The plates that a block uses of a cell: the first in a keyed order whose panel fits."""
    fitting = (ref for ref in Stream(name).shuffled(refs) if plates.site(ref) is not None)
    found = tuple(islice(fitting, count))
    if not found:
        raise InvalidOptions(
            f"the panel of {plates.puzzle.id} fits none of the {len(refs)} pages of {name}; "
            "give a larger --viewport, or paint more pages by `factory setup --backdrops 1500`"
        )
    return found
