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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from smolville.agents.errors import RunError
from smolville.history.folder import LOCK, RunFolder, check_name, hold_lock
from smolville.history.spec import SPEC_FILE, RunSpec
from smolville.history.trouble import explain_storage_errors

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

    If the block raises an error, the folder is removed. Raises RunError if the name is taken, also
    if another process has taken it meanwhile.

    Files opened inside the block must be closed there, because the path changes afterwards.
    """
    goal = runs_dir / check_name(spec.name)
    with explain_storage_errors(spec.name), ExitStack() as owned:
        if goal.exists() and not (overwrite and (goal / SPEC_FILE).is_file()):
            raise _make_name_taken_error(goal, spec)
        runs_dir.mkdir(parents=True, exist_ok=True)
        _sweep(runs_dir)
        draft = _locked_draft(goal, owned)
        try:
            with (draft / SPEC_FILE).open("w", encoding="utf-8") as file:
                file.write(spec.model_dump_json(indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            yield RunFolder(draft, spec)
            sync_folder(draft)
            _replace(goal, draft, spec, overwrite=overwrite)
            sync_folder(runs_dir)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _make_name_taken_error(goal: Path, spec: RunSpec) -> RunError:
    """Return an error that says that the name is taken, and what can be done about it."""
    others = ""
    if (goal / SPEC_FILE).is_file() and not spec.forked_from:
        others = f"go on with that run (`--resume {goal.name}`), replace it (`--overwrite`) or "
    return RunError(
        f"the name {goal.name!r} is taken in {goal.parent}; {others}choose another name"
    )


def _sweep(folder: Path) -> None:
    for path in folder.iterdir():
        if LEFTOVER.fullmatch(path.name):
            with suppress(RunError, OSError), hold_lock(path / LOCK, path.name):
                _remove(path)


def _remove(folder: Path) -> None:
    """Remove a folder with everything in it, even while another process is removing it."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


def _put_away(folder: Path) -> Path:
    """Give a folder a hidden name; if this process does not remove it, a later one sweeps it."""
    away = folder.with_name(f".old-{secrets.token_hex(8)}")
    folder.rename(away)
    return away


def _locked_draft(goal: Path, owned: ExitStack) -> Path:
    """Return a new hidden folder, whose lock is held until the exit stack `owned` is closed."""
    while True:
        draft = goal.with_name(f".new-{secrets.token_hex(8)}")
        draft.mkdir(mode=PRIVATE)
        # If another process sweeps it between these lines, it is created under another name.
        with suppress(RunError, FileNotFoundError):
            owned.enter_context(hold_lock(draft / LOCK, goal.name))
            if _is_held_by_us(draft):
                return draft


def _replace(goal: Path, draft: Path, spec: RunSpec, *, overwrite: bool) -> None:
    """Rename `draft` to `goal`; a replaced run is removed afterwards, or put back on errors."""
    with ExitStack() as owned:
        away = None
        if overwrite and goal.exists():
            owned.enter_context(hold_lock(goal / LOCK, goal.name))
            # Another process may have replaced the folder before the lock was taken.
            if not _is_held_by_us(goal) or not (goal / SPEC_FILE).is_file():
                raise _make_name_taken_error(goal, spec)
            away = _put_away(goal)
        try:
            draft.rename(goal)
        except BaseException as error:
            if away is not None:
                with suppress(OSError):
                    away.rename(goal)
            if isinstance(error, OSError) and error.errno in _TAKEN:
                raise _make_name_taken_error(goal, spec) from None
            raise
        if away is not None:
            _remove(away)


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
        _remove(_put_away(folder.path))
