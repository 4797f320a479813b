"""Who is told while a run lives: the progress bar, the log, a viewer."""

from graphs.loop.ledger import Call
from models.errors import TransportError
from world.records import Batch


class Watch:
    """Hears of everything that happens to a run; this one does nothing with it."""

    def ticked(self, tick: int) -> None:
        """Hear that a tick is done."""

    def called(self, call: Call, served: bool) -> None:
        """Hear of a call; `served` when the journal had it."""

    def waiting(self, error: TransportError, seconds: float) -> None:
        """Hear of a pause after a lost call."""

    def edited(self, told: str) -> None:
        """Hear, in a sentence, which templates were edited, and from when they hold."""

    def refused(self, told: str) -> None:
        """Hear, in a sentence, why an edit of the templates is not taken."""

    def committed(self, batch: Batch) -> None:
        """Hear of a commit."""
