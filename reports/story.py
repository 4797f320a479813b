"""A run as a story in Markdown: people's actions, words and thoughts, day by day.

Texts of models and people are escaped, so that they are never read as markup.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from smolville.agents.action import Talk
from smolville.agents.times import (
    Clock,
    at_of,
    clock,
    date_text,
    day_of,
    long_text,
    minute_of,
    moment,
)
from smolville.agents.wording import join_words, visible_line
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Intervention
from smolville.reports.from_outside import VISITS
from smolville.reports.happenings import TownEvent, happenings
from smolville.reports.present import mind_of
from smolville.reports.runs import describe_recording
from smolville.reports.stretches import FALLBACK, ODD

PARTS = ((0, "Night"), (360, "Morning"), (720, "Afternoon"), (1080, "Evening"))
"""Parts of the day, each with the minute at which it begins."""
OF_THE_TOWN = ("object_state", "reembedded", "templates", "announcement", *VISITS)
"""Interventions that are shown even in a story about one person."""
FEW = 5
"""Number of people above which a day is divided into hours."""
SIGNS = {
    "announcement": "📣 ",
    "whisper": "🗣️ From outside: ",
    "history": "🗣️ From outside: ",
    "visitor_calls": "☎️ From outside: ",
    "visitor_enters": "🚪 From outside: ",
    "visitor_leaves": "🚪 From outside: ",
}
"""Beginnings of interventions by kind; other kinds begin with a tool."""
FORMS = {
    "doing": "{text} {emoji}",
    "thought": "{text} *{more}*",
    "town": "{emoji} {text}",
    "refusal": "{text}",
    "failure": "⚠ {text} {more}",
}
"""Lines of other events by kind."""
_MARKS = re.compile(r"([\\`*_\[\]<>|~])")
_STARTS = re.compile(r"^([#+-]|\d+[.)])")


@dataclass(frozen=True)
class Storyteller:
    """Writes the story of a run up to its last tick, about everybody or about one person."""

    reader: RunReader
    start: date | None
    """The date of day 1, if known."""
    agent: str | None
    tick: int
    """The last complete tick."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The people of the story."""
        return self.reader.agents() if self.agent is None else (self.agent,)

    def lines(self) -> Iterator[str]:
        """Yield the story's lines; several empty ones may follow each other."""
        spec = self.reader.spec
        names = [plain(name) for name in self.agents]
        who = join_words(names) if len(names) <= FEW else f"{len(names)} people"
        at = (self.tick + 1) * spec.tick_seconds
        until = moment(at) if self.start is None else long_text(self.start, at)
        yield from (f"# {plain(spec.town_name)}: {plain(spec.name)}", "")
        yield from (f"*{who}, from the first midnight to {until}.*", "")
        if self.reader.folder.is_sample:
            yield from (plain(describe_recording(self.reader.folder)), "")
        if self.tick < 0:
            yield "Nothing has happened yet."
            return
        yield from self._days()

    def _days(self) -> Iterator[str]:
        """Yield the days, each with its plans and its parts; a talk has empty lines around it."""
        day = 0
        part = ""
        people = len(self.agents)
        for at, _, text in self._entries():
            if day_of(at) != day:
                day, part = day_of(at), ""
                title = f"Day {day}"
                if self.start is not None:
                    title = f"{date_text(self.start, day)} (day {day})"
                yield from (f"## {title}", "", *self._plans(day), "")
            hour = f"{clock(minute_of(at))[:2]}:00"
            named = next(name for minute, name in reversed(PARTS) if minute_of(at) >= minute)
            if part != (part := hour if people > FEW else named):
                yield from ("", f"### {part}", "")
            yield from ("", text, "") if text.startswith(">") else (text,)

    def _plans(self, day: int) -> Iterator[str]:
        ticks = Clock(self.reader.spec.tick_seconds)
        since, midnight = (ticks.tick_at(at_of(each, 0)) for each in (day, day + 1))
        until = min(self.tick, midnight - 1)
        planned = {
            row.agent: row.tick
            for row in reversed(self.reader.thoughts(since=since, until=until))
            if "new_day" in row.stimuli and not row.failed
        }
        for name in self.agents:
            mind = mind_of(self.reader, name, planned[name]) if name in planned else None
            if mind is not None and mind.plan is not None and mind.plan.day == day:
                strokes = [plain(activity) for _, activity in mind.plan.strokes]
                if strokes:
                    yield f"- **{plain(name)}** means to spend the day {join_words(strokes)}."

    def _entries(self) -> list[tuple[int, int, str]]:
        """Return all events in order, each with its moment, its rank and its text."""
        told_of: set[tuple[int, tuple[str, ...]]] = set()
        found = []
        for each in happenings(self.reader, self.tick, self.agent):
            record, refused = each.record, (day_of(each.at), each.who)
            if isinstance(record, Deed):
                # Of refused talks with the same people, only the first of each day is told.
                if record.action.kind != "talk" or refused in told_of:
                    continue
                told_of.add(refused)
            elif isinstance(record, Intervention) and not self._concerns(record):
                continue
            text = _talk_block(each, self._short_names()) if each.lines else _line(each)
            found.append((each.at, each.rank, text))
        return sorted(found)

    def _short_names(self) -> dict[str, str]:
        """Return the name of each speaker in talks: the first name if it is unique."""
        everybody = self.reader.agents()
        firsts = [name.split()[0] for name in everybody]
        pairs = zip(everybody, firsts, strict=True)
        return {name: first if firsts.count(first) == 1 else name for name, first in pairs}

    def _concerns(self, act: Intervention) -> bool:
        return act.kind in OF_THE_TOWN or act.target in self.agents


