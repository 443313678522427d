"""``factory list``: the classes there are."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def list_command(*, json: Annotated[bool, Parameter(negative=())] = False) -> None:
    """List the CAPTCHA classes.

    Parameters
    ----------
    json
        An array of objects with id, family, mechanics and version.
    """
    from factory.cli.display import print_json
    from factory.core import registry

    classes = [
        {
            "id": cls.id,
            "family": cls.family,
            "mechanics": list(cls.mechanics),
            "version": cls.version,
            "single_shot": cls.single_shot,
        }
        for cls in map(registry.get, registry.names())
    ]
    if json:
        print_json(classes)
        return
    for row in classes:
        mechanics = ", ".join(row["mechanics"])
        print(f"{row['id']:<28} {row['family']:<20} {mechanics:<16} v{row['version']}")
