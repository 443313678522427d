"""``factory check``: the contract suite on a class."""

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
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Run the contract suite on a class; exit 1 when a check fails.

    Parameters
    ----------
    type
        A class, a family or all.
    n
        Samples to render a class; 8 by default, 500 for a long look.
    only
        Names of checks, C1 to C14; all by default.
    update_golden
        Write down what the class draws now as its golden, before looking.
    tests
        Folder with solvers/ and golden/; by default the tests of the source checkout.
    json
        Print {ok, classes: {id: {check: {ok, skipped, evidence, figures}}}}.
    """
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
