"""The folder of the town a run lives in, and what of it a run depends on."""

import hashlib
from importlib.resources import files
from pathlib import Path

from agents.errors import RunError, TownError
from world.runs.folder import RunFolder
from world.town.town import Town


def shipped_town() -> Path:
    """Return the folder of the town that comes with the program."""
    return Path(str(files("towns"))) / "smolville"


def folder_of(folder: RunFolder) -> Path:
    """Return where the town of a run lies."""
    return Path(folder.spec.town) if folder.spec.town else shipped_town()


def town_of(folder: RunFolder) -> Town:
    """Return the town a run lives in; RunError when it is not the town it was begun in."""
    if not folder.spec.town_hash:
        raise RunError(
            f"the run {folder.name!r} lives in a world of its own ({folder.spec.town_name}), not "
            "in a tile town"
        )
    where = folder_of(folder)
    if not where.is_dir():
        raise TownError(
            f"the town of the run {folder.name!r} is gone: there is no folder {str(where)!r}; "
            "put it back to go on"
        )
    try:
        now = town_hash(where)
    except OSError as error:
        raise TownError(f"the town in {str(where)!r} cannot be read: {error}") from error
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
