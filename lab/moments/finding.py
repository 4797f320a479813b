"""Find moments: those that match in a run, the one with an id, or all of a run, file or dataset."""

import difflib
import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

import orjson

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, SettingError
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.history.records import StepUse, StepView, UseKey
from smolville.lab.moments.files import cases_file, read_moments
from smolville.lab.moments.moment import DIGITS, Moment, moment_digits
from smolville.prompts.folder import Texts
from smolville.world.meaning import find_thinker

LEAST = 4
"""Minimum number of an id's digits that the user must give."""
LANGSMITH = "langsmith:"
"""Prefix of the name of a LangSmith dataset."""
_DIGITS = re.compile(rf"[0-9a-f]{{{LEAST},{DIGITS}}}")


class LocatedStep(NamedTuple):
    """The key of a recorded use of a step, and the digits of its moment's id."""

    digits: str
    key: UseKey


def uses_in(
    reader: RunReader,
    *,
    step: str | None = None,
    agent: str | None = None,
    outcome: str | None = None,
    odd: str | None = None,
) -> list[StepUse]:
    """Return a run's matching uses of steps up to the watermark, oldest first.

    `odd` is a kind of oddity, or `any`; `agent` may be a first name. Raises SettingError or
    RunError, with the closest match, for an unknown value.
    """
    if outcome is not None:
        _check_known(outcome, OUTCOMES, f"No step ends {outcome!r}")
    if odd is not None:
        from smolville.parsers.problem import SENSE_KINDS

        _check_known(odd, ("any", *SENSE_KINDS), f"Nothing is odd in the way {odd!r}")
    if step is not None and step not in reader.step_names():
        from smolville.graphs.catalogue import STEPS

        _check_known(step, [each.name for each in STEPS], f"There is no step {step!r}")
    if agent is not None:
        agent = find_thinker(agent, reader.agents(), f"the run {reader.spec.name!r}")
    until = _done_until(reader)
    return reader.uses(step=step, agent=agent, outcome=outcome, odd=odd, until=until)


def choose_uses(uses: Sequence[StepUse], ids: Iterable[str]) -> list[StepUse]:
    """Return the uses whose moments have these ids, or begin so; all of them without ids."""
    known = {moment_digits(*use.key): use for use in uses}
    chosen: dict[str, StepUse] = {}
    for id_ in ids:
        digits = id_.rpartition("/")[2].lower()
        found = whole_digits(digits, known) if len(digits) >= LEAST else None
        if found is None:
            raise RunError(f"There is no moment {id_!r} among these {len(known):,}.")
        chosen[found] = known[found]
    return list((chosen or known).values())


def _check_known(word: str, known: Sequence[str], wrong: str) -> None:
    if word not in known:
        meant = difflib.get_close_matches(word, known, n=1, cutoff=0.0)[0]
        raise SettingError(f"{wrong}; did you mean {meant}? All: {', '.join(known)}.")


def moments_of(reader: RunReader, **wanted: str | None) -> Iterator[Moment]:
    """Return a run's matching moments, oldest first; the criteria are those of `uses_in`."""
    return moments_at(reader, [use.key for use in uses_in(reader, **wanted)])


def moments_at(reader: RunReader, keys: Sequence[UseKey]) -> Iterator[Moment]:
    """Yield the moments with these keys; each is read only when it is needed."""
    if not keys:
        return
    sets = reader.template_sets()
    ticks = [tick for tick, _ in sets]
    for key in keys:
        view = reader.step(key)
        if view is not None and view.attempts:
            yield _moment(reader, view, sets[max(0, bisect_right(ticks, key.tick) - 1)][1])


def found_in(reader: RunReader) -> list[LocatedStep]:
    """Return all uses of steps in a run up to its watermark, with their moments' digits."""
    return [LocatedStep(moment_digits(*key), key) for key in reader.use_keys(_done_until(reader))]


def find_moment(runs_dir: Path, text: str) -> Moment:
    """Return the moment with this id; RunError if there is none, or more than one.

    The id is `clumsy/3f9a1c2e`, or the digits alone for the latest run that has them; the first
    digits are enough if they are unambiguous. `moments.jsonl#3f9a1c2e` is a moment in a file.
    """
    file, mark, _ = text.rpartition("#")
    run = "" if mark else text.strip().rpartition("/")[0]
    digits = re.split(r"[#/]", text.strip())[-1].lower()
    if not _DIGITS.fullmatch(digits):
        raise RunError(
            f"{text!r} names no moment: write RUN/3f9a1c2e, or {LEAST} to {DIGITS} hex digits with "
            "which it begins, as `smolville moments RUN` lists them."
        )
    if mark:
        by_digits = {each.id.rpartition("/")[2]: each for each in read_moments(Path(file))}
        if found := whole_digits(digits, by_digits):
            return by_digits[found]
    for name in [run] if run else [] if mark else list_runs(runs_dir):
        try:
            reader = RunReader(RunFolder.open(runs_dir, name))
        except RunError:
            if run:
                raise
            continue
        with reader:
            keys = dict(found_in(reader))
            if found := whole_digits(digits, keys):
                return next(moments_at(reader, [keys[found]]))
    where = repr(file) if mark else f"the run {run!r}" if run else f"any run in {runs_dir}"
    raise RunError(f"There is no moment {digits!r} in {where}. `smolville moments RUN` lists them.")


