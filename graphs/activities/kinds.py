"""Kinds of activities, sorts of objects and emoji for actions, from data files read on first use.

All of them are recognised by English words. In any other language every activity and object is
unknown.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

from smolville.agents.english import all_stems, clip, lower_first, stems
from smolville.models.standin.rule import Dice
from smolville.parsers.prompt_inputs import PersonaInput

VAGUE = stems("room second third fourth")
"""Words in names of places and objects that say nothing about their use."""
_MAIN = frozenset(("sleep", "wash", "breakfast", "lunch", "dinner"))
"""Kinds whose words count more than those of other kinds: a lunch at work is a lunch."""
_CHOICE = re.compile(r"\{([^{}]*)\}")
_WORK = stems("work shift duty job counter customer serve open close run manage business help")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of activity."""

    name: str
    words: frozenset[str]
    """Stems that identify this kind; empty if callers find it by the place."""
    whose: frozenset[str]
    """Stems that describe the people who do this; empty for everybody."""
    where: str
    """Where it is done: `home`, `work`, `out` or `any`."""
    rooms: frozenset[str]
    """Stems of the room and sector names that suit it."""
    emoji: tuple[str, ...]
    phrases: tuple[str, ...]
    """Wordings for an entry of a plan."""
    tasks: tuple[str, ...]
    """Subtasks of a block of this kind, in order."""
    is_job: bool


@dataclass(frozen=True, slots=True)
class Thing:
    """The uses of one sort of object."""

    names: frozenset[str]
    words: frozenset[str]
    emoji: str
    state: str
    """The object's state while it is used for its purpose."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Return every kind of activity; jobs come last."""
    return _kinds("activities.toml", is_job=False) + _kinds("jobs.toml", is_job=True)


def _kinds(file: str, *, is_job: bool) -> tuple[Kind, ...]:
    return tuple(
        Kind(
            name=row["name"],
            words=stems(row["words"]),
            whose=stems(row.get("whose", "")),
            where=row["where"],
            rooms=stems(row["rooms"]) - VAGUE,
            emoji=tuple(row["emoji"].split()),
            phrases=tuple(row["phrases"]),
            tasks=tuple(row["tasks"]),
            is_job=is_job,
        )
        for row in tables(file)["kinds"]
    )


@cache
def things() -> tuple[Thing, ...]:
    """Return every sort of object."""
    return tuple(
        Thing(stems(row["names"]), stems(row["words"]), row["emoji"], row["state"])
        for row in tables("objects.toml")["objects"]
    )


def kind(name: str) -> Kind:
    """Return the kind with this name. Raises KeyError if there is none."""
    return _by_name()[name]


@lru_cache(maxsize=8192)
def kind_of(activity: str, background: str = "") -> Kind | None:
    """Return the kind of an activity, or None if none of its words identifies one.

    `background` is the person's history: it decides what kind of work `working` is.
    """
    known = stems(background)
    fitting = [each for each in kinds() if _is_for(each, known)]
    return _find_likeliest_kind(activity, known, fitting) or _find_likeliest_kind(
        activity, known, kinds()
    )


def _is_for(sort: Kind, known: frozenset[str]) -> bool:
    """Return whether a person described by the words `known` does activities of this kind."""
    if sort.is_job:
        return bool(sort.words & known)
    return not (sort.whose and known) or bool(sort.whose & known)


def _find_likeliest_kind(
    activity: str, known: frozenset[str], among: Sequence[Kind]
) -> Kind | None:
    """Return the kind that most words of an activity point to, or None if no word does."""
    said, first = stems(activity), all_stems(activity)[:2]
    is_work = bool(said & _WORK)
    best, best_score = None, 0.0
    for each in among:
        weight = 3.0 if each.name in _MAIN else 2.0
        score = weight * len(each.words & said) + any(word in each.words for word in first)
        if each.is_job and is_work:
            score += 0.7 * min(4, len(each.words & known))
        if score > best_score:
            best, best_score = each, score
    return best


@lru_cache(maxsize=2048)
def thing_of(name: str) -> Thing | None:
    """Return the sort of object that a name points to, or None if no word does."""
    tokens = stems(name)
    best, best_score = None, 0
    for each in things():
        score = len(each.names & tokens)
        if score > best_score:
            best, best_score = each, score
    return best


@lru_cache(maxsize=8192)
def sign_in(activity: str) -> str:
    """Return the emoji that fits the words of an activity, or an empty text if none does.

    The longest matching phrase decides, then the earliest one: `reading the back of a new book` is
    reading.
    """
    said = all_stems(activity)
    best, best_score = "", (0, 0)
    for emoji, phrase in _signs():
        if phrase <= frozenset(said):
            score = (len(phrase), -min(map(said.index, phrase)))
            if score > best_score:
                best, best_score = emoji, score
    return best


@cache
def _signs() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (emoji, frozenset(all_stems(phrase)))
        for emoji, phrases in tables("signs.toml")["signs"].items()
        for phrase in phrases
    )


@lru_cache(maxsize=16384)
def fit_of(name: str, task: str) -> float:
    """Return how well an object serves a task; 0 if nothing suggests that it does."""
    said, tokens = stems(task), stems(name) - VAGUE
    score = 4.0 * len(tokens & said) / len(tokens) if tokens else 0.0
    thing = thing_of(name)
    if thing is not None:
        score += min(3.0, 1.6 * len(thing.words & said))
    return score


@cache
def _by_phrase() -> dict[str, Kind]:
    return {
        wording: each
        for each in kinds()
        if not each.is_job
        for phrase in each.phrases
        for wording in _wordings(phrase)
    }


def _wordings(task: str) -> list[str]:
    """Return a phrase in all its wordings: `{a|b}` stands for one of its parts."""
    pieces = _CHOICE.split(task)
    options = [each.split("|") if at % 2 else [each] for at, each in enumerate(pieces)]
    return ["".join(parts) for parts in product(*options)]


@cache
def _by_name() -> dict[str, Kind]:
    return {each.name: each for each in kinds()}


def tables(file: str) -> dict[str, Any]:
    """Return the tables of a data file."""
    text = files("smolville.graphs.activities").joinpath(file).read_text(encoding="utf-8")
    return tomllib.loads(text)


LONGEST = 60
"""Maximum minutes of one part, unless that would need too many parts."""
MEALS = ("breakfast", "lunch", "dinner")
_OPEN_HOUSES = stems("cafe café bakery pub inn bar restaurant tearoom")
_ALWAYS = ("eating", "getting dressed")
"""Beginnings of the names of parts that are never left out of an activity."""
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
    sort = kind_of(activity, background_of(me)) or _by_phrase().get(activity)
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


def free_time(start: int, end: int, me: PersonaInput, taken: set[str], dice: Dice) -> list[str]:
    """Return activities of at most two hours each for a gap; kinds in `taken` are not repeated."""
    found: list[str] = []
    while end - start >= 15:
        minutes = _length(end - start, dice, start)
        chosen = _choice(start, me, taken, dice)
        taken.add(chosen.name)
        phrase = dice.pick(chosen.phrases, "free", start)
        found.append(fill_phrase(phrase, dice, "free", start))
        start += minutes
    return found


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
