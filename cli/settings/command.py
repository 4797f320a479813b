"""`smolville settings`: every setting with its origin, or an example settings file."""

import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smolville.cli.options import AsJson, prompts_flag, settings_file
from smolville.cli.screen import show_view, write

if TYPE_CHECKING:
    from rich.table import Table

    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.cli.settings.layers import Origin

Example = Annotated[
    bool, typer.Option("--example", help="Print a commented settings file with the defaults.")
]


def settings(context: typer.Context, example: Example = False, as_json: AsJson = False) -> None:
    """Show every setting, its value and where it came from.

    A flag overrides a variable (SMOLVILLE_SEED=7), a variable overrides a line in `.env`, and that
    overrides smolville.toml, or the file that --settings FILE or SMOLVILLE_SETTINGS names. Keys
    are never shown.
    """
    if example:
        write(example_file())
        return
    from smolville.cli.settings.choosing import choose

    chosen = choose({"prompts": prompts_flag(context)}, settings_file(context))
    show_view(SettingsView(chosen), as_json=as_json)


UNSET = "not set"
FAST = "fast."
"""Prefix of rows of settings with another value for the fast tier's model."""


@dataclass(frozen=True)
class SettingsView:
    """A view of all settings with their origins."""

    chosen: "ResolvedSettings"

    def plain(self) -> object:
        """Return each setting's value and origin; for a key only whether it is set."""
        return {
            name: {"value": value, "from": str(self._origin(name))} for name, value in self._rows()
        }

    def render(self) -> "Table":
        """Return a table of the settings."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
        table.add_column("setting", no_wrap=True)
        table.add_column("value", overflow="fold")
        table.add_column("from", overflow="fold")
        for name, value in self._rows():
            origin = self._origin(name)
            style = "dim" if origin.kind == "default" else None
            table.add_row(name, _in_words(name, value), str(origin), style=style)
        return table

    def _origin(self, name: str) -> "Origin":
        """Return where the value of a row came from."""
        if name.startswith(FAST):
            return self.chosen.of_fast[name.removeprefix(FAST)][1]
        return self.chosen.origin(name)

    def _rows(self) -> list[tuple[str, Any]]:
        """Return every setting's name and its plain value."""
        from smolville.cli.settings.keys import SettingValues
        from smolville.cli.settings.readings import is_secret

        tables = {"steps", "profiles"}
        plain = self.chosen.values.model_dump(mode="json", exclude=tables)
        rows: list[tuple[str, Any]] = []
        for name in SettingValues.model_fields:
            if is_secret(name):
                rows.append((name, "set" if plain[name] is not None else UNSET))
            elif name not in tables:
                rows.append((name, plain[name]))
        for step, changed in sorted(self.chosen.values.steps.items()):
            for name, value in changed.model_dump(exclude_none=True).items():
                rows.append((f"steps.{step}.{name}", value))
        rows += [(f"{FAST}{name}", value) for name, (value, _) in self.chosen.of_fast.items()]
        return rows


def _in_words(name: str, value: Any) -> str:
    """Return a value as text for the table."""
    from smolville.cli.settings.readings import is_secret

    if is_secret(name) or isinstance(value, str):
        return str(value)
    if value is None:
        return "·"
    return in_toml(value)


HEAD = """\
# Smolville's settings. Save this as smolville.toml in the folder in which you work.
#
# A flag comes before a variable (SMOLVILLE_SEED=7), a variable before a line in a file `.env`, and
# that before this file. `smolville settings` shows every setting and where it came from. What
# stands behind a single # has no default: take the # away to use it. A model's profile, the last
# table, comes after everything else.
"""
STEP = "say"


def example_file() -> str:
    """Return the text of a `smolville.toml` that changes nothing."""
    from smolville.cli.settings.keys import SettingValues, find_setting_help

    parts = [HEAD]
    for name, declared in SettingValues.model_fields.items():
        if name in ("steps", "profiles"):
            continue
        what = find_setting_help(name)
        default = declared.get_default(call_default_factory=True)
        line = f"# {name} = {what.example}" if default is None else f"{name} = {in_toml(default)}"
        parts.append(f"{_comment(f'{what.about} Write {what.allowed}.')}\n{line}\n")
    return "\n".join([*parts, _steps(), _profile()])


def in_toml(value: object) -> str:
    """Return a plain value in TOML syntax."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, int) or value == int(value) else repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(in_toml(each) for each in value)}]"
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


def _steps() -> str:
    """Return the part of the file that shows how to change the settings of one step."""
    from smolville.cli.settings.keys import find_setting_help
    from smolville.cli.settings.readings import StepValues

    lines = [
        _comment(f"{find_setting_help('steps').about} Here the step {STEP!r}; each has a table."),
        "",
    ]
    examples = {"tier": "strong", "temperature": 0.9, "max_tokens": 300}
    lines[-1] = f"# [steps.{STEP}]"
    for name in StepValues.model_fields:
        what = find_setting_help(name, StepValues)
        lines.append(f"# {name} = {in_toml(examples[name])}  # {what.allowed}")
    return "\n".join(lines) + "\n"


def _profile() -> str:
    """Return the part of the file that shows a model's profile."""
    from smolville.cli.settings.keys import find_setting_help

    values = {"anchors": "on", "examples": 1, "constrain": "auto", "repairs": 3}
    about = f"{find_setting_help('profiles').about} `smolville doctor --write` writes them."
    lines = [_comment(about), '# [profiles."ollama:qwen2.5:3b"]']
    for name, value in values.items():
        lines.append(f"# {name} = {in_toml(value)}  # {find_setting_help(name).allowed}")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """Return a text as lines that begin with `##`, which stay comments if one `#` is removed."""
    return textwrap.fill(text, 92, initial_indent="## ", subsequent_indent="## ")
