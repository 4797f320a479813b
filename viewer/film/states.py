"""Whether a run is being lived: running, paused, finished or new."""

from viewer.film.showing import Showing
from world.runs.folder import owner_of
from world.runs.pulse import read_pulse


def state_of(showing: Showing) -> str:
    """Return what state a run is in."""
    if owner_of(showing.folder) is not None:
        pulse = read_pulse(showing.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "running"
    if showing.until < 0:
        return "new"
    goal = showing.goal_tick
    return "finished" if goal is not None and showing.until + 1 >= goal else "paused"
