"""A run that is ready to be lived: begun anew, or taken up where it was left."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from agents.errors import RunError
from agents.times import DAY_SECONDS, moment
from cli.options import command
from cli.run.asking import Order, goal_of
from cli.run.budget import fitted
from cli.run.holding import asking_now, contradiction, ignored, open_chats, tiers_now
from cli.run.overlay import overlay_again, overlay_of
from cli.settings.choosing import Chosen
from cli.settings.key_hosts import key_hosts, remember_servers
from models.chat import Chat
from models.embedding.embedder import Embedder, open_embedder, parse_embedder
from models.embedding.finding import find_embedder
from models.keys import MaySend, Named, check_keys
from models.pacing import Backoff
from models.request import Settings
from world.asked import Asked, create_run
from world.clock import Clock
from world.means import Means
from world.runs.folder import RunFolder, check_name, is_broken_off, list_runs, owner_of
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.runs.spec import rules_in

DEFAULT_SECONDS = DAY_SECONDS
"""A run goes on for one day unless told otherwise."""


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A run's folder with its models, and until when it shall go on."""

    folder: RunFolder
    chats: tuple[Chat, Chat] | None
    """Fast and strong; the same chat where one model answers for both. None: nothing to ask."""
    why: tuple[str, ...]
    """Which models answer and why, a line each."""
    at: int
    """Town second at which it stands."""
    goal: int
    is_new: bool
    means: Means = field(default_factory=Means)
    """With what it is lived this time."""
    memory: str = ""
    """What compares memories, and why."""
    prompt: str = ""
    """Which templates it is asked with, where a folder of them was named."""
    budget: str = ""
    """Which day was chosen for a budget of real time, and why."""
    otherwise: str = ""
    """Which settings of now do not hold, in a sentence."""


def begin(runs: Path, order: Order, chosen: Chosen, open_until: ExitStack) -> Begun:
    """Make a new run; nothing is left behind when something about the order is wrong.

    What it opens is closed with `open_until`.
    """
    values, overlay = chosen.values, overlay_of(chosen)
    tick = Clock(values.tick).tick_seconds
    goal = goal_of(order.duration, order.until, 0, tick)
    asking = chosen.models()
    chats, why = open_chats(
        _named(values.fast),
        _named(values.strong),
        values.seed,
        settings=asking,
        env=chosen.surroundings,
        patience=values.patience,
    )
    cast, budget = values.cast if order.agents is None else None, ""
    if order.budget is not None:
        day, budget = fitted(order, chosen, chats)
        cast, goal = day.cast, day.goal
    embedder, why_it = _embedder(chosen, chats)
    means = means_now(chosen, asking, open_until, key_hosts(chosen))
    asked = Asked(
        town=order.town,
        cast=cast,
        agents=order.agents,
        embedder=embedder.name,
        tick_seconds=tick,
        seed=values.seed,
        schedule=values.schedule,
        rules=chosen.rules(is_real=not all(chat.wants_inputs for chat in chats)),
        models=asking,
        templates=overlay.texts,
    )
    goal = goal or DEFAULT_SECONDS
    folder = create_run(runs, order.name, asked, chats, overwrite=order.overwrite, goal=goal)
    remember_servers((values.fast, values.strong), embedder.name, chosen.surroundings)
    return Begun(
        folder=folder,
        chats=chats,
        why=why,
        at=0,
        goal=goal,
        is_new=True,
        means=overlay.watched(means),
        memory=f"{embedder.name}: {why_it}.",
        prompt=overlay.told(),
        budget=budget,
    )


def take_up(runs: Path, order: Order, chosen: Chosen, open_until: ExitStack) -> Begun:
    """Open a run again, to the goal it was given first or to a farther one.

    What it opens is closed with `open_until`.
    """
    folder = _left(runs, order)
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
        return Begun(folder=folder, chats=None, why=(), at=at, goal=goal, is_new=False)
    overlay, note = overlay_again(chosen, own)
    fast, strong = tiers_now(chosen, spec)
    asking, may_send = asking_now(chosen, spec), key_hosts(chosen)
    # Asked about before anything begins; the embedder itself is opened with the run.
    embedder = spec.models.embedder
    check_keys(embedder, parse_embedder(embedder), chosen.surroundings, may_send)
    chats, why = open_chats(
        fast,
        strong,
        spec.seed,
        settings=asking,
        env=chosen.surroundings,
        may_send=may_send,
        patience=chosen.values.patience,
    )
    overlay.fit(chats, rules_in(spec.settings))
    begun_with = (spec.models.fast, spec.models.strong)
    if (chats[0].spec, chats[1].spec) != begun_with:
        why = (*why, f"begun with {' and '.join(dict.fromkeys(begun_with))}")
    return Begun(
        folder=folder,
        chats=chats,
        why=why,
        at=at,
        goal=goal,
        is_new=False,
        means=overlay.watched(means_now(chosen, asking, open_until, may_send)),
        memory=f"{embedder}: as the run was begun.",
        prompt=overlay.told(),
        otherwise=" ".join(filter(None, (ignored(chosen, spec), note))),
    )


def _embedder(chosen: Chosen, chats: tuple[Chat, Chat]) -> tuple[Embedder, str]:
    """Return what compares a new run's memories, and why."""
    asked = chosen.values.embedder
    if asked is None:
        return find_embedder({chat.spec for chat in chats}, chosen.surroundings)
    return open_embedder(Named(asked), env=chosen.surroundings), "as asked for"


def _left(runs: Path, order: Order) -> RunFolder:
    """Return the run asked for; RunError when it cannot go on, is in use or was begun otherwise."""
    name = check_name(_latest(runs) if order.name is None else order.name)
    if is_broken_off(runs / name):
        raise RunError(
            f"The start of the run {name!r} was broken off, and it holds nothing yet; begin it "
            f"anew, with the options it was to have: {command(runs, 'run', name)}"
        )
    folder = RunFolder.open(runs, name)
    folder.check_own()
    owner = owner_of(folder)
    if owner is not None:
        raise RunError(
            f"run {folder.name!r} is in use by process {owner}; wait until it has ended, stop it, "
            "or fork the run under another name"
        )
    wrong = contradiction(order, folder.spec, runs)
    if wrong:
        raise RunError(wrong)
    return folder


def means_now(chosen: Chosen, asking: Settings, open_until: ExitStack, may_send: MaySend) -> Means:
    """Return what this machine brings; the cache is closed with `open_until`.

    Raises ModelError for a cache that was filled under other settings.
    """
    values = chosen.values
    cache = None
    if values.cache is not None:
        from models.cache import ReplyCache

        cache = ReplyCache(values.cache, asking)
        open_until.callback(cache.close)
    return Means(
        env=chosen.surroundings,
        may_send=may_send,
        backoff=Backoff(patience_seconds=values.patience),
        cache=cache,
        visitor_patience=values.visitor_patience,
        is_watched=not values.headless,
    )


def _named(spec: str | None) -> Named | None:
    """Return a model of the settings as one that the user wrote."""
    return None if spec is None else Named(spec)


def _latest(runs: Path) -> str:
    """Return the run that was begun last; RunError when there is none."""
    names = list_runs(runs)
    if not names:
        raise RunError(f"there is no run in {runs} to go on with; begin one with `smolville run`")
    return names[0]


def already_there(begun: Begun, more: str) -> str:
    """Return what to say of a run that has nothing left to live."""
    return (
        f"{begun.folder.name} has reached its goal, {moment(begun.goal)}; to go on farther: {more}"
    )
