"""An operator's request for a new run, and the creation of its folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from smolville.agents.errors import RunError
from smolville.agents.persona import Persona
from smolville.agents.routines import ALIKE
from smolville.graphs.catalogue import check_contexts, collect_templates
from smolville.graphs.components import KEYWORDS, ROUTINES
from smolville.graphs.loop.rules import Rules
from smolville.history.drafting import draft_run
from smolville.history.folder import RunFolder, list_runs, make_name
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.spec import ModelSpecs, RunSpec, flatten_settings
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import BUILT_IN, words_embedder_spec
from smolville.models.request import ModelSettings
from smolville.prompts.folder import Texts
from smolville.prompts.prompt import TemplateSet
from smolville.world.adapter import World
from smolville.world.cluster_runner import Schedule
from smolville.world.routine_library import RoutineLibrary
from smolville.world.town.town import Town, shipped_town, town_hash

DEFAULT_CAST = 3

_PACKAGES = ("smolville", "langgraph", "langchain-core", "chromadb", "pydantic", "jinja2")


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """The options that distinguish one run from another."""

    town: Path | None = None
    """Folder of the town; None for the shipped one."""
    cast: int | None = None
    agents: str | None = None
    """Names of agents, separated by commas."""
    fast: str | None = None
    strong: str | None = None
    embedder: str = BUILT_IN
    tick_seconds: int = 10
    seed: int = 0
    schedule: Schedule = "free"
    rules: Rules = field(default_factory=Rules)
    models: ModelSettings = field(default_factory=ModelSettings)
    routines: RoutineLibrary | None = field(default=None, repr=False)
    """Routines of another run that people know from the start; None if they know none."""
    templates: Texts | None = field(default=None, repr=False)
    """Templates by file name; None for the shipped templates."""
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Specs of a model's additional servers, by the model's spec."""


def create_run(
    runs_dir: Path,
    name: str | None,
    asked: RunRequest,
    chats: tuple[Chat, Chat],
    *,
    overwrite: bool = False,
    goal: int | None = None,
) -> RunFolder:
    """Create a run's folder with its spec, its templates, and the people's past.

    The past is stored as whispers, which the people hear at the first tick.

    `goal`, a town second, is recorded as the time until which the run is to continue. If TownError,
    RunError or ContextError is raised, no folder remains.
    """
    town = Town.load(asked.town or shipped_town())
    size = usual_cast(town) if asked.cast is None and asked.agents is None else asked.cast
    cast = town.cast(size, asked.agents)
    return _make_run_folder(
        runs_dir, name, asked, chats, cast, town, overwrite=overwrite, goal=goal
    )


def versions_now() -> dict[str, str]:
    """Return the versions of the program and of the packages that influence a run, by name."""
    return {package: version(package) for package in _PACKAGES}


def usual_cast(town: Town) -> int:
    """Return the size of the default cast, which is used if nobody is chosen."""
    return min(DEFAULT_CAST, len(town.personas))


def create_run_in(
    runs_dir: Path,
    name: str | None,
    world: World,
    cast: Sequence[Persona],
    chats: tuple[Chat, Chat],
    asked: RunRequest | None = None,
) -> RunFolder:
    """Create the folder of a run in a world of your own; `open_world_simulation` opens it."""
    asked = replace(asked or RunRequest(), tick_seconds=world.clock.tick_seconds)
    return _make_run_folder(runs_dir, name, asked, chats, cast, type(world).__name__)


def _make_run_folder(
    runs_dir: Path,
    name: str | None,
    asked: RunRequest,
    chats: tuple[Chat, Chat],
    cast: Sequence[Persona],
    place: Town | str,
    *,
    overwrite: bool = False,
    goal: int | None = None,
) -> RunFolder:
    if asked.rules.repairs < 0:
        raise RunError(f"repairs counts from 0, not {asked.rules.repairs}")
    if asked.routines is not None:
        asked.routines.check(asked.embedder)
    fast, strong = chats
    templates = TemplateSet(asked.templates)
    texts = collect_templates(templates)
    check_contexts(chats, asked.rules, templates)
    town = place if isinstance(place, Town) else None
    known, taken = asked.routines, list_runs(runs_dir)
    alike = asked.rules.routine_similarity or ALIKE
    is_off = ROUTINES.name in asked.rules.without
    rules = replace(asked.rules, routine_similarity=None if is_off else alike)
    spec = RunSpec(
        name=make_name(f"{asked}{len(taken)}", taken) if name is None else name,
        town=str(asked.town.resolve()) if asked.town else "",
        town_name=place if isinstance(place, str) else place.name,
        town_hash=town_hash(town.folder) if town else "",
        cast=tuple(persona.name for persona in cast),
        seed=asked.seed,
        tick_seconds=asked.tick_seconds,
        schedule=asked.schedule,
        models=ModelSpecs(
            fast=fast.spec,
            strong=strong.spec,
            embedder=asked.embedder,
            keywords="" if KEYWORDS.name in rules.without else words_embedder_spec(),
            sizes={chat.spec: chat.size for chat in chats if chat.size},
            windows={chat.spec: chat.num_ctx for chat in chats if chat.num_ctx},
            servers=dict(asked.servers),
        ),
        settings=flatten_settings(rules, asked.models),
        prompts={name: each.version for name, each in texts.items()},
        plot=town.plot if town else None,
        routines=known.hash if known else "",
        versions=versions_now(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    # Both stores are closed before the folder gets its name: SQLite keeps the path of its log.
    with (
        draft_run(runs_dir, spec, overwrite=overwrite) as draft,
        History(draft) as history,
        Inbox(draft) as inbox,
    ):
        if known is not None:
            draft.routines_path.write_bytes(known.dump())
        history.keep_templates(texts)
        history.keep_templates(collect_templates(templates, with_examples=True))
        if goal is not None:
            history.set_goal(goal, 0)
        past = town.history if town else {}
        for persona in cast:
            for whisper in past.get(persona.name, ()):
                inbox.put(OperatorRequest(kind="history", target=persona.name, text=whisper))
    return RunFolder(runs_dir / spec.name, spec)
