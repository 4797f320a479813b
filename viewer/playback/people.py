"""People as the head lists them: names, descriptions, coats and looks, and starting positions."""

from collections.abc import Sequence
from json import loads

from smolville.agents.chance import draw
from smolville.agents.persona import Persona
from smolville.history.records import Tile
from smolville.viewer.playback.run_state import Json, RunState

COATS = (
    *("#c44132", "#0cc1fd", "#1f2b94", "#8169dd", "#fd9320", "#642629", "#b88997", "#126686"),
    *("#6044b5", "#cc7200", "#a3215a", "#7899d0", "#50266b", "#48807c", "#b654b0", "#794220"),
    *("#7a975c", "#dd9ab9", "#319cfc", "#587339", "#394c94", "#425850", "#ef6856", "#fa92f1"),
    *("#956760", "#9782a8", "#d78f83", "#834ba8"),
)
"""Coat colours.

Each differs as much as possible from all before it and from grass and floors, as seen with and
without red, green or blue vision. So the fewer people there are, the more their coats differ.
"""
LOOKS = 64
"""Number of different looks; the page derives hair, clothes and shape from the number."""
_STRIDE = 5
"""Step of the search for a free look; without a common divisor with LOOKS, it reaches them all."""
_FIRST_BODY = "SELECT state FROM bodies WHERE agent = ? ORDER BY tick LIMIT 1"


def coat_of(number: int) -> str:
    """Return the coat colour of the person with this number."""
    return COATS[number % len(COATS)]


def looks_of(names: Sequence[str]) -> list[int]:
    """Return everybody's look, derived from the name and unique among the first 64 people.

    A person who arrives later does not change the looks of the others.
    """
    found: list[int] = []
    for name in names:
        look = draw("look", name) % LOOKS
        for _ in range(LOOKS):
            if look not in found:
                break
            look = (look + _STRIDE) % LOOKS
        found.append(look)
    return found


def person_entries(showing: RunState) -> list[Json]:
    """Return the entries of all people in the order of their numbers."""
    short, looks = showing.short_names(), looks_of(showing.names)
    return [
        {**_entry(showing, name, short[name]), "colour": coat_of(number), "look": looks[number]}
        for number, name in enumerate(showing.names)
    ]


def _entry(showing: RunState, name: str, short: str) -> Json:
    guest = showing.guests.get(name)
    persona = showing.drawn.town.personas.get(name)
    words = name.split() or ["?"]
    return {
        "name": name,
        "short": short,
        "initials": "".join(word[0] for word in dict.fromkeys((words[0], words[-1]))),
        "age": persona.age if persona else None,
        "traits": persona.innate if persona else (guest.about if guest else ""),
        "home": persona.home if persona else "",
        "work": persona.work if persona else "",
        "at": _first_tile(showing, name, persona),
        "visitor": guest is not None,
        "from": guest.stays[0][0] if guest else 0,
        "to": guest.stays[-1][1] if guest else None,
        "stays": guest.stays if guest else [],
    }


def _first_tile(showing: RunState, name: str, persona: Persona | None) -> Tile:
    """Return a person's tile before the first walk: the recorded position, otherwise their home."""
    row = showing.connection.execute(_FIRST_BODY, (name,)).fetchone()
    if row is not None:
        x, y = loads(row[0])["tile"]
        return int(x), int(y)
    if persona is None:
        return 0, 0
    town_map = showing.drawn.town.map
    beds = town_map.beds_in(persona.home)
    return town_map.tiles_of(beds[0].address if beds else persona.home)[0]
