"""The entries of a run's story, each a moment and its Markdown."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from json import loads
from textwrap import shorten

from agents.action import Talk, told
from agents.memory import Memory
from agents.places import sector_of, split_address
from agents.times import clock, day_of, minute_of
from world.records import Deed, Intervention, ThoughtRow
from world.telling.markdown import listed, plain
from world.telling.stretches import Stretch, spoken_place

MOST_KEPT = 3
"""So many thoughts after a talk are told, per person."""
LONGEST_KEPT = 140
"""Letters of such a thought."""
VISITS = ("visitor_enters", "visitor_calls", "visitor_leaves")
"""Interventions by which visitors come, ring up and go."""
OUTSIDE = ("announcement", *VISITS)
"""Interventions that reach the town from outside, and are told by themselves."""
TOLD_ELSEWHERE = ("visitor_walks", "visitor_acts", "visitor_talks", "visitor_says")
"""Interventions that show in what visitors do and say."""
FALLBACK = "(fallback)"
"""Marks what a declared fallback decided instead of a model."""
NOWHERE = "(nowhere)"
"""Marks what is done where somebody stands, because the model found no place for it."""


@dataclass(frozen=True, order=True)
class Entry:
    """One thing that happened; sorted as it is told."""

    at: int
    rank: int
    """Of several at the same moment, the lower comes first."""
    text: str
    """Markdown, without an empty line at its end."""


def clock_of(at: int) -> str:
    """Return the clock of a town second."""
    return clock(minute_of(at))


def doing_entries(found: Iterable[Stretch]) -> list[Entry]:
    """Return what people did; those who begin with sleep are one entry."""
    asleep: defaultdict[int, list[str]] = defaultdict(list)
    entries = []
    for stretch in found:
        if stretch.is_sleep and minute_of(stretch.start) == 0:
            asleep[stretch.start].append(plain(stretch.agent))
        else:
            entries.append(Entry(stretch.start, 1, _doing(stretch)))
    for at, names in asleep.items():
        verb = "is" if len(names) == 1 else "are"
        entries.append(Entry(at, 1, f"- **{clock_of(at)}** {listed(names)} {verb} asleep. 😴"))
    return entries


def talk_entry(talk: Talk, names: dict[str, str], kept: Sequence[Memory]) -> Entry:
    """Return a talk in full; `names` are what speakers are called, `kept` what they keep of it."""
    began, *others = talk.participants
    place = f" ({plain(spoken_place(talk.place))})" if talk.place else ""
    head = f"💬 **{clock_of(talk.start)}** {plain(began)} talks with {listed(others)}{place}"
    lines = [f"> {head}", ">"]
    for line in talk.lines:
        mark = f" {FALLBACK}" if line.fallback else ""
        speaker = names.get(line.speaker, line.speaker)
        lines.append(f"> - **{plain(speaker)}:** {plain(line.text)}{mark}")
    lines += [">", f"> {_end(talk, names)}"]
    for name in talk.participants:
        texts = [_kept(memory) for memory in kept if memory.agent == name][:MOST_KEPT]
        if texts:
            lines += [">", f"> *{plain(names.get(name, name))} keeps in mind: {'; '.join(texts)}*"]
    return Entry(talk.start, 2, "\n".join(lines))


def reflection_entries(thoughts: Iterable[Memory]) -> list[Entry]:
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
        entries.append(Entry(at, 3, text))
    return entries


def thought_entry(memory: Memory) -> Entry:
    """Return a thought or dream that stands alone."""
    verb = "dreams" if memory.kind == "dream" else "thinks"
    text = f"- **{clock_of(memory.created)}** {plain(memory.agent)} {verb}: *{plain(memory.text)}*"
    return Entry(memory.created, 3, text)


def refusal_entries(deeds: Iterable[Deed]) -> list[Entry]:
    """Return the talks that could not be, each pair once a day."""
    told_of: set[tuple[int, str, tuple[str, ...]]] = set()
    entries = []
    for deed in deeds:
        key = (day_of(deed.action.start), deed.agent, deed.action.partners)
        if deed.outcome == "accepted" or deed.action.kind != "talk" or key in told_of:
            continue
        told_of.add(key)
        partners = listed([plain(name) for name in deed.action.partners])
        text = (
            f"- **{clock_of(deed.action.start)}** {plain(deed.agent)} would talk with {partners}, "
            f"but {plain(deed.reason)}."
        )
        entries.append(Entry(deed.action.start, 1, text))
    return entries


def intervention_entry(each: Intervention, at: int) -> Entry:
    """Return what an operator did."""
    if each.kind == "object_state":
        what = f"{plain(spoken_place(each.target))} is now: {plain(each.text)}."
        return Entry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind == "reembedded":
        what = f"memories are compared by another embedder: {plain(each.text)}."
        return Entry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind == "templates":
        files = [plain(name) for name in each.target.split(", ")]
        what = f"from here on with {'a ' if len(files) == 1 else ''}new {listed(files)}."
        return Entry(at, 0, f"- **{clock_of(at)}** 🔧 From outside: {what}")
    if each.kind in OUTSIDE:
        return Entry(at, 0, f"- **{clock_of(at)}** {_from_outside(each)}")
    voice = "an inner voice tells" if each.kind == "whisper" else "the past comes back to"
    what = f"{voice} {plain(each.target)}: “{plain(each.text)}”"
    return Entry(at, 0, f"- **{clock_of(at)}** 🗣️ From outside: {what}")


def _from_outside(each: Intervention) -> str:
    """Return an announcement, or a visitor's coming or going, as it is told."""
    if each.kind == "announcement":
        return f"📣 Announced to the whole town: “{plain(each.text)}”"
    sign = "☎️" if each.kind == "visitor_calls" else "🚪"
    return f"{sign} From outside: {visit_sentence(each, plain)}"


