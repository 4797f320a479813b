"""The bench: a moment with edited templates, and the effects of the edits.

Edits are kept while the app runs, so that a page can be left and opened again.
"""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from smolville.graphs.catalogue import check_templates
from smolville.lab.evaluation.evaluate import OWN
from smolville.lab.moments.finding import find_moment
from smolville.lab.moments.moment import Moment
from smolville.lab.prompting.linting import findings_of
from smolville.lab.prompting.rendering import ChatMessage, as_it_was, step_of, with_texts
from smolville.prompts.contract import LintFinding
from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptError
from smolville.prompts.folder import LARGEST, Texts, not_as_shipped
from smolville.prompts.prompt import TemplateSet
from smolville.prompts.repair import REPAIR_FILE

FOLDER = "mine"
"""Name of the folder for kept templates in commands to copy."""


@dataclass(frozen=True, kw_only=True)
class EditCheck:
    """The result of examining edited templates."""

    findings: tuple[LintFinding, ...]
    before: tuple[ChatMessage, ...]
    """The messages that the model got at the time."""
    after: tuple[ChatMessage, ...]
    """The messages that it would get with the edits; empty if the templates cannot be rendered."""
    trouble: str = ""
    """The reason why the templates cannot be rendered; empty if they can."""


@dataclass(kw_only=True)
class MomentBench:
    """One moment, and edits of the templates of its call."""

    moment: Moment
    files: tuple[str, ...]
    """The step's template, its partials, and the repair template."""
    edits: dict[str, str] = field(default_factory=dict)
    """New texts of changed files, by file name."""

    @property
    def texts(self) -> Texts:
        """The texts of all templates, including edits."""
        return {**self.moment.templates, **self.edits}

    def edit(self, file: str, text: str) -> None:
        """Store the edited text of a file; an unchanged text removes the edit."""
        text = text[:LARGEST]
        if text == self.moment.templates.get(file):
            self.edits.pop(file, None)
        elif file in self.files:
            self.edits[file] = text

    def looked_at(self) -> EditCheck:
        """Return the problems of the edits, and the messages that the model would get with them."""
        findings = tuple(findings_of(self.texts, self.edits)) if self.edits else ()
        before = as_it_was(self.moment).messages
        try:
            after = with_texts(self.moment, self.texts, OWN).messages
        except PromptError as error:
            return EditCheck(findings=findings, before=before, after=(), trouble=str(error))
        return EditCheck(findings=findings, before=before, after=after)

    def template_set(self) -> TemplateSet:
        """Return the template set with the edits.

        Raises PromptError with file and line if the edited templates do not fit the step.
        """
        return check_templates(self.texts) if self.edits else TemplateSet(self.moment.templates)

    def overlay(self) -> dict[str, str]:
        """Return the files of an overlay, a folder that replaces some of the shipped templates."""
        return {name: self.texts[name] for name in not_as_shipped(self.texts)}

    def pack_overlay(self) -> bytes:
        """Return the overlay as a zip file to download."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in self.overlay().items():
                archive.writestr(zipfile.ZipInfo(name), text.encode())
        return packed.getvalue()


def bench_of(runs: Path, run: str, digits: str, drafts: dict[str, dict[str, str]]) -> MomentBench:
    """Return the bench of a moment, with its edits in `drafts`.

    Raises RunError for an unknown moment.
    """
    moment = find_moment(runs, f"{run}/{digits}")
    return on_bench(moment, drafts.setdefault(moment.id, {}))


def on_bench(moment: Moment, edits: dict[str, str] | None = None) -> MomentBench:
    """Return a bench for a moment; further edits are added to `edits`.

    Raises PromptError or RunError if the moment's templates do not fit any present step.
    """
    step = step_of(moment)
    prompt = TemplateSet(moment.templates).prompt(step)
    shows_examples = moment.attempts[0].call.examples != "[]"
    used = (prompt.with_examples if shows_examples else prompt.facts).texts
    others = sorted(name for name in used if name not in (prompt.file, MACROS))
    last = [MACROS] if MACROS in used else []
    files = (prompt.file, *others, REPAIR_FILE, *last)
    return MomentBench(moment=moment, files=files, edits={} if edits is None else edits)
