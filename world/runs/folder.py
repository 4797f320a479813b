"""A run's folder: what was asked, written once, and where its stores lie."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.errors import RunError
from world.runs.drafting import LOCK, draft_of
from world.runs.lock import locked
from world.runs.naming import check_name
from world.runs.settings import Setting
from world.runs.trouble import told_of_new

FORMAT = 1
"""Of run.json."""
SPEC_FILE = "run.json"
HISTORY = "town.sqlite"
INBOX = "inbox.sqlite"
_OF_A_START = frozenset(
    (
        SPEC_FILE,
        LOCK,
        *(f"{name}{end}" for name in (HISTORY, INBOX) for end in ("", "-wal", "-shm")),
    )
)
"""Files that a run has before anybody lives in it."""
_JOURNAL = f"{HISTORY}-journal"
"""There only while SQLite makes the history; afterwards it has a write-ahead log."""
_LARGEST = 16_000_000
"""Bytes of a run.json: a thousand agents take fewer."""
_LONGEST_TICK = 31_536_000
"""Seconds, a year: beyond that days have no dates."""


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
    tick_seconds: Annotated[int, Field(ge=1, le=_LONGEST_TICK)] = 10
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
            with (path / SPEC_FILE).open("rb") as file:
                text = file.read(_LARGEST + 1)
        except OSError as error:
            if os.path.lexists(path / SPEC_FILE):
                raise RunError(
                    f"{SPEC_FILE} of run {name!r} is damaged: it cannot be read ({error.strerror})"
                ) from error
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
        return self.path / HISTORY

    @property
    def has_history(self) -> bool:
        """True when something lies where the history does, whole or not."""
        return os.path.lexists(self.history_path)

    @property
    def inbox_path(self) -> Path:
        """Wishes and interviews, SQLite."""
        return self.path / INBOX

    @property
    def memories_path(self) -> Path:
        """Chroma's folder."""
        return self.path / "memories"

    def lock(self) -> AbstractContextManager[None]:
        """Own the run while the block runs; RunError names the process that already does."""
        return locked(self.path / LOCK, self.name)


def list_runs(runs_dir: Path) -> list[str]:
    """Return the names of the runs in a folder, latest first."""
    specs = (folder / SPEC_FILE for folder in sorted(runs_dir.glob("[!.]*")))
    found = [spec for spec in specs if os.path.lexists(spec)]
    found.sort(key=_changed_at, reverse=True)
    return [spec.parent.name for spec in found]


def is_broken_off(run: Path) -> bool:
    """True for the folder of a run that was never begun to the end, and so holds nothing.

    An earlier Smolville that was killed in its first moments left such folders. A folder with any
    other file in it is none: it may be somebody's, or a run that has lost its history.
    """
    if run.is_symlink() or not run.is_dir():
        return False
    names = {path.name for path in run.iterdir()}
    if not names <= {*_OF_A_START, _JOURNAL}:
        return False
    return _JOURNAL in names or HISTORY not in names or _is_bare(run / HISTORY)


def _is_bare(history: Path) -> bool:
    """True for a history without any row that a run begins with."""
    address = f"{history.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=10.0)) as connection:
            query = "SELECT COUNT(*) FROM sqlite_master"
            if connection.execute(query).fetchone() == (0,):
                return True
            query = "SELECT 1 FROM templates UNION ALL SELECT 1 FROM goals UNION ALL SELECT 1 FROM "
            return connection.execute(f"{query}commits LIMIT 1").fetchone() is None
    except sqlite3.Error:
        return False


def _changed_at(path: Path) -> int:
    """Return when a file was written; 0 for one that cannot be looked at, or was just removed."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@contextmanager
def drafted(runs_dir: Path, spec: RunSpec, *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Fill a new run's folder inside the block; it gets its name when the block has ended well.

    What is opened inside the block must be closed there: its path does not last.
    """
    goal = runs_dir / check_name(spec.name)

    def may_go(run: Path) -> bool:
        return is_broken_off(run) or (overwrite and (run / SPEC_FILE).is_file())

    with told_of_new(spec.name), draft_of(goal, may_go, _taken(goal, spec)) as draft:
        _write_synced(draft / SPEC_FILE, spec.model_dump_json(indent=2) + "\n")
        yield RunFolder(draft, spec)


def _taken(goal: Path, spec: RunSpec) -> RunError:
    """Return that a name is taken, with what can be done about it."""
    others = ""
    if (goal / SPEC_FILE).is_file() and not spec.forked_from:
        others = f"go on with that run (`--resume {goal.name}`), replace it (`--overwrite`) or "
    return RunError(
        f"the name {goal.name!r} is taken in {goal.parent}; {others}choose another name"
    )


def _write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _read_spec(text: bytes, name: str) -> RunSpec:
    """Return what a run.json says; RunError says where it is wrong."""
    try:
        if len(text) > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST // 1_000_000} MB")
        spec = RunSpec.model_validate_json(text.decode("utf-8"))
    except ValueError as error:
        raise RunError(
            f"{SPEC_FILE} of run {name!r} is damaged: {_reason(error)}; put the file back as it was"
        ) from error
    if spec.format > FORMAT:
        raise RunError(
            f"run {name!r} was made by a later Smolville (format {spec.format}, this one reads "
            f"up to {FORMAT}); update smolville to open it"
        )
    return spec.model_copy(update={"name": name})


def _reason(error: ValueError) -> str:
    """Return what is wrong with a run.json, and where in it."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text (byte {error.start})"
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the whole file"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"