def write_story(reader: RunReader, start: date | None, agent: str | None = None) -> str:
    """Return the story of a run in Markdown up to its last tick, of everybody or of one agent."""
    done = reader.watermark()
    lines: list[str] = []
    for line in Storyteller(reader, start, agent, -1 if done is None else done).lines():
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip() + "\n"


def _line(event: TownEvent) -> str:
    text, more = plain(event.text), [plain(each) for each in event.more]
    if event.kind == "insight":
        few = f" *{more[0]}*" if len(more) == 1 else ""
        told = f"{text}{few} 💭" + "".join(f"\n    - *{each}*" for each in more[len(more) == 1 :])
    elif event.kind == "outside":
        told = _outside(event.record, text, more)
    else:
        first, emoji = next(iter(more), ""), "".join(event.emoji)
        told = FORMS[event.kind].format(text=text, more=first, emoji=emoji)
    return f"- **{clock(minute_of(event.at))}** {told}"


def _outside(act: object, text: str, more: Sequence[str]) -> str:
    """Return an event from outside; a change of an object that has ended is no act."""
    if not isinstance(act, Intervention):
        return f"🔧 {text}"
    if act.kind in ("whisper", "history", "reembedded", "templates"):
        text = text[0].lower() + text[1:]
    is_said = act.kind in ("whisper", "history", "announcement")
    quoted = (f"“{each}”" if is_said else f"{each}." for each in more)
    return SIGNS.get(act.kind, "🔧 From outside: ") + " ".join((text, *quoted))


def _talk_block(event: TownEvent, names: dict[str, str]) -> str:
    """Return a talk in full; `names` are the speakers' short names."""
    talk = event.record
    assert isinstance(talk, Talk)
    head = plain(event.text.removesuffix("."))
    lines = [f"> 💬 **{clock(minute_of(talk.start))}** {head}", ">"]
    for line, odd in zip(talk.lines, event.odd_lines, strict=True):
        mark = f" {FALLBACK}" * line.fallback + f" {ODD}" * bool(odd)
        speaker = plain(names.get(line.speaker, line.speaker))
        lines.append(f"> - **{speaker}:** {plain(line.text)}{mark}")
    at = clock(minute_of(talk.end))
    end = f"It ends at {at}, when enough is said."
    if talk.ended_by in talk.participants:
        end = f"{plain(names.get(talk.ended_by, talk.ended_by))} ends it at {at}."
    return "\n".join([*lines, ">", f"> *{end}*"])


def plain(text: str) -> str:
    """Return a text on one line, with all Markdown escaped."""
    return _STARTS.sub(_escaped_start, _MARKS.sub(r"\\\1", visible_line(text)))


def _escaped_start(found: re.Match[str]) -> str:
    """Return the start of a line, escaped so that it begins no heading or list."""
    mark = found[1]
    return f"\\{mark}" if len(mark) == 1 else f"{mark[:-1]}\\{mark[-1]}"
