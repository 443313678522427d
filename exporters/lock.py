"""One writer for each run folder.

The lock is a small JSON file: host, process id, when that process started (in clock
ticks since boot, which tells a reused id from the same process) and the time of
locking, for people. A lock whose process is gone from this host is taken over;
from another host that cannot be known, so there it needs ``--steal``.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

import orjson

from exporters.durable import ensure_folder, naming_disk_full
from exporters.sums import LOCK_FILE
from factory.core.errors import RunLocked

_NO_FLOCK = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_Holder = dict[str, object]


class RunLock:
    """The right to write into ``run``; a context manager. ``RunLocked`` when another has it.

    With ``steal`` the lock is taken whoever holds it. The one who lost it finds out by
    ``confirm``, which a writer calls before it publishes.
    """

    def __init__(self, run: Path, *, steal: bool = False) -> None:
        self._path = run / LOCK_FILE
        self._steal = steal
        self._mine: _Holder = {}

    def __enter__(self) -> Self:
        ensure_folder(self._path.parent)
        while not self._mine:
            with naming_disk_full(self._path), self._path.open("ab+") as file:
                _hold_others_off(file)
                # Released and removed between our open and our flock: look again.
                if _same_file(self._path, file):
                    self._take(file)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_mine():
            self._path.unlink(missing_ok=True)
        self._mine = {}

    def confirm(self) -> None:
        """``RunLocked`` when the lock was stolen since, so this writer must stop."""
        if not self._is_mine():
            raise RunLocked(
                f"{self._path} is no longer ours: another process took the run over with --steal; "
                "this one stops before it writes anything more"
            )

    def _is_mine(self) -> bool:
        return bool(self._mine) and _read(self._path) == self._mine

    def _take(self, file: BinaryIO) -> None:
        file.seek(0)
        holder = _parse(file.read())
        if holder and not self._steal and _may_be_alive(holder):
            raise RunLocked(
                f"{self._path.parent} is being written by process {holder.get('pid')} on "
                f"{holder.get('host')}, locked at {holder.get('start')}; wait for it, or, when you "
                "know that it is gone, add --steal"
            )
        mine: _Holder = {
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "process_start": _process_start(os.getpid()),
            "start": datetime.now(UTC).isoformat(timespec="microseconds"),
        }
        file.truncate(0)
        file.write(orjson.dumps(mine, option=orjson.OPT_APPEND_NEWLINE))
        file.flush()
        os.fsync(file.fileno())
        self._mine = mine


def _hold_others_off(file: BinaryIO) -> None:
    """Let one process at a time judge and rewrite the lock; ends when the file is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as error:
        # Some network mounts have no flock. Then only the judging is unguarded, for
        # a millisecond; the lock itself still holds.
        if error.errno not in _NO_FLOCK:
            raise


def _same_file(path: Path, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _parse(data: bytes) -> _Holder:
    """Who holds the lock; nobody when the file is empty or torn, as a crash leaves it."""
    with suppress(orjson.JSONDecodeError):
        holder = orjson.loads(data)
        if isinstance(holder, dict):
            return cast("_Holder", holder)
    return {}


def _read(path: Path) -> _Holder:
    try:
        return _parse(path.read_bytes())
    except FileNotFoundError:
        return {}


def _may_be_alive(holder: _Holder) -> bool:
    """False only when the holder is known to be gone."""
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int):
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _process_start(pid) == holder.get("process_start")


def _process_start(pid: int) -> int:
    """Start of a process in clock ticks since boot (proc(5), field 22 of stat).

    0 where that is not told; -1 for a dead process that its parent has not reaped.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    # The second field is a name in brackets that may hold anything, brackets too.
    fields = stat.rpartition(")")[2].split()
    return -1 if fields[0] == "Z" else int(fields[19])
