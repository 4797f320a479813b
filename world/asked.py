"""What an operator asks for when a run is begun, and the run folder it becomes."""

from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from agents.errors import RunError
from graphs.catalogue import templates
from models.chat import Chat
from world.engine import Schedule
from world.runs.folder import ModelSpecs, RunFolder, RunSpec, list_runs
from world.runs.history import History
from world.runs.inbox import Inbox, Wish
from world.runs.naming import make_name
from world.town.town import Town
from world.town.town_folder import shipped_town, town_hash

DEFAULT_CAST = 3

_PACKAGES = ("smolville", "langgraph", "langchain-core", "chromadb", "pydantic", "jinja2")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Everything that makes one run differ from another."""

    town: Path | None = None
    """A town's folder; None for the shipped one."""
    cast: int | None = None
    agents: str | None = None
    """Names, parted by commas."""
    fast: str | None = None
    strong: str | None = None
    embedder: str = "words"
    tick_seconds: int = 10
    seed: int = 0
    schedule: Schedule = "lockstep"
    repairs: int = 3
    strict: bool = False


def create_run(
    runs_dir: Path,
    name: str | None,
    asked: Asked,
    chats: tuple[Chat, Chat],
    *,
    overwrite: bool = False,
) -> RunFolder:
    """Make a run's folder: its spec, its templates, and the cast's history as first wishes.

    Raises TownError or RunError; then nothing is left behind.
    """
    town = Town.load(asked.town or shipped_town())
    size = asked.cast
    if size is None and asked.agents is None:
        size = min(DEFAULT_CAST, len(town.personas))
    cast = town.cast(size, asked.agents)
    if asked.repairs < 0:
        raise RunError(f"--repairs counts from 0, not {asked.repairs}")
    fast, strong = chats
    taken = list_runs(runs_dir)
    spec = RunSpec(
        name=name or make_name(f"{asked}{len(taken)}", taken),
        town=str(asked.town.resolve()) if asked.town else "",
        town_name=town.name,
        town_hash=town_hash(town.folder),
        cast=tuple(persona.name for persona in cast),
        seed=asked.seed,
        tick_seconds=asked.tick_seconds,
        schedule=asked.schedule,
        models=ModelSpecs(fast=fast.spec, strong=strong.spec, embedder=asked.embedder),
        settings={"repairs": asked.repairs, "strict": asked.strict},
        prompts={step: used.version for step, used in templates().items()},
        versions={package: version(package) for package in _PACKAGES},
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    folder = RunFolder.create(runs_dir, spec, overwrite=overwrite)
    with History(folder) as history, Inbox(folder) as inbox:
        for step, used in templates().items():
            history.save_template(step, used.version, used.text)
        for persona in cast:
            for whisper in town.history.get(persona.name, ()):
                inbox.put(Wish(kind="history", target=persona.name, text=whisper))
    return folder
