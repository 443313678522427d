"""``factory doctor``: is everything here that a run needs?"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def doctor_command(*, json: Annotated[bool, Parameter(negative=())] = False) -> int:
    """Check the installation; exit 1 when something that a run needs is missing.

    Parameters
    ----------
    json
        Findings as a JSON array.
    """
    import dataclasses

    from factory.cli.display import print_json
    from factory.doctor import diagnose

    findings = diagnose()
    if json:
        print_json([dataclasses.asdict(finding) for finding in findings])
    else:
        for finding in findings:
            fix = f"  ->  {finding.fix}" if finding.fix else ""
            print(f"{finding.level:<8}{finding.name:<22}{finding.message}{fix}")
    return 1 if any(finding.level == "error" for finding in findings) else 0
