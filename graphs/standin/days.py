"""The stand-in's rules for a day: its outline, hours and subtasks, and the revised identity."""

import re
from collections.abc import Sequence

from smolville.agents.times import DAY, minute_at
from smolville.graphs.activities.kinds import LONGEST, free_time, kind_for, names_of, split
from smolville.graphs.frame import TimetableEntry
from smolville.graphs.standin.happenings import TALKED, ToldEvent, event_in, happenings
from smolville.graphs.standin.memory import importance_of
from smolville.graphs.standin.places import ERRAND
from smolville.graphs.standin.spoken_times import clock, is_over, minute_of
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import clip, full_stop, sentences, stems
from smolville.parsers.decompose import DecomposeInput
from smolville.parsers.plan_day import MOST_DATED, PlanDayInput
from smolville.parsers.plan_hours import PlanHoursInput
from smolville.parsers.prompt_inputs import PersonaInput
from smolville.parsers.replan import ReplanInput
from smolville.parsers.revise_identity import ReviseIdentityInput

DAWN, LATE = 270, 1290
"""Earliest and latest minute of the day for attending an event."""
_LEAST = 12
"""Minimum number of characters of a text about the day."""

_PARTS = (("morning", 360), ("afternoon", 720), ("evening", 1080))

_GO = re.compile(
    r"\b(?:go|walk|run|head|hurry) (?:over |straight |back |down |up |now )*to (?:the )?"
    r"([A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"
)
_NOT = re.compile(r"\b(?:not|never|don't|don’t)\b", re.IGNORECASE)
_MOST = 12
_IDLE = ("doing nothing for once", "looking out of the window", "humming a tune", "daydreaming")
"""Activities for a gap if all that a person likes is in the day already."""


