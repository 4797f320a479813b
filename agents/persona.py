"""The persona of one agent: facts that a run never changes."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from smolville.agents.habits import Habits
from smolville.agents.needs import Needs


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
    """When they sleep, wake and eat, in plain words that prompts show."""
    home: str
    """Address of the room where they sleep: `sector: arena`."""
    work: str = ""
    """Address of the place where they work, study or spend their days: `sector: arena`."""
    daily_requirement: str = Field(min_length=10)
    """What every day must contain, in plain words."""
    habits: Habits = Habits()
    """When they get up, eat, work and go to bed; missing habits are usual ones."""
    goals: tuple[Annotated[str, Field(min_length=10, max_length=200)], ...] = ()
    """Their goals, at most three sentences; if left out, one is read from `currently`."""
    needs: Needs = Needs()
    """How fast hunger, weariness and other needs rise; needs left out have the usual rates."""
    known_places: tuple[str, ...] = ()
    """Sectors, or `sector: arena`, known from the start besides home and work."""
    relationships: dict[str, Annotated[str, Field(min_length=3)]] = Field(default_factory=dict)
    """One sentence on the relationship with each other person, by full name."""
    vision: int = Field(8, ge=1, le=40)
    """How far they see, in tiles: the square box extends this far in each direction."""
    attention: int = Field(8, ge=1, le=60)
    """Maximum number of events perceived at one moment; the nearest come first."""
    retention: int = Field(8, ge=0, le=400)
    """Hours for which an event that was seen stays known, so that it does not count as new
    again."""
    recency_decay: float = Field(0.995, gt=0, le=1)
    weights: Weights = Weights()
    reflection_threshold: int = Field(45, ge=1)
    """Total importance of new memories at which the next reflection is due. The original's 150
    counts an event each time it is seen again; here an event counts once."""

    company: tuple[str, ...] = ()
    """The only people of the town that live in a run which leaves others out; empty for the whole
    town. Not part of a persona file: `Town.cast` sets it."""

    @property
    def first_name(self) -> str:
        """The person's first name."""
        return self.name.split()[0]
