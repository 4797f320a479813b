"""Create or remove a run's folder as a whole: an incomplete folder has a hidden name.

The process that fills a hidden folder holds the lock of the lock file in it; renaming the folder
keeps that lock. So a hidden folder whose lock nobody holds was left by a killed process, and is
removed.
"""

import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from smolville.agents.errors import RunError
from smolville.history.folder import LOCK, RunFolder, check_name, hold_lock, is_broken_off
from smolville.history.spec import SPEC_FILE, RunSpec
from smolville.history.trouble import explain_creation_errors, explain_storage_errors

LEFTOVER = re.compile(r"\.(new|old)-[0-9a-f]{16}")
"""Names of hidden folders, which are being created or being removed."""
PRIVATE = 0o700
"""Permissions of a run's folder: other accounts of the machine can neither read it nor write in
it."""
_TAKEN = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)
"""Error codes of renaming a folder to a name that is taken."""


def new_run(runs_dir: Path, spec: RunSpec, overwrite: bool = False) -> RunFolder:
    """Create the folder of a new run, or nothing at all; raise RunError if the name is taken."""
    with draft_run(runs_dir, spec, overwrite=overwrite):
        pass
    return RunFolder(runs_dir / spec.name, spec)


@contextmanager
def draft_run(runs_dir: Path, spec: RunSpec, *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Yield a new run's hidden folder; it gets the run's name when the block ends normally.

    If the block raises an error, the folder is removed. Raises RunError if the name is taken.

    Files opened inside the block must be closed there, because the path changes afterwards.
    """
    goal = runs_dir / check_name(spec.name)

    def may_go(run: Path) -> bool:
        return is_broken_off(run) or (overwrite and (run / SPEC_FILE).is_file())

    with (
        explain_creation_errors(spec.name),
        draft_of(goal, may_go, _make_name_taken_error(goal, spec)) as draft,
    ):
        _write_synced(draft / SPEC_FILE, spec.model_dump_json(indent=2) + "\n")
        yield RunFolder(draft, spec)


def _make_name_taken_error(goal: Path, spec: RunSpec) -> RunError:
    """Return an error that says that the name is taken, and what can be done about it."""
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
    """Yield a locked hidden folder for the block to fill; then rename this folder to `goal`.

    An existing `goal` is replaced if `may_go(goal)` is true; otherwise `taken` is raised. It is
    also raised if another process has created `goal` meanwhile.
    """
    if goal.exists() and not may_go(goal):
        raise taken
    goal.parent.mkdir(parents=True, exist_ok=True)
    sweep(goal.parent)
    with ExitStack() as owned:
        draft = _locked_draft(goal, owned)
        try:
            yield draft
            sync_folder(draft)
            _replace(goal, draft, may_go, taken)
            sync_folder(goal.parent)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove folders that killed processes left half created or half removed in a folder."""
    for path in folder.iterdir():
        if LEFTOVER.fullmatch(path.name):
            with suppress(RunError, OSError), hold_lock(path / LOCK, path.name):
                remove(path)


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, even while another process is removing it."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


def put_away(folder: Path) -> Path:
    """Rename a folder to a hidden name, and return its new path.

    If this process does not remove the folder, a later `sweep` does, once nobody holds its lock.
    """
    away = folder.with_name(f".old-{secrets.token_hex(8)}")
    folder.rename(away)
    return away


def _locked_draft(goal: Path, owned: ExitStack) -> Path:
    """Return a new hidden folder, whose lock is held until the exit stack `owned` is closed."""
    while True:
        draft = goal.with_name(f".new-{secrets.token_hex(8)}")
        draft.mkdir(mode=PRIVATE)
        # If another process removes it between these lines, it is created under another name.
        with suppress(RunError, FileNotFoundError):
            owned.enter_context(hold_lock(draft / LOCK, goal.name))
            if _is_held_by_us(draft):
                return draft


def _replace(goal: Path, draft: Path, may_go: Callable[[Path], bool], taken: RunError) -> None:
    """Rename `draft` to `goal`; a replaced folder is removed afterwards, or put back on errors."""
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
    """Lock an existing `goal` and rename it to a hidden name; return its new path.

    Returns None if `goal` does not exist. Raises `taken` if it may not be replaced.
    """
    if not goal.exists():
        return None
    if not may_go(goal):
        raise taken
    try:
        owned.enter_context(hold_lock(goal / LOCK, goal.name))
    except FileNotFoundError:
        return None
    # Another process may have changed the folder before the lock was taken.
    if not (_is_held_by_us(goal) and may_go(goal)):
        raise taken
    return put_away(goal)


def _is_held_by_us(folder: Path) -> bool:
    """Return whether the lock file in a folder holds the id of this process.

    If not, another process has removed or replaced the folder meanwhile.
    """
    try:
        return (folder / LOCK).read_text().strip() == str(os.getpid())
    except FileNotFoundError:
        return False


def sync_folder(folder: Path) -> None:
    """Flush a folder's directory entries to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_run(folder: RunFolder) -> None:
    """Remove a run; if a process owns it, raise RunError with the process's id."""
    with folder.lock(), explain_storage_errors(folder.name):
        remove(put_away(folder.path))
