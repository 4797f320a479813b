"""`smolville settings`: every setting with its origin, or an example settings file."""

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smolville.cli.options import AsJson, prompts_flag, settings_of
from smolville.cli.screen import show_view, write

if TYPE_CHECKING:
    from smolville.cli.settings.choosing import ResolvedSettings
    from smolville.cli.tables import Page

Example = Annotated[
    bool, typer.Option("--example", help="Print a commented settings file with the defaults.")
]


def settings(context: typer.Context, example: Example = False, as_json: AsJson = False) -> None:
    """Show every setting, its value and where it came from.

    A flag overrides a variable (SMOLVILLE_SEED=7), a variable overrides a line in `.env`, and that
    overrides smolville.toml, or the file that --settings FILE or SMOLVILLE_SETTINGS names. Keys
    are never shown. What each setting does: smolville settings --example.
    """
    if example:
        write(example_file())
        return
    chosen = settings_of(context, {"prompts": prompts_flag(context)})
    show_view(_page(chosen), as_json=as_json)


def _page(chosen: "ResolvedSettings") -> "Page":
    """Return each setting's value and origin, in sections; for a key only whether it is set."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from smolville.cli.settings.values import SECRET, SECTIONS
    from smolville.cli.tables import Page

    rows = chosen.values.model_dump(mode="json", exclude={"steps", "profiles"})
    rows[SECRET] = "not set" if rows[SECRET] is None else "set"
    for step, changed in sorted(chosen.values.steps.items()):
        for name, value in changed.model_dump(exclude_none=True).items():
            rows[f"steps.{step}.{name}"] = value
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("setting", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("from", overflow="fold")
    for name, value in rows.items():
        if name in SECTIONS:
            table.add_section()
        origin = chosen.origin(name)
        shown = value if isinstance(value, str) else "·" if value is None else in_toml(value)
        style = "dim" if origin.kind == "default" else None
        table.add_row(name, shown, str(origin), style=style)
    data = {
        name: {"value": value, "from": str(chosen.origin(name))} for name, value in rows.items()
    }
    return Page(data, [table])


HEAD = """\
# Smolville's settings. Save this as smolville.toml in the folder in which you work.
#
# A flag comes before a variable (SMOLVILLE_SEED=7), a variable before a line in a file `.env`, and
# that before this file. `smolville settings` shows every setting and where it came from. What
# stands behind a single # has no default: take the # away to use it. A model's profile, the last
# table, comes after everything else.
"""
OF_STEP = {"tier": "strong", "temperature": 0.9, "max_tokens": 300}
OF_PROFILE = {"anchors": "on", "examples": 1, "constrain": "auto", "repairs": 3}
"""Values in the example's tables."""


def example_file() -> str:
    """Return the text of a `smolville.toml` that changes nothing."""
    from smolville.cli.settings.values import (
        SECTIONS,
        SETTINGS,
        SettingValues,
        StepValues,
        setting_of,
    )

    parts = [HEAD]
    for name, told in SETTINGS.items():
        if name in SECTIONS:
            parts.append(f"## {SECTIONS[name].upper()}\n")
        if name in ("steps", "profiles"):
            continue
        default = SettingValues.model_fields[name].default
        line = f"# {name} = {told.example}" if default is None else f"{name} = {in_toml(default)}"
        parts.append(f"{_comment(f'{told.about} Write {told.allowed}.')}\n{line}\n")
    lines = [_comment(f"{SETTINGS['steps'].about} Each step has a table."), "# [steps.say]"]
    for name, value in OF_STEP.items():
        lines.append(f"# {name} = {in_toml(value)}  # {setting_of(name, StepValues).allowed}")
    about = f"{SETTINGS['profiles'].about} `smolville doctor --write` writes them."
    lines += ["", _comment(about), '# [profiles."ollama:qwen2.5:3b"]']
    for name, value in OF_PROFILE.items():
        lines.append(f"# {name} = {in_toml(value)}  # {SETTINGS[name].allowed}")
    return "\n".join([*parts, *lines]) + "\n"


def in_toml(value: object) -> str:
    """Return a plain value in TOML syntax."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, int) or value == int(value) else repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(in_toml(each) for each in value)}]"
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


def _comment(text: str) -> str:
    """Return a text as lines that begin with `##`, which stay comments if one `#` is removed."""
    return textwrap.fill(text, 92, initial_indent="## ", subsequent_indent="## ")
