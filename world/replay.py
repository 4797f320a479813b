"""Rebuild a run in another folder from what it recorded: calls, interventions and visitors' lines.

The interventions are written into the new history before the run begins. So the engine applies them
at their ticks, as when a run is resumed after a crash, and nobody is asked for a visitor's line.
"""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import RunError
from history.drafting import draft_run
from history.folder import RunFolder
from history.reader import RunReader
from history.records import Intervention
from history.schema import open_writer
from history.spec import ModelSpecs, RunSpec, models_in
from history.tables import INTERVENTIONS
from history.trouble import explain_storage_errors
from models.errors import ModelError
from models.keys import MaySend, forbid_all
from models.pacing import Backoff
from world.recorded_chat import RecordedReplies, UnrecordedQuestion, open_recorded_chat
from world.run_resources import RunResources
from world.simulation import open_simulation

REEMBEDDED = "reembedded"
PATIENCE_SECONDS = 30.0
"""Seconds for which an embedder's server is retried."""


@dataclass(frozen=True)
class ReplayStage:
    """A stretch of a run with the same models and the same embedder."""

    begin: int
    """The first tick."""
    models: ModelSpecs


@dataclass(frozen=True)
class Replayed:
    """A rebuilt run, and the question at which rebuilding stopped, if it did."""

    folder: RunFolder
    unrecorded: UnrecordedQuestion | None = None


def replay_run(
    source: RunReader, into: Path, done: int, may_send: MaySend = forbid_all
) -> Replayed:
    """Rebuild the run `source` in the folder `into` up to the tick `done`, and return it.

    No chat model is asked; an embedder that runs on a server is. Raises RunError or TownError when
    the run cannot be replayed: its town has changed, or its embedder is not there.
    """
    with source.snapshot():
        replies = RecordedReplies.read(source.connection, done)
        made = [each for each in source.interventions() if each.tick <= done]
        folder = _copy_beginning(source, into, made)
    stages = list(_stages(source.spec, replies, made))
    ends = [*(stage.begin for stage in stages[1:]), done + 1]
    for stage, end in zip(stages, ends, strict=True):
        try:
            _live_stage(folder, stage, end, replies, may_send)
        except UnrecordedQuestion as error:
            return Replayed(folder, error)
    return Replayed(folder)


def _copy_beginning(source: RunReader, into: Path, made: Iterable[Intervention]) -> RunFolder:
    """Return a new run with the source's spec, town, routines, templates and interventions."""
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


def _stages(
    spec: RunSpec, replies: RecordedReplies, made: Sequence[Intervention]
) -> Iterator[ReplayStage]:
    """Yield the stretches of a run between which it got other models, or another embedder."""
    changes = [each for each in made if each.kind == REEMBEDDED]
    embedders = {each.tick: each.target for each in changes}
    first = changes[0].text.split(" -> ")[0] if changes else spec.models.embedder
    models = spec.models.model_copy(update={"embedder": first})
    tiers = _tiers_by_tick(spec, replies)
    for tick in sorted({0, *embedders, *tiers}):
        fast, strong = tiers.get(tick, (models.fast, models.strong))
        embedder = embedders.get(tick, models.embedder)
        models = models.model_copy(update={"fast": fast, "strong": strong, "embedder": embedder})
        yield ReplayStage(tick, models)


def _tiers_by_tick(spec: RunSpec, replies: RecordedReplies) -> dict[int, tuple[str, str]]:
    """Return the fast and the strong model that a run switched to later, by first tick."""
    calls = sorted(replies, key=lambda call: call.key.tick)
    now = {"fast": spec.models.fast, "strong": spec.models.strong}
    found: dict[int, tuple[str, str]] = {}
    for index, call in enumerate(calls):
        if call.model == now[call.tier]:
            continue
        tick = call.key.tick
        if any(each.model == now[each.tier] for each in calls if each.key.tick == tick):
            raise RunError(
                f"run {spec.name!r} cannot be replayed: it got another model in the middle of tick "
                f"{tick}, which some people had completed and others had not"
            )
        for tier in now:
            later = (each.model for each in calls[index:] if each.tier == tier)
            now[tier] = next(later, call.model)
        found[tick] = now["fast"], now["strong"]
    return found


def _live_stage(
    folder: RunFolder, stage: ReplayStage, end: int, replies: RecordedReplies, may_send: MaySend
) -> None:
    """Simulate a stretch of a replayed run up to the tick `end`, exclusive."""
    models, settings = stage.models, models_in(folder.spec.settings)
    chats = {
        name: open_recorded_chat(name, replies, settings, models.windows.get(name))
        for name in (models.fast, models.strong)
    }
    spec = folder.spec.model_copy(update={"models": stage.models})
    means = RunResources(may_send=may_send, backoff=Backoff(patience_seconds=PATIENCE_SECONDS))
    # Vectors of another embedder are of no use; the store is built anew from the history.
    shutil.rmtree(folder.memories_path, ignore_errors=True)
    try:
        with open_simulation(
            RunFolder(folder.path, spec), (chats[models.fast], chats[models.strong]), means=means
        ) as simulation:
            asyncio.run(simulation.run(simulation.clock.at(end)))
    except ModelError as error:
        raise RunError(
            f"run {spec.name!r} cannot be replayed here: {spec.models.embedder}, by which its "
            f"memories are compared, cannot be used: {error}"
        ) from error
