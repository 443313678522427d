"""``factory check``: the contract suite, what a small model learns, or how difficulty tells."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def check_command(
    type: str,
    /,
    *,
    n: int | None = None,
    only: tuple[str, ...] = (),
    update_golden: Annotated[bool, Parameter(negative=())] = False,
    tests: Path | None = None,
    learn: Annotated[bool, Parameter(negative=())] = False,
    learn_samples: int = 6000,
    learn_minutes: float = 4.0,
    difficulty: Annotated[bool, Parameter(negative=())] = False,
    write: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Run the contract suite on a class; exit 1 when a check fails.

    With --learn, train a small model on the class instead and compare it with the best
    constant answer; exit 1 when it learns nothing and the class does not declare so. With
    --difficulty, compare samples of difficulty 0.9 with those of 0.1; exit 1 when they are no
    harder by any measure, or easier to see.

    Parameters
    ----------
    type
        A class, a family or all.
    n
        Samples to render a class; 8 by default, 500 for a long look; of --difficulty, 60 at
        each end by default.
    only
        Names of checks, C1 to C14; all by default.
    update_golden
        Write down what the class draws now as its golden, before looking.
    tests
        Folder with solvers/ and golden/; by default the tests of the source checkout.
    learn
        Train a small model (needs the train extra) and print its pass rates.
    learn_samples
        Train examples a class.
    learn_minutes
        Minutes of processor time a class, for making examples and learning from them.
    difficulty
        Compare hard samples with easy ones, by an independent judge whose sight is impaired.
    write
        Put the figures of --learn or --difficulty into docs/, where `make docs` reads them.
    json
        Print {ok, classes: {id: {check: {ok, skipped, evidence, figures}}}}; with --learn or
        --difficulty {ok, classes: {id: figures}}.
    """
    if difficulty:
        return _difficulty(type, n or 60, write=write, json=json)
    if learn:
        return _learn(type, learn_samples, learn_minutes, write=write, json=json)
    import dataclasses

    from factory.cli.display import print_json
    from factory.core import registry
    from factory.core.errors import InvalidOptions
    from factory.testing import CHECKS, QUICK, look, subject_of
    from factory.testing.golden import write_golden
    from factory.testing.suite import TESTS

    unknown = sorted(set(only) - set(CHECKS))
    if unknown:
        raise InvalidOptions(f"no checks {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    budget = QUICK if n is None else dataclasses.replace(QUICK, renders=n, judged=max(60, n))
    found: dict[str, dict[str, object]] = {}
    ok = True
    for name in registry.resolve(type):
        folder = TESTS if tests is None else tests
        if update_golden:
            write_golden(folder / "golden", subject_of(name, tests=folder).puzzle)
        subject = subject_of(name, tests=folder)
        found[name] = {}
        for check in only or CHECKS:
            result = look(check, subject, budget)
            ok &= result.ok
            found[name][check] = dataclasses.asdict(result)
            if not json:
                word = "skip" if result.skipped else "ok" if result.ok else "FAIL"
                print(f"{name:<20} {check:<4} {word:<5} {CHECKS[check].meaning}: {result.evidence}")
    if json:
        print_json({"ok": ok, "classes": found})
    return 0 if ok else 1


def _learn(type: str, samples: int, minutes: float, *, write: bool, json: bool) -> int:
    """What ``--learn`` does with each class."""
    from factory.cli.check_learn import LEAST_SAMPLES, check_learn, passes, table, write_report
    from factory.cli.display import Echo, print_json
    from factory.core import registry
    from factory.core.errors import InvalidOptions

    if samples < LEAST_SAMPLES or not minutes > 0:
        raise InvalidOptions(
            f"--learn-samples {samples} and --learn-minutes {minutes:g}: at least {LEAST_SAMPLES} "
            "examples and some time are needed"
        )
    reports: dict[str, object] = {}
    ok = True
    for name in registry.resolve(type):
        report = check_learn(name, samples=samples, minutes=minutes, echo=Echo(json=json).line)
        reports[name] = report
        ok &= passes(report)
        if write:
            write_report(report)
        if not json:
            print("\n".join(table(report)))
    if json:
        print_json({"ok": ok, "classes": reports})
    return 0 if ok else 1


def _difficulty(type: str, samples: int, *, write: bool, json: bool) -> int:
    """What ``--difficulty`` does with each class."""
    from factory.cli.display import print_json
    from factory.core import registry
    from factory.testing.difficulty import report, table, write_report

    reports = {name: report(name, samples) for name in registry.resolve(type)}
    for found in reports.values():
        if write:
            write_report(found)
        if not json:
            print("\n".join(table(found)))
    ok = all(found["ok"] for found in reports.values())
    if json:
        print_json({"ok": ok, "classes": reports})
    return 0 if ok else 1
