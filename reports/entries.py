"""The entries of a run's story, each a moment with its Markdown text.

Texts of models and people are escaped, so that they are never read as markup.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten

from smolville.agents.action import Talk, describe_action
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.places import sector_of, split_address
from smolville.agents.times import clock, day_of, minute_of
from smolville.agents.wording import join_words, visible_line
from smolville.history.records import Deed, Intervention, ThoughtRow
from smolville.reports.from_outside import VISITS, EndedChange, visit_sentence
from smolville.reports.stretches import Stretch, spoken_place

_MARKS = re.compile(r"([\\`*_\[\]<>|~])")
_STARTS = re.compile(r"^([#+-]|\d+[.)])")
MOST_KEPT = 3
"""Maximum number of thoughts shown after a talk for each person."""
LONGEST_KEPT = 140
"""Maximum number of characters of a thought shown after a talk."""
OUTSIDE = ("announcement", *VISITS)
"""Interventions that reach the town from outside and have entries of their own."""
FALLBACK = "(fallback)"
"""Mark of an action that was decided by a fallback instead of a model."""
ODD = "(odd)"
"""Mark of an accepted answer that makes no sense according to a check."""
NOWHERE = "(nowhere)"
"""Mark of an action for which the model found no place, so it is done where the person stood."""
REUSED = "(reused)"
"""Mark of an action whose task or place came from a routine, without asking a model."""


HAPPENING_SIGNS: dict[str, str] = {
    "weather": "🌤️",
    "news": "🗞️",
    "closing": "🚪",
    "market": "🎪",
    "power cut": "🔦",
    "letter": "✉️",
    "notice": "📌",
}
"""Emoji before happenings that entities caused, by kind."""


@dataclass(frozen=True, order=True)
class TimelineEntry:
    """One event of the story; entries are sorted in the order in which they are shown."""

    at: int
    rank: int
    """Position among entries at the same moment; the lowest rank comes first."""
    text: str
    """The text in Markdown, without an empty line at its end."""


def clock_of(at: int) -> str:
    """Return the time of day of a town second as text."""
    return clock(minute_of(at))


def doing_entries(found: Iterable[Stretch]) -> list[TimelineEntry]:
    """Return people's activities; all who sleep at the beginning share one entry."""
    asleep: defaultdict[int, list[str]] = defaultdict(list)
    entries = []
    for stretch in found:
        if stretch.is_sleep and not stretch.is_under_way and minute_of(stretch.start) == 0:
            asleep[stretch.start].append(plain(stretch.agent))
        else:
            entries.append(TimelineEntry(stretch.start, 1, _doing(stretch)))
    for at, names in asleep.items():
        verb = "is" if len(names) == 1 else "are"
        entries.append(
            TimelineEntry(at, 1, f"- **{clock_of(at)}** {join_words(names)} {verb} asleep. 😴")
        )
    return entries


def talk_entry(
    talk: Talk, names: dict[str, str], kept: Sequence[Memory], odd: Collection[int] = ()
) -> TimelineEntry:
    """Return a talk in full; `names` are the speakers' short names, `kept` are thoughts about it.

    `odd` has the numbers of the lines that make no sense, counted from 0.
    """
    began, *others = talk.participants
    place = f" ({plain(spoken_place(talk.place))})" if talk.place else ""
    head = f"💬 **{clock_of(talk.start)}** {plain(began)} talks with {join_words(others)}{place}"
    lines = [f"> {head}", ">"]
    for number, line in enumerate(talk.lines):
        mark = f" {FALLBACK}" if line.fallback else ""
        mark += f" {ODD}" if number in odd else ""
        speaker = names.get(line.speaker, line.speaker)
        lines.append(f"> - **{plain(speaker)}:** {plain(line.text)}{mark}")
    lines += [">", f"> {_end(talk, names)}"]
    for name in talk.participants:
        texts = [_format_kept_thought(memory) for memory in kept if memory.agent == name][
            :MOST_KEPT
        ]
        if texts:
            lines += [">", f"> *{plain(names.get(name, name))} keeps in mind: {'; '.join(texts)}*"]
    return TimelineEntry(talk.start, 2, "\n".join(lines))


def reflection_entries(thoughts: Iterable[Memory]) -> list[TimelineEntry]:
    """Return the insights of each reflection as one entry."""
    groups: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for memory in thoughts:
        groups[memory.created, memory.agent].append(memory.text)
    entries = []
    for (at, agent), texts in groups.items():
        if len(texts) == 1:
            text = f"- **{clock_of(at)}** {plain(agent)} reflects: *{plain(texts[0])}* 💭"
        else:
            items = "\n".join(f"    - *{plain(text)}*" for text in texts)
            text = f"- **{clock_of(at)}** {plain(agent)} reflects: 💭\n{items}"
        entries.append(TimelineEntry(at, 3, text))
    return entries


def thought_entry(memory: Memory) -> TimelineEntry:
    """Return an entry for a single thought or dream."""
    verb = "dreams" if memory.kind == "dream" else "thinks"
    text = f"- **{clock_of(memory.created)}** {plain(memory.agent)} {verb}: *{plain(memory.text)}*"
    return TimelineEntry(memory.created, 3, text)


def refusal_entries(deeds: Iterable[Deed]) -> list[TimelineEntry]:
    """Return the refused talks; of those with the same people, only the first of each day."""
    told_of: set[tuple[int, str, tuple[str, ...]]] = set()
    entries = []
    for deed in deeds:
        key = (day_of(deed.action.start), deed.agent, deed.action.partners)
        if deed.outcome == "accepted" or deed.action.kind != "talk" or key in told_of:
            continue
        told_of.add(key)
        partners = join_words([plain(name) for name in deed.action.partners])
        text = (
            f"- **{clock_of(deed.action.start)}** {plain(deed.agent)} would talk with {partners}, "
            f"but {plain(deed.reason)}."
        )
        entries.append(TimelineEntry(deed.action.start, 1, text))
    return entries


