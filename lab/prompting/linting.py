"""Linter for a folder of templates, with their example cases.

It finds all problems, and says of each whether it must be fixed.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smolville.agents.text_files import read_text
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS, check_others, shortest
from smolville.graphs.loop.budget import MARGIN
from smolville.graphs.loop.step import AnyStep
from smolville.models.tokens import estimate_prompt
from smolville.parsers.answer import shape_of
from smolville.parsers.reading.faults import problems_of
from smolville.prompts.contract import FAULTS, LintFinding, bind
from smolville.prompts.environment import MACROS
from smolville.prompts.errors import PromptContractError
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.folder import (
    FOLDER,
    SUFFIX,
    Texts,
    find_template_folder,
    nearest,
    overlay_texts,
    shipped_texts,
)
from smolville.prompts.lint import lint, sorted_findings
from smolville.prompts.prompt import TemplateSet
from smolville.prompts.repair import REPAIR_FILE

NUM_CTX = 8192
"""Context length against which templates are checked by default, in tokens."""
ENDINGS = (".jinja2", ".j2", ".jnja", ".jinja.txt")
"""File endings that look like templates but are not read."""


@dataclass(frozen=True)
class LintReport:
    """The problems found in a folder of templates."""

    folder: str
    """The folder as it was named; `shipped` for the shipped templates."""
    files: int
    """Number of templates examined."""
    num_ctx: int
    findings: tuple[LintFinding, ...]

    @property
    def errors(self) -> int:
        """Number of problems that would make the program refuse the templates."""
        return sum(each.severity == "error" for each in self.findings)

    @property
    def warnings(self) -> int:
        """Number of problems with which the templates still work, but less well."""
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


def lint_folder(name: Path | None, num_ctx: int = NUM_CTX) -> LintReport:
    """Return the problems of a folder, a shipped overlay, or (None) the shipped templates.

    Raises PromptFolderError when there is no such folder, or no template in it.
    """
    folder = None if name is None else find_template_folder(name)
    own = shipped_texts() if folder is None else overlay_texts(folder)
    found = findings_of({**shipped_texts(), **own}, own, num_ctx)
    found += _wrong_cases((folder or FOLDER) / "examples")
    for path in sorted(folder.iterdir()) if folder is not None else ():
        if path.name.endswith(ENDINGS):
            text = "this is not read: templates are called <step>.jinja"
            found.append(LintFinding(severity="warning", kind="name", file=path.name, text=text))
    return LintReport(
        folder="shipped" if folder is None else str(name),
        files=len(own),
        num_ctx=num_ctx,
        findings=tuple(sorted_findings(found)),
    )


def findings_of(texts: Texts, own: Texts, num_ctx: int = NUM_CTX) -> list[LintFinding]:
    """Return the problems of the files `own`, checked as part of the template set `texts`.

    The files are given as texts and need not exist on disk.
    """
    bound = [bind(step.prompt.file, step.inputs) for step in STEPS]
    found = lint(texts, [name for name in own if name.endswith(SUFFIX)], bound)
    broken = {each.file for each in found if each.severity == "error"}
    rendered = _lint_rendered_samples(texts, own, broken, num_ctx)
    return [*found, *_lint_others(texts, broken), *rendered]


def _lint_rendered_samples(
    texts: Texts, own: Texts, broken: set[str], num_ctx: int
) -> Iterator[LintFinding]:
    """Yield problems found by rendering the samples; broken templates are skipped."""
    if MACROS in broken:
        return
    templates = TemplateSet(texts)
    for step in STEPS:
        try:
            files = templates.prompt(step).facts.texts.keys()
            if not files.isdisjoint(own) and files.isdisjoint(broken):
                yield from _lint_step_samples(step, templates, num_ctx)
        except PromptContractError as error:
            if step.prompt.file not in broken:
                yield _broken(error, step.prompt.file)
        except FAULTS:
            continue


def _lint_others(texts: Texts, broken: set[str]) -> Iterator[LintFinding]:
    """Yield a finding when the repair message or the examples cannot be rendered."""
    if not broken & {MACROS, REPAIR_FILE, EXAMPLES}:
        try:
            check_others(TemplateSet(texts))
        except PromptContractError as error:
            yield _broken(error, REPAIR_FILE)


def _broken(error: PromptContractError, file: str) -> LintFinding:
    return LintFinding(
        severity="error",
        kind="broken",
        file=error.file or file,
        line=error.line,
        text=error.what or str(error),
    )


def _lint_step_samples(
    step: AnyStep, templates: TemplateSet, num_ctx: int
) -> Iterator[LintFinding]:
    """Yield problems of a step's rendered samples; PromptContractError when rendering fails."""
    prompt, most = templates.prompt(step), 0
    gaps: set[str] = set()
    for samples in (SAMPLES, OTHER_SAMPLES):
        messages = prompt.render(samples[step.name])
        most = max(most, estimate_prompt(messages))
        gaps |= {message.type for message in messages if "\n\n\n" in message.text}
    for name in sorted(gaps):
        text = f"the {name} message of a sample has two empty lines, one below the other"
        yield LintFinding(severity="warning", kind="style", file=prompt.file, text=text)
    yield from _budget(step, templates, most, num_ctx)


