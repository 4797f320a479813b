"""The components of a mind that a run may leave out, for comparison (`smolville run --without`)."""

from typing import Literal, NamedTuple

Reach = Literal["mind", "box", "calendar", "barrier"]
"""The data that a component may read, so that all schedules give the same result: the agent's own
mind and memories; what lies inside its senses' box; what is a function of town time alone; or what
every agent learns at a tick that nobody has begun."""


class Component(NamedTuple):
    """A part of the mind that can be left out; the rest of the mind works without it."""

    name: str
    about: str
    """What the mind does with it, as help texts and pages say it."""
    without: str
    """What happens instead if it is left out."""
    reach: Reach
    source: str
    """Where the idea is from."""


OBSERVATION = Component(
    "observation",
    "remembers what it sees and who it talked with",
    "reacts to what it sees, and remembers only what it is told as its own past",
    "box",
    "Park et al. 2023, section 4.1",
)
PLANNING = Component(
    "planning",
    "plans its day, its hours and their parts",
    "lives the persona's usual day, laid by rule without a model",
    "calendar",
    "Park et al. 2023, section 4.3",
)
ROUTINES = Component(
    "routines",
    "does again what it knows how and where to do, without asking a model",
    "asks a model again for tasks and places, however often they were done before",
    "box",
    "Affordable Generative Agents, section 3.2",
)
REFLECTION = Component(
    "reflection",
    "draws insights from what it remembers",
    "remembers, and concludes nothing",
    "mind",
    "Park et al. 2023, section 4.2",
)
SOCIAL = Component(
    "social",
    "keeps an impression of everybody it has talked with",
    "knows people as the persona file describes them, whatever was said since",
    "mind",
    "Affordable Generative Agents, section 3.3",
)
NORMS = Component(
    "norms",
    "keeps to the town's rules where it chooses a place",
    "goes where it likes, whatever the town's rules say",
    "calendar",
    "simulacra, configurable rules",
)
ENTITIES = Component(
    "entities",
    "lives in weather and small happenings that the world and a plot bring about",
    "lives in a town in which only people do something",
    "barrier",
    "simulacra, agents of any entity type",
)

NEEDS = Component(
    "needs",
    "gets hungry, tired or lonely with time, and may see to it at once",
    "eats, sleeps and washes when the plan says so, and feels nothing in between",
    "mind",
    "simulacra, mundane needs; Humanoid Agents (Wang et al. 2023)",
)

KEYWORDS = Component(
    "keywords",
    "recalls what is about the same things, besides what is said alike",
    "compares whole sentences only",
    "mind",
    "simulacra, two-channel retrieval",
)
WANDERING = Component(
    "wandering",
    "wants one new thing of every day but the first, from memories that come up by themselves",
    "plans every day as the persona and the calendar have it",
    "mind",
    "Affordable Generative Agents, MindWandering",
)
DREAMS = Component(
    "dreams",
    "dreams of rare memories, and remembers the dream as one",
    "sleeps without dreams",
    "mind",
    "simulacra, dreams",
)

KNOWLEDGE = Component(
    "knowledge",
    "knows who and what is how related, and thinks of it when it meets or is asked for somebody",
    "recalls what scores best, whomever it is asked for",
    "mind",
    "simulacra, knowledge graphs",
)
GOALS = Component(
    "goals",
    "is after something, and changes its mind when something concerns it",
    "has on its mind what the morning brings, and no goal beyond",
    "mind",
    "simulacra, motivations and agenda",
)
APPOINTMENTS = Component(
    "appointments",
    "keeps in its plan whom it has agreed to meet, where and when",
    "plans no meeting, unless a promise comes to mind on its day",
    "mind",
    "simulacra, a method to sync actions when agents interact",
)

GROUPS = Component(
    "groups",
    "joins a talk that begins near it, up to four people",
    "talks with one person at a time",
    "mind",
    "simulacra, a method to sync actions when agents interact",
)

COMPONENTS = (
    NEEDS,
    OBSERVATION,
    PLANNING,
    ROUTINES,
    REFLECTION,
    SOCIAL,
    GROUPS,
    APPOINTMENTS,
    NORMS,
    KEYWORDS,
    WANDERING,
    DREAMS,
    KNOWLEDGE,
    ENTITIES,
    GOALS,
)
"""Every component that can be left out, in the order of a thought."""


def component_names() -> tuple[str, ...]:
    """Return the names of all components."""
    return tuple(component.name for component in COMPONENTS)
