"""Makes a run's folder whole or not at all: aside under a hidden name first, then renamed.

Whoever makes it holds the lock inside of it, which goes with the folder when it is renamed. So a
hidden folder that nobody holds is the leftover of a process that was killed, and is swept away.
"""

import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from agents.errors import RunError
from world.runs.folder import LOCK, RunFolder, check_name, is_broken_off, locked
from world.runs.spec import SPEC_FILE, RunSpec
from world.runs.trouble import told_of_new

LEFTOVER = re.compile(r"\.(new|old)-[0-9a-f]{16}")
"""Hidden folders: those being made, and those being thrown away."""
_TAKEN = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)
"""What renaming a folder says where something else has the name."""


def new_run(runs_dir: Path, spec: RunSpec, overwrite: bool = False) -> RunFolder:
    """Make the folder of a new run, whole or not at all; RunError when its name is taken."""
    with drafted(runs_dir, spec, overwrite=overwrite):
        pass
    return RunFolder(runs_dir / spec.name, spec)


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


@contextmanager
def draft_of(goal: Path, may_go: Callable[[Path], bool], taken: RunError) -> Iterator[Path]:
    """Own a hidden folder while the block fills it; it becomes `goal` when the block ended well.

    What stands at `goal` gives way when `may_go` says so; otherwise, and when another process was
    first, `taken` is raised.
    """
    if goal.exists() and not may_go(goal):
        raise taken
    goal.parent.mkdir(parents=True, exist_ok=True)
    sweep(goal.parent)
    with ExitStack() as owned:
        draft = _locked_draft(goal, owned)
        try:
            yield draft
            _sync(draft)
            _replace(goal, draft, may_go, taken)
            _sync(goal.parent)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what killed processes left half made or half thrown away in a folder."""
    for path in folder.iterdir():
        if LEFTOVER.fullmatch(path.name):
            with suppress(RunError, OSError), locked(path / LOCK, path.name):
                remove(path)


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, also while another process sweeps it away."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


def put_away(folder: Path) -> Path:
    """Give a folder a hidden name, under which it is swept away unless somebody holds its lock."""
    away = folder.with_name(f".old-{secrets.token_hex(8)}")
    folder.rename(away)
    return away


def _locked_draft(goal: Path, owned: ExitStack) -> Path:
    """Return a new hidden folder whose lock is held as long as `owned` is open."""
    while True:
        draft = goal.with_name(f".new-{secrets.token_hex(8)}")
        draft.mkdir()
        # Swept away between these lines, it is made again under another name.
        with suppress(RunError, FileNotFoundError):
            owned.enter_context(locked(draft / LOCK, goal.name))
            if _is_held_by_us(draft):
                return draft


def _replace(goal: Path, draft: Path, may_go: Callable[[Path], bool], taken: RunError) -> None:
    """Rename `draft` to `goal`; what may go there is removed afterwards, or put back."""
    with ExitStack() as owned:
        away = _given_way(goal, may_go, taken, owned)
        try:
            draft.rename(goal)
        except BaseException as error:
            if away is not None:
                with suppress(OSError):
                    away.rename(goal)
            if isinstance(error, OSError) and error.errno in _TAKEN:
                raise taken from None
            raise
        if away is not None:
            remove(away)


def _given_way(
    goal: Path, may_go: Callable[[Path], bool], taken: RunError, owned: ExitStack
) -> Path | None:
    """Put away what stands at `goal`, and hold its lock; None when nothing stands there."""
    if not goal.exists():
        return None
    if not may_go(goal):
        raise taken
    try:
        owned.enter_context(locked(goal / LOCK, goal.name))
    except FileNotFoundError:
        return None
    # While the lock was waited for, another process may have been here.
    if not (_is_held_by_us(goal) and may_go(goal)):
        raise taken
    return put_away(goal)


def _is_held_by_us(folder: Path) -> bool:
    """True when the lock that lies in a folder now is the one this process has taken."""
    try:
        return (folder / LOCK).read_text().strip() == str(os.getpid())
    except FileNotFoundError:
        return False


def _sync(folder: Path) -> None:
    """Write a folder's names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
