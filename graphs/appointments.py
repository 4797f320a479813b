"""Read appointments (who, where, when) from a talk, and enter them into that day's plan.

An invitation is a line that proposes to come or to meet at a time of day. It is agreed to if
somebody else assents in one of the next lines. Both sides read the same lines by the same rule, so
both enter the appointment into their plans, without a model. Only English words are read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.action import Talk, TalkLine
from agents.memory import for_plans
from agents.mind import Appointment, Mind, with_appointment
from agents.places import sector_of
from agents.plan import Block, Spot, block_at, is_sleep, splice
from agents.times import at_of, clock, date_text, day_of, minute_of
from graphs.activities.spots import plain_name, spot_of
from graphs.candidates import WASHROOMS, is_back_room, open_arenas, task_of
from graphs.components import APPOINTMENTS, OBSERVATION
from graphs.context import MindContext, Thinker
from graphs.frame.day import PROMISE
from graphs.frame.happenings import DatedEvent
from graphs.norms import broken_rule
from graphs.sense.words import stands_in, words_of
from graphs.spoken_times import falls_on, names_a_day, read_times, replace_relative_days
from graphs.state import MindSeen
from models.standin.words import sentences, stems

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

KEEP = "keep_appointments"
AGREED = "agreed in a talk"
"""Source of an event that was agreed to, so that nobody is asked whether to go."""
IMPORTANCE = 6
"""Importance, by rule, of the memory of an appointment."""
MINUTES = 50
"""Minutes of a meeting without a stated end: less than an hour, so that it is not split up."""
SOON = 15
"""Minutes from now within which no appointment is made: the people are together already."""
AHEAD = 7
"""Days ahead that a weekday may mean, including today."""
ANSWERED = 3
"""Number of lines after an invitation among which its answer is sought."""
FIRST, LAST = 5 * 60, 22 * 60
"""Earliest and latest minute of the day for a meeting to begin."""
_INVITES = re.compile(
    r"\b(?:come|join|meet(?:ing)?|visit|drop (?:by|in)|stop by|stay|see you|let(?:['’]s| us)|"
    r"shall we|(?:have|having|for) (?:a )?(?:coffee|tea|lunch|dinner|breakfast|drink))\b",
    re.IGNORECASE,
)
_ASSENTS = re.compile(
    r"\b(?:yes|sure|of course|gladly|certainly|absolutely|agreed|deal|count me in|with pleasure|"
    r"i(?:['’]d| would) (?:love|like|be (?:happy|glad))|i(?:['’]ll| will) (?:gladly |surely )?"
    r"(?:be there|come|see you|meet you|join)|see you (?:there|then|at|on|tomorrow)|"
    r"sounds (?:good|great|lovely|nice|wonderful|perfect)|that would be (?:nice|lovely|great))",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    r"\b(?:can(?:no|['’])t|not sure|maybe|perhaps|sorry|unfortunately|won['’]t|might|if i can|"
    r"let me (?:think|see)|another time|not able|i(?:['’]ll| will) (?:see|try|think)|busy|no,)",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:yesterday|last (?:night|week|time)|ago)\b", re.IGNORECASE)
_EARLY = re.compile(r"\d ?a\.?m\b|\bmorning\b", re.IGNORECASE)
_LATE = re.compile(r"\b(?:afternoon|evening|tonight|night)\b", re.IGNORECASE)
_NAMES_A_PLACE = re.compile(
    r"\b(?:to|at|in) ((?:the|my|our|your) (?!morning|afternoon|evening|night|same|end)"
    r"[\w'’-]+(?: [A-Z][\w'’-]+)*)"
)
_ANY = stems("house home town shop room place corner")
"""Stems in names of buildings that do not identify a building by themselves."""


def read_appointments(me: Thinker, mind: Mind, talk: Talk) -> tuple[Appointment, ...]:
    """Return the appointments that a person has agreed to in a talk that has just ended."""
    found = []
    for at, line in enumerate(talk.lines):
        agreed = [line.speaker, *_assenting(talk.lines[at + 1 :][:ANSWERED], line.speaker)]
        if len(agreed) < 2 or me.name not in agreed:
            continue
        partners = tuple(name for name in talk.participants if name in agreed and name != me.name)
        for sentence in sentences(line.text):
            appointment = _read(me, mind, sentence, partners, talk.place)
            if appointment is not None:
                found.append(appointment)
    return tuple(found)


def _assenting(lines: Sequence[TalkLine], inviter: str) -> Iterator[str]:
    """Yield the speakers, other than the inviter, who accept in the first of their `lines`."""
    heard: set[str] = set()
    for line in lines:
        if line.speaker == inviter or line.speaker in heard:
            continue
        heard.add(line.speaker)
        if _ASSENTS.search(line.text) and not _DECLINES.search(line.text):
            yield line.speaker


def _read(
    me: Thinker, mind: Mind, sentence: str, partners: tuple[str, ...], here: str
) -> Appointment | None:
    """Return the appointment that a sentence proposes; None if it names no time to meet."""
    if not _INVITES.search(sentence) or _PAST.search(sentence):
        return None
    around = me.surroundings
    told = replace_relative_days(sentence, around.start_date, day_of(around.at))
    times = read_times(told)
    day = _day(me, told)
    if times.start is None or day is None:
        return None
    start = _start(told, times.start, is_past=at_of(day, times.start) < around.at)
    if not FIRST <= start <= LAST or at_of(day, start) < around.at + 60 * SOON:
        return None
    end = times.end if times.end is not None and times.end > start else start + MINUTES
    sector, named = _sector(mind, sentence), _NAMES_A_PLACE.search(sentence)
    if not sector and not named:
        sector = sector_of(here)
    where = sector if sector.lower().startswith("the ") else f"the {sector}"
    if not sector and named:
        where = named[1]
    return Appointment(
        day=day,
        start=start,
        end=end,
        partners=partners,
        where=where,
        place=_room(me, mind, sector, here) if sector else "",
    )


def _start(told: str, start: int, *, is_past: bool) -> int:
    """Return the minute of the day meant by the time `start`, which may be twelve hours later.

    It is later if `told` has a word such as `evening`, or if the time `is_past` and `told` has
    neither `am` nor `morning`.
    """
    is_late = _LATE.search(told) is not None or (is_past and not _EARLY.search(told))
    return start + 720 if start < 720 and is_late else start


def _day(me: Thinker, told: str) -> int | None:
    """Return the day that a sentence names: today if it names none; None if no near day fits."""
    today = day_of(me.surroundings.at)
    if not names_a_day(told):
        return today
    start = me.surroundings.start_date
    days = range(today, today + AHEAD)
    return next((day for day in days if falls_on(told, date_text(start, day))), None)


def _sector(mind: Mind, sentence: str) -> str:
    """Return the only known building that a sentence names; empty if there is not just one."""
    words, said = words_of(sentence), stems(sentence)
    sectors = dict.fromkeys(map(sector_of, mind.places))
    named = [each for each in sectors if stands_in(plain_name(each), words)]
    meant = named or [each for each in sectors if (stems(each) - _ANY) & said]
    return meant[0] if len(meant) == 1 else ""


def _room(me: Thinker, mind: Mind, sector: str, here: str) -> str:
    """Return the room of a building in which an appointment takes place.

    It is the room `here` of the talk, if that is in the building. Otherwise it is the first public
    room in alphabetical order, so that both sides choose the same one.
    """
    if sector_of(here) == sector:
        return here
    task = task_of(me.persona, f"meeting people at {sector}", "")
    rooms = (
        arena
        for arena in open_arenas(mind, me.persona, task)
        if sector_of(arena) == sector
        and not mind.places[arena].owners
        and not stems(arena.partition(": ")[2]) & (WASHROOMS | stems("kitchen office"))
        and not is_back_room(mind.places[arena], arena, me.persona, task)
    )
    return next(rooms, "")


def has_agreed(state: MindSeen, me: Thinker) -> bool:
    """Return True when the agent has agreed to meet somebody in the talk that has just ended."""
    talk = me.surroundings.body().ended_talk
    if talk is None or not me.has(APPOINTMENTS):
        return False
    return read_appointments(me, state.mind, talk) != ()


async def keep_appointments(state: MindSeen, runtime: "Runtime[MindContext]") -> dict[str, Any]:
    """Remember the appointments; enter today's into the plan by rule, without a model call."""
    me, mind, draft = runtime.context.of(state.agent), state.mind, state.draft
    talk = me.surroundings.body().ended_talk
    assert talk is not None
    found, today = read_appointments(me, mind, talk), day_of(me.surroundings.at)
    kept, gathered = mind.appointments, mind.gathered
    for each in found:
        kept = with_appointment(kept, each, today)
        if me.has(OBSERVATION):
            draft, made = draft.with_memory(
                me, "thought", _in_words(me, each), step=KEEP, importance=IMPORTANCE
            )
            gathered += IMPORTANCE if made else 0
    mind = replace(mind, appointments=kept, gathered=gathered)
    is_today = any(each.day == today for each in found)
    return {
        "mind": _with_plan(me, mind) if is_today else mind,
        "draft": draft,
        "disturbed": "" if is_today else state.disturbed,
        "path": [KEEP],
    }


