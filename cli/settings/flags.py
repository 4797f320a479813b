"""Flags of `smolville run` that follow from the settings.

The settings are loaded only when the command itself is asked for, not for the list of commands.
"""

import inspect
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from smolville.cli.options import only_model

SAID = "smolville.settings"
"""Key of the given flags in a command's `meta`."""


class SettingsCommand(TyperCommand):
    """A command with a flag for each setting that has one, and with help in sections."""

    def get_params(self, ctx: Any) -> Any:
        """Return the command's own parameters, and those of the settings before `--help`."""
        *own, last = super().get_params(ctx)
        return [*own, *_flags(), last]

    def invoke(self, ctx: Any) -> Any:
        """Invoke the command; the flags of settings are in `context.meta[SAID]`."""
        ctx.meta[SAID] = {}
        for option in _flags():
            value = ctx.params.pop(option.name)
            if option.multiple and option.name != "model":
                value = only_model(option.opts[0], value)
            if value not in (None, (), []):
                ctx.meta[SAID][option.name] = value
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters, grouped by section."""
        from smolville.cli.settings.values import SECTIONS

        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS.values()}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                title = getattr(param, "rich_help_panel", None) or "This run"
                sections.setdefault(title, []).append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@cache
def _flags() -> list[Any]:
    """Return an option for each setting that has a flag."""
    from smolville.cli.settings.values import SECTIONS, SETTINGS, TRUTH

    parameters, section = [], ""
    for name, told in SETTINGS.items():
        section = SECTIONS.get(name, section)
        if not told.flag:
            continue
        option = typer.Option(
            f"--{name.replace('_', '-')}",
            metavar=None if told.flag == TRUTH else told.flag,
            help=told.about,
            rich_help_panel=section,
        )
        kind: Any = bool if told.flag == TRUTH else list[str] if told.flag == "SPEC" else str
        annotation = Annotated[kind | None, option]
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
            )
        )

    def flags(**given: Any) -> None:
        """Stand for a command with these options."""

    flags.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flags.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(flags)
    return list(typer.main.get_command(app).params)
