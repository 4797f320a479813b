"""Prepare a run: create a new one, or resume an existing one where it stopped."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS, Clock
from smolville.cli.run.settings import (
    RunOptions,
    asking_now,
    contradiction,
    describe_ignored_settings,
    goal_of,
    servers_to_keep,
    tiers_now,
    user_servers,
)
from smolville.cli.screen import again_in, say
from smolville.cli.settings.choosing import ResolvedSettings
from smolville.cli.settings.key_hosts import key_hosts, remember_servers
from smolville.cli.templates import describe_templates, templates_again, templates_of
from smolville.graphs.catalogue import check_contexts
from smolville.history.folder import RunFolder, check_name, list_runs, owner_of
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.history.spec import RunSpec, rules_in
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import find_embedder, open_embedder, parse_embedder
from smolville.models.errors import ModelLoading, TransportError
from smolville.models.keys import MaySend, UserSpec, check_keys, forbid_all
from smolville.models.open import FoundModel, find_model, open_chat, warn_if_small
from smolville.models.pacing import Backoff, ask_blocking
from smolville.models.pool import open_pool
from smolville.models.request import ModelSettings
from smolville.world.routine_library import RoutineLibrary, library_of
from smolville.world.run_request import RunRequest, create_run
from smolville.world.run_resources import RunResources
from smolville.world.town.town import town_of
from smolville.world.workers.ray_cluster import plan_of

DEFAULT_SECONDS = DAY_SECONDS
"""Default length of a run, in town seconds."""


@dataclass(frozen=True, kw_only=True)
class StartedRun:
    """A prepared run: its folder, its model clients, and the goal to reach."""

    folder: RunFolder
    chats: tuple[Chat, Chat] | None
    """The fast and the strong model client; None if the run is already at its goal."""
    at: int
    """Town second that the run has reached."""
    goal: int
    is_new: bool
    means: RunResources = field(default_factory=RunResources)
    """What this machine provides for this run, such as environment, cache and patience."""
    notes: tuple[tuple[str, str], ...] = ()
    """What is told when it begins: a word such as `model`, and a line; empty lines are left out."""


def begin(
    runs: Path, order: RunOptions, chosen: ResolvedSettings, open_until: ExitStack
) -> StartedRun:
    """Create a new run; if the order is invalid, nothing is left behind.

    The resources it opens are closed with `open_until`.
    """
    chosen, fast, strong = models_now(chosen)
    values, templates = chosen.values, templates_of(chosen)
    tick = Clock(values.tick).tick_seconds
    goal = goal_of(order.duration, order.until, 0, tick)
    asking = chosen.models()
    chats, why = open_chats(
        fast,
        strong,
        values.seed,
        servers=user_servers(chosen),
        settings=asking,
        env=chosen.surroundings,
        patience=values.patience,
    )
    if values.embedder is None:
        embedder, why_it = find_embedder({chat.spec for chat in chats}, chosen.surroundings)
    else:
        embedder = open_embedder(UserSpec(values.embedder), env=chosen.surroundings)
        why_it = "chosen by you"
    routines = _routines_of(runs, order)
    means = means_now(chosen, asking, open_until, key_hosts(chosen))
    rules = chosen.rules(is_real=not all(chat.wants_inputs for chat in chats))
    asked = RunRequest(
        town=order.town,
        cast=values.cast if order.agents is None else None,
        agents=order.agents,
        embedder=embedder.name,
        tick_seconds=tick,
        seed=values.seed,
        schedule=values.schedule,
        rules=rules,
        models=asking,
        routines=routines,
        templates=None if templates is None else templates.texts,
        servers=servers_to_keep(chosen, chats),
    )
    goal = goal or DEFAULT_SECONDS
    folder = create_run(runs, order.name, asked, chats, overwrite=order.overwrite, goal=goal)
    remember_servers(
        (values.fast, values.strong, *chain(*chosen.servers.values())),
        embedder.name,
        chosen.surroundings,
    )
    knows = ""
    if routines is not None:
        cast_now = town_of(folder).together(folder.spec.cast)
        knows = f"{routines.describe(cast_now)}, learnt in {routines.run}."
    return StartedRun(
        folder=folder,
        chats=chats,
        at=0,
        goal=goal,
        is_new=True,
        means=means,
        notes=(
            *(("model", line) for line in why),
            ("how", chosen.describe_chosen()),
            ("memory", f"{embedder.name}: {why_it}."),
            ("knows", knows),
            ("prompt", describe_templates(chosen, templates)),
            ("note", _warn_of_small(chats)),
        ),
    )


def _warn_of_small(chats: tuple[Chat, Chat]) -> str:
    """Return a sentence about each model that is too small to speak for itself; else ""."""
    found = (warn_if_small(chat.parameters) for chat in chats)
    return " ".join(f"{each[:1].upper()}{each[1:]}." for each in dict.fromkeys(found) if each)


def models_now(
    chosen: ResolvedSettings,
) -> tuple[ResolvedSettings, UserSpec | FoundModel, UserSpec | FoundModel]:
    """Return the settings of a new run with its models' profiles, and the models of both tiers.

    If no model is set, the one that this machine offers is used.
    """
    fast, strong = chosen.values.fast, chosen.values.strong
    if fast is None or strong is None:
        found = find_model(chosen.surroundings)
        return chosen.of_model(str(found.spec)), found, found
    return chosen, UserSpec(fast), UserSpec(strong)


def resume_run(
    runs: Path, order: RunOptions, chosen: ResolvedSettings, open_until: ExitStack
) -> StartedRun:
    """Resume a run, up to its original goal or a later one.

    The resources it opens are closed with `open_until`.
    """
    folder = _find_resumable_run(runs, order, chosen)
    with RunReader(folder) as reader:
        done = reader.watermark()
        asked = reader.goal()
        own = reader.templates_at(FOREVER)
    spec = folder.spec
    at = 0 if done is None else (done + 1) * spec.tick_seconds
    goal = goal_of(order.duration, order.until, at, spec.tick_seconds)
    if goal is None:
        goal = asked.at if asked is not None else DEFAULT_SECONDS
    if at >= goal:
        return StartedRun(folder=folder, chats=None, at=at, goal=goal, is_new=False)
    templates, note = templates_again(chosen, own)
    may_send = key_hosts(chosen)
    # Its keys are checked before anything begins; the embedder itself is opened with the run.
    embedder = spec.models.embedder
    check_keys(embedder, parse_embedder(embedder), chosen.surroundings, may_send)
    chats, why, means = models_of_run(
        chosen, spec, may_send, open_until, patience=chosen.values.patience
    )
    if templates is not None:
        check_contexts(chats, rules_in(spec.settings), templates)
    begun_with = (spec.models.fast, spec.models.strong)
    if (chats[0].spec, chats[1].spec) != begun_with:
        why = (*why, f"begun with {' and '.join(dict.fromkeys(begun_with))}")
    notes = (describe_ignored_settings(chosen, spec), note, _warn_of_small(chats))
    return StartedRun(
        folder=folder,
        chats=chats,
        at=at,
        goal=goal,
        is_new=False,
        means=replace(means, templates=templates),
        notes=(
            *(("model", line) for line in why),
            ("memory", f"{embedder}: as the run was begun."),
            ("prompt", describe_templates(chosen, templates)),
            ("note", " ".join(filter(None, notes))),
        ),
    )


def models_of_run(
    chosen: ResolvedSettings,
    spec: RunSpec,
    may_send: MaySend,
    open_until: ExitStack,
    *,
    patience: float,
) -> tuple[tuple[Chat, Chat], tuple[str, ...], RunResources]:
    """Return the model clients of an existing run, why each was chosen, and this machine's means.

    They are the run's own, unless a flag names others. Waits up to `patience` seconds for a server
    that is loading its model. What is opened is closed with `open_until`.
    """
    fast, strong = tiers_now(chosen, spec)
    asking = asking_now(chosen, spec)
    chats, why = open_chats(
        fast,
        strong,
        spec.seed,
        servers=user_servers(chosen) if chosen.said.get("model") else spec.models.servers,
        settings=asking,
        env=chosen.surroundings,
        may_send=may_send,
        patience=patience,
    )
    return chats, why, means_now(chosen, asking, open_until, may_send)


def _routines_of(runs: Path, order: RunOptions) -> RoutineLibrary | None:
    """Return the routines learnt in the run that `--routines` names; None without the option."""
    if order.routines is None:
        return None
    where = Path(order.routines)
    if where.is_dir():
        return library_of(RunFolder.open(where.resolve().parent, where.resolve().name))
    return library_of(RunFolder.open(runs, order.routines))


def _find_resumable_run(runs: Path, order: RunOptions, chosen: ResolvedSettings) -> RunFolder:
    """Return the run to resume; RunError if it never began, is in use, or contradicts options."""
    name = check_name(_latest(runs) if order.name is None else order.name)
    folder = RunFolder.open(runs, name)
    folder.check_own()
    owner = owner_of(folder)
    if owner is not None:
        raise RunError(
            f"run {folder.name!r} is in use by process {owner}; wait until it has ended, stop it, "
            "or fork the run under another name"
        )
    wrong = contradiction(order, chosen, folder.spec, runs)
    if wrong:
        raise RunError(wrong)
    return folder


def means_now(
    chosen: ResolvedSettings, asking: ModelSettings, open_until: ExitStack, may_send: MaySend
) -> RunResources:
    """Return what this machine provides for a run; the cache is closed with `open_until`.

    Raises ModelError for a cache that cannot be used.
    """
    values = chosen.values
    cache = None
    if values.cache is not None:
        from smolville.models.cache import ReplyCache

        cache = ReplyCache(values.cache, asking)
        open_until.callback(cache.close)
    return RunResources(
        env=chosen.surroundings,
        may_send=may_send,
        backoff=Backoff(patience_seconds=values.patience),
        cache=cache,
        workers=None if values.workers is None else plan_of(values.workers, asking),
        visitor_patience=values.visitor_patience,
        is_watched=not values.headless,
    )


def _latest(runs: Path) -> str:
    if not (names := list_runs(runs)):
        raise RunError(f"there is no run in {runs} to go on with; begin one with `smolville run`")
    return names[0]


NO_SERVERS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def open_chats(
    fast: str | FoundModel | None,
    strong: str | FoundModel | None,
    seed: int,
    *,
    servers: Mapping[str, tuple[str, ...]] = NO_SERVERS,
    settings: ModelSettings | None = None,
    env: Mapping[str, str] | None = None,
    may_send: MaySend = forbid_all,
    patience: float = Backoff.patience_seconds,
) -> tuple[tuple[Chat, Chat], tuple[str, ...]]:
    """Return the model clients of both tiers, and a line per server on why it was chosen.

    Waits up to `patience` seconds for a server that is loading its model, but not for one that is
    not there. `servers` holds further servers of a model, by the spec of its first server. If one
    of a model's servers does not answer yet, the others are used until it does. `may_send` decides
    whether keys go to servers that the user has not named.
    """
    asking = settings or ModelSettings()

    def open_one(spec: str | FoundModel | None) -> tuple[Chat, str]:
        chat, why = open_chat(spec, settings=asking, seed=seed, env=env, may_send=may_send)
        if not isinstance(spec, str) and chat.spec.startswith("standin") and "no Ollama" in why:
            why = f"{chat.spec} (no Ollama and no llama.cpp server answers here)"
        return chat, why

    def open_with_patience(spec: str | FoundModel | None) -> tuple[Chat, str]:
        return ask_blocking(
            lambda: open_one(spec),
            patience_seconds=patience,
            on_retry=_say_so,
            lost=ModelLoading,
        )

    def open_model(spec: str | FoundModel | None) -> tuple[Chat, tuple[str, ...]]:
        others = servers.get(spec, ()) if isinstance(spec, str) else ()
        if isinstance(spec, str) and others:
            return open_pool((spec, *others), open_with_patience)
        chat, why = open_with_patience(spec)
        return chat, (why,)

    first, why = open_model(fast)
    if strong == fast:
        return (first, first), why
    second, why_too = open_model(strong)
    if second.spec == first.spec:
        return ((second, second), why_too) if second.servers else ((first, first), why)
    told = (*(f"fast: {one}" for one in why), *(f"strong: {one}" for one in why_too))
    return (first, second), told


def _say_so(error: TransportError, seconds: float) -> None:
    told = str(error).removesuffix(": try again in a moment.")
    say(f"{told}. {again_in(seconds)}", "dim", on_stderr=True)
