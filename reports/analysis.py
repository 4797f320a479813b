"""The log analyser: what went wrong between a town and its models, grouped by reason."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from json import loads

from smolville.history.calls import LISTING, Unpacker, given_up, read_call
from smolville.history.reader import RunReader
from smolville.parsers.problem import SENSE_KINDS, rule_in

TITLES: Mapping[str, str] = {
    "timeout": "time-outs",
    "lost": "other lost calls",
    "cut_prompt": "prompts too long for the context",
    "unreadable": "replies the server itself could not read",
    "cut_answer": "answers cut off",
    "no_json": "no JSON in the answer",
    "syntax": "broken JSON",
    "missing": "missing fields",
    "type": "values of a wrong type",
    "choice": "choices that were not offered",
    "level": "a place of another level",
    "range": "numbers out of range",
    "length": "too long, too short",
    "sum": "minutes that do not add up",
    "duplicate": "the same thing twice",
    "text": "other problems of answers",
    **SENSE_KINDS,
    "fallback": "steps that fell back",
    "failed_thought": "thoughts that failed",
}
"""Names of reasons, in the order of the report: lost calls, answers, steps, thoughts.

Answers that make no sense count both if refused and if accepted as odd.
"""

_TIMEOUT = re.compile(r"\bin time\b|\btime[d-]?[ -]?out|\bstall|\btoo slow", re.IGNORECASE)
_ORDER = "ORDER BY tick, owner, step, ordinal, attempt"
_REJECTED = f"""
SELECT calls.agent, owner, tick, step, readings.problems, readings.kinds, calls.finish
FROM readings JOIN calls USING (owner, tick, step, ordinal, attempt)
WHERE NOT readings.accepted {_ORDER}
"""  # noqa: S608
_CUT = f"""
SELECT agent, owner, tick, step, finish, completion_tokens, max_tokens FROM calls
WHERE finish != 'stop' {_ORDER}
"""  # noqa: S608
_LOST = f"SELECT {LISTING} FROM calls WHERE retries + cuts > 0 {_ORDER}"  # noqa: S608
_ENDS = """
SELECT agent, owner, tick, step, odd, odd_kinds, outcome = 'fallback', attempts, problems
FROM steps WHERE odd != '[]' OR outcome = 'fallback' ORDER BY tick, owner, n
"""


@dataclass(frozen=True)
class StepProblem:
    """One problem with its place, its time and its reason."""

    reason: str
    sentence: str
    agent: str
    owner: str
    """The agent, or the id of the talk, with the problem."""
    tick: int
    step: str
    """Name of the step; empty if the problem is of a whole thought."""

    @property
    def detail(self) -> str:
        """The rule of the town that was broken; empty for other reasons."""
        return rule_in(self.sentence) if self.reason == "rule" else ""

    @property
    def is_talk(self) -> bool:
        """Return True if the problem occurred in a talk, not in an agent's own thought."""
        return self.owner != self.agent


@dataclass(kw_only=True)
class Reason:
    """All problems with the same reason; each broken rule of a town is a reason of its own."""

    key: str
    detail: str
    """The rule of the town that was broken; empty for other reasons."""
    example: StepProblem
    """The first problem found."""
    by_step: Counter[str] = field(default_factory=Counter)
    by_agent: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """The reason's key, followed by the broken rule if there is one; unique for each reason."""
        return f"{self.key}: {self.detail}" if self.detail else self.key

    @property
    def title(self) -> str:
        """The reason's name in words."""
        detail = self.detail.rstrip(".")
        return f"{TITLES[self.key]}: {detail}" if detail else TITLES[self.key]

    @property
    def count(self) -> int:
        """Number of problems with this reason."""
        return self.by_agent.total()


