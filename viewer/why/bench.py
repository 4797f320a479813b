"""A moment on the bench: its templates as they are edited, and what becomes of them."""

import io
import zipfile
from dataclasses import dataclass, field

from graphs.checking import checked
from lab.evaluation.variant import OWN
from lab.moments.moment import Moment
from lab.prompting.anew import step_of
from lab.prompting.linting import findings_of
from lab.prompting.rendering import Message, as_it_was, with_texts
from prompts.environment import MACROS
from prompts.errors import PromptError
from prompts.finding import Finding
from prompts.folder import LARGEST, Texts, not_as_shipped
from prompts.prompt import TemplateSet
from prompts.repair import REPAIR_FILE

FOLDER = "mine"
"""What the folder of kept templates is called in commands to copy."""


@dataclass(frozen=True, kw_only=True)
class Looked:
    """Edited templates, examined."""

    findings: tuple[Finding, ...]
    before: tuple[Message, ...]
    """What the model got."""
    after: tuple[Message, ...]
    """What it would get; empty where the templates cannot show it."""
    trouble: str = ""
    """Why they cannot."""


@dataclass(kw_only=True)
class Bench:
    """One moment, and edits of the templates it was asked with."""

    moment: Moment
    files: tuple[str, ...]
    """The step's template, its partials, and what a repair is told with."""
    edits: dict[str, str] = field(default_factory=dict)
    """File name to text: only what is not as it was."""

    @property
    def texts(self) -> Texts:
        """All templates, as edited."""
        return {**self.moment.templates, **self.edits}

    @property
    def version(self) -> str:
        """The version of the step's template as edited; empty while it cannot be read."""
        try:
            return TemplateSet(self.texts).prompt(step_of(self.moment)).version
        except PromptError:
            return ""

    def edit(self, file: str, text: str) -> None:
        """Take in a file as edited; one that is as it was is no edit."""
        text = text[:LARGEST]
        if text == self.moment.templates.get(file):
            self.edits.pop(file, None)
        elif file in self.files:
            self.edits[file] = text

    def looked_at(self, attempt: int = 0) -> Looked:
        """Return what is wrong with the edits, and what the model would get by them."""
        findings = tuple(findings_of(self.texts, self.edits)) if self.edits else ()
        before = as_it_was(self.moment, attempt).messages
        try:
            after = with_texts(self.moment, self.texts, OWN, attempt).messages
        except PromptError as error:
            return Looked(findings=findings, before=before, after=(), trouble=str(error))
        return Looked(findings=findings, before=before, after=after)

    def template_set(self) -> TemplateSet:
        """Return templates to ask with; PromptError, with file and line, where they do not fit."""
        return checked(self.texts) if self.edits else TemplateSet(self.moment.templates)

    def overlay(self) -> dict[str, str]:
        """Return the files that make a folder to be laid over the shipped templates."""
        return {name: self.texts[name] for name in not_as_shipped(self.texts)}

    def packed(self) -> tuple[str, bytes]:
        """Return the overlay as a file to keep: its name, and what is in it."""
        files = self.overlay()
        if len(files) == 1:
            ((name, text),) = files.items()
            return name, text.encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text.encode())
        return f"{FOLDER}.zip", packed.getvalue()


def on_bench(moment: Moment, edits: dict[str, str] | None = None) -> Bench:
    """Return a moment to work on, with edits of before, which go on being changed.

    Raises PromptError or RunError where its templates fit no step today.
    """
    step = step_of(moment)
    prompt = TemplateSet(moment.templates).prompt(step)
    shows_examples = moment.attempts[0].call.examples != "[]"
    used = (prompt.with_examples if shows_examples else prompt.facts).texts
    others = sorted(name for name in used if name not in (prompt.file, MACROS))
    last = [MACROS] if MACROS in used else []
    files = (prompt.file, *others, REPAIR_FILE, *last)
    return Bench(moment=moment, files=files, edits={} if edits is None else edits)
