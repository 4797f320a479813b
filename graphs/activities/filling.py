"""Fill time: a known kind of activity with its usual parts, free time with leisure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.plan import Block, is_sleep
from agents.times import DAY
from graphs.activities.kinds import Kind, kind, kind_of, kind_with_phrase
from graphs.frame.day import TimetableEntry, gaps
from graphs.frame.life import background_of, place_in
from graphs.prompt_inputs import PersonaInput
from models.standin.rule import Dice
from models.standin.words import clip, lower_first, stems

LONGEST = 60
"""Minutes that one part takes at most, if there may be as many parts as that requires."""
MOST_IDEAS = 3
"""Ideas for a part of a day at most."""
_OPEN_HOUSES = stems("cafe café bakery pub inn bar restaurant tearoom")
_ALWAYS = ("eating", "getting dressed")
"""How the parts begin that an activity never goes without."""
_HELPS = re.compile(r"help(?:ing)?\b", re.IGNORECASE)
_MEALS = stems("breakfast lunch dinner supper eating meal")
_WRITERS = stems("write writing writer author poet poem memoir memoirs column article essay")
"""Words of people who write in their free time."""
_ONLY_FOR = {"writing": _WRITERS, "garden": stems("garden gardener plants flowers allotment roses")}
"""By kind of free time, words about those who spend it so."""
_ELDERLY = 65
_NIGHT = 20 * 60
"""Minute of the day before which nobody winds down for the night."""
_HOURLY = 80
"""Minutes that an idea must be able to fill, in a gap that is as long."""
_LEAST_LEFT = 45
"""Minutes of the rest of a gap from which on something else is done in it."""
_TURNS = 3
_CHOICE = re.compile(r"\{([^{}]*)\}")

_MORNING = ("cleaning", "reading", "garden", "walk", "exercise", "writing", "coffee", "shopping")
_DAYTIME: tuple[str, ...] = (
    "shopping",
    "friends",
    "walk",
    "coffee",
    "cleaning",
    "garden",
    "reading",
    "exercise",
)
_DAYTIME += ("music", "painting", "writing", "games")
_LEARNT = ("music", "painting", "writing")
"""What only those do whose words speak of it."""
_EVENING = ("rest", "reading", "television", "friends", "games", "walk", "music", "writing")


def fill_phrase(
    phrase: str, dice: Dice, *name: object, about: str = "", else_about: str = ""
) -> str:
    """Return a phrase with each `{a|b}` resolved, preferring the option that `about` mentions.

    Where it mentions none of them, those that `else_about` mentions are preferred.
    """
    if "{" not in phrase:
        return phrase

    def choose_option(found: re.Match[str]) -> str:
        options = found[1].split("|")
        told = [option for option in options if stems(option) & stems(about)]
        told = told or [option for option in options if stems(option) & stems(else_about)]
        return str(dice.pick(told or options, found[1], *name))

    return _CHOICE.sub(choose_option, phrase)


def kind_for(activity: str, me: PersonaInput) -> Kind | None:
    """Return the kind of an activity; preparing for guests and visiting others have own kinds."""
    if activity.startswith("preparing the "):
        return kind("party_preparing")
    sort = kind_of(activity, background_of(me))
    place = place_in(activity).removeprefix("the ")
    if sort is None or not place or place in me.home:
        return sort
    if sort.name in ("breakfast", "lunch", "dinner"):
        return kind("eating_out")
    is_among_guests = sort.name == "rest" and bool(stems(place) & _OPEN_HOUSES)
    return kind("coffee") if is_among_guests else sort


def parts_known(
    activity: str,
    me: PersonaInput,
    dice: Dice,
    *,
    opens: bool = True,
    closes: bool = True,
    is_whole: bool = False,
) -> tuple[str, ...]:
    """Return the usual parts of an activity in order; empty if none are known.

    A shop is opened once a day and closed once, so the caller says whether this activity `opens` or
    `closes` the working day. Where all of them make up one activity (`is_whole`), what one part
    speaks of, cards or chess, the others do too. Somebody who only helps others gets no parts,
    since they do not do everything alone.
    """
    sort = kind_for(activity, me)
    if sort is None or sort.name == "sleep" or (_HELPS.match(activity) and not sort.is_job):
        return ()
    found: list[str] = []
    for at, task in enumerate(sort.tasks):
        if (opens or task not in sort.opening) and (closes or task not in sort.closing):
            others = " ".join(found) if is_whole else ""
            name = ("part", at)
            found.append(fill_phrase(task, dice, *name, about=activity, else_about=others))
    return tuple(found)


def names_of(activity: str, tasks: Sequence[str], count: int, dice: Dice) -> list[str]:
    """Return `count` parts of an activity, in the order of the `tasks` that belong to it."""
    if count == 1:
        return [clip(activity, 120)]
    if not tasks:
        return _plain(activity, count)
    names: list[str] = []
    while len(names) < count:
        turn = len(names)
        order = dice.shuffled(range(len(tasks)), "tasks", turn)
        if not turn:
            # Eating and getting dressed are always parts, whatever else there is time for.
            order.sort(key=lambda at: not tasks[at].startswith(_ALWAYS))
        picked = sorted(order[: count - turn])
        names += [_word_task_anew(tasks[at], activity, names, dice) for at in picked]
    return [_add_part_place(name, activity, names[:at]) for at, name in enumerate(names)]


def split(minutes: int, count: int, dice: Dice) -> list[int]:
    """Return `count` lengths that sum to `minutes`: multiples of 5 up to 60 where that fits."""
    if count == 1:
        return [minutes]
    units, rest = divmod(minutes, 5)
    longest = max(LONGEST // 5, -(-units // count))
    least = 2 if units >= 2 * count else 1
    lengths = [least] * count
    for at in range(units - least * count):
        free = [place for place in range(count) if lengths[place] < longest]
        lengths[dice.pick(free, "unit", at)] += 1
    sizes = [length * 5 for length in lengths]
    shortest = min(range(count), key=lambda place: (sizes[place], place))
    sizes[shortest] += rest
    return sizes


def _word_task_anew(task: str, activity: str, before: list[str], dice: Dice) -> str:
    """Return a task in a wording that is not in `before` yet, if it has one."""
    spoken_tasks = [fill_phrase(task, dice, len(before), turn, about=activity) for turn in range(4)]
    return next((each for each in spoken_tasks if each not in before), spoken_tasks[0])


def _add_part_place(name: str, activity: str, before: list[str]) -> str:
    """Return a part's name; if it is in `before`, with its place or `again` added."""
    if name not in before:
        return name
    place = place_in(activity)
    again = f"{name} at {place}" if place and f"{name} at {place}" not in before else ""
    more = f"{name} again" if f"{name} again" not in before else f"{name} once more"
    return clip(again or more, 120)


