"""The moment in which somebody takes part: who or what was picked on the page, and when."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks

from viewer.taking_part.acts import Acts

Ending = Callable[[], Awaitable[Any]]


@dataclass(kw_only=True)
class Scene:
    """What the page knew when the card was opened."""

    acts: Acts
    go_on: Callable[[dict[str, Any]], Awaitable[None]]
    """Lets the run go on."""
    names: tuple[str, ...]
    """Everybody who lives in the run."""
    who: str = ""
    """Who was picked; empty for nobody."""
    thing: str = ""
    """The address of the object that was picked."""
    place: str = ""
    """The address of the place that was picked, or where `who` is."""
    visitor: str = ""
    """As whom one has walked in already; empty for nobody."""
    at: int | None = None
    """The town second that is shown; None at the live edge."""
    _endings: list[Ending] = field(default_factory=list)

    @property
    def whom(self) -> str:
        """Who was picked, else somebody."""
        return self.who or self.names[0]

    def at_the_end(self, ending: Ending) -> None:
        """Do something when the card is closed or the page is left."""
        self._endings.append(ending)

    def end(self) -> None:
        """Do what was to be done at the end, once."""
        while self._endings:
            background_tasks.create(self._endings.pop()(), name="the end of a scene")
