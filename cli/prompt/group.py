"""`smolville prompt`: the commands about templates, in the order in which they are listed."""

import typer

from cli.prompt.eject import eject_prompts
from cli.prompt.eval_ import eval_prompts
from cli.prompt.lint import lint_prompts
from cli.prompt.list import list_prompts
from cli.prompt.render import render_prompt
from cli.prompt.show import show_prompt
from cli.prompt.try_ import try_prompt

prompt = typer.Typer(
    invoke_without_command=True,
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},
    help="Look at templates, change them, try and measure them.",
    epilog="Begin with: smolville prompt list",
)


@prompt.callback()
def _prompt(context: typer.Context) -> None:
    """Explain the group where no command is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


prompt.command("list")(list_prompts)
prompt.command("show")(show_prompt)
prompt.command("render")(render_prompt)
prompt.command("lint")(lint_prompts)
prompt.command("eject")(eject_prompts)
prompt.command("try")(try_prompt)
prompt.command("eval")(eval_prompts)
