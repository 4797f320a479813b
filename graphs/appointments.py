"""Agreements: recorded from a talk, told to the others, met, missed and spoken of again.

What people agree on is the model's answer to `conclude_talk`; code keeps its time, place and
record. What one side has recorded reaches the others through the world, when its thought is
committed, and stays beside their own record until they plan that day or meet again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from smolville.agents.action import Talk
from smolville.agents.english import stems
from smolville.agents.memory import for_plans
from smolville.agents.mind import Appointment, Mind, are_alike, with_appointment
from smolville.agents.places import arena_of, join_address, sector_of
from smolville.agents.times import at_of, clock, date_text, day_of, minute_of
from smolville.agents.wording import join_words
from smolville.graphs.agreed_plan import with_agreed_today, without_rest
from smolville.graphs.components import OBSERVATION
from smolville.graphs.context import Thinker
from smolville.graphs.draft import Draft
from smolville.graphs.frame import WAIT
from smolville.parsers.conclude_talk import Agreement, day_labels

DAYS = 7
"""Number of days, from today on, for which something can be agreed."""
ROOMS = 8
"""Maximum number of places offered for an agreement."""
IMPORTANCE = 6
"""Importance, by rule, of the memory of an agreement, and of one that somebody did not come to."""
EARLY = 20
"""Minutes before an agreed time from which people who meet are there for it."""
AT_HAND = 5
"""Minutes before an agreed time from which people who meet look out for each other."""
LATE = 180
"""Minutes after an agreed time within which a talk of those who meet is about it."""
SHOWN = 6
"""Maximum number of agreements that a prompt shows."""
_ANY = stems("house home town shop room place corner street square main floor the")
"""Stems in names of places that do not identify a place by themselves."""
_PRIVATE = stems("bedroom bathroom restroom washroom toilet")


def dates_offered(me: Thinker) -> tuple[str, ...]:
    """Return the dates for which something can be agreed, from today on."""
    around = me.surroundings
    today = day_of(around.at)
    return tuple(date_text(around.start_date, day) for day in range(today, today + DAYS))


def places_offered(
    me: Thinker, mind: Mind, people: Sequence[str], told: str, here: str, most: int = ROOMS
) -> tuple[str, ...]:
    """Return known places where people may meet: here, those that `told` names, homes and work.

    A place is a room, or a spot in it if `told` names the spot.
    """
    said = stems(told)
    own = (sector_of(me.persona.home), sector_of(me.persona.work or ""))
    work = stems(" ".join(me.persona.relationships.get(name, "") for name in people))
    ranked: list[tuple[int, str]] = []
    for arena, known in mind.places.items():
        room = arena.partition(": ")[2]
        is_theirs = set(known.owners) & {me.name, *people}
        if stems(room) & _PRIVATE or (known.owners and not is_theirs):
            continue
        score = 8 * (arena == here) + 3 * (sector_of(arena) == sector_of(here))
        score += 6 * bool((stems(sector_of(arena)) - _ANY) & said)
        score += 3 * bool((stems(room) - _ANY) & said)
        score += 2 * bool((stems(sector_of(arena)) - _ANY) & work)
        score += 2 * bool(is_theirs) + 2 * (sector_of(arena) in own)
        ranked.append((-score, arena))
        named = [name for name in known.objects if (stems(name) - _ANY - stems(arena)) & said]
        if score >= 6:
            ranked += [(-score, join_address(arena, name)) for name in named[:2]]
    return tuple(place for score, place in sorted(ranked)[:most] if score)


def read_agreements(
    me: Thinker, talk: Talk, agreements: Iterable[Agreement]
) -> tuple[Appointment, ...]:
    """Return what was agreed in a talk that has just ended, as its day's appointments."""
    today, labels = day_of(me.surroundings.at), day_labels(dates_offered(me))
    found = []
    for each in agreements:
        if each.day not in labels or not 1 <= each.line <= len(talk.lines):
            continue
        line = talk.lines[each.line - 1]
        found.append(
            Appointment(
                day=today + labels.index(each.day),
                start=each.time,
                partners=tuple(name for name in each.who if name != me.name),
                place=each.place or "",
                what=each.what,
                who=tuple(each.who),
                speaker=line.speaker,
                said=line.text,
                at=me.surroundings.at,
                heard=talk.participants,
            )
        )
    return tuple(found)