def visit_sentence(each: Intervention, spelled: Callable[[str], str] = str) -> str:
    """Return how a visitor comes, rings up or goes; `spelled` is how foreign words are written."""
    name = spelled(each.target)
    if each.kind == "visitor_leaves":
        return f"{name} leaves the town."
    said = loads(each.text)
    about = f", {spelled(said['about'])}," if said["about"] else ""
    if each.kind == "visitor_calls":
        return f"{name}{about} rings {spelled(said['agent'])}."
    return f"{name}{about} comes to {spelled(spoken_place(said['place']))}."


def failure_entries(thoughts: Iterable[ThoughtRow]) -> list[Entry]:
    """Return the thoughts that failed."""
    return [
        Entry(
            row.at,
            4,
            f"- **{clock_of(row.at)}** ⚠ A thought of {plain(row.agent)} failed and left nothing "
            f"behind: {plain(row.failed)}",
        )
        for row in thoughts
        if row.failed
    ]


def _kept(memory: Memory) -> str:
    """Return what somebody keeps of a talk, shortened: the talk itself stands above."""
    text = memory.text.removeprefix(f"For {memory.agent}'s plans: ").rstrip(".")
    return plain(shorten(text, LONGEST_KEPT, placeholder=" …"))


def _doing(stretch: Stretch) -> str:
    """Return a stretch as a sentence."""
    where = _where(stretch)
    emoji = "".join(stretch.emoji)
    name = plain(stretch.agent)
    if stretch.is_sleep:
        mark = f" {FALLBACK}" if stretch.fallbacks else ""
        return f"- **{clock_of(stretch.start)}** {name} goes to bed{where}{mark}. {emoji}"
    things = [f"{plain(each)}{_marks(stretch, each)}" for each in stretch.activities]
    return f"- **{clock_of(stretch.start)}** {told(name, listed(things))}{where}. {emoji}"


def _marks(stretch: Stretch, activity: str) -> str:
    """Return the marks of an activity, each behind a blank."""
    fallback = f" {FALLBACK}" if activity in stretch.fallbacks else ""
    return f"{fallback} {NOWHERE}" if activity in stretch.nowhere else fallback


def _where(stretch: Stretch) -> str:
    """Return the place of a stretch; without the house where what is done already names it."""
    if not stretch.place:
        return ""
    house = sector_of(stretch.place)
    named = bool(stretch.activities) and house in stretch.activities[-1]
    rooms = split_address(stretch.place)[1:] if named else ()
    return f" ({plain(', '.join(rooms) or spoken_place(stretch.place))})"


def _end(talk: Talk, names: dict[str, str]) -> str:
    """Return how a talk came to its end."""
    at = clock_of(talk.end)
    if talk.ended_by in talk.participants:
        ended_by = names.get(talk.ended_by, talk.ended_by)
        return f"*{plain(ended_by)} ends it at {at}.*"
    return f"*It ends at {at}, when enough is said.*"
