"""The thoughts and talks of a run: listed, and looked up by an id or a time."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from smolville.agents.action import Talk
from smolville.agents.errors import RunError
from smolville.agents.times import clock, minute_of
from smolville.graphs.loop.ledger import OUTCOMES, StepRecord
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.history.records import ThoughtRow
from smolville.lab.moments.finding import LEAST, found_in, whole_digits

DIGITS = 8
"""Number of hex digits in a thought's or talk's id within its run."""
MOST_NAMED = 3
"""Maximum number of steps in a thought's name; `+2` stands for two more."""

_ID = re.compile(rf"(?:\S+/)?(?P<digits>[0-9a-f]{{{LEAST},{DIGITS}}})")


class TraceKey(NamedTuple):
    """The key of a thought or talk within its run."""

    kind: Literal["thought", "talk"]
    owner: str
    """The agent, or the talk's id."""
    tick: int


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """A thought or talk as a row of a list."""

    key: TraceKey
    people: tuple[str, ...]
    at: int
    did: str
    """Its steps in short, or the node at which it ended."""
    steps: tuple[str, ...]
    outcome: str
    """The worst outcome of its steps, `failed`, or empty when no model was asked."""
    milliseconds: float
    calls: int = 0
    prompt_tokens: int | None = None
    """Tokens of its prompts; this and the next are None if no server reported them."""
    completion_tokens: int | None = None

    @property
    def digits(self) -> str:
        """The row's id within the run."""
        return thought_digits(self.key.owner, self.key.tick)

    @property
    def name(self) -> str:
        """The thought's or talk's name, `Nadia Farouk · 07:40 · ground_block`."""
        return f"{' & '.join(self.people)} · {clock(minute_of(self.at))} · {self.did}"

    @property
    def is_silent(self) -> bool:
        """True when no model was asked and nothing failed."""
        return not self.steps and not self.outcome


def list_traces(
    reader: RunReader, agent: str | None = None, until: int = FOREVER
) -> list[TraceRow]:
    """Return the thoughts and talks up to a tick, in order, without building their trees.

    With `agent` (a full name), returns only that agent's thoughts and the talks it took part in.
    """
    with reader.snapshot():
        thoughts, talks = reader.thoughts(agent, until=until), reader.talks(agent, until=until)
        steps = reader.steps(until=until)
        spent = reader.connection.execute(
            "SELECT owner, tick, COUNT(*), SUM(prompt_tokens), SUM(completion_tokens) "
            "FROM committed_calls WHERE tick <= ? GROUP BY owner, tick",
            (until,),
        ).fetchall()
    counts = {(owner, tick): tuple(rest) for owner, tick, *rest in spent}
    return rows_of(thoughts, talks, steps, reader.spec.tick_seconds, counts)


def rows_of(
    thoughts: Iterable[ThoughtRow],
    talks: Iterable[Talk],
    steps: Iterable[StepRecord],
    tick_seconds: int,
    spent: dict[tuple[str, int], tuple[int, ...]] | None = None,
) -> list[TraceRow]:
    """Return a row per thought and talk, in order; `steps` must hold the steps of all of them.

    `spent` has the number of calls and the tokens of prompts and replies, by owner and tick.
    """
    records: defaultdict[tuple[str, int], list[StepRecord]] = defaultdict(list)
    for step in steps:
        records[step.owner, step.tick].append(step)

    def row(key: TraceKey, people: tuple[str, ...], at: int, failed: str, **more: Any) -> TraceRow:
        own = records[key[1:]]
        calls, prompt, completion = (spent or {}).get(key[1:], (0, None, None))
        return TraceRow(
            key=key,
            people=people,
            at=at,
            steps=tuple(step.step for step in own),
            outcome="failed" if failed else find_worst_outcome(step.outcome for step in own),
            calls=calls,
            prompt_tokens=prompt,
            completion_tokens=completion,
            **more,
        )

    found = []
    for each in thoughts:
        key = TraceKey("thought", each.agent, each.tick)
        did = what_was_done([step.step for step in records[key[1:]]], each.path, each.failed)
        took = each.milliseconds
        found.append(row(key, (each.agent,), each.at, each.failed, did=did, milliseconds=took))
    for talk in talks:
        key = TraceKey("talk", talk.id, talk.start // tick_seconds)
        times = [(step.started * 1e3, step.milliseconds) for step in records[key[1:]]]
        took = max((sum(each) for each in times), default=0.0) - min(times, default=(0.0,))[0]
        found.append(row(key, talk.participants, talk.start, "", did="talk", milliseconds=took))
    return sorted(found, key=lambda each: (each.key.tick, each.key.kind == "talk", each.key.owner))


def find_thought(reader: RunReader, text: str, until: int) -> TraceRow:
    """Return the thought or talk that the user's text names, among those up to the tick `until`.

    The text is an id, the id of a moment, or `latest`: the last that asked a model or failed.
    Raises RunError.
    """
    known = list_traces(reader, until=until)
    query, run = text.strip(), reader.spec.name
    if not known:
        raise RunError(f"Nobody in the run {run!r} has thought yet.")
    if query == "latest":
        return next((each for each in reversed(known) if not each.is_silent), known[-1])
    if not (named := _ID.fullmatch(query)):
        raise RunError(
            f"There is no thought {query!r} in the run {run!r}; write `latest`, its id, or the id "
            "of a moment in it."
        )
    places = {each.key[1:]: each for each in known}
    ids = {use.digits: places[use.key[:2]] for use in found_in(reader) if use.key[:2] in places}
    ids |= {each.digits: each for each in known}
    if found := whole_digits(named["digits"], ids):
        return ids[found]
    raise RunError(
        f"There is no thought or moment {named['digits']!r} in the run {run!r}. "
        f"`smolville trace {run}` lists them."
    )


def thought_digits(owner: str, tick: int) -> str:
    """Return the digits that identify a thought or talk within its run and the run's forks."""
    return blake2b(f"{owner}\0{tick}".encode(), digest_size=DIGITS // 2).hexdigest()


def what_was_done(steps: Sequence[str], path: Sequence[str], failed: str = "") -> str:
    """Return what a thought did: its steps, or the node where it ended if it took no step.

    Each step is named once, in order, with how often it was taken: `say ×4`.
    """
    if not steps:
        return "failed" if failed else (path[-1] if path else "nothing")
    names = [step if n == 1 else f"{step} ×{n}" for step, n in Counter(steps).items()]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def find_worst_outcome(outcomes: Iterable[str]) -> str:
    """Return the worst of the outcomes (`failed` is the worst of all); empty without any."""
    return max(filter(None, outcomes), key=(*OUTCOMES, "failed").index, default="")
