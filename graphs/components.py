"""The components of a mind that a run may leave out, for comparison (`smolville run --without`)."""

from typing import NamedTuple


class Component(NamedTuple):
    """A part of the mind that can be left out; the rest of the mind works without it."""

    name: str
    about: str
    """What the mind does with it."""


OBSERVATION = Component("observation", "remembers what it sees and who it talked with")
PLANNING = Component("planning", "plans its day, its hours and their parts")
ROUTINES = Component("routines", "does again what it knows how and where to do, unasked")
REFLECTION = Component("reflection", "draws insights from what it remembers")
SOCIAL = Component("social", "keeps an impression of everybody it has talked with")
NORMS = Component("norms", "keeps to the town's rules where it chooses a place")
ENTITIES = Component("entities", "lives in weather and small happenings of a world and a plot")
NEEDS = Component("needs", "gets hungry, tired or lonely with time, and may see to it at once")
KEYWORDS = Component("keywords", "recalls what is about the same things, not only said alike")
WANDERING = Component(
    "wandering",
    "wants one new thing of every day but the first",
)
DREAMS = Component("dreams", "dreams of rare memories, and remembers the dream as one")
KNOWLEDGE = Component(
    "knowledge",
    "knows how people and things are related",
)
GOALS = Component("goals", "is after something, and changes its mind when something concerns it")
APPOINTMENTS = Component("appointments", "keeps in its plan whom it has agreed to meet")
GROUPS = Component("groups", "joins a talk that begins near it, up to four people")

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
