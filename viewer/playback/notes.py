"""The notes of the feed: everything it shows besides deeds and talks.

Kinds: `insight` (of a reflection), `keeps` (what somebody keeps of a talk), `thought`, `dream`,
`plan` (for a day); from outside `whisper`, `object`, `past`, `announcement`, `visit`, `call`,
`walks`, `acts`, `turns`, `says` (once a talk) and `leaves` (of visitors), `sees` (of who notices a
changed object), `ended` (of a change from outside that is over), `hears` (of who hears an
announcement), `reembedded`, `templates`, or any other kind of intervention by its own name, and
`fork`; of entities other than people the kinds of their happenings (`agents.entities`); about
problems `failure`, `repaired`, `escalated` and `fallback`, each with the steps concerned. A note is
its tick, the number of the person (-1 for nobody), its kind and its text; a problem of an entity
has the entity's name behind.
"""

from itertools import groupby
from json import dumps, loads
from typing import Any, get_args

from agents.entities import ENTITIES, HappeningKind
from graphs.loop.ledger import OUTCOMES
from history.records import Intervention, ObjectState
from history.tables import has_table
from reports.ended_changes import find_ended_changes
from reports.entries import join_words
from reports.stretches import spoken_place
from viewer.playback.damaged_history import HistoryQuery, within
from viewer.playback.person import strokes_of
from viewer.playback.run_state import RunState

Note = list[Any]
TROUBLED = OUTCOMES[OUTCOMES.index("repaired") :]
"""Outcomes of steps that get a note."""
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
"""Note kinds of interventions where the two names differ."""
HAPPENED = get_args(HappeningKind)
"""Note kinds of what entities other than people made happen: its own kinds."""
NOTED = (
    *("insight", "keeps", "thought", "dream", "plan"),
    *("whisper", "announcement", "sees", "ended", "hears", "reembedded", "templates"),
    *(*KINDS.values(), "fork"),
    *HAPPENED,
    *("failure", *TROUBLED),
)
"""All kinds of notes; the pages have words for each."""

_PAST = [0, "past"]
"""Tick and kind of the history that a run begins with; it is shown as memories instead."""
_WITHIN = "tick > ? AND tick <= ?"
_THOUGHTS = f"""
SELECT id, agent, kind, text, tick FROM memories
WHERE {_WITHIN} AND kind IN ('thought', 'dream') ORDER BY tick, n
"""  # noqa: S608
_PLANNED = """
SELECT thoughts.agent, tick, blob FROM thoughts JOIN minds USING (agent, tick)
{within} AND failed = '' AND stimuli LIKE '%"new_day"%' ORDER BY tick, thoughts.agent
"""
_FAILED = "SELECT tick, agent, failed FROM thoughts {within} AND failed != '' ORDER BY tick, agent"
_TROUBLED = (
    f"SELECT tick, agent, outcome, step FROM steps WHERE {_WITHIN} "  # noqa: S608
    "AND outcome IN (SELECT value FROM json_each(?)) ORDER BY tick, agent, outcome, owner, n"
)
_INTERVENTIONS = (
    f"SELECT tick, kind, target, text FROM interventions WHERE {_WITHIN} "  # noqa: S608
    "ORDER BY tick, n"
)
_SET = "SELECT tick, kind, target, text FROM interventions WHERE kind = 'object_state'"
_STATES = (
    'SELECT address, tick, state, "by" FROM objects WHERE tick <= ? '
    "AND address IN (SELECT value FROM json_each(?)) ORDER BY tick, rowid"
)
_CHANGED = "SELECT DISTINCT target, text FROM interventions WHERE kind = 'object_state'"
_SEEN = (
    f"SELECT agent, tick, subject, object, text FROM memories WHERE {_WITHIN} "  # noqa: S608
    "AND kind = 'event' AND subject IN (SELECT value FROM json_each(?)) ORDER BY tick, n"
)
_HEARD = (
    f"SELECT agent, tick, object FROM memories WHERE {_WITHIN} "  # noqa: S608
    "AND kind = 'event' AND subject = 'announcement' ORDER BY tick, n"
)
_HAPPENED = (
    f"SELECT tick, kind, who, text FROM happenings WHERE {_WITHIN} "  # noqa: S608
    "ORDER BY tick, rowid"
)


def notes(showing: RunState, since: int) -> list[Note]:
    """Return the notes of the ticks after `since`, in order."""
    found = [
        *_from_outside(showing, since),
        *_sightings(showing, since),
        *_hearers(showing, since),
        *_ended_changes(showing, since),
        *_happenings(showing, since),
        *_plans(showing, since),
        *_thoughts(showing, since),
        *_failures(showing, since),
        *_troubles(showing, since),
    ]
    return sorted(found, key=lambda note: note[0])


def _from_outside(showing: RunState, since: int) -> list[Note]:
    """Return the operators' interventions, except the history that a run begins with."""
    spec = showing.folder.spec
    number = showing.people.number
    found: list[Note] = []
    if spec.forked_from and spec.forked_at is not None and since < spec.forked_at <= showing.until:
        text = f"From here on another life than in {spec.forked_from}"
        found.append([spec.forked_at, -1, "fork", text])

    heard: set[str] = set()

    def read(tick: int, kind: str, target: str, text: str) -> Note:
        called = KINDS.get(kind, kind)
        if called == "says" and not _is_first(text, heard):
            called = ""
        return [tick, number(target), called, _describe_intervention(kind, target, text)]

    rows = _read_rows_since(showing, since, "interventions", _INTERVENTIONS, read)
    return found + [note for note in rows if note[2] and note[:3:2] != _PAST]


