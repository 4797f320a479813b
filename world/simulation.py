"""An open run: town, minds, memories and models put together, ready to continue."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import orjson

from smolville.agents.errors import RunError
from smolville.agents.memory import Memory
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.times import Clock, moment
from smolville.graphs.catalogue import Template, check_contexts, collect_templates
from smolville.graphs.components import ENTITIES
from smolville.graphs.loop.model_client import ModelClient
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.inbox import Inbox
from smolville.history.memory_store import MemoryStore
from smolville.history.moments import EDITED, RunGoal
from smolville.history.observers import RunObserver, RunObservers, untraced
from smolville.history.progress_file import ProgressWriter
from smolville.history.records import Intervention
from smolville.history.spec import RunSpec, rules_in
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import Embedder, open_embedder
from smolville.prompts.facts import TemplateFacts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from smolville.world.adapter import World
from smolville.world.cluster_runner import ClusterRunner
from smolville.world.engine import Engine, restore
from smolville.world.inbox_reader import InboxReader
from smolville.world.reembedding import record_reembedding
from smolville.world.routine_library import read_library
from smolville.world.run_resources import RunResources
from smolville.world.streams import Streams, word_vectors
from smolville.world.thinkers import EntityRunner, Thinkers, VisitorListener
from smolville.world.tile_town import TileTown
from smolville.world.town.town import town_of
from smolville.world.workers.worker import distributed

_NOTHING = Template(TemplateFacts().version, {})
"""The template recorded when a folder no longer controls how answers are judged."""


@dataclass(kw_only=True)
class Simulation:
    """An open run, in the process that holds the lock of the run's folder."""

    folder: RunFolder
    world: World
    engine: Engine
    history: History
    notes: list[str]
    """One sentence for each thing that was found or repaired on opening."""
    client: ModelClient
    """Asks the models."""
    pulse: ProgressWriter
    """Reports to other processes what the run is doing at the moment."""

    @property
    def clock(self) -> Clock:
        """Clock that says how long a tick is."""
        return self.world.clock

    @property
    def at(self) -> int:
        """Town second up to which everybody's history is complete."""
        mark = self.history.watermark()
        return 0 if mark is None else self.clock.at(mark + 1)

    async def run(self, until: int) -> None:
        """Continue until town second `until`; raises an error if the run cannot continue."""
        goal = RunGoal(at=until, tick=self.history.watermark() or 0)
        if goal != self.history.goal():
            self.history.set_goal(goal.at, goal.tick)
        async with self.pulse.beating():
            # What was loaded stays: the garbage collector need not examine it again and again.
            gc.freeze()
            try:
                await untraced(self.engine.run(self.clock.tick_at(until)))
            finally:
                gc.unfreeze()


@contextmanager
def open_simulation(
    folder: RunFolder,
    chats: tuple[Chat, Chat],
    watch: RunObserver | None = None,
    means: RunResources | None = None,
) -> Iterator[Simulation]:
    """Open and own a run in a tile town during the block."""
    spec = folder.spec
    town = town_of(folder)
    cast = town.together(spec.cast)
    world = TileTown(town, cast, Clock(spec.tick_seconds), spec.seed)
    with open_world_simulation(folder, world, cast, chats, watch, means) as simulation:
        yield simulation


@contextmanager
def open_world_simulation(
    folder: RunFolder,
    world: World,
    cast: Sequence[Persona],
    chats: tuple[Chat, Chat],
    watch: RunObserver | None = None,
    means: RunResources | None = None,
) -> Iterator[Simulation]:
    """Open and own a run in any world during the block.

    First every store is made to agree with the last commit in the history.

    At the end everything is flushed and closed, even after an error in the block.
    """
    spec = folder.spec
    means = means or RunResources()
    pulse = ProgressWriter(folder, is_watched=means.is_watched, seconds_left=means.seconds_left)
    watch = RunObservers((watch or RunObserver(), pulse))
    embedder = open_embedder(spec.models.embedder, env=means.env, may_send=means.may_send)
    with (
        folder.lock(),
        History(folder) as history,
        Inbox(folder) as inbox,
        ExitStack() as open_until,
    ):
        store = MemoryStore(folder, embedder.name, embedder.dimension)
        memories = history.memories_of_all()
        try:
            notes = _catch_up(folder, store, history, memories, embedder)
            notes += _take_templates(history, spec, world.clock, means.templates)
            streams = Streams(
                spec.cast,
                embedder,
                means.backoff,
                watch.waiting,
                word_vectors(spec.models.keywords),
            )
            minds: dict[str, Mind] = {}
            client = _desk(spec, chats, history, watch, means)
            thinks = None
            if means.workers is not None:
                thinks = open_until.enter_context(
                    distributed(means.workers, spec, streams, history, client)
                )
            streams.add(memories, store.load([memory.id for memory in memories]))
            del memories
            check_contexts(chats, client.rules, client.templates.latest)
            listening = VisitorListener(
                history=history,
                inbox=inbox,
                watch=watch,
                patience=means.visitor_patience,
            )
            runner = ClusterRunner(
                world=world,
                thinkers=Thinkers(
                    world,
                    cast,
                    streams,
                    client,
                    minds,
                    listening,
                    watch,
                    read_library(folder) if spec.routines else {},
                    thinks,
                ),
                minds=minds,
                streams=streams,
                history=history,
                store=store,
                seed=spec.seed,
                schedule=spec.schedule,
                watch=watch,
            )
            engine = Engine(
                world=world,
                runner=runner,
                inbox=inbox,
                intake=InboxReader(world=world, history=history, inbox=inbox),
                watch=watch,
                entities=_entities(spec, world, client, history, watch),
            )
            restore(engine, history, spec.cast)
            pulse.begin(lambda: client.gates, lambda: engine.done)
            yield Simulation(
                folder=folder,
                world=world,
                engine=engine,
                history=history,
                notes=notes,
                client=client,
                pulse=pulse,
            )
        finally:
            pulse.end()
            store.close()


