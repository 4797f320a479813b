"""`smolville export`: the commands that write a run for other programs."""

import typer

from cli.exporting.moments import export_moments

export = typer.Typer(
    invoke_without_command=True,
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},
    help="Write what a run holds for other programs.",
    epilog="Begin with: smolville export moments RUN --format jsonl",
)


@export.callback()
def _export(context: typer.Context) -> None:
    """Explain the group where no command is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


export.command("moments")(export_moments)
