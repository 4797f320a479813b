"""Rebuilds a run in another folder from its recorded calls, interventions and visitors' lines.

They are written into the new history before the run begins. So the engine finds them as when a run
is resumed after a crash: no model is asked for a reply, and nobody for a visitor's line.
"""

import asyncio
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from smolville.agents.errors import RunError
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.drafting import draft_run
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import INTERVENTIONS, Intervention
from smolville.history.schema import open_writer
from smolville.history.spec import RunSpec, models_in
from smolville.history.trouble import explain_storage_errors
from smolville.models.chat import Chat
from smolville.models.errors import ModelError, PromptCut
from smolville.models.keys import MaySend, forbid_all
from smolville.models.pacing import Backoff
from smolville.models.reply import Reply
from smolville.world.reembedding import REEMBEDDED
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage


SLOTS = 16
"""Number of questions that are answered at the same time."""
PATIENCE_SECONDS = 30.0
"""Seconds for which requests to an embedder's server are retried."""


class UnrecordedQuestion(RunError):
    """Raised when a replayed run asks a question that has no recorded answer."""

    def __init__(self, step: str, agent: str, tick: int | None) -> None:
        """Store the tick of the call that is recorded in the question's place; None for none."""
        if tick is None:
            super().__init__(f"the step `{step}` asks something that was not recorded")
        else:
            super().__init__(f"the step `{step}` of {agent} asks something else than was recorded")
        self.tick = tick


@dataclass(kw_only=True)
class RecordedChat(Chat):
    """A chat for a run whose history has every call already: whatever it is asked is missing."""

    recorded: Mapping[tuple[str, int], tuple[str, int, int]] = field(repr=False)
    """By step and random seed of a call: agent, tick, and how often the prompt was too long."""
    _cuts: Counter[tuple[str, int]] = field(default_factory=Counter, repr=False)
    """Number of prompts refused so far as too long, by question."""

    async def ask(
        self, messages: "list[BaseMessage]", *, step: str = "", seed: int = 0, **how: Any
    ) -> Reply:
        """Raise PromptCut if the recorded server refused this prompt, else UnrecordedQuestion."""
        agent, tick, cuts = self.recorded.get((step, seed), ("", None, 0))
        if cuts > self._cuts[step, seed]:
            self._cuts[step, seed] += 1
            raise PromptCut("the recorded server could not take a prompt as long as this")
        raise UnrecordedQuestion(step, agent, tick)


def open_recorded_chat(spec: RunSpec, name: str, connection: sqlite3.Connection) -> RecordedChat:
    """Return a chat that replaces a model of a run whose calls are in a history."""
    settings = models_in(spec.settings)
    rows = "FROM calls WHERE model = ?"
    thought = connection.execute(f"SELECT 1 {rows} AND thinking_tokens LIMIT 1", (name,)).fetchone()
    # A step whose template asks for no JSON is held to no schema; others of its model may be.
    each = connection.execute(f"SELECT {LISTING} {rows} GROUP BY step", (name,)).fetchall()
    unpacker = Unpacker(connection)
    seeds = connection.execute("SELECT step, seed, agent, tick, cuts FROM calls")
    return RecordedChat(
        spec=name,
        name=name,
        # Nothing is ever sent to a model: `ask` is all that a run calls.
        model=cast("BaseChatModel", None),
        slots=SLOTS,
        constrains=any(read_call(call, unpacker).schema for call in each),
        num_ctx=spec.models.windows.get(name),
        thinking_tokens=settings.thinking_tokens if settings.thinking and thought else 0,
        recorded={(step, seed): call for step, seed, *call in seeds},
    )


def replay_run(
    source: RunReader, into: Path, done: int, may_send: MaySend = forbid_all
) -> tuple[RunFolder, UnrecordedQuestion | None]:
    """Rebuild a run in the folder `into` up to the tick `done`; also return what stopped it.

    No chat model is asked, but an embedder on a server is. Raises RunError or TownError if the run
    cannot be replayed because its town has changed or its embedder is missing.
    """
    with source.snapshot():
        made = [each for each in source.interventions() if each.tick <= done]
        folder = _copy_beginning(source, into, made)
    _check_models(source, made, done)
    try:
        _live(folder, done + 1, may_send)
    except UnrecordedQuestion as error:
        return folder, error
    return folder, None


_RECORDED = ("templates", "dictionaries", "calls", "call_servers")
"""The tables of what models were asked and answered."""


def _copy_beginning(source: RunReader, into: Path, made: Iterable[Intervention]) -> RunFolder:
    # The schedule decides nothing about what happens; all runs are replayed by the plainest one.
    spec = source.spec.model_copy(update={"schedule": "lockstep"})
    old = source.folder
    with draft_run(into, spec) as draft, explain_storage_errors(spec.name):
        if spec.routines:
            shutil.copyfile(old.routines_path, draft.routines_path)
        if old.town_path.is_dir():
            shutil.copytree(old.town_path, draft.town_path, symlinks=True)
        connection = open_writer(draft.history_path, spec.name)
        try:
            connection.execute("BEGIN IMMEDIATE")
            for table in _RECORDED:
                rows = source.connection.execute(f"SELECT * FROM {table}")  # noqa: S608
                marks = ", ".join("?" * len(rows.description))
                connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
            connection.executemany(INTERVENTIONS.insert, map(INTERVENTIONS.cells, made))
            connection.execute("COMMIT")
        finally:
            connection.close()
    return RunFolder(into / spec.name, spec)


def _check_models(source: RunReader, made: Sequence[Intervention], done: int) -> None:
    """Raise RunError for a run that got another model or embedder on its way."""
    models = source.spec.models
    query = "SELECT DISTINCT tier, model FROM calls WHERE tick <= ?"
    asked = set(source.connection.execute(query, (done,)))
    if asked - {("fast", models.fast), ("strong", models.strong)} or any(
        each.kind == REEMBEDDED for each in made
    ):
        raise RunError(
            f"run {source.spec.name!r} cannot be replayed: it got another model or embedder on "
            "its way"
        )


def _live(folder: RunFolder, end: int, may_send: MaySend) -> None:
    spec = folder.spec
    with RunReader(folder) as reader:
        chats = {
            name: open_recorded_chat(spec, name, reader.connection)
            for name in (spec.models.fast, spec.models.strong)
        }
    means = RunResources(may_send=may_send, backoff=Backoff(patience_seconds=PATIENCE_SECONDS))
    try:
        pair = chats[spec.models.fast], chats[spec.models.strong]
        with open_simulation(folder, pair, means=means) as simulation:
            asyncio.run(simulation.run(simulation.clock.at(end)))
    except ModelError as error:
        raise RunError(
            f"run {spec.name!r} cannot be replayed here: {spec.models.embedder}, by which its "
            f"memories are compared, cannot be used: {error}"
        ) from error
