"""Render messages by a model's own chat template in a sandbox, as the model's server does.

Chat templates are Jinja as Hugging Face's `transformers` runs it. Every GGUF file contains one,
written by a stranger. So a template may read the values that it is given, and nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, TemplateSyntaxError

from smolville.prompts.bounded import BoundedEnvironment, counted, show, start_count
from smolville.prompts.contract import FAULTS
from smolville.prompts.errors import ChatTemplateError

LONGEST_DATE = 100
"""Maximum length of a date's format: a width in it can make much of little."""


class ChatTemplate:
    """One chat template, and the special tokens that it may write."""

    def __init__(self, text: str, *, bos: str = "", eos: str = "") -> None:
        """Compile the template. Raises ChatTemplateError, naming the line, for invalid Jinja."""
        environment = BoundedEnvironment(
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=show,
            extensions=["jinja2.ext.loopcontrols"],
        )
        environment.filters["tojson"] = counted("tojson", _json)
        for name in ("cycler", "joiner", "lipsum"):
            del environment.globals[name]
        environment.globals |= {"raise_exception": _refuse, "strftime_now": _now}
        self._tokens = {"bos_token": bos, "eos_token": eos}
        try:
            self._template = environment.from_string(text)
        except TemplateSyntaxError as error:
            why = (error.message or "it is no Jinja").rstrip(".")
            where = f"line {error.lineno}: " if error.lineno else ""
            raise ChatTemplateError(f"{where}{why}") from error

    def write(self, messages: Sequence[Mapping[str, str]], **told: object) -> str:
        """Return the messages rendered up to where the model begins its answer.

        `told` are further variables of the template, such as `enable_thinking`. Raises
        ChatTemplateError if the template refuses the messages or fails.
        """
        values = {"messages": [dict(each) for each in messages], "add_generation_prompt": True}
        start_count()
        try:
            return self._template.render(**values, **self._tokens, **told)
        except FAULTS as error:
            raise ChatTemplateError(str(getattr(error, "message", None) or error)) from error


def _refuse(why: object = "it refuses the messages") -> NoReturn:
    """Implement `raise_exception`, the function that a template calls to refuse messages."""
    raise TemplateError(str(why))


def _now(form: str) -> str:
    """Return today's date and time in the format that a template requests."""
    if len(form) > LONGEST_DATE:
        _refuse("the format of its date is too long")
    return datetime.now().astimezone().strftime(form)


def _json(value: Any, indent: int | None = None, **_: object) -> str:
    """Return a value as JSON, without the HTML escapes of Jinja's own filter."""
    return json.dumps(value, ensure_ascii=False, indent=indent)
