"""A folder of templates examined: all that is wrong with it, and whether that must be mended."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphs.catalogue import STEPS
from graphs.checking import check_others
from graphs.context_size import shortest
from graphs.loop.budget import MARGIN
from graphs.loop.step import AnyStep
from graphs.samples import OTHER_SAMPLES, SAMPLES
from graphs.sense.phrases import phrase_faults
from lab.evaluation.labels import FILE as LABELS
from lab.evaluation.labels import read_labels
from lab.prompting.cases import wrong_cases
from models.tokens import estimate_prompt
from prompts.contract import FAULTS
from prompts.environment import MACROS
from prompts.errors import PromptContractError
from prompts.examples import FILE as EXAMPLES
from prompts.finding import Finding, sorted_findings
from prompts.folder import FOLDER, SENSE, SUFFIX, Texts, named, overlay_texts, shipped_texts
from prompts.lint import Bound, lint
from prompts.prompt import TemplateSet
from prompts.repair import REPAIR_FILE

NUM_CTX = 8192
"""The context that templates are held to unless another is given."""
ENDINGS = (".jinja2", ".j2", ".jnja", ".jinja.txt")
"""Names with these look like templates, and are none."""


@dataclass(frozen=True)
class Report:
    """What is wrong with a folder of templates."""

    folder: str
    """As it was named; `shipped` for the shipped ones."""
    files: int
    """Templates looked at."""
    num_ctx: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """How many of them would be refused."""
        return sum(each.severity == "error" for each in self.findings)

    @property
    def warnings(self) -> int:
        """How many of them work, but worse."""
        return len(self.findings) - self.errors

    def plain(self) -> dict[str, object]:
        """Return the report as plain data with stable keys."""
        return {
            "folder": self.folder,
            "files": self.files,
            "num_ctx": self.num_ctx,
            "errors": self.errors,
            "warnings": self.warnings,
            "findings": [each.plain() for each in self.findings],
        }


def bound_steps() -> list[Bound]:
    """Return every step's template and what it has to show."""
    return [
        Bound(step.prompt.file, step.inputs.__name__, frozenset(step.inputs.model_fields))
        for step in STEPS
    ]


def lint_folder(name: Path | None, num_ctx: int = NUM_CTX) -> Report:
    """Return what is wrong with a folder, a shipped overlay by its name, or None: the shipped ones.

    Raises PromptFolderError when there is no such folder, or no template in it.
    """
    folder = None if name is None else named(name)
    own = shipped_texts() if folder is None else overlay_texts(folder)
    found = findings_of({**shipped_texts(), **own}, own, num_ctx)
    where = folder or FOLDER
    found += wrong_cases(where / "examples")
    if folder is not None:
        found += [*_no_templates(folder), *_wrong_labels(folder / LABELS)]
    return Report(
        folder="shipped" if folder is None else str(name),
        files=len(own),
        num_ctx=num_ctx,
        findings=tuple(sorted_findings(found)),
    )


def findings_of(texts: Texts, own: Texts, num_ctx: int = NUM_CTX) -> list[Finding]:
    """Return what is wrong with the files `own` of a set of templates, which are on no disk yet."""
    found = lint(texts, [name for name in own if name.endswith(SUFFIX)], bound_steps())
    broken = {each.file for each in found if each.severity == "error"}
    return [*found, *_phrases(own), *_shown(texts, own, broken, num_ctx)]


def _phrases(own: Texts) -> Iterator[Finding]:
    """Yield what is wrong with the phrases that make answers odd."""
    for fault in phrase_faults(own.get(SENSE, ""), [step.name for step in STEPS]):
        yield Finding(severity="error", kind="sense", file=SENSE, line=fault.line, text=fault.text)


def _shown(texts: Texts, own: Texts, broken: set[str], num_ctx: int) -> Iterator[Finding]:
    """Yield what comes to light when the samples are rendered; nothing of broken templates."""
    if MACROS in broken:
        return
    templates = TemplateSet(texts)
    if not broken & {REPAIR_FILE, EXAMPLES}:
        yield from _others(templates)
    for step in STEPS:
        if step.prompt.file in broken:
            continue
        try:
            files = templates.prompt(step).facts.texts.keys()
        except FAULTS:
            continue
        if not files & own.keys() or files & broken:
            continue
        try:
            yield from _rendered(step, templates, num_ctx)
        except PromptContractError as error:
            yield _broken(error, step.prompt.file)


def _others(templates: TemplateSet) -> Iterator[Finding]:
    """Yield whether the repair message or the examples cannot be shown."""
    try:
        check_others(templates)
    except PromptContractError as error:
        yield _broken(error, REPAIR_FILE)


def _broken(error: PromptContractError, file: str) -> Finding:
    return Finding(
        severity="error",
        kind="broken",
        file=error.file or file,
        line=error.line,
        text=error.what or str(error),
    )


def _rendered(step: AnyStep, templates: TemplateSet, num_ctx: int) -> Iterator[Finding]:
    """Yield what is wrong with a step's rendered samples; PromptContractError when they fail."""
    prompt, most = templates.prompt(step), 0
    gaps: set[str] = set()
    for samples in (SAMPLES, OTHER_SAMPLES):
        messages = prompt.render(samples[step.name])
        most = max(most, estimate_prompt(messages))
        gaps |= {message.type for message in messages if "\n\n\n" in message.text}
    for name in sorted(gaps):
        text = f"the {name} message of a sample has two empty lines, one below the other"
        yield Finding(severity="warning", kind="style", file=prompt.file, text=text)
    yield from _budget(step, templates, most, num_ctx)


def _budget(step: AnyStep, templates: TemplateSet, most: int, num_ctx: int) -> Iterator[Finding]:
    """Yield whether a step has no room in the context, or not for all that it shows."""
    file, reply = templates.prompt(step).file, step.max_tokens
    least, whole = shortest(step, templates), math.ceil(most * MARGIN)
    if least + reply > num_ctx:
        text = (
            f"needs {least + reply} tokens at the least ({least} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}"
        )
        yield Finding(severity="error", kind="budget", file=file, text=text)
    elif whole + reply > num_ctx:
        text = (
            f"takes {whole + reply} tokens with a sample ({whole} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}: entries of its lists will be left out"
        )
        yield Finding(severity="warning", kind="budget", file=file, text=text)


def _wrong_labels(path: Path) -> Iterator[Finding]:
    """Yield what is wrong with the lines of a file of labels; nothing where there is none."""
    for number, label in read_labels(path) if path.is_file() else ():
        if isinstance(label, str):
            yield Finding(severity="error", kind="label", file=path.name, line=number, text=label)


def _no_templates(folder: Path) -> Iterator[Finding]:
    """Yield the files that look like templates and are not read."""
    for path in sorted(folder.iterdir()):
        if path.name.endswith(ENDINGS):
            text = "this is not read: templates are called <step>.jinja"
            yield Finding(severity="warning", kind="name", file=path.name, text=text)
