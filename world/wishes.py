"""Operators' requests other than whispers, in the form in which a run's inbox stores them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from smolville.agents.errors import RunError
from smolville.agents.wording import JOINER, plain
from smolville.history.inbox import OperatorRequest
from smolville.history.records import Intervention, Tile
from smolville.world.meaning import LONGEST_DEED, find_place, read_object_wish
from smolville.world.town.town import Town
from smolville.world.town.townmap import TownMap

LONGEST_LINE = 2_000
"""Maximum number of characters of a line in a talk, or of an announcement."""
LONGEST_NAME = 60
LONGEST_ABOUT = 120

_NAME = re.compile(r"[^\W\d_][\w .'’-]*")
_TAKEN = frozenset(["the cap", "you", "me", "nobody", "somebody", "everybody", "outdoors"])
"""Names that no visitor may have, because they mean somebody else in a town's records."""
ARRIVING = "looking around"
"""Activity of a visitor without other instructions."""


def announcement(text: str) -> OperatorRequest:
    """Return the request that everybody hears an announcement at the same tick."""
    line = needed(text, LONGEST_LINE, "an announcement")
    return OperatorRequest(kind="announcement", target="", text=line)


def entrance(
    name: str, about: str, place: str, *, town: Town, cast: Iterable[str], doing: str = ""
) -> OperatorRequest:
    """Return the request to let a visitor in; raises RunError if the name or place is unusable."""
    fields = {
        "about": about_of(about),
        "place": find_place(place, town.map),
        "doing": deed_of(doing or ARRIVING),
    }
    who = visitor_name(name, (*cast, *town.personas))
    return OperatorRequest(kind="visitor_enters", target=who, text=orjson.dumps(fields).decode())


def walk(name: str, place: str, *, town_map: TownMap) -> OperatorRequest:
    """Return the request to let a visitor walk to a place."""
    address = find_place(place, town_map)
    return OperatorRequest(kind="visitor_walks", target=visitor_name(name, ()), text=address)


def deed(name: str, activity: str) -> OperatorRequest:
    """Return the request to let a visitor do something visible to others."""
    return OperatorRequest(
        kind="visitor_acts", target=visitor_name(name, ()), text=deed_of(activity)
    )


def talk(name: str, agent: str) -> OperatorRequest:
    """Return the request to let a visitor begin a talk with somebody in sight."""
    return OperatorRequest(kind="visitor_talks", target=visitor_name(name, ()), text=agent)


def leave(name: str) -> OperatorRequest:
    """Return the request to let a visitor leave."""
    return OperatorRequest(kind="visitor_leaves", target=visitor_name(name, ()), text="")


def call(name: str, about: str, agent: str, *, town: Town) -> OperatorRequest:
    """Return the request that a person who is not in town telephones somebody."""
    fields = {"about": about_of(about), "agent": agent}
    who = visitor_name(name, town.personas)
    return OperatorRequest(kind="visitor_calls", target=who, text=orjson.dumps(fields).decode())


def object_state(text: str, *, town_map: TownMap, near: Tile | None = None) -> OperatorRequest:
    """Return the request to set an object to the state in a sentence: `the stove is on fire`."""
    address, state = read_object_wish(text, town_map, near)
    return OperatorRequest(kind="object_state", target=address, text=state)


def made_plain(each: Intervention) -> Intervention:
    """Return a request with cleaned texts, each on one line; raises RunError if one is empty."""
    target = plain(each.target, LONGEST_NAME + 1)
    if each.kind == "announcement":
        text = needed(each.text, LONGEST_LINE, "an announcement")
    elif each.kind == "visitor_acts":
        text = deed_of(each.text)
    elif each.kind in ("visitor_enters", "visitor_calls"):
        text = orjson.dumps(_clean_fields(each)).decode()
    else:
        text = plain(each.text, LONGEST_LINE)
    return replace(each, target=target, text=text)


def _clean_fields(each: Intervention) -> dict[str, str]:
    fields = request_fields(each)
    about = about_of(fields.get("about", ""))
    if each.kind == "visitor_calls":
        return {"about": about, "agent": plain(fields.get("agent", ""), LONGEST_NAME)}
    doing = deed_of(fields.get("doing") or ARRIVING)
    return {"about": about, "place": plain(fields.get("place", ""), LONGEST_LINE), "doing": doing}


def request_fields(each: Intervention) -> Mapping[str, Any]:
    """Return the JSON object in a request; raises RunError if there is none."""
    try:
        fields = orjson.loads(each.text)
    except orjson.JSONDecodeError as error:
        raise RunError(f"what {each.target} wants cannot be read: {error}") from error
    if not isinstance(fields, dict) or not all(isinstance(part, str) for part in fields.values()):
        raise RunError(f"what {each.target} wants cannot be read: {each.text[:60]!r}")
    return fields


def needed(text: str, longest: int, what: str) -> str:
    """Return a text on one line without control characters; raises RunError if nothing is left."""
    line = plain(text, longest)
    if not line.strip(" .,;:!?…" + JOINER):
        raise RunError(f"{what} needs some words.")
    return line


def visitor_name(text: str, people: Iterable[str]) -> str:
    """Return a visitor's name; raises RunError if it is invalid, or already used in town."""
    name = plain(text, LONGEST_NAME + 1)
    if len(name) > LONGEST_NAME or len(name) < 2 or not _NAME.fullmatch(name):
        raise RunError(
            f"{name!r} cannot be a visitor's name: write 2 to {LONGEST_NAME} letters, "
            "such as Rosa Lind."
        )
    if name.casefold() in _TAKEN:
        raise RunError(f"{name!r} is nobody's name; choose another one.")
    for known in people:
        folded = known.casefold()
        if name.casefold() in (folded, folded.split()[0]):
            raise RunError(f"{known} lives in this town; choose another name than {name!r}.")
    return name


def about_of(text: str) -> str:
    """Return a visitor's description of themselves, in the form that follows a name and a comma."""
    about = plain(text, LONGEST_ABOUT).strip(" .,;:!")
    return re.sub(r"^(?:i am|i'm|is|who is|they are)\s+", "", about, flags=re.IGNORECASE)


def deed_of(text: str) -> str:
    """Return an activity in the form that follows `is`; raises RunError if the text is empty."""
    deed = needed(text, LONGEST_DEED, "what a visitor does").strip(" .,;:!")
    return re.sub(r"^(?:i am|i'm|(?:she|he) is|they are|is|are)\s+", "", deed, flags=re.IGNORECASE)
