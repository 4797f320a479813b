"""The templates of a run for which a template folder was given.

For a new run they are laid over the shipped ones; for a resumed run they count as edits of its own.
"""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from cli.options import templates_folder, templates_of
from cli.settings.choosing import ResolvedSettings
from graphs.catalogue import kept
from graphs.context_size import check_contexts
from graphs.loop.rules import Rules
from models.chat import Chat
from prompts.errors import PromptError
from prompts.folder import Texts, not_as_shipped
from prompts.prompt import TemplateSet
from prompts.watched import WatchedFolder
from world.resources import RunResources


@dataclass(frozen=True)
class Overlay:
    """The templates chosen for a run; empty where none were chosen."""

    templates: TemplateSet | None = None
    folder: Path | None = None
    """None for the shipped templates."""

    @property
    def texts(self) -> Texts | None:
        """The template texts by file name; None where none were chosen."""
        return None if self.templates is None else self.templates.texts

    def fit(self, chats: tuple[Chat, Chat], rules: Rules) -> None:
        """Raise ContextError when a step's prompt with these templates cannot fit a context."""
        if self.templates is not None:
            check_contexts(chats, rules, self.templates)

    def watched(self, means: RunResources) -> RunResources:
        """Return the resources with the folder added, so that the run takes in edits there."""
        if self.templates is None:
            return means
        return replace(means, prompts=WatchedFolder(self.folder))

    def told(self) -> str:
        """Return a phrase: which templates these are, and that edits of them are taken in."""
        if self.templates is None:
            return ""
        if self.folder is None:
            return "the shipped ones"
        other = not_as_shipped(self.templates.texts)
        names = f" ({', '.join(other)})" if other else ""
        return f"{self.folder} over the shipped ones{names}; edits there are taken in"


def overlay_of(chosen: ResolvedSettings) -> Overlay:
    """Return the templates chosen for a new run.

    Raises PromptError, with file and line, for unusable templates.
    """
    templates = templates_of(chosen)
    return Overlay() if templates is None else Overlay(templates, templates_folder(chosen))


def overlay_again(chosen: ResolvedSettings, own: Texts) -> tuple[Overlay, str]:
    """Return the templates that a resumed run continues with, and a note or "".

    `own` are the run's templates. A flag replaces them. A folder that is set elsewhere is used, and
    watched for edits, only while its templates equal the run's own; if they differ, the run keeps
    its own, and the note says so.
    """
    origin = chosen.origin("prompts")
    if chosen.values.prompts is None or origin.kind == "flag":
        return overlay_of(chosen), ""
    try:
        overlay = overlay_of(chosen)
        if overlay.templates is not None and kept(overlay.templates) == kept(TemplateSet(own)):
            return overlay, ""
    except PromptError:
        pass
    return Overlay(), (
        f"This run goes on with its own templates, not with those of {origin.of('prompts')}; "
        f"to change to them: --prompts {shlex.quote(str(chosen.values.prompts))}"
    )
