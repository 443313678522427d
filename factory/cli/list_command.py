"""``factory list``: the classes there are, and what they train for."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def list_command(
    *,
    covers: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """List the CAPTCHA classes.

    Parameters
    ----------
    covers
        The type names of public benchmarks instead, and which classes train for each.
    json
        An array of objects with id, family, mechanics, version and covers; with --covers an
        object of benchmarks, types and classes.
    """
    from factory.cli.display import print_json
    from factory.core import coverage, registry

    if covers:
        _list_coverage(json=json)
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