def _budget(
    step: AnyStep, templates: TemplateSet, most: int, num_ctx: int
) -> Iterator[LintFinding]:
    """Yield a finding if a step's prompt does not fit, or fits only after entries are dropped."""
    file, reply = templates.prompt(step).file, step.max_tokens
    least, whole = shortest(step, templates), math.ceil(most * MARGIN)
    if least + reply > num_ctx:
        text = (
            f"needs {least + reply} tokens at the least ({least} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}"
        )
        yield LintFinding(severity="error", kind="budget", file=file, text=text)
    elif whole + reply > num_ctx:
        text = (
            f"takes {whole + reply} tokens with a sample ({whole} for its prompt, {reply} for the "
            f"reply), and the context has {num_ctx}: entries of its lists will be left out"
        )
        yield LintFinding(severity="warning", kind="budget", file=file, text=text)


HAS = {"case", "answer"}


def _wrong_cases(folder: Path) -> Iterator[LintFinding]:
    """Yield the problems of a folder's `<step>.json` files; nothing when there are none."""
    answers = {step.name: step.answer for step in STEPS}
    for path in sorted(folder.glob("*.json")):
        file, step = f"{folder.name}/{path.name}", path.stem
        if step not in answers:
            yield _finding(file, f"there is no step `{step}`{nearest(step, answers)}")
            continue
        try:
            cases = json.loads(read_text(path))
        except OSError as error:
            yield _finding(file, f"it cannot be read: {error.strerror}")
            continue
        except ValueError as error:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            yield _finding(file, f"it is no JSON: {error}", line)
            continue
        if not isinstance(cases, list):
            yield _finding(file, "it should be a list of cases, each with `case` and `answer`")
            continue
        for number, each in enumerate(cases, 1):
            yield from _wrong_case(file, number, each, answers[step])


def _wrong_case(file: str, number: int, row: Any, answer: Any) -> Iterator[LintFinding]:
    """Yield the problems of one example case."""
    if not isinstance(row, dict) or not row.keys() >= HAS or not isinstance(row["case"], str):
        yield _finding(file, f"case {number} should have `case`, a text, and `answer`")
        return
    if not row["case"].strip():
        yield _finding(file, f"case {number} has no words")
    try:
        answer.model_validate(row["answer"])
    except ValidationError as error:
        for problem in problems_of(error, shape_of(answer)):
            text = f"case {number} is no answer of its step: {problem.message}"
            yield _finding(file, text)


def _finding(file: str, text: str, line: int | None = None) -> LintFinding:
    return LintFinding(severity="error", kind="example", file=file, line=line, text=text)
