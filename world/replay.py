"""Rebuilds a run in another folder from its recorded calls, interventions and visitors' lines.

The interventions are written into the new history before the run begins. So the engine applies them
at their ticks, as when a run is resumed after a crash, and nobody is asked for a visitor's line.
"""

import asyncio
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import orjson

from smolville.agents.errors import RunError
from smolville.graphs.loop.ledger import Call
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.drafting import draft_run
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.history.schema import open_writer
from smolville.history.spec import RunSpec, models_in
from smolville.history.tables import INTERVENTIONS
from smolville.history.trouble import explain_storage_errors
from smolville.models.chat import Chat, plain_messages
from smolville.models.errors import ModelError, PromptCut
from smolville.models.keys import MaySend, forbid_all
from smolville.models.pacing import Backoff
from smolville.models.reply import Reply
from smolville.models.request import ModelSettings
from smolville.world.reembedding import REEMBEDDED
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig

    from smolville.models.standin.rule import Rule


SLOTS = 16
"""Number of questions that are answered at the same time."""
_CALLS = f"SELECT {LISTING} FROM calls WHERE tick <= ? ORDER BY tick, rowid"  # noqa: S608

PATIENCE_SECONDS = 30.0
"""Seconds for which requests to an embedder's server are retried."""


class UnrecordedQuestion(RunError):
    """Raised when a replayed run asks a question that has no recorded answer."""

    def __init__(self, step: str, recorded: Call | None) -> None:
        """Store the call that is recorded in the question's place, if there is one."""
        if recorded is None:
            super().__init__(f"the step `{step}` asks something that was not recorded")
        else:
            super().__init__(
                f"the step `{step}` of {recorded.agent} asks something else than was recorded"
            )
        self.step = step
        self.recorded = recorded


@dataclass(frozen=True)
class RecordedReplies:
    """The calls of a run up to a tick, found by step and random seed.

    A call's seed depends on its key, so a seed usually belongs to one call; in a long run, rarely,
    to several.
    """

    calls: Mapping[tuple[str, int], Sequence[Call]]

    @classmethod
    def read(cls, connection: sqlite3.Connection, until: int) -> "RecordedReplies":
        """Return the calls of a history up to a tick, including those of unfinished steps."""
        unpacker = Unpacker(connection)
        found: defaultdict[tuple[str, int], list[Call]] = defaultdict(list)
        for cells in connection.execute(_CALLS, (until,)):
            call = read_call(cells, unpacker)
            found[call.key.step, call.seed].append(call)
        return cls(found)

    def __iter__(self) -> Iterator[Call]:
        """Yield all calls."""
        return (call for calls in self.calls.values() for call in calls)


@dataclass(kw_only=True)
class RecordedChat(Chat):
    """A chat that answers each question with its recorded reply.

    Raises UnrecordedQuestion if there is none.
    """

    replies: RecordedReplies = field(repr=False)
    _cuts: Counter[tuple[str, int]] = field(default_factory=Counter, repr=False)
    """Number of prompts refused so far as too long, by question."""

    async def ask(
        self,
        messages: "list[BaseMessage]",
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        temperature: float = 0.0,
        max_tokens: int = 512,
        step: str = "",
        inputs: Mapping[str, Any] | None = None,
        rule: "Rule | None" = None,
        slot: int | None = None,
        config: "RunnableConfig | None" = None,
    ) -> Reply:
        """Return the reply recorded for this question.

        Raises PromptCut if the recorded server refused this prompt as too long.
        """
        asked = (
            orjson.dumps(plain_messages(messages)).decode(),
            orjson.dumps(schema).decode() if self.constrains else "",
            temperature,
            max_tokens,
        )
        known = self.replies.calls.get((step, seed), ())
        for call in known:
            if asked == (call.messages, call.schema, call.temperature, call.max_tokens):
                return _reply_of(call)
        if any(call.cuts > self._cuts[step, seed] for call in known):
            self._cuts[step, seed] += 1
            raise PromptCut("the recorded server could not take a prompt as long as this")
        raise UnrecordedQuestion(step, next(iter(known), None))


