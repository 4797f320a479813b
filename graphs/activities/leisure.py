"""Choose leisure activities by the time of day, a person's traits and what they love."""

from graphs.activities.kinds import Kind, kind
from graphs.activities.splitting import spoken
from graphs.frame.timetable import TimetableEntry
from graphs.prompt_inputs import PersonaInput
from models.standin.draws import Dice
from models.standin.words import stems

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
_EVENING = ("rest", "reading", "television", "friends", "games", "walk", "music", "writing")


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
        phrase = spoken(dice.pick(chosen.phrases, "free", start), dice, "free", start)
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
        if name in taken:
            continue
        each = kind(name)
        weight = 1.0 + 1.5 * min(2, len(each.words & loves))
        if name in ("friends", "games", "coffee"):
            weight *= 0.5 if is_shy else 1.3
        weighed.append((dice.fraction("kind", start, name) ** (1 / weight), name))
    return kind(max(weighed)[1]) if weighed else kind("rest")
