"""`smolville prompt lint`: list everything that is wrong with a folder of templates."""

from pathlib import Path
from typing import Annotated

import typer

from cli.options import AsJson

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

    A template with an error is refused when it is used; with a warning it works, but worse. Exits
    with 1 when there is an error.
    """
    from cli.options import prompts_flag
    from cli.prompt.linted import LintView
    from cli.screen import present
    from lab.prompting.linting import NUM_CTX, lint_folder

    report = lint_folder(folder or prompts_flag(context), num_ctx or NUM_CTX)
    present(LintView(report), as_json=as_json)
    if report.errors or (strict and report.warnings):
        raise typer.Exit(1)
