"""Answers that were given, calls that were made, and what they cost: one SQLite file.

Several processes write to it at once. An answer is kept before it is used, so a run that is killed
asks for nothing twice. No key and no address is ever written.
"""

from __future__ import annotations

import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from factory.core.errors import BudgetSpent, ConfigError
from factory.llm.exchange import Answer, Request
from factory.llm.settings import Caps

OPEN = "open"
"""A call of which nothing is known yet; one that was killed stays so, at the most it can cost."""
BUSY_S = 60.0

TABLES = """
CREATE TABLE IF NOT EXISTS answers (
  digest TEXT PRIMARY KEY, model TEXT, request BLOB, text TEXT, finish TEXT,
  tokens_in INTEGER, tokens_out INTEGER);
CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY, scope TEXT, digest TEXT, model TEXT, outcome TEXT,
  tokens_in INTEGER, tokens_out INTEGER, cost REAL, seconds REAL, at REAL);
CREATE TABLE IF NOT EXISTS outcomes (
  scope TEXT, sample TEXT, stage TEXT, attempt INTEGER, turn INTEGER, digest TEXT, outcome TEXT,
  PRIMARY KEY (scope, sample, stage, attempt, turn));
CREATE INDEX IF NOT EXISTS calls_by_scope ON calls (scope);
"""


class Store:
    """The file, opened when it is needed first; threads of a process share one connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None

    @contextmanager
    def _within(self) -> Iterator[sqlite3.Connection]:
        """One transaction that nobody else is in."""
        with self._lock:
            found = self._connected()
            found.execute("BEGIN IMMEDIATE")
            try:
                yield found
            except BaseException:
                found.execute("ROLLBACK")
                raise
            found.execute("COMMIT")

    def _connected(self) -> sqlite3.Connection:
        if self._open is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                made = sqlite3.connect(
                    self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
                )
                made.executescript(f"PRAGMA journal_mode=WAL; {TABLES}")
            except sqlite3.Error as error:
                raise ConfigError(f"the cache of answers {self.path}: {error}") from error
            self._open = made
        return self._open

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def answer(self, digest: str) -> Answer | None:
        """The recorded answer of a request."""
        with self._lock:
            row = self._connected().execute(
                "SELECT text, finish, tokens_in, tokens_out FROM answers WHERE digest = ?",
                (digest,),
            ).fetchone()  # fmt: skip
        if row is None:
            return None
        return Answer(text=row[0], finish=row[1], tokens_in=row[2], tokens_out=row[3])

    def keep(self, request: Request, answer: Answer) -> Answer:
        """Record an answer; the one that was recorded first is returned and holds for all."""
        asked = zlib.compress(orjson.dumps(request.plain()))
        row = (
            request.digest(), request.model, asked, answer.text, answer.finish,
            answer.tokens_in, answer.tokens_out,
        )  # fmt: skip
        with self._within() as db:
            db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return self.answer(row[0]) or answer

    def begin(
        self, scope: str, request: Request, caps: Caps, most: tuple[int, int], cost: float
    ) -> int:
        """Book a call at the most it can cost; ``BudgetSpent`` where that is beyond a cap."""
        with self._within() as db:
            used = db.execute(
                "SELECT COUNT(*), COALESCE(SUM(tokens_in + tokens_out), 0), "
                "COALESCE(SUM(cost), 0) FROM calls WHERE scope = ?",
                (scope,),
            ).fetchone()
            _within_caps(scope, caps, used, sum(most), cost)
            row = (scope, request.digest(), request.model, OPEN, *most, cost, 0.0, time.time())
            made = db.execute(
                "INSERT INTO calls (scope, digest, model, outcome, tokens_in, tokens_out, cost, "
                "seconds, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            assert made.lastrowid is not None
            return made.lastrowid

    def end(
        self, call: int, outcome: str, tokens: tuple[int, int], cost: float, seconds: float
    ) -> None:
        """What became of a call, and what it did cost."""
        with self._within() as db:
            db.execute(
                "UPDATE calls SET outcome = ?, tokens_in = ?, tokens_out = ?, cost = ?, "
                "seconds = ? WHERE id = ?",
                (outcome, *tokens, cost, seconds, call),
            )

    def note(self, scope: str, row: Mapping[str, Any]) -> None:
        """What our checks said of an answer."""
        values = (row["sample"], row["stage"], row["attempt"], row["turn"], row["digest"])
        with self._within() as db:
            db.execute(
                "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)",
                (scope, *values, row["outcome"]),
            )

    def ledger(self) -> dict[str, Any]:
        """By scope: calls by outcome, answers by what checks said, tokens, cost, seconds."""
        with self._lock:
            db = self._connected()
            calls = db.execute(
                "SELECT scope, outcome, COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(cost), "
                "SUM(seconds) FROM calls GROUP BY scope, outcome ORDER BY scope, outcome"
            ).fetchall()
            said = db.execute(
                "SELECT scope, stage, outcome, COUNT(*) FROM outcomes "
                "GROUP BY scope, stage, outcome ORDER BY scope, stage, outcome"
            ).fetchall()
        return _table(calls, said)


def _within_caps(
    scope: str, caps: Caps, used: tuple[int, int, float], tokens: int, cost: float
) -> None:
    """``BudgetSpent`` when one more call might go beyond a cap."""
    wanted = {
        "calls": (used[0], 1, caps.calls),
        "tokens": (used[1], tokens, caps.tokens),
        "cost": (used[2], cost, caps.cost),
    }
    for name, (spent, more, cap) in wanted.items():
        if cap and spent + more > cap:
            raise BudgetSpent(
                f"{scope} has used {spent:.6g} of {cap:.6g} {name} and the next call may take "
                f"{more:.6g}; raise --llm-max-{name} and continue with --resume"
            )


def _table(calls: list[Any], said: list[Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for scope, outcome, count, tokens_in, tokens_out, cost, seconds in calls:
        own = out.setdefault(scope, _empty())
        own["calls"][outcome] = count
        for name, value in (("tokens_in", tokens_in), ("tokens_out", tokens_out), ("cost", cost),
                            ("seconds", seconds)):  # fmt: skip
            own[name] = round(own[name] + value, 9)
    for scope, stage, outcome, count in said:
        own = out.setdefault(scope, _empty())
        own["answers"].setdefault(stage, {})[outcome] = count
    return out


def _empty() -> dict[str, Any]:
    return {
        "calls": {}, "answers": {}, "tokens_in": 0, "tokens_out": 0, "cost": 0.0, "seconds": 0.0,
    }  # fmt: skip
