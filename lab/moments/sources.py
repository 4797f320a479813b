"""Loads moments from a run, a file or a LangSmith dataset, and selects some of them."""

import difflib
import os
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from smolville.agents.chance import draw
from smolville.agents.errors import RunError, SettingError
from smolville.history.folder import RunFolder, list_runs
from smolville.history.reader import RunReader
from smolville.history.sample import SAMPLES
from smolville.history.spec import SPEC_FILE
from smolville.lab.moments.files import is_headed, read_moments
from smolville.lab.moments.finding import found_in, moments_at, moments_of
from smolville.lab.moments.moment import Moment
from smolville.lab.safe_files import read_lines

LANGSMITH = "langsmith:"
"""Prefix of the name of a LangSmith dataset."""


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
        return _of_file(path, runs_dir)
    if _is_run(text, runs_dir):
        return _of_run(text, runs_dir)
    raise RunError(_format_not_found(text, runs_dir))


def _is_run(text: str, runs_dir: Path) -> bool:
    is_there = Path(text).name == text and (runs_dir / text / SPEC_FILE).is_file()
    return is_there or text in SAMPLES


def _of_run(name: str, runs_dir: Path) -> list[Moment]:
    with RunReader(RunFolder.open(runs_dir, name)) as reader:
        found = list(moments_of(reader))
    if not found:
        raise RunError(f"the run {name!r} has no moments yet")
    return found


def _of_file(path: Path, runs_dir: Path) -> list[Moment]:
    """Return the moments in a moments file, or those named in a file of training rows."""
    first = next((line for _, line in read_lines(path)), None)
    if first is None:
        raise RunError(f"{str(path)!r} is empty.")
    if is_headed(first) or not isinstance(first.get("moment"), str):
        return read_moments(path)
    ids = dict.fromkeys(str(line.get("moment", "")) for _, line in read_lines(path))
    found: dict[str, Moment] = {}
    for run in dict.fromkeys(id_.rpartition("/")[0] for id_ in ids):
        found |= _of_ids([id_ for id_ in ids if id_.rpartition("/")[0] == run], run, runs_dir, path)
    return [found[id_] for id_ in ids]


def _of_ids(ids: list[str], run: str, runs_dir: Path, path: Path) -> dict[str, Moment]:
    """Return moments of a run by id; RunError if the run or any of the moments is missing."""
    if not _is_run(run, runs_dir):
        raise RunError(
            f"{str(path)!r} names moments of the run {run!r}, which is not in {runs_dir}; only a "
            "file of --format jsonl can do without its run."
        )
    with RunReader(RunFolder.open(runs_dir, run)) as reader:
        keys = {f"{run}/{each.digits}": each.key for each in found_in(reader)}
        gone = next((id_ for id_ in ids if id_ not in keys), None)
        if gone is not None:
            raise RunError(
                f"{str(path)!r} names the moment {gone!r}, which the run does not have: another "
                "run of that name has taken its place."
            )
        return {each.id: each for each in moments_at(reader, [keys[id_] for id_ in ids])}


def _format_not_found(text: str, runs_dir: Path) -> str:
    """Return the message that no run or file has this name, with the most similar run names."""
    known = list_runs(runs_dir)
    close = difflib.get_close_matches(text, known, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else f"; runs: {', '.join(known)}."
    return f"There is no run and no file {text!r}{hint if known else '.'}"


def select_moments(
    moments: Sequence[Moment],
    *,
    steps: Collection[str] = (),
    outcome: str | None = None,
    limit: int | None = None,
) -> list[Moment]:
    """Return the moments of these steps with this outcome, in their order.

    No steps means any step. When there are more than `limit` moments, all pairs of a step and an
    outcome get as equal a number of moments as possible; which moments are chosen depends only on
    their ids. Raises SettingError when no moment matches.
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
    return matching if limit is None or len(matching) <= limit else _sample_moments(matching, limit)


def _sample_moments(moments: Sequence[Moment], limit: int) -> list[Moment]:
    """Return `limit` moments, in their order, taken in turn from each pair of step and outcome."""
    kinds: dict[tuple[str, str], list[Moment]] = {}
    for moment in sorted(moments, key=lambda each: (draw("evaluation", each.id), each.id)):
        kinds.setdefault((moment.step, moment.outcome), []).append(moment)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    taken = [moment for row in rounds for moment in row if moment is not None][:limit]
    ids = {moment.id for moment in taken}
    return [moment for moment in moments if moment.id in ids]
