"""Find moments: those that match in a run, the one with an id, or all of a run, file or dataset."""

import difflib
import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import orjson

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, SettingError
from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.graphs.loop.rules import EVERY_KIND
from smolville.history.folder import SAMPLES, RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.history.spec import SPEC_FILE
from smolville.history.thoughts import StepUse, StepView, UseKey
from smolville.lab.moments.files import is_headed, read_moments
from smolville.lab.moments.moment import DIGITS, Moment, moment_digits
from smolville.lab.safe_files import read_lines
from smolville.prompts.folder import Texts
from smolville.world.meaning import find_thinker

LEAST = 4
"""Minimum number of an id's digits that the user must give."""
NAMED = 3
"""Maximum number of similar ids listed in a message."""
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
    limit: int | None = None,
) -> list[StepUse]:
    """Return a run's matching uses of steps up to the watermark, oldest first.

    `odd` is a kind of oddity, or `any`; `agent` may be a first name; `limit` takes the last ones.
    Raises SettingError or RunError, with the closest match, for an unknown value.
    """
    check_outcome(outcome)
    if odd is not None:
        from smolville.parsers.problem import SENSE_KINDS

        _check_known(odd, (EVERY_KIND, *SENSE_KINDS), f"Nothing is odd in the way {odd!r}")
    if step is not None and step not in (used := reader.step_names()):
        from smolville.graphs.catalogue import STEPS

        known = [each.name for each in STEPS]
        _check_known(step, known, f"There is no step {step!r}", f"In the run: {', '.join(used)}.")
    if agent is not None:
        agent = find_thinker(agent, reader.agents(), f"the run {reader.spec.name!r}")
    return reader.uses(
        step=step, agent=agent, outcome=outcome, odd=odd, until=_done_until(reader), limit=limit
    )


def check_outcome(outcome: str | None, known: Sequence[str] = OUTCOMES, what: str = "step") -> None:
    """Raise SettingError, with the closest match, for an unknown outcome; None means any."""
    if outcome is not None:
        _check_known(outcome, known, f"No {what} ends {outcome!r}")


def nearest_of(word: str, known: Iterable[str]) -> str:
    """Return the element of `known` that is most similar to a word."""
    return difflib.get_close_matches(word, list(known), n=1, cutoff=0.0)[0]


def _check_known(word: str, known: Sequence[str], wrong: str, more: str = "") -> None:
    if word not in known:
        meant = nearest_of(word, known)
        listed = more or f"All: {', '.join(known)}."
        raise SettingError(f"{wrong}; did you mean {meant}? {listed}")


def moments_of(
    reader: RunReader,
    *,
    step: str | None = None,
    agent: str | None = None,
    outcome: str | None = None,
    odd: str | None = None,
) -> Iterator[Moment]:
    """Return a run's matching moments, oldest first; the criteria are those of `uses_in`."""
    found = uses_in(reader, step=step, agent=agent, outcome=outcome, odd=odd)
    return moments_at(reader, [use.key for use in found])


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
    """Return the moment with this id; RunError lists similar ones when there is none.

    The id is `clumsy/3f9a1c2e`, or the digits alone for the latest run that has them; the first
    digits are enough if they are unambiguous. `moments.jsonl#3f9a1c2e` is a moment in a file.
    """
    where, mark, digits = text.rpartition("#")
    if mark:
        return _of_file(Path(where), _check_digits(digits, text))
    run, _, digits = text.strip().rpartition("/")
    digits = _check_digits(digits, text)
    if run:
        return _of_runs(runs_dir, [run], digits, f"the run {run!r}")
    names = []
    for name in list_runs(runs_dir):
        with suppress(RunError), RunReader(RunFolder.open(runs_dir, name)):
            names.append(name)
    if not names:
        raise RunError(f"There are no runs in {runs_dir}, so no moment {text!r}.")
    return _of_runs(runs_dir, names, digits, f"any run in {runs_dir}")


def find_moments(runs_dir: Path, ids: Iterable[str]) -> dict[str, Moment]:
    """Return the moments with these whole ids, by id; those not in a readable run are left out."""
    by_run: dict[str, list[str]] = {}
    for id_ in ids:
        by_run.setdefault(id_.rpartition("/")[0], []).append(id_)
    found: dict[str, Moment] = {}
    for run, wanted in by_run.items():
        with suppress(RunError), RunReader(RunFolder.open(runs_dir, run)) as reader:
            keys = {f"{run}/{each.digits}": each.key for each in found_in(reader)}
            there = [keys[id_] for id_ in wanted if id_ in keys]
            found |= {each.id: each for each in moments_at(reader, there)}
    return found


