"""Chooses the moments of an evaluation: by step and outcome, and of too many some of each kind."""

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
    """Return the moments of these steps (none: any) with this outcome, in their order.

    Of more than `limit` as many as can be of each step and outcome; which ones depends on their
    ids alone. SettingError when there is none.
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
    """Return so many of the moments, taking one of each kind in turn."""
    kinds: dict[tuple[str, str], list[Moment]] = {}
    for moment in sorted(moments, key=lambda each: (draw("evaluation", each.id), each.id)):
        kinds.setdefault((moment.step, moment.outcome), []).append(moment)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    taken = [moment for row in rounds for moment in row if moment is not None][:limit]
    ids = {moment.id for moment in taken}
    return [moment for moment in moments if moment.id in ids]
