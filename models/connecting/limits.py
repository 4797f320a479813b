"""What every connection is bounded by, and how long a first contact may take."""

from models.request import Settings
from models.spec import Spec

CONNECT_SECONDS = 10.0
"""How long the first contact of a call may take, however long the reply may."""
HOSTED_SLOTS = 4
"""Calls in flight where a server's limits are not known."""


def system_role(settings: Settings, found: bool) -> bool:
    """Return whether the system text keeps its own role: as detected, unless the settings say."""
    return found if settings.template_style == "auto" else settings.template_style == "system"


def count(spec: Spec, name: str, otherwise: int) -> int:
    """Return a setting of the spec that is a count."""
    return int(dict(spec.options).get(name, otherwise))


def first_line(error: Exception) -> str:
    """Return the first line of an error's text."""
    return str(error).strip().partition("\n")[0]
