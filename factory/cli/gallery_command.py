"""``factory gallery export``: a run as pages to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def export_command(
    run: Path,
    out: Path,
    /,
    *,
    n: Annotated[int, Parameter(name=["--n", "-n"])] = 60,
    filter: tuple[str, ...] = (),
    seed: int = 0,
    film: bool = True,
    assets: tuple[str, ...] = (),
    force: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Write a run as a folder of pages that opens from a disk, without a server or network.

    Parameters
    ----------
    run
        Folder of the run; it may be read-only, unfinished or damaged.
    out
        Folder for the gallery; open its index.html.
    n
        Samples a class, spread over difficulty, theme, language and split.
    filter
        Only samples with NAME=VALUE: class, split, theme, lang, context, mode, picture, or
        difficulty=0.2-0.6, or keys=FILE with a key on each line. Repeatable; several values of
        one name are alternatives.
    seed
        Which samples: the same seed shows the same ones.
    film
        Draw the states of each gold trace and the paint masks of pages, which takes making the
        samples again; --no-film is faster.
    assets
        The folder of your own photographs that the run was made with; repeatable.
    force
        Replace the gallery that is there.
    json
        Print the result as JSON.
    """
    from factory.cli.display import Echo
    from factory.gallery.choice import Filter
    from factory.gallery.export import ExportOptions, export

    wanted = Filter.parse(filter)
    options = ExportOptions(n=n, seed=seed, wanted=wanted, force=force, film=film, assets=assets)
    facts = export(run, out, options)
    say = Echo(json=json)
    say.result(facts)
    if facts["warnings"]:
        say.line("the run is torn; the banner of the pages says where")
    if not json:
        print(f"open        {(out / 'index.html').resolve()}")
