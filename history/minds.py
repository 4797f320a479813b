"""Minds as a history stores them, and as workers get them: plain JSON."""

from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter

from smolville.agents.entities import EntityMind
from smolville.agents.mind import Mind

M = TypeVar("M", Mind, EntityMind)

_KINDS: dict[type, TypeAdapter[Any]] = {kind: TypeAdapter(kind) for kind in (Mind, EntityMind)}


def write_mind(mind: Mind | EntityMind) -> bytes:
    """Return a mind as JSON."""
    return orjson.dumps({"mind": orjson.Fragment(_KINDS[type(mind)].dump_json(mind))})


def read_mind(blob: bytes, kind: type[M]) -> M:
    """Return the mind in some JSON. Raises ValueError for other data.

    Beside the mind, older histories have the rest of a LangGraph checkpoint.
    """
    mind: M = _KINDS[kind].validate_python(orjson.loads(blob)["mind"])
    return mind