def open_recorded_chat(
    spec: str, replies: RecordedReplies, settings: ModelSettings, window: int | None
) -> RecordedChat:
    """Return a chat that replaces the model of a spec; `window` is its context size."""
    calls = [call for call in replies if call.model == spec]
    thinks = settings.thinking and any(call.thinking_tokens for call in calls)
    return RecordedChat(
        spec=spec,
        name=spec,
        # Nothing is ever sent to a model: `ask` is all that a run calls.
        model=cast("BaseChatModel", None),
        slots=SLOTS,
        constrains=any(call.schema for call in calls),
        num_ctx=window,
        thinking_tokens=settings.thinking_tokens if thinks else 0,
        replies=replies,
    )


def _reply_of(call: Call) -> Reply:
    return Reply(
        text=call.reply,
        finish=cast(Literal["stop", "length", "unreadable"], call.finish),
        prompt_tokens=call.prompt_tokens,
        completion_tokens=call.completion_tokens,
        thinking_tokens=call.thinking_tokens,
        cached_tokens=call.cached_tokens,
        milliseconds=call.milliseconds,
        prompt_ms=call.prompt_ms,
        reply_ms=call.reply_ms,
        thinking=call.thinking,
    )


@dataclass(frozen=True)
class ReplayResult:
    """A rebuilt run, and the question at which rebuilding stopped, if it did."""

    folder: RunFolder
    unrecorded: UnrecordedQuestion | None = None


def replay_run(
    source: RunReader, into: Path, done: int, may_send: MaySend = forbid_all
) -> ReplayResult:
    """Rebuild the run `source` in the folder `into` up to the tick `done`, and return the result.

    No chat model is asked, but an embedder on a server is. Raises RunError or TownError if the run
    cannot be replayed because its town has changed or its embedder is missing.
    """
    with source.snapshot():
        replies = RecordedReplies.read(source.connection, done)
        made = [each for each in source.interventions() if each.tick <= done]
        folder = _copy_beginning(source, into, made)
    _check_models(source.spec, replies, made)
    try:
        _live(folder, done + 1, replies, may_send)
    except UnrecordedQuestion as error:
        return ReplayResult(folder, error)
    return ReplayResult(folder)


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
            connection.executemany(
                "INSERT INTO templates (name, hash, text) VALUES (?, ?, ?)",
                source.connection.execute("SELECT name, hash, text FROM templates"),
            )
            connection.executemany(INTERVENTIONS.insert, map(INTERVENTIONS.cells, made))
            connection.execute("COMMIT")
        finally:
            connection.close()
    return RunFolder(into / spec.name, spec)


def _check_models(spec: RunSpec, replies: RecordedReplies, made: Sequence[Intervention]) -> None:
    """Raise RunError for a run that got another model or embedder on its way."""
    asked = {(call.tier, call.model) for call in replies}
    if asked - {("fast", spec.models.fast), ("strong", spec.models.strong)} or any(
        each.kind == REEMBEDDED for each in made
    ):
        raise RunError(
            f"run {spec.name!r} cannot be replayed: it got another model or embedder on its way"
        )


def _live(folder: RunFolder, end: int, replies: RecordedReplies, may_send: MaySend) -> None:
    spec = folder.spec
    models, settings = spec.models, models_in(spec.settings)
    chats = {
        name: open_recorded_chat(name, replies, settings, models.windows.get(name))
        for name in (models.fast, models.strong)
    }
    means = RunResources(may_send=may_send, backoff=Backoff(patience_seconds=PATIENCE_SECONDS))
    try:
        pair = chats[models.fast], chats[models.strong]
        with open_simulation(folder, pair, means=means) as simulation:
            asyncio.run(simulation.run(simulation.clock.at(end)))
    except ModelError as error:
        raise RunError(
            f"run {spec.name!r} cannot be replayed here: {spec.models.embedder}, by which its "
            f"memories are compared, cannot be used: {error}"
        ) from error
