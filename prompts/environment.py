"""The Jinja environment of all prompts: sandboxed, strict, with every value shown on one line."""

import re
from functools import cache
from typing import Any

from jinja2 import (
    DictLoader,
    Environment,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateSyntaxError,
)
from jinja2.runtime import Macro
from pydantic import BaseModel

from smolville.prompts.bounded import SMALL, BoundedEnvironment, spend, start_count
from smolville.prompts.errors import PromptContractError
from smolville.prompts.folder import Texts, nearest, shipped_texts

MACROS = "_macros.jinja"
"""File of the formatters that every template may call."""

_CHAT_MARK = re.compile(r"<(?=[|/A-Za-z｜])|\[(?=/?(?:INST|SYSTEM|AVAILABLE|TOOL)\b)")


class FixedText(str):
    """A text of several lines that is shown unchanged: format instructions, a formatted list."""

    __slots__ = ()


class PromptEnvironment(BoundedEnvironment):
    """A bounded sandbox in which a template can read the fields of its values and nothing else."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute: of a model, a field only.

        A model's methods are refused, because they can read files.
        """
        is_method = isinstance(obj, BaseModel) and attr not in type(obj).model_fields
        return not is_method and super().is_safe_attribute(obj, attr, value)


class UndefinedValue(StrictUndefined):
    """An undefined value; any use of it raises an error that suggests the most similar name."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        owner, name = self._undefined_obj, self._undefined_name
        if self._undefined_hint or not isinstance(owner, BaseModel):
            return super()._undefined_message
        fields = type(owner).model_fields
        has = ", ".join(f"`{field}`" for field in fields)
        return (
            f"`{type(owner).__name__}` has no `{name}`{nearest(str(name), fields)}; it has: {has}"
        )


class Formatter:
    """A macro whose result may have several lines."""

    def __init__(self, macro: Macro) -> None:
        self._macro = macro

    def __call__(self, *values: object) -> FixedText:
        """Return the macro's result for the values, without blank lines at its ends."""
        return FixedText(str(self._macro(*values)).strip("\n"))


def clean_value(value: object) -> object:
    """Return a value in the form shown in prompts: one line, without markers of chat templates.

    Otherwise somebody's words could forge another line of a list. Or they could forge another
    message on a server that interprets its template's markers in any text.
    """
    if isinstance(value, int):
        return value
    text = value if isinstance(value, str) else str(value)
    if len(text) > SMALL:
        spend(len(text))
    if isinstance(text, FixedText):
        return text
    if not text.isprintable() or "  " in text:
        text = " ".join(text.split())
    return _CHAT_MARK.sub(r"\g<0> ", text) if "<" in text or "[" in text else text


def open_environment(texts: Texts | None = None) -> Environment:
    """Return the environment of the shipped templates, or of these texts by file name.

    The environment of the shipped templates is made only once. Formatters are the shipped ones,
    unless `texts` has its own.
    """
    return _make_shipped_environment() if texts is None else _build(texts)


@cache
def _make_shipped_environment() -> Environment:
    return _build(shipped_texts())


def _build(texts: Texts) -> Environment:
    """Return an environment of templates by file name; no other file can be included."""
    environment = PromptEnvironment(
        loader=DictLoader({MACROS: shipped_texts()[MACROS], **texts}),
        undefined=UndefinedValue,
        finalize=clean_value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.globals.clear()
    start_count()
    try:
        macros = vars(environment.get_template(MACROS).module)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, MACROS, texts[MACROS]) from error
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        why = getattr(error, "message", None) or error
        raise PromptContractError.at(MACROS, None, str(why)) from error
    environment.globals.update(
        {name: Formatter(macro) for name, macro in macros.items() if isinstance(macro, Macro)}
    )
    return environment


def compiled(environment: Environment, file: str) -> Template:
    """Return a template, compiled. Raises PromptContractError if it cannot be."""
    try:
        return environment.get_template(file)
    except TemplateSyntaxError as error:
        raise cannot_compile(error, file, "") from error


def cannot_compile(error: TemplateSyntaxError, file: str, text: str) -> PromptContractError:
    """Return the error of a template with invalid Jinja, with its file and the faulty line."""
    lines = text.splitlines()
    line = lines[error.lineno - 1].strip() if 0 < error.lineno <= len(lines) else ""
    shown = f": `{line}`" if line else ""
    why = (error.message or "it is no Jinja").rstrip(".")
    return PromptContractError.at(file, error.lineno or None, f"{why}{shown}")
