"""Why two runs differ: the differences of their specs, and the cause of the first difference."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import shorten
from typing import Literal

from smolville.agents.wording import join_words, visible_line
from smolville.graphs.loop.ledger import Call, StepRecord
from smolville.history.reader import RunReader
from smolville.history.spec import RunSpec
from smolville.history.thoughts import StepView, UseKey
from smolville.reports.from_outside import outside_words

FUNDAMENTAL = ("town", "cast", "seed", "tick length")
"""Names of the differences after which two runs have nothing in common from the first moment on."""
VERSIONS = "version of "
MISSING = "none"

CauseKind = Literal[
    "setting",
    "intervention",
    "template",
    "model",
    "reply",
    "question",
    "step",
    "reading",
    "unexplained",
]
_RECORDED = ("inputs", "recalled", "messages_hash")
"""Parts of a call that only its record has."""
_COMPARED = (
    *("template", "model", "seed", "temperature", "max_tokens", "schema", "messages"),
    *("reply", "finish", *_RECORDED),
)
"""Parts of a call, in an order in which a difference explains the differences after it."""
LONGEST_REPLY = 160
"""Maximum number of characters shown of a reply."""


@dataclass(frozen=True, kw_only=True)
class SpecDifference:
    """One difference between the specs of two runs."""

    name: str
    """The name of what differs: `seed`, `fast model`, `setting examples`, `template say`."""
    values: tuple[str, str]
    """The value in each run; `none` if a run has no such value."""

    def __str__(self) -> str:
        """Return the difference in words: `seed: 1 and 2`."""
        return f"{self.name}: {self.values[0]} and {self.values[1]}"

    @property
    def is_fundamental(self) -> bool:
        """True if runs with this difference have nothing in common from the first moment on."""
        return self.name in FUNDAMENTAL

    @property
    def is_version(self) -> bool:
        """True if the difference is in the version of the program or of a package that it uses."""
        return self.name.startswith(VERSIONS)


def compare_specs(one: RunSpec, other: RunSpec) -> tuple[SpecDifference, ...]:
    """Return the differences between the specs of two runs.

    Names, folders and schedules are ignored, because they have no influence on the history.
    """
    return tuple(
        SpecDifference(name=name, values=(mine, theirs))
        for name, mine, theirs in _values(one, other)
        if mine != theirs
    )


def _values(one: RunSpec, other: RunSpec) -> Iterator[tuple[str, str, str]]:
    """Yield the name and both values of every entry of the specs."""
    towns = (one.town_name, other.town_name)
    if one.town_hash != other.town_hash and towns[0] == towns[1]:
        towns = (f"{towns[0]} ({one.town_hash})", f"{towns[1]} ({other.town_hash})")
    yield "town", *towns
    yield "cast", ", ".join(one.cast), ", ".join(other.cast)
    yield "seed", str(one.seed), str(other.seed)
    yield "tick length", f"{one.tick_seconds} s", f"{other.tick_seconds} s"
    yield "fast model", one.models.fast, other.models.fast
    yield "strong model", one.models.strong, other.models.strong
    yield "embedder", one.models.embedder, other.models.embedder
    yield "routines", one.routines or MISSING, other.routines or MISSING
    yield from _each("setting ", one.settings, other.settings)
    yield from _each("template ", one.prompts, other.prompts)
    yield from _each(VERSIONS, one.versions, other.versions)


def _each(
    kind: str, mine: Mapping[str, object], theirs: Mapping[str, object]
) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of two mappings, with names that begin with `kind`."""
    for name in sorted({*mine, *theirs}):
        yield f"{kind}{name}", str(mine.get(name, MISSING)), str(theirs.get(name, MISSING))


@dataclass(frozen=True, kw_only=True)
class Cause:
    """The cause of the first difference between two runs."""

    kind: CauseKind
    sentence: str
    agent: str = ""
    """The agent whose thought or line differs; empty if no agent is concerned."""
    step: str = ""
    """The step that differs; empty if no step is concerned."""


def find_cause(
    one: RunReader, other: RunReader, tick: int, spec: Sequence[SpecDifference]
) -> Cause:
    """Return the cause of the first difference between the histories of two runs."""
    fundamental = [each for each in spec if each.is_fundamental]
    if fundamental:
        return Cause(kind="setting", sentence=f"{_list_differences(fundamental)}.")
    return (
        _find_intervention(one, other, tick)
        or _find_in_steps(one, other, tick, spec)
        or _blame_spec(spec, "what happens then, though the same was asked and answered,")
        or Cause(
            kind="unexplained",
            sentence=(
                "nothing that is recorded explains it: both were asked for in the same way, and "
                "asked and answered the same. One of the histories was changed, or was written by "
                "a program that did other things under the same version."
            ),
        )
    )


