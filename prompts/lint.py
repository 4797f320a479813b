"""A linter that finds all faults of a folder of templates, not only the first one.

The code that refuses a template (`prompts.contract`) also reports its findings here; this file runs
it on every file, and adds checks of style and of the order of variables. A server keeps the tokens
of the last prompts and reads again only what follows the first difference, so what stays the same
for longest must come first.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from jinja2 import Environment, TemplateSyntaxError, meta, nodes

from smolville.prompts.contract import (
    FAULTS,
    FORMATS,
    PROMPT,
    BoundTemplate,
    LintFinding,
    contract_faults,
)
from smolville.prompts.environment import MACROS, open_environment
from smolville.prompts.errors import PromptContractError
from smolville.prompts.examples import BOUND_EXAMPLES
from smolville.prompts.facts import TemplateFacts, read_facts
from smolville.prompts.folder import Texts, shipped_texts, strange_name
from smolville.prompts.repair import BOUND_REPAIR

STABILITY: tuple[frozenset[str], ...] = (
    frozenset(FORMATS),
    frozenset({"me", "town", "title"}),
    frozenset({"date", "dates", "requirement", "usual", "wakes", "weather", "goal"}),
    frozenset(
        {"place", "places", "others", "relationship", "feeling", "doing", "until"}
        | {"plan", "stands", "wants", "here", "deeds"}
    ),
)
"""Sets of variables by how long they stay the same: for ever, for one agent, for a day, for some
calls of one agent. All other variables are new in every call."""
_COMMENT = re.compile(r"\{#.+#\}")


def sorted_findings(found: Iterable[LintFinding]) -> list[LintFinding]:
    """Return findings by file and line, without duplicates."""
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda each: (each.file, each.line or 0, each.severity, each.text))


def lint(texts: Texts, own: Collection[str], bound: Sequence[BoundTemplate]) -> list[LintFinding]:
    """Return the faults of the files `own` in a set of templates, ordered by file and line.

    `bound` are the steps' templates. A file outside of `own` is only reported if a file in `own`
    breaks it, for example by removing a formatter that it calls.
    """
    return sorted_findings(_findings(texts, own, [*bound, BOUND_REPAIR, BOUND_EXAMPLES]))


def _findings(
    texts: Texts, own: Collection[str], bound: Sequence[BoundTemplate]
) -> Iterator[LintFinding]:
    for file in sorted(own):
        yield from _style(file, texts[file], is_step=file in {each.file for each in bound})
    try:
        environment = open_environment(texts)
    except PromptContractError as error:
        yield _of_error(error, MACROS)
        environment = open_environment({**texts, MACROS: shipped_texts()[MACROS]})
    included: set[str] = set()
    for each in bound:
        try:
            facts = _facts_of(environment, each.file)
        except PromptContractError as error:
            included |= {file for file in own if file.startswith("_")}
            if {each.file, error.file} & {*own}:
                yield _of_error(error, each.file)
            continue
        included |= facts.texts.keys()
        if (facts.texts.keys() | {MACROS}) & {*own}:
            yield from contract_faults(each, facts, environment.globals)
            yield from _prompt_faults(each, facts, environment)
    wrong = {file: strange_name(file, shipped_texts()) for file in sorted({*own} - included)}
    for file in filter(wrong.get, wrong):
        yield LintFinding(severity="error", kind="name", file=file, text=wrong[file])


def _facts_of(environment: Environment, file: str) -> TemplateFacts:
    try:
        return read_facts(environment, file)
    except PromptContractError:
        raise
    except FAULTS as error:
        raise PromptContractError.at(file, None, str(error)) from error


def _of_error(error: PromptContractError, file: str) -> LintFinding:
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

    def warn(line: int | None, what: str) -> LintFinding:
        return LintFinding(severity="warning", kind="style", file=file, line=line, text=what)

    if "\r" in text:
        yield warn(None, "its lines end as on Windows (CR LF); they should end with LF")
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield warn(number, "blanks at the end of the line, which the model gets too")
        if "\t" in line.rstrip():
            yield warn(number, "a tab, which the model gets too; blanks are meant")
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        yield warn(len(lines), "the file should end with exactly one end of line")
    if is_step and not _COMMENT.fullmatch(lines[0].strip()):
        yield warn(1, "the first line should be a comment, {# ... #}, that says what is decided")


def _prompt_faults(
    bound: BoundTemplate, facts: TemplateFacts, environment: Environment
) -> Iterator[LintFinding]:
    if bound.blocks != PROMPT:
        return
    shown = FORMATS.keys() & facts.variables
    if not shown:
        text = "nothing shows `format`: the model is not told how to write its answer"
        yield LintFinding(severity="warning", kind="format", file=bound.file, text=text)
    elif "format" not in shown and (line := _line_with("JSON", facts.texts[bound.file])):
        text = f"it speaks of JSON, and `{min(shown)}` asks for none"
        yield LintFinding(severity="warning", kind="format", file=bound.file, line=line, text=text)
    for variable, after, line in find_misplaced(environment, bound.file):
        if {variable, after} <= {*bound.fields, *FORMATS}:
            text = (
                f"`{variable}` stands behind `{after}`, which changes more often; put it first, so "
                "that a server's prefix cache serves it"
            )
            yield LintFinding(
                severity="warning", kind="order", file=bound.file, line=line, text=text
            )


def _line_with(word: str, text: str) -> int | None:
    return next((at for at, line in enumerate(text.splitlines(), 1) if word in line), None)


def find_misplaced(environment: Environment, file: str) -> list[tuple[str, str, int]]:
    """Return each variable that is shown too late, the one before it, and its line.

    Raises PromptContractError if a file is unreadable.
    """
    facts = read_facts(environment, file)
    found: list[tuple[str, str, int]] = []
    latest, highest = "", 0
    seen: set[str] = set()
    for block in _tree(environment, file).find_all(nodes.Block):
        for name, line in _names(environment, block, {file}):
            if name in seen or name not in facts.variables:
                continue
            seen.add(name)
            rank = next((at for at, names in enumerate(STABILITY) if name in names), len(STABILITY))
            if rank < highest:
                found.append((name, latest, line))
            elif rank > highest:
                latest, highest = name, rank
    return found


def _names(environment: Environment, tree: nodes.Node, seen: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the variables below a node; those of a partial count at the place of its include."""
    for node in tree.find_all((nodes.Name, nodes.Include)):
        if isinstance(node, nodes.Name):
            yield node.name, node.lineno
            continue
        for partial in meta.find_referenced_templates(nodes.Template([node])):
            if partial is not None and partial not in seen:
                inner = _names(environment, _tree(environment, partial), {*seen, partial})
                yield from ((name, node.lineno) for name, _ in inner)


def _tree(environment: Environment, file: str) -> nodes.Template:
    assert environment.loader is not None
    return environment.parse(environment.loader.get_source(environment, file)[0], file)
