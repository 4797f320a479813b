"""`smolville prompt list`, `show`, `eject` and `lint`: look at templates, copy and check them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.wording import format_count, visible_line
from smolville.cli.options import AsJson, prompts_flag, runs_dir
from smolville.cli.screen import console, say, show_view, write_json
from smolville.cli.templates import StepName, named_templates, step_named

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.prompting.linting import LintReport
    from smolville.lab.prompting.template_view import AnswerField, InputField, TemplateView
    from smolville.lab.prompting.templates import TemplateRow
    from smolville.lab.styled import Text

Target = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="The folder to copy to; it is created if it is missing."),
]
Steps = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STEP...", help="Only these steps, with the templates that they include."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")]
Folder = Annotated[
    Path | None,
    typer.Argument(metavar="DIR", help="A folder of templates; the shipped ones by default."),
]
Context = Annotated[
    int | None,
    typer.Option(
        "--num-ctx", metavar="TOKENS", min=256, help="The model's context size; 8192 by default."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 for warnings too.")]

SIZES = "Beneath: hash, variables. Sizes in tokens, estimated."
HEADINGS = (
    *("step", "tier", "stable", "volatile"),
    *("uses", "clean", "mended", "repaired", "fallback", "odd"),
)
WORDS = 2
"""Number of columns that hold words; the others hold numbers."""
ALIASES = 4
"""Maximum number of a field's other names shown."""
STYLES = {"error": "red", "warning": "yellow"}


def list_prompts(context: typer.Context, as_json: AsJson = False) -> None:
    """List the templates: their variables, sizes, and results.

    Sizes are estimated token counts of the sample prompt in two parts: the beginning, which is the
    same for every agent and can be served from a server's cache, and the rest. Shares are counted
    over the latest runs that used exactly this template.
    """
    from smolville.lab.prompting.templates import list_templates

    texts, _ = named_templates(context)
    show_view(ListView(list_templates(runs_dir(context), texts)), as_json=as_json)


@dataclass(frozen=True)
class ListView:
    """All templates."""

    rows: "list[TemplateRow]"

    def plain(self) -> object:
        """Return a list with an object per template."""
        return [row.plain() for row in self.rows]

    def render(self) -> "RenderableType":
        """Return the table."""
        from rich.console import Group
        from rich.padding import Padding

        from smolville.lab.prompting.templates import RUNS
        from smolville.lab.styled import Text

        cells = [_cells(row) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *cells, strict=True)]
        parts: list[RenderableType] = [_line(HEADINGS, widths, "bold")]
        for row, words in zip(self.rows, cells, strict=True):
            beneath = Text(f"{row.version}  {' '.join(row.variables)}", style="dim")
            parts += [_line(words, widths, ""), Padding(beneath, (0, 0, 0, 2), expand=False)]
        counted = max((row.runs for row in self.rows), default=0)
        note = "No run has asked with these templates yet."
        if counted:
            latest = "the latest run" if counted == 1 else f"the latest {counted} runs"
            note = (
                f"Shares of {latest} with the very template (at most {RUNS}); repaired counts what "
                "the strong model put right too."
            )
        return Group(*parts, Text(), Text(f"{SIZES} {note}", style="dim"))


def _cells(row: "TemplateRow") -> tuple[str, ...]:
    """Return the cells of a template's row."""
    shares = (
        row.share("clean"),
        row.share("mended"),
        row.share("repaired", "escalated"),
        row.share("fallback"),
        row.odd / row.uses if row.uses else None,
    )
    return (
        *(row.step, row.tier, str(row.stable), str(row.volatile)),
        str(row.uses or ""),
        *("" if share is None else f"{share:.0%}" for share in shares),
    )