def moments_from(text: str, runs_dir: Path, env: Mapping[str, str] | None = None) -> list[Moment]:
    """Return the moments of a run, of a file, or of `langsmith:NAME`, in their order.

    A file of training rows also works, as long as its runs are available. Raises RunError or
    SettingError with the reason. `env` holds LangSmith's key; None means the process's environment.
    """
    if text.startswith(LANGSMITH):
        from smolville.lab.moments.langsmith import read_langsmith

        return read_langsmith(text.removeprefix(LANGSMITH), os.environ if env is None else env)
    path = Path(text)
    if path.is_file():
        first = next((line for _, line in read_lines(path)), None)
        if first is None:
            raise RunError(f"{str(path)!r} is empty.")
        if is_headed(first) or not isinstance(first.get("moment"), str):
            return read_moments(path)
        return _of_rows(path, runs_dir)
    if (path.name == text and (runs_dir / text / SPEC_FILE).is_file()) or text in SAMPLES:
        with RunReader(RunFolder.open(runs_dir, text)) as reader:
            found = list(moments_of(reader))
        if not found:
            raise RunError(f"the run {text!r} has no moments yet")
        return found
    known = list_runs(runs_dir)
    close = difflib.get_close_matches(text, known, n=NAMED)
    hint = f"; did you mean {' or '.join(close)}?" if close else f"; runs: {', '.join(known)}."
    raise RunError(f"There is no run and no file {text!r}{hint if known else '.'}")


def select_moments(
    moments: Sequence[Moment],
    *,
    steps: Collection[str] = (),
    outcome: str | None = None,
    limit: int | None = None,
) -> list[Moment]:
    """Return the moments of these steps with this outcome, in their order.

    No steps means any step. When there are more than `limit` moments, they are taken in turn from
    each pair of a step and an outcome; which ones depends only on their ids. Raises SettingError
    when no moment matches.
    """
    there = list(dict.fromkeys(moment.step for moment in moments))
    for step in steps:
        if step not in there:
            raise SettingError(
                f"None of these moments is of the step {step!r}; there are some of "
                f"{', '.join(there)}."
            )
    matching = [
        moment
        for moment in moments
        if (not steps or moment.step in steps) and outcome in (None, moment.outcome)
    ]
    if not matching:
        raise SettingError(f"None of these moments ended {outcome!r}, so there is nothing to ask.")
    kinds: dict[tuple[str, str], list[Moment]] = {}
    for moment in sorted(matching, key=lambda each: (draw("evaluation", each.id), each.id)):
        kinds.setdefault((moment.step, moment.outcome), []).append(moment)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
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


def _of_runs(runs_dir: Path, names: Sequence[str], digits: str, where: str) -> Moment:
    """Return the moment whose id begins with these digits, from the first run that has one."""
    near: list[str] = []
    for name in names:
        with RunReader(RunFolder.open(runs_dir, name)) as reader:
            known = {each.digits: each.key for each in found_in(reader)}
            fitting = [each for each in known if each.startswith(digits)]
            if len(fitting) == 1:
                return next(moments_at(reader, [known[fitting[0]]]))
            if fitting:
                uses = (_describe_use(each, known[each], reader) for each in fitting[:NAMED])
                raise RunError(
                    f"The digits {digits!r} could be {' or '.join(uses)}; give more of them."
                )
            close = difflib.get_close_matches(digits, list(known), n=NAMED - len(near) or 1)
            near += [_describe_use(each, known[each], reader) for each in close]
    raise RunError(f"There is no moment {digits!r} in {where}.{_did_you_mean(near[:NAMED])}")


def _of_file(path: Path, digits: str) -> Moment:
    """Return the moment in a file whose id begins with these digits."""
    known = {each.id.rpartition("/")[2]: each for each in read_moments(path)}
    found = [each for each in known if each.startswith(digits)]
    if len(found) > 1:
        several = " and ".join(known[each].id for each in found[:NAMED])
        raise RunError(f"The digits {digits!r} are {several}; give more.")
    if not found:
        close = difflib.get_close_matches(digits, list(known), n=NAMED)
        raise RunError(f"There is no moment {digits!r} in {str(path)!r}.{_did_you_mean(close)}")
    return known[found[0]]


def _of_rows(path: Path, runs_dir: Path) -> list[Moment]:
    """Return the moments named in a file of training rows; RunError if one is missing."""
    ids = dict.fromkeys(str(line.get("moment", "")) for _, line in read_lines(path))
    found = find_moments(runs_dir, ids)
    gone = next((id_ for id_ in ids if id_ not in found), None)
    if gone is not None:
        raise RunError(
            f"{str(path)!r} names the moment {gone!r}, which no run in {runs_dir} has; only a file "
            "of --format jsonl can do without its run."
        )
    return [found[id_] for id_ in ids]


def _check_digits(digits: str, text: str) -> str:
    """Return digits in lower case; raise RunError if they cannot belong to an id."""
    folded = digits.strip().lower()
    if not _DIGITS.fullmatch(folded):
        raise RunError(
            f"{text!r} names no moment: write RUN/3f9a1c2e, or {LEAST} to {DIGITS} hex digits with "
            "which it begins, as `smolville moments RUN` lists them."
        )
    return folded


def _describe_use(digits: str, key: UseKey, reader: RunReader) -> str:
    """Describe a use of a step: `clumsy/3f9a1c2e (1 07:40, Ada Brook, plan_day)`."""
    time = town_time(key.tick * reader.spec.tick_seconds)
    view = reader.step(key)
    whose = key.owner if view is None else view.record.agent
    return f"{reader.spec.name}/{digits} ({time}, {whose}, {key.step})"


def _did_you_mean(near: Sequence[str]) -> str:
    return f" Did you mean {' or '.join(near)}?" if near else " `smolville moments RUN` lists them."
