"""Write the generated pages of ``docs/``; with ``--check``, fail when one is stale.

``docs/record-format.md`` and ``docs/record.schema.json`` come from the record's types,
``docs/coverage.md`` from ``captcha_types/covers.toml``, ``docs/classes/<id>.md`` from each class's
docstring, options and wording, and from the figures in ``docs/learnability/`` and
``docs/difficulty/``, which ``factory check <id> --learn --write`` and ``--difficulty --write``
measure.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import orjson

from factory.core import coverage, mechanics, record, registry
from factory.testing.difficulty import EASY, HARD, MEASURES

DOCS = Path(__file__).parent.parent / "docs"

RECORD_INTRO = """\
# Record format (schema {version})

Generated from `factory/core/record.py` by `scripts/make_docs.py`; do not edit.

A sample is three parts of a shard with one key: the picture (`jpg` or `png`), `json`, and `txt`
(the prompt). The `json` part is a flat object of scalars, the same columns of the same types in
every sample of every class and never null. `payload` is a JSON string with everything else. The
JSON Schema of both is [record.schema.json](record.schema.json), and every run has it as
`schema.json`.

Samples of several pictures have them as `i00.jpg`, `i01.jpg` ... and their panels on one
`sheet.jpg`; all samples of a class have equally many. Picture i of an episode is what is seen
before action i; the pictures after the last action, which no step names, repeat how it ends.
Frames have their panels on the sheet in order. Where one of several pages is to be chosen
(steppers, pagers), the sheet is a film strip of all of them, in the order in which the arrow turns
them, so the first picture and the sheet suffice to answer at once: turning to a page takes one tap
less than its place on the sheet. Sheets of other episodes show how they go, and so the answer.
"""

NESTED = (
    record.Record, record.Observation, record.Task, record.Step, record.ReasonStep, record.Slot,
    record.Region,
)  # fmt: skip


def fields_table(struct: type[msgspec.Struct]) -> Iterator[str]:
    """A struct's fields and their types as a Markdown table."""
    yield "| field | type |"
    yield "|---|---|"
    annotations = struct.__annotations__
    for name in struct.__struct_fields__:
        shown = str(annotations[name]).replace("|", "\\|")
        yield f"| `{name}` | `{shown}` |"


def record_page() -> str:
    """``docs/record-format.md``."""
    lines = [RECORD_INTRO.format(version=record.SCHEMA_VERSION)]
    for struct, title in [(record.FlatRecord, "The json part")] + [
        (struct, f"payload: {struct.__name__}") for struct in NESTED
    ]:
        lines += [f"## {title}", "", inspect.getdoc(struct) or "", "", *fields_table(struct), ""]
    lines += [
        "## Mechanics",
        "",
        "`payload.mechanic` is the judge as data, in canvas px; `factory.verdict(payload, text)` "
        "runs it.",
        "",
        *(f"- `{name}`" for name in mechanics.mechanic_names()),
        "",
    ]
    return "\n".join(lines)


PAGE_WIDTH = 100
"""Columns of running text."""

TEST_ROWS = {
    "seen": "seen sources, fresh samples of the train split",
    "same": "same sources, the test split: unseen templates, fonts and contents",
    "other": "other sources, the test split",
}
"""What the tests of a learnability report are called."""


def learnability(name: str, folder: Path = DOCS / "learnability") -> Iterator[str]:
    """The section on what a small model learns; nothing where it was not measured."""
    path = folder / f"{name}.json"
    if not path.is_file():
        return
    report = orjson.loads(path.read_bytes())
    yield "## Learnability"
    yield ""
    yield from textwrap.wrap(
        f"A convolutional net of {report['parameters'] / 1e6:.2f} million weights, "
        f"{report['train']:,} train samples of `{report['generator']}` and "
        f"{(report['made_s'] + report['cpu_s']) / 60:.1f} minutes of processor time, against the "
        "best constant answer. A pass is what the class's own mechanic accepts; intervals are of "
        "95 %. [More](../learnability/README.md).",
        PAGE_WIDTH,
    )
    yield ""
    yield "| test | n | model | best constant |"
    yield "|---|---|---|---|"
    for test, figures in report["tests"].items():
        rates = (_percent(figures[who]) for who in ("model", "constant"))
        yield f"| {TEST_ROWS[test]} | {figures['n']} | {' | '.join(rates)} |"
    yield ""
    yield from _sources(report)
    if not report["learns"]:
        declared = not report["small_model_reach"]
        reach = "out of its reach, as the class declares" if declared else "not learned: a defect"
        yield f"What the class asks is {reach}."
        yield ""


