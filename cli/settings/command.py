"""The command `smolville settings` and its options."""

from typing import Annotated

import typer

from cli.options import AsJson, prompts_flag, settings_file

Example = Annotated[
    bool, typer.Option("--example", help="Print a commented settings file with the defaults.")
]


def settings(context: typer.Context, example: Example = False, as_json: AsJson = False) -> None:
    """Show every setting, its value and where it came from.

    A flag overrides a variable (SMOLVILLE_SEED=7), a variable overrides a line in `.env`, and that
    overrides smolville.toml, or the file that --settings FILE or SMOLVILLE_SETTINGS names. Keys
    are never shown.
    """
    from cli.screen import present, write

    if example:
        from cli.settings.example import example as written

        write(written())
        return
    from cli.settings.choosing import choose
    from cli.settings.view import SettingsView

    chosen = choose({"prompts": prompts_flag(context)}, settings_file(context))
    present(SettingsView(chosen), as_json=as_json)