def plan_day(inputs: PlanDayInput, dice: Dice) -> RuleAnswer:
    """Return the time to wake up, every promise for today, and the purpose of each part."""
    me, wakes = inputs.me, inputs.wakes
    usual = wakes[len(wakes) // 2]
    wake = dice.pick((*wakes, usual, usual, usual), "wake")
    taken: set[str] = set()
    aims = {}
    for name, start in _PARTS:
        (aim, *_) = free_time(TimetableEntry(start, start + 60, "", 0), me, taken, dice)
        aims[name] = aim.activity
    kept = [each.number for each in inputs.promises]
    dated = [_dated(event, inputs) for event in _events(inputs)]
    answer = {"wake": wake, "go_to": kept, "dated": dated, **aims}
    used = (me.lifestyle, inputs.requirement, *(each.activity for each in inputs.promises))
    return RuleAnswer(answer, used)


def _events(inputs: PlanDayInput) -> list[ToldEvent]:
    """Return the events of the day that my concerns and memories tell."""
    found = happenings(inputs.me, inputs.date, inputs.memories, inputs.requirement)
    return [each for each in found if DAWN <= each.start < LATE][:MOST_DATED]


def _dated(event: ToldEvent, inputs: PlanDayInput) -> dict[str, object]:
    """Return an event as an item of the answer, with its place if one offered is named."""
    told = stems(event.source)
    places = [each for each in inputs.places if stems(each.split(": ")[0]) <= told]
    return {
        "what": clip(event.activity, 120),
        "start": clock(event.start),
        "end": clock(event.end) if event.end < DAY else None,
        "place": places[0] if places else None,
    }


def plan_hours(inputs: PlanHoursInput, dice: Dice) -> RuleAnswer:
    """Return activities for each gap: what the person wants, then leisure that it likes.

    Work holds what is wanted in its part of the day and found no free time there.
    """
    taken: set[str] = set()
    used = {each.activity for each in inputs.stands}
    left = list(inputs.wants)
    answer: dict[str, list[str]] = {}
    for gap in sorted(inputs.gaps, key=lambda each: each.work != ""):
        start = minute_at(gap.time[:5])
        part = next(name for name, first in reversed(_PARTS) if start >= first or first == 360)
        wanted = [each for each in left if part in each.time][: gap.most]
        left = [each for each in left if each not in wanted]
        phrases = [each.activity for each in wanted]
        if not gap.work:
            span = TimetableEntry(start, minute_of(gap.time), "", 0)
            phrases += [entry.activity for entry in free_time(span, inputs.me, taken, dice)]
        found = _not_used(phrases, used, gap.most)
        answer[gap.letter] = found if found or gap.work else _not_used(_IDLE, used, 1)
    return RuleAnswer(
        {gap.letter: answer[gap.letter] for gap in inputs.gaps},
        tuple(each.activity for each in inputs.wants),
    )


def revise_identity(inputs: ReviseIdentityInput, dice: Dice) -> RuleAnswer:
    """Return a person's current concerns, and the requirement for today."""
    me = inputs.me
    old = _not_over(sentences(me.currently), me, inputs.date)
    by_importance = sorted(
        (memory for memory in inputs.memories if TALKED not in memory.text),
        key=lambda memory: (-importance_of(memory.text, me), memory.number),
    )
    known = stems(me.currently)
    new = [
        memory.text
        for memory in by_importance
        if len(stems(memory.text) - known) > 2 and memory.text[:2] not in ("I ", "My")
    ]
    thoughts = [full_stop(text) for text in new[:2] if importance_of(text, me) >= 4]
    currently = clip(old[0] if old else me.name, 400)
    for thought in (*thoughts, *old[1:2]):
        if len(currently) + len(thought) < 400:
            currently = f"{currently} {thought}"
    events = happenings(me, inputs.date, inputs.memories)
    extra = [f"{me.first_name} is {event.activity} at {clock(event.start)}." for event in events]
    more = clip(" ".join(extra), 160)
    requirement = f"{clip(full_stop(inputs.usual), 295 - len(more))} {more}".strip()
    used = [event.source for event in events] + new[:2]
    if len(currently) < _LEAST:
        currently = f"{me.first_name} has this in mind: {currently}"
    if len(requirement) < _LEAST:
        requirement = f"As on any day: {requirement}"
    return RuleAnswer(
        {"currently": currently, "requirement": requirement},
        (inputs.usual, me.currently, *used),
    )


def _not_over(told: Sequence[str], me: PersonaInput, date: str) -> Sequence[str]:
    """Return the concerns; one about a past event is replaced by a memory of the event."""
    if not told or not is_over(told[0], f"{date}, 00:00"):
        return told
    event = event_in(told[0]) or "last days"
    return [f"{me.name} is still thinking of the {event}."]


def _not_used(phrases: Sequence[str], used: set[str], most: int) -> list[str]:
    """Return the first activities that were not used before."""
    activities = dict.fromkeys(clip(phrase, 80) for phrase in phrases)
    fresh = [each for each in activities if each not in used][:most]
    used.update(fresh)
    return fresh


def decompose(inputs: DecomposeInput, dice: Dice) -> RuleAnswer:
    """Return the subtasks of a block that is about to start."""
    return _divide_activity(inputs.activity, inputs.minutes, inputs.me, dice)


def replan(inputs: ReplanInput, dice: Dice) -> RuleAnswer:
    """Return new subtasks for the time left: the unfinished ones, as far as they fit."""
    minutes = inputs.minutes
    left = [task.activity for task in inputs.tasks]
    names = list(dict.fromkeys(left))[: max(1, min(_MOST, minutes // 10))]
    used = (*names, inputs.activity)
    place = _errand_in(inputs.reason)
    if not names or len(names) * LONGEST < minutes:
        draft = _divide_activity(inputs.activity, minutes, inputs.me, dice)
        if not place:
            return draft
        names, used = [row["activity"] for row in draft.answer["subtasks"]], draft.used
    if place:
        names = [f"{ERRAND}the {place}", *names][: len(names)]
        used = (place, *(text for text in used if text in (*names, inputs.activity)))
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, used)


def _errand_in(reason: str) -> str:
    """Return the place to go to according to a reason, or an empty text."""
    found = _GO.search(reason)
    if found is None or _NOT.search(reason[: found.start()]):
        return ""
    return found[1][:80].strip()


def _divide_activity(activity: str, minutes: int, me: PersonaInput, dice: Dice) -> RuleAnswer:
    """Return an activity as subtasks of about 10 to 30 minutes."""
    sort = kind_for(activity, me)
    if sort is not None and sort.name == "sleep":
        count = max(1, -(-minutes // LONGEST))
        names = [activity] * min(count, _MOST)
    else:
        count = _count(minutes, dice)
        if sort is not None:
            count = max(min(count, len(sort.tasks) * 8 // 5), -(-minutes // LONGEST))
        names = names_of(activity, sort.tasks if sort else (), count, dice)
    return RuleAnswer({"subtasks": _rows(names, split(minutes, len(names), dice))}, (activity,))


def _count(minutes: int, dice: Dice) -> int:
    """Return a suitable number of subtasks for a block."""
    size = dice.pick((11, 12, 13, 14, 15), "size")
    least = -(-minutes // LONGEST)
    return max(1, least, min(_MOST, round(minutes / size), minutes // 5))


def _rows(names: list[str], sizes: list[int]) -> list[dict[str, object]]:
    """Return subtasks and their minutes as the items of an answer."""
    return [
        {"activity": clip(name, 120), "minutes": size}
        for name, size in zip(names, sizes, strict=True)
    ]