def moments_from(text: str, runs_dir: Path, env: Mapping[str, str] | None = None) -> list[Moment]:
    """Return the moments of a run, of a file, or of `langsmith:NAME`, in their order.

    Raises RunError or SettingError with the reason. `env` holds LangSmith's key; None means the
    process's environment.
    """
    if text.startswith(LANGSMITH):
        from smolville.lab.moments.langsmith import read_langsmith

        return read_langsmith(text.removeprefix(LANGSMITH), os.environ if env is None else env)
    cases = cases_file(Path(text))
    if cases.is_file():
        return read_moments(cases)
    if Path(text).name != text:
        raise RunError(f"There is no run and no file {text!r}.")
    with RunReader(RunFolder.open(runs_dir, text)) as reader:
        found = list(moments_of(reader))
    if not found:
        raise RunError(f"the run {text!r} has no moments yet")
    return found


def moments_of_all(
    names: Sequence[str], runs_dir: Path, env: Mapping[str, str] | None = None
) -> list[Moment]:
    """Return the moments of several runs, files or data sets, each question once.

    A fork has the questions of its run up to where it begins: they are the run's, named first.
    """
    found = [each for name in dict.fromkeys(names) for each in moments_from(name, runs_dir, env)]
    asked: dict[tuple[str, str], Moment] = {}
    for each in found:
        asked.setdefault((each.id.rpartition("/")[2], each.attempts[0].call.messages_hash), each)
    return [*{moment.id: moment for moment in asked.values()}.values()]


def select_moments(
    moments: Sequence[Moment], *, steps: Collection[str] = (), limit: int | None = None
) -> list[Moment]:
    """Return the moments of these steps, in their order; no steps means any step.

    When there are more than `limit` moments, they are taken in turn from each pair of a step and an
    outcome, and there from one person after another; which ones depends only on their ids. Raises
    SettingError when a step has none.
    """
    there = list(dict.fromkeys(moment.step for moment in moments))
    for step in steps:
        if step not in there:
            raise SettingError(
                f"None of these moments is of the step {step!r}; there are some of "
                f"{', '.join(there)}."
            )
    matching = [moment for moment in moments if not steps or moment.step in steps]
    kinds: dict[tuple[str, str], dict[tuple[str, str], list[Moment]]] = {}
    for moment in sorted(matching, key=lambda each: (draw("evaluation", each.id), each.id)):
        people = kinds.setdefault((moment.step, moment.outcome), {})
        people.setdefault((moment.run, moment.agent), []).append(moment)
    queues = [chain(*zip_longest(*people.values())) for _, people in sorted(kinds.items())]
    rounds = zip_longest(*([each for each in queue if each is not None] for queue in queues))
    taken = [moment.id for row in rounds for moment in row if moment is not None][:limit]
    return [moment for moment in matching if moment.id in {*taken}]


def _done_until(reader: RunReader) -> int:
    """Return the last tick that is complete for all agents; -1 before the first commit."""
    done = reader.watermark()
    return -1 if done is None else done


def _moment(reader: RunReader, view: StepView, templates: Texts) -> Moment:
    spec, record = reader.spec, view.record
    ids = [
        *(each["id"] for made in view.attempts for each in orjson.loads(made.call.recalled)),
        *(id_ for recall in record.recalls for id_ in recall.ids),
    ]
    return Moment(
        run=spec.name,
        seed=spec.seed,
        at=record.tick * spec.tick_seconds,
        record=record,
        attempts=view.attempts,
        memories=reader.memory_texts(ids),
        templates=templates,
    )


def whole_digits(digits: str, known: Iterable[str]) -> str | None:
    """Return the id's digits that begin with these; None if there are none, RunError if several."""
    found = [each for each in known if each.startswith(digits)]
    if len(found) > 1:
        raise RunError(
            f"The digits {digits!r} could be {' or '.join(found[:3])}; give more of them."
        )
    return found[0] if found else None
