"""The state of a run: running, paused, finished or new."""

from history.folder import owner_of
from history.progress_file import read_pulse
from viewer.playback.run_state import RunState


def state_of(showing: RunState) -> str:
    """Return the state of a run."""
    if owner_of(showing.folder) is not None:
        pulse = read_pulse(showing.folder)
        return "paused" if pulse and pulse.get("state") == "paused" else "running"
    if showing.until < 0:
        return "new"
    goal = showing.goal_tick
    return "finished" if goal is not None and showing.until + 1 >= goal else "paused"
