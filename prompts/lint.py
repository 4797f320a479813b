"""A linter that finds all faults of a folder of templates, not only the first one.

The code that refuses a template (`prompts.contract`) and judges its order (`prompts.order`) also
reports its findings here; this file runs it on every file, and adds checks of style.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, NamedTuple

from jinja2 import Environment, TemplateSyntaxError

from smolville.prompts.contract import (
    FAULTS,
    INSTRUCTIONS,
    PROMPT,
    STRAY,
    blocks_in_words,
    format_names,
    unknown_names,
    unshown_names,
    wrong_blocks,
)
from smolville.prompts.environment import MACROS, open_environment
from smolville.prompts.errors import PromptContractError, TemplateMissing
from smolville.prompts.examples import FILE as EXAMPLES
from smolville.prompts.facts import TemplateFacts, read_facts
from smolville.prompts.folder import Texts, nearest, shipped_texts, strange_name
from smolville.prompts.order import find_misplaced
from smolville.prompts.repair import REPAIR_FILE, REPAIR_VARIABLES

Severity = Literal["error", "warning"]
"""Severity of a fault: templates with an error are refused; with a warning they work less well."""
Kind = Literal[
    "name",
    "syntax",
    "include",
    "blocks",
    "unknown",
    "unused",
    "broken",
    "order",
    "format",
    "budget",
    "example",
    "sense",
    "label",
    "style",
]
"""The kind of fault."""


@dataclass(frozen=True, kw_only=True)
class LintFinding:
    """One fault of a template."""

    severity: Severity
    kind: Kind
    file: str
    line: int | None = None
    """Line number from 1; None for the whole file."""
    text: str
    """The fault: a whole sentence, or words that continue after the place."""

    @property
    def where(self) -> str:
        """Return the fault's place: `say.jinja, line 7`."""
        return self.file if self.line is None else f"{self.file}, line {self.line}"

    def plain(self) -> dict[str, object]:
        """Return the fault as plain data with stable keys."""
        return asdict(self)


def sorted_findings(found: Iterable[LintFinding]) -> list[LintFinding]:
    """Return findings by file and line, without duplicates."""
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda each: (each.file, each.line or 0, each.severity, each.text))


_COMMENT = re.compile(r"\{#.+#\}")


class BoundTemplate(NamedTuple):
    """A template, and the fields that it has to show."""

    file: str
    owner: str
    """Name of the owner of these fields: `SayInput`."""
    fields: frozenset[str]
    blocks: tuple[str, ...] = PROMPT
    may_turn: bool = False
    """Whether the template may show a talk as turns."""


OTHERS = (
    BoundTemplate(REPAIR_FILE, "repair", frozenset(REPAIR_VARIABLES), ("human",)),
    BoundTemplate(EXAMPLES, "examples_text", frozenset({"examples"}), ("human",)),
)
"""The templates that belong to no step."""


def lint(texts: Texts, own: Collection[str], bound: Sequence[BoundTemplate]) -> list[LintFinding]:
    """Return the faults of the files `own` in a set of templates, ordered by file and line.

    `bound` are the steps' templates. A file outside of `own` is only reported if a file in `own`
    breaks it, for example by removing a formatter that it calls.
    """
    return sorted_findings(_findings(texts, own, [*bound, *OTHERS]))


def _findings(
    texts: Texts, own: Collection[str], bound: Sequence[BoundTemplate]
) -> Iterator[LintFinding]:
    """Yield all findings in the order in which they are found."""
    for file in sorted(own):
        yield from _style(file, texts[file], is_step=file in {each.file for each in bound})
    found, environment = _open_lint_environment(texts, own)
    yield from found
    used: dict[str, TemplateFacts] = {}
    files = set(own)
    for each in bound:
        try:
            facts = facts_of(environment, each.file)
        except PromptContractError as error:
            if _is_about(error, each.file, own):
                yield of_error(error, each.file)
            continue
        used[each.file] = facts
        if MACROS in files or facts.texts.keys() & files:
            is_whole = facts.texts.keys() <= {MACROS, *texts}
            yield from _contract(each, facts, environment, is_whole=is_whole)
    yield from _unused(environment, own, used, is_whole=len(used) == len(bound))


def _open_lint_environment(
    texts: Texts, own: Collection[str]
) -> tuple[list[LintFinding], Environment]:
    """Return the faults that prevent reading, and an environment that works around them.

    An empty file replaces a missing included one, and the shipped formatters replace broken ones,
    so that one fault does not hide others.
    """
    found: list[LintFinding] = []
    whole = dict(texts)
    try:
        open_environment(whole)
    except PromptContractError as error:
        found.append(of_error(error, MACROS))
        whole[MACROS] = shipped_texts()[MACROS]
    for file in sorted(own):
        while True:
            try:
                facts_of(open_environment(whole), file)
            except TemplateMissing as error:
                found.append(of_error(error, file))
                whole[error.missing] = ""
            except PromptContractError as error:
                found.append(of_error(error, file))
                break
            else:
                break
    return found, open_environment(whole)