def happening_entry(each: Happening, at: int) -> TimelineEntry:
    """Return the entry of a happening that an entity caused."""
    told = f"{HAPPENING_SIGNS[each.kind]} {plain(each.text)}"
    return TimelineEntry(at, 0, f"- **{clock_of(at)}** {told}")


def ended_entry(each: EndedChange, at: int) -> TimelineEntry:
    """Return the entry of a change from outside that has ended."""
    return TimelineEntry(at, 0, f"- **{clock_of(at)}** 🔧 {plain(each.sentence)}")


def intervention_entry(each: Intervention, at: int) -> TimelineEntry:
    """Return the entry of an operator's intervention."""
    if each.kind == "object_state":
        what = f"{plain(spoken_place(each.target))} is now: {plain(each.text)}."
        return TimelineEntry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind == "reembedded":
        what = f"memories are compared by another embedder: {plain(each.text)}."
        return TimelineEntry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind == "templates":
        files = [plain(name) for name in each.target.split(", ")]
        what = f"from here on with {'a ' if len(files) == 1 else ''}new {join_words(files)}."
        return TimelineEntry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind in OUTSIDE:
        return TimelineEntry(at, 0, f"- **{clock_of(at)}** {_from_outside(each)}")
    voice = "an inner voice tells" if each.kind == "whisper" else "the past comes back to"
    what = f"{voice} {plain(each.target)}: “{plain(each.text)}”"
    return TimelineEntry(at, 0, f"- **{clock_of(at)}** 🗣️ From outside: {what}")


def _from_outside(each: Intervention) -> str:
    """Return an announcement, or a visitor's arrival or departure, in words."""
    if each.kind == "announcement":
        return f"📣 Announced to the whole town: “{plain(each.text)}”"
    sign = "☎️" if each.kind == "visitor_calls" else "🚪"
    return f"{sign} From outside: {visit_sentence(each, plain)}"


def failure_entries(thoughts: Iterable[ThoughtRow]) -> list[TimelineEntry]:
    """Return the thoughts that failed."""
    return [
        TimelineEntry(
            row.at,
            4,
            f"- **{clock_of(row.at)}** ⚠ A thought of {plain(row.agent)} failed and left nothing "
            f"behind: {plain(row.failed)}",
        )
        for row in thoughts
        if row.failed
    ]


def _format_kept_thought(memory: Memory) -> str:
    """Return a person's thought after a talk, shortened, because the talk is shown above it."""
    text = memory.text.removeprefix(f"For {memory.agent}'s plans: ").rstrip(".")
    return plain(shorten(text, LONGEST_KEPT, placeholder=" …"))


def _doing(stretch: Stretch) -> str:
    """Return a stretch as a sentence."""
    where = _format_place(stretch)
    emoji = "".join(stretch.emoji)
    name = plain(stretch.agent)
    if stretch.is_under_way:
        origin = f" (coming from {plain(stretch.origin)})" if stretch.origin else ""
        told = describe_action(name, plain(stretch.told))
        return f"- **{clock_of(stretch.start)}** {told}{origin}. {emoji}"
    if stretch.is_sleep:
        mark = f" {FALLBACK}" if stretch.fallbacks else ""
        return f"- **{clock_of(stretch.start)}** {name} goes to bed{where}{mark}. {emoji}"
    things = [f"{plain(each)}{_marks(stretch, each)}" for each in stretch.activities]
    sentence = describe_action(name, join_words(things))
    return f"- **{clock_of(stretch.start)}** {sentence}{where}. {emoji}"


def _marks(stretch: Stretch, activity: str) -> str:
    """Return the marks of an activity, such as for an odd one, each preceded by a blank."""
    marks = {
        FALLBACK: stretch.fallbacks,
        NOWHERE: stretch.nowhere,
        REUSED: stretch.reused,
        ODD: stretch.odd,
    }
    return "".join(f" {mark}" for mark, those in marks.items() if activity in those)


def _format_place(stretch: Stretch) -> str:
    """Return the place of a stretch, without a building that the activity already names."""
    if not stretch.place:
        return ""
    house = sector_of(stretch.place)
    named = bool(stretch.activities) and house in stretch.activities[-1]
    rooms = split_address(stretch.place)[1:] if named else ()
    told = plain(", ".join(rooms) or spoken_place(stretch.place))
    return f" ({told}, coming from {plain(stretch.origin)})" if stretch.origin else f" ({told})"


def _end(talk: Talk, names: dict[str, str]) -> str:
    """Return how a talk ended."""
    at = clock_of(talk.end)
    if talk.ended_by in talk.participants:
        ended_by = names.get(talk.ended_by, talk.ended_by)
        return f"*{plain(ended_by)} ends it at {at}.*"
    return f"*It ends at {at}, when enough is said.*"


def plain(text: str) -> str:
    """Return a text on one line, with all Markdown escaped."""
    return _STARTS.sub(_escaped_start, _MARKS.sub(r"\\\1", visible_line(text)))


def _escaped_start(found: re.Match[str]) -> str:
    """Return the start of a line, escaped so that it begins no heading or list."""
    mark = found[1]
    return f"\\{mark}" if len(mark) == 1 else f"{mark[:-1]}\\{mark[-1]}"
