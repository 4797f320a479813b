"""The moment that comes next: of the same step and the same agent."""

from pathlib import Path

from lab.moments.finding import moments_at
from lab.moments.moment import Moment
from lab.moments.wanted import Wanted
from world.runs.folder import RunFolder
from world.runs.reader import RunReader
from world.runs.uses import UseKey


def next_moment(runs_dir: Path, moment: Moment, named: str) -> Moment | None:
    """Return the next moment of the same step and agent, None behind the last one.

    `named` is how the moment was named: `moments.jsonl#3f9a1c2e` looks on in that file. Raises
    RunError when the run or the file cannot be read.
    """
    where, mark, _ = named.rpartition("#")
    if mark:
        return _in_file(Path(where), moment)
    record = moment.record
    key = UseKey(record.owner, record.tick, record.step, record.ordinal)
    with RunReader(RunFolder.open(runs_dir, moment.run)) as reader:
        keys = [use.key for use in Wanted(step=moment.step, agent=moment.agent).uses(reader)]
        later = keys[keys.index(key) + 1 :] if key in keys else []
        return next(moments_at(reader, later[:1]), None)


def _in_file(path: Path, moment: Moment) -> Moment | None:
    """Return the next one of the same run in a file of moments."""
    from lab.moments.files import read_moments

    own = (moment.run, moment.step, moment.agent)
    those = [each for each in read_moments(path) if (each.run, each.step, each.agent) == own]
    after = (moment.at, moment.record.ordinal)
    later = [each for each in those if (each.at, each.record.ordinal) > after]
    return min(later, key=lambda each: (each.at, each.record.ordinal), default=None)
