"""A lived run as its judges see it: deeds, minds, and what its model wrote word for word."""

import bisect
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import commonprefix

from smolville.agents.action import Action
from smolville.agents.mind import Appointment, Mind
from smolville.agents.places import OUTDOORS, arena_of, sector_of
from smolville.agents.plan import Block, block_at, is_sleep
from smolville.agents.times import DAY_SECONDS, at_of, clock, day_of, minute_at, minute_of
from smolville.agents.wording import join_words
from smolville.graphs.frame import DUTY, HABIT, PROMISE
from smolville.graphs.loop.ledger import Call
from smolville.graphs.needs import NEED
from smolville.graphs.sense.words import free_texts
from smolville.history.thoughts import StepView
from smolville.parsers.conclude_talk import day_labels
from smolville.parsers.reading.sentences import sentences_of, words_of
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

PLANNERS = frozenset(
    ("plan_day", "plan_hours", "decompose", "replan", "react", "wander", "conclude_talk")
)
"""Steps whose answers word wishes, hours and deeds."""
OWN, CODE = "own", "code"
PERSONA, WAITS, FALLBACK = "persona", "waits", "fallback"
APART = (PERSONA, NEED, WAITS, FALLBACK)
"""Texts that say themselves that no model worded them; they are counted apart."""


@dataclass(frozen=True)
class DoneDeed:
    """A deed as it was lived, with the block of the plan that it came from."""

    agent: str
    tick: int
    action: Action
    minutes: float
    block: Block | None
    """None if the deed is none of the plan."""


@dataclass
class Life:
    """All that is read from a run to judge it."""

    run: OpenRun
    views: list[StepView]
    worded: dict[str, dict[str, list[tuple[int, int]]]]
    """By name, the folded texts of planning answers: the tick of each answer, and how many words of
    the text are its reply's."""
    offered: set[str]
    """The folded ideas that prompts offered."""
    deeds: list[DoneDeed]
    minds: dict[tuple[str, int], Mind]
    """The mind of each agent at the end of each day."""

    @property
    def agent_days(self) -> float:
        """Days lived, of all agents together."""
        return len(self.run.reader.agents()) * self.run.at / DAY_SECONDS

    def own_in(self, name: str, text: str, tick: int) -> int | None:
        """Return how many words of a planned text are the model's, by the last answer that has it.

        Later answers than `tick` do not count. Two such texts joined by "and", as an agreement is
        with what is done at its place, are the model's too. None if no answer has the text.
        """
        known = self.worded[name].get(folded(text), ())
        found = next((own for at, own in reversed(known) if at <= tick), None)
        joints = [] if found is not None else [m.span() for m in re.finditer(" and ", text)]
        for start, end in joints:
            halves = [self.own_in(name, half, tick) for half in (text[:start], text[end:])]
            own = [half for half in halves if half is not None]
            if len(own) == len(halves):
                return sum(own)
        return found


def folded(text: str) -> str:
    """Return a text as its words alone: case, spacing and punctuation do not count."""
    return " ".join(words_of(text))


def reply_texts(view: StepView | None) -> str:
    """Return the folded texts of all replies of a step, each between bars."""
    found: list[str] = []
    for each in view.attempts if view else ():
        reply = each.call.reply
        try:
            texts = [text for _, text in free_texts(json.loads(reply[reply.index("{") :]))]
        except ValueError:
            texts = [reply]
        found += map(folded, texts)
    return f" {' | '.join(found)} "


def own_words(text: str, replies: str) -> int:
    """Return how many words of a text are in sentences that the replies have word for word."""
    said = (folded(sentence) for sentence in sentences_of(text))
    return sum(len(each.split()) for each in said if each and f" {each} " in replies)