def difficulty(name: str, folder: Path = DOCS / "difficulty") -> Iterator[str]:
    """The section on what hard samples are harder by; nothing where it was not measured."""
    path = folder / f"{name}.json"
    if not path.is_file():
        return
    found = orjson.loads(path.read_bytes())
    by = ", ".join(found["harder_by"]) or "none of these measures"
    yield "## Difficulty"
    yield ""
    yield from textwrap.wrap(
        f"{found['samples']} samples at {HARD} beside as many at {EASY}: harder by {by}. "
        "[More](../difficulty/README.md).",
        PAGE_WIDTH,
    )
    yield ""
    yield "| measure | easy | hard |"
    yield "|---|---|---|"
    for measure, meaning in MEASURES.items():
        yield f"| {meaning} | {found['easy'][measure]:g} | {found['hard'][measure]:g} |"
    yield ""


def _percent(rate: dict[str, float]) -> str:
    low, high = 100 * rate["low"], 100 * rate["high"]
    return f"{100 * rate['rate']:.1f} % ({low:.1f} to {high:.1f})"


def _sources(report: dict[str, Any]) -> Iterator[str]:
    """What was trained on, what was held out, and the gap."""
    if report["gap"] is None:
        return
    trained, other = (", ".join(report["sources"][part]) for part in ("train", "other"))
    yield from textwrap.wrap(
        f"Trained on content of the kinds {trained}; the other source is {other}. "
        f"Gap between sources: {100 * report['gap']:.1f} points.",
        PAGE_WIDTH,
    )
    yield ""


def class_page(name: str) -> str:
    """``docs/classes/<name>.md``."""
    cls = registry.get(name)
    module = inspect.getmodule(cls)
    wording = cls.wording_of_class()
    lines = [
        f"# {name}",
        "",
        f"Generated from `captcha_types/{cls.family}/{name}.py`; do not edit.",
        "",
        f"Family `{cls.family}`, mechanics {', '.join(cls.mechanics)}, version {cls.version}, "
        f"{'single-shot' if cls.single_shot else 'episodic'}.",
        "",
        "```text",
        (inspect.getdoc(module) or "").strip(),
        "```",
        "",
        "## Options",
        "",
        inspect.getdoc(cls.Options) or "",
        "",
        "| option | type | default |",
        "|---|---|---|",
        *(
            f"| `{option}` | `{str(field.annotation).replace('|', chr(92) + '|')}` "
            f"| `{field.default}` |"
            for option, field in cls.Options.model_fields.items()
        ),
        "",
        "## State",
        "",
        inspect.getdoc(cls.State) or "",
        "",
    ]
    lines += difficulty(name)
    lines += learnability(name)
    for lang, goals in wording.goals.items():
        lines += [f"## Goal phrases ({lang})", "", *(f"- {goal}" for goal in goals), ""]
    return "\n".join(lines)


COVERAGE_INTRO = """\
# Which benchmark types are trained for

Generated from `captcha_types/covers.toml` by `scripts/make_docs.py`; do not edit.

{count} type names of public benchmarks and open generators, and the classes that make data for the
same skill. A class never shows a provider's name, look or wording. `factory list --covers` prints
this table. Names were read in the benchmarks' papers and repositories, except two:
SC:perspective_views stands for two tasks of Spatial-CAPTCHA-Bench, CX:icon for a category of
CAPTCHA-X.
"""


def coverage_page() -> str:
    """``docs/coverage.md``."""
    found = coverage.covered(registry.names())
    count = sum(map(len, found.values()))
    lines = [COVERAGE_INTRO.format(count=count)]
    for prefix, types in found.items():
        lines += [f"## {coverage.benchmarks()[prefix]} ({len(types)})", ""]
        lines += ["| type | classes |", "|---|---|"]
        for name, classes in types.items():
            links = ", ".join(f"[{cls}](classes/{cls}.md)" for cls in classes)
            lines.append(f"| `{name}` | {links} |")
        lines.append("")
    return "\n".join(lines)


def pages() -> dict[Path, str]:
    """Every generated page by its path."""
    schema = orjson.dumps(record.json_schema(), option=orjson.OPT_INDENT_2).decode() + "\n"
    found = {DOCS / "record-format.md": record_page(), DOCS / "record.schema.json": schema}
    found[DOCS / "coverage.md"] = coverage_page()
    for name in registry.names():
        found[DOCS / "classes" / f"{name}.md"] = class_page(name)
    return found


def main() -> int:
    """Write the pages, or report stale ones."""
    stale = [
        path for path, text in pages().items() if not path.is_file() or path.read_text() != text
    ]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(DOCS.parent)} is stale; run `make docs`")
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages()[path])
        print(f"wrote {path.relative_to(DOCS.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
