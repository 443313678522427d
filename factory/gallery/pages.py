"""Views become HTML. The only place that knows templates and addresses.

Addresses are relative, so the same pages work from a disk and from a server.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from exporters.shards import ShardInfo
from factory.core.mechanics import Verdict
from factory.gallery import charts
from factory.gallery.charts import Chart
from factory.gallery.choice import bands, canvas_of
from factory.gallery.measures import Measures
from factory.gallery.overlay import LAYERS, SHOWN_AT_FIRST, overlay_of
from factory.gallery.rejects import Rejects
from factory.gallery.run_folder import RunFolder
from factory.gallery.scene_view import asked_of, dots_of, is_page, outlines_of, refused_of
from factory.gallery.shown import Shown
from factory.gallery.story import pieces_of, pointers_of, pretty_json
from factory.gallery.survey import Survey

HERE = Path(__file__).parent
STATIC = HERE / "static"

PAGES = {
    "index": "Summary", "catalog": "Catalog", "samples": "Samples", "rejected": "Rejected",
    "stats": "Statistics",
}  # fmt: skip
"""The pages of the navigation: file stem and name."""

LINKED = {
    "type": "class", "difficulty": "difficulty", "split": "split", "theme": "theme",
    "lang": "lang", "context": "context", "instruction_mode": "mode", "picture": "picture",
    "canvas": "canvas",
}  # fmt: skip
"""Counted columns whose bars lead to samples, and the filter that shows those."""


@dataclass(frozen=True)
class FilmPicture:
    """A frame of the film strip as a page links it."""

    src: str
    caption: str
    verdict: Verdict
    width: int
    height: int


@dataclass(frozen=True)
class Remade:
    """What making a sample again gave; ``note`` says why it gave nothing, or under which doubt.

    ``ink`` is the address of a page's paint mask.
    """

    film: Sequence[FilmPicture] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    ink: str = ""


TITLES = {
    "type": "Class", "difficulty": "Difficulty", "split": "Split", "theme": "Theme",
    "lang": "Language", "context": "Context", "instruction_mode": "Prompt mode",
    "picture": "Picture", "canvas": "Canvas",
}  # fmt: skip


def grid_link(**filters: str) -> str:
    """The grid with filters set."""
    return f"samples.html?{urlencode(filters)}"


def index_entry(shown: Shown) -> dict[str, Any]:
    """What the grid knows of a sample: enough to filter and sort, nothing of the answer."""
    row = shown.row
    words = (shown.record.key, shown.flat.prompt, shown.task.goal, row["picture"])
    return {
        "key": row["key"], "class": row["type"], "d": row["difficulty"], "split": row["split"],
        "theme": row["theme"], "lang": row["lang"], "context": row["context"],
        "canvas": canvas_of(row), "mode": row["instruction_mode"], "picture": row["picture"],
        "area": row["width"] * row["height"], "bytes": row["image_bytes"],
        "prompt": shown.flat.prompt, "words": " ".join(words).lower(),
    }  # fmt: skip


def index_script(entries: Sequence[Mapping[str, Any]]) -> bytes:
    """The index as a script, since pages opened from a disk may not fetch."""
    data = orjson.dumps({"bands": bands(), "samples": list(entries)})
    return b"window.GALLERY = " + data.replace(b"<", b"\\u003c") + b";\n"


class Pages:
    """Renders the pages of one run."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._env = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True,
            undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._env.filters["mb"] = _megabytes
        self._env.globals["pages"] = PAGES

    def _render(self, page: str, root: str = "", **view: Any) -> str:
        template = self._env.get_template(f"{page}.html")
        name = self.run.path.resolve().name
        return template.render(
            page=page, root=root, run_name=name, warnings=self.run.warnings, **view
        )

    def index(self, survey: Survey, shown: int) -> str:
        """The summary of the run."""
        stats, tally = self.run.json("stats.json"), survey.tally
        drawn = stats.get("drawn") or sum(times * count for times, count in tally.attempts.items())
        return self._render(
            "index", survey=survey, facts=tally.summary(), shown=shown, drawn=drawn,
            accepted=stats.get("samples", survey.tally.samples),
            duplicates=stats.get("duplicates", survey.duplicate_count),
            manifest=self.run.manifest, stats=stats, request=self.run.json("request.json"),
            provenance=self.run.json("provenance.json"), shards=self._shard_lines(),
            licences=self._licences(), holes=self.run.manifest.get("holes", []),
            complete=self.run.complete,
            verify=f"factory verify {shlex.quote(str(self.run.path))}",
        )  # fmt: skip

    def _shard_lines(self) -> list[tuple[ShardInfo, bool]]:
        """Shards of the manifest, each with whether its file has the bytes it should have."""
        there = {name: (self.run.path / name).stat().st_size for name in self.run.tars()}
        return [(info, there.get(info.name) == info.bytes) for info in self.run.shards]

    def _licences(self) -> list[str]:
        path = self.run.path / "LICENSES" / "SOURCES.txt"
        return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []

    def catalog(self, survey: Survey, known: Sequence[str]) -> str:
        """Classes and mixture against difficulty."""
        tables = [(name, LINKED[name], survey.heat(name)) for name in survey.crossed]
        here = set(survey.tally.counts["type"])
        absent = [name for name in known if name not in here]
        return self._render(
            "catalog", tables=tables, bands=bands(), absent=absent, link=grid_link, titles=TITLES
        )

    def samples(self, shown: int, total: int) -> str:
        """The grid; the script fills it."""
        return self._render("samples", shown=shown, total=total)

    def rejected(self, rejects: Rejects, survey: Survey) -> str:
        """Refused draws by reason, or the attempts that samples needed."""
        needed = {str(times): n for times, n in sorted(survey.tally.attempts.items())}
        attempts = charts.rows("Attempts a sample needed", needed)
        return self._render(
            "rejected", rejects=rejects, attempts=attempts, facts=survey.tally.summary(),
            stats=self.run.json("stats.json"),
        )  # fmt: skip

    def stats(self, survey: Survey, measures: Measures, shown: set[str]) -> str:
        """Distributions: of all rows by counts, of the gallery's samples by measure."""
        return self._render(
            "stats", counts=list(self._count_charts(survey)), charts_=list(measures.charts()),
            centres=measures.centre_map(), priors=measures.priors(), survey=survey, shown=shown,
            pairs=measures.near_pairs(), measured=len(measures.counts),
        )  # fmt: skip

    def _count_charts(self, survey: Survey) -> list[Chart]:
        summary = survey.tally.summary()
        found = []
        for name, filter_name in LINKED.items():

            def href(value: str, filter_name: str = filter_name) -> str:
                return grid_link(**{filter_name: value})

            found.append(charts.rows(TITLES[name], summary[name], href))
        return found

    def sample(
        self,
        shown: Shown,
        pictures: Sequence[str],
        again: Remade,
    ) -> str:
        """The page of a sample; ``pictures`` are the addresses of its observations."""
        record = shown.record
        key, folder = record.key, shlex.quote(str(self.run.path))
        return self._render(
            "sample", root="../", shown=shown, record=record, flat=shown.flat, row=shown.row,
            stages=[
                (seen, src, overlay_of(shown, place), list(pointers_of(shown, place)))
                for place, (seen, src) in enumerate(
                    zip(record.observations, pictures, strict=True)
                )
            ],
            layers=LAYERS, first=SHOWN_AT_FIRST,
            film=again.film, film_note=again.note, ink=again.ink,
            pieces=pieces_of(shown), page_=is_page(record), asked=asked_of(record),
            outlines=outlines_of(record), dots=dots_of(record), refused=refused_of(record),
            checks=shown.checks(again.floors), canvas=canvas_of(shown.row),
            record_json=pretty_json(orjson.loads(shown.flat.payload)),
            replay=f"factory show {key} --run {folder}",
        )  # fmt: skip


def _megabytes(nbytes: int) -> str:
    return f"{nbytes / 1e6:,.1f} MB" if nbytes >= 1e5 else f"{nbytes / 1e3:,.1f} kB"
