"""The context in which somebody takes part: the person or object selected, and the moment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks

from viewer.taking_part.acts import RunActions

Ending = Callable[[], Awaitable[Any]]


@dataclass(kw_only=True)
class CardContext:
    """The selection on the page when the card was opened."""

    acts: RunActions
    go_on: Callable[[dict[str, Any]], Awaitable[None]]
    """Lets the run continue."""
    names: tuple[str, ...]
    """Names of everybody in the town."""
    who: str = ""
    """The selected person; empty for nobody."""
    thing: str = ""
    """Address of the selected object."""
    place: str = ""
    """Address of the selected place, or of the place where `who` is."""
    visitor: str = ""
    """Name under which the user has entered the town; empty if not."""
    at: int | None = None
    """The town second shown; None at the live edge."""
    _endings: list[Ending] = field(default_factory=list)

    @property
    def whom(self) -> str:
        """The selected person, otherwise the first one in town."""
        return self.who or self.names[0]

    def at_the_end(self, ending: Ending) -> None:
        """Register a callback for when the card is closed or the page is left."""
        self._endings.append(ending)

    def end(self) -> None:
        """Run the registered callbacks, once each."""
        while self._endings:
            background_tasks.create(self._endings.pop()(), name="the end of a scene")
