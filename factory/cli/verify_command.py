"""``factory verify``: check a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def verify_command(
    run: Path,
    /,
    *,
    workers: str = "auto",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Check every file, shard and record of a run; exit 1 when something is wrong.

    Parameters
    ----------
    run
        Folder of the run; it may be read-only.
    workers
        Processes, or auto.
    json
        Print {ok, shards, samples, holes, problems}.
    """
    import dataclasses
    import os

    from factory.cli import gen_request
    from factory.cli.display import print_json
    from factory.engine.verify import verify

    count = gen_request.worker_count(workers) or len(os.sched_getaffinity(0))
    report = verify(run, workers=count)
    if json:
        print_json(dataclasses.asdict(report))
    else:
        for problem in report.problems:
            place = f"{problem['shard']} {problem['key']}".strip()
            print(f"{problem['code']}: {place}: {problem['message']}")
        state = "ok" if report.ok else f"{len(report.problems)} problems"
        print(f"{run}: {state}; {report.shards} shards, {report.samples} samples, "
              f"{report.holes} holes")  # fmt: skip
    return 0 if report.ok else 1
