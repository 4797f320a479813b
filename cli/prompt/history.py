"""`smolville prompt history` and `diff`: what was tried, and how two template sets differ."""

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import RunError
from smolville.agents.wording import format_count
from smolville.cli.options import AsJson, runs_dir
from smolville.cli.prompt.render import diff_lines, show_diff
from smolville.cli.screen import say, show_view, write_json
from smolville.cli.templates import set_named, step_named

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.cli.tables import Page
    from smolville.lab.evaluation.past import BestSet, PastEvaluation
    from smolville.lab.evaluation.summary import Comparison
    from smolville.lab.styled import Text

Past = Annotated[
    str | None, typer.Argument(metavar="A", help="An evaluation, by its id or its file.")
]
Other = Annotated[
    str | None, typer.Argument(metavar="B", help="Another one, to compare the variants of both.")
]
Best = Annotated[
    str | None,
    typer.Option("--best", metavar="STEP", help="Name the best set of templates for this step."),
]
SetName = Annotated[
    str, typer.Argument(metavar="A", help="A set: a folder, `shipped`, a run, or a version.")
]
OtherSet = Annotated[str, typer.Argument(metavar="B", help="The set to compare it with.")]


def show_history(
    context: typer.Context,
    a: Past = None,
    b: Other = None,
    best: Best = None,
    as_json: AsJson = False,
) -> None:
    """List the evaluations that were made, newest first.

    With A, that evaluation is shown again; with A and B, the variants of both are compared where
    they were asked the same moments.
    """
    from smolville.lab.evaluation.differences import EvaluationView
    from smolville.lab.evaluation.past import compare_two, find_past

    runs = runs_dir(context)
    if best is not None:
        show_view(_best_page(step_named(best).name, runs), as_json=as_json)
    elif a is None:
        show_view(_history_page(runs), as_json=as_json)
    else:
        one = find_past(a, runs)
        evaluation, summary = one.evaluation, one.summary
        if b is not None:
            other = find_past(b, runs)
            evaluation, summary = compare_two(one, other)
            if one.settings != other.settings:
                say("They were asked with other settings.", "yellow", on_stderr=True)
        show_view(EvaluationView(evaluation=evaluation, summary=summary), as_json=as_json)


def _history_page(runs: Path) -> "Page":
    from smolville.cli.tables import Page
    from smolville.lab.evaluation.past import read_past
    from smolville.lab.evaluation.results import kept_files
    from smolville.lab.styled import Text

    data: list[dict[str, object]] = []
    parts: list[RenderableType] = []
    for path in kept_files(runs):
        try:
            past = read_past(path)
        except RunError as error:
            parts += [Text(str(error), "yellow"), Text()]
            continue
        comparisons = past.summary.comparisons
        parts += [*_told(past, comparisons), Text()]
        data.append(_plain(past, comparisons))
    if not parts:
        parts = [Text(f"There is no evaluation in {runs} yet: `smolville prompt eval` makes one.")]
    return Page(data, parts)


def _told(past: "PastEvaluation", comparisons: "tuple[Comparison, ...]") -> "Iterator[Text]":
    """Return an evaluation in a few lines: when, of what, which variants, and the verdicts."""
    from smolville.lab.styled import Text

    counts = Counter(past.evaluation.moments.values())
    steps = ", ".join(f"{step} {count}" for step, count in counts.items())
    moments = format_count(counts.total(), "moment")
    head = f"  {past.when:%Y-%m-%d %H:%M}  {moments} of {', '.join(past.sources)}: {steps}"
    yield Text.assemble((past.id, "bold"), head)
    verdicts = {each.variant: each for each in comparisons}
    for number, (name, own) in enumerate(zip(past.evaluation.variants, past.sets, strict=True)):
        yield Text(f"  {number + 1}  {own.told} · on {name.model}")
        if number in verdicts:
            compared = verdicts[number]
            yield Text(f"     beside {compared.against + 1}: {_in_short(compared)}", "dim")


def _in_short(comparison: "Comparison") -> str:
    """Return the measures in which a variant is better or worse, and what came of one's own."""
    from smolville.lab.evaluation.summary import COMPARED

    found = [
        f"{COMPARED.get(measure, measure)} {contrast.verdict_text}"
        for measure, contrast in comparison.contrasts.items()
        if contrast.verdict in ("better", "worse") or measure not in COMPARED
    ]
    return "; ".join(found) or "no difference that could be told apart from chance"


