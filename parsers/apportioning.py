"""Share a number of minutes out among subtasks."""

from collections.abc import Sequence

SHORTEST = 5
"""The least minutes of a subtask, where there are as many."""
LONGEST = 60
"""The most minutes of a subtask."""


def apportioned(minutes: Sequence[int], total: int) -> list[int] | None:
    """The minutes scaled to add up to `total`, in multiples of 5 where possible.

    Each comes to 5 to 60 minutes; None when that many subtasks cannot share the total so.
    """
    unit = SHORTEST if total >= SHORTEST * len(minutes) else 1
    units, rest = divmod(total, unit)
    most = LONGEST // unit
    if unit == 1 and total >= SHORTEST:
        return None
    if not minutes or not len(minutes) <= units <= most * len(minutes):
        return None
    wanted = [part * units / sum(minutes) for part in minutes]
    shares = [min(max(int(part), 1), most) for part in wanted]
    while sum(shares) != units:
        step = 1 if sum(shares) < units else -1
        free = [i for i, share in enumerate(shares) if 1 <= share + step <= most]
        chosen = max(free, key=lambda i: ((wanted[i] - shares[i]) * step, -i))
        shares[chosen] += step
    return _with_rest([share * unit for share in shares], rest)


def _with_rest(shares: list[int], rest: int) -> list[int] | None:
    """The shares with the odd minutes put on the longest that has room for them."""
    if rest == 0:
        return shares
    room = [i for i, share in enumerate(shares) if share + rest <= LONGEST]
    if not room:
        return None
    longest = max(room, key=lambda i: (shares[i], -i))
    return [share + rest if i == longest else share for i, share in enumerate(shares)]
