"""What a run that nobody lives waits with: the requests that it takes in when it goes on."""

from history.folder import RunFolder
from history.inbox import read_waiting
from history.records import Intervention
from reports.from_outside import is_told, outside_words


def list_waiting(folder: RunFolder) -> list[str]:
    """Return a sentence for each request that waits in a run's inbox, oldest first."""
    made = [
        Intervention(id="", tick=0, kind=wish.kind, target=wish.target, text=wish.text)
        for wish in read_waiting(folder)
    ]
    return [
        " ".join(part for part in outside_words(each) if part) for each in made if is_told(each)
    ]