def with_claims(me: Thinker, mind: Mind) -> Mind:
    """Return the mind with what others recorded of its talks, as far as it did not do so itself."""
    kept, today = mind.appointments, day_of(me.surroundings.at)
    for each in me.surroundings.body.claims:
        kept = with_appointment(kept, each, today)
    return with_agreed_today(me, replace(mind, appointments=kept), mind.appointments)


def in_words(me: Thinker, each: Appointment, *, is_kept: bool) -> str:
    """Return an agreement as a dated fact in the third person, with its line if not kept itself."""
    others = [name for name in each.heard if name != me.name]
    what = f"{each.what} on {_when(me, each)}{_where(each)}"
    if each.is_of(me.name):
        together = f"{join_words(each.who)}, " if len(each.who) > 1 else ""
        told = f"{for_plans(me.name)}{together}{what}"
        absent = [name for name in others if name not in each.who]
        told += f", agreed with {join_words(absent)}." if absent else "."
    else:
        told = f"{join_words(each.who)} agreed with {me.name}: {what}."
    return told if is_kept else f'{told} {each.speaker} said: "{each.said}"'


def _when(me: Thinker, each: Appointment) -> str:
    """Return day and hour of an agreement: `Tuesday 7 May at 17:00`."""
    date = date_text(me.surroundings.start_date, each.day)
    return date if each.start is None else f"{date} at {clock(each.start)}"


def _where(each: Appointment) -> str:
    place = each.place or each.where
    return f" ({place})" if place else ""


def _doers(me: Thinker, each: Appointment) -> str:
    """Return who does what was agreed, as the person itself is told: `you and Ben Hollis`."""
    who = each.who or (me.name, *each.partners)
    return join_words([*(["you"] if me.name in who else []), *(n for n in who if n != me.name)])


def agreed_soon(me: Thinker, mind: Mind) -> tuple[str, ...]:
    """Return what was agreed for the rest of today and for tomorrow, one line each.

    What was agreed with several people is told once. If there is too much, what only others do is
    left out first.
    """
    today, found = day_of(me.surroundings.at), list[Appointment]()
    for each in mind.appointments:
        if each.by or each.done or _is_over(me, each) or each.day > today + 1:
            continue
        same = next((known for known in found if each.is_beside(known)), None)
        if same is None:
            found.append(each)
        else:
            who = tuple(dict.fromkeys((*same.who, *each.who)))
            found[found.index(same)] = replace(same, who=who)
    first = sorted(found, key=lambda each: not each.is_of(me.name))[:SHOWN]
    return tuple(_soon_in_words(me, each) for each in found if each in first)


def _soon_in_words(me: Thinker, each: Appointment) -> str:
    day = "today" if each.day == day_of(me.surroundings.at) else "tomorrow"
    hour = "at no certain hour" if each.start is None else clock(each.start)
    hour += "" if each.end is None else f"-{clock(each.end)}"
    return f"{day}, {hour}: {_doers(me, each)}, {each.activity}{_where(each)}"


def agreed_with(me: Thinker, mind: Mind, names: Sequence[str]) -> tuple[str, ...]:
    """Return what was agreed with people in earlier talks, for their next talk, one line each.

    What is over is left out, except for what they were to do together and did not meet for.
    """
    found = list[str]()
    for each in mind.appointments:
        absent = [name for name in each.partners if name not in each.met] if each.is_joint else []
        is_over = _is_over(me, each)
        came_to_nothing = is_over and bool(absent) and each.start is not None
        is_theirs = bool({*each.heard, *each.partners} & set(names))
        if not is_theirs or (is_over and not came_to_nothing and not each.done):
            continue
        told = f"{_doers(me, each)}: {each.activity}, {_when(me, each)}{_where(each)}."
        if each.said:
            speaker = "You" if each.speaker == me.name else each.speaker
            told = f'{told} {speaker} said: "{each.said}"'
        if each.by:
            told = f"{each.by} understood it so: {told}"
        found.append(f"{told}{_outcome(each, absent, came_to_nothing)}")
    return tuple(found[:SHOWN])


def _outcome(each: Appointment, absent: Sequence[str], came_to_nothing: bool) -> str:
    if each.done:
        return " You have done it."
    if each.missed and not each.by:
        return f" You waited there, and {join_words(absent)} did not come."
    if came_to_nothing and not each.by:
        return f" It came to nothing: you did not meet {join_words(absent)} there."
    return ""


