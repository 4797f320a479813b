"""People as the head lists them: names, descriptions, coats and looks, and starting positions."""

from collections.abc import Iterable, Sequence
from json import loads
from typing import Any

from smolville.agents.chance import draw
from smolville.agents.persona import Persona
from smolville.history.records import Tile
from smolville.viewer.playback.damaged_history import HistoryQuery
from smolville.viewer.playback.run_state import RunState

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
"""Step of the search for a free look.

It has no divisor in common with LOOKS, so the search reaches every look.
"""
Json = dict[str, Any]
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


def person_entries(showing: RunState, numbers: Iterable[int]) -> list[Json]:
    """Return the entries of the people with these numbers."""
    called = showing.people.short_names()
    names = showing.people.names
    looks = looks_of(names)
    found = []
    for number in numbers:
        name = names[number]
        dress = {"colour": coat_of(number), "look": looks[number]}
        found.append(_entry(showing, name, called[name], dress))
    return found


def _initials(name: str) -> str:
    """Return the first letters of a name's first and last word."""
    words = name.split() or ["?"]
    return "".join(word[0] for word in dict.fromkeys((words[0], words[-1])))


def _entry(showing: RunState, name: str, called: str, dress: Json) -> Json:
    """Return one person's entry; `called` is their short name, `dress` their appearance."""
    guest = showing.people.guests.get(name)
    persona = showing.drawn.town.personas.get(name) if showing.drawn else None
    return {
        "name": name,
        "short": called,
        "initials": _initials(name),
        "age": persona.age if persona else None,
        "traits": persona.innate if persona else (guest.about if guest else ""),
        "home": persona.home if persona else "",
        "work": persona.work if persona else "",
        **dress,
        "at": _first_tile(showing, name, persona),
        "visitor": guest is not None,
        "from": guest.since if guest else 0,
        "to": guest.until if guest else None,
        "stays": guest.stays if guest else [],
    }


def _first_tile(showing: RunState, name: str, persona: Persona | None) -> Tile:
    """Return a person's tile before the first walk: the recorded position, otherwise their home."""
    asked = HistoryQuery(showing.connection, _FIRST_BODY, (name,))
    rows = showing.faults.read_rows("bodies", asked, _tile)
    if rows:
        return rows[0]
    if showing.drawn is None or persona is None:
        return 0, 0
    town_map = showing.drawn.town.map
    beds = town_map.beds_in(persona.home)
    return town_map.tiles_of(beds[0].address if beds else persona.home)[0]


def _tile(state: str) -> Tile:
    """Return the tile in a stored body state."""
    x, y = loads(state)["tile"]
    return int(x), int(y)