def _find_intervention(one: RunReader, other: RunReader, tick: int) -> Cause | None:
    """Return the intervention of a tick that only one of two runs has; None if there is none."""
    made = [
        [each for each in run.interventions(tick - 1) if each.tick == tick] for run in (one, other)
    ]
    keys = [Counter((each.kind, each.target, each.text) for each in side) for side in made]
    for run, mine, rest in ((one, made[0], keys[1]), (other, made[1], keys[0])):
        for each in mine:
            if (each.kind, each.target, each.text) not in rest:
                text, quote = outside_words(each)
                said = f"{text} “{quote}”" if quote else text
                sentence = f"only {run.spec.name} has an intervention then. {said}"
                return Cause(kind="intervention", sentence=sentence)
    return None


def _find_in_steps(
    one: RunReader, other: RunReader, tick: int, spec: Sequence[SpecDifference]
) -> Cause | None:
    """Return the first difference in the questions and answers of a tick.

    A thought's questions depend on the answers before them. So differences within a step that both
    runs have come before steps that only one run has.
    """
    pairs = list(_steps(one, other, tick))
    for mine, theirs in pairs:
        if mine is not None and theirs is not None:
            cause = _compare_step(mine, theirs, spec)
            if cause is not None:
                return cause
    for mine, theirs in pairs:
        found = mine or theirs
        if found is not None and (mine is None or theirs is None):
            record = found.record
            name = (one if mine is not None else other).spec.name
            what = f"`{record.step}` of {record.agent}, which only {name} asks,"
            return _blame_spec(spec, what) or Cause(
                kind="step",
                sentence=f"only {name} asks `{record.step}` of {record.agent} then.",
                agent=record.agent,
                step=record.step,
            )
    return None


def _steps(
    one: RunReader, other: RunReader, tick: int
) -> Iterator[tuple[StepView | None, StepView | None]]:
    """Yield the steps of a tick in both runs: first those of thoughts, then those of talks."""
    records = [run.steps(since=tick, until=tick) for run in (one, other)]
    keys = dict.fromkeys(
        (
            *map(_key, filter(_is_of_thought, records[0])),
            *map(_key, filter(_is_of_thought, records[1])),
        )
    )
    keys |= dict.fromkeys((*map(_key, records[0]), *map(_key, records[1])))
    for key in keys:
        yield one.step(key), other.step(key)


def _is_of_thought(record: StepRecord) -> bool:
    return record.owner == record.agent


def _key(record: StepRecord) -> UseKey:
    return UseKey(record.owner, record.tick, record.step, record.ordinal)


def _compare_step(mine: StepView, theirs: StepView, spec: Sequence[SpecDifference]) -> Cause | None:
    """Return the first difference between two runs in the same step."""
    record = mine.record
    where = f"`{record.step}` of {record.agent}"
    for ours, others in zip_longest(mine.attempts, theirs.attempts):
        if ours is None or others is None:
            break
        found = _compare_calls(ours.call, others.call, where, spec)
        if found is not None:
            kind, sentence = found
            return Cause(kind=kind, sentence=sentence, agent=record.agent, step=record.step)
    if len(mine.attempts) == len(theirs.attempts) and _outcome(record) == _outcome(theirs.record):
        return None
    return _blame_spec(spec, f"how a reply to {where} is read") or Cause(
        kind="reading",
        sentence=f"the same replies to {where} are read differently.",
        agent=record.agent,
        step=record.step,
    )


def _outcome(record: StepRecord) -> tuple[object, ...]:
    return record.outcome, record.answer, record.problems, record.odd, record.odd_kinds


def _compare_calls(
    mine: Call, theirs: Call, where: str, spec: Sequence[SpecDifference]
) -> tuple[CauseKind, str] | None:
    """Return the first difference between two calls with the same key, in words."""
    name = next((name for name in _COMPARED if getattr(mine, name) != getattr(theirs, name)), None)
    if name is None:
        return None
    one, other = (shorten(str(getattr(call, name)), 80) for call in (mine, theirs))
    if name == "template":
        return "template", f"{where} is asked with different templates, {one} and {other}."
    if name == "model":
        return "model", f"{where} is asked of different models, {one} and {other}."
    if name == "messages":
        blamed = _blame_spec(spec, f"the question to {where}")
        sentence = f"{where} is asked in other words, by the same template."
        return (blamed.kind, blamed.sentence) if blamed else ("question", sentence)
    if name in ("reply", "finish"):
        replies = " and ".join(f"“{_shown(call)}”" for call in (mine, theirs))
        return "reply", f"the model answers the same question of {where} differently: {replies}."
    if name in _RECORDED:
        return "question", f"{where} is asked the same, but recorded with other `{name}`."
    return "setting", f"{where} is asked with another {name.replace('_', ' ')}, {one} and {other}."


def _shown(call: Call) -> str:
    return shorten(visible_line(call.reply), LONGEST_REPLY, placeholder=" …")


def _blame_spec(spec: Sequence[SpecDifference], what: str) -> Cause | None:
    """Return the differences between two specs as the cause of `what`; None if there are none."""
    if not spec:
        return None
    return Cause(kind="setting", sentence=f"{what} depends on {_list_differences(spec)}.")


def _list_differences(spec: Sequence[SpecDifference]) -> str:
    """Return differences in words; differences of versions are left out if there are others."""
    chosen = [each for each in spec if not each.is_version] or spec
    return join_words([str(each) for each in chosen])