def facts_of(environment: Environment, file: str) -> TemplateFacts:
    """Return the facts of a template. Raises PromptContractError if they cannot be found."""
    try:
        return read_facts(environment, file)
    except PromptContractError:
        raise
    except FAULTS as error:
        raise PromptContractError.at(file, None, str(error)) from error


def of_error(error: PromptContractError, file: str) -> LintFinding:
    """Return the error of a refused template as a finding."""
    is_syntax = isinstance(error.__cause__, TemplateSyntaxError)
    return LintFinding(
        severity="error",
        kind="syntax" if is_syntax else "include",
        file=error.file or file,
        line=error.line,
        text=error.what or str(error),
    )


def _style(file: str, text: str, *, is_step: bool) -> Iterator[LintFinding]:
    """Yield faults of style that bother readers or models, although the template can be used."""

    def style_warning(line: int | None, what: str) -> LintFinding:
        return LintFinding(severity="warning", kind="style", file=file, line=line, text=what)

    if "\r" in text:
        yield style_warning(None, "its lines end as on Windows (CR LF); they should end with LF")
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield style_warning(number, "blanks at the end of the line, which the model gets too")
        if "\t" in line.rstrip():
            yield style_warning(number, "a tab, which the model gets too; blanks are meant")
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        yield style_warning(len(lines), "the file should end with exactly one end of line")
    if is_step and not _COMMENT.fullmatch(lines[0].strip()):
        yield style_warning(
            1, "the first line should be a comment, {# ... #}, that says what is decided"
        )


def _contract(
    bound: BoundTemplate, facts: TemplateFacts, environment: Environment, *, is_whole: bool
) -> Iterator[LintFinding]:
    """Yield mismatches between a readable template and the fields that it has to show.

    If a partial is missing (`is_whole` is False), it is unknown which fields it would show.
    """
    formatters = set(environment.globals)
    meant = {*bound.fields, *formatters, INSTRUCTIONS}
    if wanted := wrong_blocks(facts, bound.blocks, may_turn=bound.may_turn):
        text = f"it has {blocks_in_words(facts.blocks)}; {wanted}"
        yield LintFinding(severity="error", kind="blocks", file=bound.file, text=text)
    if facts.stray is not None:
        yield LintFinding(
            severity="error", kind="blocks", file=bound.file, line=facts.stray, text=STRAY
        )
    unknown = set(unknown_names(facts, bound.fields))
    for use in facts.uses:
        if use.name in unknown:
            near = nearest(use.name, meant)
            has = f"; {bound.owner} has: {format_names(sorted(bound.fields))}"
            text = f"`{use.name}` does not exist{near or has}"
            yield LintFinding(
                severity="error", kind="unknown", file=use.file, line=use.line, text=text
            )
    for name in unshown_names(facts, bound.fields) if is_whole else ():
        yield LintFinding(
            severity="error",
            kind="unused",
            file=bound.file,
            line=_last_block(facts, bound.file),
            text=f"nothing shows `{name}`, which {bound.owner} has",
        )
    if bound.blocks == PROMPT:
        yield from _prompt(bound, facts, environment)


def _prompt(
    bound: BoundTemplate, facts: TemplateFacts, environment: Environment
) -> Iterator[LintFinding]:
    """Yield weaknesses of a step's template, such as a bad order of its variables."""
    if INSTRUCTIONS not in facts.variables:
        text = f"nothing shows `{INSTRUCTIONS}`: the model is not told how to write its answer"
        yield LintFinding(severity="warning", kind="format", file=bound.file, text=text)
    known = {*bound.fields, INSTRUCTIONS}
    for each in find_misplaced(environment, bound.file):
        if {each.variable, each.after} <= known:
            yield LintFinding(
                severity="warning", kind="order", file=each.file, line=each.line, text=each.what
            )


def _last_block(facts: TemplateFacts, file: str) -> int | None:
    """Return the line where the last block begins, as the place to report missing fields."""
    lines = facts.texts[file].splitlines()
    found = [number for number, line in enumerate(lines, 1) if re.search(r"\{%-?\s*block\b", line)]
    return found[-1] if found else None


def _unused(
    environment: Environment,
    own: Collection[str],
    used: dict[str, TemplateFacts],
    *,
    is_whole: bool,
) -> Iterator[LintFinding]:
    """Yield the files, and the formatters of `_macros.jinja`, that nothing uses.

    If a template cannot be read (`is_whole` is False), it is unknown what it would use.
    """
    included = {file for facts in used.values() for file in facts.texts}
    if not is_whole:
        included |= {file for file in own if file.startswith("_")}
    for file in sorted(set(own) - included):
        wrong = strange_name(file, shipped_texts())
        if wrong:
            yield LintFinding(severity="error", kind="name", file=file, text=wrong)
    if MACROS not in own or not is_whole:
        return
    called = {name for facts in used.values() for name in facts.formatters}
    for name in sorted(set(environment.globals) - called):
        text = f"no template calls `{name}`"
        yield LintFinding(severity="warning", kind="unused", file=MACROS, text=text)


def _is_about(error: PromptContractError, file: str, own: Collection[str]) -> bool:
    """Return True if an edited file is at fault: the one with the error, or one including it."""
    return file in own or error.file in own
