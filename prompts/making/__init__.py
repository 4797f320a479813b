"""Templates of the prompts for a new person, and folders with replacements for them."""

from functools import cache
from pathlib import Path

from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptFolderError
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.folder import VISIBLE, Texts, nearest, read_template, shipped_texts
from smolville.prompts.prompt import TemplateSet
from smolville.prompts.repair import REPAIR_FILE

FOLDER = Path(__file__).parent
PARTS = "parts.toml"
"""File with the beginnings of memories and the kinds of bonds."""


def making_texts(folder: Path | None = None) -> Texts:
    """Return the shipped files by name, replaced by a folder's files of the same names.

    Raises PromptFolderError for a folder that is missing or empty, or has a file that nothing uses.
    """
    shared = {name: shipped_texts()[name] for name in (MACROS, REPAIR_FILE, EXAMPLES)}
    shipped = {**shared, **files_in(FOLDER)}
    if folder is None:
        return shipped
    own = files_in(folder)
    if not own:
        raise PromptFolderError(
            f"there is no folder {str(folder)!r} with templates of people; copy those that you "
            f"want to change from {FOLDER}"
        )
    for name in own:
        included = name.startswith("_") and any(f'"{name}"' in text for text in own.values())
        if name not in shipped and not included:
            raise PromptFolderError(
                f"nothing uses {name}{nearest(name, shipped)}; remove it, or give it one of these "
                f"names: {', '.join(files_in(FOLDER))}"
            )
    return {**shipped, **own}


def files_in(folder: Path) -> dict[str, str]:
    """Return the templates and parts in a folder by file name; empty if there are none."""
    paths = sorted([*folder.glob(VISIBLE), *folder.glob(PARTS)])
    return {path.name: read_template(path) for path in paths}


@cache
def making_templates() -> TemplateSet:
    """Return the shipped templates for new people."""
    return TemplateSet(making_texts())
