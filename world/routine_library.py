"""Routines imported from another run.

A library is a file in the run's folder. Its hash is in `run.json`, so that a resumed run and a fork
begin like the run. The library holds texts only, and the name of the embedder that compared them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from pydantic import TypeAdapter

from smolville.agents.errors import RunError
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.routines import BROUGHT, Routines, persona_key
from smolville.agents.wording import format_count
from smolville.history.folder import RunFolder, read_file
from smolville.history.reader import RunReader
from smolville.history.records import read_mind
from smolville.history.spec import LARGEST
from smolville.world.town.town import town_of

_SIZE = 16


@dataclass(frozen=True, kw_only=True)
class RoutineLibrary:
    """The routines that the people of one run have learnt, with which another run can begin."""

    run: str
    """Name of the run in which the routines were learnt."""
    embedder: str
    """The embedder that compared activities in that run."""
    people: Mapping[str, Routines]
    """Routines of each person, by key of the persona (`persona_key`)."""

    def dump(self) -> bytes:
        """Return the library as the bytes of its file."""
        return _LIBRARY.dump_json(self, indent=1)

    @property
    def hash(self) -> str:
        """Hash of the library's file."""
        return _hash(self.dump())

    def check(self, embedder: str) -> None:
        """Raise RunError if `embedder` differs from the library's embedder."""
        if self.embedder != embedder:
            raise RunError(
                f"the routines of run {self.run!r} were learnt with the embedder {self.embedder}, "
                f"and this run has {embedder}: give it `--embedder {self.embedder}`, or take the "
                "routines of another run"
            )

    def describe(self, cast: Sequence[Persona]) -> str:
        """Return how many people of a cast have routines in the library, and how many routines."""
        found = [self.people[key] for each in cast if (key := persona_key(each)) in self.people]
        people = format_count(len(cast), "person", "people")
        return f"{count_routines(found)}, of {len(found)} of {people}"


_LIBRARY = TypeAdapter(RoutineLibrary)


def count_routines(people: Sequence[Routines]) -> str:
    """Return the number of routines of these people: `12 activities and 20 places`."""
    tasks = sum(len(each.tasks) for each in people)
    spots = sum(len(each.spots) for each in people)
    return f"{format_count(tasks, 'activity', 'activities')} and {format_count(spots, 'place')}"


def library_of(folder: RunFolder) -> RoutineLibrary:
    """Return the routines that a run's people know now; raises RunError if there are none."""
    cast = town_of(folder).together(folder.spec.cast)
    people: dict[str, Routines] = {}
    for persona, known in zip(cast, learnt(folder).values(), strict=True):
        if known.tasks or known.spots:
            people[persona_key(persona)] = Routines(
                tasks=tuple(replace(each, tick=BROUGHT) for each in known.tasks),
                spots=tuple(replace(each, tick=BROUGHT) for each in known.spots),
            )
    if not people:
        raise RunError(
            f"nobody in run {folder.name!r} has learnt a routine: it ran without routines, "
            "or for too short a time; choose another run"
        )
    return RoutineLibrary(run=folder.name, embedder=folder.spec.models.embedder, people=people)


def learnt(folder: RunFolder) -> dict[str, Routines]:
    """Return the routines that each agent of a run knows now, by name."""
    found: dict[str, Routines] = {}
    with RunReader(folder) as reader, reader.snapshot():
        for agent in reader.agents():
            row = reader.mind(agent)
            mind = None if row is None else read_mind(row.blob, Mind)
            found[agent] = Routines() if mind is None else mind.routines
    return found


def read_library(folder: RunFolder) -> Mapping[str, Routines]:
    """Return the routines with which a run began, if with any, by key of the persona.

    Raises RunError if their file is no longer the one with which the run began.
    """
    path = folder.routines_path
    try:
        text = read_file(path, LARGEST)
        if _hash(text) != folder.spec.routines:
            raise ValueError("it was changed")
        return _LIBRARY.validate_json(text).people
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it was changed"
        raise RunError(
            f"the routines with which run {folder.name!r} began cannot be read ({why}): put "
            f"{path.name} back as it was"
        ) from error


def _hash(text: bytes) -> str:
    return blake2b(text, digest_size=_SIZE).hexdigest()
