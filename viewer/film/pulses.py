"""What a run's owner tells of itself at this moment."""

from typing import Any

from world.runs.folder import RunFolder
from world.runs.owner import owner_of


def pulse_of(folder: RunFolder) -> dict[str, Any] | None:
    """Return the owner's pulse; None when nobody lives the run, or it tells nothing."""
    try:
        from world.runs.pulse import read_pulse
    except ImportError:
        return None
    return read_pulse(folder) if owner_of(folder) is not None else None
