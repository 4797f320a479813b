"""Takes a run's film whole, and writes it as a page."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import RunError
from agents.times import moment
from lab.whole_file import check_free, written_whole
from viewer.exporting.page import page
from viewer.film.reel import Reel
from world.runs.folder import RunFolder

if TYPE_CHECKING:
    from rich.console import RenderableType

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A page that was written."""

    path: Path
    bytes: int
    people: int
    until: int
    """The town second up to which it plays."""
    faults: tuple[str, ...]
    """What of the run could not be read, a sentence each."""

    def plain(self) -> object:
        """Return an object: where, how large, who, until when, and what is not whole."""
        return {
            "where": str(self.path),
            "bytes": self.bytes,
            "people": self.people,
            "until": moment(self.until),
            "faults": list(self.faults),
        }

    def render(self) -> "RenderableType":
        """Return a sentence, and one for each thing that is not whole."""
        from lab.styled import Text

        count = "1 person" if self.people == 1 else f"{self.people} people"
        size = f"{self.bytes / 1_000_000:.1f} MB"
        told = f"Written to {self.path}: {count} up to {moment(self.until)}, {size}."
        return Text("\n".join([told, *self.faults]))


def take(folder: RunFolder, path: Path, *, overwrite: bool = False) -> Taken:
    """Write a run as one page.

    Raises RunError while nothing was lived yet, SettingError for a name that is taken and
    SmolvilleError for a file that cannot be written.
    """
    check_free(path, overwrite=overwrite)
    film = film_of(folder)
    head = film["head"]
    content = page(film, f"{head['run']} · {head['town']}").encode("utf-8", errors="replace")
    with written_whole(path) as draft:
        draft.write_bytes(content)
    return Taken(
        path=path,
        bytes=len(content),
        people=len(film["people"]),
        until=(head["until"] + 1) * head["tick"],
        faults=_faults(film),
    )


def film_of(folder: RunFolder) -> Json:
    """Return a run's whole film up to one tick: {"head", "tracks", "people"}."""
    with Reel(folder) as reel:
        head = reel.head()
        until = head["until"]
        if until < 0:
            never = (
                f"Nothing of {folder.name!r} was lived yet: smolville run {folder.name} --resume"
            )
            raise RunError(" ".join(head["faults"]) or never)
        tracks = reel.tracks(-1, until)
        people = [reel.person(n) for n in range(len(head["people"]))]
    # Nothing comes any more: to a page a run that is lived on is one that rests.
    state = "finished" if head["state"] == "finished" else "paused"
    head["state"] = tracks["state"] = state
    return {"head": head, "tracks": tracks, "people": people}


def _faults(film: Json) -> tuple[str, ...]:
    """Return what of a film could not be read, each sentence once."""
    parts = (film["head"], film["tracks"], *film["people"])
    return tuple(dict.fromkeys(each for part in parts for each in part.get("faults", ())))
