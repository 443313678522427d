"""One writer a folder: the living are respected, the dead are replaced."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from exporters.lock import RunLock
from factory.core.errors import RunLocked


def write_lock(run: Path, **changes: object) -> None:
    holder = {"host": socket.gethostname(), "pid": os.getpid(), "process_start": 1, "start": "then"}
    (run / "lock").write_bytes(orjson.dumps({**holder, **changes}))


def hold(run: Path) -> None:
    with RunLock(run):
        pass


def test_the_lock_is_there_while_held_and_gone_afterwards(tmp_path):
    with RunLock(tmp_path / "new" / "run") as lock:
        holder = orjson.loads((tmp_path / "new/run/lock").read_bytes())
        assert (holder["host"], holder["pid"]) == (socket.gethostname(), os.getpid())
        lock.confirm()
    assert list((tmp_path / "new/run").iterdir()) == []


def test_a_second_writer_is_refused_and_told_what_to_do(tmp_path):
    with RunLock(tmp_path), pytest.raises(RunLocked, match=r"(?s)process \d+ .*--steal"):
        hold(tmp_path)


def test_the_lock_of_a_dead_process_on_this_host_is_taken_over(tmp_path):
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    write_lock(tmp_path, pid=done.pid)
    hold(tmp_path)


def test_a_reused_process_number_does_not_keep_a_dead_lock_alive(tmp_path):
    write_lock(tmp_path, pid=os.getpid(), process_start=12345)
    hold(tmp_path)


def test_a_dead_process_that_was_not_reaped_is_dead(tmp_path):
    code = (
        "import sys; from pathlib import Path; from exporters.lock import RunLock; "
        "RunLock(Path(sys.argv[1])).__enter__(); print('held', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(RunLocked):
            hold(tmp_path)
        child.kill()
        # Waits for the end and leaves the zombie, as a busy parent would.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        hold(tmp_path)


def test_the_lock_of_another_host_is_respected(tmp_path):
    write_lock(tmp_path, host="elsewhere", pid=1)
    with pytest.raises(RunLocked, match="elsewhere"):
        hold(tmp_path)


def test_a_stolen_lock_stops_the_one_who_had_it_and_stays(tmp_path):
    with RunLock(tmp_path) as first:
        with RunLock(tmp_path, steal=True) as second:
            second.confirm()
            with pytest.raises(RunLocked, match="no longer ours"):
                first.confirm()
        with pytest.raises(RunLocked):
            first.confirm()


def test_the_loser_does_not_remove_the_winners_lock(tmp_path):
    first = RunLock(tmp_path)
    first.__enter__()
    with RunLock(tmp_path, steal=True) as second:
        first.__exit__(None, None, None)
        second.confirm()


@pytest.mark.parametrize("content", [b"", b"{", b"[]"])
def test_a_torn_lock_belongs_to_nobody(tmp_path, content):
    (tmp_path / "lock").write_bytes(content)
    hold(tmp_path)


def test_a_lock_taken_while_we_waited_for_our_turn_is_respected(tmp_path, monkeypatch):
    write_lock(tmp_path, pid=2**22 + 1)
    live = {"host": "elsewhere", "pid": 1}
    monkeypatch.setattr("fcntl.flock", lambda *_: write_lock(tmp_path, **live))
    with pytest.raises(RunLocked, match="elsewhere"):
        hold(tmp_path)


def test_a_lock_file_removed_while_we_waited_for_our_turn_is_made_anew(tmp_path, monkeypatch):
    turns: list[int] = []

    def flock(*_: object) -> None:
        turns.append(1)
        if len(turns) == 1:
            (tmp_path / "lock").unlink()

    monkeypatch.setattr("fcntl.flock", flock)
    with RunLock(tmp_path) as lock:
        lock.confirm()
    assert len(turns) == 2


def test_a_mount_without_flock_still_gives_a_lock(tmp_path, monkeypatch):
    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    with RunLock(tmp_path), pytest.raises(RunLocked):
        hold(tmp_path)


def test_of_many_writers_that_find_a_dead_lock_one_wins(tmp_path):
    write_lock(tmp_path, pid=2**22 + 1)
    code = (
        "import sys; from pathlib import Path; from exporters.lock import RunLock; "
        "from factory.core.errors import RunLocked\n"
        "sys.stdin.read()\n"
        "try: RunLock(Path(sys.argv[1])).__enter__(); print('won', flush=True)\n"
        "except RunLocked: print('lost', flush=True)\n"
        "sys.stdin.close(); import time; time.sleep(60)"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(6)
    ]
    try:
        for child in children:
            assert child.stdin is not None
            child.stdin.close()
        said = [child.stdout.readline().strip() for child in children if child.stdout]
    finally:
        for child in children:
            child.kill()
            child.wait()
            if child.stdout:
                child.stdout.close()
    assert sorted(said) == ["lost"] * 5 + ["won"]
