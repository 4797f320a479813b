"""Which templates a command asks with: those of the folder that was named, over the shipped ones.

`--prompts DIR` comes before SMOLVILLE_PROMPTS, and that before `prompts` in smolville.toml.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli.options import prompts_said, settings_file

if TYPE_CHECKING:
    from cli.settings.choosing import Chosen
    from graphs.loop.template_set import TemplateSet
    from prompts.folder import Texts

VARIABLE = "SMOLVILLE_PROMPTS"


def prompts_flag(context: typer.Context) -> Path | None:
    """Return what --prompts names, None when it was not said; SettingError for more than one."""
    said = prompts_said(context)
    if len(said) > 1:
        from agents.errors import SettingError

        raise SettingError(
            f"--prompts was given {len(said)} times; only `smolville prompt eval` takes several, "
            "leave all but one out."
        )
    return said[0] if said else None


def chosen_templates(context: typer.Context) -> "Texts | None":
    """Return the chosen templates by file name, over the shipped ones; None when none were named.

    Raises SettingError or PromptFolderError. Whether they fit their steps is not looked at.
    """
    from cli.settings.noticing import is_anything_set

    flag, file = prompts_flag(context), settings_file(context)
    if flag is None and VARIABLE not in os.environ and not is_anything_set(file):
        return None
    from cli.settings.choosing import choose

    return _texts(choose({"prompts": flag}, file))


def templates_of(chosen: "Chosen") -> "TemplateSet | None":
    """Return the chosen templates, ready to be asked with; None when none were named.

    Raises PromptError for a folder that cannot be, and, with file and line, for a template that
    does not fit its step.
    """
    from graphs.checking import checked

    texts = _texts(chosen)
    return None if texts is None else checked(texts)


def folder_of(chosen: "Chosen") -> Path | None:
    """Return the folder that the setting means; None for the shipped templates."""
    from prompts.errors import PromptFolderError
    from prompts.folder import named

    try:
        return named(chosen.values.prompts) if chosen.values.prompts is not None else None
    except PromptFolderError as error:
        origin = chosen.origin("prompts")
        if origin.kind == "flag":
            raise
        raise PromptFolderError(f"{error}; it is set by {origin.of('prompts')}") from error


def _texts(chosen: "Chosen") -> "Texts | None":
    from prompts.folder import overlaid

    return None if chosen.values.prompts is None else overlaid(folder_of(chosen))
