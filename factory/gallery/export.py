"""``factory gallery export``: a run as a folder of pages that opens from a disk.

The folder is built beside its place and moved there when it is whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from factory import __version__
from factory.core import registry
from factory.core.errors import FactoryError, InvalidOptions, RunExists, ShardCorrupt
from factory.core.record import Record
from factory.gallery.choice import Chooser, Filter
from factory.gallery.inks import Inks
from factory.gallery.lettering import foreign, write_lettering
from factory.gallery.measures import Measures
from factory.gallery.pages import STATIC, FilmPicture, Pages, Remade, index_entry, index_script
from factory.gallery.pictures import FRAME_SIDE, THUMB_SIDE, cropped, jpeg
from factory.gallery.rejects import rejects_of
from factory.gallery.remake import Remake
from factory.gallery.run_folder import Row, RunFolder
from factory.gallery.scene_view import is_page
from factory.gallery.shown import Shown
from factory.gallery.survey import Survey

MARKER = "gallery.json"
"""Says that a folder is a gallery, so that ``--force`` replaces nothing else."""

FOLDERS = ("s", "img", "thumb", "film", "data")

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class ExportOptions:
    """Samples a class, the seed of their choice, what they must be, and whether to replace.

    ``film`` is whether samples are made again for film strips and paint masks, ``assets`` are the
    user's own pictures.
    """

    n: int = 60
    seed: int = 0
    wanted: Filter = field(default_factory=Filter)
    force: bool = False
    film: bool = True
    assets: tuple[str, ...] = ()


def export(
    run_path: Path,
    out: Path,
    options: ExportOptions,
    report: Report = lambda done, total: None,
) -> dict[str, Any]:
    """Write the gallery of a run; returns what is in it. ``report`` hears (done, samples).

    ``InvalidOptions`` when ``run_path`` is no run or the folders lie in each other,
    ``RunExists`` when ``out`` is used. A torn run is shown as far as it can be read.
    """
    if options.n < 1:
        raise InvalidOptions(f"--n {options.n} samples a class; give 1 or more")
    run = RunFolder.open(run_path)
    _claim(run_path, out, force=options.force)
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as scratch:
        built = Path(scratch) / "gallery"
        facts = _Export(run, built, options, report).write()
        if out.exists():
            out.rename(Path(scratch) / "old")
        built.rename(out)
    return {"out": str(out), **facts}


def _claim(run: Path, out: Path, *, force: bool) -> None:
    ours, theirs = out.resolve(), run.resolve()
    if ours == theirs or theirs in ours.parents or ours in theirs.parents:
        raise InvalidOptions(f"{out} and the run {run} lie in each other; name another folder")
    if out.is_file():
        raise RunExists(f"{out} is a file; name a folder for the gallery")
    if not out.exists() or not any(out.iterdir()):
        return
    if not (out / MARKER).is_file():
        raise RunExists(f"{out} is not empty and no gallery; name another folder")
    if not force:
        raise RunExists(f"{out} holds a gallery already; add --force to replace it")


class _Export:
    """One export under way."""

    def __init__(self, run: RunFolder, out: Path, options: ExportOptions, report: Report) -> None:
        self.run, self.out, self.options, self.report = run, out, options, report
        self.pages, self.survey, self.measures = Pages(run), Survey(), Measures()
        self.remake = Remake(run, options.assets) if options.film else None
        self.inks = Inks(run.path, options.assets)
        self.entries: list[dict[str, Any]] = []
        self.characters: set[int] = set()

    def write(self) -> dict[str, Any]:
        """Write everything. Samples come first, since reading them may add warnings."""
        for folder in FOLDERS:
            (self.out / folder).mkdir(parents=True)
        shutil.copytree(STATIC, self.out / "static")
        chosen = self._choose()
        for done, row in enumerate(chosen, start=1):
            self._sample_or_warning(row)
            self.report(done, len(chosen))
        self._write_overviews()
        write_lettering(self.out / "static", self.characters)
        facts = {
            "samples": len(self.entries), "of": self.survey.tally.samples,
            "complete": self.run.complete, "warnings": len(self.run.warnings),
        }  # fmt: skip
        marker = {**facts, "factory": __version__, "seed": self.options.seed, "n": self.options.n}
        (self.out / MARKER).write_bytes(orjson.dumps(marker, option=orjson.OPT_INDENT_2))
        return facts

    def _choose(self) -> Sequence[Row]:
        chooser = Chooser(self.options.n, self.options.seed)
        for row in self.run.rows():
            self.survey.add(row)
            if self.options.wanted.takes(row):
                chooser.add(row)
        return chooser.chosen()

    def _sample_or_warning(self, row: Row) -> None:
        try:
            shown = Shown.read(self.run, row)
            self._write_sample(shown)
        except (FactoryError, LookupError, OSError) as error:
            self.run.warn(f"{row['key']} cannot be shown: {error}")

    def _write_sample(self, shown: Shown) -> None:
        key, pictures = shown.record.key, shown.pictures
        if key != shown.row["key"]:
            raise ShardCorrupt(f"its record says that its key is {key}")
        names = [f"img/{key}.{seen.part}" for seen in shown.record.observations]
        for name, seen in zip(names, shown.record.observations, strict=True):
            (self.out / name).write_bytes(shown.parts[seen.part])
        self._write(f"thumb/{key}-page.jpg", jpeg(pictures[0], THUMB_SIDE))
        self._write(f"thumb/{key}.jpg", jpeg(cropped(pictures[0], shown.panel), THUMB_SIDE))
        page = self.pages.sample(shown, [f"../{name}" for name in names], self._remade(shown))
        self._write(f"s/{key}.html", page.encode())
        self.measures.add(shown)
        self.entries.append(index_entry(shown))

    def _remade(self, shown: Shown) -> Remade:
        """What making the sample again shows, its pictures written."""
        if self.remake is None:
            return Remade(note="left out by --no-film")
        if is_page(shown.record):
            return self._inked(shown)
        return self._filmed(self.remake, shown.record)

    def _inked(self, shown: Shown) -> Remade:
        """Where the targets of a page paint."""
        png, note = self.inks.of(shown)
        name = f"img/{shown.record.key}-ink.png"
        if png:
            self._write(name, png)
        return Remade(note=note, ink=f"../{name}" if png else "")

    def _filmed(self, remake: Remake, record: Record) -> Remade:
        """The film strip, and the floors of the checks."""
        try:
            again = remake.again(record)
        except FactoryError as error:
            return Remade(note=str(error))
        strip: list[FilmPicture] = []
        for place, frame in enumerate(again.frames):
            name = f"film/{record.key}-{place:02d}.jpg"
            self._write(name, jpeg(frame.image, FRAME_SIDE))
            height, width = frame.image.shape[:2]
            strip.append(FilmPicture(f"../{name}", frame.caption, frame.verdict, width, height))
        return Remade(strip, again.floors, again.note)

    def _write_overviews(self) -> None:
        shown = {entry["key"] for entry in self.entries}
        self._write("data/index.js", index_script(self.entries))
        rejects = rejects_of(self.run)
        pages = {
            "catalog": self.pages.catalog(self.survey, registry.names()),
            "samples": self.pages.samples(len(shown), self.survey.tally.samples),
            "rejected": self.pages.rejected(rejects, self.survey),
            "stats": self.pages.stats(self.survey, self.measures, shown),
            "index": self.pages.index(self.survey, len(shown)),
        }
        for name, page in pages.items():
            self._write(f"{name}.html", page.encode())

    def _write(self, name: str, data: bytes) -> None:
        if name.endswith((".html", ".js")):
            self.characters |= foreign([data.decode()])
        (self.out / name).write_bytes(data)
