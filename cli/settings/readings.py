"""Readings of values that are more than one word or number."""

import json
from typing import Any

from models.embedding.spec import parse_embedder
from models.errors import SpecError
from models.spec import parse_spec


class NotASpec(ValueError):
    """A model or an embedder that is named in a way that cannot be read; says how it is written."""


def read_spec(value: str | None) -> str | None:
    """Return a model's spec as it was written; NotASpec when it cannot be one."""
    if value is not None:
        try:
            parse_spec(value)
        except SpecError as error:
            raise NotASpec(str(error)) from error
    return value


def read_embedder(value: str) -> str:
    """Return an embedder's spec as it was written; NotASpec when it cannot be one."""
    try:
        parse_embedder(value)
    except SpecError as error:
        raise NotASpec(str(error)) from error
    return value


def read_stop(value: Any) -> Any:
    """Return the texts that a variable lists: a JSON list, or one text as it is."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return [value]
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return [value]
