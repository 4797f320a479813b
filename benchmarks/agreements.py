"""What people of a run agreed on for days that were lived, and what came of it.

An agreement is read from the recorded answers to `conclude_talk`; whether it was kept is judged by
where people were and what they did, not by what they remember of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.lived import Life, folded
from smolville.agents.mind import Appointment
from smolville.agents.places import OUTDOORS, arena_of, sector_of
from smolville.agents.plan import Block
from smolville.agents.times import at_of, clock, day_of, minute_at
from smolville.agents.wording import join_words
from smolville.graphs.frame.day import PROMISE
from smolville.history.thoughts import StepView
from smolville.parsers.conclude_talk import day_labels
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

STEP = "conclude_talk"
NEAR = 15
"""Minutes before and after the agreed time within which people must be there."""
AROUND = range(-NEAR, NEAR + 1)


@dataclass
class Agreement:
    """One agreement, as one or both sides recorded it."""

    terms: Appointment
    whats: list[str]
    """What is done, in the words of each who recorded it."""
    recorded: list[str]
    """Who recorded it."""
    planned: dict[str, bool] = field(default_factory=dict)
    """Whether it stood in the plan of its day, by the name of everybody who does it."""
    came: dict[str, bool] = field(default_factory=dict)
    """Whether each was there, or did it."""
    is_kept: bool = False
    """Whether all were in one room within 15 minutes of the time, or did it, each of them."""
    instead: dict[str, str] = field(default_factory=dict)
    """What each was doing at the agreed time, and where."""

    @property
    def is_missed(self) -> bool:
        """Whether nobody came."""
        return not self.is_kept and not any(self.came.values())


def agreements_of(life: Life) -> list[Agreement] | None:
    """Return the agreements for days lived; None if the run does not tell them, or its town."""
    concluded = [view for view in life.views if view.record.step == STEP and view.attempts]
    told = [view for view in concluded if "agreements" in json.loads(view.record.answer)]
    if (concluded and not told) or life.run.start_date is None:
        return None
    found: list[Agreement] = []
    for view in told:
        for terms in _terms(view, life.run.folder.spec.tick_seconds):
            agent = view.record.agent
            same = next((each for each in found if _is_same(each, terms, agent)), None)
            if same is None:
                found.append(Agreement(terms, [terms.what], [agent]))
            else:
                same.whats.append(terms.what)
                same.recorded = list(dict.fromkeys((*same.recorded, agent)))
    lived = [each for each in found if _is_over(each.terms, life.run.at)]
    for each in lived:
        judge(each, life)
    return lived


def _is_same(known: Agreement, terms: Appointment, agent: str) -> bool:
    """Return whether an agent has recorded a known agreement, perhaps from another side."""
    return known.terms.is_same(replace(terms, by="" if agent in known.recorded else agent))


def _terms(view: StepView, tick_seconds: int) -> Iterator[Appointment]:
    """Yield what a participant recorded after a talk."""
    inputs, at = json.loads(view.attempts[0].call.inputs), view.record.tick * tick_seconds
    labels, lines = day_labels(inputs.get("dates") or ("",)), inputs["lines"]
    for each in json.loads(view.record.answer)["agreements"]:
        if each["day"] in labels and 1 <= each["line"] <= len(lines):
            line = lines[each["line"] - 1]
            time = each.get("time")
            yield Appointment(
                day=day_of(at) + labels.index(each["day"]),
                start=minute_at(time) if isinstance(time, str) else time,
                partners=(),
                place=each.get("place") or "",
                what=each["what"],
                who=tuple(each["who"]),
                speaker=line["speaker"],
                said=line["text"],
                at=at,
                heard=(view.record.agent, *inputs["others"]),
            )


def _is_over(terms: Appointment, at: int) -> bool:
    """Return whether the time of an agreement is past; without an hour, its day."""
    ends = at_of(terms.day + 1, 0) if terms.start is None else at_of(terms.day, terms.start + NEAR)
    return ends <= at


def judge(each: Agreement, life: Life) -> None:
    """Note what came of an agreement."""
    terms = each.terms
    people = [name for name in terms.who if name in life.run.reader.agents()]
    wanted = {folded(what) for what in each.whats}
    start = at_of(terms.day, terms.start or 0)
    rooms = [] if terms.start is None else [_rooms(life.run, start + 60 * m) for m in AROUND]
    is_shared = any(_are_together(at, people) for at in rooms)
    did = {name: _did(name, wanted, terms, life) for name in people}
    seen = at_of(terms.day + 1, 0) - 1 if terms.start is None else max(start, terms.at)
    for name in people:
        each.planned[name] = _is_planned(life.run, name, wanted, terms.day, seen)
        is_there = any(_is_at(terms.place, at.get(name, "")) for at in rooms)
        each.came[name] = did[name] or is_there or is_shared
        each.instead[name] = _doing(name, seen, life)
    is_alone = len(people) == 1 and each.came[people[0]]
    each.is_kept = bool(people) and (is_shared or all(did.values()) or is_alone)


def _rooms(run: OpenRun, at: int) -> dict[str, str]:
    """Return the room of everybody at a town second."""
    found = run.reader.positions(at // run.folder.spec.tick_seconds)
    return {name: run.town.map.arena_at(tile) for name, tile in found.items()}


def _doing(name: str, at: int, life: Life) -> str:
    """Return what somebody was doing at a town second, and where."""
    past = [d.action for d in life.deeds if d.agent == name and d.action.start <= at]
    return f"{past[-1].activity} ({past[-1].place})" if past else "nothing"


def _did(name: str, wanted: set[str], terms: Appointment, life: Life) -> bool:
    """Return whether somebody did on that day, after the talk, what was agreed."""
    since, until = max(terms.at, at_of(terms.day, 0)), at_of(terms.day + 1, 0)
    return any(
        each.agent == name
        and since <= each.action.start < until
        and _is_among(wanted, each.action.activity, each.block)
        for each in life.deeds
    )


def _is_planned(run: OpenRun, name: str, wanted: set[str], day: int, at: int) -> bool:
    """Return whether an agreement stands in somebody's plan of its day at a town second."""
    mind = mind_of(run.reader, name, min(at // run.folder.spec.tick_seconds, run.tick))
    plan = None if mind is None or mind.plan is None or mind.plan.day != day else mind.plan
    return plan is not None and any(
        block.source == PROMISE and _is_among(wanted, block.activity, block)
        for block in plan.blocks
    )


def _is_among(wanted: set[str], activity: str, block: Block | None) -> bool:
    """Return whether an activity, or the hour that it is a part of, has what is wanted in it."""
    told = (folded(activity), folded(block.part_of if block else ""))
    return any(each in text for each in wanted for text in told)


def _are_together(rooms: Mapping[str, str], people: Sequence[str]) -> bool:
    """Return whether two or more people are all in one room."""
    there = {rooms.get(name, "") for name in people}
    return len(people) > 1 and len(there) == 1 and not there & {"", OUTDOORS}


def _is_at(place: str, room: str) -> bool:
    """Return whether a room is the agreed one, or one of the agreed building."""
    agreed = arena_of(place) if place else ""
    return agreed != "" and (agreed == room or (": " not in agreed and agreed == sector_of(room)))


def describe(each: Agreement, run: OpenRun) -> str:
    """Return an agreement and what came of it, in a few lines to read."""
    terms = each.terms
    hour = "no hour" if terms.start is None else clock(terms.start)
    told = [
        f"{run.day(at_of(terms.day, 0))}, {hour}: {join_words(terms.who)}: {terms.what}"
        f" ({terms.place or 'no place'})",
        f'  {terms.speaker} said on {run.format_time(terms.at)}: "{terms.said}"',
        f"  recorded by {join_words(each.recorded)}",
    ]
    for name in each.planned:
        planned = "planned" if each.planned[name] else "not planned"
        came = "came" if each.came[name] else "did not come"
        told.append(f"  {name}: {planned}; {came}; then: {each.instead[name]}")
    return "\n".join((*told, f"  {outcome_of(each)}"))


def outcome_of(each: Agreement) -> str:
    """Return what became of an agreement in one word."""
    return "kept" if each.is_kept else "missed" if each.is_missed else "partly"
