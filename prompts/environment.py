"""The Jinja environment of all prompts: sandboxed, strict, and every shown value on one line."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel

FOLDER = Path(__file__).parent
"""Where the shipped templates are."""

MACROS = "_macros.jinja"
"""The formatters that every template may call."""

_CHAT_MARK = re.compile(r"<(?=[|/A-Za-z｜])|\[(?=/?(?:INST|SYSTEM|AVAILABLE|TOOL)\b)")


class Passage(str):
    """A text of several lines that is shown as it is: answer instructions, a formatted list."""

    __slots__ = ()


class PromptEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox in which a template reads the fields of its values and nothing else of them."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allow of a model only its fields: its methods can read files."""
        if isinstance(obj, BaseModel) and attr not in type(obj).model_fields:
            return False
        return super().is_safe_attribute(obj, attr, value)


class Formatter:
    """A macro whose lines stay lines."""

    def __init__(self, macro: Macro) -> None:
        self._macro = macro

    def __call__(self, *values: object) -> Passage:
        """Return what the macro makes of the values, without blank lines at its ends."""
        return Passage(str(self._macro(*values)).strip("\n"))


def shown(value: object) -> object:
    """Return a value as prompts show it: a text on one line, with no mark of a chat template in it.

    Somebody's words can then neither forge another line of a list nor, on a server that reads
    its template's marks in any text, another message.
    """
    if isinstance(value, Passage | int):
        return value
    text = str(value)
    if not text.isprintable() or "  " in text:
        text = " ".join(text.split())
    return _CHAT_MARK.sub(r"\g<0> ", text) if "<" in text or "[" in text else text


def open_environment(overlay: Path | None = None) -> Environment:
    """Return the environment of the shipped templates, or one where `overlay`'s files come first.

    The shipped one is made once; one with an overlay is made anew, so that edits are seen.
    """
    return _shipped() if overlay is None else _build((overlay, FOLDER))


@cache
def _shipped() -> Environment:
    """Return the environment of the shipped templates."""
    return _build((FOLDER,))


def _build(folders: tuple[Path, ...]) -> Environment:
    """Return an environment that looks for templates in `folders`, in their order."""
    environment = PromptEnvironment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.globals.clear()
    macros = vars(environment.get_template(MACROS).module)
    environment.globals.update(
        {name: Formatter(macro) for name, macro in macros.items() if isinstance(macro, Macro)}
    )
    return environment
