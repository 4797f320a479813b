"""`smolville prompt eject` and `lint`: copy templates to a folder for editing; check a folder."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.agents.wording import format_count, visible_line
from smolville.cli.options import AsJson, prompts_flag
from smolville.cli.screen import say, show_view, write_json
from smolville.cli.templates import named_templates

if TYPE_CHECKING:
    from rich.console import RenderableType

    from smolville.lab.prompting.linting import LintReport
    from smolville.lab.prompting.templates import EjectResult

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
    else:
        _print_eject_result(done)


def _print_eject_result(done: "EjectResult") -> None:
    """Print what was copied, what was left as it was, and what to do next."""
    if done.written:
        say(f"Written into {done.folder}: {', '.join(done.written)}")
    if done.same:
        say(f"There already, the same: {', '.join(done.same)}", "dim")
    if done.kept:
        kept = ", ".join(done.kept)
        say(f"There already and kept as edited: {kept} (--overwrite replaces them)", "yellow")
    where = quote(done.folder)
    files = (*done.written, *done.same, *done.kept)
    steps = [name.removesuffix(".jinja") for name in files if not name.startswith("_")]
    step = next((name for name in steps if name != "repair"), "say")
    say("\nEdit them, then:")
    say(f"  smolville prompt lint {where}")
    say(f"  smolville prompt render {step} --sample --diff {where}")
    say(f"  smolville run --prompts {where}")


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


STYLES = {"error": "red", "warning": "yellow"}


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

        parts: list[RenderableType] = []
        for file, findings in groupby(self.report.findings, key=lambda each: each.file):
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_column(justify="right", min_width=4, style="dim", no_wrap=True)
            table.add_column(no_wrap=True)
            table.add_column()
            for each in findings:
                severity = Text(each.severity, style=STYLES[each.severity])
                table.add_row(str(each.line or ""), severity, visible_line(each.text))
            parts += [Text(file, style="bold"), table, Text()]
        return Group(*parts, Text(self._format_totals()))

    def _format_totals(self) -> str:
        """Return a sentence with the totals."""
        report = self.report
        files = f"{format_count(report.files, 'file')} ({report.folder})"
        if not report.findings:
            return f"{files}: nothing is wrong."
        errors, warnings = (
            format_count(report.errors, "error"),
            format_count(report.warnings, "warning"),
        )
        return f"{files}: {errors}, {warnings}."
