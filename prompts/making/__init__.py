"""Templates of the prompts for new towns and people, and folders with replacements for them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptFolderError
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.folder import (
    VISIBLE,
    Texts,
    nearest,
    read_template,
    shipped_texts,
)
from smolville.prompts.prompt import TemplateSet
from smolville.prompts.repair import REPAIR_FILE

FOLDER = Path(__file__).parent
PARTS = "parts.toml"
"""File with the kinds of places, rooms, bonds and memories that towns and people are made of."""
_SHARED = (MACROS, REPAIR_FILE, EXAMPLES)
"""Files that these templates have in common with those of a mind."""


@cache
def shipped_parts() -> Texts:
    """Return the shipped templates of this folder and the file `PARTS`, by file name."""
    return _read(FOLDER)


def making_texts(folder: Path | None = None) -> dict[str, str]:
    """Return the shipped files, replaced by a folder's files of the same names.

    Raises PromptFolderError for a folder that is missing or empty, or has a file that nothing uses.
    """
    shared = {name: shipped_texts()[name] for name in _SHARED}
    if folder is None:
        return {**shared, **shipped_parts()}
    if not folder.is_dir():
        raise PromptFolderError(
            f"there is no folder of templates {str(folder)!r}; `smolville new templates "
            f"{folder}` writes the shipped ones there"
        )
    own = _read(folder)
    known = {**shared, **shipped_parts()}
    if not own:
        raise PromptFolderError(
            f"the folder {str(folder)!r} holds none of these files: {', '.join(shipped_parts())}"
        )
    _check_names(own, known)
    return {**known, **own}


def _check_names(own: Mapping[str, str], known: Texts) -> None:
    """Raise PromptFolderError for the first file that is not known and not included by another."""
    included = "\n".join(own.values())
    for name in sorted(own):
        if name in known or (name.startswith("_") and f'"{name}"' in included):
            continue
        raise PromptFolderError(
            f"nothing uses {name}{nearest(name, known)}; remove it, or give it one of "
            f"these names: {', '.join(shipped_parts())}"
        )


def _read(folder: Path) -> dict[str, str]:
    """Return the files of a folder of templates for towns and people."""
    paths = sorted([*folder.glob(VISIBLE), *folder.glob(PARTS)])
    return {path.name: read_template(path) for path in paths}


@cache
def making_templates() -> TemplateSet:
    """Return the shipped templates for new towns and people."""
    return TemplateSet(making_texts())