def read_life(run: OpenRun) -> Life:
    """Return what is read from a run."""
    reader = run.reader
    views = [view for key in reader.use_keys(run.tick) if (view := reader.step(key))]
    worded: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    offered: set[str] = set()
    for view in views:
        if view.record.step not in PLANNERS or not view.attempts:
            continue
        inputs = json.loads(view.attempts[0].call.inputs)
        ideas = [inputs.get("ideas", ()), *(gap.get("ideas", ()) for gap in inputs.get("gaps", ()))]
        offered |= {folded(idea) for several in ideas for idea in several}
        if view.record.outcome != "fallback":
            is_shared = view.record.step == "conclude_talk"
            replies = reply_texts(view)
            for _, text in free_texts(json.loads(view.record.answer)):
                for name in reader.agents() if is_shared else (view.record.agent,):
                    own = own_words(text, replies)
                    worded[name][folded(text)].append((view.record.tick, own))
    minds = {
        (name, day): mind
        for name in reader.agents()
        for day in range(1, day_of(max(run.at - 1, 0)) + 1)
        if (mind := mind_of(reader, name, last_tick(run, day))) is not None
    }
    return Life(run, views, worded, offered, list(_deeds(run)), minds)


def last_tick(run: OpenRun, day: int) -> int:
    """Return the last tick of a day, as far as it was lived."""
    return min(at_of(day + 1, 0) // run.folder.spec.tick_seconds - 1, run.tick)


def _deeds(run: OpenRun) -> Iterator[DoneDeed]:
    """Yield what everybody did, talks left out; each deed lasts until the next one begins."""
    for name in run.reader.agents():
        found = [
            each
            for each in run.reader.deeds(name, until=run.tick)
            if each.outcome == "accepted" and each.action.kind != "talk"
        ]
        starts = [each.action.start for each in found[1:]]
        for each, following in zip(found, [*starts, run.at], strict=True):
            end = min(following, each.action.end, run.at)
            plan = getattr(mind_of(run.reader, name, each.tick), "plan", None)
            block = None
            if plan is not None and plan.day == day_of(each.action.start):
                block = block_at(plan.blocks, minute_of(each.action.start))
            if block is not None and block.activity != each.action.activity:
                block = None
            yield DoneDeed(
                name, each.tick, each.action, max(0, end - each.action.start) / 60, block
            )


def origin(life: Life, name: str, text: str, block: Block | None, tick: int) -> str:
    """Return who worded a text of a plan that was in force at a tick."""
    if is_sleep(text) or (block is not None and block.source in (HABIT, DUTY)):
        return PERSONA
    if block is not None and block.source == NEED:
        return NEED
    if block is not None and block.fallback:
        return FALLBACK
    return OWN if life.own_in(name, text, tick) else CODE


def deed_origin(life: Life, deed: DoneDeed) -> str:
    """Return who worded a deed."""
    if deed.action.kind == "wait":
        return WAITS
    if deed.action.kind == "sleep":
        return PERSONA
    if deed.block is None and deed.action.fallback:
        return FALLBACK
    return origin(life, deed.agent, deed.action.activity, deed.block, deed.tick)


def done(life: Life) -> list[DoneDeed]:
    """Return the deeds that are neither sleep nor waiting."""
    return [deed for deed in life.deeds if deed.action.kind == "do"]


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


def shared_beginnings(calls: Iterable[Call]) -> tuple[int, int]:
    """Return the prompt tokens of first attempts, and those that an earlier prompt begins with.

    Calls are taken in the order in which they were sent, and compared with earlier calls of their
    model. The tokens of a beginning are assumed to be as long as the prompt's other tokens.
    """
    earlier: dict[str, list[str]] = defaultdict(list)
    prompt = shared = 0
    for call in sorted(calls, key=lambda each: each.started):
        known = earlier[call.model]
        text = "".join(f"{each['role']}\n{each['content']}\n" for each in json.loads(call.messages))
        at = bisect.bisect(known, text)
        if call.key.attempt == 0 and call.source == "model" and call.prompt_tokens is not None:
            near = known[max(at - 1, 0) : at + 1]
            most = max((len(commonprefix([text, each])) for each in near), default=0)  # noqa: RUF071
            prompt += call.prompt_tokens
            shared += round(call.prompt_tokens * most / len(text))
        known.insert(at, text)
    return prompt, shared
