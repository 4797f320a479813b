"""A run as a story in Markdown: people's actions, words and thoughts, day by day."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from smolville.agents.action import Talk
from smolville.agents.memory import Memory, is_whispered
from smolville.agents.times import Clock, at_of, date_text, day_of, long_text, minute_of, moment
from smolville.agents.wording import format_count, join_words
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.later_tables import happenings_between
from smolville.history.reader import RunReader
from smolville.reports.entries import (
    OUTSIDE,
    TimelineEntry,
    clock_of,
    doing_entries,
    ended_entry,
    failure_entries,
    happening_entry,
    intervention_entry,
    plain,
    reflection_entries,
    refusal_entries,
    talk_entry,
    thought_entry,
)
from smolville.reports.from_outside import TOLD_ELSEWHERE, read_ended_changes
from smolville.reports.oddities import read_oddities
from smolville.reports.present import mind_of
from smolville.reports.reused import reused_deeds
from smolville.reports.runs import describe_recording
from smolville.reports.stretches import stretches
from smolville.reports.tally import count_run

PARTS = ((0, "Night"), (360, "Morning"), (720, "Afternoon"), (1080, "Evening"))
"""Parts of the day, each with the minute at which it begins."""
OF_THE_TOWN = ("object_state", "reembedded", "templates", *OUTSIDE)
"""Interventions that are shown even in a story about one person."""
FEW = 5
"""Number of people above which a day is divided into hours."""


@dataclass(frozen=True)
class Storyteller:
    """Writes the story of a run up to its last tick, about everybody or about one person."""

    reader: RunReader
    start: date | None
    """The date of day 1, if known."""
    agents: tuple[str, ...]
    tick: int
    """The last complete tick."""

    @property
    def at(self) -> int:
        """Town second at which the story ends."""
        return (self.tick + 1) * self.reader.spec.tick_seconds

    @property
    def names(self) -> dict[str, str]:
        """The name of each speaker in talks: the first name if it is unique."""
        everybody = self.reader.agents()
        firsts = [name.split()[0] for name in everybody]
        return {
            name: first if firsts.count(first) == 1 else name
            for name, first in zip(everybody, firsts, strict=True)
        }

    def day(self, at: int) -> str:
        """Return the heading of a day."""
        if self.start is None:
            return f"Day {day_of(at)}"
        return f"{date_text(self.start, day_of(at))} (day {day_of(at)})"

    def entries(self) -> list[TimelineEntry]:
        """Return all events as entries of the story."""
        one = self.agents[0] if len(self.agents) == 1 else None
        deeds = self.reader.deeds(one, until=self.tick)
        talks = self.reader.talks(one, until=self.tick)
        memories = [
            memory for name in self.agents for memory in self.reader.memories(name, self.tick)
        ]
        thoughts = [memory for memory in memories if memory.kind in ("thought", "dream")]
        reflections, kept, alone = _sorted_thoughts(thoughts, talks, self._list_carried_whispers())
        odd = read_oddities(self.reader, self.tick)
        moves = self.reader.moves(one, until=self.tick)
        reused = reused_deeds(self.reader.reuses(until=self.tick), deeds)
        seconds = self.reader.spec.tick_seconds
        found = stretches(deeds, moves, odd.deeds, reused, tick_seconds=seconds, until=self.tick)
        return sorted(
            [
                *doing_entries(found),
                *refusal_entries(deeds),
                *(
                    talk_entry(talk, self.names, kept.get(talk.id, ()), odd.numbers(talk))
                    for talk in talks
                ),
                *reflection_entries(reflections),
                *map(thought_entry, alone),
                *self._interventions(),
                *self._ended_changes(),
                *self._happenings(),
                *failure_entries(self.reader.thoughts(one, until=self.tick)),
            ]
        )

    def plans(self, day: int) -> Iterator[str]:
        """Yield everybody's plan for a day, one line for each person."""
        clock = Clock(self.reader.spec.tick_seconds)
        since, midnight = (clock.tick_at(at_of(each, 0)) for each in (day, day + 1))
        until = min(self.tick, midnight - 1)
        planned = {
            row.agent: row.tick
            for row in reversed(self.reader.thoughts(since=since, until=until))
            if "new_day" in row.stimuli and not row.failed and row.agent in self.agents
        }
        for name in self.agents:
            mind = mind_of(self.reader, name, planned[name]) if name in planned else None
            if mind is not None and mind.plan is not None and mind.plan.day == day:
                strokes = [plain(activity) for _, activity in mind.plan.strokes]
                if strokes:
                    yield f"- **{plain(name)}** means to spend the day {join_words(strokes)}."

    def past_whispers(self) -> Iterator[str]:
        """Yield each person's memories of the past with which the run began."""
        told = self._list_carried_whispers()
        for name in self.agents:
            words = [
                plain(memory.text)
                for memory in self.reader.memories(name, self.tick)
                if is_whispered(memory.id) and (name, memory.tick) in told
            ]
            if words:
                yield f"- **{plain(name)}:** *{' '.join(words)}*"

    def _list_carried_whispers(self) -> set[tuple[str, int]]:
        """Return the agent and tick of each memory of the past with which the run began."""
        return {
            (each.target, each.tick)
            for each in self.reader.interventions()
            if each.kind == "history" and each.tick == 0
        }

    def _happenings(self) -> Iterator[TimelineEntry]:
        """Yield happenings caused by entities, for everybody or for the person of the story."""
        with self.reader.snapshot():
            made = happenings_between(self.reader.connection, until=self.tick)
        for each in made:
            if not each.who or each.who in self.agents:
                yield happening_entry(each, each.tick * self.reader.spec.tick_seconds)

    def _interventions(self) -> Iterator[TimelineEntry]:
        """Yield operators' interventions, without the memories of the past at the run's start."""
        for each in self.reader.interventions():
            if (
                each.tick > self.tick
                or each.kind in TOLD_ELSEWHERE
                or (each.kind == "history" and each.tick == 0)
            ):
                continue
            if each.kind in OF_THE_TOWN or each.target in self.agents:
                yield intervention_entry(each, each.tick * self.reader.spec.tick_seconds)

    def _ended_changes(self) -> Iterator[TimelineEntry]:
        """Yield the changes from outside that have ended."""
        for each in read_ended_changes(self.reader, self.tick):
            yield ended_entry(each, each.tick * self.reader.spec.tick_seconds)


