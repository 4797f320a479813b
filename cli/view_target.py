"""The run, moment and speed that `smolville view` shows, and their address."""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from smolville.agents.errors import RunError
from smolville.agents.times import moment, read_moment

SPEEDS = ("1", "2", "4", "8", "16", "32", "64", "live")


@dataclass(frozen=True, kw_only=True)
class ViewTarget:
    """A run, a moment and a speed; each is empty if it was not given."""

    run: str = ""
    at: str = ""
    """The moment, in the form used in addresses: `1-14:30`."""
    speed: str = ""

    @classmethod
    def read(cls, run: str | None, *, at: str | None, speed: str | None) -> "ViewTarget":
        """Parse what was typed; raise RunError for invalid values."""
        fast = (speed or "").strip().lower().removesuffix("x")
        if speed is not None and fast not in SPEEDS:
            raise RunError(f"--speed {speed!r} is invalid: use {', '.join(SPEEDS[:-1])} or live.")
        return cls(run=run or "", at="" if at is None else _address_of(at), speed=fast)

    def path(self, latest: str = "") -> str:
        """Return the path of the address; `latest` is the run to show if none was named."""
        name = self.run or latest
        if not name:
            return "/start"
        values = {"at": self.at, "speed": self.speed}
        query = urlencode({key: value for key, value in values.items() if value}, safe=":")
        return f"/run/{quote(name, safe='')}" + (f"?{query}" if query else "")


def _address_of(at: str) -> str:
    """Return a moment in the form used in addresses."""
    try:
        return moment(read_moment(at)).replace(" ", "-")
    except ValueError as error:
        raise RunError(f"--at: {error}.") from error