def _plain(activity: str, count: int) -> list[str]:
    """Return generic parts of an activity of an unknown kind."""
    activity = clip(lower_first(activity), 90)
    forms: tuple[str, ...] = (
        "getting ready for {}",
        "{}",
        "going on with {}",
        "taking a short break from {}",
    )
    forms += ("looking over what is done of {}", "finishing {}")
    chosen = [*forms[: count - 1], forms[-1]] if count <= len(forms) else list(forms)
    while len(chosen) < count:
        chosen.insert(-1, forms[1 + len(chosen) % 2])
    return [form.format(activity) for form in chosen]


def free_time(
    gap: TimetableEntry, me: PersonaInput, taken: set[str], dice: Dice
) -> list[TimetableEntry]:
    """Fill a gap with activities of at most two hours each; kinds in `taken` are not repeated."""
    entries: list[TimetableEntry] = []
    start = gap.start
    while gap.end - start >= 15:
        minutes = _length(gap.end - start, dice, start)
        chosen = _choice(start, me, taken, dice)
        taken.add(chosen.name)
        phrase = fill_phrase(dice.pick(chosen.phrases, "free", start), dice, "free", start)
        entries.append(TimetableEntry(start, start + minutes, phrase, 1))
        start += minutes
    return entries


def ideas_for(
    start: int, end: int, me: PersonaInput, taken: set[str], dice: Dice
) -> tuple[str, ...]:
    """Return ideas for a gap, about twice as many as fill it; kinds in `taken` are not repeated."""
    gap = TimetableEntry(start, end, "", 0)
    found = [*free_time(gap, me, taken, dice), *free_time(gap, me, taken, dice)]
    return tuple(dict.fromkeys(entry.activity for entry in found))


