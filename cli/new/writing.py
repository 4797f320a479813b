"""Read and write the folders of `smolville new`: a town, the shipped town's copy, templates."""

import os
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from smolville.agents.errors import RunError, SettingError
from smolville.lab.safe_files import first_file_among, written_whole
from smolville.parsers.making.naming import check_person_name
from smolville.prompts.making import shipped_parts
from smolville.world.making.settling import NewResident, write_texts
from smolville.world.making.town_maker import locked_draft
from smolville.world.town.town import shipped_town


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTown:
    """The town that somebody is added to."""

    folder: Path
    """The folder that the town is read from."""
    goal: Path
    """The folder that the town is written to: the same one, or that of a copy."""

    @property
    def is_copy(self) -> bool:
        """Whether a copy is changed: true for the shipped town, which itself is never changed."""
        return self.goal != self.folder


def check_goal(folder: Path) -> None:
    """Raise SettingError if the folder cannot be made or changed, before a model is asked."""
    in_the_way = first_file_among(folder.parents)
    if in_the_way is not None:
        raise SettingError(f"{str(folder)!r} cannot be written: {str(in_the_way)!r} is no folder.")
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if there.is_dir() and not os.access(there, os.W_OK | os.X_OK):
        raise SettingError(
            f"{str(there)!r} may not be written to; allow it, or name another folder."
        )


def read_source(town: Path | None) -> TargetTown:
    """Return the town to add to. Raises RunError when the copy's folder already exists."""
    shipped = shipped_town()
    if town is not None and town.resolve() != shipped.resolve():
        return TargetTown(folder=town, goal=town)
    goal = Path(shipped.name)
    if goal.exists():
        raise RunError(
            f"The shipped town is never changed, and its copy would lie in {str(goal)!r}, which "
            f"exists; to add to what is there: --town {goal}"
        )
    return TargetTown(folder=shipped, goal=goal)


def check_name(name: str) -> str:
    """Return a name on one line. Raises SettingError if no person can have this name."""
    name = " ".join(name.split())
    if name and check_person_name(name):
        raise SettingError(
            f"--name is {name!r}: give a first name and a family name, with capitals, of letters."
        )
    return name


def write_person(source: TargetTown, made: NewResident) -> None:
    """Write all files that change because of a new person, or none of them.

    In the user's own town, files are replaced only when all of them are written; a copy of the
    shipped town appears as a whole.
    """
    if source.is_copy:
        with locked_draft(source.goal, overwrite=False) as draft:
            shutil.copytree(
                source.folder, draft, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__*")
            )
            write_texts(draft, made.texts)
        return
    with ExitStack() as written:
        drafts = {}
        # Left in reverse order: the person's own file is the first to get its name.
        for name in reversed(made.texts):
            drafts[name] = written.enter_context(written_whole(source.goal / name))
        for name, draft in drafts.items():
            draft.write_text(made.texts[name], encoding="utf-8")


def write_templates(folder: Path) -> tuple[str, ...]:
    """Write the shipped templates and parts to a new folder, and return their names."""
    if folder.exists():
        raise SettingError(f"{str(folder)!r} exists; name a folder that does not exist yet.")
    texts = shipped_parts()
    for name, text in texts.items():
        with written_whole(folder / name) as draft:
            draft.write_text(text, encoding="utf-8")
    return tuple(texts)
