"""An example settings file: every setting, explained, with its default."""

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

from cli.settings.keys import SettingValues, told
from cli.settings.step_values import StepValues

HEAD = """\
# Smolville's settings. Save this as smolville.toml in the folder in which you work.
#
# A flag comes before a variable (SMOLVILLE_SEED=7), a variable before a line in a file `.env`, and
# that before this file. `smolville settings` shows every setting and where it came from. What
# stands behind a single # has no default: take the # away to use it.
"""
STEP = "say"


def example() -> str:
    """Return the text of a `smolville.toml` that changes nothing."""
    parts = [HEAD]
    for name, declared in SettingValues.model_fields.items():
        if name == "steps":
            continue
        what = told(name)
        default = declared.get_default(call_default_factory=True)
        line = f"# {name} = {what.example}" if default is None else f"{name} = {in_toml(default)}"
        parts.append(f"{_comment(f'{what.about} Write {what.allowed}.')}\n{line}\n")
    return "\n".join([*parts, _steps()])


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
    lines = [_comment(f"{told('steps').about} Here the step {STEP!r}; each has a table."), ""]
    examples = {"tier": "strong", "temperature": 0.9, "max_tokens": 300}
    lines[-1] = f"# [steps.{STEP}]"
    for name in StepValues.model_fields:
        what = told(name, StepValues)
        lines.append(f"# {name} = {in_toml(examples[name])}  # {what.allowed}")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """Return a text as lines with `##`, so that removing one `#` never makes it a setting."""
    return textwrap.fill(text, 92, initial_indent="## ", subsequent_indent="## ")
