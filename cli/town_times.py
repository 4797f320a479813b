"""Town times as an operator types them, and the ticks they stand for."""

from agents.errors import RunError
from agents.times import moment, read_moment


def to_the_minute(at: int) -> str:
    """Return a town time without seconds, such as `1 07:12`."""
    return moment(at - at % 60)


def last_tick_before(text: str, tick_seconds: int, option: str) -> int:
    """Return the last tick that is over at a time such as `1 14:30`; raise RunError if none is."""
    try:
        at = read_moment(text)
    except ValueError as error:
        raise RunError(f"{option}: {error}.") from error
    tick = at // tick_seconds - 1
    if tick < 0:
        raise RunError(
            f"{option} {text!r}: nothing has happened before it; the first moment is "
            f"{moment(tick_seconds)}."
        )
    return tick