def _plain(past: "PastEvaluation", comparisons: "tuple[Comparison, ...]") -> dict[str, object]:
    return {
        "id": past.path.stem,
        "when": past.when.isoformat(timespec="seconds"),
        "moments_from": past.sources,
        "steps": Counter(past.evaluation.moments.values()),
        "variants": [
            {**asdict(name), "version": own.version, **asdict(own.about)}
            for name, own in zip(past.evaluation.variants, past.sets, strict=True)
        ],
        "comparisons": [each.plain() for each in comparisons],
    }


def _best_page(step: str, runs: Path) -> "Page":
    """Return the best set for a step on each model, with the command that makes a run use it."""
    from smolville.cli.tables import Page
    from smolville.lab.evaluation.past import best_sets, read_past
    from smolville.lab.evaluation.results import kept_files
    from smolville.lab.evaluation.summary import COMPARED
    from smolville.lab.moments.files import set_name
    from smolville.lab.styled import Text
    from smolville.prompts.folder import shipped_texts

    pasts = []
    for path in kept_files(runs):
        with suppress(RunError):
            pasts.append(read_past(path))
    data: list[dict[str, object]] = []
    parts: list[RenderableType] = []
    for best in best_sets(step, pasts, set_name(shipped_texts())):
        found, base = best.found, best.base
        row: dict[str, object] = {"step": step, "model": best.model, "tried": best.tried}
        if found is None or best.contrast is None:
            tried = format_count(best.tried, "other set")
            none = f"no set is better than {base.name} beyond chance; {tried} tried."
            parts.append(Text(f"{step} on {best.model}: {none}"))
            data.append({**row, "best": None})
            continue
        contrast, measure = best.contrast, COMPARED.get(best.measure, best.measure)
        answers = format_count(contrast.pairs, "answer")
        told = f"  {measure}: {contrast.verdict_text} than {base.name}, in {answers} of both"
        parts += [Text(f"{step} on {best.model}: {found.told}"), Text(told)]
        use = _command(best, runs)
        parts.append(Text(f"  {use}", "bold"))
        data.append({**row, "best": found.name, "version": found.version, "command": use})
    return Page(data, parts)


def _command(best: "BestSet", runs: Path) -> str:
    """Return the command that makes a run use a set, even if its folder was edited since."""
    from smolville.lab.prompting.sets import find_set
    from smolville.prompts.errors import PromptError
    from smolville.prompts.folder import find_template_folder

    assert best.found is not None
    name, version = best.found.name, best.found.version
    with suppress(PromptError, RunError):
        find_template_folder(Path(name))
        if find_set(name, runs).version == version:
            return shlex.join(["smolville", "run", "--prompts", name, "--model", best.model])
    copy = f"smolville prompt eject best-{version} --from {version}"
    return f"{copy} && smolville run --prompts best-{version} --model {shlex.quote(best.model)}"


def diff_prompts(
    context: typer.Context,
    a: SetName,
    b: OtherSet,
    step: Annotated[
        str | None, typer.Argument(metavar="STEP", help="Only what this step's prompt is made of.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what differs between two sets of templates, file by file.

    A set is a folder, `shipped`, a run, or a version as `smolville prompt history` lists it.
    """
    from smolville.prompts.prompt import TemplateSet

    one, other = set_named(context, a), set_named(context, b)
    names = {*one.texts, *other.texts}
    if step is not None:
        asked = step_named(step)
        names = {
            name
            for each in (one, other)
            for name in TemplateSet(each.texts).prompt(asked).facts.texts
        }
    texts = ((name, one.texts.get(name, ""), other.texts.get(name, "")) for name in sorted(names))
    diffs = {
        name: diff_lines(before.splitlines(), after.splitlines())
        for name, before, after in texts
        if before != after
    }
    if as_json:
        a_plain, b_plain = (
            {"name": each.name, "version": each.version, **asdict(each.about)}
            for each in (one, other)
        )
        write_json({"a": a_plain, "b": b_plain, "files": diffs})
        return
    for each in (one, other):
        say(each.told, "dim")
    for name, lines in diffs.items():
        say(f"\n{name}", "bold")
        show_diff(lines)
    if not diffs:
        say("They are the same, to the letter.")
