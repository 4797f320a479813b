"""Command groups such as `smolville prompt`."""

import typer

from cli.screen import write


def group(help_text: str, epilog: str) -> typer.Typer:
    """Return an empty command group; called without a command, it prints its help."""
    made = typer.Typer(
        invoke_without_command=True,
        rich_markup_mode=None,
        context_settings={"max_content_width": 100},
        help=help_text,
        epilog=epilog,
    )

    @made.callback()
    def explain(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            write(context.get_help(), on_stderr=True)
            raise typer.Exit(2)

    return made
