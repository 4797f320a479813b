"""People as the head lists them: their names, descriptions, and starting positions."""

from collections.abc import Iterable
from json import loads
from typing import Any

from agents.persona import Persona
from history.records import Tile
from viewer.playback.coats import coat_of, looks_of
from viewer.playback.history_query import HistoryQuery
from viewer.playback.run_state import RunState

Json = dict[str, Any]
_FIRST_BODY = "SELECT state FROM bodies WHERE agent = ? ORDER BY tick LIMIT 1"


def person_entries(showing: RunState, numbers: Iterable[int]) -> list[Json]:
    """Return the entries of the people with these numbers."""
    called = showing.people.called()
    names = showing.people.names
    looks = looks_of(names)
    found = []
    for number in numbers:
        name = names[number]
        dress = {"colour": coat_of(number), "look": looks[number]}
        found.append(_entry(showing, name, called[name], dress))
    return found


def initials(name: str) -> str:
    """Return the first letters of a name's first and last word."""
    words = name.split() or ["?"]
    return "".join(word[0] for word in dict.fromkeys((words[0], words[-1])))


def _entry(showing: RunState, name: str, called: str, dress: Json) -> Json:
    """Return one person's entry; `dress` is their appearance."""
    guest = showing.people.guests.get(name)
    persona = showing.drawn.town.personas.get(name) if showing.drawn else None
    return {
        "name": name,
        "short": called,
        "initials": initials(name),
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
    """Return where a person is before the first walk: the recorded position, otherwise home."""
    asked = HistoryQuery(showing.connection, _FIRST_BODY, (name,))
    rows = showing.faults.whole("bodies", asked, _tile)
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
