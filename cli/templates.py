"""Find the templates that the operator names: one step's, a folder's, or those of a run."""

import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from smolville.agents.errors import SettingError
from smolville.cli.options import prompts_flag, runs_dir, settings_file, settings_of
from smolville.cli.settings.default_files import is_anything_set
from smolville.prompts.errors import PromptError, PromptFolderError

if TYPE_CHECKING:
    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.graphs.loop.step import AnyStep
    from smolville.lab.prompting.sets import NamedSet
    from smolville.prompts.folder import Texts
    from smolville.prompts.prompt import TemplateSet

PROMPTS = "SMOLVILLE_PROMPTS"
"""Variable that names a folder of templates."""


def step_named(name: str) -> "AnyStep":
    """Return the step of this name; raise SettingError with a similar name if there is none."""
    from smolville.graphs.loop.step import load_step
    from smolville.prompts.folder import nearest, step_names

    known = step_names()
    if name not in known:
        raise SettingError(
            f"There is no step {name!r}{nearest(name, known)}. All: {', '.join(known)}."
        )
    return load_step(name)


def named_templates(context: typer.Context) -> "tuple[Texts | None, str]":
    """Return the chosen templates (None if none were chosen) and a name for them.

    They are chosen by --prompts, else by SMOLVILLE_PROMPTS, else by `prompts` in smolville.toml,
    and completed with shipped ones. Raises SettingError, or PromptFolderError for a file that
    belongs to no step. Does not check whether templates fit their steps: a user who is fixing one
    template may have another that is still broken.
    """
    flag, file = prompts_flag(context), settings_file(context)
    if flag is None and PROMPTS not in os.environ and not is_anything_set(file):
        return None, "shipped"
    chosen = settings_of(context)
    name = flag or chosen.values.prompts
    if name is None:
        return None, "shipped"
    if flag is None:
        templates_folder(chosen)
    return set_named(context, str(name)).texts, "those of the settings" if flag is None else str(
        flag
    )


def set_named(context: typer.Context, name: str) -> "NamedSet":
    """Return a template set by name: a folder, `shipped`, an overlay, a run, or a version."""
    from smolville.lab.prompting.sets import find_set

    return find_set(name, runs_dir(context))


def templates_of(chosen: "ResolvedSettings") -> "TemplateSet | None":
    """Return the chosen templates, ready for use; None if none were chosen.

    Raises PromptError for an invalid folder and, with file and line, for a template that does not
    fit its step.
    """
    from smolville.graphs.catalogue import check_templates

    texts = _texts(chosen)
    return None if texts is None else check_templates(texts)


def templates_folder(chosen: "ResolvedSettings") -> Path | None:
    """Return the folder that the setting `prompts` names; None for the shipped templates."""
    from smolville.prompts.folder import find_template_folder

    if chosen.values.prompts is None:
        return None
    try:
        return find_template_folder(chosen.values.prompts)
    except PromptFolderError as error:
        origin = chosen.origin("prompts")
        if origin.kind == "flag":
            raise
        raise PromptFolderError(f"{error}; it is set by {origin.of('prompts')}") from error


def _texts(chosen: "ResolvedSettings") -> "Texts | None":
    from smolville.prompts.folder import read_overlaid_texts

    return None if chosen.values.prompts is None else read_overlaid_texts(templates_folder(chosen))


def describe_templates(chosen: "ResolvedSettings", templates: "TemplateSet | None") -> str:
    """Return a phrase: which templates were chosen; empty if none were."""
    from smolville.prompts.folder import not_as_shipped

    if templates is None:
        return ""
    folder, other = templates_folder(chosen), ", ".join(not_as_shipped(templates.texts))
    if folder is None:
        return "the shipped ones"
    return f"{folder} over the shipped ones{f' ({other})' if other else ''}"


def templates_again(chosen: "ResolvedSettings", own: "Texts") -> "tuple[TemplateSet | None, str]":
    """Return the templates to which a resumed run changes, None for its own, and a note or "".

    `own` are the run's templates. Only the flag --prompts replaces them. If a folder named by a
    file or the environment has others, the note says so.
    """
    from smolville.graphs.catalogue import collect_templates
    from smolville.prompts.prompt import TemplateSet

    origin, is_own = chosen.origin("prompts"), False
    if chosen.values.prompts is None or origin.kind == "flag":
        return templates_of(chosen), ""
    with suppress(PromptError):
        found = templates_of(chosen) or TemplateSet()
        is_own = collect_templates(found) == collect_templates(TemplateSet(own))
    note = (
        f"This run goes on with its own templates, not with those of {origin.of('prompts')}; "
        f"to change to them: --prompts {shlex.quote(str(chosen.values.prompts))}"
    )
    return None, "" if is_own else note
