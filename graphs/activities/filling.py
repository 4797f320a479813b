"""Fill time with activities: habits with their usual tasks, and free time with leisure."""

import re
from collections.abc import Sequence

from smolville.graphs.activities.kinds import Kind, kind, kind_of, kind_with_phrase
from smolville.graphs.frame.day import TimetableEntry
from smolville.models.standin.rule import Dice
from smolville.models.standin.words import clip, lower_first, stems
from smolville.parsers.prompt_inputs import PersonaInput

LONGEST = 60
"""Maximum minutes of one part, unless that would need too many parts."""
MEALS = ("breakfast", "lunch", "dinner")
_OPEN_HOUSES = stems("cafe café bakery pub inn bar restaurant tearoom")
_ALWAYS = ("eating", "getting dressed")
"""Beginnings of the names of parts that are never left out of an activity."""
_CHOICE = re.compile(r"\{([^{}]*)\}")
_PLACE = re.compile(r"\b(?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*")

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
"""Kinds of activities that are offered only to people whose persona mentions them."""
_EVENING = ("rest", "reading", "television", "friends", "games", "walk", "music", "writing")


def background_of(me: PersonaInput) -> str:
    """Return the words that describe somebody's work."""
    return f"{me.learned.split('. ')[0]} {me.work}"


def place_in(text: str) -> str:
    """Return the last place or proper name in a text, with its article, or an empty text."""
    found = _PLACE.findall(text)
    return str(found[-1]) if found else ""


def fill_phrase(phrase: str, dice: Dice, *name: object, about: str = "") -> str:
    """Return a phrase with each `{a|b}` replaced by one of its options, chosen at random.

    Options that occur in `about` are preferred.
    """
    if "{" not in phrase:
        return phrase

    def choose_option(found: re.Match[str]) -> str:
        options = found[1].split("|")
        told = [option for option in options if stems(option) & stems(about)]
        return str(dice.pick(told or options, found[1], *name))

    return _CHOICE.sub(choose_option, phrase)


def kind_for(activity: str, me: PersonaInput) -> Kind | None:
    """Return the kind of an activity, given its place: lunch in a café is `eating_out`."""
    sort = kind_of(activity, background_of(me)) or kind_with_phrase(activity)
    place = place_in(activity).removeprefix("the ")
    if sort is not None and sort.name == "cleaning" and _is_at_work(activity, place, me):
        return kind("cleaning_rooms")
    if sort is None or not place or place in me.home:
        return sort
    if sort.name == "friends" and stems(place) & kind("walk").rooms:
        return kind("walk")
    if sort.name in MEALS:
        is_served = stems(place) & _OPEN_HOUSES or place not in me.work
        return kind("eating_out" if is_served else "packed_lunch")
    return _kind_out(sort, stems(place))


def _kind_out(sort: Kind, place: frozenset[str]) -> Kind:
    """Return the kind of resting or reading away from home: on a bench, in a café, in a library."""
    if sort.name == "rest" and place & _OPEN_HOUSES:
        return kind("coffee")
    if sort.name == "rest" and place & kind("bench").rooms:
        return kind("bench")
    is_in_library = sort.name == "reading" and bool(place & kind("library_reading").rooms)
    return kind("library_reading") if is_in_library else sort


def _is_at_work(activity: str, place: str, me: PersonaInput) -> bool:
    """Return whether an activity names the room or the building in which somebody works."""
    building, _, room = me.work.partition(": ")
    is_named = bool(place) and place in building and place not in me.home
    return is_named or (bool(room) and stems(room) <= stems(activity))


def names_of(activity: str, tasks: Sequence[str], count: int, dice: Dice) -> list[str]:
    """Return `count` parts of an activity, chosen from its usual `tasks` and in the same order."""
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
    """Return `count` lengths that sum to `minutes`, if possible multiples of 5 up to 60."""
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
    """Return a task in the first of its wordings that is not in `before`, if there is one."""
    spoken_tasks = [fill_phrase(task, dice, len(before), turn, about=activity) for turn in range(4)]
    return next((each for each in spoken_tasks if each not in before), spoken_tasks[0])


def _add_part_place(name: str, activity: str, before: list[str]) -> str:
    """Return a part's name; if `before` has the same name, add the activity's place or `again`."""
    if name not in before:
        return name
    place = place_in(activity)
    again = f"{name} at {place}" if place and f"{name} at {place}" not in before else ""
    more = f"{name} again" if f"{name} again" not in before else f"{name} once more"
    return clip(again or more, 120)


def _plain(activity: str, count: int) -> list[str]:
    """Return generic parts for an activity of an unknown kind."""
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


def _length(left: int, dice: Dice, start: int) -> int:
    """Return the minutes of the next activity in a gap of which `left` minutes are left."""
    if left <= 90:
        return left
    return min(left - 30, dice.pick((60, 75, 90), "length", start))


def _choice(start: int, me: PersonaInput, taken: set[str], dice: Dice) -> Kind:
    """Choose a kind of activity at random; kinds that suit the person have a higher weight."""
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
