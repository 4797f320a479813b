"""The templates that a run is asked with, where a folder of them was named.

They are laid over the shipped ones for a new run, and edit the templates of one that goes on.
"""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from cli.options import templates_folder, templates_of
from cli.settings.choosing import Chosen
from graphs.catalogue import kept
from graphs.context_size import check_contexts
from graphs.loop.rules import Rules
from models.chat import Chat
from prompts.errors import PromptError
from prompts.folder import Texts, not_as_shipped
from prompts.prompt import TemplateSet
from prompts.watched import WatchedFolder
from world.means import Means


@dataclass(frozen=True)
class Overlay:
    """Templates to ask with; nothing where none were named."""

    templates: TemplateSet | None = None
    folder: Path | None = None
    """None for the shipped templates."""

    @property
    def texts(self) -> Texts | None:
        """By file name; None where none were named."""
        return None if self.templates is None else self.templates.texts

    def fit(self, chats: tuple[Chat, Chat], rules: Rules) -> None:
        """Raise ContextError when a step cannot fit a model's context with them."""
        if self.templates is not None:
            check_contexts(chats, rules, self.templates)

    def watched(self, means: Means) -> Means:
        """Return the means of a run that goes on with them, and takes in what is edited there."""
        if self.templates is None:
            return means
        return replace(means, prompts=WatchedFolder(self.folder))

    def told(self) -> str:
        """Return which templates they are, and that edits of them are taken in."""
        if self.templates is None:
            return ""
        if self.folder is None:
            return "the shipped ones"
        other = not_as_shipped(self.templates.texts)
        names = f" ({', '.join(other)})" if other else ""
        return f"{self.folder} over the shipped ones{names}; edits there are taken in"


def overlay_of(chosen: Chosen) -> Overlay:
    """Return the templates that were chosen for a new run.

    Raises PromptError, with file and line, for templates that cannot be asked with.
    """
    templates = templates_of(chosen)
    return Overlay() if templates is None else Overlay(templates, templates_folder(chosen))


def overlay_again(chosen: Chosen, own: Texts) -> tuple[Overlay, str]:
    """Return the templates that a run with its own goes on with, and a note where there is one.

    A flag changes them. A folder that is set elsewhere is looked at while the run has its
    templates; where it has others, they stay, and the note says so.
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
