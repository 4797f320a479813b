"""`smolville prompt show`, `eject` and `lint`: look at templates, copy and check them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.errors import SettingError
from smolville.agents.wording import format_count, visible_line
from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.prompt.render import spelled_out
from smolville.cli.screen import console, say, show_view
from smolville.cli.templates import named_templates, set_named, step_named

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.cli.tables import Page
    from smolville.lab.prompting.catalogue import TemplateRow, TemplateView
    from smolville.lab.prompting.linting import LintReport


BEYOND = (
    "What no template decides, and where that is decided: docs/guides/prompts.md, Beyond templates"
)


def show_prompt(
    context: typer.Context,
    step: Annotated[
        str | None,
        typer.Argument(metavar="STEP", help="A step's name; without it, all are listed."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the templates with their sizes, or show one with its variables.

    Of a STEP it shows the template with its partials, the inputs, and the description of the answer
    that it shows. Sizes are estimated tokens of the sample prompt: the beginning, which is the same
    for every agent and can be served from a server's cache, and the rest.
    """
    from smolville.lab.prompting.catalogue import list_templates, show_step

    texts, _ = named_templates(context)
    if step is None:
        show_view(_list_page(list_templates(texts)), as_json=as_json)
    else:
        show_view(_step_page(show_step(step_named(step), texts)), as_json=as_json)


def _list_page(rows: "Sequence[TemplateRow]") -> "Page":
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text, plain_table

    cells: list[tuple[Text | str, ...]] = []
    for row in rows:
        told = (f"  {row.version}  {' '.join(row.variables)}", "dim")
        name = Text.assemble(row.step, "\n", told)
        cells.append((name, row.tier, str(row.tokens)))
    table = plain_table(("step", "tier", "tokens"), cells)
    return Page([asdict(row) for row in rows], [table])


def _step_page(shown: "TemplateView") -> "Page":
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text

    sheds = f" · leaves out of {', '.join(shown.sheds)} first" if shown.sheds else ""
    how = (
        f"{shown.tier} tier · temperature {shown.temperature:g} · "
        f"at most {shown.max_tokens} tokens{sheds}"
    )
    sections: list[tuple[str, RenderableType]] = [
        *((name, _source(text)) for name, text in shown.files.items()),
        *((kind, _grid(fields)) for kind, fields in shown.inputs.items()),
        ("{{ format }}: written from the answer", _source(shown.instructions)),
        ("When nothing helps, the fallback", Text(shown.fallback)),
    ]
    parts: list[RenderableType] = [
        Text.assemble((shown.step, "bold"), (f" · {shown.version} · {how}", "dim"))
    ]
    for title, content in sections:
        parts += [Text(f"\n{title}", style="bold cyan"), content]
    parts.append(Text(f"\n{BEYOND}", style="dim"))
    return Page(shown.plain(), parts)


def _source(text: str) -> "RenderableType":
    """Return a template with coloured tags; without a terminal, its lines are not wrapped."""
    from smolville.lab.styled import Text

    whole = spelled_out(text.rstrip("\n"))
    styled = Text(whole, no_wrap=not console().is_terminal, overflow="ignore")
    styled.highlight_regex(r"\{#.*?#\}", "dim")
    styled.highlight_regex(r"\{%.*?%\}", "magenta")
    styled.highlight_regex(r"\{\{.*?\}\}", "green")
    return styled


def _grid(rows: Iterable[tuple[str, ...]]) -> "Table":
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def eject_prompts(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="The folder to copy to; created if it is missing."),
    ],
    steps: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STEP...", help="Only these steps, with the templates that they include."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SET",
            help="Copy from a run, a folder or a version in `smolville prompt history`; without "
            "STEP, what is not as shipped.",
        ),
    ] = None,
    note: Annotated[
        str, typer.Option(metavar="TEXT", help="What you want with them; kept in DIR/set.toml.")
    ] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Copy templates out for editing.

    Only the files in the folder replace the shipped ones: delete those that you do not change, so
    that they follow updates of the program. STEP may also be repair, _who, _examples or _macros.
    DIR/set.toml keeps the note and what they were copied from.
    """
    from smolville.lab.prompting.catalogue import eject
    from smolville.lab.prompting.sets import SetNote, write_note
    from smolville.prompts.folder import not_as_shipped

    chosen = set_named(context, source or str(settings_of(context).values.prompts or "shipped"))
    names = steps or (not_as_shipped(chosen.texts) if source else ())
    if source and not names:
        raise SettingError(f"{source} has the shipped templates; name the steps to copy.")
    written, kept = eject(folder, names, chosen.texts, overwrite=overwrite)
    about = SetNote(note=note, parent=chosen.name, parent_version=chosen.version)
    write_note(folder, about, overwrite=overwrite)
    if written:
        say(f"Written into {folder}: {', '.join(written)}")
    if kept:
        say(f"Kept as edited: {', '.join(kept)} (--overwrite replaces them)", "yellow")
    where, step = quote(str(folder)), steps[0] if steps else "say"
    say("\nEdit them, then:")
    say(f"  smolville prompt lint {where}")
    say(f"  smolville prompt render {step} --diff {where}")
    say(f"  smolville run --prompts {where}")


def lint_prompts(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="A folder of templates; the shipped ones by default."),
    ] = None,
    num_ctx: Annotated[
        int | None,
        typer.Option(metavar="TOKENS", min=256, help="The model's context size; 8192 by default."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List everything that is wrong with templates.

    A template with an error cannot be used; one with a warning can, but works less well. Exits with
    1 when there is an error.
    """
    from smolville.lab.prompting.linting import NUM_CTX, lint_folder

    report = lint_folder(folder or prompts_flag(context), num_ctx or NUM_CTX)
    show_view(_lint_page(report), as_json=as_json)
    if report.errors:
        raise typer.Exit(1)


def _lint_page(report: "LintReport") -> "Page":
    from smolville.cli.tables import Page
    from smolville.lab.styled import Text

    counts = {"errors": report.errors, "warnings": report.warnings}
    findings = [each.plain() for each in report.findings]
    about = {"note": report.about.note, "parent": report.about.parent}
    data = {"folder": report.folder, **about, "files": report.files, **counts, "findings": findings}
    parts: list[RenderableType] = []
    for file, found in groupby(report.findings, key=lambda each: each.file):
        rows = ((str(each.line or ""), each.severity, visible_line(each.text)) for each in found)
        parts += [Text(file, style="bold"), _grid(rows), Text()]
    errors = format_count(report.errors, "error")
    told = f"{errors}, {format_count(report.warnings, 'warning')}."
    files = f"{format_count(report.files, 'file')} ({report.folder})"
    parts.append(Text(f"{files}: {told if report.findings else 'nothing is wrong.'}"))
    if report.about.told:
        parts.append(Text(report.about.told, style="dim"))
    return Page(data, parts)