def write_story(reader: RunReader, start: date | None, agent: str | None = None) -> str:
    """Return the story of a run in Markdown up to its last tick, of everybody or of one agent."""
    done = reader.watermark()
    agents = reader.agents() if agent is None else (agent,)
    teller = Storyteller(reader, start, agents, -1 if done is None else done)
    lines: list[str] = []
    for line in _lines(teller):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip() + "\n"


def _lines(teller: Storyteller) -> Iterator[str]:
    """Yield the story's lines."""
    spec = teller.reader.spec
    names = [plain(name) for name in teller.agents]
    who = join_words(names) if len(names) <= FEW else f"{len(names)} people"
    until = moment(teller.at) if teller.start is None else long_text(teller.start, teller.at)
    yield from (f"# {plain(spec.town_name)}: {plain(spec.name)}", "")
    yield from (f"*{who}, from the first midnight to {until}.*", "")
    if teller.reader.folder.is_sample:
        yield from (plain(describe_recording(teller.reader.folder)), "")
    if teller.tick < 0:
        yield "Nothing has happened yet."
        return
    carried = list(teller.past_whispers())
    if carried:
        yield from ("## What they carry with them", "", *carried, "")
    yield from _days(teller)
    yield from _numbers(teller)


def _days(teller: Storyteller) -> Iterator[str]:
    """Yield the days, each with its plans and its parts."""
    people = len(teller.agents)
    day = 0
    part = ""
    for entry in teller.entries():
        if day_of(entry.at) != day:
            day, part = day_of(entry.at), ""
            yield from (f"## {teller.day(entry.at)}", "")
            plans = list(teller.plans(day))
            yield from (*plans, "") if plans else ()
        if _part(entry.at, people) != part:
            part = _part(entry.at, people)
            yield from ("", f"### {part}", "")
        yield from _separate_talk(entry.text)


def _separate_talk(text: str) -> Iterable[str]:
    """Return an entry's lines; a talk has empty lines before and after it."""
    return ("", text, "") if text.startswith(">") else (text,)


def _part(at: int, people: int) -> str:
    """Return the heading above a moment: the hour if there are many people, else a part of day."""
    if people > FEW:
        return f"{clock_of(at)[:2]}:00"
    return next(name for minute, name in reversed(PARTS) if minute_of(at) >= minute)


def _numbers(teller: Storyteller) -> Iterator[str]:
    """Yield the lines of the section with the run's numbers."""
    numbers = count_run(teller.reader)
    total = numbers.total
    ends = ", ".join(f"{total.outcomes.get(outcome, 0)} {outcome}" for outcome in OUTCOMES)
    models = " and ".join(
        dict.fromkeys((teller.reader.spec.models.fast, teller.reader.spec.models.strong))
    )
    yield from ("", "---", "")
    yield (
        f"The whole run in numbers: {format_count(numbers.actions, 'action')}, "
        f"{format_count(numbers.talks, 'talk')} of {format_count(numbers.lines, 'line')}, "
        f"{format_count(numbers.memories, 'memory', 'memories')}, "
        f"{format_count(numbers.thoughts, 'thought')} "
        f"({numbers.failed} failed); {total.calls} calls to `{models}` for {total.steps} steps: "
        f"{ends}; {total.odd} objected to."
    )


def _sorted_thoughts(
    thoughts: Sequence[Memory], talks: Sequence[Talk], carried: set[tuple[str, int]]
) -> tuple[list[Memory], dict[str, list[Memory]], list[Memory]]:
    """Return three groups: reflections, thoughts about each talk by its id, and other thoughts."""
    reflections: list[Memory] = []
    kept: dict[str, list[Memory]] = {}
    alone: list[Memory] = []
    for memory in thoughts:
        if "/reflect_insights/" in memory.id:
            reflections.append(memory)
        elif "/conclude_talk/" in memory.id:
            talk = _talk_of(memory, talks)
            if talk is None:
                alone.append(memory)
            else:
                kept.setdefault(talk.id, []).append(memory)
        elif "/plan_" not in memory.id and (memory.agent, memory.tick) not in carried:
            alone.append(memory)
    return reflections, kept, alone


def _talk_of(memory: Memory, talks: Sequence[Talk]) -> Talk | None:
    """Return the talk that led to a thought: the last talk of its agent that had ended."""
    over = [
        talk for talk in talks if memory.agent in talk.participants and talk.end <= memory.created
    ]
    return max(over, key=lambda talk: (talk.end, talk.id)) if over else None
