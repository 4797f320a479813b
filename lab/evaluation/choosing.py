"""Selection of an evaluation's moments by step and outcome, with a sample if there are many."""

from collections.abc import Collection, Sequence
from itertools import zip_longest

from agents.chance import draw
from agents.errors import SettingError
from lab.moments.moment import Moment


def chosen(
    moments: Sequence[Moment],
    *,
    steps: Collection[str] = (),
    outcome: str | None = None,
    limit: int | None = None,
) -> list[Moment]:
    """Return the moments of these steps with this outcome, in their order.

    No steps means any step. When there are more than `limit`, the selection holds as equal a number
    of each step and outcome as possible, and depends on the moments' ids alone. Raises SettingError
    when no moment matches.
    """
    there = list(dict.fromkeys(moment.step for moment in moments))
    for step in steps:
        if step not in there:
            raise SettingError(
                f"None of these moments is of the step {step!r}; there are some of "
                f"{', '.join(there)}."
            )
    wanted = [
        moment
        for moment in moments
        if (not steps or moment.step in steps) and outcome in (None, moment.outcome)
    ]
    if not wanted:
        raise SettingError(f"None of these moments ended {outcome!r}, so there is nothing to ask.")
    return wanted if limit is None or len(wanted) <= limit else _some(wanted, limit)


def _some(moments: Sequence[Moment], limit: int) -> list[Moment]:
    """Return `limit` moments, taking one of each kind in turn."""
    kinds: dict[tuple[str, str], list[Moment]] = {}
    for moment in sorted(moments, key=lambda each: (draw("evaluation", each.id), each.id)):
        kinds.setdefault((moment.step, moment.outcome), []).append(moment)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    taken = [moment for row in rounds for moment in row if moment is not None][:limit]
    ids = {moment.id for moment in taken}
    return [moment for moment in moments if moment.id in ids]
