"""Limits of all connections, among them the time for connecting."""

from models.request import ModelSettings
from models.spec import Spec

CONNECT_SECONDS = 10.0
"""Seconds that connecting may take, however long the reply may take."""
HOSTED_SLOTS = 4
"""Parallel calls for servers with unknown limits."""


def system_role(settings: ModelSettings, found: bool) -> bool:
    """Return whether the system text keeps its own role: as detected, unless the settings say."""
    return found if settings.template_style == "auto" else settings.template_style == "system"


def count(spec: Spec, name: str, otherwise: int) -> int:
    """Return a setting of the spec as a count."""
    return int(dict(spec.options).get(name, otherwise))


def first_line(error: Exception) -> str:
    """Return the first line of an error's text."""
    return str(error).strip().partition("\n")[0]
