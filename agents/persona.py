"""The persona of one agent: facts that a run never changes, with places that are drawn each day."""

from collections.abc import Mapping
from json import dumps
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from agents.chance import pick
from agents.habits import Habits
from agents.needs import Needs
from agents.places import sector_of

if TYPE_CHECKING:
    from agents.mind import KnownPlace


WANDER = "<random>"
"""Stands for any place of the town, drawn by a hash."""


class Weights(BaseModel):
    """Weights of the qualities by which memories are ranked (Park et al. 2023, section 4.1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recency: float = Field(1.0, ge=0)
    """Recency decreases by the persona's decay per town hour since the last access."""
    importance: float = Field(1.0, ge=0)
    relevance: float = Field(1.0, ge=0)


class Persona(BaseModel):
    """A person as described by a persona file; never changed by a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=3, pattern=r"^[^\s/]+( [^\s/]+)+$")
    """Full name, first name first; slashes are forbidden since they separate the parts of memory
    ids."""
    age: int = Field(ge=1, le=120)
    innate: str
    """Traits, separated by commas."""
    learned: str
    """The person's history, in a few sentences."""
    currently: str = Field(min_length=10)
    """What is on their mind when the run begins."""
    lifestyle: str
    """When they sleep, wake and eat, in plain words."""
    home: str
    """`sector: arena` of the room where they sleep."""
    work: str = ""
    """`sector: arena` where they work, study or spend their days."""
    daily_requirement: str = Field(min_length=10)
    """What every day must contain, in plain words."""
    habits: Habits = Habits()
    """When they get up, eat, work and go to bed; what is left out is read from `lifestyle` and
    `daily_requirement`."""
    goals: tuple[Annotated[str, Field(min_length=10, max_length=200)], ...] = ()
    """Their goals, at most three sentences; if left out, one is read from `currently`."""
    needs: Needs = Needs()
    """How fast hunger, weariness and other needs rise; those left out have the usual rates."""
    known_places: tuple[str, ...] = ()
    """Sectors, or `sector: arena`, known from the start besides home and work."""
    relationships: dict[str, Annotated[str, Field(min_length=3)]] = Field(default_factory=dict)
    """Another person's full name to one sentence on their relationship."""
    vision: int = Field(8, ge=1, le=40)
    """How far they see, in tiles: the square box extends this far in each direction."""
    attention: int = Field(8, ge=1, le=60)
    """Number of events perceived at one moment at most, nearest first."""
    retention: int = Field(8, ge=0, le=400)
    """Hours for which an event already seen stays known, so that it is not new again."""
    recency_decay: float = Field(0.995, gt=0, le=1)
    weights: Weights = Weights()
    reflection_threshold: int = Field(45, ge=1)
    """Importance gathered since the last reflection at which the next one is due. The original's
    150 counts an event each time it is seen again; here it counts once."""

    @property
    def first_name(self) -> str:
        """The person's first name."""
        return self.name.split()[0]


def is_wanderer(persona: Persona) -> bool:
    """Return whether a persona's habits, requirement or lifestyle name a wandering place."""
    words = (persona.lifestyle, persona.daily_requirement, persona.habits.model_dump_json())
    return any(WANDER in text for text in words)


def with_places_drawn(persona: Persona, known: "Mapping[str, KnownPlace]", *key: object) -> Persona:
    """Return the persona with a public place that they know in place of each `<random>`.

    The same key, which holds the day, draws the same places; home and work are left out.
    """
    own = {sector_of(persona.home), sector_of(persona.work or persona.home)}
    public = {sector_of(arena) for arena, each in known.items() if not each.owners}
    places = sorted(public - own) or sorted(public | own)
    text = persona.model_dump_json()
    for number in range(text.count(WANDER)):
        place = dumps(pick(places, *key, persona.name, number), ensure_ascii=False)
        text = text.replace(WANDER, place[1:-1], 1)
    return Persona.model_validate_json(text)
