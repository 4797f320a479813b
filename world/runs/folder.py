"""A run's folder: what was asked, written once, and where its stores lie."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import RunError
from world.runs.lock import locked
from world.runs.naming import check_name
from world.runs.settings import Setting
from world.runs.trouble import told

FORMAT = 1
"""Of run.json."""
SPEC_FILE = "run.json"


class ModelSpecs(BaseModel):
    """Which models a run asks, as the operator wrote them."""

    model_config = ConfigDict(frozen=True)

    fast: str
    strong: str
    embedder: str


class RunSpec(BaseModel):
    """What was asked when a run was begun."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    name: str
    town: str
    """The town's folder, as asked."""
    town_name: str
    town_hash: str
    """Over the town's files: a run is gone on with in the same town only."""
    cast: tuple[str, ...]
    """Names of the agents."""
    seed: int
    tick_seconds: int = 10
    schedule: Literal["lockstep", "serial", "free"] = "lockstep"
    models: ModelSpecs
    settings: dict[str, Setting] = {}
    """As `world.runs.settings` writes and reads them."""
    prompts: dict[str, str] = {}
    """Template name to version."""
    versions: dict[str, str] = {}
    """Package to version."""
    created: str = ""
    """Wall-clock, ISO 8601; says when, decides nothing."""
    forked_from: str = ""
    forked_at: int | None = None
    """The last tick taken over from that run."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run on disk: `runs/<name>/` with its spec."""

    path: Path
    spec: RunSpec

    @classmethod
    def create(cls, runs_dir: Path, spec: RunSpec, overwrite: bool = False) -> "RunFolder":
        """Make the folder of a new run, whole or not at all; RunError when its name is taken."""
        with drafted(runs_dir, spec, overwrite=overwrite):
            pass
        return cls(runs_dir / spec.name, spec)

    @classmethod
    def open(cls, runs_dir: Path, name: str) -> "RunFolder":
        """Open a run by its name; RunError says what is wrong, and which runs there are."""
        path = runs_dir / check_name(name)
        try:
            text = (path / SPEC_FILE).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            known = ", ".join(list_runs(runs_dir)) or "none"
            raise RunError(f"there is no run {name!r} in {runs_dir}; there: {known}") from None
        return cls(path, _read_spec(text, name))

    @property
    def name(self) -> str:
        """The run's name."""
        return self.spec.name

    @property
    def history_path(self) -> Path:
        """The history, SQLite."""
        return self.path / "town.sqlite"

    @property
    def inbox_path(self) -> Path:
        """Wishes and interviews, SQLite."""
        return self.path / "inbox.sqlite"

    @property
    def memories_path(self) -> Path:
        """Chroma's folder."""
        return self.path / "memories"

    def lock(self) -> AbstractContextManager[None]:
        """Own the run while the block runs; RunError names the process that already does."""
        return locked(self.path / "lock", self.name)


def list_runs(runs_dir: Path) -> list[str]:
    """Return the names of the runs in a folder, latest first."""
    found = sorted(runs_dir.glob(f"[!.]*/{SPEC_FILE}"), key=lambda spec: spec.parent.name)
    found.sort(key=lambda spec: spec.stat().st_mtime_ns, reverse=True)
    return [spec.parent.name for spec in found]


@contextmanager
def drafted(runs_dir: Path, spec: RunSpec, *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Fill a new run's folder inside the block; it gets its name when the block has ended well."""
    goal = runs_dir / check_name(spec.name)
    is_fork = bool(spec.forked_from)
    if not overwrite:
        _refuse_taken(goal, is_fork=is_fork)
    with told(spec.name):
        runs_dir.mkdir(parents=True, exist_ok=True)
        draft = runs_dir / f".new-{secrets.token_hex(8)}"
        draft.mkdir()
        try:
            _write_synced(draft / SPEC_FILE, spec.model_dump_json(indent=2) + "\n")
            yield RunFolder(draft, spec)
            if overwrite:
                _remove(goal)
            _refuse_taken(goal, is_fork=is_fork)
            draft.rename(goal)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _refuse_taken(goal: Path, *, is_fork: bool) -> None:
    """Raise RunError when a name is taken, with what can be done about it."""
    if goal.exists() and (not goal.is_dir() or any(goal.iterdir())):
        others = (
            ""
            if is_fork
            else f"go on with that run (`--resume {goal.name}`), replace it (`--overwrite`) or "
        )
        raise RunError(
            f"the name {goal.name!r} is taken in {goal.parent}; {others}choose another name"
        )


def _remove(goal: Path) -> None:
    """Remove a run that nobody owns; anything else under that name stays."""
    if not (goal / SPEC_FILE).is_file():
        return
    with locked(goal / "lock", goal.name):
        away = goal.with_name(f".old-{secrets.token_hex(8)}")
        goal.rename(away)
    shutil.rmtree(away)


def _write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _read_spec(text: str, name: str) -> RunSpec:
    try:
        spec = RunSpec.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise RunError(
            f"{SPEC_FILE} of run {name!r} is damaged: {where}: {first['msg']}"
        ) from error
    if spec.format > FORMAT:
        raise RunError(
            f"run {name!r} was made by a later Smolville (format {spec.format}, this one reads "
            f"up to {FORMAT}); update smolville to open it"
        )
    return spec.model_copy(update={"name": name})