def _catch_up(
    folder: RunFolder,
    store: MemoryStore,
    history: History,
    rows: Sequence[Memory],
    embedder: Embedder,
) -> list[str]:
    """Make a run's store agree with the last commit; return a sentence for each thing done.

    If another embedder made its vectors, a re-embedding was killed, whose remaining steps are done.
    Raises RunError if the model behind the embedder's name was changed.
    """
    made, notes = store.former(), list[str]()
    if made is not None and made.name == embedder.name:
        raise RunError(
            f"the model behind {embedder.name!r} was changed: it gives {embedder.dimension} "
            f"numbers a text, and gave {made.dimension} when the memories of run {folder.name!r} "
            "were embedded; give it the former one again, or have every text embedded again: "
            f"`smolville reembed {folder.name} --embedder {embedder.name}`"
        )
    if made is not None:
        told = record_reembedding(folder, history, made, embedder)
        notes = [f"finished re-embedding the memories: {told}"]
    return notes + store.reconcile(rows, lambda texts: np.asarray(embedder.embed(texts)))


def _desk(
    spec: RunSpec,
    chats: tuple[Chat, Chat],
    history: History,
    watch: RunObserver,
    means: RunResources,
) -> ModelClient:
    return ModelClient(
        fast=chats[0],
        strong=chats[1],
        journal=history,
        seed=spec.seed,
        rules=rules_in(spec.settings),
        templates=TemplateBook.of(history.template_sets()),
        backoff=means.backoff,
        cache=means.cache,
        one_at_a_time=spec.schedule == "serial",
        heard=watch.on_call,
        waiting=watch.waiting,
        told=watch.on_server,
    )


def _entities(
    spec: RunSpec, world: World, client: ModelClient, history: History, watch: RunObserver
) -> EntityRunner | None:
    setting = world.setting()
    if setting is None or ENTITIES.name in client.rules.without:
        return None
    return EntityRunner(world, setting, client, history, plot=spec.plot, watch=watch)


def record_templates(
    history: History, in_force: TemplateSet, templates: TemplateSet, tick: int
) -> Intervention | None:
    """Record the texts of the templates that are used from a tick on.

    `in_force` are the templates used up to that tick. Returns None if the two do not differ.
    """
    was, now = collect_templates(in_force), collect_templates(templates)
    now |= dict.fromkeys(was.keys() - now.keys(), _NOTHING)
    versions = {
        name: each.version
        for name, each in now.items()
        if name not in was or was[name].version != each.version
    }
    if not versions:
        return None
    text = orjson.dumps(versions).decode()
    before = sum(1 for each in history.interventions() if each.kind == EDITED)
    name = blake2b(f"{EDITED}|{before}|{tick}|{text}".encode(), digest_size=8).hexdigest()
    one, other = (
        {file: text for each in some.values() for file, text in each.files.items()}
        for some in (was, now)
    )
    made = Intervention(
        id=f"{EDITED}-{name}",
        tick=tick,
        kind="templates",
        target=", ".join(sorted(each for each in one | other if one.get(each) != other.get(each))),
        text=text,
    )
    history.edit_templates(made, now, collect_templates(templates, with_examples=True))
    return made


def _take_templates(
    history: History, spec: RunSpec, clock: Clock, templates: TemplateSet | None
) -> list[str]:
    """Use these templates from the first tick that nobody has begun; return a sentence on that."""
    if templates is None:
        return []
    done = (state.done for state in history.state_of(spec.cast).values())
    untouched = max((tick + 1 for tick in done if tick is not None), default=0)
    book = TemplateBook.of(history.template_sets())
    made = record_templates(history, book.latest, templates, max(untouched, book.since))
    return [] if made is None else [f"From {moment(clock.at(made.tick))} on: {made.target}."]
