"""The inbox of a run: operators' requests, which the run's owner takes over, and interviews."""

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import time
from typing import TYPE_CHECKING, Literal

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder
from smolville.history.inbox_tables import (
    INTERVIEWS,
    TURNS,
    WISHES,
    InterviewRecord,
    Turns,
    VisitorAnswer,
    VisitorTurn,
)
from smolville.history.records import Intervention, WishKind
from smolville.history.schema import connect_to_look
from smolville.history.trouble import INBOX, explain_storage_errors, roll_back

if TYPE_CHECKING:
    # It brings every step of a mind along, of which a fork has no need.
    from smolville.history.history import History

__all__ = [
    "Inbox",
    "OperatorRequest",
    "RequestOutcome",
    "VisitorTurn",
    "pause",
    "read_waiting",
    "resume",
]

_OURS = "SELECT id, kind, target, text, settled FROM wishes LIMIT 0"
"""Query that fails if the file is a sound database but not the inbox of a run."""


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
                self._connection.executescript(WISHES + INTERVIEWS + TURNS)
                self._connection.execute(_OURS)
            except sqlite3.Error:
                self._connection.close()
                raise

    @cached_property
    def talks(self) -> Turns:
        """Visitors' turns in talks."""
        return Turns(self._connection, self.name)

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def put(self, wish: OperatorRequest) -> str:
        """Store a request for the run's owner, and return the request's id."""
        wish_id = secrets.token_hex(8)
        with explain_storage_errors(self.name, INBOX):
            self._connection.execute(
                "INSERT INTO wishes (id, kind, target, text, settled, wall) "
                "VALUES (?, ?, ?, ?, 0, ?)",
                (wish_id, wish.kind, wish.target, wish.text, time()),
            )
        return wish_id

    def take(self, history: "History", tick: int) -> list[Intervention]:
        """Return the requests not committed yet, as interventions in force from `tick` on.

        The caller writes them with its next commit.
        """
        with explain_storage_errors(self.name, INBOX):
            waiting = self._waiting()
            if not waiting:
                return []
            held = history.intervention_ids()
            self.settle(wish_id for wish_id, _ in waiting if wish_id in held)
        return [
            Intervention(id=wish_id, tick=tick, kind=wish.kind, target=wish.target, text=wish.text)
            for wish_id, wish in waiting
            if wish_id not in held
        ]

    def settle(self, wish_ids: Iterable[str]) -> None:
        """Mark these requests as taken over by the owner; they are not returned again."""
        with self._transaction():
            self._connection.executemany(
                "UPDATE wishes SET settled = 1 WHERE id = ?", [(one,) for one in wish_ids]
            )

    def refuse(self, wish_id: str, why: str) -> None:
        """Mark a request as refused, and store why."""
        with self._transaction():
            self._connection.execute("UPDATE wishes SET settled = 1 WHERE id = ?", (wish_id,))
            self._connection.execute(
                "INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (wish_id, why, time())
            )

    def fate(self, wish_id: str) -> RequestOutcome:
        """Return the outcome of a request, as far as the owner has recorded it."""
        with explain_storage_errors(self.name, INBOX):
            row = self._connection.execute(
                "SELECT settled, why FROM wishes LEFT JOIN refusals USING (id) WHERE id = ?",
                (wish_id,),
            ).fetchone()
        if row is None or not row[0]:
            return RequestOutcome(state="waiting")
        return (
            RequestOutcome(state="taken")
            if row[1] is None
            else RequestOutcome(state="refused", why=row[1])
        )

    def wants(self, kind: WishKind, target: str) -> bool:
        """Return whether a request of this kind and target is waiting."""
        return any(wish.kind == kind and wish.target == target for wish in self.waiting())

    def turns(self) -> list[VisitorTurn]:
        """Return the turns in which a talk is waiting for a visitor's line."""
        return self.talks.open()

    def say(self, talk: str, n: int, text: str, *, ends: bool = False) -> bool:
        """Say a visitor's line; return False when the turn is over."""
        return self.talks.say(talk, n, VisitorAnswer(text=text, ends=ends))

    def typing(self, talk: str, n: int) -> None:
        """Note that somebody is typing the line, which restarts the waiting time."""
        self.talks.wait_longer(talk, n)

    def waiting(self) -> list[OperatorRequest]:
        """Return the requests that the owner has not taken over yet, oldest first."""
        with explain_storage_errors(self.name, INBOX):
            return [wish for _, wish in self._waiting()]

    def ask_to_pause(self, *, is_held: bool) -> None:
        """Ask the owner to pause before its next tick, or to go on."""
        with explain_storage_errors(self.name, INBOX):
            if is_held:
                self._connection.execute("INSERT OR IGNORE INTO holds VALUES (1, ?)", (time(),))
            else:
                self._connection.execute("DELETE FROM holds")

    def is_paused(self) -> bool:
        """Return whether the owner is asked to pause."""
        with explain_storage_errors(self.name, INBOX):
            return self._connection.execute("SELECT 1 FROM holds").fetchone() is not None

    def set_pace(self, rate: float, seconds: float) -> None:
        """Limit the run to `rate` town seconds per real second, for the next `seconds`.

        At 0 the town waits. The limit ends by itself unless it is set again.
        """
        with explain_storage_errors(self.name, INBOX):
            self._connection.execute(
                "INSERT OR REPLACE INTO paces VALUES (1, ?, ?)", (rate, time() + seconds)
            )

    def pace(self) -> float | None:
        """Return the maximum town seconds per real second; None if no limit is set."""
        with explain_storage_errors(self.name, INBOX):
            row = self._connection.execute(
                "SELECT rate FROM paces WHERE until > ?", (time(),)
            ).fetchone()
        return None if row is None else max(0.0, float(row[0]))

    def put_interview(self, interview: InterviewRecord) -> None:
        """Store a question and its answer."""
        with explain_storage_errors(self.name, INBOX):
            self._connection.execute(
                "INSERT INTO interviews (asker, agent, question, answer, at, wall) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    *(interview.asker, interview.agent, interview.question, interview.answer),
                    *(interview.at, time()),
                ),
            )

    def _waiting(self) -> list[tuple[str, OperatorRequest]]:
        rows = self._connection.execute(
            "SELECT id, kind, target, text FROM wishes WHERE settled = 0 ORDER BY seq"
        ).fetchall()
        return [(row[0], OperatorRequest(kind=row[1], target=row[2], text=row[3])) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explain_storage_errors(self.name, INBOX):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                roll_back(self._connection)
                raise


def read_waiting(folder: RunFolder) -> list[OperatorRequest]:
    """Return the requests that the owner has not taken over yet, oldest first; change nothing."""
    path = folder.inbox_path
    if not os.path.lexists(path):
        return []
    query = "SELECT kind, target, text FROM wishes WHERE settled = 0 ORDER BY seq"
    with explain_storage_errors(folder.name, INBOX), closing(connect_to_look(path)) as connection:
        rows = connection.execute(query).fetchall()
    return [OperatorRequest(kind=kind, target=target, text=text) for kind, target, text in rows]


def pause(folder: RunFolder) -> None:
    """Pause a run before its next tick, whichever process owns it; `resume` lets it go on."""
    with Inbox(folder) as inbox:
        inbox.ask_to_pause(is_held=True)


def resume(folder: RunFolder) -> None:
    """Let a paused run go on; do nothing to a run that is not paused."""
    with Inbox(folder) as inbox:
        inbox.ask_to_pause(is_held=False)
