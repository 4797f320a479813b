"""Finds unbounded growth: of memories per day, and of prompts that fill the model's context."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from smolville.agents.times import at_of
from smolville.agents.wording import format_count, percent
from smolville.reports.drift.alarm import Alarm, at_first

MOST_MEMORIES = 400
"""Number of new memories of an agent on one day that causes an alarm.

Recorded days have 40 to 130. At three times that, either everything in sight is remembered again
and again, or thoughts produce more and more thoughts.
"""
FEWEST_THOUGHTS = 40
"""Number of thoughts on a day from which on they are compared with the other memories."""
FULL = 0.9
"""Share of the context from which on a prompt, with room for its reply, counts as full.

The next few memories or lines of a talk would then be left out.
"""
SHARE = 0.05
"""Share of a step's calls that must be full for an alarm; a single long prompt is not drift."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCount:
    """The number of new memories of one kind that an agent made on one day."""

    agent: str
    day: int
    kind: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSize:
    """The size of one call's prompt."""

    step: str
    model: str
    at: int
    """Town second of the call."""
    tokens: int
    """Number of tokens of the prompt and of the reserve for the reply; 0 if the server does not
    count.
    """
    is_shortened: bool
    """True if something was left out to make the prompt fit."""


def find_memory_growth(counts: Iterable[MemoryCount]) -> Iterator[Alarm]:
    """Yield an alarm for each day on which an agent made too many memories, or mostly thoughts."""
    days: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for each in counts:
        days[each.agent, each.day][each.kind] += each.number
    for (agent, day), kinds in days.items():
        total, thoughts = kinds.total(), kinds["thought"]
        at = at_of(day, 0)
        if total >= MOST_MEMORIES:
            text = f"{agent} made {total:,} memories on day {day}; {MOST_MEMORIES} are many."
            yield Alarm(
                kind="memories", who=(agent,), count=total, first=at, last=at, sentence=text
            )
        elif thoughts >= FEWEST_THOUGHTS and thoughts > total - thoughts:
            text = f"{agent} made {thoughts} thoughts on day {day} from only "
            text += f"{format_count(total - thoughts, 'other memory', 'other memories')}."
            yield Alarm(
                kind="memories", who=(agent,), count=thoughts, first=at, last=at, sentence=text
            )


def find_full_prompts(sizes: Iterable[PromptSize], windows: Mapping[str, int]) -> Iterator[Alarm]:
    """Yield an alarm for each step with many prompts that are full or were shortened.

    `windows` has the context size of each model in tokens, as far as it is known.
    """
    calls: Counter[str] = Counter()
    full: dict[str, list[PromptSize]] = defaultdict(list)
    for size in sizes:
        calls[size.step] += 1
        window = windows.get(size.model)
        is_full = window is not None and size.tokens >= FULL * window
        if size.is_shortened or is_full:
            full[size.step].append(size)
    for step, found in sorted(full.items()):
        if len(found) < SHARE * calls[step]:
            continue
        times = [each.at for each in found]
        cut = sum(1 for each in found if each.is_shortened)
        share = percent(len(found), calls[step], 0)
        text = f"{format_count(len(found), 'prompt')} of {step} ({share}) hardly fit the context"
        text += f", {cut} were shortened" if cut else ""
        yield Alarm(
            kind="prompts",
            who=(),
            count=len(found),
            first=min(times),
            last=max(times),
            sentence=f"{text}, {at_first(times)}.",
        )
