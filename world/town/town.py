"""A town as it is shipped: its map, its people, and what they are told of their past."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType

from agents.errors import TownError
from agents.persona import Persona
from world.town.check import TownParts
from world.town.paths import Paths
from world.town.townfiles import nearest
from world.town.townmap import TownMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """Everything a town's folder says, checked."""

    folder: Path
    name: str
    description: str
    start_date: date
    """The date of day 1."""
    map: TownMap
    paths: Paths
    personas: Mapping[str, Persona]
    """By full name, in the order of their files."""
    casts: Mapping[int, tuple[str, ...]]
    """Number of agents to their full names, smallest first."""
    history: Mapping[str, tuple[str, ...]]
    """Whispers by full name."""
    notes: tuple[str, ...] = ()
    """What was mended in reading, a sentence each."""

    @classmethod
    def load(cls, folder: Path) -> "Town":
        """Return the town in a folder.

        Raises TownError with the first fault and how many there are; `world.town.check.check_town`
        returns them all, and what is wrong with pictures too.
        """
        parts = TownParts(folder)
        if parts.faults:
            more = len(parts.faults) - 1
            raise TownError(parts.faults[0] + (f" (and {more} more faults)" if more else ""))
        if parts.settings is None or parts.map is None:
            raise TownError(f"The town {str(folder)!r} cannot be read.")
        settings = parts.settings
        casts = {int(size): settings.casts[size] for size in sorted(settings.casts, key=int)}
        return cls(
            folder=folder,
            name=settings.name,
            description=settings.description,
            start_date=settings.start_date,
            map=parts.map,
            paths=Paths(parts.map),
            personas=MappingProxyType(
                {item.persona.name: item.persona for item in parts.people.found}
            ),
            casts=MappingProxyType(casts),
            history=MappingProxyType(parts.history.whispers),
            notes=tuple(parts.history.notes),
        )

    def cast(
        self, size: int | None = None, names: str | Sequence[str] | None = None
    ) -> tuple[Persona, ...]:
        """Return who takes part: a cast of the town by its size, people by name, or everybody.

        `names` are full names, or first names that only one person has; as a text, parted by
        commas. Raises TownError with the sizes or names that there are.
        """
        if names is not None:
            if size is not None:
                raise TownError("Ask for a number of agents or for names, not for both.")
            return self._by_names(names.split(",") if isinstance(names, str) else names)
        if size is None:
            return tuple(self.personas.values())
        if size not in self.casts:
            raise TownError(f"{self.name} has no cast of {size}. {self._sizes()}")
        return tuple(self.personas[name] for name in self.casts[size])

    def find(self, name: str) -> Persona:
        """Return the person called so: a full name, or a first name that only one person has.

        Raises TownError with the nearest names.
        """
        wanted = " ".join(name.split()).casefold()
        people = self.personas.values()
        found = [person for person in people if person.name.casefold() == wanted]
        found = found or [person for person in people if person.first_name.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            both = " and ".join(person.name for person in found)
            raise TownError(f"{name.strip()!r} could be {both}; give the full name.")
        raise TownError(
            f"Nobody in {self.name} is called {name.strip()!r}.{nearest(wanted, self.personas)}"
        )

    def _by_names(self, names: Sequence[str]) -> tuple[Persona, ...]:
        """Return the people called so, each once."""
        found = [self.find(name) for name in names if name.strip()]
        if not found:
            raise TownError(f"No name is given.{nearest('', self.personas)}")
        for person in found:
            if found.count(person) > 1:
                raise TownError(f"{person.name} is named twice.")
        return tuple(found)

    def _sizes(self) -> str:
        """Return which casts there are, as a sentence."""
        if not self.casts:
            return "It has no casts; name the agents instead."
        return f"Its casts have {_either([str(size) for size in self.casts])} agents."


def _either(items: Sequence[str]) -> str:
    """Return `1, 3 or 5`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"