def _is_over(me: Thinker, each: Appointment) -> bool:
    """Return whether the time of an agreement is past; without an hour, it has its whole day."""
    if each.start is None:
        return each.day < day_of(me.surroundings.at)
    end = each.start + WAIT if each.end is None else each.end
    return at_of(each.day, end) <= me.surroundings.at


def is_awaited(me: Thinker, mind: Mind, name: str) -> bool:
    """Return whether it is time to meet a person as agreed, and they have not talked there yet."""
    at, today = me.surroundings.at, day_of(me.surroundings.at)
    for each in mind.appointments:
        if each.day != today or each.start is None or name not in each.partners:
            continue
        begins, last = at_of(today, each.start), at_of(today, each.start + WAIT)
        met = max(mind.talked.get(name, -1), mind.considered.get(name, -1))
        if begins - 60 * AT_HAND <= at <= last and met < begins - 60 * EARLY:
            return True
    return False


def after_talk(me: Thinker, mind: Mind, others: Sequence[str]) -> tuple[Mind, str]:
    """Return the mind after a talk with others, and what they had met for; empty for nothing.

    What had come to nothing was spoken of now.
    """
    at, today = me.surroundings.at, day_of(me.surroundings.at)
    kept, met_for = list[Appointment](), ""
    for each in mind.appointments:
        here = tuple(name for name in each.partners if name in others)
        start = None if each.start is None else at_of(each.day, each.start)
        if not here or start is None:
            kept.append(each)
        elif each.day == today and start - 60 * EARLY <= at <= start + 60 * LATE:
            kept.append(replace(each, met=tuple(dict.fromkeys((*each.met, *here))), missed=False))
            if each.is_of(me.name) and not each.by:
                met_for = each.activity
        elif start > at:
            kept.append(each)
    return replace(mind, appointments=tuple(kept)), met_for


def notice_partners(me: Thinker, mind: Mind, draft: Draft) -> tuple[Mind, Draft]:
    """Return mind and draft after a look around for those with whom something is agreed now.

    Whoever comes in time is noted. Whoever has waited for half an hour, and for nobody, remembers
    that.
    """
    around = me.surroundings
    today, minute, body = day_of(around.at), minute_of(around.at), around.body
    sight = {each.subject for each in around.percepts if each.is_person}
    kept = []
    for each in mind.appointments:
        start = each.start
        if _is_done(me, each):
            mind, each = without_rest(me, mind, each), replace(each, done=True)
        is_here = body.arrived and (_is_at(each, body.place) or each.activity in body.doing)
        if each.day != today or start is None or each.missed or not is_here:
            kept.append(each)
            continue
        came = [name for name in each.partners if name in sight]
        if start - EARLY <= minute <= start + WAIT + EARLY:
            each = replace(each, met=tuple(dict.fromkeys((*each.met, *came))))
        absent = [name for name in each.partners if name not in each.met]
        is_late = start + WAIT <= minute <= start + LATE
        if absent and each.is_joint and is_late and not each.by:
            each = replace(each, missed=True)
            mind, draft = _with_wait(me, mind, draft, join_words(absent), clock(start))
        kept.append(each)
    return replace(mind, appointments=tuple(kept)), draft


def _with_wait(
    me: Thinker, mind: Mind, draft: Draft, absent: str, since: str
) -> tuple[Mind, Draft]:
    if not me.has(OBSERVATION):
        return mind, draft
    place = me.surroundings.body.place
    draft, made = draft.with_memory(
        me,
        "event",
        f"{me.name} waited for {absent} at {place} from {since}, and {absent} did not come",
        step="perceive",
        triple=(me.name, "waits for", absent),
        importance=IMPORTANCE,
    )
    return replace(mind, gathered=mind.gathered + (IMPORTANCE if made else 0)), draft


def _is_done(me: Thinker, each: Appointment) -> bool:
    """Return whether the person does now what it alone has promised for today."""
    body = me.surroundings.body
    if each.done or each.by or each.is_joint or not each.is_of(me.name) or not body.arrived:
        return False
    is_today = each.day == day_of(me.surroundings.at)
    return is_today and (each.activity in body.doing or are_alike(each.activity, body.doing))


def _is_at(each: Appointment, place: str) -> bool:
    """Return whether a place is that of an agreement: the same room, or its building."""
    agreed = arena_of(each.place) if each.place else ""
    return agreed == place or (": " not in agreed and agreed == sector_of(place) != "")
