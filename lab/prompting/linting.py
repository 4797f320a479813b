"""Linter for a folder of templates: it finds all problems, and says which must be fixed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS, check_others, shortest
from smolville.graphs.loop.budget import MARGIN
from smolville.graphs.loop.step import AnyStep
from smolville.lab.prompting.sets import SetNote, read_note
from smolville.models.tokens import estimate_prompt
from smolville.prompts.contract import FAULTS, LintFinding, bind
from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptContractError
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.folder import (
    SUFFIX,
    Texts,
    find_template_folder,
    overlay_texts,
    shipped_texts,
)
from smolville.prompts.lint import lint, sorted_findings
from smolville.prompts.prompt import TemplateSet
from smolville.prompts.repair import REPAIR_FILE

NUM_CTX = 8192
"""Context length against which templates are checked by default, in tokens."""


@dataclass(frozen=True)
class LintReport:
    """The problems found in a folder of templates."""

    folder: str
    """The folder as it was named; `shipped` for the shipped templates."""
    files: int
    """Number of templates examined."""
    findings: tuple[LintFinding, ...]
    about: SetNote = field(default_factory=SetNote)

    @property
    def errors(self) -> int:
        """Number of problems that would make the program refuse the templates."""
        return sum(each.severity == "error" for each in self.findings)

    @property
    def warnings(self) -> int:
        """Number of problems with which the templates still work, but less well."""
        return len(self.findings) - self.errors


def lint_folder(name: Path | None, num_ctx: int = NUM_CTX) -> LintReport:
    """Return the problems of a folder, a shipped overlay, or (None) the shipped templates.

    Raises PromptFolderError when there is no such folder, or no template in it.
    """
    folder = None if name is None else find_template_folder(name)
    own = shipped_texts() if folder is None else overlay_texts(folder)
    found = findings_of({**shipped_texts(), **own}, own, num_ctx)
    shown = "shipped" if folder is None else str(name)
    about = SetNote() if folder is None else read_note(folder)
    return LintReport(shown, len(own), tuple(sorted_findings(found)), about)


def findings_of(texts: Texts, own: Texts, num_ctx: int = NUM_CTX) -> list[LintFinding]:
    """Return the problems of the files `own`, checked as part of the template set `texts`.

    The files are given as texts and need not exist on disk.
    """
    bound = [bind(step.prompt.file, step.inputs) for step in STEPS]
    found = lint(texts, [name for name in own if name.endswith(SUFFIX)], bound)
    broken = {each.file for each in found if each.severity == "error"}
    if MACROS in broken:
        return found
    templates = TemplateSet(texts)
    if not broken & {REPAIR_FILE, EXAMPLES}:
        try:
            check_others(templates)
        except PromptContractError as error:
            found.append(_broken(error, REPAIR_FILE))
    return found + [
        each for step in STEPS for each in _lint_samples(step, templates, own, broken, num_ctx)
    ]


def _broken(error: PromptContractError, file: str) -> LintFinding:
    return LintFinding(
        severity="error",
        kind="broken",
        file=error.file or file,
        line=error.line,
        text=error.what or str(error),
    )


def _lint_samples(
    step: AnyStep, templates: TemplateSet, own: Texts, broken: set[str], num_ctx: int
) -> Iterator[LintFinding]:
    try:
        files = templates.prompt(step).facts.texts.keys()
        if not files.isdisjoint(own) and files.isdisjoint(broken):
            yield from _lint_budget(step, templates, num_ctx)
    except PromptContractError as error:
        if step.prompt.file not in broken:
            yield _broken(error, step.prompt.file)
    except FAULTS:
        return


def _lint_budget(step: AnyStep, templates: TemplateSet, num_ctx: int) -> Iterator[LintFinding]:
    """Yield a finding if a step's prompt does not fit, or fits only after entries are dropped."""
    prompt, reply = templates.prompt(step), step.max_tokens
    most = max(estimate_prompt(prompt.render(each[step.name])) for each in (SAMPLES, OTHER_SAMPLES))
    least, whole = shortest(step, templates), math.ceil(most * MARGIN)
    if least + reply > num_ctx:
        text = (
            f"needs {least + reply} tokens at the least ({least} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}"
        )
        yield LintFinding(severity="error", kind="budget", file=prompt.file, text=text)
    elif whole + reply > num_ctx:
        text = (
            f"takes {whole + reply} tokens with a sample ({whole} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}: entries of its lists will be left out"
        )
        yield LintFinding(severity="warning", kind="budget", file=prompt.file, text=text)
