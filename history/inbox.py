"""The inbox of a run: operators' requests, visitors' turns in talks, and interviews."""

import os
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from json import dumps, loads
from time import time
from typing import Any, Literal

from smolville.agents.errors import RunError
from smolville.graphs.meeting import GuestLine
from smolville.history.folder import RunFolder
from smolville.history.records import Intervention, WishKind
from smolville.history.schema import INBOX_TABLES, connect_to_look
from smolville.history.trouble import INBOX, explain_storage_errors, roll_back

_OURS = "SELECT id, kind, target, text, settled FROM wishes LIMIT 0"
"""Query that fails if the file is a sound database but not the inbox of a run."""
_WAITING = "SELECT id, kind, target, text FROM wishes WHERE settled = 0 ORDER BY seq"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRequest:
    """An operator's request (wish) to a town; the run's owner takes it over at a later tick."""

    kind: WishKind
    target: str
    """An agent's or a visitor's name, an object's address, or empty for what everybody hears."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOutcome:
    """The outcome of a request."""

    state: Literal["waiting", "taken", "refused"]
    why: str = ""
    """Why the request was refused, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorTurn:
    """A visitor's turn: a talk is waiting for the visitor's line.

    It is answered once, even while no process owns the run: a run that was killed while it waited
    finds the answer when it is resumed.
    """

    talk: str
    n: int
    """The number of the line, from 0."""
    visitor: str
    agent: str
    """The agent to whom the line is said."""
    place: str
    lines: tuple[tuple[str, str], ...]
    """The lines of the talk so far, as (speaker, text)."""
    at: int
    """Town second at which the talk was begun."""
    asked: float
    """When the line was asked for; wall clock, epoch seconds."""
    until: float
    """When the waiting ends; wall clock, epoch seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewRecord:
    """One question to an agent and its answer."""

    asker: str
    agent: str
    question: str
    answer: str
    at: int
    """The town second at which the agent was interviewed."""


class Inbox(AbstractContextManager["Inbox"]):
    """A run's inbox: any process puts requests (wishes) in, and only the owner takes them.

    A request is in force once the commit with its intervention is written. Until then every `take`
    returns it again, and afterwards never, so a crash neither loses nor repeats it.
    """

    def __init__(self, folder: RunFolder) -> None:
        folder.check_own()
        self.name = folder.name
        path = folder.inbox_path
        if os.path.lexists(path) and not path.is_file():
            raise RunError(
                f"the inbox of run {self.name!r} cannot be opened: {path.name} is no file; "
                "move it out of the run's folder, and a new one is made"
            )
        with explain_storage_errors(self.name, INBOX):
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.executescript(INBOX_TABLES)
                self._connection.execute(_OURS)
            except sqlite3.Error:
                self._connection.close()
                raise

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def put(self, wish: OperatorRequest) -> str:
        """Store a request for the run's owner, and return the request's id."""
        wish_id = secrets.token_hex(8)
        self._run(
            "INSERT INTO wishes (id, kind, target, text, settled, wall) VALUES (?, ?, ?, ?, 0, ?)",
            *(wish_id, wish.kind, wish.target, wish.text, time()),
        )
        return wish_id

    def take(self, recorded: Callable[[], Collection[str]], tick: int) -> list[Intervention]:
        """Return the requests not committed yet, as interventions in force from `tick` on.

        `recorded` returns the ids of all recorded interventions.
        The caller writes them with its next commit.
        """
        waiting = self._run(_WAITING)
        if not waiting:
            return []
        held = recorded()
        self.settle(wish_id for wish_id, *_ in waiting if wish_id in held)
        return [
            Intervention(id=wish_id, tick=tick, kind=kind, target=target, text=text)
            for wish_id, kind, target, text in waiting
            if wish_id not in held
        ]

    def settle(self, wish_ids: Iterable[str]) -> None:
        """Mark these requests as taken over by the owner; they are not returned again."""
        with self._transaction():
            for one in wish_ids:
                self._run("UPDATE wishes SET settled = 1 WHERE id = ?", one)

    def refuse(self, wish_id: str, why: str) -> None:
        """Mark a request as refused, and store why."""
        with self._transaction():
            self._run("UPDATE wishes SET settled = 1 WHERE id = ?", wish_id)
            self._run("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", wish_id, why, time())

    def fate(self, wish_id: str) -> RequestOutcome:
        """Return the outcome of a request, as far as the owner has recorded it."""
        query = "SELECT settled, why FROM wishes LEFT JOIN refusals USING (id) WHERE id = ?"
        for is_settled, why in self._run(query, wish_id):
            if is_settled and why is None:
                return RequestOutcome(state="taken")
            if is_settled:
                return RequestOutcome(state="refused", why=why)
        return RequestOutcome(state="waiting")

    def wants(self, kind: WishKind, target: str) -> bool:
        """Return whether a request of this kind and target is waiting."""
        return any(wish.kind == kind and wish.target == target for wish in self.waiting())

    def waiting(self) -> list[OperatorRequest]:
        """Return the requests that the owner has not taken over yet, oldest first."""
        return _requests(self._run(_WAITING))

    def ask_turn(self, turn: VisitorTurn) -> None:
        """Ask for a visitor's line; an existing answer is kept."""
        self._run(
            "INSERT INTO turns (talk, n, visitor, agent, place, lines, at, asked, patience, until) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "asked = excluded.asked, patience = excluded.patience, until = excluded.until",
            *(turn.talk, turn.n, turn.visitor, turn.agent, turn.place, dumps(turn.lines)),
            *(turn.at, turn.asked, turn.until - turn.asked, turn.until),
        )

    def turns(self) -> list[VisitorTurn]:
        """Return the turns in which a talk is waiting for a visitor's line, oldest first."""
        names = ("talk", "n", "visitor", "agent", "place", "at", "asked", "until", "lines")
        rows = self._run(
            f"SELECT {', '.join(names)} FROM turns "  # noqa: S608
            "WHERE text IS NULL AND is_over = 0 ORDER BY asked, talk"
        )
        return [
            VisitorTurn(**{**each, "lines": tuple(map(tuple, loads(each["lines"])))})
            for each in (dict(zip(names, cells, strict=True)) for cells in rows)
        ]

    def answer(self, talk: str, n: int) -> GuestLine | None:
        """Return the answer in a turn; None while there is none."""
        query = "SELECT text, ends FROM turns WHERE talk = ? AND n = ? AND text IS NOT NULL"
        rows = self._run(query, talk, n)
        return GuestLine(text=rows[0][0], ends=bool(rows[0][1])) if rows else None

    def turn_until(self, talk: str, n: int) -> float:
        """Return when the waiting for a turn ends, in epoch seconds; 0 for an unknown turn."""
        rows = self._run("SELECT until FROM turns WHERE talk = ? AND n = ?", talk, n)
        return float(rows[0][0]) if rows else 0.0

    def say(self, talk: str, n: int, text: str, *, ends: bool = False) -> bool:
        """Say a visitor's line; return False when the turn is over, or answered already."""
        done = self._run(
            "UPDATE turns SET text = ?, ends = ? "
            "WHERE talk = ? AND n = ? AND text IS NULL AND is_over = 0 RETURNING n",
            *(text, ends, talk, n),
        )
        return bool(done)

    def typing(self, talk: str, n: int) -> None:
        """Note that somebody is typing the line, which restarts the waiting time."""
        query = "UPDATE turns SET until = ? + patience WHERE talk = ? AND n = ?"
        self._run(query, time(), talk, n)

    def close_turn(self, talk: str, n: int) -> None:
        """Mark a turn as over; later answers are refused."""
        self._run("UPDATE turns SET is_over = 1 WHERE talk = ? AND n = ?", talk, n)

    def ask_to_pause(self, *, is_held: bool) -> None:
        """Ask the owner to pause before its next tick, or to go on."""
        if is_held:
            self._run("INSERT OR IGNORE INTO holds VALUES (1, ?)", time())
        else:
            self._run("DELETE FROM holds")

    def is_paused(self) -> bool:
        """Return whether the owner is asked to pause."""
        return bool(self._run("SELECT 1 FROM holds"))

    def set_pace(self, rate: float, seconds: float) -> None:
        """Limit the run to `rate` town seconds per real second, for the next `seconds`.

        At 0 the town waits. The limit ends by itself unless it is set again.
        """
        self._run("INSERT OR REPLACE INTO paces VALUES (1, ?, ?)", rate, time() + seconds)

    def pace(self) -> float | None:
        """Return the maximum town seconds per real second; None if no limit is set."""
        rows = self._run("SELECT rate FROM paces WHERE until > ?", time())
        return max(0.0, float(rows[0][0])) if rows else None

    def put_interview(self, interview: InterviewRecord) -> None:
        """Store a question and its answer."""
        self._run(
            "INSERT INTO interviews (asker, agent, question, answer, at, wall) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            *(interview.asker, interview.agent, interview.question, interview.answer),
            *(interview.at, time()),
        )

    def _run(self, query: str, *given: object) -> list[Any]:
        with explain_storage_errors(self.name, INBOX):
            return self._connection.execute(query, given).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._run("BEGIN IMMEDIATE")
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            roll_back(self._connection)
            raise


