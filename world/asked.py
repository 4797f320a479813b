"""What an operator asks for when a run is begun, and the run folder it becomes."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from agents.errors import RunError, TownError
from graphs.catalogue import templates
from models.chat import Chat
from world.engine import Schedule
from world.runs.folder import ModelSpecs, RunFolder, RunSpec, list_runs
from world.runs.history import History
from world.runs.inbox import Inbox, Wish
from world.runs.naming import make_name
from world.town import Town

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


def shipped_town() -> Path:
    """Return the folder of the town that comes with the program."""
    return Path(str(files("towns"))) / "smolville"


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
    size = None if asked.agents or asked.cast else min(DEFAULT_CAST, len(town.personas))
    cast = town.cast(asked.cast or size, asked.agents)
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


def town_of(folder: RunFolder) -> Town:
    """Return the town a run lives in; RunError when it is not the town it was begun in."""
    where = Path(folder.spec.town) if folder.spec.town else shipped_town()
    try:
        now = town_hash(where)
    except OSError as error:
        raise TownError(f"the town of the run {folder.name!r} is gone: {error}") from error
    if now != folder.spec.town_hash:
        raise RunError(
            f"the town in {str(where)!r} was changed after the run {folder.name!r} began; "
            "put it back as it was, or begin a new run"
        )
    return Town.load(where)


def town_hash(folder: Path) -> str:
    """Return 16 hex digits over everything in a town's folder that a run depends on."""
    state = hashlib.sha256()
    wanted = (".toml", ".tmj", ".csv")
    for path in sorted(folder.rglob("*")):
        if path.suffix in wanted and path.is_file():
            state.update(path.relative_to(folder).as_posix().encode() + b"\0")
            state.update(path.read_bytes() + b"\0")
    return state.hexdigest()[:16]
