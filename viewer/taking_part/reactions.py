"""Who first reacted to a request, for example by hearing a whisper, and in which thought."""

from dataclasses import dataclass

from smolville.reports.present import is_talking
from smolville.reports.runs import OpenRun
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions

REACTING = ("whisper", "object_state")
"""Kinds of requests for which the first person to react is reported."""
_NOTICED = """
SELECT agent, tick FROM memories
WHERE tick >= ? AND tick <= ? AND kind = 'event' AND subject = ? AND object = ?
ORDER BY tick, n LIMIT 1
"""


@dataclass(frozen=True, kw_only=True)
class FirstReaction:
    """What is known so far of the first reaction to a request."""

    told: str = ""
    """A sentence; empty if the link to the thought says enough."""
    agent: str = ""
    tick: int | None = None
    """Tick of the thought; None before there is one."""


def find_reaction(acts: RunActions, landed: AcceptedRequest) -> FirstReaction:
    """Return who has reacted to a request so far, and with which thought."""
    with acts.open_run() as run:
        if landed.kind == "whisper":
            tick, talks = find_thought(run, landed.target, landed.tick)
            told = not_yet(landed.target, is_talking=talks) if tick is None else ""
            return FirstReaction(told=told, agent=landed.target, tick=tick)
        asked = (landed.tick, run.tick, landed.target, landed.text)
        first = run.reader.connection.execute(_NOTICED, asked).fetchone()
        if first is None:
            return FirstReaction(told="Nobody has noticed it yet.")
        agent, noticed = first
        when = run.format_time(noticed * run.folder.spec.tick_seconds)
        tick, _ = find_thought(run, agent, noticed)
        return FirstReaction(told=f"{agent} noticed it first, {when}.", agent=agent, tick=tick)


def find_thought(run: OpenRun, agent: str, tick: int) -> tuple[int | None, bool]:
    """Return the tick of somebody's first thought from `tick` on, and whether they are talking.

    The first value is None if there is no such thought. If there is one, the second is False.
    """
    found = run.reader.thoughts(agent, tick, run.tick)
    if found:
        return found[0].tick, False
    return None, is_talking(run.reader, run.tick, agent)


def not_yet(name: str, *, is_talking: bool) -> str:
    """Return a sentence that somebody has not had a thought since they heard a whisper."""
    if is_talking:
        return f"{name} thinks of it when their talk is over."
    return f"{name} has not thought since."
