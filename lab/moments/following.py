"""Lookup of the next moment of the same step and agent."""

from pathlib import Path

from history.folder import RunFolder
from history.reader import RunReader
from history.uses import UseKey
from lab.moments.filter import MomentFilter
from lab.moments.finding import moments_at
from lab.moments.moment import Moment


def next_moment(runs_dir: Path, moment: Moment, named: str) -> Moment | None:
    """Return the next moment of the same step and agent, or None after the last one.

    `named` is the id as it was given: for `moments.jsonl#3f9a1c2e` the search continues in that
    file. Raises RunError when the run or the file cannot be read.
    """
    where, mark, _ = named.rpartition("#")
    if mark:
        return _in_file(Path(where), moment)
    record = moment.record
    key = UseKey(record.owner, record.tick, record.step, record.ordinal)
    with RunReader(RunFolder.open(runs_dir, moment.run)) as reader:
        keys = [use.key for use in MomentFilter(step=moment.step, agent=moment.agent).uses(reader)]
        later = keys[keys.index(key) + 1 :] if key in keys else []
        return next(moments_at(reader, later[:1]), None)


def _in_file(path: Path, moment: Moment) -> Moment | None:
    """Return the next matching moment of the same run in a moments file."""
    from lab.moments.files import read_moments

    own = (moment.run, moment.step, moment.agent)
    those = [each for each in read_moments(path) if (each.run, each.step, each.agent) == own]
    after = (moment.at, moment.record.ordinal)
    later = [each for each in those if (each.at, each.record.ordinal) > after]
    return min(later, key=lambda each: (each.at, each.record.ordinal), default=None)
