"""``factory check-page``: what can be pressed and seen on a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from factory.web.verdict import PageFault, PageVerdict, Window


def check_page_command(
    source: str,
    /,
    *,
    viewport: str = "1280x800",
    dpr: float = 1.0,
    picture: Path | None = None,
    static: Annotated[bool, Parameter(negative=())] = False,
    proof: bool = True,
    prepare: str = "",
    network: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Tell which elements of a page are targets, and why the others are not.

    Parameters
    ----------
    source
        A file, or an address.
    viewport
        WxH in CSS px.
    dpr
        Device pixels per CSS px; fractions are allowed.
    picture
        Where to write the picture with boxes; by default NAME.check.png in the current folder.
    static
        Judge texts and pictures too, not only controls.
    proof
        Take each target out of the picture to prove that it is seen.
    prepare
        JavaScript to run in the page before it is frozen.
    network
        Let the page use the network; without this it has none.
    json
        The whole evidence on stdout, and no picture unless one is named.
    """
    from factory.cli.display import print_json
    from factory.web.verdict import PageFault, open_desk
    from factory.web.verdict.overlay import write_overlay
    from factory.web.verdict.pool import address_of

    window = _window(viewport, dpr)
    url = address_of(source, network=network)
    try:
        with open_desk(network=network) as desk:
            judged = desk.check(url, window, proof=proof, static=static, prepare=prepare)
    except PageFault as fault:
        return _refused(source, fault, json=json)
    path = picture or (None if json else Path(f"{_name(source)}.check.png"))
    if path is not None:
        write_overlay(path, judged.png, judged.verdict)
    if json:
        print_json({"event": "result", **judged.verdict.to_json()})
        return 0
    _table(judged.verdict)
    print(f"picture: {path}")
    return 0


def _window(viewport: str, dpr: float) -> Window:
    from factory.core.errors import InvalidOptions
    from factory.web import verdict

    width, _, height = viewport.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise InvalidOptions(f"a viewport of {viewport!r}; write it as 1280x800")
    return verdict.Window(int(width), int(height), dpr)


def _name(source: str) -> str:
    return Path(source.split("?")[0]).stem or "page"


def _refused(source: str, fault: PageFault, *, json: bool) -> int:
    from factory.cli.display import print_json

    if json:
        refused = {"reason": fault.reason, "detail": fault.detail}
        print_json({"event": "result", "accepted": [], "rejected": [], "page_fault": refused})
    else:
        print(f"{source} gets no verdict: {fault.reason} ({fault.detail})")
    return 1


def _table(verdict: PageVerdict) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "selector", "role", "name or text", "nine points", "box, CSS px", box=None)
    for target in verdict.accepted:
        box = " ".join(f"{v:g}" for v in target.box_xyxy_css)
        words = target.name or target.visible_text
        row = (target.selector, target.role, words, target.report.hits, box)
        table.add_row("[green]ok[/]", *map(_plain, row))
    for rejection in verdict.rejected:
        value = "" if rejection.value is None else f" {rejection.value:g}/{rejection.limit:g}"
        by = f" by {rejection.by}" if rejection.by else ""
        hits = rejection.report.hits if rejection.report else ""
        row = (rejection.selector, rejection.role, rejection.name, hits)
        table.add_row("[red]no[/]", *map(_plain, row), _plain(f"{rejection.reason}{value}{by}"))
    console = Console()
    console.print(table)
    console.print(f"{len(verdict.accepted)} targets, {len(verdict.rejected)} rejected")


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text if len(text) <= 60 else text[:59] + "…")
