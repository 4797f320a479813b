"""Ideas of fitting length for the gaps of a day that a small model plans."""

from collections.abc import Sequence
from dataclasses import replace

from agents.plan import Block, is_sleep
from agents.times import DAY
from graphs.activities.filling import free_time, ideas_for, kind_for
from graphs.activities.kinds import Kind, kind, kind_with_phrase
from graphs.frame.day import TimetableEntry, gaps
from graphs.frame.errands import OPENING
from graphs.prompt_inputs import PersonaInput
from models.standin.rule import Dice
from models.standin.words import stems

MOST_IDEAS = 3
"""Maximum number of ideas for a part of a day."""
_MEALS = stems("breakfast lunch dinner supper eating meal")
_WRITERS = stems("writer author poet poem memoir memory column article essay newsletter")
"""Words that describe people who write in their free time."""
_ONLY_FOR = {"writing": _WRITERS, "garden": stems("garden gardener plants flowers allotment roses")}
"""Kinds of free time that only some people like, with the words that describe these people."""
_ELDERLY = 65
_NIGHT = 20 * 60
"""Minute of the day before which no evening activity that mentions the night is offered."""
_OUTDOORS = ("walk", "garden", "exercise")
"""Kinds of free time that are not planned for a rainy day."""
_NOON = 12 * 60
_SHOPS_OPEN = 7 * 60 + 30
"""Minute of the day before which nobody goes shopping or to see friends."""
_HOURLY = 80
"""Length in minutes that an idea must be able to fill if the gap is that long."""
_FILM = 75
"""Minimum minutes of free time for a film."""
_LONG_HOUR = 90
"""Maximum minutes of an activity that is still called an hour."""
_LEAST_LEFT = 30
"""Minimum minutes left of a gap for something else to be done in them."""
_TURNS = 3
_WITHOUT_PARTS = ("puzzle", "yoga", "radio", "meeting people in town")
"""Words that exclude an idea: games are chess or cards, exercise is running, evenings are for
films. "Town" would send people to the Town Hall."""


def ideas_for_parts(
    blocks: Sequence[Block],
    parts: Sequence[tuple[str, int]],
    me: PersonaInput,
    dice: Dice,
    errand: str = "",
    party: str = "",
    *,
    is_wet: bool = False,
    out_of_reach: frozenset[str] = frozenset(),
) -> tuple[tuple[str, ...], ...]:
    """Return the options for each part of a day: ideas for its free time, else its main activity.

    A part has a name and a start minute. Free time that ends when a shop opens is kept for the
    `errand`, if there is one. If the person gives a `party` tomorrow, the first part with free time
    from noon is kept for preparing it. `out_of_reach` holds the kinds of activity for which the
    person knows no place.
    """
    avoided = out_of_reach | (frozenset(_OUTDOORS) if is_wet else frozenset())
    taken = set(avoided) | _kinds_of(blocks, me)
    found: list[tuple[str, ...]] = []
    for (_, first), (_, last) in zip(parts, [*parts[1:], ("", DAY)], strict=True):
        free = next((gap for gap in gaps(blocks) if first <= gap.start < last), None)
        if free is not None:
            before = next((each.activity for each in blocks if each.end == free.start), "")
            after = next((each.activity for each in blocks if each.start == free.end), "")
            if errand and after.startswith(OPENING):
                found.append((errand,))
            elif party and free.start >= _NOON and (party,) not in found:
                found.append((party,))
            else:
                ideas = fitting_ideas(free, before, me, taken, dice, avoided)
                said = {each for part in found for each in part}
                found.append(tuple(each for each in ideas if each not in said) or ideas)
            continue
        awake = [each for each in blocks if not is_sleep(each.activity)] or list(blocks)
        held = [each for each in awake if first <= each.start < last] or awake
        longest = max(held, key=lambda each: (each.minutes, -each.start))
        found.append((longest.activity,))
    return tuple(found)


def _kinds_of(blocks: Sequence[Block], me: PersonaInput) -> set[str]:
    """Return the kinds of activity already in a day, so that they are not offered again."""
    sorts = (kind_for(each.activity, me) for each in blocks if each not in gaps(blocks))
    return {sort.name for sort in sorts if sort is not None}


