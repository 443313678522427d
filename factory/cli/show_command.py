"""``factory show``: one sample, made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def show_command(
    key: str,
    /,
    *,
    run: Path | None = None,
    config: Path | None = None,
    assets: tuple[str, ...] = (),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Make the sample of a key again and, given its run, prove that the bytes are equal.

    Parameters
    ----------
    key
        The key, as in shards and the manifest.
    run
        The run it belongs to: its config is used and its bytes are compared.
    config
        A config file, when there is no run at hand. Default options otherwise.
    assets
        The folder of your own photographs that the run was made with; repeatable.
    out
        Folder to write the picture, record and prompt to.
    json
        Print the full record instead of a summary.
    """
    from factory.cli.display import print_json
    from factory.engine.show import show

    shown = show(key, run=run, config=config, folders=assets)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for part, data in shown.parts.items():
            (out / f"{key}.{part}").write_bytes(data)
    if json:
        print_json({"record": shown.record, "equal": shown.equal, "proof": shown.proof})
        return 0 if shown.equal is not False else 1
    for line in shown.lines():
        print(line)
    if out is not None:
        print(f"written to {out}/{key}.*")
    return 0 if shown.equal is not False else 1