def analyse(reader: RunReader) -> list[Reason]:
    """Return a run's problems until now, grouped by reason; empty if there are none."""
    with reader.snapshot():
        connection = reader.connection
        return group_by_reason(
            [
                *lost_calls(connection, Unpacker(connection)),
                *_unfinished_replies(connection),
                *_rejected_replies(connection),
                *_ended_badly(connection),
                *(
                    StepProblem("failed_thought", row.failed, row.agent, row.agent, row.tick, "")
                    for row in reader.thoughts()
                    if row.failed
                ),
            ]
        )


def group_by_reason(findings: Iterable[StepProblem]) -> list[Reason]:
    """Return the problems by reason, in the order of the report."""
    found: dict[tuple[str, str], Reason] = {}
    for each in findings:
        new = Reason(key=each.reason, detail=each.detail, example=each)
        reason = found.setdefault((each.reason, each.detail), new)
        reason.example = min(reason.example, each, key=lambda problem: problem.tick)
        reason.by_agent[each.agent] += 1
        if each.step:
            reason.by_step[each.step] += 1
    return [reason for key in TITLES for reason in found.values() if reason.key == key]


def reason_of(kind: str) -> str:
    """Return the reason for a kind of problem (`parsers.problem`); `text` for unknown kinds."""
    reason = "cut_answer" if kind == "cut" else kind
    return reason if reason in TITLES else "text"


def lost_calls(connection: sqlite3.Connection, unpacker: Unpacker) -> Iterator[StepProblem]:
    """Yield prompts that were too long, and calls that never got a reply."""
    for cells in connection.execute(_LOST):
        call = read_call(cells, unpacker)
        sentences = [str(sentence) for sentence in loads(call.lost)]
        unexplained = call.cuts + call.retries - len(sentences)
        for number, sentence in enumerate([*sentences, *["No reason was recorded."] * unexplained]):
            reason = "cut_prompt" if number < call.cuts else _lost_reason(sentence)
            key = call.key
            yield StepProblem(reason, _line(sentence), call.agent, key.owner, key.tick, key.step)
    for gone in given_up(connection):
        for sentence in gone.lost:
            yield StepProblem(_lost_reason(sentence), _line(sentence), *gone[:4])


def _lost_reason(sentence: str) -> str:
    return "timeout" if _TIMEOUT.search(sentence) else "lost"


def _line(sentence: str) -> str:
    return " ".join(sentence.split())


def _unfinished_replies(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield replies that were cut at their length limit or that the server could not read."""
    for *where, finish, tokens, allowed in connection.execute(_CUT):
        many = "" if tokens is None else f" after {tokens} tokens"
        if finish == "length":
            told = f"The reply was cut off{many}; {allowed} were allowed."
            yield StepProblem("cut_answer", told, *where)
        else:
            told = "The server could not read its model's reply."
            yield StepProblem("unreadable", told, *where)


def _rejected_replies(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the problems of rejected replies; in each reply, only the first one of a kind."""
    for *where, problems, kinds, finish in connection.execute(_REJECTED):
        reported: set[str] = set()
        sentences = loads(problems)
        for kind, sentence in zip(
            [*loads(kinds), *["text"] * len(sentences)], sentences, strict=False
        ):
            reason = reason_of(kind)
            counted = rule_in(sentence) or reason
            # A fault that the server itself reported is counted with the call, answered or not.
            if counted in reported or finish == "unreadable" or (finish, kind) == ("length", "cut"):
                continue
            reported.add(counted)
            yield StepProblem(reason, _line(sentence), *where)


def _ended_badly(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the oddities in accepted answers, and the fallbacks with their last problems."""
    for *where, odd, kinds, is_fallback, attempts, problems in connection.execute(_ENDS):
        for kind, sentence in zip(loads(kinds), loads(odd), strict=True):
            told = _line(f"Accepted all the same. {sentence}")
            yield StepProblem(reason_of(kind), told, *where)
        if is_fallback:
            last = " ".join(loads(problems)) or "no problem was recorded"
            told = _line(f"Given up after {attempts} calls; the last was wrong so: {last}")
            yield StepProblem("fallback", told, *where)
