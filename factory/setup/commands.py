"""Other people's programs, run so that they can fail but never hang."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TIMED_OUT = 124
"""Exit code for a command that was stopped at its limit, as timeout(1) has it."""

NOT_FOUND = 127
"""Exit code for a program that does not exist, as shells have it."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended. ``output`` is stdout and stderr together."""

    code: int
    output: str

    @property
    def ok(self) -> bool:
        """Whether it exited with 0."""
        return self.code == 0

    @property
    def complaint(self) -> str:
        """The first line that names an error, else the last line: one line to show a person."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        named = [line for line in lines if "error" in line.lower()]
        return (named or lines[-1:] or [f"exit code {self.code}"])[0]


def execute(
    command: Sequence[str],
    *,
    timeout_s: float,
    cwd: Path | None = None,
    extra_env: Mapping[str, str] | None = None,
) -> Outcome:
    """Run ``command`` without a terminal; at the limit the whole process group is killed."""
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **(extra_env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return Outcome(NOT_FOUND, f"{command[0]}: {error.strerror}")
    try:
        output, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Outcome(TIMED_OUT, f"{command[0]} did not end within {timeout_s:g} s")
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return Outcome(process.returncode, output)