def _line(cells: tuple[str, ...], widths: list[int], style: str) -> "Text":
    from smolville.lab.styled import Text

    columns = [
        cell.ljust(width) if number < WORDS else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return Text(" ".join(columns).rstrip(), style=style, no_wrap=True)


def show_prompt(context: typer.Context, step: StepName, as_json: AsJson = False) -> None:
    """Show a template, its variables, and what its answer may be.

    Includes its partials, the input model, the format instructions it shows, the answer model, and
    the sentences that a model is told when its answer is wrong.
    """
    from smolville.lab.prompting.template_view import show_step

    texts, _ = named_templates(context)
    show_view(ShowView(show_step(step_named(step), texts)), as_json=as_json)


@dataclass(frozen=True)
class ShowView:
    """One step's template."""

    shown: "TemplateView"

    def plain(self) -> object:
        """Return everything as plain data."""
        return self.shown.plain()

    def render(self) -> "RenderableType":
        """Return the template, its variables and its answer, as printed."""
        from rich.console import Group

        from smolville.lab.styled import Text

        shown = self.shown
        sheds = f" · leaves out of {', '.join(shown.sheds)} first" if shown.sheds else ""
        how = (
            f"{shown.tier} tier · temperature {shown.temperature:g} · "
            f"at most {shown.max_tokens} tokens{sheds}"
        )
        # One sentence per kind of fault; the JSON output has one per field, too.
        faults = {each.kind: each.sentence for each in reversed(shown.messages)}
        kinds = dict.fromkeys(each.kind for each in shown.messages)
        sections: list[tuple[str, RenderableType]] = [
            *((name, _source(text)) for name, text in shown.files.items()),
            *((f"{name} (of _macros.jinja)", _source(t)) for name, t in shown.formatters.items()),
            (f"{shown.input_model}: its variables", _inputs(shown.variables)),
            *((f"{card}: what each has", _inputs(fields)) for card, fields in shown.cards.items()),
            ("{{ format }}: written from the answer", _source(shown.instructions)),
            (f"{shown.answer_model}: what is answered", _grid(map(_answer_row, shown.fields))),
            ("What the model is told when it is wrong", _grid((k, faults[k]) for k in kinds)),
            ("When nothing helps, the fallback", Text(shown.fallback)),
        ]
        parts: list[RenderableType] = [
            Text.assemble((shown.step, "bold"), (f" · {shown.version} · {how}", "dim"))
        ]
        for title, content in sections:
            parts += [Text(f"\n{title}", style="bold cyan"), content]
        return Group(*parts)


def _source(text: str) -> "RenderableType":
    """Return a template with coloured tags; without a terminal, its lines are not wrapped."""
    from smolville.cli.prompt.render import spelled_out
    from smolville.lab.styled import Text

    whole = spelled_out(text.rstrip("\n"))
    styled = Text(whole, no_wrap=not console().is_terminal, overflow="ignore")
    styled.highlight_regex(r"\{#.*?#\}", "dim")
    styled.highlight_regex(r"\{%.*?%\}", "magenta")
    styled.highlight_regex(r"\{\{.*?\}\}", "green")
    return styled


def _answer_row(field: "AnswerField") -> tuple[str, str, str]:
    """Return an answer field with its meaning, whether it is optional, and its other names."""
    parts = [field.meaning] if field.meaning else []
    if not field.is_required:
        parts.append("may be left out")
    if field.aliases:
        parts.append(f"also read from {', '.join(field.aliases[:ALIASES])}")
    return field.path, field.rule, "; ".join(parts)


def _inputs(fields: "Iterable[InputField]") -> "RenderableType":
    return _grid((field.name, field.type, field.meaning) for field in fields)


def _grid(rows: Iterable[tuple[str, ...]]) -> "RenderableType":
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def eject_prompts(
    context: typer.Context,
    folder: Target,
    steps: Steps = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Copy templates out for editing.

    Only the files in the folder replace the shipped ones: delete those that you do not change, so
    that they follow updates of the program. STEP may also be repair, _who, _examples or _macros.
    """
    from smolville.lab.prompting.templates import eject

    texts, _ = named_templates(context)
    done = eject(folder, steps or [], texts, overwrite=overwrite)
    if as_json:
        write_json(done.plain())
        return
    if done.written:
        say(f"Written into {done.folder}: {', '.join(done.written)}")
    if done.same:
        say(f"There already, the same: {', '.join(done.same)}", "dim")
    if done.kept:
        kept = ", ".join(done.kept)
        say(f"There already and kept as edited: {kept} (--overwrite replaces them)", "yellow")
    where = quote(done.folder)
    files = (*done.written, *done.same, *done.kept)
    names = [name.removesuffix(".jinja") for name in files if not name.startswith("_")]
    step = next((name for name in names if name != "repair"), "say")
    say("\nEdit them, then:")
    say(f"  smolville prompt lint {where}")
    say(f"  smolville prompt render {step} --sample --diff {where}")
    say(f"  smolville run --prompts {where}")


def lint_prompts(
    context: typer.Context,
    folder: Folder = None,
    num_ctx: Context = None,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """List everything that is wrong with templates.

    A template with an error cannot be used; one with a warning can, but works less well. Exits with
    1 when there is an error.
    """
    from smolville.lab.prompting.linting import NUM_CTX, lint_folder

    report = lint_folder(folder or prompts_flag(context), num_ctx or NUM_CTX)
    show_view(LintView(report), as_json=as_json)
    if report.errors or (strict and report.warnings):
        raise typer.Exit(1)


@dataclass(frozen=True)
class LintView:
    """Problems of the templates in a folder."""

    report: "LintReport"

    def plain(self) -> object:
        """Return the report as plain data."""
        return self.report.plain()

    def render(self) -> "RenderableType":
        """Return a table per file, and the totals."""
        from rich.console import Group
        from rich.table import Table

        from smolville.lab.styled import Text

        report = self.report
        parts: list[RenderableType] = []
        for file, findings in groupby(report.findings, key=lambda each: each.file):
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_column(justify="right", min_width=4, style="dim", no_wrap=True)
            table.add_column(no_wrap=True)
            table.add_column()
            for each in findings:
                severity = Text(each.severity, style=STYLES[each.severity])
                table.add_row(str(each.line or ""), severity, visible_line(each.text))
            parts += [Text(file, style="bold"), table, Text()]
        errors = format_count(report.errors, "error")
        told = f"{errors}, {format_count(report.warnings, 'warning')}."
        files = f"{format_count(report.files, 'file')} ({report.folder})"
        return Group(*parts, Text(f"{files}: {told if report.findings else 'nothing is wrong.'}"))
