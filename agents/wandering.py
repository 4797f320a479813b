"""A wandering place: `<random>` in a persona file stands for a different place each day."""

from collections.abc import Mapping
from json import dumps

from smolville.agents.chance import pick
from smolville.agents.mind import KnownPlace
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of

WANDER = "<random>"
"""Placeholder for a place in town that is chosen at random by a hash."""


def is_wanderer(persona: Persona) -> bool:
    """Return whether a persona's habits, requirement or lifestyle contain `<random>`."""
    words = (persona.lifestyle, persona.daily_requirement, persona.habits.model_dump_json())
    return any(WANDER in text for text in words)


def with_places_drawn(persona: Persona, known: Mapping[str, KnownPlace], *key: object) -> Persona:
    """Return the persona with each `<random>` replaced by a public place that the person knows.

    The same key, which includes the day, gives the same places. Home and work are chosen only if
    no other place is known.
    """
    own = {sector_of(persona.home), sector_of(persona.work or persona.home)}
    public = {sector_of(arena) for arena, each in known.items() if not each.owners}
    places = sorted(public - own) or sorted(public | own)
    text = persona.model_dump_json()
    for number in range(text.count(WANDER)):
        place = dumps(pick(places, *key, persona.name, number), ensure_ascii=False)
        text = text.replace(WANDER, place[1:-1], 1)
    return Persona.model_validate_json(text)