def _sightings(showing: RunState, since: int) -> list[Note]:
    """Return who noticed an object that was changed from outside."""
    asked = HistoryQuery(showing.connection, _CHANGED)
    changed = set(showing.faults.read_rows("interventions", asked, lambda *cells: cells))
    if not changed:
        return []

    def read(agent: str, tick: int, subject: str, state: str, text: str) -> Note:
        is_changed = (subject, state) in changed
        return [tick, showing.people.number(agent), "sees" if is_changed else "", text]

    things = dumps(sorted({target for target, _ in changed}))
    rows = _read_rows_since(showing, since, "memories", _SEEN, read, things)
    return [note for note in rows if note[2]]


def _hearers(showing: RunState, since: int) -> list[Note]:
    """Return who heard an announcement, with its text."""

    def read(agent: str, tick: int, text: str) -> Note:
        return [tick, showing.people.number(agent), "hears", text]

    return _read_rows_since(showing, since, "memories", _HEARD, read)


def _ended_changes(showing: RunState, since: int) -> list[Note]:
    """Return when what was made of an object from outside ended: a fire was put out."""

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
    return [[each.tick, number(each.by), "ended", each.text] for each in ended if each.tick > since]


def _happenings(showing: RunState, since: int) -> list[Note]:
    """Return what entities other than people made happen: weather, letters, closings."""
    if not has_table(showing.connection, "happenings"):
        return []

    def read(tick: int, kind: str, who: str, text: str) -> Note:
        return [tick, showing.people.number(who), kind, text]

    return _read_rows_since(showing, since, "happenings", _HAPPENED, read)


def _is_first(text: str, heard: set[str]) -> bool:
    """Return whether a text is the visitor's first line in its talk; all lines share one tick."""
    said = loads(text)
    talk = str(said.get("talk", ""))
    if not said.get("text") or talk in heard:
        return False
    heard.add(talk)
    return True


def _describe_intervention(kind: str, target: str, text: str) -> str:
    """Return an operator's intervention in words."""
    if kind == "object_state":
        return f"{spoken_place(target)} is now: {text}"
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


def _plans(showing: RunState, since: int) -> list[Note]:
    """Return people's plans for a day that begins."""
    number = showing.people.number

    def read(agent: str, tick: int, blob: bytes) -> Note:
        strokes = strokes_of(showing.unpacker.unpack(blob))
        return [tick, number(agent), "plan", join_words(strokes) if strokes else ""]

    rows = _read_thoughts(showing, since, "plans", _PLANNED, "thoughts.agent", read)
    return [note for note in rows if note[3]]


def _thoughts(showing: RunState, since: int) -> list[Note]:
    """Return people's thoughts, except those from their past and their plans."""
    number = showing.people.number
    carried = _list_given_history(showing)

    def read(key: str, agent: str, kind: str, text: str, tick: int) -> Note:
        told = "" if "/plan_" in key or (agent, tick) in carried else _kind(key, kind)
        return [tick, number(agent), told, text]

    return [
        note for note in _read_rows_since(showing, since, "memories", _THOUGHTS, read) if note[2]
    ]


def _kind(key: str, kind: str) -> str:
    """Return the note kind of a thought, by the step that made it."""
    if "/reflect_insights/" in key:
        return "insight"
    return "keeps" if "/conclude_talk/" in key else kind


def _list_given_history(showing: RunState) -> set[tuple[str, int]]:
    """Return (agent, tick) of the history that people were given at the start of the run."""
    query = "SELECT target, tick FROM interventions WHERE kind = 'history' AND tick = 0"
    asked = HistoryQuery(showing.connection, query)
    return set(showing.faults.read_rows("interventions", asked, lambda *cells: cells))


def _failures(showing: RunState, since: int) -> list[Note]:
    """Return the thoughts that failed."""

    def read(tick: int, agent: str, failed: str) -> Note:
        return _trouble(showing, tick, agent, "failure", failed)

    return _read_thoughts(showing, since, "thoughts", _FAILED, "agent", read)


def _troubles(showing: RunState, since: int) -> list[Note]:
    """Return the steps whose first answer was not accepted: one note per thought and outcome."""
    told = dumps(TROUBLED)
    rows = _read_rows_since(showing, since, "steps", _TROUBLED, lambda *cells: cells, told)
    found: list[Note] = []
    for (tick, agent, outcome), group in groupby(rows, key=lambda cells: cells[:3]):
        steps = dict.fromkeys(str(step) for *_, step in group)
        found.append(_trouble(showing, tick, agent, outcome, ", ".join(steps)))
    return found


def _trouble(showing: RunState, tick: int, agent: str, kind: str, text: str) -> Note:
    """Return the note of a problem that a person had, or an entity, which has no number."""
    note = [tick, showing.people.number(agent), kind, text]
    return [*note, agent] if agent in ENTITIES else note


def _read_thoughts(
    showing: RunState, since: int, what: str, query: str, column: str, read: Any
) -> list[Any]:
    """Return the readable rows about thoughts of people and entities after `since`."""
    given = (dumps([*showing.people.names, *ENTITIES]),) if since >= 0 else ()
    asked = query.format(within=within(since, column))
    return _read_rows_since(showing, since, what, asked, read, *given)


def _read_rows_since(
    showing: RunState, since: int, what: str, query: str, read: Any, *more: str
) -> list[Any]:
    """Return the readable rows of the ticks after `since`."""
    given = (since, showing.until, *more)
    return showing.faults.read_rows(what, HistoryQuery(showing.connection, query, given), read)