def _in_words(me: Thinker, each: Appointment) -> str:
    """Return an appointment in the words used to remember it."""
    date = date_text(me.surroundings.start_date, each.day)
    return f"{for_plans(me.name)}{each.activity} on {date} at {clock(each.start)}."


def _with_plan(me: Thinker, mind: Mind) -> Mind:
    """Return the mind with the rest of today's appointments in its plan; sleep is kept."""
    if mind.plan is None or mind.plan.day != day_of(me.surroundings.at):
        return mind
    blocks = mind.plan.blocks
    for event, spot in todays(me, mind):
        is_over = event.start < minute_of(me.surroundings.at)
        if is_over or is_sleep(block_at(blocks, event.start).activity):
            continue
        block = Block(
            start=event.start,
            minutes=event.end - event.start,
            activity=event.activity,
            source=PROMISE,
            spot=spot,
        )
        blocks = splice(blocks, event.start, event.end, [block])
    return replace(mind, plan=replace(mind.plan, blocks=blocks))


def todays(me: Thinker, mind: Mind) -> tuple[tuple[DatedEvent, Spot | None], ...]:
    """Return today's appointments as events of the day, each with its place if that is known."""
    today = day_of(me.surroundings.at)
    found = []
    for each in mind.appointments:
        if each.day != today:
            continue
        block = Block(start=each.start, minutes=each.end - each.start, activity=each.activity)
        task = task_of(me.persona, each.activity, "")
        is_known = each.place in mind.places and not broken_rule(me, block, each.place)
        spot = replace(spot_of(task, each.place, ""), by_rule=True) if is_known else None
        event = DatedEvent(each.start, each.end, each.activity, False, False, AGREED)
        found.append((event, spot))
    return tuple(found)