def fitting_ideas(
    gap: Block,
    before: str,
    me: PersonaInput,
    taken: set[str],
    dice: Dice,
    avoided: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return ideas whose usual length fills a gap, of kinds that are not in `taken`.

    `before` is the activity before the gap. If nothing else is left, taken kinds are offered again,
    but never the `avoided` ones.
    """
    tried, ideas, short = set(taken), dict[str, str](), dict[str, str]()
    for turn in range(_TURNS):
        for each in free_time(TimetableEntry(gap.start, gap.end, "", turn), me, tried, dice):
            sort = kind_with_phrase(each.activity)
            if sort is not None and _suits(each.activity, sort, gap, before, me):
                found = ideas if _lasts(each.activity, sort, gap) else short
                found.setdefault(each.activity, sort.name)
    ideas = ideas or _without_hours(short, gap)
    if not ideas and taken - avoided:
        # All kinds of free time have had their turn: they may be offered once more.
        return fitting_ideas(gap, before, me, set(avoided), dice, avoided)
    if not ideas:
        return ideas_for(gap.start, gap.end, me, taken, dice)[:MOST_IDEAS]
    kept = list(ideas)[:MOST_IDEAS]
    taken |= {ideas[each] for each in kept}
    return tuple(kept)


def _without_hours(ideas: dict[str, str], gap: Block) -> dict[str, str]:
    """Return the ideas for a gap; if the gap is long, their texts do not have the word `hour`."""
    if gap.minutes <= _LONG_HOUR:
        return ideas
    plain = {
        (kind(sort).phrases[0] if "hour" in activity else activity): sort
        for activity, sort in ideas.items()
    }
    return plain


def _lasts(activity: str, sort: Kind, gap: Block) -> bool:
    """Return whether an activity can fill a gap and its name suggests no shorter time."""
    # Who gets up half an hour earlier than usual has a longer gap.
    is_short = sort.longest < min(gap.minutes + 30, _HOURLY)
    return not is_short and ("hour" not in activity or gap.minutes <= _LONG_HOUR)


def _suits(activity: str, sort: Kind, gap: Block, before: str, me: PersonaInput) -> bool:
    """Return whether an activity suits the person and the time of the gap."""
    about = stems(f"{me.innate} {me.learned} {me.currently} {me.lifestyle}")
    is_early = gap.start < _NIGHT and "night" in activity
    is_dark = sort.name == "walk" and gap.start >= _NIGHT
    is_unknown = any(each in activity for each in _WITHOUT_PARTS)
    is_snack = sort.name == "coffee" and bool(stems(before) & _MEALS)
    is_foreign = not about & _ONLY_FOR.get(sort.name, about)
    is_closed = sort.name in ("shopping", "friends") and gap.start < _SHOPS_OPEN
    is_lonely = sort.name == "games"
    is_cut_off = "film" in activity and gap.minutes < _FILM
    is_tiring = sort.name == "exercise" and me.age >= _ELDERLY
    is_late = is_closed or is_dark or is_early or is_cut_off
    return not (is_late or is_lonely or is_unknown or is_snack or is_foreign or is_tiring)


def with_wishes(
    blocks: tuple[Block, ...], strokes: tuple[tuple[int, str], ...], me: PersonaInput
) -> tuple[Block, ...]:
    """Return a day with wishes entered into its gaps, each for its usual length."""
    wishes, found = dict(strokes), list[Block]()
    for block in blocks:
        wish = wishes.get(block.start) if block in gaps(blocks) else None
        if wish is None:
            found.append(block)
            continue
        minutes = _lasting(block, wish, me)
        found.append(Block(start=block.start, minutes=minutes, activity=wish))
        if minutes < block.minutes:
            left = block.minutes - minutes
            found.append(replace(block, start=block.start + minutes, minutes=left))
    return tuple(found)


def _lasting(gap: Block, activity: str, me: PersonaInput) -> int:
    """Return the minutes of a gap that an activity fills.

    The activity lasts as long as its kind allows. It also fills a rest of less than 30 minutes.
    """
    sort = kind_with_phrase(activity) or kind_for(activity, me)
    most = sort.longest // 15 * 15 if sort is not None else gap.minutes
    return most if most and gap.minutes - most >= _LEAST_LEFT else gap.minutes
