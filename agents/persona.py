"""The fixed facts of one agent."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Weights(BaseModel):
    """How much each quality counts when memories compete (Park et al. 2023, section 4.1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recency: float = Field(1.0, ge=0)
    """Fades by the persona's decay per town hour since the last access."""
    importance: float = Field(1.0, ge=0)
    relevance: float = Field(1.0, ge=0)


class Persona(BaseModel):
    """Who somebody is: what a persona file says, never changed by a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=3, pattern=r"^[^\s/]+( [^\s/]+)+$")
    """Full name, first name first; a slash would break the ids of memories."""
    age: int = Field(ge=1, le=120)
    innate: str
    """Traits, separated by commas."""
    learned: str
    """History: who they are, in a few sentences."""
    currently: str = Field(min_length=10)
    """What is on their mind when the run begins."""
    lifestyle: str
    """When they sleep, wake and eat, in plain words."""
    home: str
    """`sector: arena` of the room where they sleep."""
    work: str = ""
    """`sector: arena` where they work, study or spend their days."""
    daily_requirement: str = Field(min_length=10)
    """What a day must hold."""
    known_places: tuple[str, ...] = ()
    """Sectors, or `sector: arena`, known from the start besides home and work."""
    relationships: dict[str, Annotated[str, Field(min_length=3)]] = Field(default_factory=dict)
    """Full name of another, and one sentence on what they are to each other."""
    vision: int = Field(8, ge=1, le=40)
    """How far they see, in tiles: half the side of the square box."""
    attention: int = Field(8, ge=1, le=60)
    """At most so many events are taken in at one moment, nearest first."""
    retention: int = Field(8, ge=0, le=400)
    """How many hours an event already seen stays known, so that it is not new again."""
    recency_decay: float = Field(0.995, gt=0, le=1)
    weights: Weights = Weights()
    reflection_threshold: int = Field(45, ge=1)
    """Importance gathered since the last reflection that makes the next one due.

    The original's 150 counts an event each time it is seen again; here it counts once.
    """

    @property
    def first_name(self) -> str:
        """The name friends use."""
        return self.name.split()[0]
