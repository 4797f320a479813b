"""Operators' interventions, visits, and the ends of changes to objects, in words."""

from collections.abc import Iterator, Mapping
from json import loads

from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.reports.stretches import spoken_place

VISITS = ("visitor_enters", "visitor_calls", "visitor_leaves")
"""Interventions by which visitors arrive, call and leave."""
TOLD_ELSEWHERE = ("visitor_walks", "visitor_acts", "visitor_talks", "visitor_says")
"""Interventions that are already visible in visitors' actions and words."""
OUTSIDE: Mapping[str, str] = {
    "whisper": "An inner voice tells {target}",
    "history": "The past comes back to {target}",
    "object_state": "{target} is now",
    "reembedded": "Memories are compared by another embedder",
    "templates": "From here on with other templates ({target})",
    "announcement": "It is announced to everybody",
}
"""Sentences for kinds of interventions; a kind without a sentence is shown by its name."""


def is_told(each: Intervention) -> bool:
    """Return whether the reports show an intervention as an event of its own.

    They do not show the memories of the past with which a run begins. Nor do they show what is
    already visible in visitors' actions and words.
    """
    return each.kind not in TOLD_ELSEWHERE and (each.tick > 0 or each.kind != "history")


def outside_words(each: Intervention) -> tuple[str, str]:
    """Return an operator's intervention as a sentence, and the text to quote below it."""
    if each.kind in VISITS:
        return visit_sentence(each), ""
    # Interventions about templates record their versions, which only the program needs.
    quote = "" if each.kind == "templates" else each.text
    words = OUTSIDE.get(each.kind, f"{each.kind.replace('_', ' ').capitalize()} ({{target}})")
    target = spoken_place(each.target)
    # A target may have braces of its own: it is inserted as it is, never used as a format.
    said = words.replace("{target}", target)
    return f"{said}:" if quote else f"{said}.", quote


def visit_sentence(each: Intervention) -> str:
    """Return in words how a visitor arrives, calls or leaves."""
    name = each.target
    if each.kind == "visitor_leaves":
        return f"{name} leaves the town."
    said = loads(each.text)
    about = f", {said['about']}," if said["about"] else ""
    if each.kind == "visitor_calls":
        return f"{name}{about} rings {said['agent']}."
    return f"{name}{about} comes to {spoken_place(said['place'])}."


def read_ended_changes(reader: RunReader, until: int) -> Iterator[tuple[int, str, str]]:
    """Yield when another state follows one that an object was given from outside, up to a tick.

    Each is the tick, the person who gave the object that state (empty if nobody used it any more),
    and a sentence. A change that was replaced by another one from outside is left out, because the
    other one is reported.
    """
    acts = [each for each in reader.interventions() if each.kind == "object_state"]
    told = {(each.tick, each.target, each.text) for each in acts}
    lasting: dict[str, str] = {}
    for each in reader.object_changes(until=until) if acts else ():
        if not each.by and (each.tick, each.address, each.state) in told:
            lasting[each.address] = each.state
        elif lasting.get(each.address, each.state) != each.state:
            was = lasting.pop(each.address)
            words = f"{spoken_place(each.address)} is no longer {was}; now: {each.state}."
            yield each.tick, each.by, f"{each.by} ends it: {words}" if each.by else words
