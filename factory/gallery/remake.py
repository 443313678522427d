"""What records do not hold and keys give back: film strips, and the floors of checks.

Both come from making a sample again; this is the one place that does it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from factory.config import RunConfig, read_toml
from factory.core import registry
from factory.core.errors import FactoryError, InvalidOptions, VerificationFailed
from factory.core.record import Record
from factory.core.rng import SampleKey
from factory.draw.compose import Plate, render
from factory.engine.film import FilmFrame, film_strip
from factory.engine.make import Draft, draft
from factory.engine.plates import PlateBank
from factory.engine.provenance import differences
from factory.engine.show import fields_of
from factory.engine.studio import Studio
from factory.gallery.run_folder import RunFolder

PLATES_KEPT = 48
"""Plates remembered: samples of a block share some 40, and building one takes 0.1 s."""


class _RememberingBank(PlateBank):
    """A bank that keeps the plates it built last."""

    _kept: OrderedDict[tuple[str, bool], Plate]

    def build(self, plate: str, *, format: str, quality: int, states: bool) -> Plate:
        """As the bank builds it; a studio always asks with one format and quality."""
        kept = self.__dict__.setdefault("_kept", OrderedDict())
        if (plate, states) not in kept:
            kept[plate, states] = super().build(
                plate, format=format, quality=quality, states=states
            )
        kept.move_to_end((plate, states))
        while len(kept) > PLATES_KEPT:
            kept.popitem(last=False)
        return kept[plate, states]


class Again(NamedTuple):
    """What making a sample again gives beyond its record.

    ``note`` names the versions that differ from those that made the run.
    """

    frames: list[FilmFrame]
    floors: dict[str, float]
    note: str


@dataclass
class Remake:
    """Makes a run's samples again, with a studio for one class at a time.

    ``folders`` are the user's own pictures, which a run names by digest only.
    """

    run: RunFolder
    folders: tuple[str, ...] = ()
    _opened: tuple[str, Studio | FactoryError] | None = None

    def again(self, record: Record) -> Again:
        """The sample made again.

        ``FactoryError`` when it cannot be made here, or comes out as another sample.
        """
        studio, key = self._studio(record.type), SampleKey.parse(record.key)
        made = draft(key, studio, record.attempts - 1)
        if studio.puzzle.fingerprint(made.state) != record.fingerprint:
            raise VerificationFailed(
                f"this installation makes another sample of {record.key}; see the versions of "
                "its run on the summary",
                key=record.key,
            )
        return Again(film_strip(key, studio), _floors(studio, made), self._note(studio))

    def _studio(self, type_name: str) -> Studio:
        """The studio of a class; a failure to open it is kept, and raised each time."""
        if self._opened is None or self._opened[0] != type_name:
            try:
                config = _config_of(self.run, type_name, self.folders)
                self._opened = type_name, _studio_of(config, self.run.path)
            except FactoryError as error:
                self._opened = type_name, error
        found = self._opened[1]
        if isinstance(found, FactoryError):
            raise found
        return found

    def _note(self, studio: Studio) -> str:
        theirs = self.run.json("provenance.json")
        if not theirs:
            return ""
        generators = theirs.pop("generators", {})
        theirs.setdefault("generator", generators.get(studio.config.type, "absent"))
        differing = differences(studio.provenance, theirs)
        if not differing:
            return ""
        return f"Drawn anew by versions other than the run's: {'; '.join(differing)}"


def _floors(studio: Studio, made: Draft) -> dict[str, float]:
    """The least values that the class asks of the sample's checks."""
    puzzle, pose = studio.puzzle, made.mechanic.pose(made.mechanic.start())
    look = {"grey": puzzle.seen_in_grey, "side": puzzle.seen_side}
    rendered = render(made.plate, made.artwork, pose, made.goal, **look)
    margins = puzzle.margins(made.state, rendered.seen)
    return {name: floor for name, (_, floor) in margins.items()}


def _config_of(run: RunFolder, type_name: str, folders: tuple[str, ...]) -> RunConfig:
    """The config of a class: from the run's file, or from the request that a run begins with."""
    path = run.path / "config.toml"
    if path.is_file():
        return RunConfig.build(**fields_of(read_toml(path), type_name, folders))
    request = {
        name.removeprefix(f"{type_name}."): value
        for name, value in run.json("request.json").items()
    }
    values = {name: request[name] for name in RunConfig.model_fields if name in request}
    if not values:
        raise InvalidOptions(f"the run has no config of {type_name}")
    return RunConfig.build(**{**values, "type": type_name, "assets": folders})


def _studio_of(config: RunConfig, run: Path) -> Studio:
    if config.assets_digest and not config.assets:
        raise InvalidOptions("the run shows pictures of your own; name their folder by --assets")
    pages = run / "assets"
    bank = pages if (pages / "bank.json").is_file() else None
    Studio.open(config, bank=bank)  # threads and picture folders, which are this process's
    return Studio(config, _RememberingBank.open(registry.get(config.type), config, bank))
