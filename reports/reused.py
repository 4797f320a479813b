"""Deeds that followed a routine instead of an answer, and a sentence on each such reuse."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from smolville.agents.routines import BROUGHT, Reuse
from smolville.agents.times import moment
from smolville.agents.wording import format_count
from smolville.history.records import Deed


def reused_deeds(reuses: Iterable[Reuse], deeds: Iterable[Deed]) -> frozenset[tuple[str, int]]:
    """Return the agent and tick of the deeds whose task or place came from a routine."""
    found: set[tuple[str, int]] = set()
    of_agents: defaultdict[str, list[Reuse]] = defaultdict(list)
    for each in reuses:
        of_agents[each.agent].append(each)
    for deed in deeds:
        action = deed.action
        if action.kind == "do" and any(
            covers(each, deed.tick, action.activity, action.start) for each in of_agents[deed.agent]
        ):
            found.add((deed.agent, deed.tick))
    return frozenset(found)


def covers(reuse: Reuse, tick: int, activity: str, start: int) -> bool:
    """Return True if an activity that begins at a town second follows a reused routine."""
    is_then = reuse.tick <= tick and reuse.since <= start < reuse.until
    return is_then and activity in reuse.tasks


def format_reuse(reuse: Reuse, tick_seconds: int) -> str:
    """Return a reuse as a sentence: the routine, its new use, and where it was learnt."""
    what = "the tasks" if reuse.kind == "tasks" else "the place"
    is_same = reuse.similarity == 1
    alike = "" if is_same else f" of “{reuse.matched}” (similarity {reuse.similarity:.3f})"
    learnt = (
        "brought from another run"
        if reuse.learnt == BROUGHT
        else f"learnt on day {moment(reuse.learnt * tick_seconds)}"
    )
    return (
        f"For “{reuse.activity}” {what}{alike} came from a routine, {learnt}; no model was asked."
    )


def format_reuses(counted: Mapping[str, int]) -> str:
    """Return a sentence on how often routines were reused; empty if never."""
    if not any(counted.values()):
        return ""
    tasks = format_count(counted["tasks"], "activity", "activities")
    spots = format_count(counted["spots"], "place")
    return f"Reused from routines without a call: the tasks of {tasks}, {spots}."
