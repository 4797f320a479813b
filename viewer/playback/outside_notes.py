"""Notes on events from outside: interventions, who noticed them, and how they ended."""

from json import dumps, loads
from typing import Any

from smolville.agents.wording import join_words
from smolville.history.records import Intervention, ObjectState
from smolville.reports.from_outside import find_ended_changes
from smolville.reports.stretches import spoken_place
from smolville.viewer.playback.damaged_history import HistoryQuery
from smolville.viewer.playback.run_state import WITHIN, Note, RunState

KINDS = {
    "object_state": "object",
    "history": "past",
    "visitor_enters": "visit",
    "visitor_calls": "call",
    "visitor_walks": "walks",
    "visitor_acts": "acts",
    "visitor_talks": "turns",
    "visitor_says": "says",
    "visitor_leaves": "leaves",
}
"""Note kinds of interventions, for those whose two names differ."""

_PAST = [0, "past"]
"""Tick and kind of the history that a run begins with; the page shows it as memories instead."""
_INTERVENTIONS = (
    f"SELECT tick, kind, target, text FROM interventions WHERE {WITHIN} "  # noqa: S608
    "ORDER BY tick, n"
)
_SET = "SELECT tick, kind, target, text FROM interventions WHERE kind = 'object_state'"
_STATES = (
    'SELECT address, tick, state, "by" FROM objects WHERE tick <= ? '
    "AND address IN (SELECT value FROM json_each(?)) ORDER BY tick, rowid"
)
_CHANGED = "SELECT DISTINCT target, text FROM interventions WHERE kind = 'object_state'"
_SEEN = (
    f"SELECT agent, tick, subject, object, text FROM memories WHERE {WITHIN} "  # noqa: S608
    "AND kind = 'event' AND subject IN (SELECT value FROM json_each(?)) ORDER BY tick, n"
)
_HEARD = (
    f"SELECT agent, tick, object FROM memories WHERE {WITHIN} "  # noqa: S608
    "AND kind = 'event' AND subject = 'announcement' ORDER BY tick, n"
)


def outside_notes(showing: RunState, since: int) -> list[Note]:
    """Return the notes on events from outside in the ticks after `since`."""
    return [
        *_interventions(showing, since),
        *_sightings(showing, since),
        *_hearers(showing, since),
        *_ended_changes(showing, since),
    ]


def _interventions(showing: RunState, since: int) -> list[Note]:
    """Return the operators' interventions, except the history that a run begins with."""
    spec = showing.folder.spec
    number = showing.people.number
    found: list[Note] = []
    if spec.forked_from and spec.forked_at is not None and since < spec.forked_at <= showing.until:
        text = f"Forked from {spec.forked_from}: from here on the two may differ"
        found.append([spec.forked_at, -1, "fork", text])

    heard: set[str] = set()

    def read(tick: int, kind: str, target: str, text: str) -> Note:
        called = KINDS.get(kind, kind)
        if called == "says" and not _is_first(text, heard):
            called = ""
        return [tick, number(target), called, _describe_intervention(kind, target, text)]

    rows = showing.read_since(since, "interventions", _INTERVENTIONS, read)
    return found + [note for note in rows if note[2] and note[:3:2] != _PAST]


def _sightings(showing: RunState, since: int) -> list[Note]:
    """Return who noticed an object that was changed from outside."""
    asked = HistoryQuery(showing.connection, _CHANGED)
    changed = set(showing.faults.read_rows("interventions", asked, lambda *cells: cells))
    if not changed:
        return []

    def read(agent: str, tick: int, subject: str, state: str, text: str) -> Note:
        kind = "sees" if (subject, state) in changed else ""
        return [tick, showing.people.number(agent), kind, text, _describe_change(subject, state)]

    things = dumps(sorted({target for target, _ in changed}))
    rows = showing.read_since(since, "memories", _SEEN, read, things)
    return [note for note in rows if note[2]]


def _hearers(showing: RunState, since: int) -> list[Note]:
    """Return who heard an announcement, with its text."""

    def read(agent: str, tick: int, text: str) -> Note:
        return [tick, showing.people.number(agent), "hears", text]

    return showing.read_since(since, "memories", _HEARD, read)


def _ended_changes(showing: RunState, since: int) -> list[Note]:
    """Return the notes on changes from outside that have ended: for example, a fire was put out."""

    def read_act(tick: int, kind: Any, target: str, text: str) -> Intervention:
        return Intervention(id="", tick=tick, kind=kind, target=target, text=text)

    def read_state(address: str, tick: int, state: str, by: str) -> ObjectState:
        return ObjectState(address=address, tick=tick, state=state, by=by)

    asked = HistoryQuery(showing.connection, _SET)
    acts = showing.faults.read_rows("interventions", asked, read_act)
    if not acts:
        return []
    things = dumps(sorted({each.target for each in acts}))
    asked = HistoryQuery(showing.connection, _STATES, (showing.until, things))
    ended = find_ended_changes(acts, showing.faults.read_rows("objects", asked, read_state))
    number = showing.people.number
    return [
        [each.tick, number(each.by), "ended", each.text, _describe_change(each.address, each.was)]
        for each in ended
        if each.tick > since
    ]


def _is_first(text: str, heard: set[str]) -> bool:
    """Return whether a visitor's recorded line is the first one in its talk.

    `heard` collects the talks met so far, because all lines of a talk have the same tick.
    """
    said = loads(text)
    talk = str(said.get("talk", ""))
    if not said.get("text") or talk in heard:
        return False
    heard.add(talk)
    return True


def _describe_change(address: str, state: str) -> str:
    """Return in words how an object was changed from outside."""
    return f"{spoken_place(address)} is now: {state}"


def _describe_intervention(kind: str, target: str, text: str) -> str:
    """Return an operator's intervention in words."""
    if kind == "object_state":
        return _describe_change(target, text)
    if kind == "reembedded":
        return f"Memories are compared by another embedder: {text}"
    if kind == "templates":
        return f"From here on with another {join_words(target.split(', '))}"
    return _describe_visitor_action(kind, text) if kind.startswith("visitor_") else text


def _describe_visitor_action(kind: str, text: str) -> str:
    """Return a visitor's action from outside in words."""
    if kind in ("visitor_enters", "visitor_calls"):
        return str(loads(text).get("about", ""))
    if kind == "visitor_says":
        return str(loads(text).get("text", ""))
    if kind == "visitor_leaves":
        return "leaves the town"
    return spoken_place(text) if kind == "visitor_walks" else text
