"""``factory list``: the classes there are, and what they train for."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def list_command(
    *,
    covers: Annotated[bool, Parameter(negative=())] = False,
    scenarios: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """List the CAPTCHA classes.

    Parameters
    ----------
    covers
        The type names of public benchmarks instead, and which classes train for each.
    scenarios
        The scenarios of `factory gen grounding` instead.
    json
        An array of objects with id, family, mechanics, version and covers; with --covers an
        object of benchmarks, types and classes; with --scenarios an array of id, names, platforms
        and screens.
    """
    from factory.cli.display import print_json
    from factory.core import coverage, registry

    if covers:
        _list_coverage(json=json)
        return
    if scenarios:
        _list_scenarios(json=json)
        return
    classes = [
        {
            "id": cls.id,
            "family": cls.family,
            "mechanics": list(cls.mechanics),
            "version": cls.version,
            "single_shot": cls.single_shot,
            "covers": list(coverage.covers(cls.id)),
        }
        for cls in map(registry.get, registry.names())
    ]
    if json:
        print_json(classes)
        return
    for row in classes:
        mechanics = ", ".join(row["mechanics"])
        print(f"{row['id']:<28} {row['family']:<20} {mechanics:<16} v{row['version']}")


def _list_coverage(*, json: bool) -> None:
    from factory.cli.display import print_json
    from factory.core import coverage, registry

    found = coverage.covered(registry.names())
    if json:
        print_json({coverage.benchmarks()[prefix]: types for prefix, types in found.items()})
        return
    for prefix, types in found.items():
        print(f"{coverage.benchmarks()[prefix]} ({len(types)} types)")
        for name, classes in types.items():
            print(f"  {name:<30} {', '.join(classes)}")
    print(f"{sum(map(len, found.values()))} types in all")


def _list_scenarios(*, json: bool) -> None:
    from factory.cli.display import print_json
    from factory.scenarios import catalog

    rows = [
        {
            "id": one.name,
            "names": {lang: list(words) for lang, words in one.names.items()},
            "platforms": list(one.platforms),
            "screens": list(one.screens),
        }
        for one in map(catalog.app, catalog.apps())
    ]
    if json:
        print_json(rows)
        return
    for row in rows:
        print(f"{row['id']:<18} {', '.join(row['platforms']):<36} {', '.join(row['screens'])}")
