"""One variant of an evaluation: a template set on a model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphs.checking import checked
from lab.evaluation.results import VariantName
from lab.moments.files import set_name
from models.chat import Chat
from prompts.errors import PromptError
from prompts.folder import SHIPPED, Texts, named, overlaid
from prompts.prompt import TemplateSet

OWN = "its own"
"""Name of the templates that a moment was originally asked with."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A template set on a model, ready to be asked."""

    name: VariantName
    chat: Chat = field(repr=False)
    templates: TemplateSet = field(repr=False)

    @property
    def version(self) -> str:
        """Eight hex digits that identify the templates."""
        return set_name(self.templates.texts)


def template_sets(
    prompts: Iterable[Path], own: Texts | None = None
) -> tuple[tuple[str, TemplateSet], ...]:
    """Return template sets by the names of their folders, as these were typed.

    Without folders the templates are `own`, or the shipped ones. Raises PromptError for an invalid
    folder, and for templates that do not fit.
    """
    sets = tuple((str(each), _templates(each)) for each in dict.fromkeys(prompts))
    return sets or ((SHIPPED, TemplateSet()) if own is None else (OWN, TemplateSet(own)),)


def variants_of(
    sets: Sequence[tuple[str, TemplateSet]], chats: Iterable[Chat]
) -> tuple[Variant, ...]:
    """Return every combination of template set and model, model by model."""
    return tuple(
        Variant(
            name=VariantName(prompts=name, model=chat.spec),
            chat=chat,
            templates=templates,
        )
        for chat in chats
        for name, templates in sets
    )


def _templates(folder: Path) -> TemplateSet:
    """Return the templates of a folder; an error message begins with the folder's name."""
    found = named(folder)
    if found is None:
        return TemplateSet()
    texts = overlaid(found)
    try:
        return checked(texts)
    except PromptError as error:
        raise type(error)(f"{folder}: {error}") from error
