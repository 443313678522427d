"""What records do not hold and keys give back: film strips, and the floors of checks.

Both come from making a sample again; this is the one place that does it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from factory.config import RunConfig
from factory.core import registry
from factory.core.errors import FactoryError, InvalidOptions, VerificationFailed
from factory.core.record import Record
from factory.core.rng import SampleKey
from factory.draw.compose import Plate, render
from factory.engine.film import FilmFrame, film_strip
from factory.engine.make import Draft, draft
from factory.engine.plates import PlateBank
from factory.engine.provenance import differences
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
    """What making a sample again gives beyond its record."""

    frames: list[FilmFrame]
    floors: dict[str, float]


@dataclass(frozen=True)
class Remake:
    """Makes a run's samples again, or says in ``note`` why it cannot.

    ``note`` also names the versions that differ from those that made the run.
    """

    studio: Studio | None
    note: str

    @classmethod
    def open(cls, run: RunFolder, folders: tuple[str, ...] = ()) -> Remake:
        """A studio for the run, with the run's own copies of its pages where it has them.

        ``folders`` are the user's own pictures, which a run names by digest only.
        """
        try:
            config = _config_of(run, folders)
            studio = _studio_of(config, run.path)
        except FactoryError as error:
            return cls(None, str(error))
        differing = differences(studio.provenance, run.json("provenance.json"))
        told = f"Drawn anew by versions other than the run's: {'; '.join(differing)}"
        return cls(studio, told if differing and run.complete else "")

    def again(self, record: Record) -> Again | None:
        """The sample made again; None where this run's samples cannot be.

        ``FactoryError`` when this one cannot be, or comes out as another sample.
        """
        if self.studio is None:
            return None
        key = SampleKey.parse(record.key)
        made = draft(key, self.studio, record.attempts - 1)
        if self.studio.puzzle.fingerprint(made.state) != record.fingerprint:
            raise VerificationFailed(
                f"this installation makes another sample of {record.key}; see the versions of "
                "its run on the summary",
                key=record.key,
            )
        return Again(film_strip(key, self.studio), _floors(self.studio, made))


def _floors(studio: Studio, made: Draft) -> dict[str, float]:
    """The least values that the class asks of the sample's checks."""
    puzzle, pose = studio.puzzle, made.mechanic.pose(made.mechanic.start())
    look = {"grey": puzzle.seen_in_grey, "side": puzzle.seen_side}
    rendered = render(made.plate, made.artwork, pose, made.goal, **look)
    margins = puzzle.margins(made.state, rendered.seen)
    return {name: floor for name, (_, floor) in margins.items()}


def _config_of(run: RunFolder, folders: tuple[str, ...]) -> RunConfig:
    """The run's config: its file, or the request that a run begins with."""
    path = run.path / "config.toml"
    if path.is_file():
        return RunConfig.load(path, assets=folders)
    request = run.json("request.json")
    values = {name: request[name] for name in RunConfig.model_fields if name in request}
    if not values:
        raise InvalidOptions("the run has neither config.toml nor request.json")
    return RunConfig.build(**{**values, "assets": folders})


def _studio_of(config: RunConfig, run: Path) -> Studio:
    if config.assets_digest and not config.assets:
        raise InvalidOptions("the run shows pictures of your own; name their folder by --assets")
    pages = run / "assets"
    bank = pages if (pages / "bank.json").is_file() else None
    Studio.open(config, bank=bank)  # threads and picture folders, which are this process's
    return Studio(config, _RememberingBank.open(registry.get(config.type), config, bank))
