"""The demonstration's table, what holds of it, and its plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import orjson

from training.demo.chain import DOMAINS, MODELS, MOPD_FORMS
from training.lib.scores import Rate

KEPT = 0.95
"""Share of a teacher's accuracy that distillation is to reach in the teacher's domain."""

TITLES = {
    "base": "SFT base",
    "mixed": "one RL on all domains",
    "linear": "teachers merged, linear",
    "ties": "teachers merged, TIES",
    "mopd": "MOPD",
    "mopd-no-hint": "MOPD without hint",
    "mopd-no-structure": "MOPD without structure",
    "mopd-plain": "plain on-policy distillation",
}
COLOURS = ("#1f6feb", "#d1541b", "#2a8a4a")

Results = Sequence[Mapping[str, Any]]


def title(name: str) -> str:
    """What a model is called in the table."""
    return TITLES.get(name) or f"RL teacher, {name.removeprefix('teacher-')}"


def rates(results: Results, name: str, domain: str) -> list[Rate]:
    """A model's rates in a domain, one a seed."""
    own = [result["domains"][domain] for result in results if result["name"] == name]
    return [Rate(one["passed"], one["n"]) for one in own]


def pooled(found: Sequence[Rate]) -> Rate:
    """All seeds together."""
    return Rate(sum(rate.passed for rate in found), sum(rate.n for rate in found))


def claims(results: Results) -> list[dict[str, Any]]:
    """What should hold, by domain, with how many seeds it holds in.

    A teacher is better when its interval lies above the base's; MOPD keeps a teacher when its
    accuracy is at least ``KEPT`` of the teacher's.
    """
    found: list[dict[str, Any]] = []
    for domain in DOMAINS:
        base, teacher, student = (
            rates(results, name, domain) for name in ("base", f"teacher-{domain}", "mopd")
        )
        above = [t.interval[0] > b.interval[1] for t, b in zip(teacher, base, strict=True)]
        shares = [s.value / max(1e-9, t.value) for s, t in zip(student, teacher, strict=True)]
        found.append(
            {
                "domain": domain,
                "teacher_above_base": sum(above),
                "mopd_keeps_teacher": sum(share >= KEPT for share in shares),
                "mopd_share": [round(share, 3) for share in shares],
                "seeds": len(base),
            }
        )
    return found


def table(results: Results) -> str:
    """Markdown: accuracy in each domain, the mean of the seeds and their range, in per cent."""
    head = ["model", *DOMAINS, "mean"]
    rows = [[title(name), *_cells(results, name)] for name in MODELS]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cells(results: Results, name: str) -> list[str]:
    shown: list[str] = []
    means: list[float] = []
    for domain in DOMAINS:
        values = [100 * rate.value for rate in rates(results, name, domain)]
        means.append(sum(values) / len(values))
        shown.append(f"{means[-1]:.1f} ({min(values):.1f}..{max(values):.1f})")
    return [*shown, f"{sum(means) / len(means):.1f}"]


def verdicts(results: Results) -> str:
    """The claims as sentences."""
    return "\n".join(
        f"{one['domain']}: teacher above base in {one['teacher_above_base']} of {one['seeds']} "
        f"seeds; MOPD at {min(one['mopd_share']):.3f}..{max(one['mopd_share']):.3f} of the teacher"
        for one in claims(results)
    )


def refusals(results: Results) -> str:
    """Refusals in the places domain, by model, all seeds together."""
    lines: list[str] = []
    for name in MODELS:
        own = [result["domains"][DOMAINS[-1]] for result in results if result["name"] == name]
        absent = sum(one["absent"] for one in own)
        there = sum(one["n"] for one in own) - absent
        right = sum(one["refused"] for one in own) / max(1, absent)
        wrong = sum(one["over_refused"] for one in own) / max(1, there)
        lines.append(f"| {title(name)} | {100 * right:.1f} | {100 * wrong:.1f} |")
    head = "| model | refused where nothing fits | refused where something does |\n|---|---|---|\n"
    return head + "\n".join(lines)


WIDTH, LEFT, ROW, TOP = 820, 250, 26, 54
"""Sizes of the plot, px."""


def plot(results: Results) -> str:
    """One row a model, one dot a domain and seed, the pooled 95 % interval as a line."""
    height = TOP + ROW * len(MODELS) + 40
    drawn = [*_axis(height), *_legend()]
    for number, name in enumerate(MODELS):
        middle = TOP + ROW * number + ROW / 2
        drawn.append(f'<text x="{LEFT - 12}" y="{middle + 4}" text-anchor="end">'
                     f"{escape(title(name))}</text>")  # fmt: skip
        for k, domain in enumerate(DOMAINS):
            drawn += _dots(rates(results, name, domain), middle + 6 * (k - 1), COLOURS[k])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="13" fill="#222"><rect width="{WIDTH}" '
        f'height="{height}" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - 30)


def _axis(height: int) -> list[str]:
    lines: list[str] = []
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        lines.append(f'<line x1="{x}" x2="{x}" y1="{TOP - 6}" y2="{height - 34}" stroke="#ddd"/>')
        lines.append(f'<text x="{x}" y="{height - 16}" text-anchor="middle">{10 * tenth} %</text>')
    return lines


def _legend() -> list[str]:
    parts: list[str] = []
    for k, domain in enumerate(DOMAINS):
        x = LEFT + k * 190
        parts.append(f'<circle cx="{x}" cy="24" r="5" fill="{COLOURS[k]}"/>')
        parts.append(f'<text x="{x + 10}" y="28">{escape(domain)}</text>')
    return parts


def _dots(found: Sequence[Rate], y: float, colour: str) -> list[str]:
    low, high = pooled(found).interval
    line = (
        f'<line x1="{_x(low):.1f}" x2="{_x(high):.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
        'stroke-width="2"/>'
    )
    dots = [
        f'<circle cx="{_x(rate.value):.1f}" cy="{y}" r="2.5" fill="{colour}"/>' for rate in found
    ]
    return [line, *dots]


PLOT = "demo.svg"


def write(results: Results, plan: Any, folder: Path) -> Path:
    """The report, its plot and its figures into a folder; returns where the report lies."""
    (folder / PLOT).write_text(plot(results), encoding="utf-8")
    facts = {
        "plan": asdict(plan),
        "claims": claims(results),
        "results": [_brief(one) for one in results],
    }
    (folder / "demo.json").write_bytes(orjson.dumps(facts, option=orjson.OPT_INDENT_2))
    path = folder / "demo.md"
    path.write_text(document(results, asdict(plan)), encoding="utf-8")
    return path


def _brief(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without the log of its steps."""
    return {name: value for name, value in result.items() if name != "log"}


def document(results: Results, settings: Mapping[str, Any]) -> str:
    """The whole report in Markdown."""
    trained = sum(result["cpu_s"] for result in results)
    seeds = len({result["seed"] for result in results})
    items = results[0]["domains"][DOMAINS[0]]["n"]
    forms = ", ".join(title(name) for name in MOPD_FORMS if name != "mopd")
    return (
        "# The demonstration's result\n\n"
        f"Right answers in per cent on {items} items a domain: the mean of {seeds} seeds and "
        "their range.\n\n"
        f"{table(results)}\n\n{verdicts(results)}\n\n{refusals(results)}\n\n"
        f"Ablations: {forms}. {trained:.0f} CPU-seconds of jobs; settings "
        f"`{dict(settings)}`.\n"
    )
