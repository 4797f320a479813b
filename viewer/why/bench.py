"""The bench: a moment with its templates as edited, and the effects of the edits.

Edits are kept while the app runs, so that a page can be left and opened again.
"""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from graphs.checking import check_templates
from lab.evaluation.spec import OWN
from lab.moments.finding import find_moment
from lab.moments.moment import Moment
from lab.prompting.anew import step_of, with_texts
from lab.prompting.linting import findings_of
from lab.prompting.rendering import ChatMessage, as_it_was
from prompts.environment import MACROS
from prompts.errors import PromptError
from prompts.folder import LARGEST, Texts, not_as_shipped
from prompts.lint import LintFinding
from prompts.prompt import TemplateSet
from prompts.repair import REPAIR_FILE

FOLDER = "mine"
"""Name of the folder of kept templates in commands to copy."""
MOST_DRAFTS = 50
"""Maximum number of moments with kept edits; the most recently viewed ones are kept."""


@dataclass(frozen=True, kw_only=True)
class EditCheck:
    """The result of examining edited templates."""

    findings: tuple[LintFinding, ...]
    before: tuple[ChatMessage, ...]
    """The messages that the model got."""
    after: tuple[ChatMessage, ...]
    """The messages that it would get; empty when the templates cannot be rendered."""
    trouble: str = ""
    """The reason why they cannot be rendered."""


@dataclass(kw_only=True)
class MomentBench:
    """One moment, and edits of the templates it was asked with."""

    moment: Moment
    files: tuple[str, ...]
    """The step's template, its partials, and the repair template."""
    edits: dict[str, str] = field(default_factory=dict)
    """File name to text, for changed files only."""

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
        """Store the edited text of a file; an unchanged text removes the edit."""
        text = text[:LARGEST]
        if text == self.moment.templates.get(file):
            self.edits.pop(file, None)
        elif file in self.files:
            self.edits[file] = text

    def looked_at(self, attempt: int = 0) -> EditCheck:
        """Return the problems of the edits, and the messages that the model would get with them."""
        findings = tuple(findings_of(self.texts, self.edits)) if self.edits else ()
        before = as_it_was(self.moment, attempt).messages
        try:
            after = with_texts(self.moment, self.texts, OWN, attempt).messages
        except PromptError as error:
            return EditCheck(findings=findings, before=before, after=(), trouble=str(error))
        return EditCheck(findings=findings, before=before, after=after)

    def template_set(self) -> TemplateSet:
        """Return the templates to ask with.

        Raises PromptError, with file and line, when they do not fit.
        """
        return check_templates(self.texts) if self.edits else TemplateSet(self.moment.templates)

    def overlay(self) -> dict[str, str]:
        """Return the files of a folder that overlays the shipped templates."""
        return {name: self.texts[name] for name in not_as_shipped(self.texts)}

    def pack_overlay(self) -> tuple[str, bytes]:
        """Return the overlay as a file to download: its name and content."""
        files = self.overlay()
        if len(files) == 1:
            ((name, text),) = files.items()
            return name, text.encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text.encode())
        return f"{FOLDER}.zip", packed.getvalue()


def on_bench(moment: Moment, edits: dict[str, str] | None = None) -> MomentBench:
    """Return a bench for a moment; `edits` are earlier edits, which it continues to modify.

    Raises PromptError or RunError when its templates do not fit any step today.
    """
    step = step_of(moment)
    prompt = TemplateSet(moment.templates).prompt(step)
    shows_examples = moment.attempts[0].call.examples != "[]"
    used = (prompt.with_examples if shows_examples else prompt.facts).texts
    others = sorted(name for name in used if name not in (prompt.file, MACROS))
    last = [MACROS] if MACROS in used else []
    files = (prompt.file, *others, REPAIR_FILE, *last)
    return MomentBench(moment=moment, files=files, edits={} if edits is None else edits)


class Drafts:
    """Edits by moment, kept while the app runs."""

    def __init__(self) -> None:
        self._edits: dict[str, dict[str, str]] = {}

    def bench(self, runs: Path, run: str, digits: str) -> MomentBench:
        """Return a moment of a run with its edits; RunError if there is none."""
        moment = find_moment(runs, f"{run}/{digits}")
        edits = self._edits[moment.id] = self._edits.pop(moment.id, {})
        while len(self._edits) > MOST_DRAFTS:
            del self._edits[next(iter(self._edits))]
        return on_bench(moment, edits)
