"""Readings of values that are more than one word or number."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from graphs.loop.rules import EVERY_KIND
from models.embedding.embedder import parse_embedder
from models.errors import SpecError
from models.keys import is_host
from models.spec import parse_spec


class NotASpec(ValueError):
    """A model or an embedder that is named in a way that cannot be read; says how it is written."""


class Told(NamedTuple):
    """What people are told about a setting."""

    about: str
    allowed: str
    """What it may be, to follow "write"."""
    example: str = ""
    """How it is written in TOML, where it has no default that could be."""


def read_spec(value: str) -> str:
    """Return a model's spec as it was written; NotASpec when it cannot be one."""
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
    return _read_list(value, lambda text: [text])


def read_hosts(value: Any) -> Any:
    """Return the servers that a variable lists: a JSON list, or texts parted by commas."""
    found = _read_list(value, lambda text: [part.strip() for part in text.split(",")])
    if isinstance(found, list) and not all(isinstance(one, str) and is_host(one) for one in found):
        raise ValueError("not a list of servers")
    return found


def read_kinds(value: Any) -> Any:
    """Return the kinds of oddity that a variable or a flag lists, as texts parted by commas."""
    found = _read_list(value, lambda text: [part.strip() for part in text.split(",")])
    if found:
        from parsers.problem import SENSE_KINDS

        if not isinstance(found, list | tuple) or not {*found} <= {EVERY_KIND, *SENSE_KINDS}:
            raise ValueError("not a list of kinds")
    return tuple(found) if isinstance(found, list) else found


def _read_list(value: Any, otherwise: Callable[[str], list[str]]) -> Any:
    """Return a value that is a list, also where a variable writes it as JSON."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return otherwise(value)
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return otherwise(value)