def _requests(rows: Iterable[tuple[Any, ...]]) -> list[OperatorRequest]:
    return [OperatorRequest(kind=kind, target=target, text=text) for _, kind, target, text in rows]


def read_waiting(folder: RunFolder) -> list[OperatorRequest]:
    """Return the requests that the owner has not taken over yet, oldest first; change nothing."""
    return _requests(_look(folder, _WAITING))


def read_interviews(folder: RunFolder, agent: str | None = None) -> list[InterviewRecord]:
    """Return the interviews of an agent, or of everybody, oldest first."""
    names = ("asker", "agent", "question", "answer", "at")
    query = f"SELECT {', '.join(names)} FROM interviews WHERE ?1 IS NULL OR agent = ?1 ORDER BY seq"  # noqa: S608
    rows = _look(folder, query, agent)
    return [InterviewRecord(**dict(zip(names, row, strict=True))) for row in rows]


def _look(folder: RunFolder, query: str, *given: object) -> list[Any]:
    """Return the rows of a query, without making a file; none if there is no inbox yet."""
    path = folder.inbox_path
    if not os.path.lexists(path):
        return []
    with explain_storage_errors(folder.name, INBOX), closing(connect_to_look(path)) as connection:
        return connection.execute(query, given).fetchall()


def pause(folder: RunFolder) -> None:
    """Pause a run before its next tick, whichever process owns it; `resume` lets it go on."""
    with Inbox(folder) as inbox:
        inbox.ask_to_pause(is_held=True)


def resume(folder: RunFolder) -> None:
    """Let a paused run go on; do nothing to a run that is not paused."""
    with Inbox(folder) as inbox:
        inbox.ask_to_pause(is_held=False)