def ideas_for_parts(
    blocks: Sequence[Block], parts: Sequence[tuple[str, int]], me: PersonaInput, dice: Dice
) -> tuple[tuple[str, ...], ...]:
    """Return what each part of a day may be for: ideas for its free time, else what it holds.

    A part has a name and the minute at which it begins.
    """
    taken: set[str] = set()
    found: list[tuple[str, ...]] = []
    for (_, first), (_, last) in zip(parts, [*parts[1:], ("", DAY)], strict=True):
        free = next((gap for gap in gaps(blocks) if first <= gap.start < last), None)
        if free is not None:
            before = next((each.activity for each in blocks if each.end == free.start), "")
            found.append(fitting_ideas(free, before, me, taken, dice))
            continue
        awake = [each for each in blocks if not is_sleep(each.activity)] or list(blocks)
        held = [each for each in awake if first <= each.start < last] or awake
        longest = max(held, key=lambda each: (each.minutes, -each.start))
        found.append((longest.activity,))
    return tuple(found)


def fitting_ideas(
    gap: Block, before: str, me: PersonaInput, taken: set[str], dice: Dice
) -> tuple[str, ...]:
    """Return ideas for a gap that fill it without being drawn out; kinds in `taken` are not used.

    `before` is what the gap follows.
    """
    tried, ideas = set(taken), dict[str, str]()
    for turn in range(_TURNS):
        for each in free_time(TimetableEntry(gap.start, gap.end, "", turn), me, tried, dice):
            sort = kind_with_phrase(each.activity)
            if sort is not None and _fits(each.activity, sort, gap, before, me):
                ideas.setdefault(each.activity, sort.name)
    if not ideas:
        return ideas_for(gap.start, gap.end, me, taken, dice)[:MOST_IDEAS]
    kept = list(ideas)[:MOST_IDEAS]
    taken |= {ideas[each] for each in kept}
    return tuple(kept)


def _fits(activity: str, sort: Kind, gap: Block, before: str, me: PersonaInput) -> bool:
    """Return whether an activity suits a gap by its length and hour, and the person."""
    about = stems(f"{me.innate} {me.learned} {me.currently} {me.lifestyle}")
    is_early = gap.start < _NIGHT and "night" in activity
    is_unknown = "puzzle" in activity  # There are no parts of one: all games are chess or cards.
    is_snack = sort.name == "coffee" and bool(stems(before) & _MEALS)
    is_foreign = not about & _ONLY_FOR.get(sort.name, about)
    is_tiring = sort.name == "exercise" and me.age >= _ELDERLY
    # Who gets up half an hour earlier than usual has a longer gap.
    is_short = sort.longest < min(gap.minutes + 30, _HOURLY)
    return not (is_unknown or is_early or is_snack or is_foreign or is_tiring or is_short)


def with_wishes(
    blocks: tuple[Block, ...], strokes: tuple[tuple[int, str], ...], me: PersonaInput
) -> tuple[Block, ...]:
    """Return a day with what is wished for its gaps put into them, as long as such things take."""
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
    """Return the minutes for which an activity fills a gap: all, unless an hour or more is left."""
    sort = kind_with_phrase(activity) or kind_for(activity, me)
    most = sort.longest // 15 * 15 if sort is not None else gap.minutes
    return most if most and gap.minutes - most >= _LEAST_LEFT else gap.minutes


def _length(left: int, dice: Dice, start: int) -> int:
    """Return the minutes of the next piece of a gap of `left` minutes."""
    if left <= 90:
        return left
    return min(left - 30, dice.pick((60, 75, 90), "length", start))


def _choice(start: int, me: PersonaInput, taken: set[str], dice: Dice) -> Kind:
    """Draw a kind of activity; kinds that suit the person better weigh more."""
    names: tuple[str, ...] = _MORNING if start < 600 else _DAYTIME if start < 1080 else _EVENING
    if start >= 1260:
        names = ("rest", "reading", "television")
    loves = stems(f"{me.learned} {me.innate} {me.currently}")
    is_shy = bool(loves & stems("shy quiet introverted reserved"))
    weighed = []
    for name in names:
        each = kind(name)
        if name in taken or (name in _LEARNT and not each.words & loves):
            continue
        weight = 1.0 + 1.5 * min(2, len(each.words & loves))
        if name in ("friends", "games", "coffee"):
            weight *= 0.5 if is_shy else 1.3
        weighed.append((dice.fraction("kind", start, name) ** (1 / weight), name))
    return kind(max(weighed)[1]) if weighed else kind("rest")
